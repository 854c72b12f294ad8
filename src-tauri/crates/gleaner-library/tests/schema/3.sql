-- What schema 3 added.
INSERT INTO access (feed_id, origin, user_agent, headers, proxy, certificate, auth, user_name, keyring_entry, secret) VALUES
    (1, 'https://a.example:443', 'Mine/1', '[["X-Key","1"]]', 'direct', NULL, 'basic', 'ann', 'entry 1', NULL),
    (2, 'https://b.example:443', NULL, '[]', NULL, zeroblob(32), 'bearer', NULL, NULL, 'token');
INSERT INTO secrets_left (keyring_entry) VALUES ('entry 0');
UPDATE feeds SET picked_file = 'file:///feed.xml' WHERE id = 2;
