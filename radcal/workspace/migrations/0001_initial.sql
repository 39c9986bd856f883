-- Schema 1.  Times are UTC in ISO 8601, but times of examinations: local, in ns since 1970 as pandas has them.

-- Facts about the workspace; keys that begin with an underscore belong to radcal.workspace.
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

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

CREATE TABLE rejected (
    import_id INTEGER NOT NULL REFERENCES imports,
    file TEXT NOT NULL,
    row INTEGER NOT NULL,
    reason TEXT NOT NULL,
    remedy TEXT NOT NULL
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
    row INTEGER NOT NULL
) STRICT;
CREATE INDEX reports_by_text ON reports (text_id);

CREATE TABLE pairs (
    xray_id TEXT NOT NULL REFERENCES reports (report_id),
    ct_id TEXT NOT NULL REFERENCES reports (report_id),
    patient_id TEXT NOT NULL,
    author TEXT NOT NULL,
    xray_time INTEGER NOT NULL,
    ct_time INTEGER NOT NULL,
    gap_hours REAL NOT NULL
) STRICT;

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

-- Who did what, in counts; it can be added to and read, nothing else.
CREATE TABLE audit (
    entry INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    user TEXT NOT NULL,
    radcal TEXT NOT NULL,
    what TEXT NOT NULL,
    counts TEXT NOT NULL
) STRICT;
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
BEGIN
    SELECT RAISE(ABORT, 'the audit log is only added to');
END;
CREATE TRIGGER audit_is_not_shortened BEFORE DELETE ON audit
BEGIN
    SELECT RAISE(ABORT, 'the audit log is only added to');
END;
