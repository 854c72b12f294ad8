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
use invariants::{INVARIANTS, Invariant};
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection};

mod invalid_text;
mod invariants;

/// What a check can find.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Folders inside of themselves.
    FoldersInThemselves,
    /// Feeds in missing folders.
    FeedsInMissingFolders,
    /// Feeds without a polling state.
    FeedsWithoutPolls,
    /// Articles without a state.
    ArticlesWithoutState,
    /// Scheduled articles that lists show.
    ScheduledArticlesShown,
    /// Articles with contradictory positions.
    ContradictoryPositions,
    /// Expired articles without a date.
    ExpiredWithoutDate,
    /// Expired articles that lists show.
    ExpiredArticlesShown,
    /// Retention policies of missing feeds or folders.
    PoliciesOfMissingScopes,
    /// Data of missing articles or feeds.
    OrphanedData,
    /// Articles with a wrong mark for notes.
    WrongNoteMarks,
    /// Downloads of missing articles.
    OrphanedDownloads,
    /// Feeds without counts.
    FeedsWithoutCounts,
    /// Feeds with wrong counts.
    WrongCounts,
    /// Records of missing rules or articles.
    OrphanedRuleHistory,
    /// Articles missing from the search index and its queue.
    UnindexedArticles,
    /// Missing articles in the search index.
    OrphanedIndexRows,
    /// Names, titles and other texts with damaged characters.
    InvalidTexts,
    /// Damaged copies of compression dictionaries.
    DamagedDictionaries,
    /// Lost compression dictionaries.
    LostDictionaries,
    /// Articles without their text.
    MissingTexts,
    /// Articles with an unreadable text.
    UnreadableTexts,
    /// Earlier versions with an unreadable text.
    UnreadableVersions,
    /// Images with a missing or damaged file, to be downloaded again.
    LostImages,
    /// Image files of no article.
    UnknownImageFiles,
    /// Damage in the file, in SQLite's words.
    FileDamage(String),
}

/// A violation that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What is wrong.
    pub fault: Fault,
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
    /// rest. `images`: the images are compared with their files, too.
    ///
    /// # Errors
    /// When the library cannot be read, or with `repair` cannot be written.
    pub async fn run(&self, repair: bool, images: bool) -> Result<Verified, LibraryError> {
        let mut findings = self.damage(repair).await?;
        if findings.iter().any(|finding| !finding.repaired) {
            // The other checks need a readable file.
            return Ok(Verified { articles: 0, findings });
        }
        let invalid = if repair {
            invalid_text::check(self.db.writer().await.connection(), true).await?
        } else {
            let mut reader = self.db.text_reader().await?;
            let invalid = invalid_text::check(&mut reader, false).await?;
            reader.close().await?;
            invalid
        };
        if invalid > 0 {
            findings.push(Finding { fault: Fault::InvalidTexts, count: invalid, repaired: repair });
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
            findings.push(Finding { fault: invariant.fault.clone(), count, repaired: repair });
        }
        if images {
            findings.extend(self.check_images(repair).await?);
        }
        let (damaged, lost) = dictionaries::check(self.db.writer().await.connection(), repair).await?;
        let texts = self.texts().await?;
        for (fault, count, repaired) in [
            (Fault::DamagedDictionaries, damaged, repair),
            (Fault::LostDictionaries, lost, false),
            (Fault::MissingTexts, texts.missing, false),
            (Fault::UnreadableTexts, texts.unreadable, false),
            (Fault::UnreadableVersions, self.damaged_versions().await?, false),
        ] {
            if count > 0 {
                findings.push(Finding { fault, count, repaired });
            }
        }
        Ok(Verified { articles: texts.articles, findings })
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
            lines.map(move |detail| Finding { fault: Fault::FileDamage(detail), count: 1, repaired }).collect()
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
        let counted = [(Fault::LostImages, faults.lost.len()), (Fault::UnknownImageFiles, faults.unknown.len())];
        let found = counted.into_iter().filter(|(_, count)| *count > 0);
        let finding = |(fault, count): (Fault, usize)| Finding {
            fault,
            count: i64::try_from(count).unwrap_or(i64::MAX),
            repaired: lock.is_some(),
        };
        Ok(found.map(finding).collect())
    }

    /// Deletes the damaged texts of articles, and returns their number. Texts whose dictionary is missing stay.
    pub(crate) async fn delete_damaged_texts(&self) -> Result<i64, LibraryError> {
        let damaged = self.texts().await?.damaged;
        let sql = "DELETE FROM bodies WHERE item_id IN (SELECT value FROM json_each(?))";
        self.db.execute(sqlx::query(sql).bind(serde_json::json!(damaged).to_string())).await?;
        Ok(i64::try_from(damaged.len()).unwrap_or(i64::MAX))
    }

    /// Reads the texts of all articles.
    async fn texts(&self) -> Result<ReadTexts, LibraryError> {
        type Stored = (i64, Option<i64>, Option<Vec<u8>>, Option<Vec<u8>>);
        let mut read = ReadTexts::default();
        let mut reader = self.db.text_reader().await?;
        let mut rows = sqlx::query_as::<_, Stored>(
            "SELECT i.id, b.codec, b.content, b.summary FROM items i LEFT JOIN bodies b ON b.item_id = i.id ORDER BY i.id",
        )
        .fetch(&mut reader);
        while let Some((id, codec, content, summary)) = rows.try_next().await? {
            read.articles += 1;
            let Some(codec) = codec else {
                read.missing += 1;
                continue;
            };
            self.db.learn(vec![codec]).await?;
            let mut texts = [content, summary].into_iter().flatten();
            if texts.any(|text| self.db.dictionaries.unpack(codec, &text).is_err()) {
                read.unreadable += 1;
                if self.db.dictionaries.has(codec) {
                    read.damaged.push(id);
                }
            }
        }
        drop(rows);
        reader.close().await?;
        Ok(read)
    }
}

/// The texts of all articles.
#[derive(Debug, Default)]
struct ReadTexts {
    articles: i64,
    /// Number of articles without a text.
    missing: i64,
    /// Number of articles whose text cannot be read.
    unreadable: i64,
    /// Those of them whose dictionary is there.
    damaged: Vec<i64>,
}

impl Check<'_> {
    async fn damaged_versions(&self) -> Result<i64, LibraryError> {
        let sql = format!("SELECT {} FROM versions ORDER BY item_id, at", versions::COLUMNS);
        let mut reader = self.db.text_reader().await?;
        let mut rows = sqlx::query_as::<_, versions::Row>(sqlx::AssertSqlSafe(sql)).fetch(&mut reader);
        let (mut base, mut damaged) = (Base::default(), 0);
        while let Some(row) = rows.try_next().await? {
            self.db.learn(vec![row.codec]).await?;
            damaged += i64::from(base.read(row, &self.db.dictionaries).damage.is_some());
        }
        drop(rows);
        reader.close().await?;
        Ok(damaged)
    }
}

async fn repair_invariant(connection: &mut SqliteConnection, invariant: &Invariant) -> Result<(), LibraryError> {
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    sqlx::raw_sql(invariant.repair).execute(&mut *transaction).await?;
    let left: i64 = sqlx::query_scalar(invariant.count).fetch_one(&mut *transaction).await?;
    if left > 0 {
        return Err(LibraryError::Invalid(format!("{left} × {:?} could not be repaired", invariant.fault)));
    }
    Ok(transaction.commit().await?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Library;
    use crate::{Body, Incoming, Intent, NewItem, NewSubscription, Texts};

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
        let incoming = Incoming::of_items(feed_id, ["1", "2", "3"].map(item).into());
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
            assert!(
                found.iter().any(|f| f.fault == invariant.fault && !f.repaired),
                "{:?}: {found:?}",
                invariant.fault
            );
            assert!(library.check(true).await.unwrap().is_intact(), "{:?}", invariant.fault);
            assert_eq!(library.check(false).await.unwrap().findings, [], "{:?}", invariant.fault);
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
            !verified.is_intact() && verified.findings.iter().all(|f| matches!(f.fault, Fault::FileDamage(_))),
            "{verified:?}"
        );
    }

    #[tokio::test]
    async fn damaged_characters_are_found_and_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let library = library(folder.path()).await;
        let harm = "UPDATE items SET title = CAST(x'41ff42' AS TEXT), author = 'é' WHERE id = 1;
            UPDATE items SET title = 'ü' WHERE id = 2;
            INSERT INTO numbers (of, last) VALUES (CAST(x'c3' AS TEXT), 1)";
        sqlx::raw_sql(harm).execute(library.db.writer().await.connection()).await.unwrap();
        let titles = async || {
            let sql = "SELECT ifnull(title, '') || ifnull(author, '') FROM items ORDER BY id";
            sqlx::query_scalar::<_, String>(sql).fetch_all(&library.db.readers).await
        };
        assert!(LibraryError::from(titles().await.unwrap_err()).is_damage());
        for (repair, repaired) in [(false, false), (true, true)] {
            let found = library.check(repair).await.unwrap().findings;
            assert_eq!(found, [Finding { fault: Fault::InvalidTexts, count: 2, repaired }]);
        }
        assert_eq!(titles().await.unwrap(), ["A\u{fffd}Bé", "ü", ""]);
        assert_eq!(library.check(false).await.unwrap().findings, []);
    }

    #[tokio::test]
    async fn finds_unreadable_texts() {
        let folder = tempfile::tempdir().unwrap();
        let library = library(folder.path()).await;
        let harm = "UPDATE bodies SET content = x'00' WHERE item_id = 1; DELETE FROM bodies WHERE item_id = 2";
        sqlx::raw_sql(harm).execute(library.db.writer().await.connection()).await.unwrap();
        let verified = library.check(true).await.unwrap();
        let found =
            [Fault::MissingTexts, Fault::UnreadableTexts].map(|fault| Finding { fault, count: 1, repaired: false });
        assert_eq!(verified.findings, found);
        assert!(!verified.is_intact());
    }
}
