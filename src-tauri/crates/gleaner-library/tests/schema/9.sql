-- What schema 9 added: how a list is looked at.
INSERT INTO views (source, look) VALUES ('{"kind":"feed","id":1}', '{"order":"length","group":"none"}'),
    ('{"kind":"folder","id":1}', '{"order":"rare_first","group":"none"}');
