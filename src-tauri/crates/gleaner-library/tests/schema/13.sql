-- What schema 13 added: preferences of a folder and of a feed.
UPDATE folders SET refresh_minutes = 90, ahead = 1, full_text_when = 1, full_text_first = 1, load_images = 0, notify = 1 WHERE id = 1;
UPDATE feeds SET load_images = 1, notify = 0 WHERE id = 1;
