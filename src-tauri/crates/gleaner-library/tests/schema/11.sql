-- What schema 11 added: what a feed said last, and what was opened.
INSERT INTO reports (feed_id, at, codec, report) VALUES (1, 15, 0, CAST('{"format":"rss"}' AS BLOB));
INSERT INTO opened (hour, feed_id, articles) VALUES (490000, 1, 3), (490001, 2, 1);
