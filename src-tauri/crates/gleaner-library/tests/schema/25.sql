-- What schema 25 added: the play queue.
INSERT INTO play_queue (item_id, url, position) VALUES (3, 'https://a.example/3.mp3', 0), (6, 'https://a.example/6.mp3', 2);
