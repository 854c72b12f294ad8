-- What the reader says of a feed, of the feeds in a folder, or of all: explained in src/table/preferences.rs.

PRAGMA user_version = 13;

-- NULL: as further out. Of refresh_minutes -1: as Gleaner thinks best.
ALTER TABLE feeds ADD COLUMN load_images INTEGER;
ALTER TABLE feeds ADD COLUMN notify INTEGER;

ALTER TABLE folders ADD COLUMN refresh_minutes INTEGER;
ALTER TABLE folders ADD COLUMN ahead INTEGER;
ALTER TABLE folders ADD COLUMN full_text_when INTEGER;
ALTER TABLE folders ADD COLUMN full_text_first INTEGER;
ALTER TABLE folders ADD COLUMN load_images INTEGER;
ALTER TABLE folders ADD COLUMN notify INTEGER;

-- Nobody means more than ten years.
UPDATE feeds SET refresh_minutes = 5270400 WHERE refresh_minutes > 5270400;

-- Folders in folders, from the outermost in.
CREATE INDEX folders_by_parent ON folders (parent_id);

-- What holds in a folder and which folder says so; NULL: as for all.
CREATE VIEW folder_preferences AS
WITH RECURSIVE inside (folder_id, refresh_minutes, refresh_minutes_of, ahead, ahead_of, full_text_when, full_text_when_of,
        full_text_first, full_text_first_of, load_images, load_images_of, notify, notify_of) AS (
    SELECT id, refresh_minutes, iif(refresh_minutes IS NULL, NULL, id), ahead, iif(ahead IS NULL, NULL, id),
        full_text_when, iif(full_text_when IS NULL, NULL, id), full_text_first, iif(full_text_first IS NULL, NULL, id),
        load_images, iif(load_images IS NULL, NULL, id), notify, iif(notify IS NULL, NULL, id)
    FROM folders WHERE parent_id IS NULL
    UNION ALL
    SELECT f.id, ifnull(f.refresh_minutes, inside.refresh_minutes), iif(f.refresh_minutes IS NULL, inside.refresh_minutes_of, f.id),
        ifnull(f.ahead, inside.ahead), iif(f.ahead IS NULL, inside.ahead_of, f.id),
        ifnull(f.full_text_when, inside.full_text_when), iif(f.full_text_when IS NULL, inside.full_text_when_of, f.id),
        ifnull(f.full_text_first, inside.full_text_first), iif(f.full_text_first IS NULL, inside.full_text_first_of, f.id),
        ifnull(f.load_images, inside.load_images), iif(f.load_images IS NULL, inside.load_images_of, f.id),
        ifnull(f.notify, inside.notify), iif(f.notify IS NULL, inside.notify_of, f.id)
    FROM folders f JOIN inside ON f.parent_id = inside.folder_id)
SELECT * FROM inside;

-- What a feed's own row says; of full_text_first 0 is nothing, 1 yes, 2 no.
CREATE VIEW own_preferences AS
SELECT id AS feed_id, folder_id, refresh_minutes, ahead, full_text_when,
    CASE full_text_first WHEN 1 THEN 1 WHEN 2 THEN 0 END AS full_text_first, load_images, notify
FROM feeds;

-- What is said of all feeds, of that which has no setting elsewhere: JSON, which may come from anywhere.
CREATE VIEW preferences_of_all AS
SELECT iif(json_type(value, '$.refresh_minutes') = 'integer' AND value ->> '$.refresh_minutes' BETWEEN -1 AND 5270400,
        value ->> '$.refresh_minutes', NULL) AS refresh_minutes,
    iif(json_type(value, '$.full_text_first') IN ('true', 'false'), value ->> '$.full_text_first', NULL) AS full_text_first,
    iif(json_type(value, '$.notify') IN ('true', 'false'), value ->> '$.notify', NULL) AS notify
FROM settings WHERE key = 'preferences' AND json_valid(value);

-- What holds for a feed: what it says, else what its folders say, the nearest first, else what is said of all; NULL: nobody says anything here.
CREATE VIEW feed_preferences AS
SELECT o.feed_id, coalesce(o.refresh_minutes, p.refresh_minutes, (SELECT refresh_minutes FROM preferences_of_all)) AS refresh_minutes,
    ifnull(o.ahead, p.ahead) AS ahead, ifnull(o.full_text_when, p.full_text_when) AS full_text_when,
    coalesce(o.full_text_first, p.full_text_first, (SELECT full_text_first FROM preferences_of_all)) AS full_text_first,
    ifnull(o.load_images, p.load_images) AS load_images,
    coalesce(o.notify, p.notify, (SELECT notify FROM preferences_of_all)) AS notify
FROM own_preferences o LEFT JOIN folder_preferences p ON p.folder_id = o.folder_id;
