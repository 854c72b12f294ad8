-- Articles that were scheduled and released by 0.2.0 or an older version have the row numbers of the days when they were received, and are
-- not found at their dates. They are indexed again. Explained in src/table/search.rs.

PRAGMA user_version = 34;

CREATE TEMP TABLE misplaced (docid INTEGER PRIMARY KEY, item_id INTEGER NOT NULL);
WITH places AS (
    SELECT d.docid, d.item_id, (s.sort_at - (s.sort_at % 1000 + 1000) % 1000) / 1000 AS number
    FROM search_docs d CROSS JOIN states s ON s.item_id = d.item_id
)
INSERT INTO misplaced SELECT docid, item_id FROM places WHERE docid > number
    OR docid < number - ifnull((SELECT CAST(value AS INTEGER) FROM settings WHERE key = 'search_drift'), 0);
INSERT INTO search_queue (item_id, stamp) SELECT item_id, random() FROM misplaced WHERE TRUE
    ON CONFLICT (item_id) DO UPDATE SET stamp = excluded.stamp;
DELETE FROM search WHERE rowid IN (SELECT docid FROM misplaced);
DELETE FROM search_docs WHERE docid IN (SELECT docid FROM misplaced);
DROP TABLE misplaced;
