INSERT INTO accounts (id, kind, name) VALUES (2, 'google_reader', 'A server');
INSERT INTO servers (account_id, url, user_name, secret, labels, history) VALUES (2, 'https://server.example/api', 'ada', 'x', 1, 100);
INSERT INTO remote_feeds (account_id, remote_id, feed_id, title, label) VALUES (2, 'feed/1', NULL, 'One', '');
INSERT INTO remote_items (account_id, remote_id, item_id, read, starred) VALUES (2, '1', NULL, 0, 1);
INSERT INTO remote_labels (account_id, remote_id, label) VALUES (2, '1', 'later');
INSERT INTO outbox (account_id, remote_id, what, value, stamp) VALUES (2, '1', 'read', 1, 5);
INSERT INTO feed_outbox (account_id, feed_id, remote_id, what, stamp) VALUES (2, 7, 'feed/1', 'leave', 6);
