-- What makes a large library small: what zstd knows beforehand of its texts, and the words that most beginnings stand for. Explained
-- in src/table/dictionaries.rs and src/table/search.rs.

PRAGMA user_version = 7;

-- Texts hang on these: each is there twice, so that no one spoilt page takes them all.
CREATE TABLE dictionaries (
    copy    INTEGER PRIMARY KEY,
    -- What `codec` says in bodies. Drawn by lot, so that no two libraries mean different ones by one number.
    id      INTEGER NOT NULL CHECK (id > 2),
    content BLOB NOT NULL,
    -- BLAKE3 of the content.
    digest  BLOB NOT NULL,
    -- The number of the newest article when it was made.
    made_at INTEGER NOT NULL
);
CREATE INDEX dictionaries_by_id ON dictionaries (id);

-- Up to which article texts were packed with a dictionary of the library's own.
INSERT INTO settings (key, value) VALUES ('packed_up_to', '0');

-- Words that are looked for by themselves where their first letters are: only beginnings of others stand in the index. None ever goes.
CREATE TABLE search_common (
    word TEXT PRIMARY KEY
) WITHOUT ROWID;

-- The words of the index, with how many articles each has.
CREATE VIRTUAL TABLE search_words USING fts5vocab (search, row);

-- By spans of four days, within which titles tell a story: what comes in has few pages to go to, however many articles there are.
DROP INDEX items_by_title;
CREATE INDEX items_by_title ON items (sort_at / 345600000, title_key) WHERE title_key IS NOT NULL;
