-- Notifications of saved searches. Explained in src/table/saved_searches.rs.

PRAGMA user_version = 31;

-- Whether new articles that match are notified.
ALTER TABLE saved_searches ADD COLUMN notify INTEGER NOT NULL DEFAULT 0;
