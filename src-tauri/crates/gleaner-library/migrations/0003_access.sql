-- How single feeds are reached where that is out of the ordinary, and files as feeds. Explained in src/table/access.rs and
-- src/table/feeds.rs.

PRAGMA user_version = 3;

CREATE TABLE access (
    feed_id       INTEGER PRIMARY KEY REFERENCES feeds (id) ON DELETE CASCADE,
    -- Scheme, host and port that name, secret and headers are for.
    origin        TEXT NOT NULL,
    user_agent    TEXT,
    -- JSON, [[name, value], …].
    headers       TEXT NOT NULL,
    -- "direct", or a proxy's address; NULL: as the system says.
    proxy         TEXT,
    -- The SHA-256 of the one certificate that is accepted whatever is wrong with it.
    certificate   BLOB CHECK (length(certificate) = 32),
    auth          TEXT CHECK (auth IN ('basic', 'bearer')),
    user_name     TEXT,
    -- Where the password or token is: in the platform's keyring under this name, …
    keyring_entry TEXT,
    -- … or here, where the user wished so.
    secret        TEXT,
    CHECK (keyring_entry IS NULL OR secret IS NULL)
);

-- Entries of the keyring that nothing needs any more, until the keyring has forgotten them too.
CREATE TABLE secrets_left (
    keyring_entry TEXT PRIMARY KEY
) WITHOUT ROWID;
CREATE TRIGGER access_left AFTER DELETE ON access WHEN old.keyring_entry IS NOT NULL BEGIN
    INSERT OR IGNORE INTO secrets_left (keyring_entry) VALUES (old.keyring_entry);
END;
CREATE TRIGGER access_changed AFTER UPDATE OF keyring_entry ON access WHEN old.keyring_entry IS NOT new.keyring_entry AND old.keyring_entry IS NOT NULL BEGIN
    INSERT OR IGNORE INTO secrets_left (keyring_entry) VALUES (old.keyring_entry);
END;

-- What this library is called in a keyring that serves several.
INSERT INTO settings (key, value) VALUES ('library_id', '"' || lower(hex(randomblob(8))) || '"');

-- The file: address that the user picked. A file is read only where this is the feed's address.
ALTER TABLE feeds ADD COLUMN picked_file TEXT;
