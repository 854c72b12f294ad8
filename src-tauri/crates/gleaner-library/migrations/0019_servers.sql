-- How far accounts at servers were read, and articles of feeds that are not subscribed. Explained in src/table/sync_positions.rs and
-- remote_items.rs.

PRAGMA user_version = 19;

-- The position up to which the articles were read, in the form of the server's API. NULL: not begun, or the API has none.
ALTER TABLE servers ADD COLUMN position TEXT;
-- When the articles, or the lists of all unread and starred ones, were last read completely.
ALTER TABLE servers ADD COLUMN listed_at INTEGER;

-- The server's id of the article's feed, which was not subscribed, so that the article is not downloaded again until it is.
ALTER TABLE remote_items ADD COLUMN foreign_feed TEXT;
