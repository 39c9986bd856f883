-- The schema of a workspace as the first release has it: schema 10.  Later schemas are the steps 0011_....sql and so on
-- beside this file; a released file is never changed.
-- Times are UTC in ISO 8601, but times of examinations: local, in ns since 1970 as pandas has them.

-- Facts about the workspace; keys that begin with an underscore belong to radcal.workspace.
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
-- Names the audit log, the same in all copies of a workspace.
INSERT INTO meta VALUES ('_log', lower(hex(randomblob(16))));
-- How many rows each table has, and a digest of them, kept up to date with every change by radcal.workspace.contents;
-- '' until they are first taken.
INSERT INTO meta VALUES ('_contents', '');

CREATE TABLE imports (
    import_id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    rows_read INTEGER NOT NULL,
    new INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    unchanged INTEGER NOT NULL,
    rejected INTEGER NOT NULL,
    mapping TEXT NOT NULL
) STRICT;

-- unit is what the position of a row left out counts: rows, messages, resources; or that it is a file.
CREATE TABLE rejected (
    import_id INTEGER NOT NULL REFERENCES imports,
    file TEXT NOT NULL,
    row INTEGER NOT NULL,
    reason TEXT NOT NULL,
    remedy TEXT NOT NULL,
    accession TEXT NOT NULL DEFAULT '',
    unit TEXT NOT NULL DEFAULT ''
) STRICT;

-- Each text once, whatever the number of reports that consist of it.  Findings belong to the text; the
-- modality is part of its identity because engines are told it.
CREATE TABLE texts (
    text_id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL,
    modality TEXT NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (hash, modality)
) STRICT;

-- text_id is the text that counts; whole_id that of the report as it stands now where this is another, else NULL.
-- site is '' and age -1 where the source does not say.  The date of birth is not kept.
-- source is NULL, and the columns of the row beside it say nothing, where no row stands for the report: later rows
-- contradict it, or it is of a kind of file that does not keep them.  signer is NULL where the source has no such
-- column, report_time where it does not say.
CREATE TABLE reports (
    seq INTEGER PRIMARY KEY,
    report_id TEXT NOT NULL UNIQUE,
    text_id INTEGER NOT NULL REFERENCES texts,
    version INTEGER NOT NULL DEFAULT 1,
    import_id INTEGER NOT NULL REFERENCES imports,
    modality TEXT NOT NULL,
    accession TEXT NOT NULL,
    patient_id TEXT NOT NULL,
    exam TEXT NOT NULL,
    exam_time INTEGER NOT NULL,
    author TEXT NOT NULL,
    author_rule TEXT NOT NULL,
    status TEXT NOT NULL,
    file TEXT NOT NULL,
    row INTEGER NOT NULL,
    whole_id INTEGER REFERENCES texts,
    site TEXT NOT NULL DEFAULT '',
    age INTEGER NOT NULL DEFAULT -1,
    dictator TEXT NOT NULL DEFAULT '',
    signer TEXT,
    addendum INTEGER NOT NULL DEFAULT 0,
    report_time INTEGER,
    corrected INTEGER NOT NULL DEFAULT 0,
    source TEXT,
    names_ct INTEGER NOT NULL DEFAULT -1,
    parts TEXT NOT NULL DEFAULT '',
    deidentified INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX reports_by_text ON reports (text_id);
CREATE INDEX reports_by_whole ON reports (whole_id);
CREATE INDEX reports_by_patient ON reports (patient_id);
CREATE INDEX reports_by_author ON reports (author);
-- By these an import finds the reports of a file that is read again.
CREATE INDEX reports_by_source ON reports (source);
CREATE INDEX reports_by_row ON reports (row, exam_time);
-- And by this what is left to de-identify.
CREATE INDEX reports_as_read ON reports (seq) WHERE NOT deidentified;

-- The rows of reports that have several, or addenda within their text.  NULL where the source has no such column
-- (signer) or time.  parts and uses are JSON; uses says what became of each piece of the text when the report was last
-- paired.
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

-- Words left in reports that may identify somebody.  place 0 is the most suspicious of a report; kept says that a person
-- looked at the words and left them.
CREATE TABLE suspects (
    report_id TEXT NOT NULL REFERENCES reports (report_id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    words TEXT NOT NULL,
    place INTEGER NOT NULL,
    kept INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (report_id, kind, words)
) STRICT, WITHOUT ROWID;
CREATE INDEX suspects_open ON suspects (report_id) WHERE NOT kept;

CREATE TABLE pairs (
    xray_id TEXT NOT NULL REFERENCES reports (report_id),
    ct_id TEXT NOT NULL REFERENCES reports (report_id),
    patient_id TEXT NOT NULL,
    author TEXT NOT NULL,
    xray_time INTEGER NOT NULL,
    ct_time INTEGER NOT NULL,
    gap_hours REAL NOT NULL
) STRICT;
CREATE INDEX pairs_by_author ON pairs (author);
CREATE INDEX pairs_by_xray ON pairs (xray_id);
CREATE INDEX pairs_by_ct ON pairs (ct_id);

CREATE TABLE attrition (
    step TEXT NOT NULL,
    modality TEXT NOT NULL,
    kept INTEGER NOT NULL,
    dropped INTEGER NOT NULL,
    reason TEXT NOT NULL
) STRICT;

CREATE TABLE runs (
    run_id INTEGER PRIMARY KEY,
    engine TEXT NOT NULL,
    version TEXT NOT NULL,
    settings_hash TEXT NOT NULL,
    begun TEXT NOT NULL,
    last TEXT NOT NULL,
    UNIQUE (engine, version, settings_hash)
) STRICT;

-- One row for each text that a run is done with; failure is '' where it succeeded.
CREATE TABLE extractions (
    text_id INTEGER NOT NULL REFERENCES texts ON DELETE CASCADE,
    run_id INTEGER NOT NULL REFERENCES runs,
    failure TEXT NOT NULL,
    PRIMARY KEY (text_id, run_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE findings (
    text_id INTEGER NOT NULL,
    run_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    pathology TEXT NOT NULL,
    phrase TEXT NOT NULL,
    verbatim TEXT NOT NULL,
    sentence TEXT NOT NULL,
    section TEXT NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    term_start INTEGER NOT NULL,
    term_end INTEGER NOT NULL,
    cue_start INTEGER NOT NULL,
    cue_end INTEGER NOT NULL,
    engine TEXT NOT NULL,
    probability REAL,
    PRIMARY KEY (text_id, run_id, position),
    FOREIGN KEY (text_id, run_id) REFERENCES extractions ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- What was counted in each text, so that the shares of reports which quality assurance tracks are sums over tables,
-- without a text being read again.

-- By whom a mark is: the search for recommendations, or a scale and a lexicon, in words that change with what they find.
CREATE TABLE markers (
    marker_id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE
) STRICT;

-- What a text recommends, 0 or 1 each; follow_up is imaging or work-up, unread that it is in a language that is not read.
CREATE TABLE text_marks (
    text_id INTEGER PRIMARY KEY REFERENCES texts ON DELETE CASCADE,
    marker_id INTEGER NOT NULL REFERENCES markers,
    unread INTEGER NOT NULL,
    follow_up INTEGER NOT NULL,
    correlation INTEGER NOT NULL,
    other INTEGER NOT NULL
) STRICT;

-- first_day and last_day: in how many days, NULL where that is not stated.
CREATE TABLE recommendations (
    text_id INTEGER NOT NULL REFERENCES text_marks ON DELETE CASCADE,
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,
    modality TEXT NOT NULL,
    first_day INTEGER,
    last_day INTEGER,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    PRIMARY KEY (text_id, position)
) STRICT, WITHOUT ROWID;

-- Whether a run found any hedge in a text, and any worded as the scale has it; gone with what the run read.
CREATE TABLE wording_marks (
    text_id INTEGER NOT NULL,
    run_id INTEGER NOT NULL,
    marker_id INTEGER NOT NULL REFERENCES markers,
    hedged INTEGER NOT NULL,
    standard INTEGER NOT NULL,
    PRIMARY KEY (text_id, run_id),
    FOREIGN KEY (text_id, run_id) REFERENCES extractions ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE results (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    payload TEXT NOT NULL,
    provenance TEXT NOT NULL,
    saved TEXT NOT NULL,
    PRIMARY KEY (kind, key)
) STRICT;

-- Whole data frames, column by column.
CREATE TABLE frames (
    name TEXT PRIMARY KEY,
    rows INTEGER NOT NULL,
    saved TEXT NOT NULL
) STRICT;
CREATE TABLE frame_columns (
    frame TEXT NOT NULL REFERENCES frames ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (frame, position)
) STRICT;

-- Gold sets, the reports that people read to check the engines.  run_id is the run whose findings the readers judge;
-- blind says that they give theirs before they see them.
CREATE TABLE gold_sets (
    set_id INTEGER PRIMARY KEY,
    made TEXT NOT NULL,
    drawn TEXT NOT NULL,
    seed INTEGER NOT NULL,
    blind INTEGER NOT NULL,
    run_id INTEGER NOT NULL REFERENCES runs
) STRICT;

-- hash is of the text that was drawn: what was said of it does not hold for another.
CREATE TABLE gold_reports (
    set_id INTEGER NOT NULL REFERENCES gold_sets,
    position INTEGER NOT NULL,
    report_id TEXT NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (set_id, position),
    UNIQUE (set_id, report_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE gold_readers (
    reader_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

-- Whatever a reader does is added here at once; undoing it only says so.  detail is JSON.
CREATE TABLE gold_actions (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    action TEXT NOT NULL UNIQUE,
    set_id INTEGER NOT NULL REFERENCES gold_sets,
    reader_id INTEGER NOT NULL REFERENCES gold_readers,
    report_id TEXT NOT NULL,
    at TEXT NOT NULL,
    kind TEXT NOT NULL,
    detail TEXT NOT NULL,
    undone INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX gold_actions_by_set ON gold_actions (set_id, kind, reader_id);
CREATE TRIGGER gold_actions_are_not_deleted BEFORE DELETE ON gold_actions
BEGIN
    SELECT RAISE(ABORT, 'what readers did is only added to');
END;
CREATE TRIGGER gold_actions_keep_what_they_say
BEFORE UPDATE OF seq, action, set_id, reader_id, report_id, at, kind, detail ON gold_actions
BEGIN
    SELECT RAISE(ABORT, 'what readers did is only added to');
END;

-- Who did what, in counts; it can be added to and read, nothing else.  Each entry has the hash of
-- radcal.workspace.log_chain over itself and the hash before it.
CREATE TABLE audit (
    entry INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    user TEXT NOT NULL,
    radcal TEXT NOT NULL,
    what TEXT NOT NULL,
    counts TEXT NOT NULL,
    hash BLOB
) STRICT;
CREATE TRIGGER audit_is_not_shortened BEFORE DELETE ON audit
BEGIN
    SELECT RAISE(ABORT, 'the audit log is only added to');
END;
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE OF entry, at, user, radcal, what, counts ON audit
BEGIN
    SELECT RAISE(ABORT, 'the audit log is only added to');
END;
CREATE TRIGGER audit_hash_is_not_changed BEFORE UPDATE OF hash ON audit WHEN OLD.hash IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'the audit log is only added to');
END;
