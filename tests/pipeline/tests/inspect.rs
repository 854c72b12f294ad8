//! The report on a feed's document: stored in short form, complete on request, as politely as any refresh.
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
async fn stores_a_short_report_and_gives_a_full_one_on_request() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    server.on_request("/feed", |request| match request.header("if-none-match") {
        Some(_) => Reply::status(304),
        None => Reply::ok(DOCUMENT).header("ETag", "\"1\""),
    });
    let feed = scratch.subscribe(&server.url("/feed")).await;
    assert_eq!(scratch.library.polls().report(feed).await.unwrap(), None);
    scratch.refresh().await;
    let (at, stored) = scratch.library.polls().report(feed).await.unwrap().unwrap();
    assert!(now() - at < gleaner_pipeline::MINUTE);
    assert!(
        stored.contains("bare-ampersand") && stored.contains("\"items_total\":2") && !stored.contains("\"One\""),
        "{stored}"
    );

    // The inspection requests the whole document, though it is not modified, and adds nothing twice.
    scratch.refresh().await;
    server.forget_requests();
    let inspected = inspect(&scratch, feed).await;
    assert!(server.requests()[0].header("if-none-match").is_none());
    assert_eq!((inspected.summary.requested, inspected.summary.items_new), (1, 0));
    let (_, report) = inspected.report.unwrap();
    assert_eq!((report.items.len(), report.repairs_total, report.format.as_str()), (2, 1, "rss-2.0"));
    assert_eq!(report.repairs[0].text, "<rss version='2.0'><channel><title>Boats & nets</title><ttl>90</ttl>");
    let log = scratch.library.polls().log(feed).await.unwrap();
    assert_eq!((log[0].why.as_str(), log[0].conditional, log[0].status), ("hand", false, Some(200)));
    scratch.refresh().await;
    assert_eq!(server.requests().len(), 2);
    assert!(server.requests()[1].header("if-none-match").is_some(), "its validators are as they were");
}

#[tokio::test]
async fn inspecting_has_the_limits_of_a_manual_refresh() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    server.on("/feed", Reply::ok(DOCUMENT));
    let feed = scratch.subscribe(&server.url("/feed")).await;
    scratch.refresh().await;
    let mut limited = None;
    for _ in 0..10 {
        let inspected = inspect(&scratch, feed).await;
        assert_eq!(inspected.report.is_some(), inspected.summary.requested == 1);
        limited = limited.or(inspected.summary.limited_until);
    }
    assert!(limited.is_some());
    assert!(server.requests().len() <= 6, "{}", server.requests().len());
}

#[tokio::test]
async fn the_log_reports_a_failed_inspection() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    server.on_each("/feed", [Reply::ok(DOCUMENT), Reply::ok("<html><body>Sorry</body></html>"), Reply::status(500)]);
    let feed = scratch.subscribe(&server.url("/feed")).await;
    scratch.refresh().await;
    for error in ["not_a_feed_web_page", "http_status"] {
        assert!(inspect(&scratch, feed).await.report.is_none());
        assert_eq!(scratch.feed_error(feed).await.as_deref(), Some(error));
    }
    assert!(scratch.library.polls().report(feed).await.unwrap().is_some(), "the stored report stays");
}
