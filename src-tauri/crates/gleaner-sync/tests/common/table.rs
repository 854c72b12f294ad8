//! Each fault at each request of a synchronisation: nothing here is lost or changes unless the server shows it.

use super::{Marks, TestServer, World};
use gleaner_sync::{Report, SyncError};
use gleaner_testserver::{Reply, faults::Fault};
use std::sync::atomic::Ordering;

/// Faults that requests of all APIs can have.
fn faults() -> Vec<(&'static str, Fault)> {
    let page = "<!DOCTYPE html><html><body><form>Log in</form></body></html>";
    vec![
        ("half of the JSON", Fault::Half),
        ("an empty body", Fault::Before(Reply::ok(""))),
        ("[]", Fault::Before(Reply::ok("[]"))),
        ("{}", Fault::Before(Reply::ok("{}"))),
        ("a login page", Fault::Before(Reply::ok(page).header("Content-Type", "text/html"))),
        ("a body that is cut", Fault::Cut),
        ("status 500", Fault::Before(Reply::status(500))),
        ("status 429", Fault::Before(Reply::status(429).header("Retry-After", "120"))),
        ("a closed connection", Fault::Before(Reply::raw(""))),
    ]
}

/// Runs synchronisations in which one request after the other has each fault, and those in which all have it.
pub async fn survives_every_fault<T: TestServer>(mut world: World<T>) {
    world.sync().await.unwrap();
    let mut turn = 0;
    for (name, fault) in faults() {
        for at in 0.. {
            turn += 1;
            let mut plan = vec![Fault::None; at];
            plan.push(fault.clone());
            let what = format!("{name} at request {at}");
            let (reached, done) = survives(&mut world, plan, turn, &what).await;
            if !reached {
                assert!(done.is_ok(), "{what}: {done:?}");
                break;
            }
        }
        // With a mark to send, and without.
        for _ in 0..2 {
            turn += 1;
            let what = format!("{name} at all requests, {turn}");
            let (_, done) = survives(&mut world, vec![fault.clone(); 100], turn, &what).await;
            assert!(done.is_err(), "{what}: {done:?}");
        }
    }
}

/// Synchronises with faults, and without. Returns whether the last fault was reached, and what the synchronisation ended with.
async fn survives<T: TestServer>(
    world: &mut World<T>,
    plan: Vec<Fault>,
    turn: usize,
    what: &str,
) -> (bool, Result<Report, SyncError>) {
    let ids: Vec<String> = world.server.marks().into_keys().collect();
    let (mine, theirs) = (&ids[turn % 7 * 2], &ids[turn % 7 * 2 + 1]);
    let old = world.server.marks();
    if turn.is_multiple_of(2) {
        let item = world.id(mine).await;
        world.library.articles().mark(&[item], Some(!old[mine].0), Some(!old[mine].1)).await.unwrap();
    }
    world.server.mark(theirs, Some(!old[theirs].0), Some(!old[theirs].1));
    if turn.is_multiple_of(5) {
        world.server.arrive();
    }
    world.log_out();
    make_lists_due(world).await;
    let (before, feeds) = (world.marks().await, world.library.feeds().list().await.unwrap());
    let requests = plan.len();
    world.server.server().forget_requests();
    world.server.plan(plan);
    let done = world.sync().await;
    world.server.plan(Vec::new());
    let reached = world.requests() >= requests;
    if let Ok(report) = &done {
        // It did not matter: nothing is left to do.
        assert_eq!((report.feeds_missing, report.incomplete), (0, false), "{what}");
        // A mark that was not accepted waits.
        if report.delayed.is_empty() {
            assert_eq!(world.marks().await, world.server.marks(), "{what}");
        }
    }
    if let Err(error) = &done {
        let is_about_the_server = !matches!(error, SyncError::Library(_) | SyncError::Task(_) | SyncError::Cancelled);
        assert!(is_about_the_server && !error.to_string().is_empty(), "{what}: {error:?}");
    }
    let (here, there) = (world.marks().await, world.server.marks());
    for (id, was) in &before {
        let now = here.get(id);
        let shown = there[id];
        let is_right = now.is_some_and(|now| {
            (now.0 == was.0 || (now.0 == shown.0 && id != mine)) && (now.1 == was.1 || (now.1 == shown.1 && id != mine))
        });
        assert!(is_right, "{what}: article {id} was {was:?}, is {now:?}, and {shown:?} there");
    }
    assert_eq!(world.library.feeds().list().await.unwrap(), feeds, "{what}");
    let wanted = Marks::from([(mine.clone(), before[mine])]);
    if let Err(why) = world.settle(&wanted).await {
        panic!("{what}: {why}");
    }
    assert_eq!(world.library.feeds().list().await.unwrap(), feeds, "{what}");
    assert_eq!(world.newest(0).await, world.id(world.server.marks().keys().next_back().unwrap()).await);
    (reached, done)
}

/// Makes the lists due that are read now and then only.
async fn make_lists_due<T: TestServer>(world: &World<T>) {
    let later = world.later.swap(-60 * 86_400_000, Ordering::Relaxed);
    world.library.sync().set_listed(world.account).await.unwrap();
    world.later.store(later, Ordering::Relaxed);
}

/// Synchronises with a server each of whose lists has entries that can't be read, for the first time and later. The others are read, and
/// the lists remove nothing.
pub async fn survives_odd_entries<T: TestServer>(mut world: World<T>) {
    let odd = || vec![Fault::Odd; 500];
    world.server.plan(odd());
    assert!(world.sync().await.unwrap().incomplete, "it is reported");
    assert_eq!(world.marks().await, world.server.marks());
    let feeds = world.library.feeds().list().await.unwrap();
    assert!(!feeds.is_empty());
    world.server.plan(Vec::new());
    world.sync().await.unwrap();
    assert_eq!(world.library.feeds().list().await.unwrap(), feeds);

    let ids: Vec<String> = world.server.marks().into_keys().collect();
    let before = world.server.marks();
    world.library.articles().mark(&[world.id(&ids[0]).await], Some(!before[&ids[0]].0), Some(true)).await.unwrap();
    world.server.mark(&ids[1], None, Some(true));
    world.server.mark(&ids[2], Some(true), None);
    world.server.arrive();
    world.log_out();
    make_lists_due(&world).await;
    world.server.plan(odd());
    let report = world.sync().await.unwrap();
    assert_eq!((report.new, report.sent > 0, report.incomplete), (1, true, true));
    assert_eq!(world.library.feeds().list().await.unwrap(), feeds);
    let (here, there) = (world.marks().await, world.server.marks());
    assert_eq!(here[&ids[0]], there[&ids[0]]);
    assert!(here[&ids[1]].1, "the star is set");
    for (id, was) in before.iter().skip(3) {
        assert_eq!(here.get(id), Some(was), "article {id}");
    }
    let wanted = Marks::from([(ids[0].clone(), (!before[&ids[0]].0, true))]);
    world.settle(&wanted).await.unwrap();
    assert_eq!(world.library.feeds().list().await.unwrap(), feeds);
}
