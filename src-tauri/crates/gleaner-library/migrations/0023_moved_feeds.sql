-- Feeds of this computer that were moved into an account. Explained in src/account_moves.rs.

PRAGMA user_version = 23;

-- Of 'subscribe', 1: it was a feed of this computer, and becomes one again if the server refuses it, …
ALTER TABLE feed_outbox ADD COLUMN was_local INTEGER NOT NULL DEFAULT 0;
-- … in this folder, if it still exists.
ALTER TABLE feed_outbox ADD COLUMN former_folder INTEGER;
