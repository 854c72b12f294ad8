-- What schema 21 added: the causes of marks, and the log of an account.
INSERT INTO mark_log (seq, at, item_id, account_id, what, value, cause, rule_id) VALUES (1, 20, 1, 1, 'read', 1, 'here', NULL), (2, 21, 2, 1, 'starred', 1, 'rule', 1);
INSERT INTO sync_log (account_id, at, took_ms, requests, bytes, sent, new_items, changed, feeds_added, feeds_left, incomplete, stopped, error_code, rejections)
VALUES (2, 20, 150, 7, 1200, 2, 1, 3, 0, 1, 1, 0, 'timeout', '[{"kind":"refused","title":"x"}]');
UPDATE servers SET sync_minutes = 30, extend_history = 1;
