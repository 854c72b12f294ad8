-- Downloaded episodes. Explained in src/table/episodes.rs.

PRAGMA user_version = 27;

CREATE TABLE episodes (
    item_id    INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
    -- Address of the enclosure.
    url        TEXT NOT NULL,
    -- When it was queued or downloaded.
    at         INTEGER NOT NULL,
    -- 0: queued; 1: downloaded; 2: failed.
    state      INTEGER NOT NULL DEFAULT 0,
    -- Length of its file, complete or not.
    bytes      INTEGER NOT NULL DEFAULT 0,
    -- Length of the complete file, if the server says it.
    total      INTEGER,
    -- What the rest is requested with (If-Range).
    validator  BLOB,
    mime_type  TEXT,
    tries      INTEGER NOT NULL DEFAULT 0,
    -- When it is downloaded at the earliest.
    next_at    INTEGER NOT NULL DEFAULT 0,
    error      TEXT,
    -- Parameters of the error: JSON.
    parameters TEXT NOT NULL DEFAULT '{}',
    PRIMARY KEY (item_id, url)
) WITHOUT ROWID;
CREATE INDEX episodes_by_time ON episodes (at, item_id);
