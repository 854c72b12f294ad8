//! Checks a library's integrity, and repairs what can be derived from the rest of it.

use crate::{
    LibraryError,
    database::repository,
    table::{
        dictionaries,
        images::Images,
        versions::{self, Base},
    },
};
use futures::TryStreamExt as _;
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection};

/// An invariant of the library.
struct Invariant {
    /// Names the violation; the catalogues word it.
    code: &'static str,
    /// What is wrong where it is violated, after a number: "3 feeds whose counts are wrong".
    broken: &'static str,
    /// Query for the number of violations.
    count: &'static str,
    /// Statements that repair it, without touching data of the user or of a feed.
    repair: &'static str,
}

/// In this order: later repairs rely on earlier ones.
const INVARIANTS: &[Invariant] = &[
    Invariant {
        code: "folders_in_themselves",
        broken: "folders inside of themselves",
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
        code: "feeds_in_missing_folders",
        broken: "feeds in missing folders",
        count: "SELECT count(*) FROM feeds WHERE folder_id IS NOT NULL AND folder_id NOT IN (SELECT id FROM folders)",
        repair: "UPDATE feeds SET folder_id = NULL WHERE folder_id NOT IN (SELECT id FROM folders)",
    },
    Invariant {
        code: "feeds_without_polls",
        broken: "feeds without a polling state",
        count: "SELECT count(*) FROM feeds WHERE id NOT IN (SELECT feed_id FROM polls)",
        repair: "INSERT INTO polls (feed_id, next_at) SELECT id, CASE WHEN local = 1 THEN NULL ELSE 0 END FROM feeds
            WHERE id NOT IN (SELECT feed_id FROM polls)",
    },
    Invariant {
        code: "articles_without_state",
        broken: "articles without a state",
        // A scheduled article has no state until its date.
        count: "SELECT count(*) FROM items WHERE id NOT IN (SELECT item_id FROM states UNION ALL SELECT item_id FROM held)",
        repair: "INSERT INTO states (item_id, feed_id, sort_at) SELECT id, feed_id, sort_at FROM items
            WHERE id NOT IN (SELECT item_id FROM states UNION ALL SELECT item_id FROM held) AND feed_id IN (SELECT id FROM feeds)",
    },
    Invariant {
        code: "scheduled_articles_shown",
        broken: "scheduled articles that lists show",
        count: "SELECT count(*) FROM held WHERE item_id IN (SELECT item_id FROM states)",
        repair: "DELETE FROM held WHERE item_id IN (SELECT item_id FROM states)",
    },
    Invariant {
        code: "contradictory_positions",
        broken: "articles with contradictory positions",
        count: "SELECT count(*) FROM states s JOIN items i ON i.id = s.item_id WHERE (s.feed_id, s.sort_at) IS NOT (i.feed_id, i.sort_at)",
        repair: "UPDATE states SET (feed_id, sort_at) = (SELECT feed_id, sort_at FROM items WHERE id = item_id)
            WHERE (feed_id, sort_at) IS NOT (SELECT feed_id, sort_at FROM items WHERE id = item_id)
                AND item_id IN (SELECT id FROM items)",
    },
    Invariant {
        code: "expired_without_date",
        broken: "expired articles without a date",
        count: "SELECT count(*) FROM states WHERE hidden = 2 AND item_id NOT IN (SELECT item_id FROM going)",
        repair: "UPDATE states SET hidden = 0 WHERE hidden = 2 AND item_id NOT IN (SELECT item_id FROM going)",
    },
    Invariant {
        code: "expired_articles_shown",
        broken: "expired articles that lists show",
        count: "SELECT count(*) FROM going WHERE item_id NOT IN (SELECT item_id FROM states WHERE hidden = 2)",
        repair: "DELETE FROM going WHERE item_id NOT IN (SELECT item_id FROM states WHERE hidden = 2)",
    },
    Invariant {
        code: "policies_of_missing_scopes",
        broken: "retention policies of missing feeds or folders",
        count: "SELECT count(*) FROM retention WHERE scope = 'feed' AND scope_id NOT IN (SELECT id FROM feeds)
            OR scope = 'folder' AND scope_id NOT IN (SELECT id FROM folders)",
        repair: "DELETE FROM retention WHERE scope = 'feed' AND scope_id NOT IN (SELECT id FROM feeds)
            OR scope = 'folder' AND scope_id NOT IN (SELECT id FROM folders)",
    },
    Invariant {
        code: "orphaned_data",
        broken: "data of missing articles or feeds",
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
            DELETE FROM polls WHERE feed_id NOT IN (SELECT id FROM feeds);
            DELETE FROM tombstones WHERE feed_id NOT IN (SELECT id FROM feeds);
            DELETE FROM poll_log WHERE feed_id NOT IN (SELECT id FROM feeds);
            DELETE FROM reports WHERE feed_id NOT IN (SELECT id FROM feeds);
            DELETE FROM opened WHERE feed_id NOT IN (SELECT id FROM feeds);
            DELETE FROM counts WHERE feed_id NOT IN (SELECT id FROM feeds)",
    },
    Invariant {
        code: "wrong_note_marks",
        broken: "articles with a wrong mark for notes",
        count: "SELECT count(*) FROM states WHERE noted <>
            (SELECT ifnull(max(quote IS NOT NULL) + 2 * max(note <> ''), 0) FROM notes WHERE item_id = states.item_id)",
        repair: "UPDATE states SET noted =
                (SELECT ifnull(max(quote IS NOT NULL) + 2 * max(note <> ''), 0) FROM notes WHERE item_id = states.item_id)
            WHERE noted <> (SELECT ifnull(max(quote IS NOT NULL) + 2 * max(note <> ''), 0) FROM notes WHERE item_id = states.item_id)",
    },
    Invariant {
        code: "orphaned_downloads",
        broken: "downloads of missing articles",
        count: "SELECT (SELECT count(*) FROM full_texts WHERE item_id NOT IN (SELECT id FROM items))
            + (SELECT count(*) FROM ahead WHERE item_id NOT IN (SELECT id FROM items))
            + (SELECT count(*) FROM item_images WHERE item_id NOT IN (SELECT id FROM items)
                OR digest IS NOT NULL AND digest NOT IN (SELECT digest FROM images))",
        repair: "DELETE FROM full_texts WHERE item_id NOT IN (SELECT id FROM items);
            DELETE FROM ahead WHERE item_id NOT IN (SELECT id FROM items);
            DELETE FROM item_images WHERE item_id NOT IN (SELECT id FROM items)
                OR digest IS NOT NULL AND digest NOT IN (SELECT digest FROM images)",
    },
    Invariant {
        code: "feeds_without_counts",
        broken: "feeds without counts",
        count: "SELECT count(*) FROM feeds WHERE id NOT IN (SELECT feed_id FROM counts)",
        repair: "INSERT INTO counts (feed_id) SELECT id FROM feeds WHERE id NOT IN (SELECT feed_id FROM counts)",
    },
    Invariant {
        code: "wrong_counts",
        broken: "feeds with wrong counts",
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
        code: "orphaned_rule_history",
        broken: "records of missing rules or articles",
        count: "SELECT count(*) FROM rule_touches
            WHERE item_id NOT IN (SELECT id FROM items) OR rule_id NOT IN (SELECT id FROM rules)",
        repair: "DELETE FROM rule_touches WHERE item_id NOT IN (SELECT id FROM items) OR rule_id NOT IN (SELECT id FROM rules)",
    },
    Invariant {
        code: "unindexed_articles",
        broken: "articles missing from the search index and its queue",
        count: "SELECT count(*) FROM items
            WHERE id NOT IN (SELECT item_id FROM search_docs) AND id NOT IN (SELECT item_id FROM search_queue)",
        repair: "INSERT INTO search_queue (item_id, stamp) SELECT id, random() FROM items
            WHERE id NOT IN (SELECT item_id FROM search_docs) AND id NOT IN (SELECT item_id FROM search_queue)",
    },
    Invariant {
        code: "orphaned_index_rows",
        broken: "missing articles in the search index",
        count: "SELECT (SELECT count(*) FROM search_docs WHERE item_id NOT IN (SELECT id FROM items))
            + (SELECT count(*) FROM search_queue WHERE item_id NOT IN (SELECT id FROM items))",
        repair: "DELETE FROM search WHERE rowid IN (SELECT docid FROM search_docs WHERE item_id NOT IN (SELECT id FROM items));
            DELETE FROM search_docs WHERE item_id NOT IN (SELECT id FROM items);
            DELETE FROM search_queue WHERE item_id NOT IN (SELECT id FROM items)",
    },
];

/// A violation that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Names the violation; the catalogues word it.
    pub code: &'static str,
    /// Description for logs, after the number.
    pub what: String,
    /// Number of violations.
    pub count: i64,
    /// Whether it was repaired.
    pub repaired: bool,
}

/// The result of a check.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Verified {
    /// Number of articles whose texts were read.
    pub articles: i64,
    /// Empty for an intact library.
    pub findings: Vec<Finding>,
}

impl Verified {
    /// Returns whether nothing is wrong any more.
    pub fn is_intact(&self) -> bool {
        self.findings.iter().all(|finding| finding.repaired)
    }
}

repository!(
    /// Checking and repairing a library.
    Check
);

impl Check<'_> {
    /// Checks SQLite's file, references, counts, and whether each text can be read. `repair` repairs what can be derived from the
    /// rest.
    ///
    /// # Errors
    /// When the library cannot be read, or with `repair` cannot be written.
    pub async fn run(&self, repair: bool) -> Result<Verified, LibraryError> {
        let mut findings = self.damage(repair).await?;
        if findings.iter().any(|finding| !finding.repaired) {
            // The other checks need a readable file.
            return Ok(Verified { articles: 0, findings });
        }
        for invariant in INVARIANTS {
            let count: i64 = sqlx::query_scalar(invariant.count).fetch_one(&self.db.readers).await?;
            if count == 0 {
                continue;
            }
            if repair {
                let mut writer = self.db.writer().await;
                // A repair removes orphans itself, in its own order.
                sqlx::raw_sql("PRAGMA foreign_keys = OFF").execute(writer.connection()).await?;
                let done = repair_invariant(writer.connection(), invariant).await;
                sqlx::raw_sql("PRAGMA foreign_keys = ON").execute(writer.connection()).await?;
                done?;
            }
            findings.push(Finding { code: invariant.code, what: invariant.broken.to_owned(), count, repaired: repair });
        }
        findings.extend(self.check_images(repair).await?);
        let (damaged, lost) = dictionaries::check(self.db.writer().await.connection(), repair).await?;
        let (articles, missing, unreadable) = self.texts().await?;
        for (code, what, count, repaired) in [
            ("damaged_dictionaries", "damaged copies of compression dictionaries", damaged, repair),
            ("lost_dictionaries", "lost compression dictionaries", lost, false),
            ("missing_texts", "articles without their text", missing, false),
            ("unreadable_texts", "articles with an unreadable text", unreadable, false),
            ("unreadable_versions", "former versions with an unreadable text", self.damaged_versions().await?, false),
        ] {
            if count > 0 {
                findings.push(Finding { code, what: what.to_owned(), count, repaired });
            }
        }
        Ok(Verified { articles, findings })
    }

    /// Runs SQLite's own check. A damaged index can be rebuilt, a damaged table cannot.
    async fn damage(&self, repair: bool) -> Result<Vec<Finding>, LibraryError> {
        let check = async || {
            // A connection that has read the search index may check it against its cache.
            let mut fresh = self.db.writing.clone().pragma("query_only", "on").connect().await?;
            let lines = sqlx::query_scalar::<_, String>("PRAGMA integrity_check").fetch_all(&mut fresh).await;
            fresh.close().await?;
            match lines {
                Err(sqlx::Error::Database(error)) => Ok(vec![error.to_string()]),
                lines => lines,
            }
        };
        let wrong = |lines: Vec<String>, repaired| {
            let lines = lines.into_iter().filter(|line| line != "ok");
            lines
                .map(move |what| Finding {
                    code: "file_damage",
                    what: format!("damage in the file: {what}"),
                    count: 1,
                    repaired,
                })
                .collect()
        };
        let before = check().await?;
        if before == ["ok"] || !repair {
            return Ok(wrong(before, false));
        }
        let mut writer = self.db.writer().await;
        if sqlx::raw_sql("REINDEX").execute(writer.connection()).await.is_err() {
            return Ok(wrong(before, false));
        }
        let after = check().await?;
        Ok(if after == ["ok"] { wrong(before, true) } else { wrong(after, false) })
    }

    /// Compares the images with their files, by the files' bytes.
    async fn check_images(&self, repair: bool) -> Result<Vec<Finding>, LibraryError> {
        let faults = Images::new(self.db).faults(true).await?;
        // Only the process that polls may remove images.
        let lock = if repair { self.db.polling_lock()? } else { None };
        if lock.is_some() {
            Images::new(self.db).repair(&faults, self.db.now()).await?;
        }
        let counted = [
            ("lost_images", "images with a missing or damaged file, to be downloaded again", faults.lost.len()),
            ("unknown_image_files", "image files of no article", faults.unknown.len()),
        ];
        let found = counted.into_iter().filter(|(.., count)| *count > 0);
        let finding = |(code, what, count): (&'static str, &str, usize)| Finding {
            code,
            what: what.to_owned(),
            count: i64::try_from(count).unwrap_or(i64::MAX),
            repaired: lock.is_some(),
        };
        Ok(found.map(finding).collect())
    }

    /// Returns the numbers of articles, of those without a text, and of those whose text cannot be read.
    async fn texts(&self) -> Result<(i64, i64, i64), LibraryError> {
        type Stored = (Option<i64>, Option<Vec<u8>>, Option<Vec<u8>>);
        let (mut articles, mut missing, mut unreadable) = (0, 0, 0);
        let mut rows = sqlx::query_as::<_, Stored>(
            "SELECT b.codec, b.content, b.summary FROM items i LEFT JOIN bodies b ON b.item_id = i.id ORDER BY i.id",
        )
        .fetch(&self.db.readers);
        while let Some((codec, content, summary)) = rows.try_next().await? {
            articles += 1;
            let Some(codec) = codec else {
                missing += 1;
                continue;
            };
            let texts = [content, summary].into_iter().flatten();
            self.db.learn(vec![codec]).await?;
            unreadable +=
                i64::from(texts.map(|text| self.db.dictionaries.unpack(codec, &text)).any(|read| read.is_err()));
        }
        Ok((articles, missing, unreadable))
    }
}

impl Check<'_> {
    async fn damaged_versions(&self) -> Result<i64, LibraryError> {
        let sql = format!("SELECT {} FROM versions ORDER BY item_id, at", versions::COLUMNS);
        let mut rows = sqlx::query_as::<_, versions::Row>(sqlx::AssertSqlSafe(sql)).fetch(&self.db.readers);
        let (mut base, mut damaged) = (Base::default(), 0);
        while let Some(row) = rows.try_next().await? {
            self.db.learn(vec![row.codec]).await?;
            damaged += i64::from(base.read(row, &self.db.dictionaries).damage.is_some());
        }
        Ok(damaged)
    }
}

async fn repair_invariant(connection: &mut SqliteConnection, invariant: &Invariant) -> Result<(), LibraryError> {
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    sqlx::raw_sql(invariant.repair).execute(&mut *transaction).await?;
    let left: i64 = sqlx::query_scalar(invariant.count).fetch_one(&mut *transaction).await?;
    if left > 0 {
        return Err(LibraryError::Invalid(format!("{left} {} could not be repaired", invariant.broken)));
    }
    Ok(transaction.commit().await?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Library;
    use crate::{Body, Incoming, Intent, NewItem, NewSubscription, Poll, Texts};

    async fn library(folder: &std::path::Path) -> Library {
        let library = Library::open(folder).await.unwrap();
        let folders = vec!["Outer".to_owned(), "Inner".to_owned()];
        let feed =
            NewSubscription { url: "https://a.example/".to_owned(), folder: folders, ..NewSubscription::default() };
        let feed_id = library.subscriptions().add(&feed).await.unwrap();
        let item = |key: &str| {
            let body = Body { html: "<p>word</p>".repeat(40), base: None };
            let (texts, digest) = (Texts::pack(Some(&body), None), vec![0; 16]);
            Intent::Insert(Box::new(NewItem { key: key.to_owned(), texts, digest, ..NewItem::default() }))
        };
        let poll = Poll { feed_id, ..Poll::default() };
        let incoming = Incoming { poll, intents: ["1", "2", "3"].map(item).into(), ..Incoming::default() };
        library.polls().store(&[&incoming]).await.unwrap();
        library
    }

    #[tokio::test]
    async fn an_intact_library_has_no_findings() {
        let folder = tempfile::tempdir().unwrap();
        let verified = library(folder.path()).await.check(false).await.unwrap();
        assert_eq!(verified, Verified { articles: 3, findings: Vec::new() });
    }

    #[tokio::test]
    async fn each_invariant_finds_its_violation_and_repairs_it() {
        let harms = [
            "UPDATE folders SET parent_id = (SELECT max(id) FROM folders)",
            "UPDATE feeds SET folder_id = 99",
            "DELETE FROM polls",
            "DELETE FROM states WHERE item_id = (SELECT max(id) FROM items)",
            "INSERT INTO held (item_id, until) SELECT min(id), 0 FROM items",
            "UPDATE states SET sort_at = sort_at + 1",
            "UPDATE states SET hidden = 2 WHERE item_id = 2",
            "INSERT INTO going (item_id, at, was_hidden) VALUES (2, 0, 0)",
            "INSERT INTO retention (scope, scope_id, days) VALUES ('folder', 77, 1)",
            "DELETE FROM items WHERE key = '2'",
            "UPDATE states SET noted = 3 WHERE item_id = 1",
            "INSERT INTO ahead (item_id, what) VALUES (99, 'text')",
            "DELETE FROM counts",
            "UPDATE counts SET unread = 77",
            "INSERT INTO rule_touches (item_id, rule_id, at) VALUES (1, 99, 0)",
            "DELETE FROM search_queue WHERE item_id = 1",
            "INSERT INTO search_docs (docid, item_id) VALUES (7, 99)",
        ];
        assert_eq!(INVARIANTS.len(), harms.len(), "each has its harm here");
        for (invariant, harm) in INVARIANTS.iter().zip(harms) {
            let folder = tempfile::tempdir().unwrap();
            let library = library(folder.path()).await;
            {
                let mut writer = library.db.writer().await;
                sqlx::raw_sql("PRAGMA foreign_keys = OFF").execute(writer.connection()).await.unwrap();
                sqlx::raw_sql(harm).execute(writer.connection()).await.unwrap();
                sqlx::raw_sql("PRAGMA foreign_keys = ON").execute(writer.connection()).await.unwrap();
            }
            let found = library.check(false).await.unwrap().findings;
            assert!(found.iter().any(|f| f.what == invariant.broken && !f.repaired), "{}: {found:?}", invariant.broken);
            assert!(library.check(true).await.unwrap().is_intact(), "{}", invariant.broken);
            assert_eq!(library.check(false).await.unwrap().findings, [], "{}", invariant.broken);
        }
    }

    #[tokio::test]
    async fn reports_a_damaged_file_without_repairing_it() {
        let folder = tempfile::tempdir().unwrap();
        let library = library(folder.path()).await;
        let root = "SELECT rootpage FROM sqlite_schema WHERE name = 'bodies'";
        let page: i64 = sqlx::query_scalar(root).fetch_one(&library.db.readers).await.unwrap();
        library.close().await.unwrap();
        let file = folder.path().join("library.sqlite");
        let mut bytes = std::fs::read(&file).unwrap();
        let end = usize::try_from(page).unwrap() * 8192;
        bytes[end - 8192..end].fill(0x5a);
        std::fs::write(&file, bytes).unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let verified = library.check(true).await.unwrap();
        assert!(
            !verified.is_intact() && verified.findings.iter().all(|f| f.what.starts_with("damage")),
            "{verified:?}"
        );
    }

    #[tokio::test]
    async fn finds_unreadable_texts() {
        let folder = tempfile::tempdir().unwrap();
        let library = library(folder.path()).await;
        let harm = "UPDATE bodies SET content = x'00' WHERE item_id = 1; DELETE FROM bodies WHERE item_id = 2";
        sqlx::raw_sql(harm).execute(library.db.writer().await.connection()).await.unwrap();
        let verified = library.check(true).await.unwrap();
        let found: Vec<(&str, i64, bool)> =
            verified.findings.iter().map(|f| (f.what.as_str(), f.count, f.repaired)).collect();
        assert_eq!(found, [("articles without their text", 1, false), ("articles with an unreadable text", 1, false)]);
        assert!(!verified.is_intact());
    }
}
