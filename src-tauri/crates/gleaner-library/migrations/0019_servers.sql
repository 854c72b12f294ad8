-- Articles of accounts at servers. Explained in src/table/remote_items.rs.

PRAGMA user_version = 19;

-- The server's id of the article's feed, which was not subscribed, so that the article is not downloaded again until it is.
ALTER TABLE remote_items ADD COLUMN foreign_feed TEXT;
