//! What was let go of does not come back while its feed still has it, and what is new beside it does.
#![allow(clippy::unwrap_used)]

use gleaner_library::{FeedScope, Keep, Source, now};
use gleaner_pipeline::{DAY, Scratch, rss};
use gleaner_testserver::{Reply, Server};

#[tokio::test]
async fn what_was_let_go_of_does_not_come_back() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    let all = ["e", "d", "c", "b", "a"];
    server.on_each(
        "/feed",
        [
            Reply::ok(rss(&all)),
            // The same, one of them changed; then something new beside them.
            Reply::ok(rss(&all).replace("About a.", "About a, corrected.")),
            Reply::ok(rss(&["f", "e", "d", "c", "b", "a"])),
        ],
    );
    let feed = scratch.subscribe(&server.url("/feed")).await;
    scratch.refresh().await;
    let keep = Keep { articles: Some(2), keep_unread: false, ..Keep::EVERYTHING };
    let library = &scratch.library;
    let titles = async || {
        let rows = scratch.list(Source::Feed(feed)).await;
        let mut titles: Vec<String> = rows.into_iter().map(|row| row.title).collect();
        titles.sort();
        titles.concat()
    };
    assert_eq!(library.keep(FeedScope::Feed(feed), Some(keep), now(), |_| true).await.unwrap().count, 3);
    assert_eq!(titles().await, "de");
    assert_eq!(library.clear_out(now() + 2 * DAY, |_| true).await.unwrap(), 3);
    for expected in ["de", "def"] {
        scratch.refresh().await;
        assert_eq!(titles().await, expected);
    }
    assert!(library.check(false).await.unwrap().is_whole());
}
