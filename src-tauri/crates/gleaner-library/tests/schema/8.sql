-- What schema 8 added: an icon that was named, and when its site was asked.
UPDATE feeds SET icon_url = 'https://a.example/icon.png', icon_at = 14 WHERE id = 1;
