-- Passwords that were part of an address: explained in src/table/logins.rs.

PRAGMA user_version = 17;

-- Whether the secret came with the address, and waits here for a keyring.
ALTER TABLE access ADD COLUMN from_address INTEGER NOT NULL DEFAULT 0;
