-- What schema 2 added.
UPDATE feeds SET refresh_minutes = 60, former_url = 'http://a.example/old', stays = 1 WHERE id = 1;
UPDATE polls SET next_reason = 'rhythm', fresh_seconds = 60, ttl_minutes = 5, skip_hours = 3, rhythm = '60 120', newest_at = 9, bare = 1, full_at = 8,
    full_bytes = 700, final_url = 'https://a.example/end', moved_to = 'https://a.example/new', moved_times = 2, moved_since = 4, hand_at = 3, bytes_saved = 55 WHERE feed_id = 1;
INSERT INTO poll_log (feed_id, slot, at, why, conditional, status, code, message, hops, took_ms, bytes, new_items, changed, next_at, next_reason) VALUES
    (1, 0, 10, 'due', 1, 304, NULL, NULL, NULL, 12, 0, 0, 0, 20, 'rhythm'), (2, 0, 11, 'hand', 0, NULL, 'timeout', 'no answer', NULL, 1000, 0, 0, 0, 30, 'failed'),
    (1, 1, 21, 'rhythm', 1, 503, 'asked_to_wait', 'wait', NULL, 12, 0, 0, 0, 40, 'bare'), (2, 1, 31, 'failed', 0, 200, 'broken_answer', 'cut', NULL, 9, 5, 0, 0, 50, 'wish'),
    (2, 2, 51, 'wish', 0, NULL, 'secret', 'no keyring', NULL, 1, 0, 0, 0, 60, 'failed');
UPDATE polls SET error_code = 'broken_answer', error_message = 'cut', error_since = 31 WHERE feed_id = 2;
INSERT INTO versions (item_id, at, title, codec, content, content_base, summary, summary_base) VALUES
    (1, 500, 'What it was called', 0, CAST('<p>before</p>' AS BLOB), NULL, NULL, NULL), (1, 600, 'Then', 0, NULL, NULL, CAST('short' AS BLOB), NULL);
INSERT INTO stories (item_id, story_id) VALUES (5, 5), (6, 5);
UPDATE items SET title_key = id * 1000003 WHERE id % 2 = 0;
