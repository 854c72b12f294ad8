-- Settings of accounts, and the articles of feeds that are not subscribed. Explained in src/table/accounts.rs and remote_items.rs.

PRAGMA user_version = 19;

-- Minutes between two synchronisations in the background; NULL: the default, 0: only by hand.
ALTER TABLE servers ADD COLUMN sync_minutes INTEGER;

-- The server's id of the article's feed, which was not subscribed, so that the article is not downloaded again until it is.
ALTER TABLE remote_items ADD COLUMN foreign_feed TEXT;
