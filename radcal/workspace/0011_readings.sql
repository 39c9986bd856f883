-- What both readers read of each finding: rules is '' where it is the phrase, second where no second reader read.
ALTER TABLE findings ADD COLUMN rules TEXT NOT NULL DEFAULT '';
ALTER TABLE findings ADD COLUMN second TEXT NOT NULL DEFAULT '';
