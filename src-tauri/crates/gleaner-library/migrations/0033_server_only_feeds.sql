-- Feeds that the user unsubscribed from here, and that their servers keep. Explained in src/table/server_only_feeds.rs.

PRAGMA user_version = 33;

CREATE TABLE server_only_feeds (
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    remote_id  TEXT NOT NULL,
    url        TEXT NOT NULL,
    -- Title at the server; may be empty.
    title      TEXT NOT NULL,
    PRIMARY KEY (account_id, remote_id)
) WITHOUT ROWID;
