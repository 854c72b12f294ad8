-- The search index and what is still to go into it. Explained in src/table/search.rs.

PRAGMA user_version = 5;

-- Takes words as they are: they come folded and parted (gleaner-query). Holds no texts; those are in items and bodies. The column
-- with most words comes first: FTS5 writes down the column of each word but the first one's. Beginnings of words come among the words.
CREATE VIRTUAL TABLE search USING fts5 (
    text, title, author, tags, facts,
    content = '', contentless_delete = 1, tokenize = 'ascii'
);

-- What comes in small batches is merged in bigger steps than FTS5's own 4: half as much is written, and a search looks into a few more
-- parts of the index.
INSERT INTO search (search, rank) VALUES ('automerge', 8);

-- Which article a row of the index is.
CREATE TABLE search_docs (
    docid   INTEGER PRIMARY KEY,
    item_id INTEGER NOT NULL UNIQUE
);

-- Articles that the index has not seen, or not as they are now.
CREATE TABLE search_queue (
    item_id INTEGER PRIMARY KEY,
    -- Another one at each change.
    stamp   INTEGER NOT NULL
);
INSERT INTO search_queue (item_id, stamp) SELECT id, 0 FROM items;

CREATE TRIGGER items_to_search AFTER INSERT ON items BEGIN
    INSERT INTO search_queue (item_id, stamp) VALUES (new.id, random()) ON CONFLICT (item_id) DO UPDATE SET stamp = random();
END;
CREATE TRIGGER items_to_search_anew AFTER UPDATE OF feed_id, url, title, author, language, word_count, thumbnail_url, digest ON items BEGIN
    INSERT INTO search_queue (item_id, stamp) VALUES (new.id, random()) ON CONFLICT (item_id) DO UPDATE SET stamp = random();
END;
CREATE TRIGGER items_not_to_search AFTER DELETE ON items BEGIN
    DELETE FROM search_queue WHERE item_id = old.id;
    DELETE FROM search WHERE rowid = (SELECT docid FROM search_docs WHERE item_id = old.id);
    DELETE FROM search_docs WHERE item_id = old.id;
END;

-- How much further down than its date says a row of the index stands at most.
INSERT INTO settings (key, value) VALUES ('search_drift', '0');
