-- What schema 5 added: half of the articles are in the index.
INSERT INTO search_docs (docid, item_id) SELECT id, id FROM items WHERE id <= 60;
INSERT INTO search (rowid, text, title, author, tags, facts) SELECT id, 'needle ' || id, 'uberschrift', 'ann', '', char(57345) FROM items WHERE id <= 60;
DELETE FROM search_queue WHERE item_id <= 60;
