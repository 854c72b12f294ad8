-- Feeds' icons: what was asked for, and when. The icon itself is in feeds.icon. Explained in src/table/icons.rs.

PRAGMA user_version = 8;

-- The icon that the feed itself names.
ALTER TABLE feeds ADD COLUMN icon_url TEXT;
-- When its site was last asked for one. NULL: never.
ALTER TABLE feeds ADD COLUMN icon_at INTEGER;
