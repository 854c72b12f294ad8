//! Refreshing, importing, retention and unsubscribing at the same time on one library: nothing fails, and nothing is stored twice.
#![allow(clippy::unwrap_used)]

use gleaner_exchange::readers;
use gleaner_library::{FeedScope, Library, Millis, NewSubscription, RetentionPolicy, now};
use gleaner_pipeline::{DAY, HOUR, Scratch};
use gleaner_polling::Scope;
use gleaner_testserver::{Reply, Server};
use std::{
    path::Path,
    sync::atomic::{AtomicI64, AtomicUsize, Ordering},
};
use tokio_util::sync::CancellationToken;

const FEEDS: usize = 6;
const ROUNDS: usize = 25;
/// Number of items in a document, and by how many it moves on with each round.
const ITEMS: usize = 12;
const MOVES: usize = 4;

/// The round that clock and documents are in.
static ROUND: AtomicUsize = AtomicUsize::new(0);
static LATER: AtomicI64 = AtomicI64::new(0);

/// Refreshes by hand are limited per feed, so each round is an hour later.
fn clock() -> Millis {
    now() + LATER.load(Ordering::SeqCst)
}

/// The numbers of the items that a document has in a round.
fn numbers(round: usize) -> impl DoubleEndedIterator<Item = usize> {
    round * MOVES..round * MOVES + ITEMS
}

/// A feed in a round: items move on, and the texts of those that stay change.
fn document(feed: usize, round: usize) -> String {
    let item = |number: usize| {
        format!(
            "<item><guid isPermaLink=\"false\">{feed}-{number}</guid><title>Article {feed}-{number}</title>\
             <link>https://feed{feed}.example/{number}</link><description>Edition {round} of {number}.</description></item>"
        )
    };
    let items: String = numbers(round).rev().map(item).collect();
    format!(
        "<rss version=\"2.0\"><channel><title>Feed {feed}</title><link>https://feed{feed}.example/</link>{items}</channel></rss>"
    )
}

/// An export with the articles of this round and the next one, half of them under other ids.
fn export(file: &Path, urls: &[String], round: usize) {
    let mut items = Vec::new();
    for (feed, url) in urls.iter().enumerate() {
        for number in numbers(round).chain(numbers(round + 1).skip(ITEMS - MOVES)) {
            let guid = if number % 2 == 0 { format!("{feed}-{number}") } else { format!("other-{feed}-{number}") };
            items.push(format!(
                "{{\"guid\":\"{guid}\",\"title\":\"Article {feed}-{number}\",\"alternate\":[{{\"href\":\"https://feed{feed}.example/{number}\"}}],\
                 \"summary\":{{\"content\":\"As imported.\"}},\"categories\":[\"user/-/label/imported\"],\
                 \"origin\":{{\"streamId\":\"feed/{url}\"}}}}"
            ));
        }
    }
    std::fs::write(file, format!("{{\"id\":\"feed/x\",\"items\":[{}]}}", items.join(","))).unwrap();
}

async fn import(library: &Library, file: &Path) {
    let mut data = readers::open(&readers::find(file).unwrap().remove(0)).await.unwrap();
    let result = readers::import(library, &mut data, clock(), |_| true).await.unwrap();
    assert!(!result.damaged);
}

async fn expire(library: &Library) {
    let keep = RetentionPolicy { articles: Some(5), keep_unread: false, ..RetentionPolicy::EVERYTHING };
    library.retention().set(FeedScope::All, Some(keep), now(), |_| true).await.unwrap();
    library.retention().delete_expired(now() + 2 * DAY, |_| true).await.unwrap();
}

async fn leave_and_return(library: &Library, url: &str) {
    let feed = library.feeds().find_by_url(url).await.unwrap();
    if let Some(feed) = feed {
        library.feeds().unsubscribe(&[feed]).await.unwrap();
    }
    // The import may have subscribed to it meanwhile.
    let _there = library.subscriptions().add(&NewSubscription::new(url)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn refresh_import_retention_and_unsubscribing_run_at_the_same_time() {
    let (server, mut scratch) = (Server::start().await, Scratch::new().await);
    let hosts: Vec<String> = (0..FEEDS).map(|feed| format!("feed{feed}.example")).collect();
    let names: Vec<(&str, bool)> = hosts.iter().map(|host| (host.as_str(), true)).collect();
    scratch.look_up(&names);
    let poller = scratch.poller.clone().with_clock(clock);
    let mut urls = Vec::new();
    for (feed, host) in hosts.iter().enumerate() {
        let path = format!("/{feed}");
        server.on_request(&path, move |_| Reply::ok(document(feed, ROUND.load(Ordering::SeqCst))));
        urls.push(server.url_at(host, &path));
        scratch.subscribe(&urls[feed]).await;
    }
    let library = &scratch.library;
    let file = scratch.path().join("export.json");
    for round in 0..ROUNDS {
        ROUND.store(round, Ordering::SeqCst);
        LATER.store(i64::try_from(round).unwrap() * HOUR, Ordering::SeqCst);
        export(&file, &urls, round);
        let refresh = poller.refresh(Scope::All, CancellationToken::new(), |_| {});
        let (summary, (), (), (), ()) = tokio::join!(
            refresh,
            import(library, &file),
            expire(library),
            leave_and_return(library, &urls[round % FEEDS]),
            import(library, &file),
        );
        let summary = summary.unwrap();
        assert_eq!((summary.failed, summary.limited), (0, 0), "round {round}: {summary:?}");
        for poll in library.polls().list().await.unwrap() {
            assert_eq!(poll.failure.error_code, None, "round {round}: {poll:?}");
        }
    }
    assert!(library.check(true).await.unwrap().is_intact());
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(scratch.path().join("library.sqlite"));
    let mut connection = <sqlx::SqliteConnection as sqlx::Connection>::connect_with(&options).await.unwrap();
    let twice = "SELECT items.title FROM items JOIN feeds ON feeds.id = feed_id AND unsubscribed_at IS NULL GROUP BY feed_id, items.title HAVING count(*) > 1";
    let twice: Vec<String> = sqlx::query_scalar(twice).fetch_all(&mut connection).await.unwrap();
    assert_eq!(twice, Vec::<String>::new(), "stored twice");
}

#[tokio::test]
async fn feeds_whose_addresses_change_during_a_refresh_are_neither_requested_nor_counted_at_the_former_ones() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    let mut feeds = Vec::new();
    for path in ["/a", "/b"] {
        feeds.push((scratch.subscribe(&server.url(path)).await, server.url(&format!("{path}/new"))));
    }
    let ids = [feeds[0].0, feeds[1].0];
    server.on_request("*", {
        let library = scratch.library.clone();
        move |_| {
            let (library, feeds) = (library.clone(), feeds.clone());
            // The server answers on the thread of the test, which waits.
            let changing = std::thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                for (feed, url) in feeds {
                    runtime.block_on(library.feeds().set_url(feed, &url)).unwrap();
                }
            });
            changing.join().unwrap();
            Reply::status(404)
        }
    });
    let mut last = None;
    let summary = scratch.poller.refresh(Scope::All, CancellationToken::new(), |progress| last = Some(progress));
    let summary = summary.await.unwrap();
    assert_eq!((server.requests().len(), summary.feeds, summary.requested, summary.failed), (1, 0, 0, 0));
    assert_eq!(last.map(|progress| (progress.done, progress.total, progress.failed)), Some((0, 0, 0)));
    for feed in ids {
        assert_eq!(scratch.feed_error(feed).await, None);
    }
}
