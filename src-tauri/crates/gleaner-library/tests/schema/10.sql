-- What schema 10 added: what stands around an article and a feed, and when full texts are fetched.
UPDATE bodies SET beside = '{"comments_feed":"https://a.example/3/comments"}' WHERE item_id = 3;
UPDATE feeds SET head = '{"image":{"url":"https://a.example/i.png","title":"A"}}', full_text_when = 2 WHERE id = 1;
