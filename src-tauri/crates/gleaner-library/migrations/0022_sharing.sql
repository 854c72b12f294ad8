-- Services that articles are saved in, and the articles that they do not have yet. Explained in src/table/share_services.rs.

PRAGMA user_version = 22;

CREATE TABLE share_services (
    -- Never reused.
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    -- Name of the kind of service, as gleaner-share defines it.
    kind             TEXT NOT NULL,
    name             TEXT NOT NULL,
    -- Base address of the server, or path of a folder.
    address          TEXT NOT NULL,
    -- Empty where the service needs none.
    user_name        TEXT NOT NULL,
    -- The password or token is in the keyring under this name, …
    keyring_entry    TEXT,
    -- … or here, where the user chose that.
    secret           TEXT,
    -- Not tried again before. NULL with an error: only when the user asks for it.
    retry_at         INTEGER,
    -- Failures since the last success.
    failures         INTEGER NOT NULL DEFAULT 0,
    error_code       TEXT,
    error_parameters TEXT NOT NULL DEFAULT '{}',
    CHECK (keyring_entry IS NULL OR secret IS NULL)
);
CREATE TRIGGER share_secret_left AFTER DELETE ON share_services WHEN old.keyring_entry IS NOT NULL BEGIN
    INSERT OR IGNORE INTO secrets_left (keyring_entry) VALUES (old.keyring_entry);
END;

CREATE TABLE share_queue (
    service_id INTEGER NOT NULL REFERENCES share_services (id) ON DELETE CASCADE,
    item_id    INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
    added_at   INTEGER NOT NULL,
    -- Why the service refused the article. It is not sent again automatically.
    error_code TEXT,
    PRIMARY KEY (service_id, item_id)
) WITHOUT ROWID;
CREATE INDEX share_queue_by_item ON share_queue (item_id);
-- The articles to send, oldest first.
CREATE INDEX share_queue_to_send ON share_queue (service_id, added_at, item_id) WHERE error_code IS NULL;
