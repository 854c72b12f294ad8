-- Articles that are held back until their date, feeds that are kept though they are silent, and feeds that a page names
-- where a feed was. Explained in src/table/held.rs, src/table/feeds.rs and src/table/polls.rs.

PRAGMA user_version = 4;

CREATE TABLE held (
    item_id INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
    until   INTEGER NOT NULL
);
CREATE INDEX held_by_time ON held (until);

-- When its newest article was, as the user said that it is to be kept though it is silent.
ALTER TABLE feeds ADD COLUMN kept_silent INTEGER;

-- The feed that the site offers in place of this one.
ALTER TABLE polls ADD COLUMN offered_url TEXT;
ALTER TABLE polls ADD COLUMN offered_title TEXT;
