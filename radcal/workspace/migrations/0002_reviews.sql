-- Schema 2: gold sets, the reports that people read to check the engines.  Times as in schema 1.

-- run_id is the run whose findings the readers judge; blind says that they give theirs before they see them.
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
