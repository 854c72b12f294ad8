-- Transcripts of recordings. Explained in src/table/transcripts.rs.

PRAGMA user_version = 32;

CREATE TABLE transcripts (
    item_id    INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
    -- Address of the document.
    url        TEXT NOT NULL,
    -- Language code in lower case, if the feed states one.
    language   TEXT,
    -- As in bodies.
    codec      INTEGER NOT NULL,
    -- Passages: JSON.
    content    BLOB NOT NULL,
    fetched_at INTEGER NOT NULL
);
-- Its words are searched.
CREATE TRIGGER transcript_added AFTER INSERT ON transcripts BEGIN
    INSERT INTO search_queue (item_id, stamp) VALUES (new.item_id, random()) ON CONFLICT (item_id) DO UPDATE SET stamp = random();
END;
CREATE TRIGGER transcript_changed AFTER UPDATE OF content ON transcripts BEGIN
    INSERT INTO search_queue (item_id, stamp) VALUES (new.item_id, random()) ON CONFLICT (item_id) DO UPDATE SET stamp = random();
END;
CREATE TRIGGER transcript_removed AFTER DELETE ON transcripts WHEN EXISTS (SELECT 1 FROM items WHERE id = old.item_id) BEGIN
    INSERT INTO search_queue (item_id, stamp) VALUES (old.item_id, random()) ON CONFLICT (item_id) DO UPDATE SET stamp = random();
END;
