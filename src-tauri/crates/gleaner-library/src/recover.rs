//! Back to a whole library: from a backup, or from what can still be read of a damaged one. What was there before is set aside
//! in the folder `aside`, never deleted, and killed at any point there is always a library: the old one or the new one.

use crate::{
    Backup, Library, LibraryError,
    backup::{self, sync_folder},
    now,
    open::not_locked,
};
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection, sqlite::SqliteConnectOptions};
use std::{
    collections::VecDeque,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

const ASIDE: &str = "aside";
/// Beside the library, until it takes its place.
const COMING: &str = "coming";
/// Tables that the others are told from.
const DERIVED: [&str; 6] = ["categories", "counts", "search_common", "search_docs", "search_queue", "_sqlx_migrations"];

/// So many parts of a table may fail before no smaller ones are tried.
const FAILURES: u32 = 4096;

/// What came through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recovered {
    /// Subscribed feeds.
    pub feeds: i64,
    /// Articles.
    pub articles: i64,
    /// Tables of which something could not be read, and how many pieces of each; and notes on articles that are lost.
    pub lost: Vec<(String, i64)>,
    /// The backup that filled the gaps.
    pub filled_from: Option<Backup>,
    /// Where the damaged library is now.
    pub aside: PathBuf,
}

/// Puts a backup in the library's place. No process may have the library open.
///
/// # Errors
/// [`LibraryError::Locked`] while somebody has it open; [`LibraryError::Damaged`] when the backup is not whole. Then nothing
/// was changed.
pub async fn restore(folder: &Path, backup: &Path) -> Result<PathBuf, LibraryError> {
    let _alone = alone(folder)?;
    let coming = empty(folder)?;
    fs::copy(backup, coming.join("library.sqlite")).map_err(|error| denied(&coming, &error))?;
    // Brings its schema up to date as well.
    let library = Box::pin(Library::open(&coming)).await?;
    let whole: Vec<String> = sqlx::query_scalar("PRAGMA quick_check").fetch_all(&library.readers).await?;
    library.close().await?;
    if whole != ["ok"] {
        return Err(LibraryError::Damaged { folder: coming, why: whole.join("; ") });
    }
    exchange(folder, &coming).await
}

/// Makes a new library of what can be read of the one in `folder`, and of the newest backup where that has more.
///
/// # Errors
/// [`LibraryError::Locked`] while somebody has it open; and when the new one cannot be written. Then nothing was changed.
pub async fn recover(folder: &Path) -> Result<Recovered, LibraryError> {
    let _alone = alone(folder)?;
    let coming = empty(folder)?;
    // A work on a copy: opening may write, and what is damaged is touched as little as can be.
    let copy = coming.join("damaged.sqlite");
    for (from, to) in [("library.sqlite", "damaged.sqlite"), ("library.sqlite-wal", "damaged.sqlite-wal")] {
        match fs::copy(folder.join(from), coming.join(to)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(denied(&coming, &error)),
            _ => {}
        }
    }
    let library = Box::pin(Library::open(&coming)).await?;
    let mut lost = salvage(&coming, &copy).await;
    let filled_from = if lost.is_empty() { None } else { backup::backups(folder).into_iter().next() };
    if let Some(backup) = &filled_from {
        let file = coming.join("backup.sqlite");
        fs::copy(&backup.path, &file).map_err(|error| denied(&coming, &error))?;
        lost.extend(salvage(&coming, &file).await);
    }
    // Those go with the articles that they are on.
    let notes: i64 = sqlx::query_scalar("SELECT count(*) FROM notes WHERE item_id NOT IN (SELECT id FROM items)")
        .fetch_one(&library.readers)
        .await?;
    if notes > 0 {
        lost.push(("notes".to_owned(), notes));
    }
    library.check(true).await?;
    let (feeds, articles) = sqlx::query_as(
        "SELECT (SELECT count(*) FROM feeds WHERE unsubscribed_at IS NULL AND local = 0), (SELECT count(*) FROM items)",
    )
    .fetch_one(&library.readers)
    .await?;
    library.close().await?;
    let aside = exchange(folder, &coming).await?;
    Ok(Recovered { feeds, articles, lost, filled_from, aside })
}

fn denied(folder: &Path, error: &io::Error) -> LibraryError {
    if error.kind() == io::ErrorKind::StorageFull {
        return LibraryError::DiskFull;
    }
    LibraryError::ReadOnly { folder: folder.to_owned(), why: error.to_string() }
}

/// The right to have the library for oneself: every open one holds a share in this lock.
fn alone(folder: &Path) -> Result<File, LibraryError> {
    let lock = crate::open::in_use(folder).map_err(|error| denied(folder, &error))?;
    lock.try_lock().map_err(|error| not_locked(folder, error))?;
    Ok(lock)
}

/// An empty folder for the new library; what one that was killed left in it is of no use.
fn empty(folder: &Path) -> Result<PathBuf, LibraryError> {
    let coming = folder.join(COMING);
    match fs::remove_dir_all(&coming) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(denied(&coming, &error)),
        _ => {}
    }
    fs::create_dir_all(&coming).map_err(|error| denied(&coming, &error))?;
    Ok(coming)
}

/// Puts the library of `coming` in the place of the one in `folder`, which is set aside first.
async fn exchange(folder: &Path, coming: &Path) -> Result<PathBuf, LibraryError> {
    let failed = |error: io::Error| denied(folder, &error);
    let file = folder.join("library.sqlite");
    // A log that can be written back belongs into its file before that is linked; where it cannot, it is set aside as it is.
    let options = SqliteConnectOptions::new().filename(&file).disable_statement_logging();
    if let Ok(mut old) = options.connect().await {
        let _written_back = sqlx::raw_sql("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut old).await;
        let _closed = old.close().await;
    }
    let aside = folder.join(ASIDE).join(now().to_string());
    fs::create_dir_all(&aside).map_err(failed)?;
    for name in ["library.sqlite", "library.sqlite-wal"] {
        let (from, to) = (folder.join(name), aside.join(name));
        if from.try_exists().map_err(failed)? && fs::hard_link(&from, &to).is_err() {
            fs::copy(&from, &to).map_err(failed)?;
            sync_file(&to).map_err(failed)?;
        }
    }
    for written in [&aside, &folder.join(ASIDE)] {
        sync_folder(written).map_err(failed)?;
    }
    // It was copied here, and SQLite may not have written to it since.
    sync_file(&coming.join("library.sqlite")).map_err(failed)?;
    // The old log must be gone before the new file is there: SQLite would write the one into the other.
    for name in ["library.sqlite-wal", "library.sqlite-shm"] {
        match fs::remove_file(folder.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
            _ => {}
        }
    }
    sync_folder(folder).map_err(failed)?;
    fs::rename(coming.join("library.sqlite"), &file).map_err(failed)?;
    sync_folder(folder).map_err(failed)?;
    fs::remove_dir_all(coming).map_err(failed)?;
    Ok(aside)
}

/// What a file holds is there after a power cut too.
fn sync_file(file: &Path) -> io::Result<()> {
    File::options().append(true).open(file)?.sync_all()
}

/// Copies what can be read of a file into the new library, and says of which tables something could not be.
async fn salvage(coming: &Path, from: &Path) -> Vec<(String, i64)> {
    let mut lost = Vec::new();
    match tables(coming, from).await {
        Ok((mut connection, tables)) => {
            // Where the end of one cannot be read, none of its rows has a number beyond those of all the others.
            let mut last = None;
            for table in &tables {
                last = last.max(table.end("max", &mut connection).await);
            }
            for table in tables {
                let pieces = table.copy(&mut connection, last.unwrap_or(1 << 24)).await;
                if pieces > 0 {
                    lost.push((table.name, pieces));
                }
            }
            if let Err(error) = connection.close().await {
                lost.push((error.to_string(), 1));
            }
        }
        Err(error) => lost.push((error.to_string(), 1)),
    }
    lost
}

/// A table that both files have.
struct Table {
    name: String,
    columns: String,
    /// What its rows are found by.
    key: Option<String>,
}

/// The new library with the other file beside it, and the tables that both have.
async fn tables(coming: &Path, from: &Path) -> Result<(SqliteConnection, Vec<Table>), sqlx::Error> {
    let options = SqliteConnectOptions::new().filename(coming.join("library.sqlite")).foreign_keys(false);
    let mut connection = options.disable_statement_logging().connect().await?;
    sqlx::query("ATTACH ? AS old").bind(from.to_string_lossy()).execute(&mut connection).await?;
    // Shadow tables of an index, and what is virtual, are made anew.
    let names: Vec<String> = sqlx::query_scalar(
        "SELECT n.name FROM main.pragma_table_list n JOIN old.sqlite_schema o ON o.name = n.name AND o.type = 'table'
         WHERE n.schema = 'main' AND n.type = 'table' AND n.name NOT LIKE 'sqlite_%'",
    )
    .fetch_all(&mut connection)
    .await?;
    let mut tables = Vec::new();
    for name in names.into_iter().filter(|name| !DERIVED.contains(&name.as_str())) {
        let columns: Vec<String> = sqlx::query_scalar(
            "SELECT name FROM pragma_table_info(?1, 'main') WHERE name IN (SELECT name FROM pragma_table_info(?1, 'old'))",
        )
        .bind(&name)
        .fetch_all(&mut connection)
        .await?;
        let key = sqlx::query_scalar("SELECT name FROM pragma_table_info(?, 'main') WHERE pk = 1 AND type = 'INTEGER'")
            .bind(&name)
            .fetch_optional(&mut connection)
            .await?;
        tables.push(Table { name, columns: columns.join(", "), key });
    }
    Ok((connection, tables))
}

impl Table {
    /// Copies its rows, numbered up to `last` at most; where some cannot be read, all the others. Gives the number of pieces
    /// that could not be.
    async fn copy(&self, connection: &mut SqliteConnection, last: i64) -> i64 {
        let verb = if self.name == "settings" { "REPLACE" } else { "IGNORE" };
        let sql = format!(
            "INSERT OR {verb} INTO main.{name} ({columns}) SELECT {columns} FROM old.{name}",
            name = self.name,
            columns = self.columns
        );
        let Some(key) = &self.key else {
            let done = sqlx::query(sqlx::AssertSqlSafe(sql)).execute(connection).await;
            return i64::from(done.is_err());
        };
        let sql = format!("{sql} WHERE {key} BETWEEN ? AND ?");
        // The halves of what fails are tried in turn, large ones first, until there is nothing to part or too much has failed.
        let (mut pieces, mut failures) = (0, 0);
        let first = self.end("min", connection).await.unwrap_or(0);
        let last = self.end("max", connection).await.unwrap_or(last);
        let mut ranges = VecDeque::from([(first, last)]);
        while let Some((first, last)) = ranges.pop_front() {
            let part = sqlx::query(sqlx::AssertSqlSafe(sql.clone())).bind(first).bind(last);
            if part.execute(&mut *connection).await.is_ok() {
                continue;
            }
            failures += 1;
            if first >= last || failures > FAILURES {
                pieces += 1;
                continue;
            }
            let middle = first + (last - first) / 2;
            ranges.extend([(first, middle), (middle + 1, last)]);
        }
        pieces
    }

    /// Its first or last row's number; `None` where it cannot be read, or its rows have none.
    async fn end(&self, of: &str, connection: &mut SqliteConnection) -> Option<i64> {
        let sql = format!("SELECT ifnull({of}({}), 0) FROM old.{}", self.key.as_ref()?, self.name);
        sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_one(connection).await.ok()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Body, CommonWords, Incoming, Intent, NewItem, NewSubscription, Occasion, Poll, Texts};
    use std::io::{Read as _, Seek as _, SeekFrom, Write as _};

    const ARTICLES: i64 = 300;

    async fn filled(folder: &Path) -> Library {
        let library = Library::open(folder).await.unwrap();
        let new = NewSubscription {
            url: "https://a.example/".to_owned(),
            folder: vec!["F".to_owned()],
            ..NewSubscription::default()
        };
        let feed_id = library.subscribe(&new).await.unwrap();
        let item = |number: i64| {
            // Long and not to be compressed, so that texts lie all over the file.
            let html: String =
                (0..40).map(|n| blake3::hash(format!("{number} {n}").as_bytes()).to_hex().to_string()).collect();
            let texts = Texts::pack(Some(&Body { html, base: None }), None);
            let (key, title) = (number.to_string(), format!("Article {number}"));
            Intent::Insert(Box::new(NewItem { key, title, texts, digest: vec![0; 16], ..NewItem::default() }))
        };
        let poll = Poll { feed_id, ..Poll::default() };
        let intents = (0..ARTICLES).map(item).collect();
        library.store(&[&Incoming { poll, intents, ..Incoming::default() }]).await.unwrap();
        library.mark(&[7], None, Some(true)).await.unwrap();
        let unindexed = library.unindexed(None, 100).await.unwrap();
        library
            .index(
                &unindexed.iter().map(|article| article.indexed("text", &CommonWords::default())).collect::<Vec<_>>(),
            )
            .await
            .unwrap();
        library
    }

    async fn starred(library: &Library) -> i64 {
        library.feed_counts().await.unwrap().iter().map(|feed| feed.starred).sum()
    }

    fn scribble(folder: &Path, page: u64) {
        let mut file = File::options().write(true).open(folder.join("library.sqlite")).unwrap();
        file.seek(SeekFrom::Start(page * 8192)).unwrap();
        file.write_all(&[0xa5; 8192]).unwrap();
    }

    #[tokio::test]
    async fn a_backup_comes_back_and_what_was_there_is_set_aside() {
        let folder = tempfile::tempdir().unwrap();
        let library = filled(folder.path()).await;
        let backup = library.back_up(Occasion::ByHand).await.unwrap();
        library.mark(&[8], None, Some(true)).await.unwrap();
        assert!(matches!(restore(folder.path(), &backup.path).await, Err(LibraryError::Locked)), "it is open");
        library.close().await.unwrap();
        let aside = restore(folder.path(), &backup.path).await.unwrap();
        let (back, before) = (Library::open(folder.path()).await.unwrap(), Library::open(&aside).await.unwrap());
        assert_eq!((starred(&back).await, starred(&before).await), (1, 2));
        // What is no library does not take its place.
        back.close().await.unwrap();
        let junk = folder.path().join("junk");
        fs::write(&junk, "x".repeat(9000)).unwrap();
        assert!(matches!(restore(folder.path(), &junk).await, Err(LibraryError::Damaged { .. })));
        assert_eq!(starred(&Library::open(folder.path()).await.unwrap()).await, 1);
    }

    #[tokio::test]
    async fn whatever_page_is_spoilt_the_rest_comes_through() {
        let origin = tempfile::tempdir().unwrap();
        let library = filled(origin.path()).await;
        let backup = library.back_up(Occasion::Daily).await.unwrap();
        library.close().await.unwrap();
        let mut whole = Vec::new();
        File::open(origin.path().join("library.sqlite")).unwrap().read_to_end(&mut whole).unwrap();
        let pages = whole.len() as u64 / 8192;
        let empty = tempfile::tempdir().unwrap();
        Library::open(empty.path()).await.unwrap().close().await.unwrap();
        let roots = fs::metadata(empty.path().join("library.sqlite")).unwrap().len() / 8192;
        // The first are the schema and the roots of tables and indexes: what hangs on them comes from the backup. Of the others the
        // rest is enough.
        let others = (roots..pages).step_by(2).map(|page| (page, false));
        for (page, backed) in (0..roots).map(|page| (page, true)).chain(others) {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join("library.sqlite"), &whole).unwrap();
            if backed {
                fs::create_dir(folder.path().join("backups")).unwrap();
                fs::copy(&backup.path, folder.path().join("backups").join(backup.path.file_name().unwrap())).unwrap();
            }
            scribble(folder.path(), page);
            let recovered = recover(folder.path()).await.unwrap();
            let library = Library::open(folder.path()).await.unwrap();
            let verified = library.check(false).await.unwrap();
            // An article whose text was on the spoilt page is there without it.
            assert!(verified.findings.iter().all(|f| f.what == "articles without their text"), "{page}: {verified:?}");
            let without: i64 = verified.findings.iter().map(|f| f.count).sum();
            if backed {
                assert_eq!((recovered.feeds, verified.articles, without), (1, ARTICLES, 0), "{page}: {recovered:?}");
            } else {
                assert!(verified.articles >= ARTICLES - 200 && without < 12, "{page}: {without}, {recovered:?}");
            }
            assert_eq!(verified.articles, recovered.articles);
            assert_eq!(fs::metadata(recovered.aside.join("library.sqlite")).unwrap().len(), whole.len() as u64);
        }
    }

    #[tokio::test]
    async fn what_cannot_be_read_comes_from_the_newest_backup() {
        let folder = tempfile::tempdir().unwrap();
        let library = filled(folder.path()).await;
        library.back_up(Occasion::Daily).await.unwrap();
        library.close().await.unwrap();
        // The first page holds the schema: without it nothing can be read.
        scribble(folder.path(), 0);
        assert!(matches!(Library::open(folder.path()).await, Err(LibraryError::Damaged { .. })));
        let recovered = recover(folder.path()).await.unwrap();
        assert_eq!((recovered.feeds, recovered.articles), (1, ARTICLES));
        assert!(!recovered.lost.is_empty() && recovered.filled_from.is_some());
        let library = Library::open(folder.path()).await.unwrap();
        assert!(library.check(false).await.unwrap().is_whole());
        assert_eq!(starred(&library).await, 1);
        let index = library.index_state().await.unwrap();
        assert_eq!((index.indexed, index.waiting), (0, ARTICLES), "the search index is made anew");
    }

    #[tokio::test]
    async fn notes_that_go_with_their_articles_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let library = filled(folder.path()).await;
        for article in [5, 6] {
            library.add_note(article, None, 0, "Mine.").await.unwrap();
        }
        library.close().await.unwrap();
        let file = folder.path().join("library.sqlite");
        let mut connection = SqliteConnectOptions::new().filename(file).foreign_keys(false).connect().await.unwrap();
        sqlx::query("DELETE FROM items WHERE id = 5").execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        let recovered = recover(folder.path()).await.unwrap();
        assert_eq!((recovered.articles, recovered.lost), (ARTICLES - 1, vec![("notes".to_owned(), 1)]));
        let library = Library::open(folder.path()).await.unwrap();
        assert_eq!(library.noted_items().await.unwrap(), [6]);
    }
}
