//! What a feed's document says is kept, and told in full when it is asked for by hand: as politely as any refresh.
#![allow(clippy::unwrap_used)]

use gleaner_pipeline::{Scratch, now};
use gleaner_polling::Inspected;
use gleaner_testserver::{Reply, Server};
use tokio_util::sync::CancellationToken;

const DOCUMENT: &str = "<rss version='2.0'><channel><title>Boats & nets</title><ttl>90</ttl>
    <item><guid>1</guid><title>One</title></item><item><guid>2</guid><title>Two</title></item></channel></rss>";

async fn inspect(scratch: &Scratch, feed: i64) -> Inspected {
    scratch.poller.inspect(feed, CancellationToken::new(), |_| {}).await.unwrap()
}

#[tokio::test]
async fn a_document_is_kept_in_few_words_and_told_in_full_by_hand() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    server.on_request("/feed", |request| match request.header("if-none-match") {
        Some(_) => Reply::status(304),
        None => Reply::ok(DOCUMENT).header("ETag", "\"1\""),
    });
    let feed = scratch.subscribe(&server.url("/feed")).await;
    assert_eq!(scratch.library.report(feed).await.unwrap(), None);
    scratch.refresh().await;
    let (at, kept) = scratch.library.report(feed).await.unwrap().unwrap();
    assert!(now() - at < gleaner_pipeline::MINUTE);
    assert!(
        kept.contains("bare-ampersand") && kept.contains("\"items_total\":2") && !kept.contains("\"One\""),
        "{kept}"
    );

    // What is not modified for a refresh is asked for whole, and brings nothing twice.
    scratch.refresh().await;
    server.forget_requests();
    let inspected = inspect(&scratch, feed).await;
    assert!(server.requests()[0].header("if-none-match").is_none());
    assert_eq!((inspected.summary.asked, inspected.summary.items_new), (1, 0));
    let (_, told) = inspected.told.unwrap();
    assert_eq!((told.items.len(), told.repairs_total, told.format.as_str()), (2, 1, "rss-2.0"));
    assert_eq!(told.repairs[0].text, "<rss version='2.0'><channel><title>Boats & nets</title><ttl>90</ttl>");
    let log = scratch.library.poll_log(feed).await.unwrap();
    assert_eq!((log[0].why.as_str(), log[0].conditional, log[0].status), ("hand", false, Some(200)));
    scratch.refresh().await;
    assert_eq!(server.requests().len(), 2);
    assert!(server.requests()[1].header("if-none-match").is_some(), "its validators are as they were");
}

#[tokio::test]
async fn inspecting_is_limited_as_refreshing_by_hand_is() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    server.on("/feed", Reply::ok(DOCUMENT));
    let feed = scratch.subscribe(&server.url("/feed")).await;
    scratch.refresh().await;
    let mut limited = None;
    for _ in 0..10 {
        let inspected = inspect(&scratch, feed).await;
        assert_eq!(inspected.told.is_some(), inspected.summary.asked == 1);
        limited = limited.or(inspected.summary.limited_until);
    }
    assert!(limited.is_some());
    assert!(server.requests().len() <= 6, "{}", server.requests().len());
}

#[tokio::test]
async fn what_is_no_feed_or_does_not_come_is_told_by_the_record() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    server.on_each("/feed", [Reply::ok(DOCUMENT), Reply::ok("<html><body>Sorry</body></html>"), Reply::status(500)]);
    let feed = scratch.subscribe(&server.url("/feed")).await;
    scratch.refresh().await;
    for trouble in ["not_a_feed", "http_status"] {
        assert!(inspect(&scratch, feed).await.told.is_none());
        assert_eq!(scratch.trouble(feed).await.as_deref(), Some(trouble));
    }
    assert!(scratch.library.report(feed).await.unwrap().is_some(), "what was kept stays");
}
