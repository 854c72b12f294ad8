-- Lists by length, and how each list is looked at. Explained in src/list/arranged.rs and src/table/views.rs.

PRAGMA user_version = 9;

CREATE INDEX items_by_length ON items (word_count, id, feed_id);

CREATE TABLE views (
    -- The list, as the window names it: JSON.
    source TEXT PRIMARY KEY,
    -- JSON.
    look   TEXT NOT NULL
) WITHOUT ROWID;
CREATE TRIGGER feed_view_left AFTER DELETE ON feeds BEGIN
    DELETE FROM views WHERE source = json_object('kind', 'feed', 'id', old.id);
END;
CREATE TRIGGER folder_view_left AFTER DELETE ON folders BEGIN
    DELETE FROM views WHERE source = json_object('kind', 'folder', 'id', old.id);
END;
CREATE TRIGGER tag_view_left AFTER DELETE ON tags BEGIN
    DELETE FROM views WHERE source = json_object('kind', 'tag', 'id', old.id);
END;
