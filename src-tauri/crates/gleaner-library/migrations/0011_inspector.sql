-- What feeds last said of themselves, and what the reader opened: explained in src/table/reports.rs and src/table/opened.rs.

PRAGMA user_version = 11;

CREATE TABLE reports (
    feed_id INTEGER PRIMARY KEY REFERENCES feeds (id) ON DELETE CASCADE,
    -- When the document came.
    at      INTEGER NOT NULL,
    -- As in bodies: 0 as it is, 1 zstd.
    codec   INTEGER NOT NULL,
    -- JSON.
    report  BLOB NOT NULL
);

CREATE TABLE opened (
    -- Hours since 1970, UTC.
    hour     INTEGER NOT NULL,
    feed_id  INTEGER NOT NULL REFERENCES feeds (id) ON DELETE CASCADE,
    articles INTEGER NOT NULL,
    PRIMARY KEY (hour, feed_id)
) WITHOUT ROWID;
CREATE INDEX opened_by_feed ON opened (feed_id, hour, articles);
