-- Why an article has its marks, what each synchronisation did, and when accounts are synchronised. Explained in src/table/mark_log.rs,
-- sync_log.rs and accounts.rs.

PRAGMA user_version = 21;

-- Changes of marks on articles of accounts at servers.
CREATE TABLE mark_log (
    -- Ascending.
    seq        INTEGER PRIMARY KEY,
    at         INTEGER NOT NULL,
    item_id    INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
    -- The article's account at that time, which may have been removed since.
    account_id INTEGER NOT NULL,
    -- 'read', 'starred', or 'label:' and the name of a tag.
    what       TEXT NOT NULL,
    value      INTEGER NOT NULL,
    -- 'here', 'undo', 'rule', 'duplicate', 'import', 'server', 'sent' or 'refused'.
    cause      TEXT NOT NULL,
    -- The rule, where the cause is one.
    rule_id    INTEGER
);
CREATE INDEX mark_log_by_item ON mark_log (item_id, seq);
-- Keeps the newest 50,000.
CREATE TRIGGER mark_log_bounded AFTER INSERT ON mark_log BEGIN
    DELETE FROM mark_log WHERE seq <= new.seq - 50000;
END;

-- The last synchronisations of each account.
CREATE TABLE sync_log (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id       INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    -- When it began; the last time, where it failed several times in the same way.
    at               INTEGER NOT NULL,
    took_ms          INTEGER NOT NULL,
    requests         INTEGER NOT NULL,
    bytes            INTEGER NOT NULL,
    -- Numbers of marks and changes of subscriptions that were sent, …
    sent             INTEGER NOT NULL,
    -- … of new articles, of articles whose marks changed at the server, and of feeds that were subscribed and left there.
    new_items        INTEGER NOT NULL,
    changed          INTEGER NOT NULL,
    feeds_added      INTEGER NOT NULL,
    feeds_left       INTEGER NOT NULL,
    -- 1: a list of the server was incomplete, so that it took no marks away.
    incomplete       INTEGER NOT NULL,
    -- 1: the user stopped it.
    stopped          INTEGER NOT NULL,
    error_code       TEXT,
    error_parameters TEXT NOT NULL DEFAULT '{}',
    -- What the server did not accept: a JSON list of 'refused', 'delayed' or 'unsupported', each with a title.
    rejections         TEXT NOT NULL DEFAULT '[]',
    -- How often it failed in the same way.
    times            INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX sync_log_by_account ON sync_log (account_id, id);

-- Minutes between two synchronisations in the background. 0: only by hand.
ALTER TABLE servers ADD COLUMN sync_minutes INTEGER NOT NULL DEFAULT 15;
-- 1: the number of articles to download was raised, and older ones were not downloaded yet.
ALTER TABLE servers ADD COLUMN extend_history INTEGER NOT NULL DEFAULT 0;
