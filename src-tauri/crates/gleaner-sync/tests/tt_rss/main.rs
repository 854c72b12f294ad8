//! The API of Tiny Tiny RSS against a scripted server.
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;
mod counts;

use common::{Marks, TestServer, World, acts, agree, found, survives_every_fault, survives_odd_entries};
use gleaner_library::{ListQuery, Source};
use gleaner_polling::rules::Rules;
use gleaner_sync::{Delayed, Kind, Options, Progress, Report, Stage, SyncError};
use gleaner_testserver::{
    Reply, Server,
    faults::Fault,
    tt_rss::{Article, Feed, TtRss},
};
use proptest::prelude::*;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::atomic::Ordering,
};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

impl TestServer for TtRss {
    const LABELS: bool = true;
    fn server(&self) -> &Server {
        &self.server
    }
    fn marks(&self) -> Marks {
        self.state().articles.iter().map(|(id, article)| (id.to_string(), (article.read, article.starred))).collect()
    }
    fn mark(&self, id: &str, read: Option<bool>, starred: Option<bool>) {
        self.state().mark(&[id.parse().unwrap()], read, starred);
    }
    fn arrive(&self) {
        self.state().add(1);
    }
    fn delete(&self, id: &str) {
        self.state().articles.remove(&id.parse().unwrap());
    }
    fn plan(&self, faults: Vec<Fault>) {
        self.state().faults.plan(faults);
    }
}

async fn world(feeds: u64, articles: usize, history: i64) -> World<TtRss> {
    World::new(TtRss::start(feeds, articles).await, Kind::TtRss, history).await
}

#[tokio::test]
async fn finds_the_api_and_says_why_an_account_cannot_be_added() {
    let server = TtRss::start(1, 1).await;
    for entered in ["/", "/index.php", "/api/", "/prefs.php"] {
        let found = found(&server.server.url(entered), "alice", "sesame", None).await.unwrap();
        assert_eq!((found.kind, found.base.path(), found.labels), (Kind::TtRss, "/api", true), "{entered}");
    }
    assert!(matches!(found(&server.server.url("/"), "alice", "wrong", None).await, Err(SyncError::Login)));
    server.state().off = true;
    assert!(matches!(found(&server.server.url("/"), "alice", "sesame", None).await, Err(SyncError::ApiOff)));
    server.state().off = false;
    server.state().level = 4;
    assert!(matches!(found(&server.server.url("/"), "alice", "sesame", None).await, Err(SyncError::TooOld)));
}

#[tokio::test]
async fn synchronises_in_both_directions_with_few_requests() {
    let mut world = world(3, 200, 10_000).await;
    for id in (100..700).step_by(2) {
        world.server.state().mark(&[id], Some(true), None);
    }
    let report = world.sync().await.unwrap();
    assert_eq!((report.new, report.feeds_added, report.incomplete), (600, 3, false));
    // Login, folders, feeds, counters, four pages, what arrived, counters. With 10,000 articles they are 57.
    assert_eq!(world.requests(), 10);
    assert_eq!(world.marks().await, world.server.marks());
    let row = world.library.articles().get(world.newest(0).await).await.unwrap();
    assert_eq!((row.title.as_str(), row.author.as_deref()), ("Article 699 & more", Some("Ann")));
    let folders = world.library.folders().list().await.unwrap();
    assert!(folders.iter().any(|folder| folder.name == "Tech"), "{folders:?}");
    assert!(!folders.iter().any(|folder| folder.name == "Uncategorized"), "{folders:?}");
    world.server.server.forget_requests();
    assert_eq!(world.sync().await.unwrap(), Report::default());
    assert_eq!(world.requests(), 4, "folders, feeds, what arrived, and counters");
    // Marked here, on the server, and a new article.
    let marked = [world.newest(1).await, world.newest(2).await];
    world.library.articles().mark(&marked, Some(true), Some(true)).await.unwrap();
    world.server.state().mark(&[100], Some(false), Some(true));
    world.server.state().add(1);
    let report = world.sync().await.unwrap();
    assert_eq!((report.sent, report.new, report.changed), (3, 1, 1));
    assert_eq!(world.marks().await, world.server.marks());
    let bytes = world.library.bytes_on_disk();
    world.server.server.forget_requests();
    assert_eq!(world.sync().await.unwrap(), Report::default());
    assert_eq!(world.requests(), 4);
    assert_eq!(world.library.bytes_on_disk(), bytes, "the library is not written to");
}

#[tokio::test]
async fn articles_with_early_dates_are_not_read_twice() {
    for arrives in [false, true] {
        let mut world = world(1, 1000, 10_000).await;
        // Feeds were added whose articles are older than others: those that arrived last have the earliest dates.
        for (id, article) in &mut world.server.state().articles {
            article.dated = -2 * id.cast_signed();
        }
        let pages = |world: &World<TtRss>| {
            let requests = world.server.server.requests();
            requests.iter().filter(|request| request.body_text().contains("getHeadlines")).count()
        };
        if arrives {
            // An article that arrives after its page was read.
            let faults = [vec![Fault::None; 7], vec![Fault::Before(Reply::status(500))]].concat();
            world.server.state().faults.plan(faults);
            world.sync().await.unwrap_err();
            let id = world.server.state().add(1);
            world.server.state().articles.get_mut(&id).unwrap().dated = 10_000;
        }
        world.sync().await.unwrap();
        assert_eq!(world.marks().await, world.server.marks());
        if !arrives {
            assert_eq!(pages(&world), 7, "six pages, and what arrived");
        }
    }
}

#[tokio::test]
async fn a_thousand_marks_are_one_request() {
    let mut world = world(1, 1000, 10_000).await;
    world.sync().await.unwrap();
    let ids: Vec<i64> =
        world.library.sync().known(world.account).await.unwrap().values().filter_map(|known| known.item).collect();
    world.library.articles().mark(&ids, Some(true), None).await.unwrap();
    world.server.server.forget_requests();
    assert_eq!(world.sync().await.unwrap().sent, 1000);
    let marks = world.server.server.requests().iter().filter(|r| r.body_text().contains("updateArticle")).count();
    assert_eq!(marks, 1);
    assert_eq!(world.marks().await, world.server.marks());
}

#[tokio::test]
async fn downloads_the_newest_and_below_them_what_is_unread_or_starred() {
    for (articles, history, new) in [(60, 10, 14), (600, 250, 254), (60, 0, 4), (600, 0, 4)] {
        let mut world = world(1, articles, history).await;
        let all: Vec<u64> = world.server.state().articles.keys().copied().collect();
        world.server.state().mark(&all, Some(true), None);
        world.server.state().mark(&[101, 103, 105], Some(false), None);
        world.server.state().mark(&[102], None, Some(true));
        assert_eq!(world.sync().await.unwrap().new, new, "{articles} {history}");
        // Old ones that were never downloaded are ignored, also when they change.
        world.server.state().mark(&all, Some(true), None);
        let report = world.sync().await.unwrap();
        assert_eq!((report.new, report.changed), (0, 3));
        world.server.state().mark(&[110], None, Some(true));
        assert_eq!(world.sync().await.unwrap().new, 1);
        world.server.state().add(1);
        assert_eq!(world.sync().await.unwrap().new, 1);
    }
}

#[tokio::test]
async fn a_first_synchronisation_resumes_and_misses_no_article_that_moves() {
    let mut world = world(1, 1000, 10_000).await;
    // Login, folders, feeds, counters, two pages.
    world.server.plan([0; 6].map(|_| Fault::None).into_iter().chain([Fault::Before(Reply::status(502))]).collect());
    world.sync().await.unwrap_err();
    assert!(world.marks().await.len() >= 300);
    for id in 1000..1090 {
        world.server.delete(&id.to_string());
    }
    world.server.arrive();
    world.server.mark("150", Some(true), Some(true));
    world.sync().await.unwrap();
    let (here, there) = (world.marks().await, world.server.marks());
    for (id, marks) in there {
        assert_eq!(here.get(&id), Some(&marks), "{id}");
    }
}

#[tokio::test]
async fn a_list_with_an_article_that_moved_between_pages_clears_nothing() {
    let mut world = world(1, 450, 10_000).await;
    world.sync().await.unwrap();
    // The second page of the unread articles begins with others than those after the first.
    let others: Vec<String> = (100..150)
        .map(|id| {
            format!(
                r#"{{"id":{id},"feed_id":"1","unread":true,"marked":false,"title":"x","link":"http://site.test/x"}}"#
            )
        })
        .collect();
    let page = Reply::ok(format!(r#"{{"seq":0,"status":0,"content":[{}]}}"#, others.join(",")));
    world.server.mark("549", Some(true), None);
    world.later.store(2 * 3_600_000, Ordering::Relaxed);
    // Folders, feeds, what arrived, counters, first page.
    world.server.plan([0; 5].map(|_| Fault::None).into_iter().chain([Fault::Before(page)]).collect());
    let report = world.sync().await.unwrap();
    assert_eq!((report.changed, report.incomplete), (0, true));
    assert_eq!(world.sync().await.unwrap().changed, 1, "the lists are compared again");
    assert_eq!(world.marks().await, world.server.marks());
}

#[tokio::test]
async fn the_lists_are_compared_where_counters_stay_the_same() {
    let mut world = world(1, 30, 100).await;
    world.sync().await.unwrap();
    world.server.mark("105", Some(true), None);
    assert_eq!(world.sync().await.unwrap().changed, 1);
    world.server.mark("105", Some(false), None);
    world.server.mark("106", Some(true), None);
    assert_eq!(world.sync().await.unwrap().changed, 0);
    world.later.store(2 * 3_600_000, Ordering::Relaxed);
    assert_eq!(world.sync().await.unwrap().changed, 2);
    assert_eq!(world.marks().await, world.server.marks());
    // With an article that arrived in place of one that was read.
    world.server.mark("110", Some(true), None);
    world.server.arrive();
    assert_eq!(world.sync().await.unwrap().changed, 1);
}

#[tokio::test]
async fn labels_are_tags_in_both_directions() {
    let mut world = world(1, 10, 100).await;
    world.server.state().labels = vec!["Later".to_owned(), "Work".to_owned()];
    world.server.state().articles.get_mut(&103).unwrap().labels.insert("Later".to_owned());
    world.sync().await.unwrap();
    let tags = world.library.tags().list().await.unwrap();
    let tag = tags.iter().find(|tag| tag.name == "Later").unwrap();
    assert_eq!(tag.items, 1);
    let id = world.id("104").await;
    world.library.tags().set(&[id], "work", true).await.unwrap();
    world.library.tags().set(&[id], "unknown there", true).await.unwrap();
    let report = world.sync().await.unwrap();
    assert_eq!((report.sent, report.delayed.len()), (1, 1));
    assert!(world.server.state().articles[&104].labels.contains("Work"));
    let report = world.sync().await.unwrap();
    assert_eq!(report.refused, ["unknown there"], "labels can't be created there");
    assert!(world.library.tags().list().await.unwrap().iter().any(|tag| tag.name == "unknown there"), "it stays a tag");
    world.server.state().articles.get_mut(&103).unwrap().labels.clear();
    assert_eq!(world.sync().await.unwrap().changed, 1);
}

#[tokio::test]
async fn a_session_that_ended_is_renewed_once() {
    let mut world = world(1, 5, 100).await;
    world.sync().await.unwrap();
    world.server.state().session = 2;
    assert_eq!(world.sync().await.unwrap(), Report::default());
    world.server.state().refuses = true;
    assert!(matches!(world.sync().await, Err(SyncError::Login)));
    world.server.state().refuses = false;
    world.server.state().off = true;
    assert!(matches!(world.sync().await, Err(SyncError::ApiOff)));
}

#[tokio::test]
async fn no_response_that_is_not_the_apis_changes_anything() {
    let mut world = world(2, 10, 100).await;
    world.sync().await.unwrap();
    world.library.articles().mark(&[world.newest(0).await], Some(true), Some(true)).await.unwrap();
    for body in ["OK", "[]", "<html>Log in</html>", r#"{"seq":0,"status":0,"content":{}}"#] {
        world.server.state().replies.insert("updateArticle".to_owned(), Reply::ok(body));
        assert_eq!(world.sync().await.unwrap().sent, 0);
        assert_eq!(world.library.sync().pending_marks(world.account, None, 9).await.unwrap().len(), 2);
        world.server.state().replies.clear();
    }
    assert_eq!(world.sync().await.unwrap().sent, 2);
    let (before, feeds) = (world.marks().await, world.library.feeds().list().await.unwrap());
    assert_eq!(before, world.server.marks());
    for op in ["getFeeds", "getCategories", "getHeadlines", "getCounters"] {
        for body in ["", "[]", "[{}]", "{}", "null", "<html>Log in</html>", r#"{"seq":0,"status":0,"content":{}}"#] {
            world.server.state().replies.insert(op.to_owned(), Reply::ok(body));
            let failed = world.sync().await;
            assert!(matches!(failed, Err(SyncError::InvalidResponse(_))), "{op} {body:?}: {failed:?}");
            world.server.state().replies.clear();
        }
    }
    world.server.state().articles.clear();
    world.later.store(2 * 3_600_000, Ordering::Relaxed);
    assert_eq!(world.sync().await.unwrap().changed, 0, "an emptied server takes nothing away");
    assert_eq!((world.marks().await, world.library.feeds().list().await.unwrap()), (before, feeds));
    world.server.state().replies.insert("getFeeds".to_owned(), Reply::status(429).header("Retry-After", "120"));
    assert!(matches!(world.sync().await, Err(SyncError::Wait(wait)) if wait.as_secs() == 120));
}

#[tokio::test]
async fn subscriptions_are_added_and_left() {
    let mut world = world(3, 3, 100).await;
    world.sync().await.unwrap();
    let feeds = world.library.sync().feeds(world.account).await.unwrap();
    world.library.feeds().unsubscribe(&[feeds["2"]]).await.unwrap();
    let sync = world.library.sync();
    sync.subscribe(world.account, "http://feeds.test/new.xml", None, Some("Tech")).await.unwrap();
    sync.subscribe(world.account, "http://feeds.test/nothing", None, None).await.unwrap();
    let both = Feed { url: "http://feeds.test/both.xml".to_owned(), ..Feed::default() };
    world.server.state().feeds.insert(77, both);
    sync.subscribe(world.account, "http://feeds.test/both.xml", None, None).await.unwrap();
    let report = world.sync().await.unwrap();
    let delayed = vec![Delayed { title: "http://feeds.test/nothing".to_owned(), refused: true }];
    assert_eq!((report.changes_sent, report.delayed), (3, delayed));
    {
        let mut state = world.server.state();
        assert!(!state.feeds.contains_key(&2));
        assert!(state.feeds.values().any(|feed| feed.url.contains("new.xml") && feed.folder == 4));
        state.feeds.remove(&3);
        state.feeds.get_mut(&1).unwrap().folder = 4;
    }
    let report = world.sync().await.unwrap();
    assert_eq!((report.feeds_left, report.feeds_changed, report.refused.len()), (1, 1, 1));
    assert_eq!(world.sync().await.unwrap(), Report::default(), "nothing goes back and forth");
    // The API has no request for these.
    world.library.feeds().rename(feeds["1"], "Mine & yours").await.unwrap();
    assert_eq!(world.sync().await.unwrap().unsupported.len(), 1);
    assert_eq!(world.sync().await.unwrap(), Report::default());
    // Another device left it as well.
    world.server.state().level = 23;
    world.server.state().feeds.remove(&1);
    world.library.feeds().unsubscribe(&[feeds["1"]]).await.unwrap();
    let report = world.sync().await.unwrap();
    assert_eq!((report.changes_sent, report.delayed.len()), (0, 0));
    assert!(world.library.sync().pending_feed_changes(world.account).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_server_that_was_installed_again_loses_and_doubles_nothing() {
    let mut world = world(1, 20, 100).await;
    world.sync().await.unwrap();
    // The feed has ten of the twenty articles still, under ids that others had, and three new ones, one of which was read elsewhere.
    let numbers = (110..120).chain([130, 131, 132]);
    let article =
        |number: u64| Article { feed: 1, number: Some(number), read: number.is_multiple_of(2), ..Article::default() };
    world.server.state().articles = (100..).zip(numbers.map(article)).collect();
    assert_eq!(world.sync().await.unwrap().new, 3);
    let (here, there) = (world.marks().await, world.server.marks());
    for (id, marks) in &there {
        assert_eq!(here.get(id), Some(marks), "{id}");
    }
    let mut titles = Vec::new();
    for id in 1..=23 {
        titles.push(world.library.articles().get(id).await.unwrap().title);
    }
    titles.sort_unstable();
    let expected: Vec<String> = (100..120).chain(130..133).map(|number| format!("Article {number} & more")).collect();
    assert_eq!(titles, expected);
    // Later ones arrive as usual, though their ids are smaller than those of the old installation.
    world.server.arrive();
    let last = world.server.state().articles.keys().next_back().copied();
    world.server.state().articles.get_mut(&last.unwrap()).unwrap().number = Some(140);
    world.server.mark(&last.unwrap().to_string(), Some(true), None);
    assert_eq!(world.sync().await.unwrap().new, 1);
    assert_eq!(world.sync().await.unwrap(), Report::default());
}

/// A server is restored from a backup. `waiting`: whether marks wait to be sent then, and since how many hours.
async fn restored_from_a_backup(waiting: Option<i64>) {
    let mut world = world(1, 60, 100).await;
    world.sync().await.unwrap();
    for back in [3, 20, 27, 50] {
        world.library.articles().mark(&[world.newest(back).await], Some(true), Some(true)).await.unwrap();
    }
    if let Some(hours) = waiting {
        world.library.accounts().record(world.account, None, None).await.unwrap();
        world.later.store(hours * 3_600_000, Ordering::Relaxed);
    } else {
        world.sync().await.unwrap();
    }
    let by_title = async |world: &World<TtRss>| -> BTreeMap<String, (bool, bool)> {
        let rows = world.library.lists().page(ListQuery::newest(Source::All, 500)).await.unwrap().0;
        assert_eq!(rows.iter().map(|row| &row.title).collect::<BTreeSet<_>>().len(), rows.len(), "none is there twice");
        rows.into_iter().map(|row| (row.title, (row.read, row.starred))).collect()
    };
    let before = by_title(&world).await;
    assert_eq!(before.values().filter(|marks| **marks == (true, true)).count(), 4);
    // The backup lacks the last thirty. The server has received them again in another order, after five new ones.
    {
        let mut state = world.server.state();
        let lost: Vec<u64> = state.articles.keys().rev().take(30).copied().collect();
        state.articles.retain(|id, _| !lost.contains(id));
        for (id, number) in (lost[29]..).zip((500..505).chain(lost)) {
            state.articles.insert(id, Article { feed: 1, number: Some(number), ..Article::default() });
        }
    }
    assert_eq!(world.sync().await.unwrap().new, 5);
    world.sync().await.unwrap();
    let mut here = by_title(&world).await;
    let mut others = here.iter().filter(|(title, _)| !before.contains_key(*title));
    assert!(others.all(|(_, marks)| *marks == (false, false)), "new articles get no marks of others");
    here.retain(|title, _| before.contains_key(title));
    assert_eq!(here, before);
    assert_eq!(world.marks().await, world.server.marks(), "the server gets the marks of the articles that it had lost");
    assert_eq!(world.sync().await.unwrap(), Report::default());
}

#[tokio::test]
async fn a_server_that_was_restored_from_a_backup_mixes_up_no_marks() {
    restored_from_a_backup(None).await;
}

#[tokio::test]
async fn marks_that_wait_while_a_backup_is_restored_are_sent_for_their_articles_only() {
    restored_from_a_backup(Some(3)).await;
    restored_from_a_backup(Some(0)).await;
}

/// Synchronises until the process is killed, after this number of pages of articles was stored.
async fn killed(world: &mut World<TtRss>, pages: usize) {
    let account = world.account().await;
    let (progress, mut seen) = watch::channel(Progress::default());
    let options = Options { progress: Some(progress), ..Options::default() };
    let (rules, cancel) = (Rules::default(), CancellationToken::new());
    let kill = async {
        let mut stored = 0;
        while stored < pages {
            seen.changed().await.unwrap();
            stored += usize::from(seen.borrow_and_update().stage == Stage::Articles);
        }
    };
    tokio::select! {
        biased;
        () = kill => {}
        done = world.client.sync(&world.library, &account, &rules, &options, &cancel) => panic!("{done:?}"),
    }
    world.log_out();
}

#[tokio::test]
async fn a_kill_while_a_new_installation_is_read_loses_and_doubles_nothing() {
    for pages in 1..=3 {
        let mut world = world(1, 450, 10_000).await;
        // One is there twice.
        world.server.state().articles.get_mut(&545).unwrap().number = Some(110);
        world.sync().await.unwrap();
        let before = world.server.state().articles.clone();
        let number = |(id, article): (&u64, &Article)| article.number.unwrap_or(*id);
        let numbers: Vec<u64> = before.iter().map(number).chain([700, 701]).collect();
        let article = |number: &u64| Article {
            feed: 1,
            number: Some(*number),
            read: number.is_multiple_of(3),
            starred: number.is_multiple_of(5),
            ..Article::default()
        };
        world.server.state().articles = (1..).zip(numbers.iter().map(article)).collect();
        killed(&mut world, pages).await;
        world.sync().await.unwrap();
        let (here, there) = (world.marks().await, world.server.marks());
        for (id, marks) in &there {
            assert_eq!(here.get(id), Some(marks), "{id}, killed after {pages}");
        }
        let mut titles = Vec::new();
        for id in 1..=452 {
            titles.push(world.library.articles().get(id).await.unwrap().title);
        }
        titles.sort_unstable();
        let mut expected: Vec<String> = numbers.iter().map(|number| format!("Article {number} & more")).collect();
        expected.sort_unstable();
        assert_eq!(titles, expected, "killed after {pages}");
        assert!(world.library.articles().get(453).await.is_err(), "killed after {pages}");
    }
}

#[tokio::test]
async fn the_end_of_the_latest_article_is_not_a_new_installation() {
    let mut world = world(1, 20, 100).await;
    world.sync().await.unwrap();
    let before = world.marks().await;
    world.server.delete("119");
    let report = world.sync().await.unwrap();
    assert_eq!((report.new, report.changed), (0, 0));
    assert_eq!(world.marks().await, before);
    world.server.state().articles.insert(121, Article { feed: 1, read: true, ..Article::default() });
    assert_eq!(world.sync().await.unwrap().new, 1);
    assert_eq!(world.sync().await.unwrap(), Report::default());
}

#[tokio::test]
async fn no_fault_of_any_request_loses_anything() {
    // The lists have two pages.
    survives_every_fault(world(3, 75, 1000).await).await;
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_agree_whatever_the_server_fails_at(acts in acts(), feeds in prop::sample::select(vec![2, 9])) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let done = runtime.block_on(async { agree(world(feeds, 18 / feeds as usize, 100).await, &acts).await });
        done.map_err(TestCaseError::fail)?;
    }
}

#[tokio::test]
async fn entries_that_cannot_be_read_hold_up_nothing() {
    survives_odd_entries(world(3, 9, 1000).await).await;
}
