-- Lists by length, for episodes. Explained in src/list/orders.rs.

PRAGMA user_version = 36;

CREATE INDEX enclosures_by_length ON enclosures (CAST(duration_seconds AS INTEGER) * 23 / 6, item_id)
    WHERE position = 0 AND duration_seconds >= 1 AND duration_seconds < 1000000000;
