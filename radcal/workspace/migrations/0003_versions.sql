-- Schema 3: the rows of reports that have several, or addenda within their text; accession numbers of rejected rows.
-- Times as in schema 1.

-- text_id is the text that counts; whole_id that of the report as it stands now where this is another, else NULL.
ALTER TABLE reports ADD COLUMN whole_id INTEGER REFERENCES texts;
CREATE INDEX reports_by_whole ON reports (whole_id);

-- NULL where the source has no such column (signer) or time.  parts and uses are JSON; uses says what became of each
-- piece of the text when the report was last paired.
CREATE TABLE versions (
    report_id TEXT NOT NULL REFERENCES reports (report_id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    text_id INTEGER NOT NULL REFERENCES texts,
    patient_id TEXT NOT NULL,
    exam TEXT NOT NULL,
    exam_time INTEGER NOT NULL,
    status TEXT NOT NULL,
    file TEXT NOT NULL,
    row INTEGER NOT NULL,
    dictator TEXT NOT NULL,
    signer TEXT,
    addendum INTEGER NOT NULL,
    report_time INTEGER,
    corrected INTEGER NOT NULL,
    source TEXT NOT NULL,
    names_ct INTEGER NOT NULL,
    parts TEXT NOT NULL,
    role TEXT NOT NULL,
    uses TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (report_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX versions_by_text ON versions (text_id);

ALTER TABLE rejected ADD COLUMN accession TEXT NOT NULL DEFAULT '';
