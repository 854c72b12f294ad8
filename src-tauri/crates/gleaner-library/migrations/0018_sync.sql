-- Accounts at servers, and what keeps them and the library in agreement. Explained in src/table/accounts.rs, remote_feeds.rs,
-- remote_items.rs and outbox.rs.

PRAGMA user_version = 18;

-- The kinds of accounts grow, so the list of them is no longer in the table.
PRAGMA defer_foreign_keys = ON;
CREATE TABLE accounts_before AS SELECT id, kind, name FROM accounts;
DROP TABLE accounts;
CREATE TABLE accounts (
    -- Never reused.
    id   INTEGER PRIMARY KEY AUTOINCREMENT,
    -- 'local', or the name of the server's API.
    kind TEXT NOT NULL,
    name TEXT NOT NULL
);
INSERT INTO accounts (id, kind, name) SELECT id, kind, name FROM accounts_before;
DROP TABLE accounts_before;

CREATE TABLE servers (
    account_id       INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    -- Base address of the API.
    url              TEXT NOT NULL,
    user_name        TEXT NOT NULL,
    -- The password is in the keyring under this name, …
    keyring_entry    TEXT,
    -- … or here, where the user chose that.
    secret           TEXT,
    -- SHA-256 of the certificate that is accepted whatever is wrong with it.
    certificate      BLOB CHECK (length(certificate) = 32),
    -- 1: tags are synchronised with the server's labels.
    labels           INTEGER NOT NULL,
    -- Number of the newest articles that are downloaded, besides unread and starred ones.
    history          INTEGER NOT NULL,
    -- The folder that contains the account's feeds.
    folder_id        INTEGER REFERENCES folders (id) ON DELETE SET NULL,
    synced_at        INTEGER,
    -- The server asked not to be contacted before.
    wait_until       INTEGER,
    error_code       TEXT,
    error_parameters TEXT NOT NULL DEFAULT '{}',
    error_since      INTEGER,
    -- When the user removed the account, which can be undone for a day.
    removed_at       INTEGER,
    -- 1: its feeds became feeds of this computer when it was removed.
    kept             INTEGER NOT NULL DEFAULT 0,
    CHECK (keyring_entry IS NULL OR secret IS NULL)
);
CREATE INDEX servers_by_folder ON servers (folder_id) WHERE folder_id IS NOT NULL;
CREATE TRIGGER server_secret_left AFTER DELETE ON servers WHEN old.keyring_entry IS NOT NULL BEGIN
    INSERT OR IGNORE INTO secrets_left (keyring_entry) VALUES (old.keyring_entry);
END;
CREATE TRIGGER server_secret_changed AFTER UPDATE OF keyring_entry ON servers
WHEN old.keyring_entry IS NOT new.keyring_entry AND old.keyring_entry IS NOT NULL BEGIN
    INSERT OR IGNORE INTO secrets_left (keyring_entry) VALUES (old.keyring_entry);
END;

-- The account's subscriptions as the server last had them.
CREATE TABLE remote_feeds (
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    remote_id  TEXT NOT NULL,
    -- NULL: the feed was deleted here.
    feed_id    INTEGER REFERENCES feeds (id) ON DELETE SET NULL,
    -- NULL: not known, since Gleaner changed it.
    title      TEXT,
    -- The name of its folder; empty: none. NULL: not known, since Gleaner changed it.
    label      TEXT,
    PRIMARY KEY (account_id, remote_id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX remote_feeds_by_feed ON remote_feeds (feed_id) WHERE feed_id IS NOT NULL;

-- The account's articles, with their marks as the server last had them.
CREATE TABLE remote_items (
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    remote_id  TEXT NOT NULL,
    -- NULL: the article was deleted here, and is not downloaded again.
    item_id    INTEGER REFERENCES items (id) ON DELETE SET NULL,
    read       INTEGER NOT NULL,
    starred    INTEGER NOT NULL,
    -- 1: the server no longer has it.
    gone       INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, remote_id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX remote_items_by_item ON remote_items (item_id) WHERE item_id IS NOT NULL;

-- The labels of the account's articles as the server last had them.
CREATE TABLE remote_labels (
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    remote_id  TEXT NOT NULL,
    label      TEXT NOT NULL,
    PRIMARY KEY (account_id, remote_id, label)
) WITHOUT ROWID;

-- Marks that the server does not have yet.
CREATE TABLE outbox (
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    remote_id  TEXT NOT NULL,
    -- 'read', 'starred', or 'label:' and the name of a tag.
    what       TEXT NOT NULL,
    value      INTEGER NOT NULL,
    -- Another one at each change.
    stamp      INTEGER NOT NULL,
    -- 1: it was sent, and the answer is unknown.
    sending    INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, remote_id, what)
) WITHOUT ROWID;

-- Changes of subscriptions that the server does not have yet, in their order.
CREATE TABLE feed_outbox (
    seq        INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    feed_id    INTEGER NOT NULL,
    remote_id  TEXT,
    what       TEXT NOT NULL CHECK (what IN ('subscribe', 'rename', 'move', 'leave')),
    stamp      INTEGER NOT NULL,
    sending    INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX feed_outbox_by_feed ON feed_outbox (feed_id, what);
CREATE INDEX feed_outbox_by_account ON feed_outbox (account_id, seq);

-- A mark is sent unless the server has it already. One that is being sent is sent again: the server may have received it.
CREATE TRIGGER read_to_outbox AFTER UPDATE OF read ON states WHEN old.read <> new.read BEGIN
    INSERT INTO outbox (account_id, remote_id, what, value, stamp)
    SELECT account_id, remote_id, 'read', new.read, random() FROM remote_items WHERE item_id = new.item_id
    ON CONFLICT (account_id, remote_id, what) DO UPDATE SET value = excluded.value, stamp = excluded.stamp;
    DELETE FROM outbox WHERE what = 'read' AND sending = 0 AND (account_id, remote_id) IN
        (SELECT account_id, remote_id FROM remote_items WHERE item_id = new.item_id AND read = new.read);
END;
CREATE TRIGGER starred_to_outbox AFTER UPDATE OF starred ON states WHEN old.starred <> new.starred BEGIN
    INSERT INTO outbox (account_id, remote_id, what, value, stamp)
    SELECT account_id, remote_id, 'starred', new.starred, random() FROM remote_items WHERE item_id = new.item_id
    ON CONFLICT (account_id, remote_id, what) DO UPDATE SET value = excluded.value, stamp = excluded.stamp;
    DELETE FROM outbox WHERE what = 'starred' AND sending = 0 AND (account_id, remote_id) IN
        (SELECT account_id, remote_id FROM remote_items WHERE item_id = new.item_id AND starred = new.starred);
END;
CREATE TRIGGER tag_to_outbox AFTER INSERT ON item_tags WHEN EXISTS (SELECT 1 FROM remote_items WHERE item_id = new.item_id) BEGIN
    INSERT INTO outbox (account_id, remote_id, what, value, stamp)
    SELECT r.account_id, r.remote_id, 'label:' || t.name, 1, random()
    FROM remote_items r JOIN servers s ON s.account_id = r.account_id AND s.labels = 1 JOIN tags t ON t.id = new.tag_id
    WHERE r.item_id = new.item_id
    ON CONFLICT (account_id, remote_id, what) DO UPDATE SET value = excluded.value, stamp = excluded.stamp;
    DELETE FROM outbox WHERE sending = 0 AND (account_id, remote_id, what) IN
        (SELECT l.account_id, l.remote_id, 'label:' || l.label FROM remote_items r JOIN tags t ON t.id = new.tag_id
            JOIN remote_labels l ON l.account_id = r.account_id AND l.remote_id = r.remote_id AND l.label = t.name
            WHERE r.item_id = new.item_id);
END;
-- An article that is deleted here keeps its labels there.
CREATE TRIGGER untag_to_outbox AFTER DELETE ON item_tags
WHEN EXISTS (SELECT 1 FROM remote_items WHERE item_id = old.item_id) AND EXISTS (SELECT 1 FROM items WHERE id = old.item_id) BEGIN
    INSERT INTO outbox (account_id, remote_id, what, value, stamp)
    SELECT r.account_id, r.remote_id, 'label:' || t.name, 0, random()
    FROM remote_items r JOIN servers s ON s.account_id = r.account_id AND s.labels = 1 JOIN tags t ON t.id = old.tag_id
    WHERE r.item_id = old.item_id
    ON CONFLICT (account_id, remote_id, what) DO UPDATE SET value = excluded.value, stamp = excluded.stamp;
END;
CREATE TRIGGER tag_name_to_outbox AFTER UPDATE OF name ON tags WHEN old.name <> new.name BEGIN
    INSERT INTO outbox (account_id, remote_id, what, value, stamp)
    SELECT r.account_id, r.remote_id, 'label:' || n.value, n.value = new.name, random()
    FROM item_tags m JOIN remote_items r ON r.item_id = m.item_id JOIN servers s ON s.account_id = r.account_id AND s.labels = 1
        CROSS JOIN json_each(json_array(old.name, new.name)) n
    WHERE m.tag_id = new.id
    ON CONFLICT (account_id, remote_id, what) DO UPDATE SET value = excluded.value, stamp = excluded.stamp;
END;

-- Changes of subscriptions.
CREATE TRIGGER feed_title_to_outbox AFTER UPDATE OF custom_title ON feeds
WHEN new.account_id <> 1 AND new.custom_title IS NOT old.custom_title AND new.custom_title IS NOT NULL BEGIN
    INSERT INTO feed_outbox (account_id, feed_id, remote_id, what, stamp)
    SELECT account_id, new.id, remote_id, 'rename', random() FROM remote_feeds WHERE feed_id = new.id
    ON CONFLICT (feed_id, what) DO UPDATE SET stamp = excluded.stamp;
END;
CREATE TRIGGER feed_folder_to_outbox AFTER UPDATE OF folder_id ON feeds WHEN new.account_id <> 1 AND new.folder_id IS NOT old.folder_id BEGIN
    INSERT INTO feed_outbox (account_id, feed_id, remote_id, what, stamp)
    SELECT account_id, new.id, remote_id, 'move', random() FROM remote_feeds WHERE feed_id = new.id
    ON CONFLICT (feed_id, what) DO UPDATE SET stamp = excluded.stamp;
END;
CREATE TRIGGER folder_name_to_outbox AFTER UPDATE OF name ON folders WHEN old.name <> new.name BEGIN
    INSERT INTO feed_outbox (account_id, feed_id, remote_id, what, stamp)
    SELECT r.account_id, f.id, r.remote_id, 'move', random() FROM feeds f JOIN remote_feeds r ON r.feed_id = f.id
    WHERE f.folder_id = new.id AND NOT EXISTS (SELECT 1 FROM servers WHERE folder_id = new.id)
    ON CONFLICT (feed_id, what) DO UPDATE SET stamp = excluded.stamp;
END;
CREATE TRIGGER feed_left_to_outbox AFTER UPDATE OF unsubscribed_at ON feeds
WHEN new.account_id <> 1 AND old.unsubscribed_at IS NULL AND new.unsubscribed_at IS NOT NULL
    AND EXISTS (SELECT 1 FROM servers WHERE account_id = new.account_id AND removed_at IS NULL) BEGIN
    DELETE FROM feed_outbox WHERE feed_id = new.id AND sending = 0;
    INSERT INTO feed_outbox (account_id, feed_id, remote_id, what, stamp)
    SELECT account_id, new.id, remote_id, 'leave', random() FROM remote_feeds WHERE feed_id = new.id
    ON CONFLICT (feed_id, what) DO UPDATE SET stamp = excluded.stamp;
END;
CREATE TRIGGER feed_restored_to_outbox AFTER UPDATE OF unsubscribed_at ON feeds
WHEN new.account_id <> 1 AND old.unsubscribed_at IS NOT NULL AND new.unsubscribed_at IS NULL
    AND EXISTS (SELECT 1 FROM servers WHERE account_id = new.account_id AND removed_at IS NULL) BEGIN
    INSERT INTO feed_outbox (account_id, feed_id, what, stamp)
    SELECT new.account_id, new.id, 'subscribe', random()
    WHERE NOT EXISTS (SELECT 1 FROM feed_outbox WHERE feed_id = new.id AND what = 'leave' AND sending = 0)
    ON CONFLICT (feed_id, what) DO UPDATE SET stamp = excluded.stamp;
    DELETE FROM feed_outbox WHERE feed_id = new.id AND what = 'leave' AND sending = 0;
END;

-- The server fetches these feeds; Gleaner never polls them.
CREATE TRIGGER polls_local_only AFTER INSERT ON polls
WHEN new.next_at IS NOT NULL AND (SELECT account_id FROM feeds WHERE id = new.feed_id) <> 1 BEGIN
    UPDATE polls SET next_at = NULL WHERE feed_id = new.feed_id;
END;
CREATE TRIGGER polls_stay_local AFTER UPDATE OF next_at ON polls
WHEN new.next_at IS NOT NULL AND (SELECT account_id FROM feeds WHERE id = new.feed_id) <> 1 BEGIN
    UPDATE polls SET next_at = NULL WHERE feed_id = new.feed_id;
END;
