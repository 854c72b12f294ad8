//! The REST API of Miniflux against a scripted server.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Marks, TestServer, World, acts, agree, found, survives_every_fault, survives_odd_entries};
use gleaner_fetch::{Fetcher, Limits};
use gleaner_library::Rearrangement;
use gleaner_sync::{Connection, Delayed, Kind, List, Report, Server as _, SyncError};
use gleaner_testserver::{
    Reply, Server,
    faults::Fault,
    miniflux::{Entry, Feed, KEY, Miniflux},
};
use proptest::prelude::*;
use std::sync::atomic::Ordering;

impl TestServer for Miniflux {
    fn server(&self) -> &Server {
        &self.server
    }
    fn marks(&self) -> Marks {
        self.state().entries.iter().map(|(id, entry)| (id.to_string(), (entry.read, entry.starred))).collect()
    }
    fn mark(&self, id: &str, read: Option<bool>, starred: Option<bool>) {
        self.state().mark(&[id.parse().unwrap()], read, starred);
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

async fn world(feeds: u64, articles: usize, history: i64) -> World<Miniflux> {
    World::new(Miniflux::start(feeds, articles).await, Kind::Miniflux, history).await
}

#[tokio::test]
async fn finds_the_api_and_says_why_an_account_cannot_be_added() {
    let server = Miniflux::start(1, 1).await;
    for entered in ["/", "/v1/entries"] {
        let found = found(&server.server.url(entered), "alice", "sesame", None).await.unwrap();
        assert_eq!((found.kind, found.base.path(), found.labels), (Kind::Miniflux, "/", false), "{entered}");
    }
    assert!(matches!(found(&server.server.url("/"), "alice", "wrong", None).await, Err(SyncError::Login)));
    assert_eq!(found(&server.server.url("/"), "", KEY, None).await.unwrap().kind, Kind::Miniflux, "an API key");
    server.state().ignores_moments = true;
    assert!(matches!(found(&server.server.url("/"), "alice", "sesame", None).await, Err(SyncError::TooOld)), "too old");
}

#[tokio::test]
async fn synchronises_in_both_directions_with_few_requests() {
    for toggles in [false, true] {
        let mut world = world(3, 200, 10_000).await;
        world.server.state().toggles = toggles;
        for id in (100..700).step_by(2) {
            world.server.state().mark(&[id], Some(true), None);
        }
        let report = world.sync().await.unwrap();
        assert_eq!((report.new, report.feeds_added, report.incomplete), (600, 3, false));
        // Login, which looks at the version, too, feeds, the latest change, all articles, the latest change again. With 10,000 they are 15.
        assert_eq!(world.requests(), 6);
        assert_eq!(world.marks().await, world.server.marks());
        let row = world.library.articles().get(world.newest(0).await).await.unwrap();
        assert_eq!((row.title.as_str(), row.author.as_deref()), ("Article 699 & more", Some("Ann")));
        let folders = world.library.folders().list().await.unwrap();
        assert!(folders.iter().any(|folder| folder.name == "Tech"), "{folders:?}");
        assert!(!folders.iter().any(|folder| folder.name == "All"), "{folders:?}");
        world.server.server.forget_requests();
        assert_eq!(world.sync().await.unwrap(), Report::default());
        assert_eq!(world.requests(), 2, "feeds and the latest change");
        // Marked here, on the server, and a new article.
        let marked = [world.newest(1).await, world.newest(2).await];
        world.library.articles().mark(&marked, Some(true), Some(true)).await.unwrap();
        world.server.state().mark(&[100], Some(false), Some(true));
        world.server.state().add(1);
        world.server.server.forget_requests();
        let report = world.sync().await.unwrap();
        assert_eq!((report.sent, report.new, report.changed), (3, 1, 1));
        assert!(world.requests() <= if toggles { 10 } else { 6 }, "{}", world.requests());
        assert_eq!(world.marks().await, world.server.marks());
        // Others may have changed at the same time.
        assert_eq!(world.sync().await.unwrap(), Report::default());
        let bytes = world.library.bytes_on_disk();
        world.server.server.forget_requests();
        assert_eq!(world.sync().await.unwrap(), Report::default());
        assert_eq!(world.requests(), 2);
        assert_eq!(world.library.bytes_on_disk(), bytes, "the library is not written to");
    }
}

#[tokio::test]
async fn downloads_the_newest_and_below_them_what_is_unread_or_starred() {
    let mut world = world(1, 60, 10).await;
    let all: Vec<u64> = world.server.state().entries.keys().copied().collect();
    world.server.state().mark(&all, Some(true), None);
    world.server.state().mark(&[101, 103, 105], Some(false), None);
    world.server.state().mark(&[102], None, Some(true));
    assert_eq!(world.sync().await.unwrap().new, 14, "ten, three unread, one with a star");
    // Old ones that were never downloaded are ignored, also when they change.
    world.server.state().mark(&all, Some(true), None);
    let report = world.sync().await.unwrap();
    assert_eq!((report.new, report.changed), (0, 3));
    world.server.state().mark(&[110], None, Some(true));
    assert_eq!(world.sync().await.unwrap().new, 1);
}

#[tokio::test]
async fn without_a_history_only_unread_and_starred_articles_are_downloaded() {
    let mut world = world(1, 20, 0).await;
    let all: Vec<u64> = world.server.state().entries.keys().copied().collect();
    world.server.state().mark(&all[3..], Some(true), None);
    world.server.state().mark(&all[5..6], None, Some(true));
    assert_eq!(world.sync().await.unwrap().new, 4);
    world.server.state().mark(&all, Some(true), None);
    world.server.state().add(1);
    let report = world.sync().await.unwrap();
    assert_eq!((report.new, report.changed), (1, 3));
}

#[tokio::test]
async fn many_changes_are_read_by_pages_whatever_changes_meanwhile() {
    let mut world = world(1, 2200, 10_000).await;
    world.sync().await.unwrap();
    assert_eq!(world.requests(), 8, "a page for each thousand");
    let all: Vec<u64> = world.server.state().entries.keys().copied().collect();
    world.server.state().mark(&all, Some(true), None);
    // The third page fails; meanwhile articles of the first page change.
    world.server.plan(
        [0, 0, 0, 0, 1].map(|fails| if fails == 1 { Fault::Before(Reply::status(502)) } else { Fault::None }).to_vec(),
    );
    world.sync().await.unwrap_err();
    world.server.state().mark(&[100, 101], Some(false), Some(true));
    assert_eq!(world.sync().await.unwrap().changed, 2200);
    assert_eq!(world.sync().await.unwrap().changed, 0);
    assert_eq!(world.marks().await, world.server.marks());
}

#[tokio::test]
async fn a_response_that_is_too_large_is_requested_in_smaller_pages() {
    let server = Miniflux::start(1, 400).await;
    let small = Fetcher::new(Limits { body: 100_000, ..Limits::default() }).unwrap();
    let base = server.server.url("/").parse().unwrap();
    let mut client = gleaner_sync::Miniflux::new(
        Connection { fetcher: small, base, certificate: None },
        "alice",
        "sesame".to_owned(),
    );
    client.log_in().await.unwrap();
    let (mut ids, mut position) = (std::collections::BTreeSet::new(), None);
    for _ in 0..20 {
        let read = client.changes(position.as_deref(), 400).await.unwrap();
        ids.extend(read.articles.into_iter().map(|article| article.item.id));
        position = Some(read.next);
    }
    assert_eq!(ids.len(), 400);
    assert!(server.server.requests().iter().filter(|request| request.target.contains("limit=400")).count() == 1);
}

#[tokio::test]
async fn a_change_in_the_same_second_is_not_missed() {
    let mut world = world(1, 20, 100).await;
    world.sync().await.unwrap();
    world.server.state().add(1);
    world.sync().await.unwrap();
    {
        // Stored while that response was made, with an earlier time.
        let mut state = world.server.state();
        let changed = state.now - 1000;
        let entry = state.entries.get_mut(&105).unwrap();
        (entry.read, entry.changed) = (true, changed);
    }
    assert_eq!(world.sync().await.unwrap().changed, 1);
    assert_eq!(world.marks().await, world.server.marks());
}

#[tokio::test]
async fn the_lists_are_compared_now_and_then() {
    let mut world = world(2, 30, 100).await;
    world.sync().await.unwrap();
    {
        // A restored backup: marks and times of before, and an article that is gone.
        let mut state = world.server.state();
        state.entries.get_mut(&102).unwrap().read = true;
        state.entries.get_mut(&103).unwrap().starred = true;
        state.entries.remove(&104);
        state.entries.insert(1, Entry { feed: 1, read: true, ..Entry::default() });
    }
    assert_eq!(world.sync().await.unwrap(), Report::default());
    world.later.store(8 * 86_400_000, Ordering::Relaxed);
    assert_eq!(world.sync().await.unwrap().changed, 2);
    world.server.delete("1");
    let mut here = world.marks().await;
    assert_eq!(here.remove("104"), Some((false, false)), "an article that is gone stays as it was");
    assert_eq!(here, world.server.marks());
}

#[tokio::test]
async fn no_response_that_is_not_the_apis_changes_anything() {
    let mut world = world(2, 10, 100).await;
    world.sync().await.unwrap();
    world.library.articles().mark(&[world.newest(0).await], Some(true), Some(true)).await.unwrap();
    for (change, body) in [("PUT /entries", "OK"), ("PUT /entries", "<html>Log in</html>")] {
        world.server.state().replies.insert(change.to_owned(), Reply::ok(body));
        assert_eq!(world.sync().await.unwrap().sent, 0);
        assert_eq!(world.library.sync().pending_marks(world.account, None, 9).await.unwrap().len(), 2);
        world.server.state().replies.clear();
    }
    assert_eq!(world.sync().await.unwrap().sent, 2);
    let (before, feeds) = (world.marks().await, world.library.feeds().list().await.unwrap());
    assert_eq!(before, world.server.marks());
    for asked in ["GET /feeds", "GET /entries"] {
        for body in ["", "[{}]", "{}", "null", "<html>Log in</html>", r#"{"entries":[]}"#] {
            world.server.state().replies.insert(asked.to_owned(), Reply::ok(body));
            let failed = world.sync().await;
            assert!(matches!(failed, Err(SyncError::InvalidResponse(_))), "{asked} {body:?}: {failed:?}");
            world.server.state().replies.clear();
        }
    }
    world.server.state().entries.clear();
    world.later.store(8 * 86_400_000, Ordering::Relaxed);
    assert_eq!(world.sync().await.unwrap().changed, 0, "an emptied server takes nothing away");
    assert_eq!((world.marks().await, world.library.feeds().list().await.unwrap()), (before, feeds));
    world.server.state().refuses = true;
    assert!(matches!(world.sync().await, Err(SyncError::Login)));
}

#[tokio::test]
async fn a_star_of_a_deleted_article_blocks_nothing() {
    let mut world = world(1, 5, 100).await;
    world.sync().await.unwrap();
    world.library.articles().mark(&[world.newest(0).await], None, Some(true)).await.unwrap();
    world.server.delete("104");
    assert_eq!(world.sync().await.unwrap().sent, 1);
    assert_eq!(world.sync().await.unwrap(), Report::default());
}

#[tokio::test]
async fn subscriptions_change_in_both_directions() {
    let mut world = world(4, 3, 100).await;
    world.sync().await.unwrap();
    let feeds = world.library.sync().feeds(world.account).await.unwrap();
    world.library.feeds().rename(feeds["1"], "Mine & yours").await.unwrap();
    world.library.feeds().unsubscribe(&[feeds["2"]]).await.unwrap();
    let own = world.account().await.folder_id;
    let change = Rearrangement { feeds: vec![feeds["4"]], parent: own, ..Rearrangement::default() };
    world.library.subscriptions().arrange(&change).await.unwrap();
    let sync = world.library.sync();
    sync.subscribe(world.account, "http://feeds.test/new.xml", Some("New"), Some("New folder")).await.unwrap();
    sync.subscribe(world.account, "http://feeds.test/nothing", None, None).await.unwrap();
    // Subscribed on the server by another device.
    let both = Feed { url: "http://feeds.test/both.xml".to_owned(), folder: 1, ..Feed::default() };
    world.server.state().feeds.insert(77, both);
    sync.subscribe(world.account, "http://feeds.test/both.xml", None, None).await.unwrap();
    // The server fails at a feed that it can't read, and at one that it has with http in place of https.
    let moved = Feed { url: "http://feeds.test/moved.xml".to_owned(), folder: 1, ..Feed::default() };
    world.server.state().feeds.insert(78, moved);
    sync.subscribe(world.account, "https://feeds.test/moved.xml", None, None).await.unwrap();
    let report = world.sync().await.unwrap();
    let delayed = vec![Delayed { title: "http://feeds.test/nothing".to_owned(), refused: true }];
    assert_eq!((report.changes_sent, report.delayed), (6, delayed));
    {
        let mut state = world.server.state();
        assert!(!state.feeds.contains_key(&2));
        assert_eq!((state.feeds[&1].title.as_str(), state.feeds[&4].folder), ("Mine & yours", 1));
        let added = state.feeds.values().find(|feed| feed.url.contains("new.xml")).unwrap();
        assert_eq!((added.title.as_str(), added.folder), ("New", 5));
        assert_eq!(
            (state.folders[&5].as_str(), state.folders[&4].as_str()),
            ("New folder", "Tech"),
            "no folder is deleted"
        );
        state.feeds.remove(&3);
        state.feeds.get_mut(&1).unwrap().folder = 4;
    }
    let report = world.sync().await.unwrap();
    assert_eq!((report.feeds_left, report.feeds_changed, report.changes_sent), (1, 1, 0));
    assert_eq!(report.refused, ["http://feeds.test/nothing"]);
    assert_eq!(world.sync().await.unwrap(), Report::default(), "nothing goes back and forth");
}

#[tokio::test]
async fn no_fault_of_any_request_loses_anything() {
    let world = world(3, 12, 1000).await;
    world.server.state().page = 10;
    survives_every_fault(world).await;
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_agree_whatever_the_server_fails_at(acts in acts(), toggles in any::<bool>()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let done = runtime.block_on(async {
            let world = world(2, 9, 100).await;
            world.server.state().toggles = toggles;
            agree(world, &acts).await
        });
        done.map_err(TestCaseError::fail)?;
    }
}

#[tokio::test]
async fn a_clock_that_was_wrong_hides_nothing() {
    let mut world = world(1, 5, 100).await;
    let now = gleaner_library::now() * 1000;
    // Ten years ahead, and right again.
    world.server.state().now = now + 10 * 365 * 86_400_000_000;
    world.server.state().mark(&[102], Some(true), None);
    world.sync().await.unwrap();
    world.server.state().now = now;
    world.server.state().mark(&[103], Some(true), None);
    world.server.arrive();
    world.sync().await.unwrap();
    world.sync().await.unwrap();
    assert_eq!(world.marks().await, world.server.marks());
    // A day behind: what arrives has earlier times than what is there.
    let mut world = self::world(1, 5, 100).await;
    world.sync().await.unwrap();
    world.sync().await.unwrap();
    world.server.state().now -= 86_400_000_000;
    world.server.arrive();
    assert_eq!(world.sync().await.unwrap().new, 1);
}

#[tokio::test]
async fn feeds_in_no_folder_are_in_the_first_one_whatever_its_name() {
    let mut world = world(2, 1, 10).await;
    world.server.state().folders.insert(1, "Everything".to_owned());
    world.sync().await.unwrap();
    world.library.sync().subscribe(world.account, "http://feeds.test/new.xml", None, None).await.unwrap();
    assert_eq!(world.sync().await.unwrap().changes_sent, 1);
    let state = world.server.state();
    assert_eq!(state.folders.len(), 2, "none is created");
    assert!(state.feeds.values().any(|feed| feed.url.contains("new.xml") && feed.folder == 1));
}

#[tokio::test]
async fn an_article_that_is_too_large_is_left_out() {
    let server = Miniflux::start(1, 30).await;
    let small = Fetcher::new(Limits { body: 20_000, ..Limits::default() }).unwrap();
    let connection = Connection { fetcher: small, base: server.server.url("/").parse().unwrap(), certificate: None };
    server.state().large.insert(110);
    let mut client = gleaner_sync::Miniflux::new(connection, "alice", "sesame".to_owned());
    client.log_in().await.unwrap();
    let (mut ids, mut position) = (std::collections::BTreeSet::new(), None);
    for _ in 0..60 {
        let read = client.changes(position.as_deref(), 100).await.unwrap();
        ids.extend(read.articles.into_iter().map(|article| article.item.id));
        position = Some(read.next);
        if !read.more {
            break;
        }
    }
    assert_eq!(ids.len(), 29);
    assert!(!ids.contains("110"));
}

#[tokio::test]
async fn a_mark_that_went_to_another_article_after_a_backup_was_restored_is_taken_back() {
    let mut world = world(1, 10, 100).await;
    world.sync().await.unwrap();
    let old = world.id("105").await;
    world.library.articles().mark(&[old], Some(true), Some(true)).await.unwrap();
    world.server.state().mark(&[105], None, None);
    world.server.state().others.insert(105);
    world.server.server.forget_requests();
    assert_eq!(world.sync().await.unwrap().sent, 2);
    let requests = world.server.server.requests();
    assert_eq!(world.server.marks()["105"], (false, false));
    assert_eq!(world.marks().await["105"], (false, false), "here, too");
    let former = world.library.articles().get(old).await.unwrap();
    assert_eq!((former.read, former.starred), (true, true));
    world.sync().await.unwrap();
    assert_eq!(world.sync().await.unwrap(), Report::default());
    // The server fails from then on: taking back the mark waits. Two marks were sent before, and now it is one.
    let back = requests.iter().enumerate().filter(|(_, request)| request.method == "PUT").nth(2).unwrap().0 - 1;
    let old = world.id("104").await;
    world.library.articles().mark(&[old], Some(true), None).await.unwrap();
    world.server.state().mark(&[104], None, None);
    world.server.state().others.insert(104);
    world.server.plan([vec![Fault::None; back], vec![Fault::Before(Reply::status(502)); 50]].concat());
    world.sync().await.unwrap_err();
    assert!(world.server.marks()["104"].0);
    world.server.plan(Vec::new());
    world.sync().await.unwrap();
    assert_eq!((world.server.marks()["104"].0, world.marks().await["104"].0), (false, false));
    assert_eq!(world.sync().await.unwrap(), Report::default());
}

#[tokio::test]
async fn an_id_that_another_article_has_after_a_backup_was_restored_is_another_article() {
    let mut world = world(1, 10, 100).await;
    world.sync().await.unwrap();
    let old = world.id("105").await;
    world.server.state().mark(&[105], None, None);
    world.server.state().others.insert(105);
    let report = world.sync().await.unwrap();
    assert_eq!(report.new, 1);
    assert_ne!(world.id("105").await, old);
    assert!(world.library.articles().get(old).await.is_ok(), "the former one stays");
    world.library.articles().mark(&[old], Some(true), None).await.unwrap();
    assert_eq!(world.sync().await.unwrap().sent, 0, "its marks are about no article of the server");
    world.library.articles().mark(&[world.id("105").await], Some(true), None).await.unwrap();
    assert_eq!(world.sync().await.unwrap().sent, 1);
    assert!(world.server.marks()["105"].0);
}

#[tokio::test]
async fn entries_that_cannot_be_read_hold_up_nothing() {
    survives_odd_entries(world(3, 9, 1000).await).await;
}

#[tokio::test]
async fn lists_and_changes_that_do_not_end_are_read_in_part() {
    let mut world = world(1, 1100, 10_000).await;
    world.sync().await.unwrap();
    {
        let mut state = world.server.state();
        state.page = 1;
        state.now += 9_000_000;
        let now = state.now;
        state.entries.values_mut().for_each(|entry| entry.changed = now);
    }
    world.server.server.forget_requests();
    assert!(world.sync().await.unwrap().incomplete);
    assert!((1000..1010).contains(&world.requests()), "{}", world.requests());
    // It continues where it stopped.
    world.server.server.forget_requests();
    assert_eq!(world.sync().await.unwrap(), Report::default());
    assert!((100..120).contains(&world.requests()), "{}", world.requests());

    let fetcher = Fetcher::new(Limits::default()).unwrap();
    let connection = Connection { fetcher, base: world.server.server.url("/").parse().unwrap(), certificate: None };
    let mut client = gleaner_sync::Miniflux::new(connection, "alice", "sesame".to_owned());
    for (limit, requests) in [(50, 52), (500_000, 1000)] {
        world.server.server.forget_requests();
        let ids = client.ids(&List::Unread, limit).await.unwrap();
        assert_eq!((ids.whole, ids.ids.len(), world.requests()), (false, limit.min(1000), requests));
    }
}
