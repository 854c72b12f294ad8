//! Whether the library is whole, and mending what can be derived from the rest of it.

use crate::{
    Library, LibraryError, now,
    table::{
        dictionaries,
        versions::{self, Base},
    },
};
use futures::TryStreamExt as _;
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection};

/// Something that is to hold in a whole library.
struct Rule {
    /// What is wrong where it does not, after a number: "3 feeds whose counts are wrong".
    broken: &'static str,
    /// How often it does not: a number.
    count: &'static str,
    /// Makes it hold; nothing that only the user or a feed could have said is touched.
    mend: &'static str,
}

/// In this order: what one mends, a later one may count on.
const RULES: &[Rule] = &[
    Rule {
        broken: "folders inside of themselves",
        count: "WITH RECURSIVE reached (id) AS (
                SELECT id FROM folders WHERE parent_id IS NULL
                UNION SELECT f.id FROM folders f JOIN reached r ON f.parent_id = r.id)
            SELECT count(*) FROM folders WHERE id NOT IN (SELECT id FROM reached)",
        // One of a ring is enough; the others are reached through it.
        mend: "UPDATE folders SET parent_id = NULL, name = name || ' (' || id || ')' WHERE id IN (
                WITH RECURSIVE reached (id) AS (
                    SELECT id FROM folders WHERE parent_id IS NULL
                    UNION SELECT f.id FROM folders f JOIN reached r ON f.parent_id = r.id)
                SELECT id FROM folders WHERE id NOT IN (SELECT id FROM reached))",
    },
    Rule {
        broken: "feeds in folders that are not there",
        count: "SELECT count(*) FROM feeds WHERE folder_id IS NOT NULL AND folder_id NOT IN (SELECT id FROM folders)",
        mend: "UPDATE feeds SET folder_id = NULL WHERE folder_id NOT IN (SELECT id FROM folders)",
    },
    Rule {
        broken: "feeds without a state of polling",
        count: "SELECT count(*) FROM feeds WHERE id NOT IN (SELECT feed_id FROM polls)",
        mend: "INSERT INTO polls (feed_id, next_at) SELECT id, CASE WHEN local = 1 THEN NULL ELSE 0 END FROM feeds
            WHERE id NOT IN (SELECT feed_id FROM polls)",
    },
    Rule {
        broken: "articles without a state of reading",
        // One that is held back until its date has none until then.
        count: "SELECT count(*) FROM items WHERE id NOT IN (SELECT item_id FROM states UNION ALL SELECT item_id FROM held)",
        mend: "INSERT INTO states (item_id, feed_id, sort_at) SELECT id, feed_id, sort_at FROM items
            WHERE id NOT IN (SELECT item_id FROM states UNION ALL SELECT item_id FROM held) AND feed_id IN (SELECT id FROM feeds)",
    },
    Rule {
        broken: "articles that are held back and shown",
        count: "SELECT count(*) FROM held WHERE item_id IN (SELECT item_id FROM states)",
        mend: "DELETE FROM held WHERE item_id IN (SELECT item_id FROM states)",
    },
    Rule {
        broken: "articles whose place in lists is told twice, and not the same",
        count: "SELECT count(*) FROM states s JOIN items i ON i.id = s.item_id WHERE (s.feed_id, s.sort_at) IS NOT (i.feed_id, i.sort_at)",
        mend: "UPDATE states SET (feed_id, sort_at) = (SELECT feed_id, sort_at FROM items WHERE id = item_id)
            WHERE (feed_id, sort_at) IS NOT (SELECT feed_id, sort_at FROM items WHERE id = item_id)
                AND item_id IN (SELECT id FROM items)",
    },
    Rule {
        broken: "articles that are to go and of which nobody knows since when",
        count: "SELECT count(*) FROM states WHERE hidden = 2 AND item_id NOT IN (SELECT item_id FROM going)",
        mend: "UPDATE states SET hidden = 0 WHERE hidden = 2 AND item_id NOT IN (SELECT item_id FROM going)",
    },
    Rule {
        broken: "articles that are to go and are still shown",
        count: "SELECT count(*) FROM going WHERE item_id NOT IN (SELECT item_id FROM states WHERE hidden = 2)",
        mend: "DELETE FROM going WHERE item_id NOT IN (SELECT item_id FROM states WHERE hidden = 2)",
    },
    Rule {
        broken: "bounds on what is kept of feeds or folders that are not there",
        count: "SELECT count(*) FROM retention WHERE scope = 'feed' AND scope_id NOT IN (SELECT id FROM feeds)
            OR scope = 'folder' AND scope_id NOT IN (SELECT id FROM folders)",
        mend: "DELETE FROM retention WHERE scope = 'feed' AND scope_id NOT IN (SELECT id FROM feeds)
            OR scope = 'folder' AND scope_id NOT IN (SELECT id FROM folders)",
    },
    Rule {
        broken: "parts of articles or feeds that are not there",
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
        mend: "DELETE FROM items WHERE feed_id NOT IN (SELECT id FROM feeds);
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
    Rule {
        broken: "articles whose notes are told wrongly",
        count: "SELECT count(*) FROM states WHERE noted <>
            (SELECT ifnull(max(quote IS NOT NULL) + 2 * max(note <> ''), 0) FROM notes WHERE item_id = states.item_id)",
        mend: "UPDATE states SET noted =
                (SELECT ifnull(max(quote IS NOT NULL) + 2 * max(note <> ''), 0) FROM notes WHERE item_id = states.item_id)
            WHERE noted <> (SELECT ifnull(max(quote IS NOT NULL) + 2 * max(note <> ''), 0) FROM notes WHERE item_id = states.item_id)",
    },
    Rule {
        broken: "parts that were fetched ahead of articles that are not there",
        count: "SELECT (SELECT count(*) FROM full_texts WHERE item_id NOT IN (SELECT id FROM items))
            + (SELECT count(*) FROM ahead WHERE item_id NOT IN (SELECT id FROM items))
            + (SELECT count(*) FROM item_images WHERE item_id NOT IN (SELECT id FROM items)
                OR digest IS NOT NULL AND digest NOT IN (SELECT digest FROM images))",
        mend: "DELETE FROM full_texts WHERE item_id NOT IN (SELECT id FROM items);
            DELETE FROM ahead WHERE item_id NOT IN (SELECT id FROM items);
            DELETE FROM item_images WHERE item_id NOT IN (SELECT id FROM items)
                OR digest IS NOT NULL AND digest NOT IN (SELECT digest FROM images)",
    },
    Rule {
        broken: "feeds without counts",
        count: "SELECT count(*) FROM feeds WHERE id NOT IN (SELECT feed_id FROM counts)",
        mend: "INSERT INTO counts (feed_id) SELECT id FROM feeds WHERE id NOT IN (SELECT feed_id FROM counts)",
    },
    Rule {
        broken: "feeds whose counts are wrong",
        count: "SELECT count(*) FROM counts c LEFT JOIN (
                SELECT feed_id, count(*) AS items, sum(read = 0) AS unread, sum(starred) AS starred FROM states WHERE hidden = 0 GROUP BY feed_id
            ) s ON s.feed_id = c.feed_id
            WHERE (c.items, c.unread, c.starred) IS NOT (ifnull(s.items, 0), ifnull(s.unread, 0), ifnull(s.starred, 0))",
        mend: "UPDATE counts SET items = 0, unread = 0, starred = 0;
            UPDATE counts SET items = s.items, unread = s.unread, starred = s.starred FROM (
                SELECT feed_id, count(*) AS items, sum(read = 0) AS unread, sum(starred) AS starred FROM states WHERE hidden = 0 GROUP BY feed_id
            ) s WHERE s.feed_id = counts.feed_id",
    },
    Rule {
        broken: "traces of rules on articles, or of rules, that are not there",
        count: "SELECT count(*) FROM rule_touches
            WHERE item_id NOT IN (SELECT id FROM items) OR rule_id NOT IN (SELECT id FROM rules)",
        mend: "DELETE FROM rule_touches WHERE item_id NOT IN (SELECT id FROM items) OR rule_id NOT IN (SELECT id FROM rules)",
    },
    Rule {
        broken: "articles that no search would ever find",
        count: "SELECT count(*) FROM items
            WHERE id NOT IN (SELECT item_id FROM search_docs) AND id NOT IN (SELECT item_id FROM search_queue)",
        mend: "INSERT INTO search_queue (item_id, stamp) SELECT id, random() FROM items
            WHERE id NOT IN (SELECT item_id FROM search_docs) AND id NOT IN (SELECT item_id FROM search_queue)",
    },
    Rule {
        broken: "articles in the search index that are not there",
        count: "SELECT (SELECT count(*) FROM search_docs WHERE item_id NOT IN (SELECT id FROM items))
            + (SELECT count(*) FROM search_queue WHERE item_id NOT IN (SELECT id FROM items))",
        mend: "DELETE FROM search WHERE rowid IN (SELECT docid FROM search_docs WHERE item_id NOT IN (SELECT id FROM items));
            DELETE FROM search_docs WHERE item_id NOT IN (SELECT id FROM items);
            DELETE FROM search_queue WHERE item_id NOT IN (SELECT id FROM items)",
    },
];

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// In words, after the number.
    pub what: String,
    /// How many.
    pub count: i64,
    /// It was mended.
    pub mended: bool,
}

/// What was looked at, and what was wrong.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Verified {
    /// Articles whose texts were read.
    pub articles: i64,
    /// Nothing, in a whole library.
    pub findings: Vec<Finding>,
}

impl Verified {
    /// Nothing is wrong, or nothing is any more.
    pub fn is_whole(&self) -> bool {
        self.findings.iter().all(|finding| finding.mended)
    }
}

impl Library {
    /// Looks whether the file is whole by SQLite's own check, whether what refers to something finds it, whether counts are
    /// right, and whether each article's text can be read. `mend` makes right what can be derived from the rest.
    ///
    /// # Errors
    /// When the library cannot be read, or with `mend` not be written.
    pub async fn check(&self, mend: bool) -> Result<Verified, LibraryError> {
        let mut findings = self.damage(mend).await?;
        if findings.iter().any(|finding| !finding.mended) {
            // What else is wrong cannot be told from what cannot be read.
            return Ok(Verified { articles: 0, findings });
        }
        for rule in RULES {
            let count: i64 = sqlx::query_scalar(rule.count).fetch_one(&self.readers).await?;
            if count == 0 {
                continue;
            }
            if mend {
                let mut writer = self.writer().await;
                // A rule takes away what hangs on nothing by itself, and knows in what order.
                sqlx::raw_sql("PRAGMA foreign_keys = OFF").execute(writer.connection()).await?;
                let done = mended(writer.connection(), rule).await;
                sqlx::raw_sql("PRAGMA foreign_keys = ON").execute(writer.connection()).await?;
                done?;
            }
            findings.push(Finding { what: rule.broken.to_owned(), count, mended: mend });
        }
        findings.extend(self.check_images(mend).await?);
        let (damaged, lost) = dictionaries::check(self.writer().await.connection(), mend).await?;
        let (articles, missing, unreadable) = self.texts().await?;
        for (what, count, mended) in [
            ("spoilt copies of what texts are packed with", damaged, mend),
            ("dictionaries lost, which texts are packed with", lost, false),
            ("articles without their text", missing, false),
            ("articles whose text cannot be read", unreadable, false),
            ("former versions whose text cannot be read", self.damaged_versions().await?, false),
        ] {
            if count > 0 {
                findings.push(Finding { what: what.to_owned(), count, mended });
            }
        }
        Ok(Verified { articles, findings })
    }

    /// What SQLite says of its file. A broken index can be made anew, a broken table cannot.
    async fn damage(&self, mend: bool) -> Result<Vec<Finding>, LibraryError> {
        let check = async || {
            // A connection that has read the search index before may check it by what it remembers of it.
            let mut fresh = self.writing.clone().pragma("query_only", "on").connect().await?;
            let lines = sqlx::query_scalar::<_, String>("PRAGMA integrity_check").fetch_all(&mut fresh).await;
            fresh.close().await?;
            match lines {
                Err(sqlx::Error::Database(error)) => Ok(vec![error.to_string()]),
                lines => lines,
            }
        };
        let wrong = |lines: Vec<String>, mended| {
            let lines = lines.into_iter().filter(|line| line != "ok");
            lines.map(move |what| Finding { what: format!("damage in the file: {what}"), count: 1, mended }).collect()
        };
        let before = check().await?;
        if before == ["ok"] || !mend {
            return Ok(wrong(before, false));
        }
        let mut writer = self.writer().await;
        if sqlx::raw_sql("REINDEX").execute(writer.connection()).await.is_err() {
            return Ok(wrong(before, false));
        }
        let after = check().await?;
        Ok(if after == ["ok"] { wrong(before, true) } else { wrong(after, false) })
    }

    /// Whether pictures and their files belong together, by the files' bytes.
    async fn check_images(&self, mend: bool) -> Result<Vec<Finding>, LibraryError> {
        let faults = self.image_faults(true).await?;
        // While another process fetches pictures it alone may take any away.
        let lock = if mend { self.polling_lock()? } else { None };
        if lock.is_some() {
            self.mend_images(&faults, now()).await?;
        }
        let counted = [
            ("pictures whose file is gone or damaged; they are fetched anew", faults.lost.len()),
            ("files of pictures that no article has", faults.strange.len()),
        ];
        let found = counted.into_iter().filter(|(_, count)| *count > 0);
        let finding = |(what, count): (&str, usize)| Finding {
            what: what.to_owned(),
            count: i64::try_from(count).unwrap_or(i64::MAX),
            mended: lock.is_some(),
        };
        Ok(found.map(finding).collect())
    }

    /// How many articles have a text, how many have none, and how many one that cannot be read.
    async fn texts(&self) -> Result<(i64, i64, i64), LibraryError> {
        type Stored = (Option<i64>, Option<Vec<u8>>, Option<Vec<u8>>);
        let (mut articles, mut missing, mut unreadable) = (0, 0, 0);
        let mut rows = sqlx::query_as::<_, Stored>(
            "SELECT b.codec, b.content, b.summary FROM items i LEFT JOIN bodies b ON b.item_id = i.id ORDER BY i.id",
        )
        .fetch(&self.readers);
        while let Some((codec, content, summary)) = rows.try_next().await? {
            articles += 1;
            let Some(codec) = codec else {
                missing += 1;
                continue;
            };
            let texts = [content, summary].into_iter().flatten();
            self.learn(vec![codec]).await?;
            unreadable += i64::from(texts.map(|text| self.dictionaries.unpack(codec, &text)).any(|read| read.is_err()));
        }
        Ok((articles, missing, unreadable))
    }
}

impl Library {
    async fn damaged_versions(&self) -> Result<i64, LibraryError> {
        let sql = format!("SELECT {} FROM versions ORDER BY item_id, at", versions::COLUMNS);
        let mut rows = sqlx::query_as::<_, versions::Row>(sqlx::AssertSqlSafe(sql)).fetch(&self.readers);
        let (mut base, mut damaged) = (Base::default(), 0);
        while let Some(row) = rows.try_next().await? {
            self.learn(vec![row.codec]).await?;
            damaged += i64::from(base.read(row, &self.dictionaries).damage.is_some());
        }
        Ok(damaged)
    }
}

async fn mended(connection: &mut SqliteConnection, rule: &Rule) -> Result<(), LibraryError> {
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    sqlx::raw_sql(rule.mend).execute(&mut *transaction).await?;
    let left: i64 = sqlx::query_scalar(rule.count).fetch_one(&mut *transaction).await?;
    if left > 0 {
        return Err(LibraryError::Invalid(format!("{left} {} could not be mended", rule.broken)));
    }
    Ok(transaction.commit().await?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Body, Incoming, Intent, NewItem, NewSubscription, Poll, Texts};

    async fn library(folder: &std::path::Path) -> Library {
        let library = Library::open(folder).await.unwrap();
        let folders = vec!["Outer".to_owned(), "Inner".to_owned()];
        let feed =
            NewSubscription { url: "https://a.example/".to_owned(), folder: folders, ..NewSubscription::default() };
        let feed_id = library.subscribe(&feed).await.unwrap();
        let item = |key: &str| {
            let body = Body { html: "<p>word</p>".repeat(40), base: None };
            let (texts, digest) = (Texts::pack(Some(&body), None), vec![0; 16]);
            Intent::Insert(Box::new(NewItem { key: key.to_owned(), texts, digest, ..NewItem::default() }))
        };
        let poll = Poll { feed_id, ..Poll::default() };
        let incoming = Incoming { poll, intents: ["1", "2", "3"].map(item).into(), ..Incoming::default() };
        library.store(&[&incoming]).await.unwrap();
        library
    }

    #[tokio::test]
    async fn a_whole_library_is_said_to_be_whole() {
        let folder = tempfile::tempdir().unwrap();
        let verified = library(folder.path()).await.check(false).await.unwrap();
        assert_eq!(verified, Verified { articles: 3, findings: Vec::new() });
    }

    #[tokio::test]
    async fn each_rule_finds_what_is_broken_and_mends_it() {
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
        assert_eq!(RULES.len(), harms.len(), "each has its harm here");
        for (rule, harm) in RULES.iter().zip(harms) {
            let folder = tempfile::tempdir().unwrap();
            let library = library(folder.path()).await;
            {
                let mut writer = library.writer().await;
                sqlx::raw_sql("PRAGMA foreign_keys = OFF").execute(writer.connection()).await.unwrap();
                sqlx::raw_sql(harm).execute(writer.connection()).await.unwrap();
                sqlx::raw_sql("PRAGMA foreign_keys = ON").execute(writer.connection()).await.unwrap();
            }
            let found = library.check(false).await.unwrap().findings;
            assert!(found.iter().any(|f| f.what == rule.broken && !f.mended), "{}: {found:?}", rule.broken);
            assert!(library.check(true).await.unwrap().is_whole(), "{}", rule.broken);
            assert_eq!(library.check(false).await.unwrap().findings, [], "{}", rule.broken);
        }
    }

    #[tokio::test]
    async fn a_file_that_is_damaged_is_told_and_not_mended() {
        let folder = tempfile::tempdir().unwrap();
        let library = library(folder.path()).await;
        let root = "SELECT rootpage FROM sqlite_schema WHERE name = 'bodies'";
        let page: i64 = sqlx::query_scalar(root).fetch_one(&library.readers).await.unwrap();
        library.close().await.unwrap();
        let file = folder.path().join("library.sqlite");
        let mut bytes = std::fs::read(&file).unwrap();
        let end = usize::try_from(page).unwrap() * 8192;
        bytes[end - 8192..end].fill(0x5a);
        std::fs::write(&file, bytes).unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let verified = library.check(true).await.unwrap();
        assert!(!verified.is_whole() && verified.findings.iter().all(|f| f.what.starts_with("damage")), "{verified:?}");
    }

    #[tokio::test]
    async fn a_text_that_cannot_be_read_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let library = library(folder.path()).await;
        let harm = "UPDATE bodies SET content = x'00' WHERE item_id = 1; DELETE FROM bodies WHERE item_id = 2";
        sqlx::raw_sql(harm).execute(library.writer().await.connection()).await.unwrap();
        let verified = library.check(true).await.unwrap();
        let found: Vec<(&str, i64, bool)> =
            verified.findings.iter().map(|f| (f.what.as_str(), f.count, f.mended)).collect();
        assert_eq!(
            found,
            [("articles without their text", 1, false), ("articles whose text cannot be read", 1, false)]
        );
        assert!(!verified.is_whole());
    }
}
