-- What schema 22 added: a service, and articles that wait for it.
INSERT INTO share_services (id, kind, name, address, user_name, keyring_entry, retry_at, failures, error_code) VALUES (1, 'wallabag', 'Mine', 'https://w.example/', 'ada', 'entry 10', 30, 2, 'timeout');
INSERT INTO share_queue (service_id, item_id, added_at, error_code) VALUES (1, 1, 21, NULL), (1, 2, 22, 'refused');
