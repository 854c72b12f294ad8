//! Expired articles do not return while their feed still has them; new articles are added.
#![allow(clippy::unwrap_used)]

use gleaner_library::{FeedScope, RetentionPolicy, Source, now};
use gleaner_pipeline::{DAY, Scratch, rss};
use gleaner_testserver::{Reply, Server};

#[tokio::test]
async fn expired_articles_do_not_return() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    let all = ["e", "d", "c", "b", "a"];
    server.on_each(
        "/feed",
        [
            Reply::ok(rss(&all)),
            // The same items, one of them changed; then a new one.
            Reply::ok(rss(&all).replace("About a.", "About a, corrected.")),
            Reply::ok(rss(&["f", "e", "d", "c", "b", "a"])),
        ],
    );
    let feed = scratch.subscribe(&server.url("/feed")).await;
    scratch.refresh().await;
    let keep = RetentionPolicy { articles: Some(2), keep_unread: false, ..RetentionPolicy::EVERYTHING };
    let library = &scratch.library;
    let titles = async || {
        let rows = scratch.list(Source::Feed(feed)).await;
        let mut titles: Vec<String> = rows.into_iter().map(|row| row.title).collect();
        titles.sort();
        titles.concat()
    };
    assert_eq!(library.retention().set(FeedScope::Feed(feed), Some(keep), now(), |_| true).await.unwrap().count, 3);
    assert_eq!(titles().await, "de");
    assert_eq!(library.retention().delete_expired(now() + 2 * DAY, |_| true).await.unwrap(), 3);
    for expected in ["de", "def"] {
        scratch.refresh().await;
        assert_eq!(titles().await, expected);
    }
    assert!(library.check(false).await.unwrap().is_intact());
}
