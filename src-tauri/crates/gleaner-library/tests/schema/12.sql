-- What schema 12 added: a passage that is marked, and a note on another article.
INSERT INTO notes (id, item_id, quote, prefix, suffix, start, color, note, created_at, changed_at) VALUES
    (1, 5, 'needle', 'Searched for: ', '', 14, 2, '', 16, 16), (2, 7, NULL, '', '', 0, 0, 'To think about', 17, 18);
