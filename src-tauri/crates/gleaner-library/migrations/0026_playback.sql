-- Started episodes, and how the episodes of a feed are played. Explained in src/table/progress.rs and src/table/feed_playback.rs.

PRAGMA user_version = 26;

CREATE INDEX playback_started ON playback (at, item_id) WHERE finished = 0 AND seconds > 0;

-- Playback speed of its episodes in percent; NULL: as for all feeds.
ALTER TABLE feeds ADD COLUMN playback_speed INTEGER;
-- Seconds that are skipped at the beginning and at the end of its episodes.
ALTER TABLE feeds ADD COLUMN skip_intro INTEGER NOT NULL DEFAULT 0;
ALTER TABLE feeds ADD COLUMN skip_outro INTEGER NOT NULL DEFAULT 0;
