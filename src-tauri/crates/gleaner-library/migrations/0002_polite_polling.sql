-- What polite polling remembers of each feed, and the record of what was asked. Explained in src/table/polls.rs,
-- src/table/poll_log.rs and src/table/feeds.rs.

PRAGMA user_version = 2;

-- The user's wish: minutes between polls. NULL: as Gleaner thinks best; 0: never by itself.
ALTER TABLE feeds ADD COLUMN refresh_minutes INTEGER;
-- Where it was fetched before it moved, so that following it can be undone.
ALTER TABLE feeds ADD COLUMN former_url TEXT;
-- 1: the user took it back from where it had moved, and it is not to be followed there again.
ALTER TABLE feeds ADD COLUMN stays INTEGER NOT NULL DEFAULT 0;

-- Why it is asked at next_at: a name of schedule::Reason.
ALTER TABLE polls ADD COLUMN next_reason TEXT;
-- What the feed and its server said about polling, for answers that say nothing of it.
ALTER TABLE polls ADD COLUMN fresh_seconds INTEGER;
ALTER TABLE polls ADD COLUMN ttl_minutes INTEGER;
ALTER TABLE polls ADD COLUMN period_minutes INTEGER;
-- Bit n: the hour n, GMT.
ALTER TABLE polls ADD COLUMN skip_hours INTEGER NOT NULL DEFAULT 0;
-- Bit 0: Monday.
ALTER TABLE polls ADD COLUMN skip_days INTEGER NOT NULL DEFAULT 0;
-- Minutes between its last postings, newest first, and when the newest was.
ALTER TABLE polls ADD COLUMN rhythm TEXT;
ALTER TABLE polls ADD COLUMN newest_at INTEGER;
-- Whole answers in a row that came without a validator.
ALTER TABLE polls ADD COLUMN bare INTEGER NOT NULL DEFAULT 0;
-- When a whole answer last came, and its bytes over the wire.
ALTER TABLE polls ADD COLUMN full_at INTEGER;
ALTER TABLE polls ADD COLUMN full_bytes INTEGER NOT NULL DEFAULT 0;
-- Where redirects led in the end, where that is not the feed's own address.
ALTER TABLE polls ADD COLUMN final_url TEXT;
-- Where permanent redirects lead, how many answers in a row said so, and since when.
ALTER TABLE polls ADD COLUMN moved_to TEXT;
ALTER TABLE polls ADD COLUMN moved_times INTEGER NOT NULL DEFAULT 0;
ALTER TABLE polls ADD COLUMN moved_since INTEGER;
-- Until when its allowance of refreshes by hand is used up in part: see schedule.rs.
ALTER TABLE polls ADD COLUMN hand_at INTEGER;
-- Bytes that "not modified" spared.
ALTER TABLE polls ADD COLUMN bytes_saved INTEGER NOT NULL DEFAULT 0;

CREATE TABLE poll_log (
    feed_id     INTEGER NOT NULL REFERENCES feeds (id) ON DELETE CASCADE,
    -- The number of the request modulo what is kept: a new one takes the oldest one's place.
    slot        INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    why         TEXT NOT NULL,
    conditional INTEGER NOT NULL,
    status      INTEGER,
    code        TEXT,
    message     TEXT,
    hops        TEXT,
    took_ms     INTEGER NOT NULL,
    bytes       INTEGER NOT NULL,
    new_items   INTEGER NOT NULL,
    changed     INTEGER NOT NULL,
    next_at     INTEGER,
    next_reason TEXT,
    PRIMARY KEY (feed_id, slot)
) WITHOUT ROWID;

-- What an article said before it changed: see src/table/versions.rs.
CREATE TABLE versions (
    item_id      INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
    -- When it was replaced.
    at           INTEGER NOT NULL,
    title        TEXT NOT NULL,
    codec        INTEGER NOT NULL,
    content      BLOB,
    content_base TEXT,
    summary      BLOB,
    summary_base TEXT,
    PRIMARY KEY (item_id, at)
) WITHOUT ROWID;

-- Articles of different feeds that tell one story: see src/table/stories.rs.
CREATE TABLE stories (
    item_id  INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
    -- The first of them.
    story_id INTEGER NOT NULL
);
CREATE INDEX stories_by_story ON stories (story_id);
-- A digest of a long title's letters and digits; NULL where the title is short.
ALTER TABLE items ADD COLUMN title_key INTEGER;
CREATE INDEX items_by_title ON items (title_key) WHERE title_key IS NOT NULL;

-- To know an item again whose id has changed, and to find it in other feeds.
CREATE INDEX items_by_address ON items (canonical_url, feed_id) WHERE canonical_url IS NOT NULL;
