-- What schema 19 added: where the last synchronisation ended.
UPDATE servers SET position = '{"since":19}', listed_at = 20;
UPDATE remote_items SET foreign_feed = 'https://other.example/feed' WHERE remote_id = 'i2';
