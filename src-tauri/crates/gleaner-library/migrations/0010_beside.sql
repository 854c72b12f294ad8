-- What stands around an article. Explained in src/beside.rs and src/table/feeds.rs.

PRAGMA user_version = 10;

-- JSON: comments, credits, chapters. NULL for most, and for articles that came in before this was kept and have not changed since.
ALTER TABLE bodies ADD COLUMN beside TEXT;

-- JSON: the feed's picture and its search box, as it said last.
ALTER TABLE feeds ADD COLUMN head TEXT;
-- When an article's full text is fetched as it is opened: 0 never, 1 where the feed gives only a beginning, 2 always; NULL: as for all feeds.
ALTER TABLE feeds ADD COLUMN full_text_when INTEGER;
