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
    assert_eq!((poll.etag.as_deref(), poll.last_modified.as_deref()), (Some(&b"\"e\""[..]), Some(&b"yesterday"[..])));
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
    for tables in ["CREATE TABLE feeds (url)", "CREATE TABLE _sqlx_migrations (version); CREATE TABLE recipes (name)"] {
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
