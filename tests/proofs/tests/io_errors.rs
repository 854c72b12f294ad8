//! Makes the disk fail at any call: reading, writing, syncing, truncating, opening, locking; once, or until the fault is removed. Each
//! time there is a clear error, no acknowledged change is lost, and the library continues to work. `make torture` tries hundreds of calls of
//! each kind, other runs a few.
#![allow(clippy::unwrap_used)]

use gleaner_library::{Library, LibraryError, Occasion, recover, restore};
use gleaner_proofs::{
    Call, Problem, Watch,
    acts::{ACTS, Day},
    dump, rounds, watch,
};
use libsqlite3_sys::{
    SQLITE_BUSY, SQLITE_CANTOPEN, SQLITE_FULL, SQLITE_IOERR_FSYNC, SQLITE_IOERR_READ, SQLITE_IOERR_TRUNCATE,
    SQLITE_IOERR_WRITE,
};
use std::{collections::BTreeMap, fs, path::Path};

const FAULTS: [(Call, i32); 7] = [
    (Call::Read, SQLITE_IOERR_READ),
    (Call::Write, SQLITE_IOERR_WRITE),
    (Call::Write, SQLITE_FULL),
    (Call::Sync, SQLITE_IOERR_FSYNC),
    (Call::Truncate, SQLITE_IOERR_TRUNCATE),
    (Call::Open, SQLITE_CANTOPEN),
    (Call::Lock, SQLITE_BUSY),
];

fn in_words(error: &LibraryError, code: i32, what: &str) {
    let said = match code {
        SQLITE_FULL => matches!(error, LibraryError::DiskFull),
        SQLITE_BUSY => matches!(error, LibraryError::Locked | LibraryError::DiskFailed(_)),
        _ => matches!(error, LibraryError::DiskFailed(_)),
    };
    assert!(said, "{what}: {error:?}");
}

/// Makes all changes with a fault. Returns how often it occurred and how often it was reported.
async fn day(folder: &Path, watch: &Watch, problem: Option<Problem>) -> (usize, usize) {
    let mut day = Day::begin(folder).await.unwrap();
    let what = format!("{problem:?}");
    watch.problem(problem);
    let (mut struck, mut said) = (0, 0);
    for act in 0..ACTS {
        if let Err(error) = day.act(act).await {
            said += 1;
            struck += watch.problem(None);
            in_words(&error, problem.map_or(0, |problem| problem.code), &format!("{what}, act {act}"));
            // SQLite repeats some calls after an error; a change that was not made is repeated here.
            day.act(act).await.unwrap_or_else(|error| panic!("{what}, act {act} once more: {error:?}"));
        }
    }
    struck += watch.problem(None);
    assert_eq!(day.library().check(false).await.unwrap().findings, [], "{what}");
    day.end().await;
    (struck, said)
}

/// Returns how many calls of each fault's kind the changes make, without those that create the library.
async fn calls_of_a_day() -> [usize; FAULTS.len()] {
    let folder = tempfile::tempdir().unwrap();
    let watch = watch(folder.path());
    let mut day = Day::begin(folder.path()).await.unwrap();
    let before = FAULTS.map(|(call, _)| watch.calls(call));
    for act in 0..ACTS {
        day.act(act).await.unwrap();
    }
    let after = FAULTS.map(|(call, _)| watch.calls(call));
    day.end().await;
    std::array::from_fn(|fault| after[fault] - before[fault])
}

async fn seen_after(problem: Option<Problem>) -> (BTreeMap<String, Vec<String>>, usize, usize) {
    let folder = tempfile::tempdir().unwrap();
    let watch = watch(folder.path());
    let (struck, said) = day(folder.path(), &watch, problem).await;
    let library = Library::open(folder.path()).await.unwrap();
    assert_eq!(library.check(false).await.unwrap().findings, [], "{problem:?}");
    library.close().await.unwrap();
    (dump::seen(folder.path()).await, struck, said)
}

#[tokio::test]
async fn a_disk_error_is_reported_loses_nothing_and_does_not_stop_the_library() {
    let (expected, _, _) = seen_after(None).await;
    for ((call, code), calls) in FAULTS.into_iter().zip(calls_of_a_day().await) {
        let tries = rounds(8).min(calls);
        let (mut struck, mut said) = (0, 0);
        for at in (0..tries).map(|number| number * calls / tries) {
            // The wait for a lock is longer than a test should take: see `faults.rs`.
            for lasting in [false, true].into_iter().filter(|lasting| !lasting || call != Call::Lock) {
                let problem = Problem { call, at, lasting, code };
                let (seen, strikes, words) = seen_after(Some(problem)).await;
                assert_eq!(seen, expected, "{problem:?}");
                struck += strikes;
                said += words;
            }
        }
        assert!(struck > 0, "{call:?}, {code}: never struck of {calls}");
        assert!(said > 0 || call == Call::Lock || call == Call::Truncate, "{call:?}, {code}: never said");
    }
}

#[tokio::test]
async fn a_full_disk_replaces_no_library_by_an_incomplete_one() {
    let origin = tempfile::tempdir().unwrap();
    let mut day = Day::begin(origin.path()).await.unwrap();
    for act in 0..ACTS {
        day.act(act).await.unwrap();
    }
    let backup = day.library().back_up(Occasion::ByHand).await.unwrap().path;
    day.library().articles().mark(&[1], None, Some(true)).await.unwrap();
    day.end().await;
    let before = dump::seen(origin.path()).await;
    // The folder has no backups, so a recovery must read everything from the library itself.
    let begin = || {
        let folder = tempfile::tempdir().unwrap();
        fs::copy(origin.path().join("library.sqlite"), folder.path().join("library.sqlite")).unwrap();
        let new_library = folder.path().join("coming");
        fs::create_dir(&new_library).unwrap();
        let watch = watch(&new_library);
        (folder, watch)
    };
    for recovering in [true, false] {
        let replace = async |folder: &Path| {
            if recovering { recover(folder).await.map(drop) } else { restore(folder, &backup).await.map(drop) }
        };
        let (folder, counted) = begin();
        replace(folder.path()).await.unwrap();
        let (calls, after) = (counted.calls(Call::Write), dump::seen(folder.path()).await);
        let (tries, mut said) = (rounds(10), 0);
        // The last writes put the log back into the file.
        for at in (0..calls).filter(|at| at % calls.div_ceil(tries) == 0 || at + 30 > calls) {
            let problem = Problem { call: Call::Write, at, lasting: at % 2 == 0, code: SQLITE_FULL };
            let what = format!("recovering: {recovering}, {problem:?}");
            let (folder, watch) = begin();
            watch.problem(Some(problem));
            let replaced = replace(folder.path()).await;
            watch.problem(None);
            if let Err(error) = &replaced {
                said += 1;
                in_words(error, SQLITE_FULL, &what);
            }
            assert!(!folder.path().join("coming").exists(), "{what}: nothing is left behind");
            assert_eq!(&dump::seen(folder.path()).await, if replaced.is_ok() { &after } else { &before }, "{what}");
        }
        assert!(said > 0, "recovering: {recovering}: never said of {calls}");
    }
}
