-- Schema 5: the audit log as a chain.  Each entry has the hash of radcal.workspace.log_chain over itself and the hash before
-- it; those of an older file get theirs when it is brought up to date.

-- Names the log, the same in all copies of a workspace.
INSERT INTO meta VALUES ('_log', lower(hex(randomblob(16))));

DROP TRIGGER audit_is_not_changed;
ALTER TABLE audit ADD COLUMN hash BLOB;
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE OF entry, at, user, radcal, what, counts ON audit
BEGIN
    SELECT RAISE(ABORT, 'the audit log is only added to');
END;
CREATE TRIGGER audit_hash_is_not_changed BEFORE UPDATE OF hash ON audit WHEN OLD.hash IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'the audit log is only added to');
END;
