//! Downloading the older articles of a feed.
#![allow(clippy::unwrap_used)]

use gleaner_library::Source;
use gleaner_pipeline::{HOUR, Scratch, now, rss};
use gleaner_polling::{Ended, FeedErrorCode, Scope};
use gleaner_testserver::{Reply, Server};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

#[tokio::test]
async fn older_articles_are_downloaded_page_by_page_and_stored_as_read() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    // RFC 5005: each page names the one before it.
    let page = |titles: &[&str], before: Option<&str>| {
        let link = before.map(|before| {
            format!("<atom:link xmlns:atom=\"http://www.w3.org/2005/Atom\" rel=\"prev-archive\" href=\"{before}\"/>")
        });
        Reply::ok(rss(titles).replacen("<item>", &format!("{}<item>", link.unwrap_or_default()), 1))
    };
    server.on("/feed", page(&["f", "e"], Some("/2")));
    server.on("/2", page(&["e", "d", "c"], Some("/1")));
    server.on("/1", page(&["b", "a"], None));
    let feed = scratch.subscribe(&server.url("/feed")).await;
    scratch.refresh_due().await;
    let before = scratch.poll(feed).await;
    let done = scratch.backfill(feed, 50).await;
    assert_eq!((done.pages, done.items, done.ended), (3, 4, Some(Ended::Complete)));
    assert_eq!(scratch.list(Source::Feed(feed)).await.len(), 6);
    assert_eq!(scratch.list(Source::Unread).await.len(), 2);
    assert_eq!(scratch.poll(feed).await, before, "the polling state is unchanged");
    assert_eq!(scratch.backfill(feed, 50).await.items, 0, "no article is stored twice");

    // A circle ends, and so does an archive longer than the limit.
    server.on("/1", page(&["b", "a"], Some("/feed")));
    assert_eq!(scratch.backfill(feed, 50).await.pages, 3);
    let limited = scratch.backfill(feed, 1).await;
    assert_eq!((limited.pages, limited.ended), (1, Some(Ended::Limit)));

    // The id of an article may be the address of the next page.
    let last = server.url("/last");
    server.on("/ids", page(&[&last], Some("/last")));
    server.on("/last", page(&["a"], None));
    let feed = scratch.subscribe(&server.url("/ids")).await;
    assert_eq!(scratch.backfill(feed, 50).await.pages, 2);
}

#[tokio::test]
async fn the_archive_of_wordpress_is_numbered_pages() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    let page = |titles: &[&str]| {
        Reply::ok(rss(titles).replacen("<item>", "<generator>https://wordpress.org/?v=6.4</generator><item>", 1))
    };
    server.on("/feed", page(&["d", "c"]));
    server.on("/feed?paged=2", page(&["b"]));
    server.on("/feed?paged=3", page(&["a"]));
    server.on("/feed?paged=4", Reply::status(404));
    let feed = scratch.subscribe(&server.url("/feed")).await;
    scratch.refresh_due().await;
    let done = scratch.backfill(feed, 50).await;
    assert_eq!((done.pages, done.items, done.ended), (3, 2, Some(Ended::Complete)));

    // A site that ignores the number is not requested without end.
    server.forget_requests();
    server.on_request("*", move |_| page(&["d", "c"]));
    let other = scratch.subscribe(&server.url("/other")).await;
    assert_eq!(scratch.backfill(other, 50).await.pages, 2);
}

#[tokio::test]
async fn a_download_of_older_articles_reports_how_it_ended() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    let older = |before: &str| {
        let link =
            format!("<atom:link xmlns:atom=\"http://www.w3.org/2005/Atom\" rel=\"next\" href=\"{before}\"/><item>");
        Reply::ok(rss(&["b"]).replacen("<item>", &link, 1))
    };
    server.on("/bare", Reply::ok(rss(&["a"])));
    server.on("/busy", older("/busy/2"));
    server.on("/busy/2", Reply::status(429).header("Retry-After", "600"));
    server.on("/broken", older("/broken/2"));
    server.on("/broken/2", Reply::status(500));
    let bare = scratch.subscribe(&server.url("/bare")).await;
    let busy = scratch.subscribe(&server.url("/busy")).await;
    let broken = scratch.subscribe(&server.url("/broken")).await;
    assert_eq!(scratch.backfill(bare, 9).await.ended, Some(Ended::NothingOffered));
    let failed = scratch.backfill(broken, 9).await;
    assert!(
        matches!(&failed.ended, Some(Ended::Failed(error)) if error.code == FeedErrorCode::HttpStatus),
        "{failed:?}"
    );
    // A page that is cut off is an error, since the next one is older.
    for (address, older_page) in [("/cut", "/cut/2"), ("/counted", "/counted?paged=2")] {
        server.on(address, older(older_page));
        let part = rss(&["a"]);
        let length = u64::try_from(part.len()).unwrap() + 40;
        server.on(older_page, Reply::ok(part.replace("</channel></rss>", "<item>")).content_length(length));
        let cut = scratch.subscribe(&server.url(address)).await;
        let failed = scratch.backfill(cut, 9).await;
        let is_lost =
            matches!(&failed.ended, Some(Ended::Failed(error)) if error.code == FeedErrorCode::ConnectionLost);
        assert!(is_lost && failed.pages == 1, "{failed:?}");
    }
    let before = now();
    let waits = scratch.backfill(busy, 9).await;
    let is_hour = matches!(waits.ended, Some(Ended::RetryAfter(until)) if until >= before + HOUR);
    assert!(is_hour && waits.pages == 1, "as long as that of a feed: {waits:?}");
    server.forget_requests();
    assert!(matches!(scratch.backfill(bare, 9).await.ended, Some(Ended::RetryAfter(_))), "it holds for the host (P31)");
    assert_eq!((scratch.refresh().await.requested, server.requests().len()), (0, 0));
}

#[tokio::test]
async fn refreshes_other_feeds_while_the_archive_of_one_is_downloaded_with_one_request_per_host() {
    let (server, other) = (Server::start().await, Server::start_at([127, 0, 0, 2]).await);
    let scratch = Scratch::new().await;
    let link = "<atom:link xmlns:atom=\"http://www.w3.org/2005/Atom\" rel=\"next\" href=\"/2\"/><item>";
    server.on("/feed", Reply::ok(rss(&["b"]).replacen("<item>", link, 1)));
    server.on("/2", Reply::status(200).hang_before_head());
    other.on("/feed", Reply::ok(rss(&["z"])));
    let feed = scratch.subscribe(&server.url("/feed")).await;
    let others = scratch.subscribe(&other.url("/feed")).await;
    let stop = CancellationToken::new();
    let (poller, cancel) = (scratch.poller.clone(), stop.clone());
    let backfill = tokio::spawn(async move { poller.backfill(feed, 9, cancel, |_| {}).await.unwrap() });
    while server.requests_to("/2").is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let done = scratch.refresh_with(Scope::Feeds(vec![others]), CancellationToken::new()).await;
    assert_eq!((done.requested, done.items_new, done.other_process), (1, 1, false));
    let mut same = Box::pin(scratch.refresh_with(Scope::Feeds(vec![feed]), CancellationToken::new()));
    let waited = tokio::time::timeout(Duration::from_millis(200), &mut same).await;
    assert!(waited.is_err() && server.requests_to("/feed").len() == 1, "its host is in use");
    stop.cancel();
    assert_eq!(backfill.await.unwrap().ended, Some(Ended::Cancelled));
    assert_eq!(same.await.requested, 1);
    assert_eq!(scratch.list(Source::Feed(feed)).await.len(), 1, "no article is stored twice");
}

#[tokio::test]
async fn a_download_of_older_articles_ends_when_the_feed_is_unsubscribed_or_gets_another_address() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    // Each page names one before it, without end.
    server.on_request("*", |request| {
        let page: u32 = request.target.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(0);
        let link = format!(
            "<atom:link xmlns:atom=\"http://www.w3.org/2005/Atom\" rel=\"next\" href=\"/page/{}\"/><item>",
            page + 1
        );
        Reply::ok(rss(&[&format!("article {page}")]).replacen("<item>", &link, 1))
    });
    let library = &scratch.library;
    for unsubscribes in [true, false] {
        let feed = scratch.subscribe(&server.url("/feed")).await;
        let (began, mut begins) = tokio::sync::mpsc::unbounded_channel();
        let backfill = scratch.poller.backfill(feed, 100, CancellationToken::new(), move |_| {
            began.send(()).ok();
        });
        let change = async {
            begins.recv().await.unwrap();
            if unsubscribes {
                library.feeds().unsubscribe(&[feed]).await.unwrap();
            } else {
                library.feeds().set_url(feed, &server.url("/other")).await.unwrap();
            }
        };
        let (done, ()) = tokio::join!(backfill, change);
        assert_eq!(done.unwrap().ended, Some(Ended::FeedChanged));
    }
}
