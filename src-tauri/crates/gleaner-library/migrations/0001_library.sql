-- The library, as it was first released. Migrations only ever add. Times are Unix milliseconds, UTC. What each table is
-- for is said in src/table/<table>.rs, beside the queries. Every query has its index; see src/list.rs.

PRAGMA user_version = 1;

CREATE TABLE accounts (
    id   INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('local')),
    name TEXT NOT NULL
);
INSERT INTO accounts (id, kind, name) VALUES (1, 'local', 'This computer');

CREATE TABLE folders (
    id         INTEGER PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES accounts (id),
    parent_id  INTEGER REFERENCES folders (id),
    name       TEXT NOT NULL,
    position   INTEGER NOT NULL,
    open       INTEGER NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX folders_by_name ON folders (account_id, ifnull(parent_id, 0), name);

CREATE TABLE feeds (
    id              INTEGER PRIMARY KEY,
    account_id      INTEGER NOT NULL REFERENCES accounts (id),
    url             TEXT NOT NULL,
    -- What makes two addresses the same feed: see table/feeds.rs.
    url_key         TEXT NOT NULL,
    title           TEXT,
    custom_title    TEXT,
    description     TEXT,
    home_url        TEXT,
    language        TEXT,
    -- A data: URL.
    icon            TEXT,
    folder_id       INTEGER REFERENCES folders (id),
    position        INTEGER NOT NULL,
    -- OPML attributes that we do not know: JSON, [[name, value], …].
    outline         TEXT,
    -- 1: bundled with Gleaner, never polled, never exported.
    local           INTEGER NOT NULL DEFAULT 0,
    added_at        INTEGER NOT NULL,
    -- Set when the user unsubscribes; the feed and its items go for good when the library is opened a day later.
    unsubscribed_at INTEGER
);
CREATE UNIQUE INDEX feeds_by_url ON feeds (account_id, url_key) WHERE unsubscribed_at IS NULL;
CREATE INDEX feeds_by_folder ON feeds (folder_id);
CREATE INDEX feeds_unsubscribed ON feeds (unsubscribed_at) WHERE unsubscribed_at IS NOT NULL;

CREATE TABLE polls (
    feed_id        INTEGER PRIMARY KEY REFERENCES feeds (id) ON DELETE CASCADE,
    etag           BLOB,
    last_modified  BLOB,
    body_digest    BLOB,
    checked_at     INTEGER,
    succeeded_at   INTEGER,
    changed_at     INTEGER,
    -- NULL: not asked again by itself (gone).
    next_at        INTEGER,
    failures       INTEGER NOT NULL DEFAULT 0,
    error_code     TEXT,
    error_message  TEXT,
    error_detail   TEXT,
    error_since    INTEGER,
    -- Totals, for the record.
    requests       INTEGER NOT NULL DEFAULT 0,
    not_modified   INTEGER NOT NULL DEFAULT 0,
    bytes          INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX polls_by_time ON polls (next_at) WHERE next_at IS NOT NULL;

CREATE TABLE hosts (
    host       TEXT PRIMARY KEY,
    wait_until INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE items (
    id             INTEGER PRIMARY KEY,
    feed_id        INTEGER NOT NULL REFERENCES feeds (id) ON DELETE CASCADE,
    key            TEXT NOT NULL,
    url            TEXT,
    canonical_url  TEXT,
    title          TEXT NOT NULL,
    author         TEXT,
    language       TEXT,
    published_at   INTEGER,
    updated_at     INTEGER,
    date_uncertain INTEGER NOT NULL DEFAULT 0,
    received_at    INTEGER NOT NULL,
    sort_at        INTEGER NOT NULL,
    excerpt        TEXT NOT NULL,
    word_count     INTEGER NOT NULL,
    thumbnail_url  TEXT,
    media          TEXT,
    comments_url   TEXT,
    digest         BLOB NOT NULL
);
CREATE UNIQUE INDEX items_by_key ON items (feed_id, key);
CREATE INDEX items_by_date ON items (sort_at, id, feed_id);
CREATE INDEX items_by_feed ON items (feed_id, sort_at, id);

CREATE TABLE bodies (
    item_id      INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
    -- 0: as it is, 1: zstd.
    codec        INTEGER NOT NULL,
    content      BLOB,
    content_base TEXT,
    summary      BLOB,
    summary_base TEXT,
    -- JSON, ["…"].
    categories   TEXT
);

CREATE TABLE enclosures (
    item_id          INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
    position         INTEGER NOT NULL,
    url              TEXT NOT NULL,
    mime_type        TEXT,
    length           INTEGER,
    title            TEXT,
    duration_seconds REAL,
    PRIMARY KEY (item_id, position)
) WITHOUT ROWID;

CREATE TABLE states (
    item_id    INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
    -- The item's own, repeated here so that the lists of unread and starred ones need no other table.
    feed_id    INTEGER NOT NULL,
    sort_at    INTEGER NOT NULL,
    read       INTEGER NOT NULL DEFAULT 0,
    starred    INTEGER NOT NULL DEFAULT 0,
    read_at    INTEGER,
    starred_at INTEGER
);
CREATE INDEX states_unread ON states (sort_at, item_id, feed_id) WHERE read = 0;
CREATE INDEX states_feed_unread ON states (feed_id, sort_at, item_id) WHERE read = 0;
CREATE INDEX states_starred ON states (sort_at, item_id, feed_id) WHERE starred = 1;

CREATE TABLE counts (
    feed_id INTEGER PRIMARY KEY REFERENCES feeds (id) ON DELETE CASCADE,
    items   INTEGER NOT NULL DEFAULT 0,
    unread  INTEGER NOT NULL DEFAULT 0,
    starred INTEGER NOT NULL DEFAULT 0
);
CREATE TRIGGER feeds_counted AFTER INSERT ON feeds BEGIN
    INSERT INTO counts (feed_id) VALUES (new.id);
END;
CREATE TRIGGER states_counted_in AFTER INSERT ON states BEGIN
    UPDATE counts SET items = items + 1, unread = unread + (new.read = 0), starred = starred + new.starred WHERE feed_id = new.feed_id;
END;
CREATE TRIGGER states_counted_out AFTER DELETE ON states BEGIN
    UPDATE counts SET items = items - 1, unread = unread - (old.read = 0), starred = starred - old.starred WHERE feed_id = old.feed_id;
END;
CREATE TRIGGER states_counted_anew AFTER UPDATE OF read, starred ON states WHEN old.read <> new.read OR old.starred <> new.starred BEGIN
    UPDATE counts SET unread = unread + (new.read = 0) - (old.read = 0), starred = starred + new.starred - old.starred
    WHERE feed_id = new.feed_id;
END;

CREATE TABLE settings (
    key   TEXT PRIMARY KEY,
    -- JSON.
    value TEXT NOT NULL
) WITHOUT ROWID;
