-- Schema 10: how many rows each table has, and a digest of them, kept up to date with every change by radcal.workspace.contents.
-- A RadCal that does not keep them must not write the file, hence the step; '' until they are first taken.

INSERT OR REPLACE INTO meta VALUES ('_contents', '');
