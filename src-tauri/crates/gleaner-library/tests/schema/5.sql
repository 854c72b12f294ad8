-- What schema 5 added: half of the articles are in the index. They are of one second.
INSERT INTO search_docs (docid, item_id) SELECT 1940 + id, id FROM items WHERE id <= 60;
UPDATE settings SET value = '59' WHERE key = 'search_drift';
INSERT INTO search (rowid, text, title, author, tags, facts) SELECT 1940 + id, 'needle ' || id, 'uberschrift', 'ann', '', char(57345) FROM items WHERE id <= 60;
DELETE FROM search_queue WHERE item_id <= 60;
