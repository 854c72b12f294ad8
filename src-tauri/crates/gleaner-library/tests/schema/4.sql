-- What schema 4 added. What is held has no state of reading.
DELETE FROM states WHERE item_id = 119;
INSERT INTO held (item_id, until) VALUES (119, 9000000000000);
INSERT OR REPLACE INTO settings (key, value) VALUES ('hold_future', 'true');
UPDATE feeds SET kept_silent = 9 WHERE id = 1;
UPDATE polls SET offered_url = 'https://a.example/other', offered_title = 'Other' WHERE feed_id = 1;
