//! The invariants of a library, each with a query for violations and statements that repair them.

use super::Fault;

/// An invariant of the library.
pub(super) struct Invariant {
    /// The fault if it is violated.
    pub fault: Fault,
    /// Query for the number of violations.
    pub count: &'static str,
    /// Statements that repair it, without touching data of the user or of a feed.
    pub repair: &'static str,
}

/// In this order: later repairs rely on earlier ones.
pub(super) const INVARIANTS: &[Invariant] = &[
    Invariant {
        fault: Fault::FoldersInThemselves,
        count: "WITH RECURSIVE reached (id) AS (
                SELECT id FROM folders WHERE parent_id IS NULL
                UNION SELECT f.id FROM folders f JOIN reached r ON f.parent_id = r.id)
            SELECT count(*) FROM folders WHERE id NOT IN (SELECT id FROM reached)",
        // Moving one folder of a ring is enough; the others are reached through it.
        repair: "UPDATE folders SET parent_id = NULL, name = name || ' (' || id || ')' WHERE id IN (
                WITH RECURSIVE reached (id) AS (
                    SELECT id FROM folders WHERE parent_id IS NULL
                    UNION SELECT f.id FROM folders f JOIN reached r ON f.parent_id = r.id)
                SELECT id FROM folders WHERE id NOT IN (SELECT id FROM reached))",
    },
    Invariant {
        fault: Fault::FeedsInMissingFolders,
        count: "SELECT count(*) FROM feeds WHERE folder_id IS NOT NULL AND folder_id NOT IN (SELECT id FROM folders)",
        repair: "UPDATE feeds SET folder_id = NULL WHERE folder_id NOT IN (SELECT id FROM folders)",
    },
    Invariant {
        fault: Fault::FeedsWithoutPolls,
        count: "SELECT count(*) FROM feeds WHERE id NOT IN (SELECT feed_id FROM polls)",
        repair: "INSERT INTO polls (feed_id, next_at) SELECT id, CASE WHEN local = 1 OR account_id <> 1 THEN NULL ELSE 0 END FROM feeds
            WHERE id NOT IN (SELECT feed_id FROM polls)",
    },
    Invariant {
        fault: Fault::ArticlesWithoutState,
        // A scheduled article has no state until its date.
        count: "SELECT count(*) FROM items WHERE id NOT IN (SELECT item_id FROM states UNION ALL SELECT item_id FROM held)",
        repair: "INSERT INTO states (item_id, feed_id, sort_at) SELECT id, feed_id, sort_at FROM items
            WHERE id NOT IN (SELECT item_id FROM states UNION ALL SELECT item_id FROM held) AND feed_id IN (SELECT id FROM feeds)",
    },
    Invariant {
        fault: Fault::ScheduledArticlesShown,
        count: "SELECT count(*) FROM held WHERE item_id IN (SELECT item_id FROM states)",
        repair: "DELETE FROM held WHERE item_id IN (SELECT item_id FROM states)",
    },
    Invariant {
        fault: Fault::ContradictoryPositions,
        count: "SELECT count(*) FROM states s JOIN items i ON i.id = s.item_id WHERE (s.feed_id, s.sort_at) IS NOT (i.feed_id, i.sort_at)",
        repair: "UPDATE states SET (feed_id, sort_at) = (SELECT feed_id, sort_at FROM items WHERE id = item_id)
            WHERE (feed_id, sort_at) IS NOT (SELECT feed_id, sort_at FROM items WHERE id = item_id)
                AND item_id IN (SELECT id FROM items)",
    },
    Invariant {
        fault: Fault::ExpiredWithoutDate,
        count: "SELECT count(*) FROM states WHERE hidden = 2 AND item_id NOT IN (SELECT item_id FROM going)",
        repair: "UPDATE states SET hidden = 0 WHERE hidden = 2 AND item_id NOT IN (SELECT item_id FROM going)",
    },
    Invariant {
        fault: Fault::ExpiredArticlesShown,
        count: "SELECT count(*) FROM going WHERE item_id NOT IN (SELECT item_id FROM states WHERE hidden = 2)",
        repair: "DELETE FROM going WHERE item_id NOT IN (SELECT item_id FROM states WHERE hidden = 2)",
    },
    Invariant {
        fault: Fault::PoliciesOfMissingScopes,
        count: "SELECT count(*) FROM retention WHERE scope = 'feed' AND scope_id NOT IN (SELECT id FROM feeds)
            OR scope = 'folder' AND scope_id NOT IN (SELECT id FROM folders)",
        repair: "DELETE FROM retention WHERE scope = 'feed' AND scope_id NOT IN (SELECT id FROM feeds)
            OR scope = 'folder' AND scope_id NOT IN (SELECT id FROM folders)",
    },
    Invariant {
        fault: Fault::OrphanedData,
        count: "SELECT (SELECT count(*) FROM states WHERE item_id NOT IN (SELECT id FROM items))
            + (SELECT count(*) FROM held WHERE item_id NOT IN (SELECT id FROM items))
            + (SELECT count(*) FROM bodies WHERE item_id NOT IN (SELECT id FROM items))
            + (SELECT count(*) FROM enclosures WHERE item_id NOT IN (SELECT id FROM items))
            + (SELECT count(*) FROM versions WHERE item_id NOT IN (SELECT id FROM items))
            + (SELECT count(*) FROM stories WHERE item_id NOT IN (SELECT id FROM items))
            + (SELECT count(*) FROM item_tags WHERE item_id NOT IN (SELECT id FROM items) OR tag_id NOT IN (SELECT id FROM tags))
            + (SELECT count(*) FROM notes WHERE item_id NOT IN (SELECT id FROM items))
            + (SELECT count(*) FROM progress WHERE item_id NOT IN (SELECT id FROM items))
            + (SELECT count(*) FROM playback WHERE item_id NOT IN (SELECT id FROM items))
            + (SELECT count(*) FROM play_queue WHERE item_id NOT IN (SELECT id FROM items))
            + (SELECT count(*) FROM episodes WHERE item_id NOT IN (SELECT id FROM items))
            + (SELECT count(*) FROM items WHERE feed_id NOT IN (SELECT id FROM feeds))
            + (SELECT count(*) FROM polls WHERE feed_id NOT IN (SELECT id FROM feeds))
            + (SELECT count(*) FROM tombstones WHERE feed_id NOT IN (SELECT id FROM feeds))
            + (SELECT count(*) FROM poll_log WHERE feed_id NOT IN (SELECT id FROM feeds))
            + (SELECT count(*) FROM reports WHERE feed_id NOT IN (SELECT id FROM feeds))
            + (SELECT count(*) FROM opened WHERE feed_id NOT IN (SELECT id FROM feeds))
            + (SELECT count(*) FROM counts WHERE feed_id NOT IN (SELECT id FROM feeds))",
        repair: "DELETE FROM items WHERE feed_id NOT IN (SELECT id FROM feeds);
            DELETE FROM states WHERE item_id NOT IN (SELECT id FROM items);
            DELETE FROM held WHERE item_id NOT IN (SELECT id FROM items);
            DELETE FROM bodies WHERE item_id NOT IN (SELECT id FROM items);
            DELETE FROM enclosures WHERE item_id NOT IN (SELECT id FROM items);
            DELETE FROM versions WHERE item_id NOT IN (SELECT id FROM items);
            DELETE FROM stories WHERE item_id NOT IN (SELECT id FROM items);
            DELETE FROM item_tags WHERE item_id NOT IN (SELECT id FROM items) OR tag_id NOT IN (SELECT id FROM tags);
            DELETE FROM notes WHERE item_id NOT IN (SELECT id FROM items);
            DELETE FROM progress WHERE item_id NOT IN (SELECT id FROM items);
            DELETE FROM playback WHERE item_id NOT IN (SELECT id FROM items);
            DELETE FROM play_queue WHERE item_id NOT IN (SELECT id FROM items);
            DELETE FROM episodes WHERE item_id NOT IN (SELECT id FROM items);
            DELETE FROM polls WHERE feed_id NOT IN (SELECT id FROM feeds);
            DELETE FROM tombstones WHERE feed_id NOT IN (SELECT id FROM feeds);
            DELETE FROM poll_log WHERE feed_id NOT IN (SELECT id FROM feeds);
            DELETE FROM reports WHERE feed_id NOT IN (SELECT id FROM feeds);
            DELETE FROM opened WHERE feed_id NOT IN (SELECT id FROM feeds);
            DELETE FROM counts WHERE feed_id NOT IN (SELECT id FROM feeds)",
    },
    Invariant {
        fault: Fault::WrongNoteMarks,
        count: "SELECT count(*) FROM states WHERE noted <>
            (SELECT ifnull(max(quote IS NOT NULL) + 2 * max(note <> ''), 0) FROM notes WHERE item_id = states.item_id)",
        repair: "UPDATE states SET noted =
                (SELECT ifnull(max(quote IS NOT NULL) + 2 * max(note <> ''), 0) FROM notes WHERE item_id = states.item_id)
            WHERE noted <> (SELECT ifnull(max(quote IS NOT NULL) + 2 * max(note <> ''), 0) FROM notes WHERE item_id = states.item_id)",
    },
    Invariant {
        fault: Fault::OrphanedDownloads,
        count: "SELECT (SELECT count(*) FROM full_texts WHERE item_id NOT IN (SELECT id FROM items))
            + (SELECT count(*) FROM transcripts WHERE item_id NOT IN (SELECT id FROM items))
            + (SELECT count(*) FROM ahead WHERE item_id NOT IN (SELECT id FROM items))
            + (SELECT count(*) FROM item_images WHERE item_id NOT IN (SELECT id FROM items)
                OR digest IS NOT NULL AND digest NOT IN (SELECT digest FROM images))",
        repair: "DELETE FROM full_texts WHERE item_id NOT IN (SELECT id FROM items);
            DELETE FROM transcripts WHERE item_id NOT IN (SELECT id FROM items);
            DELETE FROM ahead WHERE item_id NOT IN (SELECT id FROM items);
            DELETE FROM item_images WHERE item_id NOT IN (SELECT id FROM items)
                OR digest IS NOT NULL AND digest NOT IN (SELECT digest FROM images)",
    },
    Invariant {
        fault: Fault::FeedsWithoutCounts,
        count: "SELECT count(*) FROM feeds WHERE id NOT IN (SELECT feed_id FROM counts)",
        repair: "INSERT INTO counts (feed_id) SELECT id FROM feeds WHERE id NOT IN (SELECT feed_id FROM counts)",
    },
    Invariant {
        fault: Fault::WrongCounts,
        count: "SELECT count(*) FROM counts c LEFT JOIN (
                SELECT feed_id, count(*) AS items, sum(read = 0) AS unread, sum(starred) AS starred FROM states WHERE hidden = 0 GROUP BY feed_id
            ) s ON s.feed_id = c.feed_id
            WHERE (c.items, c.unread, c.starred) IS NOT (ifnull(s.items, 0), ifnull(s.unread, 0), ifnull(s.starred, 0))",
        repair: "UPDATE counts SET items = 0, unread = 0, starred = 0;
            UPDATE counts SET items = s.items, unread = s.unread, starred = s.starred FROM (
                SELECT feed_id, count(*) AS items, sum(read = 0) AS unread, sum(starred) AS starred FROM states WHERE hidden = 0 GROUP BY feed_id
            ) s WHERE s.feed_id = counts.feed_id",
    },
    Invariant {
        fault: Fault::OrphanedRuleHistory,
        count: "SELECT count(*) FROM rule_touches
            WHERE item_id NOT IN (SELECT id FROM items) OR rule_id NOT IN (SELECT id FROM rules)",
        repair: "DELETE FROM rule_touches WHERE item_id NOT IN (SELECT id FROM items) OR rule_id NOT IN (SELECT id FROM rules)",
    },
    Invariant {
        fault: Fault::UnindexedArticles,
        count: "SELECT count(*) FROM items
            WHERE id NOT IN (SELECT item_id FROM search_docs) AND id NOT IN (SELECT item_id FROM search_queue)",
        repair: "INSERT INTO search_queue (item_id, stamp) SELECT id, random() FROM items
            WHERE id NOT IN (SELECT item_id FROM search_docs) AND id NOT IN (SELECT item_id FROM search_queue)",
    },
    Invariant {
        fault: Fault::OrphanedIndexRows,
        count: "SELECT (SELECT count(*) FROM search_docs WHERE item_id NOT IN (SELECT id FROM items))
            + (SELECT count(*) FROM search_queue WHERE item_id NOT IN (SELECT id FROM items))",
        repair: "DELETE FROM search WHERE rowid IN (SELECT docid FROM search_docs WHERE item_id NOT IN (SELECT id FROM items));
            DELETE FROM search_docs WHERE item_id NOT IN (SELECT id FROM items);
            DELETE FROM search_queue WHERE item_id NOT IN (SELECT id FROM items)",
    },
];
