-- The UID by which the archive of images knows the study of a report; '' where the source does not say.
ALTER TABLE reports ADD COLUMN study_uid TEXT NOT NULL DEFAULT '';
