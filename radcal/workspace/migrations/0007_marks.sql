-- Schema 7: what was counted in each text, so that the shares of reports which quality assurance tracks are sums over
-- tables, without a text being read again.

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
