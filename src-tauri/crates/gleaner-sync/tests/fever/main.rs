//! The Fever API against a scripted server that speaks the dialects of FreshRSS and yarr.
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;
mod table;

use gleaner_fetch::{Fetcher, Limits};
use gleaner_library::{Clock, Library, Millis, NewAccount, Undoable};
use gleaner_polling::rules::Rules;
use gleaner_sync::{Client, Connection, Found, Kind, Options, Report, SyncError, find};
use gleaner_testserver::{
    Reply, Server,
    fever::{Dialect, Fever as TestServer},
};
use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};
use tokio_util::sync::CancellationToken;
use url::Url;

fn fetcher() -> Fetcher {
    Fetcher::new(Limits::default()).unwrap()
}

async fn found(address: &str, password: &str) -> Result<Found, SyncError> {
    find(&fetcher(), &Url::parse(address).unwrap(), None, "alice", password, None).await
}

const DAY: Millis = 86_400_000;

struct World {
    /// How far the library's clock is ahead.
    ahead: Arc<AtomicI64>,
    _folder: tempfile::TempDir,
    library: Library,
    account: i64,
    server: TestServer,
    client: Client,
}

impl World {
    async fn new(dialect: Dialect, feeds: i64, articles: usize) -> Self {
        let server = TestServer::start(dialect, feeds, articles).await;
        let found = found(&server.server.url("/"), "sesame").await.unwrap();
        assert_eq!((found.kind, found.labels), (Kind::Fever, false));
        let folder = tempfile::tempdir().unwrap();
        let ahead = Arc::new(AtomicI64::new(0));
        let added = Arc::clone(&ahead);
        let clock = Clock::new(move || gleaner_library::now() + added.load(Ordering::Relaxed));
        let library = Library::open_with(folder.path(), clock).await.unwrap();
        let new = NewAccount {
            kind: found.kind.name().to_owned(),
            name: "Server".to_owned(),
            url: found.base.to_string(),
            history: 10_000,
            ..NewAccount::default()
        };
        let account = library.accounts().add(&new).await.unwrap();
        let connection = Connection { fetcher: fetcher(), base: found.base, certificate: None };
        let client = Client::new(Kind::Fever, connection, "alice", "sesame".to_owned());
        server.server.forget_requests();
        Self { ahead, _folder: folder, library, account, server, client }
    }

    async fn sync(&mut self) -> Result<Report, SyncError> {
        let account = self.library.accounts().get(self.account).await.unwrap();
        let (rules, options, cancel) = (Rules::default(), Options::default(), CancellationToken::new());
        self.client.sync(&self.library, &account, &rules, &options, &cancel).await
    }

    /// Read and starred of every article here, and at the server.
    async fn both(&self) -> (Vec<(bool, bool)>, Vec<(bool, bool)>) {
        let known = self.library.sync().known(self.account).await.unwrap();
        let entries: Vec<_> = self.server.state().entries.iter().map(|(id, e)| (*id, e.read, e.saved)).collect();
        let (mut here, mut there) = (Vec::new(), Vec::new());
        for (id, read, saved) in entries {
            let row = self.library.articles().get(known[&id.to_string()].item.unwrap()).await.unwrap();
            here.push((row.read, row.starred));
            there.push((read, saved));
        }
        (here, there)
    }

    /// The titles of the subscribed feeds.
    async fn titles(&self) -> Vec<String> {
        let feeds = self.library.feeds().list().await.unwrap();
        let mut titles: Vec<_> = feeds.iter().map(|feed| feed.shown_title()).collect();
        titles.sort();
        titles
    }

    /// The library's id of the newest article but `back`.
    async fn id(&self, back: usize) -> i64 {
        let remote = *self.server.state().entries.keys().rev().nth(back).unwrap();
        self.library.sync().known(self.account).await.unwrap()[&remote.to_string()].item.unwrap()
    }
}

#[tokio::test]
async fn finds_the_api_and_says_why_an_account_cannot_be_added() {
    for (dialect, place) in [(Dialect::FreshRss, "/api/fever.php"), (Dialect::Yarr, "/fever/")] {
        let server = TestServer::start(dialect, 1, 1).await;
        for entered in ["/", place, &format!("{place}?api")] {
            let found = found(&server.server.url(entered), "sesame").await.unwrap();
            assert_eq!((found.kind, found.base.path()), (Kind::Fever, place), "{entered}");
        }
        assert!(matches!(found(&server.server.url("/"), "wrong").await, Err(SyncError::Login)));
        assert!(server.server.requests().iter().all(|request| !request.target.contains("sesame")));
        let (address, other) = (Url::parse(&server.server.url("/")).unwrap(), Some(Kind::GoogleReader));
        let chosen = find(&fetcher(), &address, None, "alice", "sesame", other).await;
        assert!(matches!(chosen, Err(SyncError::NoServer)), "only the API that was chosen: {chosen:?}");
    }
    let off = Server::start().await;
    off.on("/api/fever.php", Reply::status(503));
    assert!(matches!(found(&off.url("/api/fever.php"), "sesame").await, Err(SyncError::ApiOff)));
    // A page that is no answer of the API gets no digest of the password.
    let other = Server::start().await;
    other.on_request("*", |_| Reply::ok("<html>Log in</html>"));
    assert!(matches!(found(&other.url("/fever/"), "sesame").await, Err(SyncError::NoServer)));
    assert!(other.requests().iter().all(|request| !request.body_text().contains(gleaner_testserver::fever::KEY)));
}

#[tokio::test]
async fn synchronises_in_both_directions_with_few_requests() {
    for dialect in [Dialect::FreshRss, Dialect::Yarr] {
        let mut world = World::new(dialect, 3, 60).await;
        for entry in world.server.state().entries.values_mut().step_by(2) {
            entry.read = true;
        }
        let report = world.sync().await.unwrap();
        assert_eq!((report.new, report.feeds_added, report.incomplete), (180, 3, false));
        // Login, feeds, groups, four pages and the end of them, two lists.
        assert_eq!(world.server.server.requests().len(), 10);
        let (here, there) = world.both().await;
        assert_eq!(here, there);
        let row = world.library.articles().get(world.id(0).await).await.unwrap();
        assert!(row.title.ends_with("& more"), "{}", row.title);
        let folders = world.library.folders().list().await.unwrap();
        assert!(folders.iter().any(|folder| folder.name == "Tech"), "{folders:?}");
        world.server.server.forget_requests();
        assert_eq!(world.sync().await.unwrap(), Report::default());
        assert_eq!(world.server.server.requests().len(), 5, "feeds, groups, arrivals and two lists");
        // Marked here, at the server, and a new article.
        let marked = [world.id(1).await, world.id(2).await];
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
        let (here, there) = world.both().await;
        assert_eq!(here, there);
        assert_eq!(there.iter().filter(|marks| **marks == (true, true)).count(), 2);
        assert!(world.server.server.requests().iter().all(|request| !request.body_text().contains("%2C")));
    }
}

#[tokio::test]
async fn articles_that_were_read_at_the_server_are_read_here_and_deleted_ones_stay() {
    let mut world = World::new(Dialect::FreshRss, 1, 20).await;
    world.sync().await.unwrap();
    let (first, last) = (world.id(19).await, world.id(0).await);
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
async fn a_first_synchronisation_that_breaks_off_goes_on_where_it_was() {
    let mut world = World::new(Dialect::FreshRss, 1, 130).await;
    let newest = world.server.state().entries.keys().next_back().copied().unwrap();
    // The lists fail after the articles.
    world.server.state().replies.insert("unread_item_ids".to_owned(), Reply::status(502));
    world.sync().await.unwrap_err();
    assert_eq!(world.library.sync().known(world.account).await.unwrap().len(), 130);
    world.server.state().replies.clear();
    world.server.server.forget_requests();
    world.sync().await.unwrap();
    let pages: Vec<_> = world.server.server.requests().into_iter().filter(|r| r.target.contains("&items")).collect();
    assert_eq!(pages.len(), 1, "nothing is downloaded again");
    assert!(pages[0].target.ends_with(&format!("since_id={newest}")), "{}", pages[0].target);
}

#[tokio::test]
async fn unread_articles_are_complete_where_the_server_does_not_sort() {
    let mut world = World::new(Dialect::Yarr, 1, 130).await;
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
async fn no_response_that_is_not_the_apis_changes_anything() {
    let mut world = World::new(Dialect::FreshRss, 2, 10).await;
    world.sync().await.unwrap();
    world.library.articles().mark(&[world.id(0).await], None, Some(true)).await.unwrap();
    world.sync().await.unwrap();
    let before = world.both().await;
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
    assert_eq!(world.both().await, before);
    world.server.state().refuses = true;
    assert!(matches!(world.sync().await, Err(SyncError::Login)));
}

#[tokio::test]
async fn marks_stay_in_the_outbox_until_the_server_accepts_them() {
    let mut world = World::new(Dialect::Yarr, 1, 5).await;
    world.sync().await.unwrap();
    world.library.articles().mark(&[world.id(0).await], Some(true), None).await.unwrap();
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
    let mut world = World::new(Dialect::FreshRss, 3, 2).await;
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
    assert_eq!(world.titles().await, ["Feed 3", "Mine"]);
    assert_eq!(world.sync().await.unwrap(), Report::default(), "nothing goes back and forth");
}

/// Unsubscribes from feed 2 here, and synchronises.
async fn unsubscribed(world: &mut World) -> Undoable {
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
    let mut world = World::new(Dialect::FreshRss, 3, 2).await;
    unsubscribed(&mut world).await;
    // Also after the feed was deleted here, and with new articles at the server.
    world.ahead.store(3 * DAY, Ordering::Relaxed);
    assert_eq!(world.library.retention().delete_expired(world.library.now(), |_| true).await.unwrap(), 2);
    world.server.state().add(2);
    world.sync().await.unwrap();
    assert_eq!(world.titles().await, ["Feed 1", "Feed 3"]);
    let sync = world.library.sync();
    sync.restore_server_only(world.account, "2").await.unwrap();
    assert!(sync.restore_server_only(world.account, "2").await.is_err());
    let report = world.sync().await.unwrap();
    assert_eq!(report.feeds_added, 1);
    assert_eq!(world.titles().await, ["Feed 1", "Feed 2", "Feed 3"]);
    let feed = world.library.sync().feeds(world.account).await.unwrap()["2"];
    let counts = world.library.counts().by_feed().await.unwrap();
    assert_eq!(counts.iter().find(|count| count.feed_id == feed).unwrap().items, 3, "its articles are back");
    assert_eq!(world.sync().await.unwrap(), Report::default());
}

#[tokio::test]
async fn unsubscribing_from_a_feed_that_the_server_keeps_can_be_undone() {
    let mut world = World::new(Dialect::FreshRss, 3, 2).await;
    let done = unsubscribed(&mut world).await;
    world.library.undo(done.step).await.unwrap();
    assert!(world.library.sync().server_only_feeds(world.account).await.unwrap().is_empty());
    let report = world.sync().await.unwrap();
    assert!(report.unsupported.is_empty() && report.kept.is_empty(), "{report:?}");
    assert_eq!(world.titles().await, ["Feed 1", "Feed 2", "Feed 3"]);
    assert_eq!(world.sync().await.unwrap(), Report::default());
    let feeds = world.library.sync().feeds(world.account).await.unwrap();
    assert_eq!(feeds.len(), 3);
}

#[tokio::test]
async fn a_feed_that_was_left_at_the_server_too_is_added_when_it_is_subscribed_to_there_again() {
    let mut world = World::new(Dialect::FreshRss, 3, 2).await;
    unsubscribed(&mut world).await;
    let feed = world.server.state().feeds.remove(&2).unwrap();
    world.sync().await.unwrap();
    assert!(world.library.sync().server_only_feeds(world.account).await.unwrap().is_empty());
    world.server.state().feeds.insert(2, feed);
    world.sync().await.unwrap();
    assert_eq!(world.titles().await, ["Feed 1", "Feed 2", "Feed 3"]);
}
