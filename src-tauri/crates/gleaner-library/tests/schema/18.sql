-- What schema 18 added: an account with a feed that was deleted here, two of its articles, a label, and changes that were not sent yet.
INSERT INTO accounts (id, kind, name) VALUES (2, 'miniflux', 'Server');
INSERT INTO servers (account_id, url, user_name, keyring_entry, labels, history, synced_at) VALUES (2, 'https://server.example/', 'ada', 'entry 9', 1, 10000, 19);
INSERT INTO remote_feeds (account_id, remote_id, feed_id, title, label) VALUES (2, 'f1', NULL, 'Left', '');
INSERT INTO remote_items (account_id, remote_id, item_id, read, starred) VALUES (2, 'i1', NULL, 1, 0), (2, 'i2', NULL, 0, 1);
INSERT INTO remote_labels (account_id, remote_id, label) VALUES (2, 'i2', 'Kept');
INSERT INTO outbox (account_id, remote_id, what, value, stamp, sending) VALUES (2, 'i1', 'starred', 1, 7, 0), (2, 'i2', 'label:Kept', 0, 8, 1);
INSERT INTO feed_outbox (account_id, feed_id, remote_id, what, stamp) VALUES (2, 1, 'f1', 'leave', 9);
