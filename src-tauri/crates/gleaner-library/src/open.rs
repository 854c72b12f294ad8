//! Opening a library: its files, its schema, and its settings that are kept in memory.

use crate::{
    LibraryError, Millis,
    clock::Clock,
    database::{Database, data_version},
    file_header::{check_header, header_says_wal, is_sqlite_file, refuse_other_program, schema_version},
    files::{
        DATABASE, IN_USE, create_private_folder, in_use_lock, lock_error, lock_file, make_private, open_error,
        private_options, write_error,
    },
    schema::{migrate, newest_schema},
    table::{
        duplicates,
        feeds::UNSUBSCRIBED_STORED_FOR,
        logins,
        scheduled::{self, Scheduled},
        settings, versions,
    },
};
use sqlx::{
    ConnectOptions as _, SqliteConnection,
    sqlite::{SqliteAutoVacuum, SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

/// Maximum number of articles of a feed that is deleted while opening; `retention.rs` deletes larger ones in slices later.
pub(crate) const PURGED_AT_ONCE: i64 = 500;

/// How long a statement waits for another process.
const BUSY_WAIT: Duration = Duration::from_secs(15);
/// Sets [`BUSY_WAIT`] for a connection that was opened with another.
const BUSY_TIMEOUT: &str = "PRAGMA busy_timeout = 15000";

/// The name of a library's folder next to the program, which makes the installation portable.
const PORTABLE: &str = "gleaner-library";

/// Returns the folder that the window and `glean` share by default: `GLEANER_LIBRARY`, else `gleaner-library` next to the program, else
/// the platform's data directory. `None` if the system names no home.
pub fn default_folder() -> Option<PathBuf> {
    let platform =
        || directories::ProjectDirs::from("net", "Gleaner", "Gleaner").map(|dirs| dirs.data_dir().to_owned());
    named_folder().or_else(portable_folder).or_else(platform)
}

/// Returns the folder `gleaner-library` next to the program, if there is one, unless `GLEANER_LIBRARY` names another.
pub fn portable_folder() -> Option<PathBuf> {
    let program = std::env::current_exe().ok().filter(|_| named_folder().is_none())?;
    portable(&program)
}

fn named_folder() -> Option<PathBuf> {
    std::env::var_os("GLEANER_LIBRARY").filter(|folder| !folder.is_empty()).map(PathBuf::from)
}

fn portable(program: &Path) -> Option<PathBuf> {
    Some(program.parent()?.join(PORTABLE)).filter(|folder| folder.is_dir())
}

/// Opens the library in `folder`, creates it if there is none, and updates its schema.
///
/// # Errors
/// [`LibraryError::ReadOnly`], [`LibraryError::Newer`], [`LibraryError::OlderInUse`] and [`LibraryError::Damaged`], before anything was
/// changed. [`LibraryError::Locked`] when another process uses it for longer than `wait`; `None` waits for one that opens it as long as
/// that takes.
pub(crate) async fn open(folder: &Path, clock: Clock, wait: Option<Duration>) -> Result<Database, LibraryError> {
    let folder = folder.to_owned();
    let read_only = |error: std::io::Error| write_error(&folder, &error);
    if folder.to_str().is_none() {
        // SQLite itself would open it, sqlx does not.
        return Err(read_only(std::io::Error::other("its path is not valid UTF-8")));
    }
    create_private_folder(&folder).map_err(read_only)?;
    let opening = match wait {
        None => lock_opening(&folder).await.map_err(read_only)?,
        Some(wait) => lock_opening_within(&folder, wait).await?,
    };
    let in_use = in_use_lock(&folder).map_err(read_only)?;
    in_use.try_lock_shared().map_err(|error| lock_error(&folder, error))?;
    let file = folder.join(DATABASE);
    check_header(&folder, &file)?;
    refuse_other_program(&folder, &file).await?;
    // SQLite opens a file that it cannot write for reading only, and would report that much later.
    drop(private_options().append(true).create(true).open(&file).map_err(read_only)?);
    check_writable(&folder).map_err(read_only)?;
    // SQLite creates the log and the journal with the permissions of the library.
    make_private(&folder).map_err(read_only)?;

    let options = connect_options(&file);
    let damaged = |error: sqlx::Error| open_error(&folder, error);
    let writing = options.clone().pragma("cache_size", "-8192");
    let opening_with = wait.map_or_else(|| writing.clone(), |wait| writing.clone().busy_timeout(wait));
    let mut writer = connect_writer(&folder, &file, &opening_with).await?;
    migrate(&folder, &in_use, &mut writer, &clock).await?;
    purge_unsubscribed(&mut writer, clock.now()).await.map_err(damaged)?;
    match logins::move_all(&mut writer).await {
        // A full disk must not keep the library from opening; the next opening tries again.
        Ok(()) | Err(LibraryError::DiskFull) => {}
        Err(error) => return Err(error),
    }

    drop(opening);
    let last_change = data_version(&mut writer).await?;
    if wait.is_some() {
        sqlx::raw_sql(BUSY_TIMEOUT).execute(&mut writer).await.map_err(damaged)?;
    }

    let db = with_readers(&folder, in_use, clock, (writer, writing), options).await?;
    db.last_change.store(last_change, Ordering::Relaxed);
    Scheduled::new(&db).release_due(db.now()).await?;
    Ok(db)
}

/// Opens a library that cannot be written, such as one on a full disk. Nothing is created or changed, and changes fail.
///
/// # Errors
/// [`LibraryError::Locked`] while another process has the library open and SQLite cannot share it; [`LibraryError::Damaged`]; and
/// [`LibraryError::ReadOnly`] when there is no library, or it has the schema of another version.
pub(crate) async fn open_to_read(folder: &Path, clock: Clock) -> Result<Database, LibraryError> {
    let file = folder.join(DATABASE);
    check_header(folder, &file)?;
    let unwritable = |why: &str| LibraryError::ReadOnly { folder: folder.to_owned(), why: why.to_owned() };
    if schema_version(&file) != Some(newest_schema()) {
        return Err(unwritable("its schema is not that of this version"));
    }
    let in_use = File::open(folder.join(IN_USE)).map_err(|error| write_error(folder, &error))?;
    // Only a file that nothing changes can be read without the files that the processes share.
    let is_alone = in_use.try_lock().is_ok();
    if !is_alone {
        in_use.try_lock_shared().map_err(|error| lock_error(folder, error))?;
    }
    let log = fs::metadata(folder.join("library.sqlite-wal")).map_or(0, |log| log.len());
    let options = SqliteConnectOptions::new()
        .filename(&file)
        .read_only(true)
        .immutable(is_alone && log == 0)
        .busy_timeout(BUSY_WAIT)
        .statement_cache_capacity(200)
        .disable_statement_logging();
    let writer = options.connect().await.map_err(|error| open_error(folder, error))?;
    with_readers(folder, in_use, clock, (writer, options.clone()), options).await
}

/// Reads the settings that are kept in memory, and opens the connections that read.
async fn with_readers(
    folder: &Path,
    in_use: File,
    clock: Clock,
    (mut writer, writing): (SqliteConnection, SqliteConnectOptions),
    options: SqliteConnectOptions,
) -> Result<Database, LibraryError> {
    let damaged = |error: sqlx::Error| open_error(folder, error);
    let combine = settings::get(&mut writer, duplicates::SETTING).await.map_err(damaged)?;
    let schedule = settings::get(&mut writer, scheduled::SETTING).await.map_err(damaged)?;
    let version_limit = settings::get(&mut writer, versions::SETTING).await.map_err(damaged)?;
    // A connection is tested when it is returned. Another test before each statement would wake its thread once more.
    let readers = SqlitePoolOptions::new().max_connections(4).test_before_acquire(false).connect_lazy_with(
        options.pragma("query_only", "on").pragma("mmap_size", "268435456").optimize_on_close(false, None),
    );
    let db = Database::new(folder.to_owned(), in_use, clock, (writer, writing), readers);
    db.combine_duplicates.store(combine.as_deref() != Some("false"), Ordering::Relaxed);
    db.schedule_future.store(schedule.as_deref() == Some("true"), Ordering::Relaxed);
    db.version_limit.store(versions::limit_of(version_limit.as_deref()), Ordering::Relaxed);
    Ok(db)
}

/// Waits until no other process opens the library, so that only one creates it or updates its schema.
async fn lock_opening(folder: &Path) -> std::io::Result<File> {
    let folder = folder.to_owned();
    // Waiting for the lock must not block a thread that the other process may need.
    let locked = tokio::task::spawn_blocking(move || {
        let file = lock_file(&folder, "opening.lock")?;
        file.lock()?;
        Ok(file)
    });
    locked.await.unwrap_or_else(|error| Err(std::io::Error::other(error)))
}

/// Waits until no other process opens the library, for at most `wait`. No thread waits on when the time is over.
async fn lock_opening_within(folder: &Path, wait: Duration) -> Result<File, LibraryError> {
    let unwritable = |error: std::io::Error| write_error(folder, &error);
    let file = lock_file(folder, "opening.lock").map_err(unwritable)?;
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Err(fs::TryLockError::WouldBlock) if begun.elapsed() < wait => {}
            locked => return locked.map(|()| file).map_err(|error| lock_error(folder, error)),
        }
        // pause: nothing announces that another process is done with the lock.
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Returns the options of all connections.
fn connect_options(file: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(file)
        .page_size(8192)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(BUSY_WAIT)
        .statement_cache_capacity(200)
        .disable_statement_logging()
}

/// Opens the connection that writes.
async fn connect_writer(
    folder: &Path,
    file: &Path,
    options: &SqliteConnectOptions,
) -> Result<SqliteConnection, LibraryError> {
    let damaged = |error: sqlx::Error| open_error(folder, error);
    let mut options = options.clone();
    // Read before SQLite opens the file: closing it again would remove the locks of this process, and another program could delete
    // the log that is in use (https://www.sqlite.org/howtocorrupt.html, 2.2).
    let exists = is_sqlite_file(file);
    let says_wal = header_says_wal(file).map_err(|error| write_error(folder, &error))?;
    if !exists {
        // Setting this for an existing library would be a write, for which a full disk has no room.
        options = options.auto_vacuum(SqliteAutoVacuum::Incremental);
    }
    let mut writer = options.connect().await.map_err(damaged)?;
    if !says_wal {
        // After a power cut during creation the log can be there while the header does not mention it; readers would then ignore it.
        sqlx::raw_sql("PRAGMA journal_mode = DELETE; PRAGMA journal_mode = WAL")
            .execute(&mut writer)
            .await
            .map_err(damaged)?;
    }
    Ok(writer)
}

/// Deletes feeds that were unsubscribed a day ago or more, with their data.
async fn purge_unsubscribed(writer: &mut SqliteConnection, now: Millis) -> Result<(), sqlx::Error> {
    sqlx::query(
        "DELETE FROM feeds WHERE unsubscribed_at IS NOT NULL AND unsubscribed_at < ?1
            AND (SELECT count(*) FROM (SELECT 1 FROM items WHERE feed_id = feeds.id LIMIT ?2 + 1)) <= ?2",
    )
    .bind(now - UNSUBSCRIBED_STORED_FOR)
    .bind(PURGED_AT_ONCE)
    .execute(writer)
    .await?;
    Ok(())
}

/// Checks that files can be created in the folder, as SQLite needs to.
fn check_writable(folder: &Path) -> std::io::Result<()> {
    // Several openings, also of this process, must not use the same name.
    static OPENINGS: AtomicU64 = AtomicU64::new(0);
    let probe = folder.join(format!(".writable-{}-{}", std::process::id(), OPENINGS.fetch_add(1, Ordering::Relaxed)));
    drop(private_options().write(true).create_new(true).open(&probe)?);
    fs::remove_file(probe)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Library, Occasion, schema::MIGRATIONS};
    use sqlx::{Connection as _, migrate::Migrator};

    #[test]
    fn a_library_next_to_the_program_is_used() {
        let folder = tempfile::tempdir().unwrap();
        let (program, library) = (folder.path().join("gleaner"), folder.path().join(PORTABLE));
        assert_eq!(portable(&program), None);
        fs::write(&library, "a file").unwrap();
        assert_eq!(portable(&program), None);
        fs::remove_file(&library).unwrap();
        fs::create_dir(&library).unwrap();
        assert_eq!(portable(&program), Some(library));
    }

    #[tokio::test]
    async fn refuses_a_newer_library_without_changing_it() {
        let folder = tempfile::tempdir().unwrap();
        Library::open(folder.path()).await.unwrap().close().await.unwrap();
        let file = folder.path().join("library.sqlite");
        let mut bytes = fs::read(&file).unwrap();
        bytes[60..64].copy_from_slice(&900_u32.to_be_bytes());
        fs::write(&file, &bytes).unwrap();
        let error = Library::open(folder.path()).await.unwrap_err();
        assert!(matches!(error, LibraryError::Newer { found: 900, .. }), "{error}");
        assert_eq!(fs::read(&file).unwrap(), bytes);
    }

    #[tokio::test]
    async fn an_emptied_or_missing_library_is_not_replaced_by_a_new_one_while_there_are_backups() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(DATABASE);
        fs::write(&file, "").unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        library
            .subscriptions()
            .add(&crate::NewSubscription { url: "https://example.com/".to_owned(), ..Default::default() })
            .await
            .unwrap();
        library.back_up(Occasion::ByHand).await.unwrap();
        library.close().await.unwrap();
        for is_missing in [false, true] {
            fs::remove_file(&file).unwrap();
            if !is_missing {
                fs::write(&file, "").unwrap();
            }
            let error = Library::open(folder.path()).await.unwrap_err();
            assert!(error.is_damage(), "{error}");
            assert_eq!(file.exists(), !is_missing);
            let recovered = crate::recover(folder.path()).await.unwrap();
            assert_eq!((recovered.feeds, recovered.filled_from.is_some()), (1, true));
            Library::open(folder.path()).await.unwrap().close().await.unwrap();
        }
    }

    #[tokio::test]
    async fn the_log_of_an_emptied_library_is_not_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("library.sqlite-wal");
        fs::write(folder.path().join(DATABASE), "").unwrap();
        fs::write(&log, "the newest pages").unwrap();
        let error = Library::open(folder.path()).await.unwrap_err();
        assert!(error.is_damage(), "{error}");
        assert_eq!(fs::read_to_string(&log).unwrap(), "the newest pages");
    }

    #[tokio::test]
    async fn opening_does_not_wait_long_for_another_process_if_asked_so() {
        let folder = tempfile::tempdir().unwrap();
        Library::open(folder.path()).await.unwrap().close().await.unwrap();
        let soon = || Library::open_within(folder.path(), Duration::from_millis(1));
        let is_locked = |opened: Result<Library, LibraryError>| matches!(opened, Err(LibraryError::Locked));

        let opening = lock_file(folder.path(), "opening.lock").unwrap();
        opening.lock().unwrap();
        assert!(is_locked(soon().await), "it is opened elsewhere");
        drop(opening);
        let mut other = connect_options(&folder.path().join(DATABASE)).connect().await.unwrap();
        sqlx::raw_sql("BEGIN EXCLUSIVE").execute(&mut other).await.unwrap();
        assert!(is_locked(soon().await), "it is written elsewhere");
        sqlx::raw_sql("COMMIT").execute(&mut other).await.unwrap();
        other.close().await.unwrap();

        let library = soon().await.unwrap();
        let mut writer = library.db.writer().await;
        let wait: i64 = sqlx::query_scalar("PRAGMA busy_timeout").fetch_one(writer.connection()).await.unwrap();
        assert_eq!(u128::try_from(wait).unwrap(), BUSY_WAIT.as_millis(), "an open library waits as usual");
    }

    #[tokio::test]
    async fn a_library_that_is_only_read_shows_what_is_stored_and_refuses_changes() {
        let folder = tempfile::tempdir().unwrap();
        let none = Library::open_to_read(folder.path()).await.unwrap_err();
        assert!(matches!(none, LibraryError::ReadOnly { .. }) && fs::read_dir(folder.path()).unwrap().next().is_none());
        let library = Library::open(folder.path()).await.unwrap();
        library.settings().set("a", "1").await.unwrap();
        let stored = async || {
            let reading = Library::open_to_read(folder.path()).await.unwrap();
            assert!(reading.settings().set("a", "2").await.is_err());
            let read = reading.settings().get("a").await.unwrap();
            reading.close().await.unwrap();
            read
        };
        assert_eq!(stored().await.as_deref(), Some("1"), "from the log, while another process has the library open");
        library.close().await.unwrap();
        assert_eq!(stored().await.as_deref(), Some("1"));
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn a_path_that_is_not_utf_8_is_no_damage() {
        use std::os::unix::ffi::OsStrExt as _;
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join(std::ffi::OsStr::from_bytes(b"\xff"));
        let error = Library::open(&folder).await.unwrap_err();
        assert!(matches!(error, LibraryError::ReadOnly { .. }), "{error}");
        assert!(!folder.exists());
    }

    /// Creates a library with the first schema.
    async fn first_schema(folder: &Path) -> SqliteConnection {
        let options = SqliteConnectOptions::new().filename(folder.join("library.sqlite")).create_if_missing(true);
        let mut old = options.connect().await.unwrap();
        let first = Migrator { migrations: vec![MIGRATIONS.migrations[0].clone()].into(), ..Migrator::DEFAULT };
        first.run_direct(None, &mut old, false).await.unwrap();
        old
    }

    #[tokio::test]
    async fn the_schema_is_not_updated_while_an_older_gleaner_is_open() {
        let folder = tempfile::tempdir().unwrap();
        let mut old = first_schema(folder.path()).await;
        let share = in_use_lock(folder.path()).unwrap();
        share.lock_shared().unwrap();
        let error = Library::open(folder.path()).await.unwrap_err();
        assert!(matches!(error, LibraryError::OlderInUse), "{error}");
        let version: i64 = sqlx::query_scalar("PRAGMA user_version").fetch_one(&mut old).await.unwrap();
        assert_eq!(version, 1);
        old.close().await.unwrap();
        drop(share);
        let first = Library::open(folder.path()).await.unwrap();
        let second = Library::open(folder.path()).await.unwrap();
        assert!(matches!(in_use_lock(folder.path()).unwrap().try_lock(), Err(fs::TryLockError::WouldBlock)));
        first.close().await.unwrap();
        second.close().await.unwrap();
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn several_processes_can_update_a_library_at_once() {
        let folder = tempfile::tempdir().unwrap();
        first_schema(folder.path()).await.close().await.unwrap();
        let openings = (0..4).map(|_| {
            let folder = folder.path().to_owned();
            tokio::spawn(async move { Library::open(&folder).await })
        });
        // All stay open, as processes do.
        for opening in futures::future::join_all(openings).await {
            opening.unwrap().unwrap();
        }
    }

    #[tokio::test]
    async fn p10_validators_survive_an_upgrade() {
        let folder = tempfile::tempdir().unwrap();
        let mut old = first_schema(folder.path()).await;
        sqlx::raw_sql(
            "INSERT INTO feeds (id, account_id, url, url_key, position, added_at) VALUES (7, 1, 'https://example.com/', 'example.com', 0, 0);
             INSERT INTO polls (feed_id, etag, last_modified, next_at) VALUES (7, '\"e\"', 'yesterday', 0)",
        )
        .execute(&mut old)
        .await
        .unwrap();
        old.close().await.unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let poll = library.polls().list().await.unwrap().pop().unwrap();
        let backup = library.backups().pop().unwrap();
        assert_eq!(backup.occasion, Occasion::Upgrade);
        let mut copied = SqliteConnectOptions::new().filename(&backup.path).connect().await.unwrap();
        let version: i64 = sqlx::query_scalar("PRAGMA user_version").fetch_one(&mut copied).await.unwrap();
        assert_eq!(version, 1, "the backup is from before");
        assert_eq!(
            (poll.etag.as_deref(), poll.last_modified.as_deref()),
            (Some(&b"\"e\""[..]), Some(&b"yesterday"[..]))
        );
    }

    #[tokio::test]
    async fn refuses_a_foreign_file_without_changing_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("library.sqlite");
        fs::write(&file, "dear diary, ".repeat(30)).unwrap();
        let error = Library::open(folder.path()).await.unwrap_err();
        assert!(matches!(error, LibraryError::Damaged { .. }), "{error}");
        assert_eq!(fs::read_to_string(&file).unwrap(), "dear diary, ".repeat(30));
    }

    #[tokio::test]
    async fn refuses_the_database_of_another_program_without_changing_it() {
        for tables in
            ["CREATE TABLE feeds (url)", "CREATE TABLE _sqlx_migrations (version); CREATE TABLE recipes (name)"]
        {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join(DATABASE);
            let options = SqliteConnectOptions::new().filename(&file).create_if_missing(true);
            let mut other = options.connect().await.unwrap();
            sqlx::raw_sql(tables).execute(&mut other).await.unwrap();
            other.close().await.unwrap();
            let before = fs::read(&file).unwrap();
            let error = Library::open(folder.path()).await.unwrap_err();
            assert!(error.is_damage() && error.to_string().contains("another program"), "{error}");
            assert_eq!(fs::read(&file).unwrap(), before);
            let mine = tempfile::tempdir().unwrap();
            Library::open(mine.path()).await.unwrap().close().await.unwrap();
            assert!(crate::restore(mine.path(), &file).await.unwrap_err().is_damage());
            assert!(!mine.path().join("aside").exists());
        }
    }

    #[tokio::test]
    async fn reports_a_folder_that_cannot_be_created() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("in-the-way");
        fs::write(&file, "").unwrap();
        let error = Library::open(&file.join("library")).await.unwrap_err();
        assert!(matches!(error, LibraryError::ReadOnly { .. }), "{error}");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn several_processes_can_open_a_new_library_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let open = || {
            tokio::spawn({
                let folder = folder.path().to_owned();
                async move { Library::open(&folder).await.map(|_| ()) }
            })
        };
        for opening in [open(), open(), open(), open()] {
            opening.await.unwrap().unwrap();
        }
    }

    #[tokio::test]
    async fn one_process_at_a_time_has_the_polling_lock() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (Library::open(folder.path()).await.unwrap(), Library::open(folder.path()).await.unwrap());
        let lock = one.polling_lock().unwrap();
        assert!(lock.is_some());
        assert!(two.polling_lock().unwrap().is_none());
        drop(lock);
        assert!(two.polling_lock().unwrap().is_some());
    }
}
