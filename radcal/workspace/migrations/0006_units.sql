-- Schema 6: what the position of a row left out counts: rows, messages, resources; or that it is a file.

-- '' where an earlier version did not say it.
ALTER TABLE rejected ADD COLUMN unit TEXT NOT NULL DEFAULT '';
