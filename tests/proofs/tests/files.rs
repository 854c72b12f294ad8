//! Checks that a file that replaces another (a backup, a restored or repaired library) is synced before it is renamed, and its folder
//! after that, so that a power cut leaves either file complete.
//!
//! Functions of this program with the names of system functions record the calls of SQLite and Rust, which needs unsafe code.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, unsafe_code)]

use gleaner_library::{Library, NewSubscription, Occasion, recover, restore};
use parking_lot::Mutex;
use std::{
    ffi::{CStr, OsStr, c_char, c_int},
    fs,
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
};

#[derive(Debug)]
enum Step {
    Synced { path: PathBuf, bytes: Vec<u8> },
    SyncedFolder(PathBuf),
    Renamed { from: PathBuf, to: PathBuf, bytes: Vec<u8> },
}

static STEPS: Mutex<Vec<Step>> = Mutex::new(Vec::new());

fn overheard(step: Step) {
    STEPS.lock().push(step);
}

fn synced(file: c_int) {
    let Ok(path) = fs::read_link(format!("/proc/self/fd/{file}")) else { return };
    if path.is_dir() {
        overheard(Step::SyncedFolder(path));
    } else if let Ok(bytes) = fs::read(&path) {
        overheard(Step::Synced { path, bytes });
    }
}

#[unsafe(no_mangle)]
extern "C" fn fsync(file: c_int) -> c_int {
    synced(file);
    // SAFETY: the arguments are passed on.
    unsafe { libc::syscall(libc::SYS_fsync, file) as c_int }
}

#[unsafe(no_mangle)]
extern "C" fn fdatasync(file: c_int) -> c_int {
    synced(file);
    // SAFETY: the arguments are passed on.
    unsafe { libc::syscall(libc::SYS_fdatasync, file) as c_int }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn rename(from: *const c_char, to: *const c_char) -> c_int {
    // SAFETY: both texts end with a zero, and the arguments are passed on.
    let path = |name| PathBuf::from(OsStr::from_bytes(unsafe { CStr::from_ptr(name) }.to_bytes()));
    let (from_path, to_path) = (path(from), path(to));
    if let Ok(bytes) = fs::read(&from_path) {
        overheard(Step::Renamed { from: from_path, to: to_path, bytes });
    }
    // SAFETY: the same.
    unsafe { libc::syscall(libc::SYS_renameat2, libc::AT_FDCWD, from, libc::AT_FDCWD, to, 0) as c_int }
}

/// Asserts that each renamed file was synced before, and its folder afterwards. Returns the number of files.
fn all_safe() -> usize {
    let steps = std::mem::take(&mut *STEPS.lock());
    let mut renamed = 0;
    for (at, step) in steps.iter().enumerate() {
        let Step::Renamed { from, to, bytes } = step else { continue };
        renamed += 1;
        let last = steps[..at].iter().rev().find_map(|step| match step {
            Step::Synced { path, bytes } if path == from => Some(bytes),
            _ => None,
        });
        assert!(
            last.is_some_and(|synced| synced == bytes),
            "{} was not synced before it became {}",
            from.display(),
            to.display()
        );
        let folder = to.parent().unwrap();
        let after = steps[at..].iter().any(|step| matches!(step, Step::SyncedFolder(path) if path == folder));
        assert!(after, "{} was not synced after {} came into it", folder.display(), to.display());
    }
    renamed
}

#[tokio::test]
async fn a_file_that_replaces_another_is_synced_before_and_its_name_after() {
    let scratch = tempfile::tempdir().unwrap();
    let folder: &Path = &scratch.path().canonicalize().unwrap().join("library");
    let library = Library::open(folder).await.unwrap();
    library.subscriptions().add(&NewSubscription::new("https://a.example/feed")).await.unwrap();
    all_safe();
    let backup = library.back_up(Occasion::ByHand).await.unwrap();
    assert_eq!(all_safe(), 1);
    library.subscriptions().add(&NewSubscription::new("https://b.example/feed")).await.unwrap();
    library.close().await.unwrap();
    restore(folder, &backup.path).await.unwrap();
    assert_eq!(all_safe(), 1);
    recover(folder).await.unwrap();
    assert_eq!(all_safe(), 1);
    assert_eq!(Library::open(folder).await.unwrap().feeds().list().await.unwrap().len(), 1);
}
