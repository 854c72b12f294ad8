-- What the reader makes of articles beyond read and starred, and what is done by rule: tags, hidden and kept ones, saved searches,
-- rules, what is let go of, what is fetched ahead. Explained in src/table, in the file of each table's name.

PRAGMA user_version = 6;

-- 1: in no list and no count, but where hidden ones are asked for; 2: it is to go, see src/table/retention.rs.
ALTER TABLE states ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0;
-- 1: no rule of retention lets it go.
ALTER TABLE states ADD COLUMN kept INTEGER NOT NULL DEFAULT 0;

DROP INDEX states_unread;
DROP INDEX states_feed_unread;
DROP INDEX states_starred;
CREATE INDEX states_unread ON states (sort_at, item_id, feed_id) WHERE read = 0 AND hidden = 0;
CREATE INDEX states_feed_unread ON states (feed_id, sort_at, item_id) WHERE read = 0 AND hidden = 0;
CREATE INDEX states_starred ON states (sort_at, item_id, feed_id) WHERE starred = 1 AND hidden = 0;
CREATE INDEX states_hidden ON states (sort_at, item_id, feed_id) WHERE hidden = 1;

-- Counts are of what lists show.
DROP TRIGGER states_counted_in;
DROP TRIGGER states_counted_out;
DROP TRIGGER states_counted_anew;
CREATE TRIGGER states_counted_in AFTER INSERT ON states WHEN new.hidden = 0 BEGIN
    UPDATE counts SET items = items + 1, unread = unread + (new.read = 0), starred = starred + new.starred WHERE feed_id = new.feed_id;
END;
CREATE TRIGGER states_counted_out AFTER DELETE ON states WHEN old.hidden = 0 BEGIN
    UPDATE counts SET items = items - 1, unread = unread - (old.read = 0), starred = starred - old.starred WHERE feed_id = old.feed_id;
END;
CREATE TRIGGER states_counted_anew AFTER UPDATE OF read, starred, hidden ON states
WHEN old.read <> new.read OR old.starred <> new.starred OR old.hidden <> new.hidden BEGIN
    UPDATE counts SET items = items + (new.hidden = 0) - (old.hidden = 0),
        unread = unread + (new.read = 0 AND new.hidden = 0) - (old.read = 0 AND old.hidden = 0),
        starred = starred + (new.starred AND new.hidden = 0) - (old.starred AND old.hidden = 0)
    WHERE feed_id = new.feed_id;
END;

-- The highest numbers of items, feeds and folders that are gone: none is given twice, see src/table/numbers.rs.
CREATE TABLE numbers (
    of   TEXT PRIMARY KEY,
    last INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TRIGGER items_number_given AFTER DELETE ON items WHEN NOT EXISTS (SELECT 1 FROM items WHERE id > old.id) BEGIN
    INSERT INTO numbers (of, last) VALUES ('items', old.id) ON CONFLICT (of) DO UPDATE SET last = max(last, excluded.last);
END;
CREATE TRIGGER feeds_number_given AFTER DELETE ON feeds WHEN NOT EXISTS (SELECT 1 FROM feeds WHERE id > old.id) BEGIN
    INSERT INTO numbers (of, last) VALUES ('feeds', old.id) ON CONFLICT (of) DO UPDATE SET last = max(last, excluded.last);
END;
CREATE TRIGGER folders_number_given AFTER DELETE ON folders WHEN NOT EXISTS (SELECT 1 FROM folders WHERE id > old.id) BEGIN
    INSERT INTO numbers (of, last) VALUES ('folders', old.id) ON CONFLICT (of) DO UPDATE SET last = max(last, excluded.last);
END;

CREATE TABLE tags (
    -- Given once only: steps that can be taken back speak of it after it is gone.
    id   INTEGER PRIMARY KEY AUTOINCREMENT,
    -- As the reader wrote it first.
    name TEXT NOT NULL,
    -- What makes two names one.
    key  TEXT NOT NULL UNIQUE
);

CREATE TABLE item_tags (
    tag_id  INTEGER NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
    -- The item's own, repeated here so that the list of a tag needs no sorting.
    sort_at INTEGER NOT NULL,
    item_id INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
    at      INTEGER NOT NULL,
    PRIMARY KEY (tag_id, sort_at, item_id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX item_tags_by_item ON item_tags (item_id, tag_id);
CREATE TRIGGER item_tags_moved AFTER UPDATE OF sort_at ON items WHEN old.sort_at <> new.sort_at BEGIN
    UPDATE item_tags SET sort_at = new.sort_at WHERE item_id = new.id;
END;
-- A tag is a word to search for.
CREATE TRIGGER item_tagged AFTER INSERT ON item_tags BEGIN
    INSERT INTO search_queue (item_id, stamp) VALUES (new.item_id, random()) ON CONFLICT (item_id) DO UPDATE SET stamp = random();
END;
CREATE TRIGGER item_untagged AFTER DELETE ON item_tags WHEN EXISTS (SELECT 1 FROM items WHERE id = old.item_id) BEGIN
    INSERT INTO search_queue (item_id, stamp) VALUES (old.item_id, random()) ON CONFLICT (item_id) DO UPDATE SET stamp = random();
END;
CREATE TRIGGER tag_renamed AFTER UPDATE OF name ON tags BEGIN
    INSERT INTO search_queue (item_id, stamp) SELECT item_id, random() FROM item_tags WHERE tag_id = new.id
    ON CONFLICT (item_id) DO UPDATE SET stamp = random();
END;

-- How far an article was read: 0 its beginning, 1 its end.
CREATE TABLE progress (
    item_id  INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
    position REAL NOT NULL CHECK (position BETWEEN 0 AND 1),
    at       INTEGER NOT NULL
);

-- How far an enclosure was played.
CREATE TABLE playback (
    item_id  INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
    url      TEXT NOT NULL,
    seconds  REAL NOT NULL,
    duration REAL,
    finished INTEGER NOT NULL DEFAULT 0,
    at       INTEGER NOT NULL,
    PRIMARY KEY (item_id, url)
) WITHOUT ROWID;

CREATE TABLE saved_searches (
    -- Given once only, as those of rules are.
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    name     TEXT NOT NULL,
    -- In the language of queries (gleaner-query).
    query    TEXT NOT NULL,
    position INTEGER NOT NULL
);

CREATE TABLE rules (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    name       TEXT NOT NULL,
    -- In the language of queries (gleaner-query).
    query      TEXT NOT NULL,
    -- Where it holds: one feed, one folder with those in it, or everywhere.
    feed_id    INTEGER REFERENCES feeds (id) ON DELETE CASCADE,
    folder_id  INTEGER REFERENCES folders (id) ON DELETE CASCADE,
    -- JSON, see src/table/rules.rs.
    actions    TEXT NOT NULL,
    enabled    INTEGER NOT NULL DEFAULT 1,
    position   INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    -- It goes on being named where it did something.
    deleted_at INTEGER,
    CHECK (feed_id IS NULL OR folder_id IS NULL)
);
CREATE INDEX rules_by_feed ON rules (feed_id) WHERE feed_id IS NOT NULL;
CREATE INDEX rules_by_folder ON rules (folder_id) WHERE folder_id IS NOT NULL;

-- Which rule did something to which article, and when.
CREATE TABLE rule_touches (
    item_id INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
    rule_id INTEGER NOT NULL REFERENCES rules (id) ON DELETE CASCADE,
    at      INTEGER NOT NULL,
    -- What it did: JSON, as in rules.
    actions TEXT NOT NULL DEFAULT '[]',
    PRIMARY KEY (item_id, rule_id, at)
) WITHOUT ROWID;
CREATE INDEX rule_touches_by_rule ON rule_touches (rule_id, at);

-- How categories of feeds are written, each and those above it. Which articles have one, and how many, is in the search index.
CREATE TABLE categories (
    -- What makes two of them one.
    key  TEXT PRIMARY KEY,
    -- The last step of its path.
    name TEXT NOT NULL
) WITHOUT ROWID;
-- The words of the search index, and how many articles have each.
CREATE VIRTUAL TABLE search_vocab USING fts5vocab (search, row);
-- Articles that the index took in before it knew categories as such.
INSERT INTO search_queue (item_id, stamp) SELECT item_id, random() FROM bodies WHERE categories IS NOT NULL
ON CONFLICT (item_id) DO UPDATE SET stamp = random();

-- What the reader says that categories of feeds mean.
CREATE TABLE category_synonyms (
    -- What makes two names one.
    key   TEXT PRIMARY KEY,
    means TEXT NOT NULL
) WITHOUT ROWID;

-- How much is kept of a feed, of the feeds in a folder, or of all.
CREATE TABLE retention (
    scope       TEXT NOT NULL CHECK (scope IN ('all', 'folder', 'feed')),
    -- A folder's or feed's number; 0 for all.
    scope_id    INTEGER NOT NULL,
    days        INTEGER CHECK (days > 0),
    articles    INTEGER CHECK (articles > 0),
    bytes       INTEGER CHECK (bytes > 0),
    keep_unread INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (scope, scope_id)
) WITHOUT ROWID;

-- A feed or folder that goes takes its wish along.
CREATE TRIGGER feed_kept_no_more AFTER DELETE ON feeds BEGIN
    DELETE FROM retention WHERE scope = 'feed' AND scope_id = old.id;
END;
CREATE TRIGGER folder_kept_no_more AFTER DELETE ON folders BEGIN
    DELETE FROM retention WHERE scope = 'folder' AND scope_id = old.id;
END;

-- Articles that are let go (hidden = 2), until they are deleted for good: see src/table/going.rs.
CREATE TABLE going (
    item_id    INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
    -- When; the same for all that one step let go.
    at         INTEGER NOT NULL,
    -- What states.hidden was.
    was_hidden INTEGER NOT NULL
);
CREATE INDEX going_by_time ON going (at, item_id);
-- What the reader lays hands on stays.
CREATE TRIGGER going_marked AFTER UPDATE OF read, starred, kept ON states
WHEN new.hidden = 2 AND (new.starred > old.starred OR new.kept > old.kept OR new.read < old.read) BEGIN
    UPDATE states SET hidden = ifnull((SELECT was_hidden FROM going WHERE item_id = new.item_id), 0) WHERE item_id = new.item_id;
    DELETE FROM going WHERE item_id = new.item_id;
END;
CREATE TRIGGER going_tagged AFTER INSERT ON item_tags WHEN EXISTS (SELECT 1 FROM going WHERE item_id = new.item_id) BEGIN
    UPDATE states SET hidden = (SELECT was_hidden FROM going WHERE item_id = new.item_id) WHERE item_id = new.item_id;
    DELETE FROM going WHERE item_id = new.item_id;
END;

-- Articles that were let go of, so that they do not come back while their feed still has them.
CREATE TABLE tombstones (
    feed_id       INTEGER NOT NULL REFERENCES feeds (id) ON DELETE CASCADE,
    key           TEXT NOT NULL,
    canonical_url TEXT,
    title         TEXT NOT NULL,
    published_at  INTEGER,
    digest        BLOB NOT NULL,
    -- When it went, or was last noticed in its feed after that.
    at            INTEGER NOT NULL,
    PRIMARY KEY (feed_id, key)
) WITHOUT ROWID;
CREATE INDEX tombstones_by_address ON tombstones (canonical_url, feed_id) WHERE canonical_url IS NOT NULL;
CREATE INDEX tombstones_by_time ON tombstones (feed_id, at);

-- The version whose texts this one's are compressed with; NULL: they are by themselves.
ALTER TABLE versions ADD COLUMN base_at INTEGER;

-- What of a feed's articles is fetched ahead. Bit 0: the full text; bit 1: the pictures. NULL: as for all.
ALTER TABLE feeds ADD COLUMN ahead INTEGER;
-- 1: its articles open with their full text where that is there.
ALTER TABLE feeds ADD COLUMN full_text_first INTEGER NOT NULL DEFAULT 0;

-- An article's text from its own page.
CREATE TABLE full_texts (
    item_id    INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
    -- Where it came from in the end; its links hang on it.
    url        TEXT NOT NULL,
    codec      INTEGER NOT NULL,
    content    BLOB NOT NULL,
    fetched_at INTEGER NOT NULL
);
-- How many there are is counted along it, without the texts themselves.
CREATE INDEX full_texts_by_time ON full_texts (fetched_at);
-- What it says is searched, too.
CREATE TRIGGER full_text_to_search AFTER INSERT ON full_texts BEGIN
    INSERT INTO search_queue (item_id, stamp) VALUES (new.item_id, random()) ON CONFLICT (item_id) DO UPDATE SET stamp = random();
END;
CREATE TRIGGER full_text_to_search_anew AFTER UPDATE OF content ON full_texts BEGIN
    INSERT INTO search_queue (item_id, stamp) VALUES (new.item_id, random()) ON CONFLICT (item_id) DO UPDATE SET stamp = random();
END;
CREATE TRIGGER full_text_not_to_search AFTER DELETE ON full_texts WHEN EXISTS (SELECT 1 FROM items WHERE id = old.item_id) BEGIN
    INSERT INTO search_queue (item_id, stamp) VALUES (old.item_id, random()) ON CONFLICT (item_id) DO UPDATE SET stamp = random();
END;

-- What is to be fetched ahead, and what failed.
CREATE TABLE ahead (
    item_id INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
    what    TEXT NOT NULL CHECK (what IN ('text', 'pictures')),
    -- 1: only a wish for feeds or for starred ones asks for it, which may be withdrawn.
    wished  INTEGER NOT NULL DEFAULT 0,
    tries   INTEGER NOT NULL DEFAULT 0,
    -- NULL: given up.
    next_at INTEGER,
    error   TEXT,
    PRIMARY KEY (item_id, what)
) WITHOUT ROWID;
CREATE INDEX ahead_by_time ON ahead (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX ahead_given_up ON ahead (item_id) WHERE next_at IS NULL;

-- Articles that were starred, or shown once their date had come, since it was last decided what is fetched ahead.
CREATE TABLE ahead_undecided (
    item_id INTEGER PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE
);
CREATE TRIGGER states_starred_anew AFTER UPDATE OF starred ON states WHEN new.starred = 1 AND old.starred = 0 BEGIN
    INSERT INTO ahead_undecided (item_id) VALUES (new.item_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER held_released AFTER DELETE ON held WHEN EXISTS (SELECT 1 FROM items WHERE id = old.item_id) BEGIN
    INSERT INTO ahead_undecided (item_id) VALUES (old.item_id) ON CONFLICT DO NOTHING;
END;

-- Pictures that are kept, each once, in files named after their digest: see src/table/images.rs.
CREATE TABLE images (
    digest     BLOB PRIMARY KEY,
    mime_type  TEXT NOT NULL,
    bytes      INTEGER NOT NULL,
    fetched_at INTEGER NOT NULL,
    -- 0: its file is being written or taken away, and may be there or not.
    there      INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX images_not_there ON images (digest) WHERE there = 0;
CREATE TABLE item_images (
    item_id INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
    -- As the article names it, absolute.
    url     TEXT NOT NULL,
    -- NULL: it is not to be had, and is not asked for again.
    digest  BLOB REFERENCES images (digest),
    error   TEXT,
    PRIMARY KEY (item_id, url)
) WITHOUT ROWID;
CREATE INDEX item_images_by_digest ON item_images (digest) WHERE digest IS NOT NULL;
CREATE INDEX item_images_by_url ON item_images (url) WHERE digest IS NOT NULL;
