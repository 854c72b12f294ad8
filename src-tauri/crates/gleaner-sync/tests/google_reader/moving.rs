//! Moving feeds of this computer into an account, and back.

use super::{
    Dialect, GoogleReader, Options, Reply, Report, Rules, Server, SyncError, TestServer, World, fetcher, sync,
};
use gleaner_library::{FeedRow, LOCAL_ACCOUNT, Library, ListQuery, NewAccount, NewSubscription, Row, Source};
use gleaner_polling::{Poller, Scope};
use gleaner_sync::Connection;
use gleaner_testserver::google_reader::Entry;
use std::{fmt::Write, pin::pin};
use tokio_util::sync::CancellationToken;

/// Ids on the server of the articles of the local feed.
const IDS: [i64; 4] = [1_795_406_884_050_000, 1_795_406_884_050_001, 1_795_406_884_050_002, 1_795_406_884_050_003];

/// A world with a local feed in the folder Mine. The first article is read, the second starred, the third tagged and annotated, the last
/// one read, and the server never has it.
struct Local {
    world: World,
    origin: Server,
    url: String,
    poller: Poller,
    feed: i64,
    folder: i64,
}

impl Local {
    async fn new() -> Self {
        let world = World::new(Dialect::FreshRss, 1, 2).await;
        let feeds = Server::start().await;
        feeds.on_request("*", |_| rss());
        let poller = Poller::new(world.library.clone(), fetcher());
        let library = &world.library;
        let folder = library.folders().create("Mine", None).await.unwrap();
        let url = feeds.url("/feed.xml");
        let new = NewSubscription { url: url.clone(), ..NewSubscription::default() };
        let feed = library.subscriptions().add_into(&new, Some(folder), false).await.unwrap();
        let local = Self { world, origin: feeds, url, poller, feed, folder };
        local.poll().await;
        let rows = local.rows().await;
        assert_eq!(rows.len(), 4);
        let library = &local.world.library;
        library.articles().mark(&[rows[0].id, rows[3].id], Some(true), None).await.unwrap();
        library.articles().mark(&[rows[1].id], None, Some(true)).await.unwrap();
        library.tags().set(&[rows[2].id], "own", true).await.unwrap();
        library.notes().add(rows[2].id, None, 0, "Remember this").await.unwrap();
        local
    }

    async fn poll(&self) {
        self.poller.refresh(Scope::All, CancellationToken::new(), |_| {}).await.unwrap();
    }

    /// The articles of the feed, oldest first.
    async fn rows(&self) -> Vec<Row> {
        rows(&self.world.library, self.feed).await
    }

    async fn row(&self) -> FeedRow {
        self.world.library.feeds().get(self.feed).await.unwrap()
    }

    async fn move_to(&self, account: i64) -> i64 {
        self.world.library.subscriptions().move_to_account(&[self.feed], account).await.unwrap().step
    }

    /// The server fetches the feed: it has all of its articles but the last.
    fn fetched(&self) {
        let mut state = self.world.server.state();
        let feed = state.feeds.iter().find(|(_, feed)| feed.url == self.url).map(|(id, _)| id.clone()).unwrap();
        for id in &IDS[..3] {
            state.entries.entry(*id).or_insert_with(|| Entry {
                feed: feed.clone(),
                title: format!("Article {id} &amp; more"),
                ..Entry::default()
            });
        }
    }

    /// Ids of the subscriptions of the server that have the address of the feed.
    fn there(&self) -> usize {
        self.world.server.state().feeds.values().filter(|feed| feed.url == self.url).count()
    }

    /// Whether the articles are as the user marked them, and none was added or lost.
    async fn check_articles(&self, before: &[Row]) {
        let now = self.rows().await;
        let marks = |rows: &[Row]| rows.iter().map(|row| (row.id, row.read, row.starred)).collect::<Vec<_>>();
        assert_eq!(marks(&now), marks(before));
        let library = &self.world.library;
        assert_eq!(library.notes().of_article(now[2].id).await.unwrap().len(), 1);
        let tags = library.tags().list().await.unwrap();
        assert_eq!(tags.iter().map(|tag| (tag.name.as_str(), tag.items)).collect::<Vec<_>>(), [("own", 1)]);
    }

    /// The server has the marks.
    fn check_there(&self) {
        let state = self.world.server.state();
        let [one, two, three, _] = IDS.map(|id| state.entries.get(&id).cloned().unwrap_or_default());
        assert_eq!([one.read, two.read, three.read], [true, false, false]);
        assert_eq!([one.starred, two.starred, three.starred], [false, true, false]);
        assert!(three.labels.contains("own"));
    }

    /// Synchronises until a number of requests was sent, as if Gleaner was killed then. Returns whether it ended before.
    async fn sync_until(&mut self, requests: usize) -> bool {
        let World { library, account, server, client, .. } = &mut self.world;
        let account = library.accounts().get(*account).await.unwrap();
        let (rules, options, cancel) = (Rules::default(), Options::default(), CancellationToken::new());
        server.server.forget_requests();
        let mut run = pin!(sync(library, &account, client, &rules, &options, &cancel));
        loop {
            tokio::select! {
                biased;
                done = &mut run => { done.unwrap(); return true; }
                () = tokio::task::yield_now() => if server.server.requests().len() >= requests { return false },
            }
        }
    }
}

async fn rows(library: &Library, feed: i64) -> Vec<Row> {
    let query = ListQuery::newest(Source::Feed(feed), 100);
    let mut rows = library.lists().page(query).await.unwrap().0;
    rows.reverse();
    rows
}

fn rss() -> Reply {
    let mut items = String::new();
    for id in IDS {
        let at = chrono::DateTime::from_timestamp(1_795_300_000 + id % 1_000_000, 0).unwrap().to_rfc2822();
        write!(
            items,
            "<item><guid isPermaLink=\"false\">guid-{id}</guid><title>Article {id} &amp;amp; more</title><link>http://site.test/{id}</link>\
             <pubDate>{at}</pubDate><description>Text of {id}, as the feed has it</description></item>"
        )
        .unwrap();
    }
    let head =
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Added</title><link>http://site.test/</link>";
    Reply::ok(format!("{head}{items}</channel></rss>")).header("Content-Type", "application/rss+xml")
}

#[tokio::test]
async fn a_feed_moves_into_an_account_and_back_with_all_its_articles_and_marks() {
    let mut local = Local::new().await;
    local.world.sync().await.unwrap();
    let before = local.rows().await;
    local.move_to(local.world.account).await;
    let row = local.row().await;
    assert_eq!(row.account_id, local.world.account);
    let folders = local.world.library.folders().list().await.unwrap();
    let folder = folders.iter().find(|folder| Some(folder.id) == row.folder_id).unwrap();
    assert_eq!(folder.name, "Mine");
    assert_eq!(folder.parent_id, local.world.account().await.folder_id);
    local.check_articles(&before).await;
    // It is not polled any more.
    let asked = local.origin.requests().len();
    local.poll().await;
    assert_eq!(local.origin.requests().len(), asked);

    assert_eq!(local.world.sync().await.unwrap().changes_sent, 1);
    assert_eq!(local.there(), 1);
    assert_eq!(local.world.server.state().feeds.values().find(|feed| feed.url == local.url).unwrap().folder, "Mine");
    local.fetched();
    let report = local.world.sync().await.unwrap();
    assert_eq!((report.new, report.changed, report.sent), (0, 0, 3), "the marks here are sent");
    local.check_there();
    local.check_articles(&before).await;
    assert_eq!(local.world.sync().await.unwrap(), Report::default());
    // Now both sides change it.
    local.world.library.articles().mark(&[before[1].id], Some(true), None).await.unwrap();
    assert_eq!(local.world.sync().await.unwrap().sent, 1);
    local.world.server.state().entries.get_mut(&IDS[2]).unwrap().read = true;
    assert_eq!(local.world.sync().await.unwrap().changed, 1);

    let marked = local.rows().await;
    local.move_to(LOCAL_ACCOUNT).await;
    let row = local.row().await;
    assert_eq!((row.account_id, row.folder_id), (LOCAL_ACCOUNT, Some(local.folder)));
    assert_eq!(local.world.sync().await.unwrap().changes_sent, 1);
    assert_eq!(local.there(), 0);
    local.poll().await;
    assert!(local.origin.requests().len() > asked, "Gleaner polls it again");
    local.check_articles(&marked).await;
    // The server may still list its articles.
    local.world.server.state().entries.get_mut(&IDS[0]).unwrap().read = false;
    local.world.sync().await.unwrap();
    local.check_articles(&marked).await;
    assert_eq!(local.world.library.sync().count_changes().await.unwrap().len(), 0);
    // And into it again, where the server has the same ids.
    local.world.server.state().entries.get_mut(&IDS[1]).unwrap().read = false;
    local.move_to(local.world.account).await;
    local.world.sync().await.unwrap();
    let feed = local.world.server.state().feeds.iter().find(|(_, f)| f.url == local.url).unwrap().0.clone();
    for id in &IDS[..3] {
        local.world.server.state().entries.get_mut(id).unwrap().feed.clone_from(&feed);
    }
    local.world.sync().await.unwrap();
    local.check_articles(&marked).await;
    let state = local.world.server.state();
    assert!(IDS[..3].iter().all(|id| state.entries[id].read), "the marks here are sent");
}

#[tokio::test]
async fn a_move_that_is_undone_before_it_was_sent_is_never_sent() {
    let mut local = Local::new().await;
    local.world.sync().await.unwrap();
    let before = local.rows().await;
    let step = local.move_to(local.world.account).await;
    local.world.library.undo(step).await.unwrap();
    let row = local.row().await;
    assert_eq!((row.account_id, row.folder_id), (LOCAL_ACCOUNT, Some(local.folder)));
    assert_eq!(local.world.sync().await.unwrap(), Report::default());
    local.check_articles(&before).await;

    let feed = local.world.library.sync().feeds(local.world.account).await.unwrap()["feed/1"];
    let was = local.world.library.feeds().get(feed).await.unwrap();
    let out = local.world.library.subscriptions().move_to_account(&[feed], LOCAL_ACCOUNT).await.unwrap();
    assert_eq!(local.world.library.feeds().get(feed).await.unwrap().account_id, LOCAL_ACCOUNT);
    local.world.library.undo(out.step).await.unwrap();
    assert_eq!(local.world.library.feeds().get(feed).await.unwrap(), was);
    local.world.sync().await.unwrap();
    assert!(local.world.server.state().feeds.contains_key("feed/1"));
    let (here, there) = local.world.both().await;
    assert_eq!(here, there);
}

#[tokio::test]
async fn a_move_that_was_sent_can_be_undone() {
    let mut local = Local::new().await;
    local.world.sync().await.unwrap();
    let (before, was) = (local.rows().await, local.row().await);
    let step = local.move_to(local.world.account).await;
    local.world.sync().await.unwrap();
    local.fetched();
    local.world.server.state().feeds.values_mut().find(|feed| feed.url == local.url).unwrap().title =
        "There".to_owned();
    local.world.sync().await.unwrap();
    assert_eq!(local.row().await.shown_title(), "There");
    local.world.library.undo(step).await.unwrap();
    let row = local.row().await;
    assert_eq!((row.title, row.custom_title, row.home_url), (was.title, was.custom_title, was.home_url));
    assert_eq!(local.world.sync().await.unwrap().changes_sent, 1);
    assert_eq!((local.there(), local.row().await.account_id), (0, LOCAL_ACCOUNT));
    local.poll().await;
    local.check_articles(&before).await;
}

#[tokio::test]
async fn a_feed_that_the_account_has_already_is_merged_and_its_marks_are_sent() {
    let mut local = Local::new().await;
    {
        let mut state = local.world.server.state();
        let feed = gleaner_testserver::google_reader::Feed { url: local.url.clone(), ..Default::default() };
        state.feeds.insert("feed/9".to_owned(), feed);
    }
    local.fetched();
    local.world.sync().await.unwrap();
    let feed = local.world.library.sync().feeds(local.world.account).await.unwrap()["feed/9"];
    assert_eq!(rows(&local.world.library, feed).await.len(), 3, "the same feed may be here and in an account");
    let step = local.move_to(local.world.account).await;
    assert_eq!(rows(&local.world.library, feed).await.len(), 4);
    local.world.sync().await.unwrap();
    local.check_there();
    assert_eq!(local.there(), 1);
    local.world.library.undo(step).await.unwrap();
    assert_eq!(local.row().await.account_id, LOCAL_ACCOUNT);
    assert_eq!(local.rows().await.len(), 4);
    local.world.sync().await.unwrap();
    assert_eq!(rows(&local.world.library, feed).await.len(), 3);
}

#[tokio::test]
async fn a_feed_that_the_server_refuses_is_a_feed_of_this_computer_again() {
    let mut local = Local::new().await;
    local.world.sync().await.unwrap();
    let before = local.rows().await;
    local.move_to(local.world.account).await;
    let refused = Reply::ok(r#"{"numResults":0,"error":"no"}"#);
    local.world.server.state().replies.insert("/subscription/quickadd".to_owned(), refused);
    assert_eq!(local.world.sync().await.unwrap().delayed.len(), 1);
    assert_eq!(local.row().await.account_id, local.world.account);
    assert_eq!(local.world.sync().await.unwrap().refused.len(), 1);
    let row = local.row().await;
    assert_eq!((row.account_id, row.folder_id), (LOCAL_ACCOUNT, Some(local.folder)));
    let asked = local.origin.requests().len();
    local.poll().await;
    assert!(local.origin.requests().len() > asked, "Gleaner polls it again");
    local.check_articles(&before).await;
    assert_eq!(local.world.sync().await.unwrap(), Report::default());
}

#[tokio::test]
async fn a_removed_account_whose_feeds_are_kept_returns_feeds_just_moved_into_it() {
    let local = Local::new().await;
    let before = local.rows().await;
    local.move_to(local.world.account).await;
    local.world.library.accounts().remove(local.world.account, true).await.unwrap();
    let row = local.row().await;
    assert_eq!((row.account_id, row.folder_id), (LOCAL_ACCOUNT, Some(local.folder)));
    local.check_articles(&before).await;
}

#[tokio::test]
async fn a_move_that_is_killed_at_any_request_completes_at_the_next_synchronisation() {
    for requests in 1.. {
        let mut local = Local::new().await;
        local.world.sync().await.unwrap();
        let before = local.rows().await;
        local.move_to(local.world.account).await;
        let ended = local.sync_until(requests).await;
        local.check_articles(&before).await;
        assert_eq!(local.row().await.account_id, local.world.account);
        local.world.sync().await.unwrap();
        local.fetched();
        local.world.sync().await.unwrap();
        assert_eq!(local.there(), 1, "killed after {requests} requests");
        local.check_there();
        local.check_articles(&before).await;

        local.move_to(LOCAL_ACCOUNT).await;
        let ended = local.sync_until(requests).await && ended;
        assert_eq!(local.row().await.account_id, LOCAL_ACCOUNT);
        local.world.sync().await.unwrap();
        assert_eq!(local.there(), 0, "killed after {requests} requests");
        local.poll().await;
        local.check_articles(&before).await;
        if ended {
            return;
        }
    }
}

#[tokio::test]
async fn a_feed_moves_from_one_account_to_another() {
    let mut local = Local::new().await;
    local.world.sync().await.unwrap();
    local.move_to(local.world.account).await;
    local.world.sync().await.unwrap();
    local.fetched();
    local.world.sync().await.unwrap();
    let before = local.rows().await;

    let other = TestServer::start(Dialect::FreshRss, 0, 0).await;
    let found = super::found(&other.address(), "sesame").await.unwrap();
    let library = local.world.library.clone();
    let new = NewAccount {
        kind: found.kind.name().to_owned(),
        name: "Other".to_owned(),
        url: found.base.to_string(),
        history: 100,
        ..NewAccount::default()
    };
    let account = library.accounts().add(&new).await.unwrap();
    let connection = Connection { fetcher: fetcher(), base: found.base, certificate: None };
    let mut client = GoogleReader::new(connection, "alice".to_owned(), "sesame".to_owned());
    let mut sync_other = async || -> Result<Report, SyncError> {
        let account = library.accounts().get(account).await.unwrap();
        let (rules, options, cancel) = (Rules::default(), Options::default(), CancellationToken::new());
        sync(&library, &account, &mut client, &rules, &options, &cancel).await
    };
    let step = local.move_to(account).await;
    // The former account is not informed yet, and lists it.
    local.world.server.state().replies.insert("/subscription/edit".to_owned(), Reply::status(500));
    local.world.sync().await.unwrap();
    assert_eq!(library.feeds().list().await.unwrap().len(), 2, "it is not added again");
    local.world.server.state().replies.clear();
    sync_other().await.unwrap();
    let there = other.state().feeds.iter().next().map(|(id, feed)| (id.clone(), feed.url.clone())).unwrap();
    assert_eq!(there.1, local.url);
    for id in &IDS[..3] {
        let title = format!("Article {id} &amp; more");
        other.state().entries.insert(*id, Entry { feed: there.0.clone(), title, ..Entry::default() });
    }
    sync_other().await.unwrap();
    assert!(other.state().entries[&IDS[0]].read && other.state().entries[&IDS[1]].starred);
    local.world.sync().await.unwrap();
    assert_eq!(local.there(), 0);
    local.check_articles(&before).await;
    // And back.
    library.undo(step).await.unwrap();
    sync_other().await.unwrap();
    assert!(other.state().feeds.is_empty());
    local.world.sync().await.unwrap();
    assert_eq!(local.there(), 1);
    local.check_articles(&before).await;
}
