//! The API of Feedbin against a scripted server.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Marks, TestServer, World, acts, agree, found, survives_every_fault, survives_odd_entries};
use gleaner_library::Rearrangement;
use gleaner_sync::{Delayed, Kind, Report, SyncError};
use gleaner_testserver::{Reply, Server, faults::Fault, feedbin::Feedbin};
use proptest::prelude::*;
use std::sync::atomic::Ordering;

impl TestServer for Feedbin {
    const API: Option<Kind> = Some(Kind::Feedbin);
    fn server(&self) -> &Server {
        &self.server
    }
    fn marks(&self) -> Marks {
        let state = self.state();
        let marks = |id: &u64| (id.to_string(), (!state.unread.contains(id), state.starred.contains(id)));
        state.entries.keys().map(marks).collect()
    }
    fn mark(&self, id: &str, read: Option<bool>, starred: Option<bool>) {
        self.state().mark(&[id.parse().unwrap()], read, starred);
    }
    fn arrive(&self) {
        self.state().add(1);
    }
    fn delete(&self, id: &str) {
        self.state().delete(id.parse().unwrap());
    }
    fn plan(&self, faults: Vec<Fault>) {
        self.state().faults.plan(faults);
    }
}

async fn world(feeds: u64, articles: usize, history: i64) -> World<Feedbin> {
    World::new(Feedbin::start(feeds, articles).await, Kind::Feedbin, history).await
}

#[tokio::test]
async fn finds_the_api_and_says_why_an_account_cannot_be_added() {
    let server = Feedbin::start(1, 1).await;
    let api = Some(Kind::Feedbin);
    for entered in ["/", "/v2/", "/v2/entries.json"] {
        let found = found(&server.server.url(entered), "alice", "sesame", api).await.unwrap();
        assert_eq!((found.kind, found.base.path(), found.labels), (Kind::Feedbin, "/v2", false), "{entered}");
    }
    assert!(matches!(found(&server.server.url("/"), "alice", "wrong", api).await, Err(SyncError::Login)));
}

#[tokio::test]
async fn synchronises_in_both_directions_with_few_requests() {
    let mut world = world(3, 100, 10_000).await;
    for id in (100..400).step_by(2) {
        world.server.state().mark(&[id], Some(true), None);
    }
    world.server.mark("101", None, Some(true));
    let report = world.sync().await.unwrap();
    assert_eq!((report.new, report.feeds_added, report.incomplete), (300, 3, false));
    // Login, subscriptions, taggings, three pages and the end of them, two lists, twice that nothing arrived, two lists.
    assert_eq!(world.requests(), 13);
    assert_eq!(world.marks().await, world.server.marks());
    let row = world.library.articles().get(world.newest(0).await).await.unwrap();
    assert_eq!((row.title.as_str(), row.author.as_deref()), ("Article 399 & more", Some("Ann")));
    let folders = world.library.folders().list().await.unwrap();
    assert!(folders.iter().any(|folder| folder.name == "Tech"), "{folders:?}");
    let bytes = world.library.bytes_on_disk();
    world.server.server.forget_requests();
    assert_eq!(world.sync().await.unwrap(), Report::default());
    assert_eq!(world.requests(), 6, "subscriptions, taggings, what arrived twice, as there is nothing, and two lists");
    assert_eq!(world.library.bytes_on_disk(), bytes, "the library is not written to");
    // Marked here, on the server, and a new article.
    let marked = [world.newest(1).await, world.newest(2).await];
    world.library.articles().mark(&marked, Some(true), Some(true)).await.unwrap();
    world.server.state().mark(&[100], Some(false), Some(true));
    world.server.state().mark(&[103], Some(true), None);
    world.server.state().add(1);
    let report = world.sync().await.unwrap();
    assert_eq!((report.sent, report.new, report.changed), (3, 1, 2));
    assert_eq!(world.marks().await, world.server.marks());
    assert_eq!(world.sync().await.unwrap(), Report::default());
}

#[tokio::test]
async fn downloads_the_newest_and_below_them_what_is_unread_or_starred() {
    for (articles, history, new) in [(60, 10, 14), (300, 150, 154), (60, 0, 4)] {
        let mut world = world(1, articles, history).await;
        let all: Vec<u64> = world.server.state().entries.keys().copied().collect();
        world.server.state().mark(&all, Some(true), None);
        world.server.state().mark(&[101, 103, 105], Some(false), None);
        world.server.state().mark(&[102], None, Some(true));
        assert_eq!(world.sync().await.unwrap().new, new, "{articles} {history}");
        world.server.state().mark(&all, Some(true), None);
        let report = world.sync().await.unwrap();
        assert_eq!((report.new, report.changed), (0, 3));
        world.server.state().mark(&[110], None, Some(true));
        world.server.state().add(1);
        assert_eq!(
            world.sync().await.unwrap().new,
            if history == 10 || history == 0 || articles == 300 { 2 } else { 1 }
        );
    }
}

#[tokio::test]
async fn an_empty_list_is_trusted_only_if_no_articles_would_be_in_it() {
    let mut world = world(1, 10, 100).await;
    world.sync().await.unwrap();
    world.server.mark("103", None, Some(true));
    world.sync().await.unwrap();
    for list in ["GET /unread_entries.json", "GET /starred_entries.json", "GET /taggings.json"] {
        world.server.state().taggings.insert(9, (1, "Tech".to_owned()));
        world.server.state().replies.insert(list.to_owned(), Reply::ok("[]"));
        assert!(matches!(world.sync().await, Err(SyncError::InvalidResponse(_))), "{list}");
        world.server.state().replies.clear();
    }
    world.sync().await.unwrap();
    assert_eq!(world.marks().await, world.server.marks());
    let all: Vec<u64> = world.server.state().entries.keys().copied().collect();
    world.server.state().mark(&all, Some(true), Some(false));
    assert_eq!(world.sync().await.unwrap().changed, 10);
}

#[tokio::test]
async fn no_response_that_is_not_the_apis_changes_anything() {
    let mut world = world(2, 10, 100).await;
    world.sync().await.unwrap();
    world.library.articles().mark(&[world.newest(0).await], Some(true), Some(true)).await.unwrap();
    for body in ["OK", "[]", "{}", "<html>Log in</html>"] {
        for list in ["POST /unread_entries/delete.json", "POST /starred_entries.json"] {
            world.server.state().replies.insert(list.to_owned(), Reply::ok(body));
        }
        assert_eq!(world.sync().await.unwrap().sent, 0);
        assert_eq!(world.library.sync().pending_marks(world.account, None, 9).await.unwrap().len(), 2);
        world.server.state().replies.clear();
    }
    assert_eq!(world.sync().await.unwrap().sent, 2);
    let (before, feeds) = (world.marks().await, world.library.feeds().list().await.unwrap());
    assert_eq!(before, world.server.marks());
    for asked in ["subscriptions", "taggings", "entries", "unread_entries", "starred_entries"] {
        for body in ["", "[{}]", "{}", "null", "<html>Log in</html>", r#"{"entries":[]}"#] {
            world.server.state().replies.insert(format!("GET /{asked}.json"), Reply::ok(body));
            let failed = world.sync().await;
            assert!(matches!(failed, Err(SyncError::InvalidResponse(_))), "{asked} {body:?}: {failed:?}");
            world.server.state().replies.clear();
        }
    }
    let all: Vec<u64> = world.server.state().entries.keys().copied().collect();
    for id in all {
        world.server.state().delete(id);
    }
    world.later.store(8 * 86_400_000, Ordering::Relaxed);
    assert_eq!(world.sync().await.unwrap().changed, 0, "an emptied server takes nothing away");
    assert_eq!((world.marks().await, world.library.feeds().list().await.unwrap()), (before, feeds));
    world.server.state().refuses = true;
    assert!(matches!(world.sync().await, Err(SyncError::Login)));
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
    world.server.state().subscribe(77, "Both", "http://feeds.test/both.xml");
    sync.subscribe(world.account, "http://feeds.test/both.xml", None, None).await.unwrap();
    let report = world.sync().await.unwrap();
    let delayed = vec![Delayed { title: "http://feeds.test/nothing".to_owned(), refused: true }];
    assert_eq!((report.changes_sent, report.delayed), (5, delayed));
    {
        let mut state = world.server.state();
        assert!(!state.feeds.contains_key(&2));
        assert_eq!(state.feeds[&1].title, "Mine & yours");
        assert!(!state.taggings.values().any(|(feed, _)| *feed == 4));
        let (id, added) = state.feeds.iter().find(|(_, feed)| feed.url.contains("new.xml")).unwrap();
        assert_eq!(added.title, "New");
        assert!(state.taggings.values().any(|tagging| *tagging == (*id, "New folder".to_owned())));
        state.feeds.remove(&3);
        state.taggings.insert(99, (1, "Tech".to_owned()));
    }
    let report = world.sync().await.unwrap();
    assert_eq!((report.feeds_left, report.feeds_changed, report.refused.len()), (1, 1, 1));
    assert_eq!(world.sync().await.unwrap(), Report::default(), "nothing goes back and forth");
}

#[tokio::test]
async fn articles_on_a_second_page_that_fails_arrive_later() {
    let page = Reply::ok("<html>Log in</html>");
    let faults = [Fault::Half, Fault::Cut, Fault::Before(Reply::ok("[]")), Fault::Before(Reply::status(500))];
    for fault in faults.into_iter().chain([Fault::Before(page), Fault::Before(Reply::raw(""))]) {
        let mut world = world(3, 1, 1000).await;
        world.server.mark("100", None, Some(true));
        world.sync().await.unwrap();
        for _ in 0..150 {
            world.server.arrive();
        }
        // Subscriptions, taggings, the first page, two lists.
        let mut plan = vec![Fault::None; 5];
        plan.push(fault.clone());
        world.server.server.forget_requests();
        world.server.plan(plan);
        drop(world.sync().await);
        let failed = &world.server.server.requests()[5];
        assert!(failed.target.contains("page=2"), "{}", failed.target);
        world.sync().await.unwrap();
        world.sync().await.unwrap();
        assert_eq!(world.marks().await, world.server.marks(), "{fault:?}");
    }
}

#[tokio::test]
async fn an_article_is_deleted_only_if_the_server_confirms_it() {
    for gone in [false, true] {
        let mut world = world(2, 9, 100).await;
        world.sync().await.unwrap();
        // Subscriptions, taggings, arrived articles twice since there are none, two lists, and a check of the empty one. Then the article
        // is requested that is in neither list.
        world.server.mark("101", Some(true), None);
        if gone {
            world.server.delete("101");
        }
        let mut plan = vec![Fault::None; 7];
        plan.push(Fault::Before(Reply::ok("[]")));
        world.server.server.forget_requests();
        world.server.plan(plan);
        drop(world.sync().await);
        let failed = &world.server.server.requests()[7];
        assert!(failed.target.contains("ids=101"), "{}", failed.target);
        world.sync().await.unwrap();
        assert_eq!(world.marks().await["101"].0, !gone, "one that is gone keeps its marks");
    }
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
