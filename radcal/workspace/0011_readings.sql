-- What both readers read of each finding: rules is '' where it is the phrase, second where no second reader read.
ALTER TABLE findings ADD COLUMN rules TEXT NOT NULL DEFAULT '';
ALTER TABLE findings ADD COLUMN second TEXT NOT NULL DEFAULT '';

-- What a person decided that a sentence says of a pathology which the rules read as ``rules`` there.  It belongs to the
-- text, and holds in every run whose rules read the same there.
CREATE TABLE decisions (
    text_id INTEGER NOT NULL REFERENCES texts ON DELETE CASCADE,
    pathology TEXT NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    term_start INTEGER NOT NULL,
    rules TEXT NOT NULL,
    phrase TEXT NOT NULL,
    decided_by TEXT NOT NULL,
    decided_at TEXT NOT NULL,
    PRIMARY KEY (text_id, pathology, start, "end", term_start, rules)
) STRICT, WITHOUT ROWID;

-- The findings with what people decided in place of what was read; decided is '' where nobody did.
CREATE VIEW decided_findings AS
SELECT f.text_id, run_id, position, f.pathology, coalesce(d.phrase, f.phrase) AS phrase, verbatim, sentence, section,
    f.start, f."end", f.term_start, term_end, cue_start, cue_end, engine, probability,
    coalesce(d.rules, f.rules) AS rules, second, coalesce(d.phrase, '') AS decided, decided_by, decided_at
FROM findings AS f LEFT JOIN decisions AS d ON d.text_id = f.text_id AND d.pathology = f.pathology
    AND d.start = f.start AND d."end" = f."end" AND d.term_start = f.term_start
    AND d.rules = iif(f.rules = '', f.phrase, f.rules);

-- Those that are statements.
CREATE VIEW stated_findings AS SELECT * FROM decided_findings WHERE decided <> 'not stated';
