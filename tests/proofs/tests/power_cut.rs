//! Simulates a power cut at any moment, after which the disk has all data that was synced and any part of the rest. Then the library
//! opens, contains all acknowledged changes and each other change completely or not at all, and `check` finds nothing. `make torture`
//! tries more moments.
#![allow(clippy::unwrap_used)]

use gleaner_library::Library;
use gleaner_proofs::{
    Chance, Event,
    acts::{ACTS, Day, LEFT_LONG_AGO},
    disk::{Disk, lay_out},
    dump, rounds, watch,
};
use sqlx::{ConnectOptions as _, Connection as _, migrate::Migrator, sqlite::SqliteConnectOptions};
use std::{collections::BTreeMap, path::Path};

static MIGRATIONS: Migrator = sqlx::migrate!("../../src-tauri/crates/gleaner-library/migrations");

/// Statements that fill a library of the first five schemas.
const FILLED: [&str; 5] = [
    include_str!("../../../src-tauri/crates/gleaner-library/tests/schema/1.sql"),
    include_str!("../../../src-tauri/crates/gleaner-library/tests/schema/2.sql"),
    include_str!("../../../src-tauri/crates/gleaner-library/tests/schema/3.sql"),
    include_str!("../../../src-tauri/crates/gleaner-library/tests/schema/4.sql"),
    include_str!("../../../src-tauri/crates/gleaner-library/tests/schema/5.sql"),
];

/// The events, and the contents of the library after each change.
struct Recorded {
    events: Vec<Event>,
    states: Vec<BTreeMap<String, Vec<String>>>,
}

async fn recorded() -> Recorded {
    let folder = tempfile::tempdir().unwrap();
    let watch = watch(folder.path());
    watch.record();
    let mut day = Day::begin(folder.path()).await.unwrap();
    let mut states = vec![dump::everything(folder.path()).await];
    watch.acknowledge(0);
    for act in 0..ACTS {
        day.act(act).await.unwrap();
        states.push(dump::everything(folder.path()).await);
        watch.acknowledge(act + 1);
    }
    day.end().await;
    Recorded { events: watch.events(), states }
}

/// Opens the library after a power cut and checks it.
async fn opened(folder: &Path, what: &str) -> BTreeMap<String, Vec<String>> {
    let library = Library::open(folder).await.unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(library.check(false).await.unwrap().findings, [], "{what}");
    let found = dump::everything(folder).await;
    library.close().await.unwrap();
    found
}

/// Returns at which moments the power is cut: at all of them if they are few.
fn moments(events: usize, wanted: usize, chance: &mut Chance) -> Vec<bool> {
    let mut moments = vec![wanted >= events; events];
    for _ in 0..wanted {
        moments[chance.below(events)] = true;
    }
    moments
}

#[tokio::test]
async fn acknowledged_changes_survive_a_power_cut_and_others_are_complete_or_absent() {
    let Recorded { events, states } = recorded().await;
    let mut chance = Chance(7);
    let moments = moments(events.len(), rounds(400), &mut chance);
    let (mut disk, mut acknowledged, mut within_changes) = (Disk::default(), None, 0);
    for (moment, event) in events.iter().enumerate() {
        disk.follow(event);
        if let Event::Acknowledged(acts) = event {
            acknowledged = Some(*acts);
        }
        if !moments[moment] {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        lay_out(&disk.cut(&mut chance), folder.path());
        let what = format!("cut after step {moment}, {acknowledged:?} acts done");
        let found = opened(folder.path(), &what).await;
        let Some(done) = acknowledged else { continue };
        // Opening the library removes old data, which is another change.
        let last = if done + 1 == LEFT_LONG_AGO + 1 || done == LEFT_LONG_AGO + 1 { done + 2 } else { done + 1 };
        let may_be = &states[done..=last.min(ACTS)];
        let Some(at) = may_be.iter().position(|state| *state == found) else {
            let wrong: Vec<_> = found.iter().filter(|(table, rows)| states[done].get(*table) != Some(rows)).collect();
            panic!("{what}: not as before nor as after the next one: {wrong:#?}");
        };
        within_changes += usize::from(at > 0);
    }
    assert!(within_changes > 0, "no cut was before the change was acknowledged");
}

/// Creates a library of an old schema.
async fn old(folder: &Path, schema: usize) {
    let options = SqliteConnectOptions::new().filename(folder.join("library.sqlite")).create_if_missing(true);
    let mut old = options.page_size(8192).disable_statement_logging().connect().await.unwrap();
    let migrations = MIGRATIONS.migrations[..schema].to_vec();
    Migrator { migrations: migrations.into(), ..Migrator::DEFAULT }.run_direct(None, &mut old, false).await.unwrap();
    for filled in &FILLED[..schema] {
        sqlx::raw_sql(*filled).execute(&mut old).await.unwrap();
    }
    sqlx::raw_sql("PRAGMA application_id = 1196183122; PRAGMA journal_mode = WAL").execute(&mut old).await.unwrap();
    old.close().await.unwrap();
}

#[tokio::test]
async fn an_old_library_is_migrated_after_a_power_cut() {
    let mut chance = Chance(8);
    for schema in [1, FILLED.len()] {
        let folder = tempfile::tempdir().unwrap();
        old(folder.path(), schema).await;
        let watch = watch(folder.path());
        watch.record();
        Library::open(folder.path()).await.unwrap().close().await.unwrap();
        let (events, expected) = (watch.events(), dump::seen(folder.path()).await);
        let moments = moments(events.len(), rounds(60), &mut chance);
        let mut disk = Disk::default();
        for (moment, event) in events.iter().enumerate() {
            disk.follow(event);
            if moments[moment] {
                let folder = tempfile::tempdir().unwrap();
                lay_out(&disk.cut(&mut chance), folder.path());
                let what = format!("schema {schema}, cut after step {moment} of {}", events.len());
                opened(folder.path(), &what).await;
                assert_eq!(dump::seen(folder.path()).await, expected, "{what}");
            }
        }
    }
}
