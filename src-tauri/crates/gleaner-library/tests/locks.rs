//! Locks by which other programs see that a library is open.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

use gleaner_library::{Library, Occasion};
use std::{fs, os::unix::fs::MetadataExt as _};

/// A program that closes the last connection to a database deletes its log, and with it what is written there afterwards. SQLite's
/// locks say whether there is another connection.
#[tokio::test]
async fn other_programs_see_that_a_library_is_open() {
    let folder = tempfile::tempdir().unwrap();
    // Created, and opened again.
    for _ in 0..2 {
        let library = Library::open(folder.path()).await.unwrap();
        library.back_up(Occasion::ByHand).await.unwrap();
        let process = format!(" {} ", std::process::id());
        let database = format!(":{} ", fs::metadata(folder.path().join("library.sqlite")).unwrap().ino());
        let locks = fs::read_to_string("/proc/locks").unwrap();
        assert!(locks.lines().any(|lock| lock.contains(&process) && lock.contains(&database)), "{locks}");
        library.close().await.unwrap();
    }
}
