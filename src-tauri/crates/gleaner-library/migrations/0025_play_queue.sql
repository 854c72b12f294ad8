-- Episodes to play next. Explained in src/table/play_queue.rs.

PRAGMA user_version = 25;

CREATE TABLE play_queue (
    item_id  INTEGER NOT NULL REFERENCES items (id) ON DELETE CASCADE,
    -- Address of the enclosure.
    url      TEXT NOT NULL,
    -- Position in the queue, from 0. Removed episodes leave gaps.
    position INTEGER NOT NULL,
    PRIMARY KEY (item_id, url)
) WITHOUT ROWID;
CREATE INDEX play_queue_in_order ON play_queue (position);
