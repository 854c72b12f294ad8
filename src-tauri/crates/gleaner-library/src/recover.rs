//! Recovers the readable data of a damaged library.

use crate::{
    Backup, Library, LibraryError, backup,
    check::Check,
    file_header::check_header,
    files::{DATABASE, copy_private, write_error},
    replacement::{NewFolder, is_empty, lock_exclusively, replace_library},
};
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection, sqlite::SqliteConnectOptions};
use std::{
    collections::VecDeque,
    io,
    path::{Path, PathBuf},
};

/// Tables that are derived from others.
const DERIVED: [&str; 6] = ["categories", "counts", "search_common", "search_docs", "search_queue", "_sqlx_migrations"];

/// Maximum number of unreadable ranges of a table before no smaller ones are tried.
const MAX_FAILURES: u32 = 4096;

/// The result of a recovery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recovered {
    /// Number of subscribed feeds.
    pub feeds: i64,
    /// Number of articles.
    pub articles: i64,
    /// Tables with unreadable ranges, and their number; and notes on lost articles.
    pub lost: Vec<(String, i64)>,
    /// The backup that filled the gaps.
    pub filled_from: Option<Backup>,
    /// Where the damaged library is now.
    pub aside: PathBuf,
}

/// Creates a new library from the readable data of the one in `folder`, completed from the newest backup.
///
/// # Errors
/// [`LibraryError::Locked`] while a process has it open; [`LibraryError::Newer`]; and when the new one cannot be written. Then nothing was
/// changed.
pub async fn recover(folder: &Path) -> Result<Recovered, LibraryError> {
    let _alone = lock_exclusively(folder)?;
    // Data that only a newer Gleaner knows would be missing from the new library.
    if let Err(newer @ LibraryError::Newer { .. }) = check_header(folder, &folder.join(DATABASE)) {
        return Err(newer);
    }
    let new_folder = NewFolder::create(folder)?;
    // Opening may write, so a copy is read.
    let copy = new_folder.join("damaged.sqlite");
    for (from, to) in [("library.sqlite", "damaged.sqlite"), ("library.sqlite-wal", "damaged.sqlite-wal")] {
        match copy_private(&folder.join(from), &new_folder.join(to)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(write_error(&new_folder, &error)),
            _ => {}
        }
    }
    let library = Box::pin(Library::open(&new_folder)).await?;
    // The settings of a new library would hide those of the other, and those of the backup are older.
    let settings = take_settings(&library).await?;
    let mut lost = salvage(&new_folder, &copy).await;
    // A full disk may have emptied the newest backup as well.
    let mut backups = backup::backups(folder).into_iter().filter(|backup| backup.bytes > 0);
    let filled_from = if lost.is_empty() { None } else { backups.next() };
    if let Some(backup) = &filled_from {
        let file = new_folder.join("backup.sqlite");
        copy_private(&backup.path, &file).map_err(|error| write_error(&new_folder, &error))?;
        lost.extend(salvage(&new_folder, &file).await);
    }
    add_settings(&library, settings).await?;
    // They are deleted with their articles.
    let notes: i64 = sqlx::query_scalar("SELECT count(*) FROM notes WHERE item_id NOT IN (SELECT id FROM items)")
        .fetch_one(&library.db.readers)
        .await?;
    if notes > 0 {
        lost.push(("notes".to_owned(), notes));
    }
    // The image files stay in the folder of the library.
    Check::new(&library.db).run(true, false).await?;
    let (feeds, articles) = sqlx::query_as(
        "SELECT (SELECT count(*) FROM feeds WHERE unsubscribed_at IS NULL AND local = 0), (SELECT count(*) FROM items)",
    )
    .fetch_one(&library.db.readers)
    .await?;
    library.close().await?;
    let aside = replace_library(folder, new_folder).await?;
    Ok(Recovered { feeds, articles, lost, filled_from, aside })
}

/// Removes and returns the settings that a new library has.
async fn take_settings(library: &Library) -> Result<Vec<(String, String)>, LibraryError> {
    let mut writer = library.db.writer().await;
    Ok(sqlx::query_as("DELETE FROM settings RETURNING key, value").fetch_all(writer.connection()).await?)
}

/// Adds settings that are missing.
async fn add_settings(library: &Library, settings: Vec<(String, String)>) -> Result<(), LibraryError> {
    for (key, value) in settings {
        let sql = "INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING";
        library.db.execute(sqlx::query(sql).bind(key).bind(value)).await?;
    }
    Ok(())
}

/// Copies the readable data of a file into the new library. Returns the tables with unreadable ranges.
async fn salvage(new_folder: &Path, from: &Path) -> Vec<(String, i64)> {
    let mut lost = Vec::new();
    if is_empty(from) {
        // A crash or a full disk left an empty file.
        return vec![(DATABASE.to_owned(), 1)];
    }
    match tables(new_folder, from).await {
        Ok((mut connection, tables)) => {
            if tables.is_empty() {
                lost.push((DATABASE.to_owned(), 1));
            }
            // Where the last row of a table is unreadable, the highest id of all tables is the limit.
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
    /// Column that its rows are found by.
    key: Option<String>,
}

/// Opens the new library, attaches the other file, and returns the tables that both have.
async fn tables(new_folder: &Path, from: &Path) -> Result<(SqliteConnection, Vec<Table>), sqlx::Error> {
    let options = SqliteConnectOptions::new().filename(new_folder.join("library.sqlite")).foreign_keys(false);
    let mut connection = options.disable_statement_logging().connect().await?;
    sqlx::query("ATTACH ? AS old").bind(from.to_string_lossy()).execute(&mut connection).await?;
    // Virtual tables and their shadow tables are rebuilt.
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
    /// Copies its rows up to the id `last`, without unreadable ones. Returns the number of unreadable ranges.
    async fn copy(&self, connection: &mut SqliteConnection, last: i64) -> i64 {
        let sql = format!(
            "INSERT OR IGNORE INTO main.{name} ({columns}) SELECT {columns} FROM old.{name}",
            name = self.name,
            columns = self.columns
        );
        let Some(key) = &self.key else {
            let done = sqlx::query(sqlx::AssertSqlSafe(sql)).execute(connection).await;
            return i64::from(done.is_err());
        };
        let sql = format!("{sql} WHERE {key} BETWEEN ? AND ?");
        // Unreadable ranges are halved, large ones first, until single rows are left or too many have failed.
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
            if first >= last || failures > MAX_FAILURES {
                pieces += 1;
                continue;
            }
            let middle = first + (last - first) / 2;
            ranges.extend([(first, middle), (middle + 1, last)]);
        }
        pieces
    }

    /// Returns its first or last id; `None` where it is unreadable, or there is none.
    async fn end(&self, of: &str, connection: &mut SqliteConnection) -> Option<i64> {
        let sql = format!("SELECT ifnull({of}({}), 0) FROM old.{}", self.key.as_ref()?, self.name);
        sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_one(connection).await.ok()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Body, CommonWords, Incoming, Intent, Millis, NewItem, NewSubscription, Occasion, Texts, restore};
    use std::{
        fs::{self, File},
        io::{Read as _, Seek as _, SeekFrom, Write as _},
        iter,
    };

    const ASIDE: &str = "aside";

    const ARTICLES: i64 = 300;

    async fn filled(folder: &Path) -> Library {
        let library = Library::open(folder).await.unwrap();
        let new = NewSubscription {
            url: "https://a.example/".to_owned(),
            folder: vec!["F".to_owned()],
            ..NewSubscription::default()
        };
        let feed_id = library.subscriptions().add(&new).await.unwrap();
        let item = |number: i64| {
            // Long and incompressible, so that texts are spread over the file.
            let html: String =
                (0..40).map(|n| blake3::hash(format!("{number} {n}").as_bytes()).to_hex().to_string()).collect();
            let texts = Texts::pack(Some(&Body { html, base: None }), None);
            let (key, title) = (number.to_string(), format!("Article {number}"));
            Intent::Insert(Box::new(NewItem { key, title, texts, digest: vec![0; 16], ..NewItem::default() }))
        };
        let intents = (0..ARTICLES).map(item).collect();
        library.polls().store(&[&Incoming::of_items(feed_id, intents)]).await.unwrap();
        library.articles().mark(&[7], None, Some(true)).await.unwrap();
        let unindexed = library.search_index().pending(None, 100).await.unwrap();
        library
            .search_index()
            .add(&unindexed.iter().map(|article| article.indexed("text", &CommonWords::default())).collect::<Vec<_>>())
            .await
            .unwrap();
        library
    }

    async fn starred(library: &Library) -> i64 {
        library.counts().by_feed().await.unwrap().iter().map(|feed| feed.starred).sum()
    }

    fn scribble(folder: &Path, page: u64) {
        let mut file = File::options().write(true).open(folder.join("library.sqlite")).unwrap();
        file.seek(SeekFrom::Start(page * 8192)).unwrap();
        file.write_all(&[0xa5; 8192]).unwrap();
    }

    #[tokio::test]
    async fn restores_a_backup_and_moves_the_library_aside() {
        let folder = tempfile::tempdir().unwrap();
        let library = filled(folder.path()).await;
        let backup = library.back_up(Occasion::ByHand).await.unwrap();
        library.articles().mark(&[8], None, Some(true)).await.unwrap();
        assert!(matches!(restore(folder.path(), &backup.path).await, Err(LibraryError::Locked)), "it is open");
        library.close().await.unwrap();
        let aside = restore(folder.path(), &backup.path).await.unwrap();
        let (back, before) = (Library::open(folder.path()).await.unwrap(), Library::open(&aside).await.unwrap());
        assert_eq!((starred(&back).await, starred(&before).await), (1, 2));
        // A file that is not a library does not replace one.
        back.close().await.unwrap();
        let junk = folder.path().join("junk");
        fs::write(&junk, "x".repeat(9000)).unwrap();
        assert!(matches!(restore(folder.path(), &junk).await, Err(LibraryError::Damaged { .. })));
        assert_eq!(starred(&Library::open(folder.path()).await.unwrap()).await, 1);
    }

    #[tokio::test]
    async fn restores_a_backup_where_there_is_no_library() {
        let (folder, new) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let library = filled(folder.path()).await;
        let backup = library.back_up(Occasion::ByHand).await.unwrap();
        let new = new.path().join("new");
        restore(&new, &backup.path).await.unwrap();
        assert_eq!(starred(&Library::open(&new).await.unwrap()).await, 1);
    }

    #[tokio::test]
    async fn restores_what_is_only_in_the_log() {
        let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        filled(folder.path()).await.close().await.unwrap();
        // What is written while the library is open stays in the log, as after a kill.
        let open = filled(other.path()).await;
        assert!(fs::metadata(other.path().join("library.sqlite-wal")).unwrap().len() > 0);
        restore(folder.path(), &other.path().join(DATABASE)).await.unwrap();
        open.close().await.unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        assert_eq!((library.feeds().list().await.unwrap().len(), starred(&library).await), (1, 1));
    }

    #[tokio::test]
    async fn does_not_recover_a_newer_library() {
        let folder = tempfile::tempdir().unwrap();
        filled(folder.path()).await.close().await.unwrap();
        let file = folder.path().join(DATABASE);
        let mut bytes = fs::read(&file).unwrap();
        bytes[60..64].copy_from_slice(&900_u32.to_be_bytes());
        fs::write(&file, &bytes).unwrap();
        assert!(matches!(recover(folder.path()).await, Err(LibraryError::Newer { found: 900, .. })));
        assert!(fs::read(&file).unwrap() == bytes && !folder.path().join(ASIDE).exists());
    }

    #[tokio::test]
    async fn recovers_the_rest_whichever_page_is_damaged() {
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
        // The first pages are the schema and the roots of tables and indexes, whose content comes from the backup: these roots are damaged
        // four at a time. For the other pages the rest is enough.
        let quarter = (roots - 1).div_ceil(4);
        let roots_together = (1..=quarter).map(|first| ((first..roots).step_by(quarter as usize).collect(), true));
        let others = (roots..pages).step_by(3).map(|page| (vec![page], false));
        for (damaged, backed) in iter::once((vec![0], true)).chain(roots_together).chain(others) {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join("library.sqlite"), &whole).unwrap();
            if backed {
                fs::create_dir(folder.path().join("backups")).unwrap();
                fs::copy(&backup.path, folder.path().join("backups").join(backup.path.file_name().unwrap())).unwrap();
            }
            for page in &damaged {
                scribble(folder.path(), *page);
            }
            let recovered = recover(folder.path()).await.unwrap();
            let library = Library::open(folder.path()).await.unwrap();
            let verified = library.check(false).await.unwrap();
            // The article whose text was on the damaged page has none.
            assert!(
                verified.findings.iter().all(|f| f.fault == crate::Fault::MissingTexts),
                "{damaged:?}: {verified:?}"
            );
            let without: i64 = verified.findings.iter().map(|f| f.count).sum();
            if backed {
                assert_eq!(
                    (recovered.feeds, verified.articles, without),
                    (1, ARTICLES, 0),
                    "{damaged:?}: {recovered:?}"
                );
            } else {
                assert!(verified.articles >= ARTICLES - 200 && without < 12, "{damaged:?}: {without}, {recovered:?}");
            }
            assert_eq!(verified.articles, recovered.articles);
            assert_eq!(fs::metadata(recovered.aside.join("library.sqlite")).unwrap().len(), whole.len() as u64);
        }
    }

    #[tokio::test]
    async fn fills_gaps_from_the_newest_backup() {
        let folder = tempfile::tempdir().unwrap();
        let library = filled(folder.path()).await;
        library.back_up(Occasion::Daily).await.unwrap();
        library.close().await.unwrap();
        // The first page contains the schema: without it nothing is readable.
        scribble(folder.path(), 0);
        assert!(matches!(Library::open(folder.path()).await, Err(LibraryError::Damaged { .. })));
        let recovered = recover(folder.path()).await.unwrap();
        assert_eq!((recovered.feeds, recovered.articles), (1, ARTICLES));
        assert!(!recovered.lost.is_empty() && recovered.filled_from.is_some());
        let library = Library::open(folder.path()).await.unwrap();
        assert!(library.check(false).await.unwrap().is_intact());
        assert_eq!(starred(&library).await, 1);
        let index = library.search_index().state().await.unwrap();
        assert_eq!((index.indexed, index.waiting), (0, ARTICLES), "the search index is rebuilt");
    }

    #[tokio::test]
    async fn settings_of_the_damaged_library_are_newer_than_those_of_the_backup() {
        let folder = tempfile::tempdir().unwrap();
        let library = filled(folder.path()).await;
        let own = library.settings().get("library_id").await.unwrap().unwrap();
        library.settings().set("theme", "1").await.unwrap();
        library.settings().set("language", "1").await.unwrap();
        library.back_up(Occasion::Daily).await.unwrap();
        library.settings().set("theme", "2").await.unwrap();
        let sql = "SELECT rootpage - 1 FROM sqlite_schema WHERE name = ?";
        let page = async |name: &str| -> i64 {
            sqlx::query_scalar(sql).bind(name).fetch_one(&library.db.readers).await.unwrap()
        };
        let (texts, settings) = (page("bodies").await, page("settings").await);
        library.close().await.unwrap();
        for (page, theme) in [(texts, "2"), (settings, "1")] {
            scribble(folder.path(), page.try_into().unwrap());
            assert!(recover(folder.path()).await.unwrap().filled_from.is_some());
            let library = Library::open(folder.path()).await.unwrap();
            let settings = library.settings();
            assert_eq!(settings.get("theme").await.unwrap().as_deref(), Some(theme));
            assert_eq!(settings.get("language").await.unwrap().as_deref(), Some("1"));
            assert_eq!(settings.get("library_id").await.unwrap(), Some(own.clone()));
            assert_eq!(settings.get("packed_up_to").await.unwrap().as_deref(), Some("0"));
            library.close().await.unwrap();
        }
    }

    #[tokio::test]
    async fn sets_an_emptied_library_aside_with_its_log() {
        let folder = tempfile::tempdir().unwrap();
        let library = filled(folder.path()).await;
        let backup = library.back_up(Occasion::Daily).await.unwrap();
        library.close().await.unwrap();
        let newer = folder.path().join("backups/29991231T000000000-daily.sqlite");
        fs::write(&newer, "").unwrap();
        let leave_log_only = || {
            fs::write(folder.path().join(DATABASE), "").unwrap();
            fs::write(folder.path().join("library.sqlite-wal"), "the newest pages").unwrap();
        };
        let log_of = |aside: &Path| fs::read_to_string(aside.join("library.sqlite-wal")).unwrap_or_default();
        leave_log_only();
        let recovered = recover(folder.path()).await.unwrap();
        assert_eq!(log_of(&recovered.aside), "the newest pages");
        assert_eq!((recovered.articles, recovered.filled_from), (ARTICLES, Some(backup.clone())));
        assert_eq!(recovered.lost, [(DATABASE.to_owned(), 1)]);
        leave_log_only();
        assert_eq!(log_of(&restore(folder.path(), &backup.path).await.unwrap()), "the newest pages");
        // Where only a page is damaged, an emptied backup fills no gap and is none.
        fs::remove_file(&backup.path).unwrap();
        scribble(folder.path(), 0);
        let recovered = recover(folder.path()).await.unwrap();
        assert!(recovered.filled_from.is_none() && !recovered.lost.iter().any(|(part, _)| part == DATABASE));
    }

    #[tokio::test]
    async fn reports_notes_lost_with_their_articles() {
        let folder = tempfile::tempdir().unwrap();
        let library = filled(folder.path()).await;
        for article in [5, 6] {
            library.notes().add(article, None, 0, "Mine.").await.unwrap();
        }
        library.close().await.unwrap();
        let file = folder.path().join("library.sqlite");
        let mut connection = SqliteConnectOptions::new().filename(file).foreign_keys(false).connect().await.unwrap();
        sqlx::query("DELETE FROM items WHERE id = 5").execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        let recovered = recover(folder.path()).await.unwrap();
        assert_eq!((recovered.articles, recovered.lost), (ARTICLES - 1, vec![("notes".to_owned(), 1)]));
        let library = Library::open(folder.path()).await.unwrap();
        assert_eq!(library.notes().articles().await.unwrap(), [6]);
    }

    #[tokio::test]
    async fn keeps_the_stored_images() {
        let folder = tempfile::tempdir().unwrap();
        let library = filled(folder.path()).await;
        let png = b"\x89PNG\r\n\x1a\n".to_vec();
        let digest = *blake3::hash(&png).as_bytes();
        library.images().store(5, "https://a.example/a.png", png, Millis::MIN).await.unwrap();
        library.close().await.unwrap();
        recover(folder.path()).await.unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        assert!(library.images().get(&digest).await.unwrap().unwrap().path.is_file());
        assert_eq!(library.check(true).await.unwrap().findings, []);
    }
}
