-- Schema 8: what is known of the row of a file that a report is, whether it was de-identified, and the words left in it that
-- may identify somebody.  All were data frames before; radcal.workspace.carrying_over takes them in from an older file.
-- Times as in schema 1.

-- source is NULL, and the others say nothing, where no row stands for the report: later rows contradict it, or it is of a
-- version or a kind of file that does not keep them.  signer is NULL where the source has no such column, report_time
-- where it does not say.
ALTER TABLE reports ADD COLUMN dictator TEXT NOT NULL DEFAULT '';
ALTER TABLE reports ADD COLUMN signer TEXT;
ALTER TABLE reports ADD COLUMN addendum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE reports ADD COLUMN report_time INTEGER;
ALTER TABLE reports ADD COLUMN corrected INTEGER NOT NULL DEFAULT 0;
ALTER TABLE reports ADD COLUMN source TEXT;
ALTER TABLE reports ADD COLUMN names_ct INTEGER NOT NULL DEFAULT -1;
ALTER TABLE reports ADD COLUMN parts TEXT NOT NULL DEFAULT '';
ALTER TABLE reports ADD COLUMN deidentified INTEGER NOT NULL DEFAULT 0;

-- By these an import finds the reports of a file that is read again.
CREATE INDEX reports_by_source ON reports (source);
CREATE INDEX reports_by_row ON reports (row, exam_time);

-- And by this what is left to de-identify.
CREATE INDEX reports_as_read ON reports (seq) WHERE NOT deidentified;

-- place 0 is the most suspicious of a report; kept says that a person looked at the words and left them.
CREATE TABLE suspects (
    report_id TEXT NOT NULL REFERENCES reports (report_id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    words TEXT NOT NULL,
    place INTEGER NOT NULL,
    kept INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (report_id, kind, words)
) STRICT, WITHOUT ROWID;
CREATE INDEX suspects_open ON suspects (report_id) WHERE NOT kept;
