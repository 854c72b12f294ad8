//! Nextcloud News against a scripted server.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Marks, TestServer, World, acts, agree, found, survives_every_fault, survives_odd_entries};
use gleaner_fetch::{Fetcher, Limits};
use gleaner_library::Rearrangement;
use gleaner_sync::{Connection, Delayed, Kind, List, Report, Server as _, SyncError};
use gleaner_testserver::{
    Reply, Server,
    faults::Fault,
    nextcloud_news::{NextcloudNews, PLACE},
};
use proptest::prelude::*;
use std::sync::atomic::Ordering;

impl TestServer for NextcloudNews {
    fn server(&self) -> &Server {
        &self.server
    }
    fn marks(&self) -> Marks {
        self.state().entries.iter().map(|(id, entry)| (id.to_string(), (entry.read, entry.starred))).collect()
    }
    fn mark(&self, id: &str, read: Option<bool>, starred: Option<bool>) {
        self.state().mark(id.parse().unwrap(), read, starred);
    }
    fn arrive(&self) {
        self.state().add(1);
    }
    fn delete(&self, id: &str) {
        self.state().entries.remove(&id.parse().unwrap());
    }
    fn plan(&self, faults: Vec<Fault>) {
        self.state().faults.plan(faults);
    }
}

async fn world(feeds: u64, articles: usize, history: i64) -> World<NextcloudNews> {
    World::new(NextcloudNews::start(feeds, articles).await, Kind::NextcloudNews, history).await
}

fn targets(world: &World<NextcloudNews>) -> Vec<String> {
    let requests = world.server.server.requests();
    requests.iter().map(|request| format!("{} {}", request.method, &request.target[PLACE.len()..])).collect()
}

#[tokio::test]
async fn says_that_a_server_is_too_old() {
    let server = Server::start().await;
    server.on("/index.php/apps/news/api/v1-2/folders", Reply::status(401));
    for api in [None, Some(Kind::NextcloudNews)] {
        let refused = found(&server.url("/"), "alice", "sesame", api).await;
        assert!(matches!(refused, Err(SyncError::TooOld)), "{refused:?}");
    }
    assert!(server.requests().iter().all(|request| request.text("Authorization").is_none()), "without the password");
}

#[tokio::test]
async fn finds_the_api_and_says_why_an_account_cannot_be_added() {
    let server = NextcloudNews::start(1, 1).await;
    for entered in ["/", "/index.php/login", "/apps/news/", "/index.php/apps/news/api/v1-2/feeds"] {
        let found = found(&server.server.url(entered), "alice", "sesame", None).await.unwrap();
        assert_eq!((found.kind, found.base.path(), found.labels), (Kind::NextcloudNews, PLACE, false), "{entered}");
    }
    assert!(matches!(found(&server.server.url("/"), "alice", "wrong", None).await, Err(SyncError::Login)));
    // The login goes only to where the API asks for it.
    let asked = |request: &gleaner_testserver::Request| request.header("Authorization").is_some();
    assert!(server.server.requests().iter().filter(|request| asked(request)).all(|r| r.path().starts_with(PLACE)));
    // A server that wants a login for everything, and has the Google Reader API behind it.
    let proxy = Server::start().await;
    proxy.on_request("*", |request| match request.header("Authorization") {
        None => Reply::status(401),
        Some(_) => Reply::status(404),
    });
    found(&proxy.url("/"), "alice", "sesame", None).await.unwrap_err();
    assert!(proxy.requests().iter().any(|request| request.path().contains("ClientLogin")), "other APIs are tried");
}

#[tokio::test]
async fn synchronises_in_both_directions_with_few_requests() {
    let mut world = world(3, 150, 10_000).await;
    for id in (100..550).step_by(2) {
        world.server.state().mark(id, Some(true), None);
    }
    let report = world.sync().await.unwrap();
    assert_eq!((report.new, report.feeds_added, report.incomplete), (450, 3, false));
    // Folders for the login, folders, feeds, three pages and the end of them, and what changed meanwhile.
    assert_eq!(world.requests(), 8);
    assert_eq!(world.marks().await, world.server.marks());
    let row = world.library.articles().get(world.newest(0).await).await.unwrap();
    assert_eq!((row.title.as_str(), row.author.as_deref()), ("Article 549 & more", Some("Ann")));
    let folders = world.library.folders().list().await.unwrap();
    assert!(folders.iter().any(|folder| folder.name == "Tech"), "{folders:?}");
    for _ in 0..2 {
        world.server.server.forget_requests();
        let bytes = world.library.bytes_on_disk();
        assert_eq!(world.sync().await.unwrap(), Report::default());
        assert_eq!(world.requests(), 3, "folders, feeds and changes");
        assert_eq!(world.library.bytes_on_disk(), bytes, "the library is not written to");
    }
    // Marked here, on the server, and a new article.
    let marked = [world.newest(1).await, world.newest(2).await];
    world.library.articles().mark(&marked, Some(true), Some(true)).await.unwrap();
    world.server.state().mark(100, Some(false), Some(true));
    world.server.state().add(1);
    world.server.server.forget_requests();
    let report = world.sync().await.unwrap();
    assert_eq!((report.sent, report.new, report.changed), (3, 1, 1));
    assert!(world.requests() <= 5, "{:?}", targets(&world));
    assert_eq!(world.marks().await, world.server.marks());
    assert_eq!(world.sync().await.unwrap(), Report::default());
}

#[tokio::test]
async fn downloads_the_newest_and_below_them_what_is_unread_or_starred() {
    for imprecise in [false, true] {
        let mut world = world(1, 60, 10).await;
        world.server.state().imprecise = imprecise;
        world.server.state().mark_all_read();
        for id in [101, 103, 105] {
            world.server.state().mark(id, Some(false), None);
        }
        world.server.state().mark(102, None, Some(true));
        assert_eq!(world.sync().await.unwrap().new, 14, "ten, three unread, one with a star");
        let here = world.marks().await;
        assert_eq!((here["101"], here["102"], here["159"]), ((false, false), (true, true), (true, false)));
        assert_eq!(world.sync().await.unwrap(), Report::default());
    }
}

#[tokio::test]
async fn what_changes_during_the_first_synchronisation_is_not_missed() {
    let mut world = world(1, 450, 10_000).await;
    // The third page fails; meanwhile articles of the first one change.
    world.server.plan(
        [0, 0, 0, 0, 0, 1]
            .map(|fails| if fails == 1 { Fault::Before(Reply::status(502)) } else { Fault::None })
            .to_vec(),
    );
    world.sync().await.unwrap_err();
    assert_eq!(world.library.sync().known(world.account).await.unwrap().len(), 400);
    world.server.state().mark(549, Some(true), Some(true));
    world.server.state().add(1);
    world.server.server.forget_requests();
    let report = world.sync().await.unwrap();
    assert_eq!((report.new, report.changed), (51, 1));
    let pages = targets(&world).iter().filter(|target| target.starts_with("GET /items?")).count();
    assert_eq!(pages, 2, "it goes on where it was");
    assert_eq!(world.marks().await, world.server.marks());
}

#[tokio::test]
async fn a_change_at_the_time_of_the_last_one_is_not_missed() {
    let mut world = world(1, 20, 100).await;
    world.sync().await.unwrap();
    world.sync().await.unwrap();
    let now = world.server.state().now + 1;
    world.server.state().add(1);
    world.sync().await.unwrap();
    // Stored while that response was made, with an earlier time.
    {
        let mut state = world.server.state();
        let entry = state.entries.get_mut(&105).unwrap();
        (entry.read, entry.modified) = (true, now);
    }
    assert_eq!(world.sync().await.unwrap().changed, 1);
    // Many with the same time are downloaded twice, and not each time.
    world.server.state().mark_all_read();
    world.sync().await.unwrap();
    world.sync().await.unwrap();
    world.sync().await.unwrap();
    let last = world.server.server.requests().pop().unwrap();
    assert!(
        last.target.ends_with(&format!("lastModified={}&type=3&id=0", world.server.state().now + 1)),
        "{}",
        last.target
    );
}

#[tokio::test]
async fn a_clock_of_the_server_that_was_wrong_hides_nothing() {
    for unit in [1, 1_000_000] {
        let mut world = world(1, 20, 100).await;
        // As servers of old versions have them.
        world.server.state().entries.values_mut().for_each(|entry| entry.modified /= unit);
        world.sync().await.unwrap();
        world.sync().await.unwrap();
        let now = world.server.state().now;
        world.server.state().mark(105, Some(true), None);
        world.server.state().entries.get_mut(&105).unwrap().modified = (now + 400 * 86_400_000_000) / unit;
        assert_eq!(world.sync().await.unwrap().changed, 1);
        // The clock is right again.
        world.server.state().now = now + 60_000_000;
        world.server.state().mark(107, Some(true), None);
        world.server.state().add(1);
        for id in [107, 120] {
            world.server.state().entries.get_mut(&id).unwrap().modified /= unit;
        }
        let report = world.sync().await.unwrap();
        assert_eq!((report.new, report.changed), (1, 1));
        assert_eq!(world.marks().await, world.server.marks());
        world.sync().await.unwrap();
        let bytes = world.library.bytes_on_disk();
        assert_eq!(world.sync().await.unwrap(), Report::default());
        assert_eq!(world.library.bytes_on_disk(), bytes, "the library is not written to");
    }
}

#[tokio::test]
async fn an_account_that_was_empty_reads_each_change_once() {
    let mut world = world(1, 0, 100).await;
    world.sync().await.unwrap();
    for _ in 0..20 {
        world.server.state().add(1);
    }
    assert_eq!(world.sync().await.unwrap().new, 20);
    world.sync().await.unwrap();
    world.server.server.forget_requests();
    world.sync().await.unwrap();
    let now = world.server.state().now;
    let since = format!("lastModified={}", now + 1);
    let targets = targets(&world);
    assert!(targets.iter().any(|target| target.contains(&since)), "{since}: {targets:?}");
}

#[tokio::test]
async fn more_changes_than_fit_into_a_response_are_read_by_feed() {
    let mut world = world(3, 20, 10).await;
    world.server.state().mark_all_read();
    assert_eq!(world.sync().await.unwrap().new, 10);
    // Old ones that were never downloaded, and known ones.
    world.server.state().too_many = 30;
    world.server.state().mark_all_read();
    let report = world.sync().await.unwrap();
    assert_eq!((report.new, report.changed), (0, 0));
    world.server.state().mark(100, Some(false), None);
    world.server.state().mark(159, Some(false), None);
    let report = world.sync().await.unwrap();
    assert_eq!((report.new, report.changed), (1, 1), "an old one that is unread is downloaded");
    assert_eq!(world.sync().await.unwrap(), Report::default());
}

#[tokio::test]
async fn the_lists_are_compared_now_and_then() {
    let mut world = world(2, 30, 100).await;
    world.sync().await.unwrap();
    // A restored backup: marks and times of before, and an article that is gone.
    world.server.state().mark(101, Some(true), Some(true));
    world.sync().await.unwrap();
    {
        let mut state = world.server.state();
        let entry = state.entries.get_mut(&101).unwrap();
        (entry.read, entry.starred, entry.modified) = (false, false, 1);
        state.entries.get_mut(&102).unwrap().read = true;
        state.entries.get_mut(&103).unwrap().starred = true;
        state.entries.remove(&104);
    }
    assert_eq!(world.sync().await.unwrap(), Report::default());
    world.later.store(8 * 86_400_000, Ordering::Relaxed);
    assert_eq!(world.sync().await.unwrap().changed, 3);
    let mut here = world.marks().await;
    assert_eq!(here.remove("104"), Some((false, false)), "an article that is gone stays as it was");
    assert_eq!(here, world.server.marks());
    world.server.server.forget_requests();
    assert_eq!(world.sync().await.unwrap(), Report::default());
    assert_eq!(world.requests(), 3, "not again");
}

#[tokio::test]
async fn marks_of_most_articles_are_read_twice_and_undone_in_one_step() {
    let mut world = world(1, 600, 1000).await;
    world.sync().await.unwrap();
    world.server.state().mark_all_read();
    // The second look shows something else for some of them.
    let report = world.sync().await.unwrap();
    assert_eq!(report.changed, 600);
    world.library.undo(report.undo.unwrap()).await.unwrap();
    assert!(world.marks().await.values().all(|(read, _)| !read));
    // What the second look does not show is ignored.
    world.sync().await.unwrap();
    assert!(world.server.marks().values().all(|(read, _)| !read), "undone there, too");
    world.sync().await.unwrap();
    let all = world
        .server
        .state()
        .entries
        .keys()
        .map(|id| format!(r#"{{"id":{id},"feedId":1,"unread":false,"starred":false}}"#))
        .collect::<Vec<_>>();
    let confused = Reply::ok(format!(r#"{{"items":[{}]}}"#, all.join(",")));
    world.server.state().replies.insert("GET /items/updated".to_owned(), confused);
    assert_eq!(world.sync().await.unwrap().changed, 0);
}

#[tokio::test]
async fn no_response_that_is_not_the_apis_changes_anything() {
    let mut world = world(2, 10, 100).await;
    world.sync().await.unwrap();
    world.server.state().mark(105, None, Some(true));
    world.sync().await.unwrap();
    let (before, feeds) = (world.marks().await, world.library.feeds().list().await.unwrap());
    for asked in ["GET /folders", "GET /feeds", "GET /items/updated"] {
        for body in ["", "[]", "{}", "null", "<html>Log in</html>", r#"{"items":[{"id":1"#] {
            world.server.state().replies.insert(asked.to_owned(), Reply::ok(body));
            let failed = world.sync().await;
            assert!(matches!(failed, Err(SyncError::InvalidResponse(_))), "{asked} {body:?}: {failed:?}");
            world.server.state().replies.clear();
        }
    }
    assert_eq!(world.library.feeds().list().await.unwrap(), feeds);
    assert_eq!(world.marks().await, before);
    world.server.state().refuses = true;
    assert!(matches!(world.sync().await, Err(SyncError::Login)));
    world.server.state().refuses = false;
    // An emptied server takes nothing away, also when the lists are compared.
    world.server.state().entries.clear();
    world.later.store(8 * 86_400_000, Ordering::Relaxed);
    assert_eq!(world.sync().await.unwrap().changed, 0);
    assert_eq!(world.marks().await, before);
}

#[tokio::test]
async fn marks_stay_in_the_outbox_until_the_server_accepts_them() {
    let mut world = world(1, 5, 100).await;
    world.sync().await.unwrap();
    world.library.articles().mark(&[world.newest(0).await], Some(true), None).await.unwrap();
    for reply in [Reply::ok("<html>Log in</html>"), Reply::status(500), Reply::status(403), Reply::raw("")] {
        world.server.state().replies.insert("POST /items/read/multiple".to_owned(), reply);
        assert_eq!(world.sync().await.unwrap().sent, 0);
        assert_eq!(world.library.sync().pending_marks(world.account, None, 9).await.unwrap().len(), 1);
    }
    world.server.state().replies.clear();
    assert_eq!(world.sync().await.unwrap().sent, 1);
    assert!(world.server.marks()["104"].0);
}

#[tokio::test]
async fn subscriptions_change_in_both_directions() {
    let mut world = world(4, 3, 100).await;
    world.sync().await.unwrap();
    let feeds = world.library.sync().feeds(world.account).await.unwrap();
    world.library.feeds().rename(feeds["1"], "Mine & yours").await.unwrap();
    world.library.feeds().unsubscribe(&[feeds["2"]]).await.unwrap();
    let own = world.library.accounts().get(world.account).await.unwrap().folder_id;
    let change = Rearrangement { feeds: vec![feeds["4"]], parent: own, ..Rearrangement::default() };
    world.library.subscriptions().arrange(&change).await.unwrap();
    let sync = world.library.sync();
    sync.subscribe(world.account, "http://feeds.test/new.xml", Some("New"), Some("New folder")).await.unwrap();
    sync.subscribe(world.account, "http://feeds.test/nothing", None, None).await.unwrap();
    // Subscribed on the server by another device.
    let other =
        gleaner_testserver::nextcloud_news::Feed { url: "http://feeds.test/both.xml".to_owned(), ..Default::default() };
    world.server.state().feeds.insert(77, other);
    sync.subscribe(world.account, "http://feeds.test/both.xml", None, None).await.unwrap();
    let report = world.sync().await.unwrap();
    let delayed = vec![Delayed { title: "http://feeds.test/nothing".to_owned(), refused: true }];
    assert_eq!((report.changes_sent, report.delayed), (5, delayed));
    assert_eq!(world.sync().await.unwrap().refused, ["http://feeds.test/nothing"]);
    {
        let mut state = world.server.state();
        assert!(!state.feeds.contains_key(&2));
        assert_eq!((state.feeds[&1].title.as_str(), state.feeds[&4].folder), ("Mine & yours", None));
        let added = state.feeds.values().find(|feed| feed.url.contains("new.xml")).unwrap();
        assert_eq!((added.title.as_str(), added.folder), ("New", Some(5)));
        assert_eq!(
            (state.folders[&5].as_str(), state.folders[&4].as_str()),
            ("New folder", "Tech"),
            "no folder is deleted"
        );
        state.feeds.remove(&3);
        state.feeds.get_mut(&1).unwrap().folder = Some(4);
    }
    let report = world.sync().await.unwrap();
    assert_eq!((report.feeds_left, report.feeds_changed, report.changes_sent), (1, 1, 0));
    assert_eq!(world.sync().await.unwrap(), Report::default(), "nothing goes back and forth");
}

#[tokio::test]
async fn articles_of_feeds_that_are_not_listed_yet_come_with_their_feed() {
    let mut world = world(1, 3, 100).await;
    world.sync().await.unwrap();
    // Added between the list of feeds and the changes.
    let id = world.server.state().add(9);
    assert_eq!(world.sync().await.unwrap().new, 0);
    world.sync().await.unwrap();
    world.server.server.forget_requests();
    world.sync().await.unwrap();
    assert_eq!(world.requests(), 3, "nothing is downloaded again");
    let feed =
        gleaner_testserver::nextcloud_news::Feed { url: "http://feeds.test/9.xml".to_owned(), ..Default::default() };
    world.server.state().feeds.insert(9, feed);
    assert_eq!(world.sync().await.unwrap().new, 1);
    assert!(world.marks().await.contains_key(&id.to_string()));
    world.server.server.forget_requests();
    world.sync().await.unwrap();
    assert_eq!(world.requests(), 3);
}

#[tokio::test]
async fn no_fault_of_any_request_loses_anything() {
    survives_every_fault(world(3, 12, 1000).await).await;
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_agree_whatever_the_server_fails_at(acts in acts()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let done = runtime.block_on(async { agree(world(2, 9, 100).await, &acts).await });
        done.map_err(TestCaseError::fail)?;
    }
}

#[tokio::test]
async fn entries_that_cannot_be_read_hold_up_nothing() {
    survives_odd_entries(world(3, 9, 1000).await).await;
}

#[tokio::test]
async fn a_list_is_not_read_beyond_its_limit() {
    let server = NextcloudNews::start(1, 900).await;
    let found = found(&server.server.url("/"), "alice", "sesame", None).await.unwrap();
    let connection =
        Connection { fetcher: Fetcher::new(Limits::default()).unwrap(), base: found.base, certificate: None };
    let mut client = gleaner_sync::NextcloudNews::new(connection, "alice", "sesame".to_owned());
    for (limit, whole, requests) in [(150, false, 2), (900, true, 6)] {
        server.server.forget_requests();
        let ids = client.ids(&List::Unread, limit).await.unwrap();
        assert_eq!((ids.whole, ids.ids.len(), server.server.requests().len()), (whole, limit, requests));
    }
}
