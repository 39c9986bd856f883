-- Schema 4: where an examination was made, and how old its patient was then, for groups of a department.

-- '' and -1 where the source does not say.  The date of birth is not kept.
ALTER TABLE reports ADD COLUMN site TEXT NOT NULL DEFAULT '';
ALTER TABLE reports ADD COLUMN age INTEGER NOT NULL DEFAULT -1;
