-- A library as schema 1 kept it: something in every table.
INSERT INTO folders (id, account_id, parent_id, name, position, open) VALUES
    (1, 1, NULL, 'News', 1, 1), (2, 1, 1, 'Städte', 2, 0), (3, 1, NULL, 'Empty', 3, 1);
INSERT INTO feeds (id, account_id, url, url_key, title, custom_title, description, home_url, language, icon, folder_id, position, outline, local, added_at, unsubscribed_at) VALUES
    (1, 1, 'https://a.example/feed', 'a.example/feed', 'A', NULL, 'About A', 'https://a.example/', 'en', 'data:,', 1, 1, '[["x","y"]]', 0, 1000, NULL),
    (2, 1, 'https://b.example/feed', 'b.example/feed', 'B', 'Mine', NULL, NULL, 'ja', NULL, 2, 2, NULL, 0, 2000, NULL),
    (3, 1, 'gleaner:welcome', 'gleaner:welcome', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 3, NULL, 1, 3000, NULL),
    -- Left, by a clock that is far ahead: it stays.
    (4, 1, 'https://left.example/feed', 'left.example/feed', 'Left', NULL, NULL, NULL, NULL, NULL, NULL, 4, NULL, 0, 4000, 9000000000000);
INSERT INTO polls (feed_id, etag, last_modified, body_digest, checked_at, succeeded_at, changed_at, next_at, failures, error_code, error_message, error_detail, error_since, requests, not_modified, bytes) VALUES
    (1, x'2265223a', x'00ff', x'01', 10, 10, 10, 20, 0, NULL, NULL, NULL, NULL, 7, 3, 12345),
    (2, NULL, NULL, NULL, 11, NULL, NULL, 30, 4, 'timeout', 'no answer', 'within a second', 5, 9, 0, 99),
    (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, 0, 0, 0),
    (4, NULL, NULL, NULL, NULL, NULL, NULL, 40, 0, NULL, NULL, NULL, NULL, 1, 0, 1);
INSERT INTO hosts (host, wait_until) VALUES ('b.example', 77);
WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < 120)
INSERT INTO items (id, feed_id, key, url, canonical_url, title, author, language, published_at, updated_at, date_uncertain, received_at, sort_at, excerpt, word_count, thumbnail_url, media, comments_url, digest)
SELECT id, iif(id % 10 = 0, 4, id % 2 + 1), 'key ' || id, 'https://a.example/' || id, 'https://a.example/' || id, 'Überschrift ' || id, 'Ann', 'de', id, NULL, id % 2,
    1000000 + id, 2000000 + id / 2, 'Begin', 4, 'https://a.example/p.png', iif(id % 3, NULL, 'audio'), 'https://a.example/c', x'00112233' FROM n;
INSERT INTO bodies (item_id, codec, content, content_base, summary, summary_base, categories)
SELECT id, 0, CAST('<p>Searched for: needle ' || id || '</p>' AS BLOB), 'https://a.example/', NULL, NULL, '["Türme"]' FROM items;
INSERT INTO enclosures (item_id, position, url, mime_type, length, title, duration_seconds)
SELECT id, 0, 'https://a.example/' || id || '.mp3', 'audio/mpeg', 99, NULL, 1.5 FROM items WHERE id % 3 = 0;
INSERT INTO states (item_id, feed_id, sort_at, read, starred, read_at, starred_at)
SELECT id, feed_id, sort_at, id % 4 = 0, id % 7 = 0, iif(id % 4, NULL, 5), iif(id % 7, NULL, 6) FROM items;
INSERT INTO settings (key, value) VALUES ('theme', '"dark"');
