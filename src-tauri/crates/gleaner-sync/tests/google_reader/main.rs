//! The Google Reader API against a scripted server that speaks the dialects of FreshRSS and Miniflux, as measured.
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;
mod dialects;
mod faults;
mod lists;
mod moved_articles;
mod moving;
mod returning;
mod reused;
mod table;
mod unreadable;
mod waiting_changes;

use gleaner_fetch::{FetchErrorKind, Fetcher, Limits};
use gleaner_library::{Account, Library, MarkKind, NewAccount};
use gleaner_polling::rules::Rules;
use gleaner_sync::{AppLogin, Connection, GoogleReader, List, Options, Report, Server as _, SyncError, find, sync};
use gleaner_testserver::{
    Reply, Server,
    google_reader::{APP_ID, APP_KEY, Dialect, GoogleReader as TestServer},
};
use std::{collections::BTreeMap, sync::Arc, time::Duration};
use tokio_util::sync::CancellationToken;
use url::Url;

fn fetcher() -> Fetcher {
    Fetcher::new(Limits::default()).unwrap()
}

async fn found(address: &str, password: &str) -> Result<gleaner_sync::Found, SyncError> {
    find(&fetcher(), &Url::parse(address).unwrap(), None, "alice", password, None).await
}

/// The password of alice, with the keys of an app where the server wants them.
fn secret(dialect: Dialect) -> String {
    let password = "sesame".to_owned();
    match dialect {
        Dialect::Inoreader => AppLogin { password, app_id: APP_ID.to_owned(), app_key: APP_KEY.to_owned() }.to_secret(),
        _ => password,
    }
}

struct World {
    _folder: tempfile::TempDir,
    library: Arc<Library>,
    account: i64,
    server: TestServer,
    client: GoogleReader,
}

impl World {
    async fn new(dialect: Dialect, feeds: usize, articles: usize) -> Self {
        let server = TestServer::start(dialect, feeds, articles).await;
        let found = found(&server.address(), &secret(dialect)).await.unwrap();
        let folder = tempfile::tempdir().unwrap();
        let library = Arc::new(Library::open(folder.path()).await.unwrap());
        let new = NewAccount {
            kind: found.kind.name().to_owned(),
            name: "Server".to_owned(),
            url: found.base.to_string(),
            labels: found.labels,
            history: 10_000,
            ..NewAccount::default()
        };
        let account = library.accounts().add(&new).await.unwrap();
        let connection = Connection { fetcher: fetcher(), base: found.base, certificate: None };
        let client = GoogleReader::new(connection, "alice".to_owned(), secret(dialect));
        server.server.forget_requests();
        Self { _folder: folder, library, account, server, client }
    }

    /// Replaces the client, as in a new process, and forgets the requests.
    fn log_out(&mut self) {
        let base = Url::parse(&self.server.server.url("/api/greader.php")).unwrap();
        let connection = Connection { fetcher: fetcher(), base, certificate: None };
        self.client = GoogleReader::new(connection, "alice".to_owned(), "sesame".to_owned());
        self.server.server.forget_requests();
    }

    async fn account(&self) -> Account {
        self.library.accounts().get(self.account).await.unwrap()
    }

    async fn sync(&mut self) -> Result<Report, SyncError> {
        let account = self.account().await;
        let (rules, options, cancel) = (Rules::default(), Options::default(), CancellationToken::new());
        let report = sync(&self.library, &account, &mut self.client, &rules, &options, &cancel).await?;
        // As the app does, which writes no more than once an hour.
        if account.synced_at.is_none() || account.error_code.is_some() {
            self.library.accounts().record(self.account, None, None).await.unwrap();
        }
        Ok(report)
    }

    /// The library's id of the newest article but `back`.
    async fn id(&self, back: usize) -> i64 {
        let remote = *self.server.state().entries.keys().rev().nth(back).unwrap();
        self.library.sync().known(self.account).await.unwrap()[&self.server.id(remote)].item.unwrap()
    }

    /// Read and starred of every article here, and on the server.
    async fn both(&self) -> (Vec<(bool, bool)>, Vec<(bool, bool)>) {
        let known = self.library.sync().known(self.account).await.unwrap();
        let entries: Vec<_> = self.server.state().entries.iter().map(|(id, e)| (*id, e.read, e.starred)).collect();
        let (mut here, mut there) = (Vec::new(), Vec::new());
        for (id, read, starred) in entries {
            let row = self.library.articles().get(known[&self.server.id(id)].item.unwrap()).await.unwrap();
            here.push((row.read, row.starred));
            there.push((read, starred));
        }
        (here, there)
    }

    fn bodies(&self, endpoint: &str) -> Vec<String> {
        self.server
            .server
            .requests_to(&self.server.path(endpoint))
            .iter()
            .map(gleaner_testserver::Request::body_text)
            .collect()
    }
}

#[tokio::test]
async fn finds_the_api_behind_the_address_of_the_server() {
    for (dialect, base, labels) in [(Dialect::FreshRss, "/api/greader.php", true), (Dialect::Miniflux, "/", false)] {
        let server = TestServer::start(dialect, 1, 1).await;
        for entered in ["/", "/i/?a=normal", "/api/greader.php", "/unread", "/feed/1/entries", "/keys", "/search?q=x"] {
            let found = found(&server.server.url(entered), "sesame").await.unwrap();
            assert_eq!((found.base.as_str(), found.labels), (server.server.url(base).as_str(), labels), "{entered}");
        }
        let passwords = server.server.requests().iter().filter(|request| request.target.contains("sesame")).count();
        assert_eq!(passwords, 0, "the password is in no address");
    }
}

#[tokio::test]
async fn the_password_is_sent_to_the_server_that_another_redirects_to() {
    let server = TestServer::start(Dialect::FreshRss, 1, 1).await;
    let former = Server::start().await;
    let there = server.server.url("");
    former.on_request("*", move |request| {
        Reply::status(301).header("Location", format!("{}{}", there.trim_end_matches('/'), request.target))
    });
    let found = found(&former.url("/"), "sesame").await.unwrap();
    assert_eq!(found.base.as_str(), server.server.url("/api/greader.php"));
    assert!(!former.requests().iter().any(|request| request.body_text().contains("sesame")));
    // An account that was added before its server moved.
    let connection =
        Connection { fetcher: fetcher(), base: former.url("/api/greader.php").parse().unwrap(), certificate: None };
    let mut client = GoogleReader::new(connection, "alice".to_owned(), "sesame".to_owned());
    let failed = client.log_in().await;
    let names_it = |error: &SyncError| error.to_string().contains("redirects to another site, 127.0.0.1");
    assert!(matches!(&failed, Err(error) if names_it(error)), "{failed:?}");
}

#[tokio::test]
async fn says_why_an_account_cannot_be_added() {
    let server = TestServer::start(Dialect::FreshRss, 1, 1).await;
    assert!(matches!(found(&server.address(), "wrong").await, Err(SyncError::Login)));
    let off = Server::start().await;
    off.on_request("*", |request| Reply::status(if request.path().contains("greader.php") { 503 } else { 404 }));
    assert!(matches!(found(&off.url("/"), "sesame").await, Err(SyncError::ApiOff)));
    let other = Server::start().await;
    assert!(matches!(found(&other.url("/"), "sesame").await, Err(SyncError::NoServer)));
    // A server that answers 200 to everything gets no password.
    other.on_request("*", |_| Reply::ok("<html><form>Log in</form></html>"));
    assert!(matches!(found(&other.url("/"), "sesame").await, Err(SyncError::NoServer)));
    let has_password = |request: &gleaner_testserver::Request| request.body_text().contains("sesame");
    assert!(!other.requests().iter().any(has_password));
    // One whose login answers with a page.
    let page = Server::start().await;
    page.on_request("*", |request| match request.method.as_str() {
        "GET" => Reply::status(if request.path().starts_with("/reader/") { 401 } else { 404 }),
        _ => Reply::ok("<html>Log in</html>"),
    });
    assert!(matches!(found(&page.url("/"), "sesame").await, Err(SyncError::InvalidResponse(_))));
    let gone = Server::start().await.url("/");
    let refused = found(&gone, "sesame").await;
    assert!(matches!(&refused, Err(SyncError::Fetch(error)) if error.kind == FetchErrorKind::Connect), "{refused:?}");
}

#[tokio::test]
async fn a_first_synchronisation_and_one_without_changes_need_few_requests() {
    let mut world = World::new(Dialect::FreshRss, 4, 150).await;
    let report = world.sync().await.unwrap();
    assert_eq!((report.new, report.feeds_added, report.incomplete), (600, 4, false));
    // Login, subscriptions, tags, three lists, three times contents.
    assert_eq!(world.server.server.requests().len(), 9);
    let (here, there) = world.both().await;
    assert_eq!(here, there);
    let row = world.library.articles().get(world.id(0).await).await.unwrap();
    assert!(row.title.ends_with("& more"), "{}", row.title);
    assert_eq!(row.author.as_deref(), Some("Ann"));
    world.server.server.forget_requests();
    assert_eq!(world.sync().await.unwrap(), Report::default());
    assert_eq!(world.server.server.requests().len(), 5, "subscriptions, tags and three lists");
    let connections = world.server.server.requests().iter().map(|request| request.connection).max();
    assert!(connections.is_some());
}

#[tokio::test]
async fn ten_thousand_articles_need_few_requests_and_no_change_writes_nothing() {
    let mut world = World::new(Dialect::FreshRss, 200, 50).await;
    assert_eq!(world.sync().await.unwrap().new, 10_000);
    assert!(world.server.server.requests().len() <= 55, "{}", world.server.server.requests().len());
    let bytes = world.library.bytes_on_disk();
    assert_eq!(world.sync().await.unwrap(), Report::default());
    assert_eq!(world.library.bytes_on_disk(), bytes, "the library is not written to");
    let known = world.library.sync().known(world.account).await.unwrap();
    let items: Vec<i64> = known.values().filter_map(|known| known.item).take(50).collect();
    world.library.articles().mark(&items[..40], Some(true), None).await.unwrap();
    world.library.articles().mark(&items[40..], None, Some(true)).await.unwrap();
    world.server.server.forget_requests();
    assert_eq!(world.sync().await.unwrap().sent, 50);
    assert!(world.server.server.requests().len() <= 8, "{}", world.server.server.requests().len());
}

#[tokio::test]
async fn a_new_process_needs_few_requests_too() {
    let mut world = World::new(Dialect::FreshRss, 4, 50).await;
    world.sync().await.unwrap();
    let bytes = world.library.bytes_on_disk();
    world.log_out();
    assert_eq!(world.sync().await.unwrap(), Report::default());
    assert_eq!(world.server.server.requests().len(), 6, "login, subscriptions, tags and three lists");
    assert_eq!(world.library.bytes_on_disk(), bytes, "the library is not written to");
    let known = world.library.sync().known(world.account).await.unwrap();
    let items: Vec<i64> = known.values().filter_map(|known| known.item).take(50).collect();
    world.library.articles().mark(&items[..40], Some(true), None).await.unwrap();
    world.library.articles().mark(&items[40..], None, Some(true)).await.unwrap();
    world.log_out();
    assert_eq!(world.sync().await.unwrap().sent, 50);
    assert_eq!(world.server.server.requests().len(), 8, "two with marks as well");
    let (here, there) = world.both().await;
    assert_eq!(here, there);
}

#[tokio::test]
async fn a_token_that_does_not_belong_to_the_login_is_requested() {
    let mut world = World::new(Dialect::FreshRss, 1, 5).await;
    world.server.state().token = Some("another".to_owned());
    assert_eq!(world.sync().await.unwrap().new, 5);
    world.library.articles().mark(&[world.id(0).await], Some(true), None).await.unwrap();
    assert_eq!(world.sync().await.unwrap().sent, 1);
    assert_eq!(world.server.server.requests_to(&world.server.path("/token")).len(), 1);
    assert!(world.server.state().entries.values().next_back().unwrap().read);
}

#[tokio::test]
async fn one_mark_a_request_as_freshrss_applies_only_the_last() {
    for dialect in [Dialect::FreshRss, Dialect::Miniflux] {
        let mut world = World::new(dialect, 2, 20).await;
        world.sync().await.unwrap();
        let (one, two) = (world.id(0).await, world.id(1).await);
        world.library.articles().mark(&[one, two], Some(true), Some(true)).await.unwrap();
        let report = world.sync().await.unwrap();
        assert_eq!((report.sent, report.changed), (4, 0));
        for body in world.bodies("/edit-tag") {
            assert_eq!(body.matches("&a=").count() + body.matches("&r=").count(), 1, "{body}");
        }
        let (here, there) = world.both().await;
        assert_eq!(here, there);
        assert_eq!(there.iter().filter(|marks| **marks == (true, true)).count(), 2);
    }
}

#[tokio::test]
async fn many_marks_are_sent_in_growing_chunks() {
    let mut world = World::new(Dialect::FreshRss, 1, 700).await;
    world.sync().await.unwrap();
    let all: Vec<i64> =
        world.library.sync().known(world.account).await.unwrap().values().filter_map(|known| known.item).collect();
    world.library.articles().mark(&all, Some(true), None).await.unwrap();
    assert_eq!(world.sync().await.unwrap().sent, 700);
    let bodies = world.bodies("/edit-tag");
    assert_eq!(bodies[0].matches("&i=").count(), 100);
    assert!(bodies.iter().all(|body| body.len() < 256 << 10));
    assert!(world.server.state().entries.values().all(|entry| entry.read));
}

#[tokio::test]
async fn marks_stay_in_the_outbox_until_the_server_says_ok() {
    let mut world = World::new(Dialect::FreshRss, 1, 5).await;
    world.sync().await.unwrap();
    world.library.articles().mark(&[world.id(0).await], Some(true), None).await.unwrap();
    for reply in [
        Reply::ok("[]"),
        Reply::ok("<html>Log in</html>"),
        Reply::ok(""),
        Reply::status(500),
        Reply::ok("OK").cut_after(1),
    ] {
        world.server.state().replies.insert("/edit-tag".to_owned(), reply);
        assert_eq!(world.sync().await.unwrap().sent, 0);
        assert_eq!(world.library.sync().pending_marks(world.account, None, 9).await.unwrap().len(), 1);
    }
    world.server.state().replies.clear();
    assert_eq!(world.sync().await.unwrap().sent, 1);
    assert!(world.server.state().entries.values().next_back().unwrap().read);
}

#[tokio::test]
async fn no_response_that_is_not_the_apis_changes_anything() {
    let mut world = World::new(Dialect::FreshRss, 2, 10).await;
    world.sync().await.unwrap();
    world.library.articles().mark(&[world.id(0).await], None, Some(true)).await.unwrap();
    world.sync().await.unwrap();
    let before = world.both().await;
    let feeds = world.library.feeds().list().await.unwrap();
    let ids = r#"{"itemRefs":[{"id":"1"},{"id":"#;
    for endpoint in ["/subscription/list", "/tag/list", "/stream/items/ids", "/stream/items/contents"] {
        for body in ["", "[]", "{}", "null", "<html>Log in</html>", ids, r#"{"subscriptions":[{"id":"feed/1""#] {
            if endpoint == "/stream/items/contents" {
                world.server.state().add("feed/1");
            }
            world.server.state().replies.insert(endpoint.to_owned(), Reply::ok(body));
            let failed = world.sync().await;
            assert!(matches!(failed, Err(SyncError::InvalidResponse(_))), "{endpoint} {body:?}: {failed:?}");
            world.server.state().replies.clear();
        }
        assert_eq!(world.library.feeds().list().await.unwrap(), feeds, "{endpoint}");
    }
    world.sync().await.unwrap();
    let after = world.both().await;
    assert_eq!(after.0[..before.0.len()], before.0);
    assert_eq!(after.0, after.1);
}

#[tokio::test]
async fn an_expired_login_is_renewed_once_and_a_changed_password_is_reported() {
    let mut world = World::new(Dialect::FreshRss, 1, 5).await;
    world.sync().await.unwrap();
    world.server.state().session += 1;
    world.library.articles().mark(&[world.id(0).await], Some(true), None).await.unwrap();
    assert_eq!(world.sync().await.unwrap().sent, 1);
    world.server.state().session += 1;
    world.server.state().password = "other".to_owned();
    world.server.server.forget_requests();
    assert!(matches!(world.sync().await, Err(SyncError::Login)));
    assert!(world.server.server.requests().len() <= 3, "no loop of logins");
}

#[tokio::test]
async fn labels_are_tags_and_an_unknown_label_is_never_requested() {
    let mut world = World::new(Dialect::FreshRss, 2, 10).await;
    {
        let mut state = world.server.state();
        state.entries.values_mut().next_back().unwrap().labels.insert("later".to_owned());
    }
    world.sync().await.unwrap();
    assert_eq!(world.library.tags().list().await.unwrap()[0].name, "later");
    assert_eq!(world.library.tags().list().await.unwrap()[0].items, 1);
    world.library.tags().set(&[world.id(1).await], "Later", true).await.unwrap();
    world.library.tags().set(&[world.id(2).await], "own", true).await.unwrap();
    assert_eq!(world.sync().await.unwrap().sent, 2);
    let labels: Vec<Vec<String>> = world
        .server
        .state()
        .entries
        .values()
        .rev()
        .take(3)
        .map(|entry| entry.labels.iter().cloned().collect())
        .collect();
    assert_eq!(labels, [["later"], ["later"], ["own"]], "a label keeps its spelling");
    // Taken away on the server; the last article with it, so that the label is no longer named.
    for entry in world.server.state().entries.values_mut() {
        entry.labels.clear();
    }
    world.sync().await.unwrap();
    let items: Vec<i64> = world.library.tags().list().await.unwrap().iter().map(|tag| tag.items).collect();
    assert_eq!(items, [0, 0]);
    // FreshRSS would answer with all articles.
    let streams = world.server.server.requests_to(&world.server.path("/stream/items/ids"));
    assert!(streams.iter().all(|request| !request.target.contains("Tech")));
}

#[tokio::test]
async fn subscriptions_change_in_both_directions() {
    for dialect in [Dialect::FreshRss, Dialect::Miniflux] {
        let mut world = World::new(dialect, 4, 3).await;
        world.sync().await.unwrap();
        let feeds = world.library.sync().feeds(world.account).await.unwrap();
        world.library.feeds().rename(feeds["feed/1"], "Mine & yours").await.unwrap();
        world.library.feeds().unsubscribe(&[feeds["feed/2"]]).await.unwrap();
        let new = world.library.sync().subscribe(world.account, "http://feeds.test/new.xml", Some("New"), Some("Tech"));
        new.await.unwrap();
        world.library.sync().subscribe(world.account, "http://feeds.test/nothing", None, None).await.unwrap();
        let report = world.sync().await.unwrap();
        assert_eq!((report.changes_sent, report.refused.len(), report.delayed.len()), (3, 0, 1), "{dialect:?}");
        // FreshRSS refuses a feed that it can't read. Miniflux fails at it, but not at its list of feeds.
        assert_eq!((report.delayed[0].title.as_str(), report.delayed[0].refused), ("http://feeds.test/nothing", true));
        assert_eq!(world.sync().await.unwrap().refused, ["http://feeds.test/nothing"]);
        {
            let mut state = world.server.state();
            assert!(!state.feeds.contains_key("feed/2"));
            assert_eq!(state.feeds["feed/1"].title, "Mine ＆ yours");
            let added = state.feeds.values().find(|feed| feed.url.contains("new.xml")).unwrap();
            assert_eq!((added.title.as_str(), added.folder.as_str()), ("New", "Tech"));
            state.feeds.remove("feed/3");
            state.feeds.get_mut("feed/4").unwrap().folder = "Elsewhere".to_owned();
        }
        let titles = |feeds: Vec<gleaner_library::FeedRow>| feeds.iter().map(|f| f.shown_title()).collect::<Vec<_>>();
        assert_eq!(titles(world.library.feeds().list().await.unwrap()), ["Mine & yours", "Feed 3", "Feed 4", "New"]);
        let report = world.sync().await.unwrap();
        assert_eq!((report.feeds_left, report.feeds_changed, report.changes_sent), (1, 1, 0));
        assert_eq!(titles(world.library.feeds().list().await.unwrap()), ["Mine & yours", "Feed 4", "New"]);
        let folders = world.library.folders().list().await.unwrap();
        let folder = world.library.feeds().get(feeds["feed/4"]).await.unwrap().folder_id;
        assert_eq!(folders.iter().find(|row| Some(row.id) == folder).unwrap().name, "Elsewhere");
        assert_eq!(world.sync().await.unwrap(), Report::default(), "nothing goes back and forth");
    }
}

#[tokio::test]
async fn articles_with_new_ids_keep_their_marks() {
    let mut world = World::new(Dialect::FreshRss, 1, 6).await;
    world.sync().await.unwrap();
    world.library.articles().mark(&[world.id(0).await, world.id(3).await], Some(true), Some(true)).await.unwrap();
    world.sync().await.unwrap();
    // The server imported its feeds again: other ids, and nothing is read.
    {
        let mut state = world.server.state();
        let old = std::mem::take(&mut state.entries);
        state.replies.clear();
        for (id, entry) in old {
            let entry = gleaner_testserver::google_reader::Entry { read: false, starred: false, ..entry };
            state.entries.insert(id + 5_000_000, entry);
        }
    }
    let before = world.library.counts().by_feed().await.unwrap()[0].items;
    world.sync().await.unwrap();
    world.sync().await.unwrap();
    let (here, there) = world.both().await;
    assert_eq!(here, there);
    assert_eq!(here.iter().filter(|marks| **marks == (true, true)).count(), 2);
    assert_eq!(world.library.counts().by_feed().await.unwrap()[0].items, before, "no article twice");
}

#[tokio::test]
async fn a_label_is_removed_as_the_server_spells_it_at_the_article() {
    let mut world = World::new(Dialect::FreshRss, 1, 3).await;
    for (entry, labels) in world.server.state().entries.values_mut().zip([&["News"][..], &["news"], &["News", "news"]])
    {
        entry.labels.extend(labels.iter().map(|label| (*label).to_owned()));
    }
    world.sync().await.unwrap();
    assert_eq!(world.library.tags().list().await.unwrap()[0].items, 3);
    let all = [world.id(0).await, world.id(1).await, world.id(2).await];
    world.library.tags().set(&all, "news", false).await.unwrap();
    world.sync().await.unwrap();
    assert!(world.server.state().entries.values().all(|entry| entry.labels.is_empty()));
    world.sync().await.unwrap();
    assert!(world.library.tags().list().await.unwrap().iter().all(|tag| tag.items == 0));
}
