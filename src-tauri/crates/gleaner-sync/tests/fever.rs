//! The Fever API against a scripted server that speaks the dialects of FreshRSS and yarr.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Marks, TestServer, World, acts, agree, found, survives_every_fault, survives_odd_entries};
use gleaner_library::{ListQuery, Millis, Parameters, Source, Undoable};
use gleaner_sync::{Kind, Report, SyncError};
use gleaner_testserver::{
    Reply, Server,
    faults::Fault,
    fever::{Dialect, Fever},
};
use proptest::prelude::*;
use std::{collections::BTreeMap, sync::atomic::Ordering};

const DAY: Millis = 86_400_000;

impl TestServer for Fever {
    fn server(&self) -> &Server {
        &self.server
    }
    fn marks(&self) -> Marks {
        self.state().entries.iter().map(|(id, entry)| (id.to_string(), (entry.read, entry.saved))).collect()
    }
    fn mark(&self, id: &str, read: Option<bool>, starred: Option<bool>) {
        let mut state = self.state();
        let Some(entry) = state.entries.get_mut(&id.parse().unwrap()) else { return };
        entry.read = read.unwrap_or(entry.read);
        entry.saved = starred.unwrap_or(entry.saved);
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

async fn world(dialect: Dialect, feeds: i64, articles: usize) -> World<Fever> {
    World::new(Fever::start(dialect, feeds, articles).await, Kind::Fever, 10_000).await
}

/// The titles of the subscribed feeds.
async fn titles(world: &World<Fever>) -> Vec<String> {
    let feeds = world.library.feeds().list().await.unwrap();
    let mut titles: Vec<_> = feeds.iter().map(|feed| feed.shown_title()).collect();
    titles.sort();
    titles
}

#[tokio::test]
async fn finds_the_api_and_says_why_an_account_cannot_be_added() {
    for (dialect, place) in [(Dialect::FreshRss, "/api/fever.php"), (Dialect::Yarr, "/fever/")] {
        let server = Fever::start(dialect, 1, 1).await;
        for entered in ["/", place, &format!("{place}?api")] {
            let found = found(&server.server.url(entered), "alice", "sesame", None).await.unwrap();
            assert_eq!((found.kind, found.base.path()), (Kind::Fever, place), "{entered}");
        }
        assert!(matches!(found(&server.server.url("/"), "alice", "wrong", None).await, Err(SyncError::Login)));
        assert!(server.server.requests().iter().all(|request| !request.target.contains("sesame")));
        let chosen = found(&server.server.url("/"), "alice", "sesame", Some(Kind::GoogleReader)).await;
        assert!(matches!(chosen, Err(SyncError::NoServer)), "only the API that was chosen: {chosen:?}");
    }
    let off = Server::start().await;
    off.on("/api/fever.php", Reply::status(503));
    assert!(matches!(found(&off.url("/api/fever.php"), "alice", "sesame", None).await, Err(SyncError::ApiOff)));
    // A page that is no response of the API gets no digest of the password.
    let other = Server::start().await;
    other.on_request("*", |_| Reply::ok("<html>Log in</html>"));
    assert!(matches!(found(&other.url("/fever/"), "alice", "sesame", None).await, Err(SyncError::NoServer)));
    assert!(other.requests().iter().all(|request| !request.body_text().contains(gleaner_testserver::fever::KEY)));
}

#[tokio::test]
async fn synchronises_in_both_directions_with_few_requests() {
    for dialect in [Dialect::FreshRss, Dialect::Yarr] {
        let mut world = world(dialect, 3, 60).await;
        for entry in world.server.state().entries.values_mut().step_by(2) {
            entry.read = true;
        }
        let report = world.sync().await.unwrap();
        assert_eq!((report.new, report.feeds_added, report.incomplete), (180, 3, false));
        // Login, feeds, groups, four pages and the end of them, two lists.
        assert_eq!(world.requests(), 10);
        assert_eq!(world.marks().await, world.server.marks());
        let row = world.library.articles().get(world.newest(0).await).await.unwrap();
        assert!(row.title.ends_with("& more"), "{}", row.title);
        let folders = world.library.folders().list().await.unwrap();
        assert!(folders.iter().any(|folder| folder.name == "Tech"), "{folders:?}");
        world.server.server.forget_requests();
        assert_eq!(world.sync().await.unwrap(), Report::default());
        assert_eq!(world.requests(), 5, "feeds, groups, arrivals and two lists");
        // Marked here, on the server, and a new article.
        let marked = [world.newest(1).await, world.newest(2).await];
        world.library.articles().mark(&marked, Some(true), Some(true)).await.unwrap();
        {
            let mut state = world.server.state();
            state.entries.values_mut().next().unwrap().saved = true;
            state.entries.values_mut().next().unwrap().read = false;
            state.add(1);
        }
        let unread = world.server.state().entries.values().filter(|entry| !entry.read).count();
        let report = world.sync().await.unwrap();
        assert_eq!((report.new, report.changed), (1, 1), "{unread} unread");
        let there = world.server.marks();
        assert_eq!(world.marks().await, there);
        assert_eq!(there.values().filter(|marks| **marks == (true, true)).count(), 2);
        assert!(world.server.server.requests().iter().all(|request| !request.body_text().contains("%2C")));
    }
}

#[tokio::test]
async fn articles_that_were_read_at_the_server_are_read_here_and_deleted_ones_stay() {
    let mut world = world(Dialect::FreshRss, 1, 20).await;
    world.sync().await.unwrap();
    let (first, last) = (world.newest(19).await, world.newest(0).await);
    {
        let mut state = world.server.state();
        let newest = *state.entries.keys().next_back().unwrap();
        state.entries.remove(&newest);
        state.entries.values_mut().next().unwrap().read = true;
    }
    assert_eq!(world.sync().await.unwrap().changed, 1);
    assert!(world.library.articles().get(first).await.unwrap().read);
    assert!(!world.library.articles().get(last).await.unwrap().read, "it is gone, and was not read");
}

#[tokio::test]
async fn a_response_that_lacks_an_article_once_does_not_hide_what_was_marked() {
    let mut world = world(Dialect::Yarr, 1, 5).await;
    world.sync().await.unwrap();
    world.server.state().entries.values_mut().next().unwrap().read = true;
    // Feeds, groups, arrivals and two lists come before the article.
    let nothing = Fault::Before(Reply::ok(r#"{"api_version":3,"auth":1,"items":[]}"#));
    world.server.plan([vec![Fault::None; 5], vec![nothing]].concat());
    world.server.server.forget_requests();
    assert_eq!(world.sync().await.unwrap().changed, 1);
    let asked = world.server.server.requests().into_iter().filter(|request| request.target.contains("with_ids=101"));
    assert_eq!(asked.count(), 2);
    assert_eq!(world.marks().await, world.server.marks());
}

#[tokio::test]
async fn an_interrupted_first_synchronisation_resumes() {
    let mut world = world(Dialect::FreshRss, 1, 130).await;
    let newest = world.server.state().entries.keys().next_back().copied().unwrap();
    // The lists fail after the articles.
    world.server.state().replies.insert("unread_item_ids".to_owned(), Reply::status(502));
    world.sync().await.unwrap_err();
    assert_eq!(world.library.sync().known(world.account).await.unwrap().len(), 130);
    world.server.state().replies.clear();
    world.server.server.forget_requests();
    world.sync().await.unwrap();
    let pages: Vec<_> = world.server.server.requests().into_iter().filter(|r| r.target.contains("&items")).collect();
    assert_eq!(pages.len(), 1, "nothing is downloaded again but the latest one, to compare it");
    assert!(pages[0].target.ends_with(&format!("since_id={}", newest - 1)), "{}", pages[0].target);
}

#[tokio::test]
async fn unread_articles_are_complete_where_the_server_does_not_sort() {
    let mut world = world(Dialect::Yarr, 1, 130).await;
    world.server.state().newest_first = true;
    for entry in world.server.state().entries.values_mut().take(20) {
        entry.read = true;
    }
    // The newest come first, so that nothing says which ones come before them; those that are read are not listed.
    let report = world.sync().await.unwrap();
    assert_eq!((report.new, report.incomplete), (110, true));
    assert!(world.library.sync().known(world.account).await.unwrap().values().all(|known| !known.read));
    world.server.state().add(1);
    let report = world.sync().await.unwrap();
    assert_eq!((report.new, report.incomplete, report.changed), (1, false, 0), "a response that is not full has all");
}

#[tokio::test]
async fn a_truncated_list_clears_no_marks() {
    let mut world = world(Dialect::Yarr, 1, 1003).await;
    world.server.state().cut = 1000;
    let ids: Vec<i64> = world.server.state().entries.keys().copied().collect();
    // Below the end of the list of unread ones, and in the other list.
    world.server.state().entries.get_mut(&ids[0]).unwrap().saved = true;
    let report = world.sync().await.unwrap();
    assert_eq!((report.new, report.incomplete), (1003, true));
    assert_eq!(world.sync().await.unwrap().changed, 0);
    assert_eq!(world.marks().await, world.server.marks(), "all are unread");
    // What is read on the server is still noticed.
    world.server.state().entries.get_mut(&ids[900]).unwrap().read = true;
    assert_eq!(world.sync().await.unwrap().changed, 1);
    assert_eq!(world.marks().await, world.server.marks());
    // The same with stars.
    world.server.state().entries.values_mut().for_each(|entry| entry.saved = true);
    world.sync().await.unwrap();
    world.sync().await.unwrap();
    let starred = world.marks().await.values().filter(|marks| marks.1).count();
    assert_eq!(starred, 1002, "the listed ones, and two that are missing from the list of unread ones, too");
}

#[tokio::test]
async fn deleted_articles_do_not_block_others_if_a_request_for_them_fails() {
    let mut world = world(Dialect::Yarr, 1, 130).await;
    world.server.state().fails_at_missing = true;
    world.sync().await.unwrap();
    let ids: Vec<i64> = world.server.state().entries.keys().copied().collect();
    for (at, id) in ids.iter().enumerate().take(120) {
        // The oldest first: most are gone, and some were read.
        let mut state = world.server.state();
        match at % 3 {
            0 => drop(state.entries.remove(id)),
            1 => state.entries.get_mut(id).unwrap().read = true,
            _ => {}
        }
    }
    assert_eq!(world.sync().await.unwrap().changed, 40);
    let here = world.marks().await;
    assert!(world.server.marks().iter().all(|(id, marks)| here[id] == *marks));
    assert!(ids.iter().step_by(3).take(40).all(|id| !here[&id.to_string()].0), "they are gone, and were not read");
    world.server.server.forget_requests();
    assert_eq!(world.sync().await.unwrap(), Report::default());
    assert_eq!(world.requests(), 5, "they are not requested each time");
}

/// Read and saved of the articles by their titles: here, and on the server.
async fn marks_by_title(world: &World<Fever>) -> [BTreeMap<String, (bool, bool)>; 2] {
    let list = ListQuery::newest(Source::All, 500);
    let rows = world.library.lists().page(list).await.unwrap().0;
    let here: BTreeMap<_, _> = rows.iter().map(|row| (row.title.clone(), (row.read, row.starred))).collect();
    let state = world.server.state();
    let there = state
        .entries
        .iter()
        .map(|(id, entry)| (format!("Article {} & more", entry.number.unwrap_or(*id)), (entry.read, entry.saved)));
    assert_eq!(rows.len(), here.len(), "none is there twice");
    [here, there.collect()]
}

/// A server that was restored from a backup gives the ids of its latest articles to others: to the same ones in another order, among new ones.
/// `between`: whether the account is synchronised while the server lacks them. `waiting`: whether marks wait to be sent then; `failed`: after
/// a synchronisation that failed.
async fn restored_from_a_backup(between: bool, waiting: bool, failed: bool) {
    let mut world = world(Dialect::Yarr, 1, 130).await;
    world.sync().await.unwrap();
    for back in [3, 4, 60, 67, 100] {
        world.library.articles().mark(&[world.newest(back).await], Some(true), Some(true)).await.unwrap();
    }
    let error = ("timed_out", &Parameters::default());
    world.library.accounts().record(world.account, failed.then_some(error), None).await.unwrap();
    if !waiting {
        world.sync().await.unwrap();
    }
    let [before, there] = marks_by_title(&world).await;
    assert_eq!((before.len(), before == there), (130, !waiting));
    let lost: Vec<i64> = world.server.state().entries.keys().rev().take(70).copied().collect();
    world.server.state().entries.retain(|id, _| !lost.contains(id));
    if between {
        assert_eq!(world.sync().await.unwrap().changed, 0);
        assert_eq!(marks_by_title(&world).await[0], before);
    }
    let new = [1, 2, 3, 4, 5];
    for number in new.into_iter().chain(lost.iter().copied()) {
        let id = world.server.state().add(1);
        world.server.state().entries.get_mut(&id).unwrap().number = Some(number);
    }
    let report = world.sync().await.unwrap();
    assert_eq!((report.new, report.changed), (5, 0));
    let [mut here, there] = marks_by_title(&world).await;
    assert_eq!(here, there, "the server gets the marks of the articles that it had lost");
    let mut others = here.iter().filter(|(title, _)| !before.contains_key(*title));
    assert!(others.all(|(_, marks)| *marks == (false, false)), "new articles get no marks of others");
    here.retain(|title, _| before.contains_key(title));
    assert_eq!(here, before);
    world.server.server.forget_requests();
    assert_eq!(world.sync().await.unwrap(), Report::default());
    assert_eq!(world.requests(), 5);
}

#[tokio::test]
async fn an_id_that_another_article_has_after_a_backup_was_restored_is_another_article() {
    restored_from_a_backup(false, false, false).await;
}

#[tokio::test]
async fn articles_that_a_restored_backup_lacks_are_recognised_when_they_are_back() {
    restored_from_a_backup(true, false, false).await;
}

#[tokio::test]
async fn marks_that_wait_while_a_backup_is_restored_are_sent_for_their_articles_only() {
    for failed in [true, false] {
        restored_from_a_backup(false, true, failed).await;
        restored_from_a_backup(true, true, failed).await;
    }
}

#[tokio::test]
async fn null_is_an_empty_list_of_feeds_and_a_feed_may_lack_title_and_address() {
    let mut world = world(Dialect::Yarr, 0, 0).await;
    let reply = |key: &str, rest: &str| (key.to_owned(), Reply::ok(format!(r#"{{"api_version":3,"auth":1,{rest}}}"#)));
    let nothing = [reply("feeds", r#""feeds":null"#), reply("groups", r#""groups":null,"feeds_groups":null"#)];
    world.server.state().replies.extend(nothing);
    assert_eq!(world.sync().await.unwrap(), Report::default());
    let some = [
        reply("feeds", r#""feeds":[{"id":1,"title":null,"url":null},{"id":2,"site_url":3},{"id":3,"title":"Three"}]"#),
        reply(
            "groups",
            r#""groups":[{"id":7,"title":null},{"id":8,"title":"Tech"}],"feeds_groups":[{"group_id":8,"feed_ids":3},{"group_id":7,"feed_ids":"1"}]"#,
        ),
    ];
    world.server.state().replies.extend(some);
    assert_eq!(world.sync().await.unwrap().feeds_added, 3);
    assert_eq!(titles(&world).await, ["1", "2", "Three"]);
    assert_eq!(world.sync().await.unwrap(), Report::default());
}

#[tokio::test]
async fn no_response_that_is_not_the_apis_changes_anything() {
    let mut world = world(Dialect::FreshRss, 2, 10).await;
    world.sync().await.unwrap();
    world.library.articles().mark(&[world.newest(0).await], None, Some(true)).await.unwrap();
    world.sync().await.unwrap();
    let before = (world.marks().await, world.server.marks());
    let feeds = world.library.feeds().list().await.unwrap();
    for asked in ["feeds", "groups", "unread_item_ids", "saved_item_ids", "items"] {
        // A key that is missing is no empty list.
        for body in ["", "[]", "null", "<html>Log in</html>", r#"{"api_version":3,"auth":1}"#] {
            world.server.state().replies.insert(asked.to_owned(), Reply::ok(body));
            let failed = world.sync().await;
            assert!(matches!(failed, Err(SyncError::InvalidResponse(_))), "{asked} {body:?}: {failed:?}");
            world.server.state().replies.clear();
        }
    }
    assert_eq!(world.library.feeds().list().await.unwrap(), feeds);
    assert_eq!((world.marks().await, world.server.marks()), before);
    world.server.state().refuses = true;
    assert!(matches!(world.sync().await, Err(SyncError::Login)));
}

#[tokio::test]
async fn marks_stay_in_the_outbox_until_the_server_accepts_them() {
    let mut world = world(Dialect::Yarr, 1, 5).await;
    world.sync().await.unwrap();
    world.library.articles().mark(&[world.newest(0).await], Some(true), None).await.unwrap();
    for reply in [Reply::ok("{}"), Reply::ok("<html>Log in</html>"), Reply::status(500), Reply::status(400)] {
        world.server.state().replies.insert("mark".to_owned(), reply);
        assert_eq!(world.sync().await.unwrap().sent, 0);
        assert_eq!(world.library.sync().pending_marks(world.account, None, 9).await.unwrap().len(), 1);
    }
    world.server.state().replies.clear();
    assert_eq!(world.sync().await.unwrap().sent, 1);
    assert!(world.server.state().entries.values().next_back().unwrap().read);
}

#[tokio::test]
async fn changes_of_subscriptions_are_refused_and_nothing_waits() {
    let mut world = world(Dialect::FreshRss, 3, 2).await;
    world.sync().await.unwrap();
    let feeds = world.library.sync().feeds(world.account).await.unwrap();
    world.library.feeds().rename(feeds["1"], "Mine").await.unwrap();
    world.library.feeds().unsubscribe(&[feeds["2"]]).await.unwrap();
    world.library.sync().subscribe(world.account, "http://feeds.test/new.xml", None, None).await.unwrap();
    let report = world.sync().await.unwrap();
    assert_eq!(report.unsupported, ["Mine", "http://feeds.test/new.xml"]);
    assert_eq!(report.kept, ["Feed 2"]);
    assert!(world.library.sync().pending_feed_changes(world.account).await.unwrap().is_empty());
    // The name is kept here, and the feed that the server keeps stays unsubscribed.
    assert_eq!(titles(&world).await, ["Feed 3", "Mine"]);
    assert_eq!(world.sync().await.unwrap(), Report::default(), "nothing goes back and forth");
}

/// Unsubscribes from feed 2 here, and synchronises.
async fn unsubscribed(world: &mut World<Fever>) -> Undoable {
    world.sync().await.unwrap();
    let feeds = world.library.sync().feeds(world.account).await.unwrap();
    let done = world.library.feeds().unsubscribe(&[feeds["2"]]).await.unwrap();
    assert_eq!(world.sync().await.unwrap().kept, ["Feed 2"]);
    let there = world.library.sync().server_only_feeds(world.account).await.unwrap();
    assert_eq!(there.iter().map(|feed| (&*feed.remote_id, &*feed.title)).collect::<Vec<_>>(), [("2", "Feed 2")]);
    done
}

#[tokio::test]
async fn a_feed_that_the_server_keeps_stays_unsubscribed_with_its_new_articles_until_it_is_restored() {
    let mut world = world(Dialect::FreshRss, 3, 2).await;
    unsubscribed(&mut world).await;
    // Also after the feed was deleted here, and with new articles on the server.
    world.later.store(3 * DAY, Ordering::Relaxed);
    assert_eq!(world.library.retention().delete_expired(world.library.now(), |_| true).await.unwrap(), 2);
    world.server.state().add(2);
    world.sync().await.unwrap();
    assert_eq!(titles(&world).await, ["Feed 1", "Feed 3"]);
    let sync = world.library.sync();
    sync.restore_server_only(world.account, "2").await.unwrap();
    assert!(sync.restore_server_only(world.account, "2").await.is_err());
    let report = world.sync().await.unwrap();
    assert_eq!(report.feeds_added, 1);
    assert_eq!(titles(&world).await, ["Feed 1", "Feed 2", "Feed 3"]);
    let feed = world.library.sync().feeds(world.account).await.unwrap()["2"];
    let counts = world.library.counts().by_feed().await.unwrap();
    assert_eq!(counts.iter().find(|count| count.feed_id == feed).unwrap().items, 3, "its articles are back");
    assert_eq!(world.sync().await.unwrap(), Report::default());
}

#[tokio::test]
async fn unsubscribing_from_a_feed_that_the_server_keeps_can_be_undone() {
    let mut world = world(Dialect::FreshRss, 3, 2).await;
    let done = unsubscribed(&mut world).await;
    world.library.undo(done.step).await.unwrap();
    assert!(world.library.sync().server_only_feeds(world.account).await.unwrap().is_empty());
    let report = world.sync().await.unwrap();
    assert!(report.unsupported.is_empty() && report.kept.is_empty(), "{report:?}");
    assert_eq!(titles(&world).await, ["Feed 1", "Feed 2", "Feed 3"]);
    assert_eq!(world.sync().await.unwrap(), Report::default());
    let feeds = world.library.sync().feeds(world.account).await.unwrap();
    assert_eq!(feeds.len(), 3);
}

#[tokio::test]
async fn a_feed_that_was_left_at_the_server_too_is_added_when_it_is_subscribed_to_there_again() {
    let mut world = world(Dialect::FreshRss, 3, 2).await;
    unsubscribed(&mut world).await;
    let feed = world.server.state().feeds.remove(&2).unwrap();
    world.sync().await.unwrap();
    assert!(world.library.sync().server_only_feeds(world.account).await.unwrap().is_empty());
    world.server.state().feeds.insert(2, feed);
    world.sync().await.unwrap();
    assert_eq!(titles(&world).await, ["Feed 1", "Feed 2", "Feed 3"]);
}

#[tokio::test]
async fn no_fault_of_any_request_loses_anything() {
    for dialect in [Dialect::FreshRss, Dialect::Yarr] {
        let world = world(dialect, 3, 9).await;
        world.server.state().toggles = dialect == Dialect::Yarr;
        survives_every_fault(world).await;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_agree_whatever_the_server_fails_at(acts in acts()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let done = runtime.block_on(async { agree(world(Dialect::FreshRss, 2, 9).await, &acts).await });
        done.map_err(TestCaseError::fail)?;
    }
}

#[tokio::test]
async fn entries_that_cannot_be_read_hold_up_nothing() {
    survives_odd_entries(world(Dialect::FreshRss, 3, 9).await).await;
}
