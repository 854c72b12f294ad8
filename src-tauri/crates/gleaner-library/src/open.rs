//! Opening and closing.

use crate::{
    LibraryError, Millis,
    backup::{self, Occasion},
    now,
    table::{dictionaries::Dictionaries, held, stories, versions},
    undo::UndoStack,
};
use sqlx::{
    ConnectOptions as _, Connection as _, Sqlite, SqliteConnection, SqlitePool, Transaction,
    migrate::Migrator,
    sqlite::{SqliteAutoVacuum, SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use std::{
    fs::{self, File},
    io::Read as _,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, AtomicI64, AtomicU64, AtomicUsize, Ordering},
    time::Duration,
};
use tokio::sync::{Mutex, MutexGuard};

static MIGRATIONS: Migrator = sqlx::migrate!("./migrations");

/// "GLNR": says in the file's header whose it is.
const APPLICATION_ID: u32 = 0x474c_4e52;

/// How SQLite's files begin.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// How long an unsubscribed feed can be brought back.
pub(crate) const UNSUBSCRIBED_KEPT: Millis = 24 * 60 * 60 * 1000;

/// A feed of more articles than this is deleted slice by slice afterwards (`keeping.rs`): opening waits for none of them.
pub(crate) const PURGED_AT_ONCE: i64 = 500;

/// The folder that window and `glean` share unless told otherwise: `GLEANER_LIBRARY`, else the platform's data
/// directory. `None` where the system names no home.
pub fn default_folder() -> Option<PathBuf> {
    match std::env::var_os("GLEANER_LIBRARY") {
        Some(folder) if !folder.is_empty() => Some(PathBuf::from(folder)),
        _ => directories::ProjectDirs::from("net", "Gleaner", "Gleaner").map(|dirs| dirs.data_dir().to_owned()),
    }
}

/// An open library. Several processes may have one open at the same time.
#[derive(Debug)]
pub struct Library {
    folder: PathBuf,
    writer: Mutex<SqliteConnection>,
    /// How the writer is opened.
    pub(crate) writing: SqliteConnectOptions,
    /// How many wait for it.
    waiting: AtomicUsize,
    /// A share in the lock that restoring takes whole.
    _in_use: File,
    pub(crate) readers: SqlitePool,
    pub(crate) undo: UndoStack,
    /// Held while an archive is taken in.
    pub(crate) arriving: Mutex<()>,
    pub(crate) dictionaries: Dictionaries,
    /// Whether the articles of a story count as one: a setting, kept at hand since every list asks.
    pub(crate) one_story: AtomicBool,
    /// Whether articles dated in the future are held back: a setting, kept at hand since every poll asks.
    pub(crate) hold_future: AtomicBool,
    /// How many former versions of an article are kept: a setting, kept at hand since every change asks. See `table::versions`.
    pub(crate) versions_kept: AtomicI64,
}

/// Held by the one process that polls; let go when dropped, or by the system when the process dies.
#[derive(Debug)]
pub struct PollingLock {
    _file: File,
}

impl Library {
    /// Opens the library in `folder`, makes it where there is none, and brings its schema up to date.
    ///
    /// # Errors
    /// [`LibraryError::ReadOnly`], [`LibraryError::Newer`] and [`LibraryError::Damaged`], before anything was changed.
    pub async fn open(folder: &Path) -> Result<Self, LibraryError> {
        let folder = folder.to_owned();
        let read_only =
            |error: std::io::Error| LibraryError::ReadOnly { folder: folder.clone(), why: error.to_string() };
        fs::create_dir_all(&folder).map_err(read_only)?;
        let in_use = in_use(&folder).map_err(read_only)?;
        in_use.try_lock_shared().map_err(|error| not_locked(&folder, error))?;
        let file = folder.join("library.sqlite");
        check_header(&folder, &file)?;
        // SQLite opens what it cannot write for reading only, and would say so much later: ask the system now.
        drop(File::options().append(true).create(true).open(&file).map_err(read_only)?);
        tempfile_in(&folder).map_err(read_only)?;

        let options = SqliteConnectOptions::new()
            .filename(&file)
            .page_size(8192)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(Duration::from_secs(15))
            .statement_cache_capacity(200)
            .disable_statement_logging();
        let damaged = |error: sqlx::Error| match LibraryError::from(error) {
            LibraryError::Sql(error) => LibraryError::Damaged { folder: folder.clone(), why: error.to_string() },
            other => other,
        };
        // Two processes that open a new library at the same moment make it one after the other. Waiting for the other
        // must not hold up a thread that the other may need.
        let lock = folder.join("opening.lock");
        let opening = tokio::task::spawn_blocking(move || {
            let file = File::options().create(true).append(true).open(lock)?;
            file.lock()?;
            Ok(file)
        });
        let opening = opening.await.unwrap_or_else(|error| Err(std::io::Error::other(error))).map_err(read_only)?;
        let writing = options.clone().pragma("cache_size", "-8192");
        let mut writer = writing.clone();
        if !is_made(&file) {
            // Said to a library that is there it would be a write, for which a full disk has no room.
            writer = writer.auto_vacuum(SqliteAutoVacuum::Incremental);
        }
        let mut writer = writer.connect().await.map_err(damaged)?;
        if !says_that_it_has_a_log(&file).map_err(read_only)? {
            // A power cut while it was made: the log came through and what says so did not, and readers would not look into it.
            sqlx::raw_sql("PRAGMA journal_mode = DELETE; PRAGMA journal_mode = WAL")
                .execute(&mut writer)
                .await
                .map_err(damaged)?;
        }
        migrate(&folder, &mut writer).await?;
        purge_unsubscribed(&mut writer).await.map_err(damaged)?;

        drop(opening);
        let one_story = setting(&mut writer, stories::SETTING).await.map_err(damaged)?.as_deref() != Some("false");
        let hold_future = setting(&mut writer, held::SETTING).await.map_err(damaged)?.as_deref() == Some("true");
        let versions_kept =
            versions::wished(setting(&mut writer, versions::SETTING).await.map_err(damaged)?.as_deref());

        let readers = SqlitePoolOptions::new().max_connections(4).connect_lazy_with(
            options.pragma("query_only", "on").pragma("mmap_size", "268435456").optimize_on_close(false, None),
        );
        let library = Self {
            folder,
            writer: Mutex::new(writer),
            writing,
            waiting: AtomicUsize::new(0),
            _in_use: in_use,
            readers,
            undo: UndoStack::default(),
            arriving: Mutex::new(()),
            dictionaries: Dictionaries::default(),
            one_story: AtomicBool::new(one_story),
            hold_future: AtomicBool::new(hold_future),
            versions_kept: AtomicI64::new(versions_kept),
        };
        library.release_held(now()).await?;
        Ok(library)
    }

    /// The library's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Bytes of the library's files on the disk.
    pub fn bytes_on_disk(&self) -> u64 {
        ["library.sqlite", "library.sqlite-wal"]
            .iter()
            .filter_map(|name| fs::metadata(self.folder.join(name)).ok())
            .map(|file| file.len())
            .sum()
    }

    /// The right to poll, which one process at a time has; `None` while another has it.
    ///
    /// # Errors
    /// [`LibraryError::ReadOnly`] when the lock file cannot be made.
    pub fn polling_lock(&self) -> Result<Option<PollingLock>, LibraryError> {
        let io = |error: std::io::Error| LibraryError::ReadOnly { folder: self.folder.clone(), why: error.to_string() };
        let file = File::options().create(true).append(true).open(self.folder.join("polling.lock")).map_err(io)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(PollingLock { _file: file })),
            Err(fs::TryLockError::WouldBlock) => Ok(None),
            Err(fs::TryLockError::Error(error)) => Err(io(error)),
        }
    }

    /// Takes the library's files from everybody but the user, before a secret comes into them.
    pub(crate) fn for_the_user_alone(&self) -> Result<(), LibraryError> {
        #[cfg(unix)]
        for name in ["library.sqlite", "library.sqlite-wal", "library.sqlite-shm"] {
            use std::os::unix::fs::PermissionsExt as _;
            match fs::set_permissions(self.folder.join(name), fs::Permissions::from_mode(0o600)) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(LibraryError::ReadOnly { folder: self.folder.clone(), why: error.to_string() });
                }
                // SQLite makes what is missing with the rights of the library itself.
                _ => {}
            }
        }
        Ok(())
    }

    /// Writes what the log holds into the file and closes it.
    ///
    /// # Errors
    /// When the log could not be written back; nothing is lost then, the next opening does it.
    pub async fn close(self) -> Result<(), LibraryError> {
        self.readers.close().await;
        Ok(self.writer.into_inner().close().await?)
    }

    pub(crate) async fn writer(&self) -> Writer<'_> {
        let _until_it_is_there = Waiting::among(&self.waiting);
        Writer { connection: self.writer.lock().await, options: &self.writing }
    }

    /// Whether somebody in this process waits for the writer: whoever has it for long work is to let it go soon.
    pub(crate) fn writer_is_wanted(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }
}

struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn among(waiting: &'a AtomicUsize) -> Self {
        waiting.fetch_add(1, Ordering::Relaxed);
        Self(waiting)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The one writing connection, while somebody has it.
pub(crate) struct Writer<'a> {
    connection: MutexGuard<'a, SqliteConnection>,
    options: &'a SqliteConnectOptions,
}

impl Writer<'_> {
    /// A transaction that has the right to write from its start, so that it never fails half-way for want of it.
    pub(crate) async fn begin(&mut self) -> Result<Transaction<'_, Sqlite>, LibraryError> {
        // Where the disk failed SQLite has ended the transaction itself. sqlx, which wanted to, goes on believing in it.
        if self.connection.ping().await.is_err() || self.connection.is_in_transaction() {
            *self.connection = self.options.connect().await?;
        }
        Ok(self.connection.begin_with("BEGIN IMMEDIATE").await?)
    }

    /// For what no transaction may hold.
    pub(crate) fn connection(&mut self) -> &mut SqliteConnection {
        &mut self.connection
    }
}

/// Why a lock in the folder could not be taken: somebody has it, or the file system knows none.
pub(crate) fn not_locked(folder: &Path, error: fs::TryLockError) -> LibraryError {
    match error {
        fs::TryLockError::WouldBlock => LibraryError::Locked,
        fs::TryLockError::Error(error) => LibraryError::ReadOnly { folder: folder.to_owned(), why: error.to_string() },
    }
}

/// The lock of those who have the library open, not yet taken.
pub(crate) fn in_use(folder: &Path) -> std::io::Result<File> {
    File::options().create(true).append(true).open(folder.join("library.lock"))
}

/// Whether there is a library in the file, and not only a place for one.
fn is_made(file: &Path) -> bool {
    let mut header = [0; MAGIC.len()];
    File::open(file).and_then(|mut file| file.read_exact(&mut header)).is_ok() && header == *MAGIC
}

/// Reads the file's header without SQLite, so that a newer or foreign file is not touched at all.
fn check_header(folder: &Path, file: &Path) -> Result<(), LibraryError> {
    let mut header = [0; 100];
    let mut open = match File::open(file) {
        Ok(open) => open,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(LibraryError::ReadOnly { folder: folder.to_owned(), why: error.to_string() }),
    };
    let length = open.metadata().map_or(0, |file| file.len());
    if length == 0 {
        return Ok(());
    }
    let damaged = |why: &str| LibraryError::Damaged { folder: folder.to_owned(), why: why.to_owned() };
    open.read_exact(&mut header).map_err(|_| damaged("the file is too short to be a library"))?;
    if !header.starts_with(MAGIC) {
        // The power went while it was made: the journal, which is on the disk before anything else, says that there was nothing.
        if fs::metadata(folder.join("library.sqlite-journal")).is_ok_and(|journal| journal.len() > 0) {
            return Ok(());
        }
        return Err(damaged("library.sqlite is not a SQLite file"));
    }
    let number = |at: usize| u32::from_be_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    let (version, application) = (i64::from(number(60)), number(68));
    if application != APPLICATION_ID && application != 0 {
        return Err(damaged("library.sqlite belongs to another program"));
    }
    newer(folder, version)
}

/// Whether the file's header says that a write-ahead log belongs to it (<https://www.sqlite.org/fileformat.html>, 1.3.3).
fn says_that_it_has_a_log(file: &Path) -> std::io::Result<bool> {
    let mut header = [0; 20];
    match File::open(file)?.read_exact(&mut header) {
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Ok(true),
        read => read.map(|()| header[18..] == [2, 2]),
    }
}

fn newer(folder: &Path, found: i64) -> Result<(), LibraryError> {
    let known = MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or(0);
    if found > known {
        return Err(LibraryError::Newer { folder: folder.to_owned(), found, known });
    }
    Ok(())
}

async fn migrate(folder: &Path, writer: &mut SqliteConnection) -> Result<(), LibraryError> {
    let damaged = |why: String| LibraryError::Damaged { folder: folder.to_owned(), why };
    let sql = |error: sqlx::Error| match LibraryError::from(error) {
        LibraryError::Sql(error) => LibraryError::Damaged { folder: folder.to_owned(), why: error.to_string() },
        other => other,
    };
    let version: i64 = sqlx::query_scalar("PRAGMA user_version").fetch_one(&mut *writer).await.map_err(sql)?;
    // The header can lag behind the log when the newer program was killed.
    newer(folder, version)?;
    let known = MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or(0);
    if version == known {
        return Ok(());
    }
    if version > 0 {
        backup::copy(folder, writer, Occasion::Upgrade).await?;
    }
    MIGRATIONS.run_direct(None, &mut *writer, false).await.map_err(|error| match error {
        sqlx::migrate::MigrateError::Execute(error) => sql(error),
        other => damaged(other.to_string()),
    })?;
    sqlx::raw_sql("PRAGMA application_id = 1196183122; PRAGMA wal_checkpoint(TRUNCATE)")
        .execute(writer)
        .await
        .map_err(sql)?;
    Ok(())
}

async fn setting(writer: &mut SqliteConnection, key: &str) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar("SELECT value FROM settings WHERE key = ?").bind(key).fetch_optional(writer).await
}

/// Feeds that were unsubscribed a day ago or more, with all that is theirs.
async fn purge_unsubscribed(writer: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    sqlx::query(
        "DELETE FROM feeds WHERE unsubscribed_at IS NOT NULL AND unsubscribed_at < ?1
            AND (SELECT count(*) FROM (SELECT 1 FROM items WHERE feed_id = feeds.id LIMIT ?2 + 1)) <= ?2",
    )
    .bind(now() - UNSUBSCRIBED_KEPT)
    .bind(PURGED_AT_ONCE)
    .execute(writer)
    .await?;
    Ok(())
}

/// Proves that files can be made in the folder: SQLite needs to, beside the library.
fn tempfile_in(folder: &Path) -> std::io::Result<()> {
    // A name of its own for each opening, of this process too.
    static OPENINGS: AtomicU64 = AtomicU64::new(0);
    let probe = folder.join(format!(".writable-{}-{}", std::process::id(), OPENINGS.fetch_add(1, Ordering::Relaxed)));
    File::create(&probe)?;
    fs::remove_file(probe)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_application_id_is_the_pragmas() {
        assert_eq!(APPLICATION_ID, 1_196_183_122);
    }

    #[tokio::test]
    async fn a_newer_library_is_refused_and_not_touched() {
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
    async fn p10_validators_survive_an_upgrade() {
        let folder = tempfile::tempdir().unwrap();
        let options =
            SqliteConnectOptions::new().filename(folder.path().join("library.sqlite")).create_if_missing(true);
        let mut old = options.connect().await.unwrap();
        let first = Migrator { migrations: vec![MIGRATIONS.migrations[0].clone()].into(), ..Migrator::DEFAULT };
        first.run_direct(None, &mut old, false).await.unwrap();
        sqlx::raw_sql(
            "INSERT INTO feeds (id, account_id, url, url_key, position, added_at) VALUES (7, 1, 'https://example.com/', 'example.com', 0, 0);
             INSERT INTO polls (feed_id, etag, last_modified, next_at) VALUES (7, '\"e\"', 'yesterday', 0)",
        )
        .execute(&mut old)
        .await
        .unwrap();
        old.close().await.unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let poll = library.polls().await.unwrap().pop().unwrap();
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
    async fn a_file_that_is_no_library_is_refused_and_not_touched() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("library.sqlite");
        fs::write(&file, "dear diary, ".repeat(30)).unwrap();
        let error = Library::open(folder.path()).await.unwrap_err();
        assert!(matches!(error, LibraryError::Damaged { .. }), "{error}");
        assert_eq!(fs::read_to_string(&file).unwrap(), "dear diary, ".repeat(30));
    }

    #[tokio::test]
    async fn a_folder_that_cannot_be_made_is_said_so() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("in-the-way");
        fs::write(&file, "").unwrap();
        let error = Library::open(&file.join("library")).await.unwrap_err();
        assert!(matches!(error, LibraryError::ReadOnly { .. }), "{error}");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn several_may_open_a_new_library_at_once() {
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
    async fn only_one_polls() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (Library::open(folder.path()).await.unwrap(), Library::open(folder.path()).await.unwrap());
        let held = one.polling_lock().unwrap();
        assert!(held.is_some());
        assert!(two.polling_lock().unwrap().is_none());
        drop(held);
        assert!(two.polling_lock().unwrap().is_some());
    }
}
