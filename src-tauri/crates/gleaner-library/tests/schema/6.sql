-- What schema 6 added. What is hidden or about to go is of the feed that was left: lists show what they showed.
UPDATE states SET hidden = 1 WHERE item_id = 10;
INSERT INTO going (item_id, at, was_hidden) VALUES (20, 9000000000000, 0);
UPDATE states SET hidden = 2 WHERE item_id = 20;
UPDATE states SET kept = 1 WHERE item_id = 3;
INSERT INTO numbers (of, last) VALUES ('items', 500), ('feeds', 9), ('folders', 7);
INSERT INTO tags (id, name, key) VALUES (1, 'Zu lesen', 'zu lesen'), (2, 'Unused', 'unused');
INSERT INTO item_tags (tag_id, sort_at, item_id, at) SELECT 1, sort_at, id, 7 FROM items WHERE id IN (3, 4);
INSERT INTO progress (item_id, position, at) VALUES (4, 0.5, 8);
INSERT INTO playback (item_id, url, seconds, duration, finished, at) VALUES (3, 'https://a.example/3.mp3', 61.5, 600, 1, 9), (6, 'https://a.example/6.mp3', 1, NULL, 0, 9);
INSERT INTO saved_searches (id, name, query, position) VALUES (1, 'Nadeln', 'needle is:unread', 0);
INSERT INTO rules (id, name, query, feed_id, folder_id, actions, enabled, position, created_at, deleted_at) VALUES
    (1, 'One feed', 'needle', 1, NULL, '["star"]', 1, 0, 5, NULL), (2, 'Gone', 'x', NULL, 2, '["read"]', 0, 1, 6, 7);
INSERT INTO rule_touches (item_id, rule_id, at, actions) VALUES (7, 1, 10, '["star"]');
INSERT INTO categories (key, name) VALUES ('turme', 'Türme');
INSERT INTO category_synonyms (key, means) VALUES ('turme', 'bau');
INSERT INTO retention (scope, scope_id, days, articles, bytes, keep_unread) VALUES ('feed', 1, 30, NULL, NULL, 1), ('folder', 2, NULL, 9, 99999, 0);
INSERT INTO tombstones (feed_id, key, canonical_url, title, published_at, digest, at) VALUES
    (1, 'key gone', 'https://a.example/gone', 'Gone', 3, x'0011', 9000000000000);
UPDATE feeds SET ahead = 3, full_text_first = 1 WHERE id = 1;
INSERT INTO full_texts (item_id, url, codec, content, fetched_at) VALUES (2, 'https://a.example/2/full', 0, CAST('<p>needle, all of it</p>' AS BLOB), 11);
INSERT INTO ahead (item_id, what, wished, tries, next_at, error) VALUES (4, 'text', 1, 2, NULL, 'no answer'), (6, 'pictures', 0, 0, 12, NULL);
INSERT OR IGNORE INTO ahead_undecided (item_id) VALUES (8);
INSERT INTO images (digest, mime_type, bytes, fetched_at, there) VALUES (x'aa', 'image/png', 7, 13, 1);
INSERT INTO item_images (item_id, url, digest, error) VALUES (4, 'https://a.example/p.png', x'aa', NULL), (6, 'https://a.example/q.png', NULL, 'gone');
