//! Every file of a library is private, however it is created: folders 0700, files 0600, regardless of the umask.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use gleaner_library::{
    Access, Clock, Headers, Incoming, Intent, Library, NewItem, NewSubscription, Occasion, recover, restore,
};
use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// All files and folders below a folder, and the folder itself.
fn everything(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![folder.to_owned()];
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(everything(&path)) } else { found.push(path) }
    }
    found
}

fn assert_private(folder: &Path) -> Vec<String> {
    let found = everything(folder);
    for path in &found {
        let wanted = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode(path), wanted, "{} has {:o}", path.display(), mode(path));
    }
    let relative = |path: &PathBuf| path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
    found.iter().map(relative).collect()
}

/// Creates a folder and a file as other programs do, to show that the umask lets others read them.
fn umask_is_open(folder: &Path) {
    let plain = folder.join("plain");
    fs::write(&plain, "").unwrap();
    assert_ne!(mode(&plain) & 0o044, 0, "these tests need a umask that lets others read, such as 022");
    fs::remove_file(plain).unwrap();
}

async fn filled(folder: &Path) -> Library {
    let library = Library::open(folder).await.unwrap();
    let feed_id = library.subscriptions().add(&NewSubscription::new("https://a.example/feed")).await.unwrap();
    let item = NewItem { key: "1".to_owned(), digest: vec![0; 16], ..NewItem::default() };
    let incoming = Incoming::of_items(feed_id, vec![Intent::Insert(Box::new(item))]);
    library.polls().store(&[&incoming]).await.unwrap();
    library
}

#[tokio::test]
async fn creates_database_log_and_locks_for_the_user_alone() {
    let outer = tempfile::tempdir().unwrap();
    umask_is_open(outer.path());
    let folder = outer.path().join("a").join("library");
    let library = filled(&folder).await;
    let _polling = library.polling_lock().unwrap();
    let found = assert_private(&folder);
    for name in
        ["library.sqlite", "library.sqlite-wal", "library.sqlite-shm", "library.lock", "opening.lock", "polling.lock"]
    {
        assert!(found.contains(&name.to_owned()), "{name} is missing: {found:?}");
    }
    assert_eq!(mode(&outer.path().join("a")), 0o700, "folders above are created private too");
    library.close().await.unwrap();
    assert_private(&folder);
}

#[tokio::test]
async fn makes_an_open_library_private_when_it_is_opened() {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("library");
    filled(&folder).await.close().await.unwrap();
    fs::write(folder.join("library.sqlite-journal"), "").unwrap();
    fs::create_dir(folder.join("images")).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        fs::set_permissions(&path, fs::Permissions::from_mode(if path.is_dir() { 0o755 } else { 0o644 })).unwrap();
    }
    let library = Library::open(&folder).await.unwrap();
    assert_private(&folder);
    let access = Access {
        feed_id: 1,
        origin: "https://a.example".to_owned(),
        headers: Headers(vec![("X-Token".to_owned(), "secret".to_owned())]),
        ..Access::default()
    };
    library.connections().set(&access).await.unwrap();
    assert_private(&folder);
}

#[tokio::test]
async fn creates_backups_for_the_user_alone() {
    let folder = tempfile::tempdir().unwrap();
    let library = filled(folder.path()).await;
    let backup = library.back_up(Occasion::ByHand).await.unwrap();
    assert_eq!(mode(&backup.path), 0o600);
    let found = assert_private(folder.path());
    assert!(found.contains(&"backups/backup.lock".to_owned()), "{found:?}");
}

#[tokio::test]
async fn restores_a_readable_backup_as_a_private_library() {
    let outer = tempfile::tempdir().unwrap();
    umask_is_open(outer.path());
    let folder = outer.path().join("library");
    let library = filled(&folder).await;
    let backup = library.back_up(Occasion::ByHand).await.unwrap();
    library.close().await.unwrap();
    let other_folder = outer.path().join("copy.sqlite");
    fs::copy(&backup.path, &other_folder).unwrap();
    fs::set_permissions(&other_folder, fs::Permissions::from_mode(0o644)).unwrap();
    fs::set_permissions(folder.join("library.sqlite"), fs::Permissions::from_mode(0o644)).unwrap();
    let aside = restore(&folder, &other_folder).await.unwrap();
    let found = assert_private(&folder);
    assert!(aside.join("library.sqlite").exists() && found.contains(&"aside".to_owned()), "{found:?}");
    Library::open(&folder).await.unwrap();
    assert_private(&folder);
}

#[tokio::test]
async fn recovers_a_readable_library_as_a_private_one() {
    let outer = tempfile::tempdir().unwrap();
    umask_is_open(outer.path());
    let folder = outer.path().join("library");
    filled(&folder).await.close().await.unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(folder.join("library.sqlite"), fs::Permissions::from_mode(0o644)).unwrap();
    recover(&folder).await.unwrap();
    assert_private(&folder);
    Library::open(&folder).await.unwrap();
    assert_private(&folder);
}

#[tokio::test]
async fn stores_images_for_the_user_alone() {
    let folder = tempfile::tempdir().unwrap();
    let library = filled(folder.path()).await;
    let png = b"\x89PNG\r\n\x1a\n\0\0".to_vec();
    library.images().store(1, "https://a.example/1.png", png, 0).await.unwrap();
    let found = assert_private(folder.path());
    assert!(found.iter().filter(|path| path.starts_with("images/")).count() == 2, "{found:?}");
}

#[tokio::test]
async fn reads_the_time_from_the_clock_that_it_was_opened_with() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open_with(folder.path(), Clock::new(|| 1_234)).await.unwrap();
    library.subscriptions().add(&NewSubscription::new("https://a.example/feed")).await.unwrap();
    let poll = library.polls().list().await.unwrap().pop().unwrap();
    assert_eq!((library.now(), poll.next_at), (1_234, Some(1_234)));
}
