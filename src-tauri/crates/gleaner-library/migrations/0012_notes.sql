-- What the reader marks in articles and writes beside them. Explained in src/table/notes.rs.

PRAGMA user_version = 12;

CREATE TABLE notes (
    -- Given once only: steps that can be taken back speak of it after it is gone.
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    item_id    INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
    -- The passage that it is on, as the article said it then; NULL: it is on the whole article.
    quote      TEXT,
    -- What stood before and behind it, so that it is found where the same words stand twice.
    prefix     TEXT NOT NULL DEFAULT '',
    suffix     TEXT NOT NULL DEFAULT '',
    -- How far into the article's text it began: a hint.
    start      INTEGER NOT NULL DEFAULT 0,
    color      INTEGER NOT NULL DEFAULT 0 CHECK (color BETWEEN 0 AND 3),
    -- The reader's own words, plain or Markdown; empty: the passage is only marked.
    note       TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    CHECK (quote IS NOT NULL OR note <> '')
);
CREATE INDEX notes_by_item ON notes (item_id, created_at);

-- What of these an article has: 1 a marked passage, 2 words of the reader's, 3 both. Kept by the triggers below.
ALTER TABLE states ADD COLUMN noted INTEGER NOT NULL DEFAULT 0;
CREATE INDEX states_noted ON states (sort_at, item_id, feed_id) WHERE noted > 0 AND hidden = 0;

CREATE TRIGGER notes_added AFTER INSERT ON notes BEGIN
    UPDATE states SET noted = noted | (new.quote IS NOT NULL) | (2 * (new.note <> '')) WHERE item_id = new.item_id;
    INSERT INTO search_queue (item_id, stamp) VALUES (new.item_id, random()) ON CONFLICT (item_id) DO UPDATE SET stamp = random();
END;
CREATE TRIGGER notes_changed AFTER UPDATE OF item_id, quote, note ON notes BEGIN
    UPDATE states SET noted = (SELECT ifnull(max(quote IS NOT NULL) + 2 * max(note <> ''), 0) FROM notes WHERE item_id = states.item_id)
    WHERE item_id IN (old.item_id, new.item_id);
    INSERT INTO search_queue (item_id, stamp) VALUES (old.item_id, random()) ON CONFLICT (item_id) DO UPDATE SET stamp = random();
    INSERT INTO search_queue (item_id, stamp) VALUES (new.item_id, random()) ON CONFLICT (item_id) DO UPDATE SET stamp = random();
END;
CREATE TRIGGER notes_deleted AFTER DELETE ON notes WHEN EXISTS (SELECT 1 FROM items WHERE id = old.item_id) BEGIN
    UPDATE states SET noted = (SELECT ifnull(max(quote IS NOT NULL) + 2 * max(note <> ''), 0) FROM notes WHERE item_id = old.item_id)
    WHERE item_id = old.item_id;
    INSERT INTO search_queue (item_id, stamp) VALUES (old.item_id, random()) ON CONFLICT (item_id) DO UPDATE SET stamp = random();
END;
-- What the reader writes on stays, though it was to go.
CREATE TRIGGER going_noted AFTER UPDATE OF noted ON states WHEN new.hidden = 2 AND new.noted > 0 BEGIN
    UPDATE states SET hidden = ifnull((SELECT was_hidden FROM going WHERE item_id = new.item_id), 0) WHERE item_id = new.item_id;
    DELETE FROM going WHERE item_id = new.item_id;
END;
