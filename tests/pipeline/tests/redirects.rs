//! The rules for a host also hold for redirects from other hosts: one request at a time, and none before the end of a pause that the
//! host asked for. The pause does not apply to the hosts that redirect to it.
#![allow(clippy::unwrap_used)]

use gleaner_library::Source;
use gleaner_pipeline::{DAY, HOUR, Scratch, rss, travel};
use gleaner_polling::Ended;
use gleaner_testserver::{Reply, Server};
use std::{net::Ipv4Addr, time::Duration};

/// Starts servers at other addresses of loopback, which redirect `/feed` to `/<n>` of `target`.
async fn redirecting(target: &Server, count: u8) -> Vec<Server> {
    let mut servers = Vec::new();
    for number in 0..count {
        let server = Server::start_at(Ipv4Addr::new(127, 0, 0, 2 + number)).await;
        server.on("/feed", Reply::redirect(302, target.url(&format!("/{number}"))));
        servers.push(server);
    }
    servers
}

#[tokio::test]
async fn p44_ten_hosts_that_redirect_to_one_take_turns_there() {
    let (target, scratch) = (Server::start().await, Scratch::new().await);
    target.on_request("*", |_| Reply::ok(rss(&["a"])).delay(Duration::from_millis(60)));
    let servers = redirecting(&target, 10).await;
    let mut feeds = Vec::new();
    for server in &servers {
        feeds.push(scratch.subscribe(&server.url("/feed")).await);
    }
    let summary = scratch.refresh_due().await;
    assert_eq!((summary.requested, summary.failed, target.requests().len()), (10, 0, 10), "{summary:?}");
    assert_eq!(target.most_open(), 1);
    for feed in feeds {
        assert_eq!(scratch.titles(Source::Feed(feed)).await, ["a"]);
    }
}

#[tokio::test]
async fn p31_a_host_that_asked_to_wait_is_not_asked_through_another() {
    let (target, scratch) = (Server::start().await, Scratch::new().await);
    target.on_each("/own", [Reply::status(429).header("Retry-After", "7200"), Reply::ok(rss(&["own"]))]);
    target.on("/0", Reply::ok(rss(&["a"])));
    scratch.subscribe(&target.url("/own")).await;
    scratch.refresh_due().await;
    let servers = redirecting(&target, 1).await;
    servers[0].on("/other", Reply::ok(rss(&["b"])));
    let feed = scratch.subscribe(&servers[0].url("/feed")).await;
    let other = scratch.subscribe(&servers[0].url("/other")).await;
    let scratch = scratch.restart().await;
    let summary = scratch.refresh_due().await;
    assert_eq!((summary.requested, summary.skipped, summary.failed), (1, 1, 0), "{summary:?}");
    assert_eq!(target.requests().len(), 1);
    assert_eq!(scratch.titles(Source::Feed(other)).await, ["b"], "the host that redirects need not wait");
    assert_eq!(scratch.feed_error(feed).await, None);
    travel(HOUR);
    scratch.refresh_due().await;
    assert_eq!((target.requests().len(), servers[0].requests_to("/feed").len()), (1, 1), "nothing is due before");
    travel(2 * HOUR);
    scratch.refresh_due().await;
    assert_eq!(scratch.titles(Source::Feed(feed)).await, ["a"]);
    // From now on it is known where the feed leads.
    target.on("/own", Reply::status(503).header("Retry-After", "86400"));
    travel(2 * DAY);
    scratch.refresh().await;
    let asked = (target.requests().len(), servers[0].requests_to("/feed").len());
    travel(HOUR);
    scratch.refresh().await;
    assert_eq!((target.requests().len(), servers[0].requests_to("/feed").len()), asked);
}

#[tokio::test]
async fn p31_a_pause_holds_at_once_for_redirects_of_the_same_refresh() {
    let (target, scratch) = (Server::start().await, Scratch::new().await);
    target.on_request("*", |_| Reply::status(429).header("Retry-After", "259200").delay(Duration::from_millis(60)));
    let servers = redirecting(&target, 8).await;
    for server in &servers {
        scratch.subscribe(&server.url("/feed")).await;
        server.on("/other", Reply::ok(rss(&["b"])));
        scratch.subscribe(&server.url("/other")).await;
    }
    let summary = scratch.refresh_due().await;
    assert_eq!(target.requests().len(), 1);
    assert_eq!((summary.failed, summary.skipped, summary.updated), (1, 7, 8), "{summary:?}");
    let scratch = scratch.restart().await;
    travel(2 * DAY);
    scratch.refresh_due().await;
    scratch.refresh().await;
    assert_eq!(target.requests().len(), 1);
}

#[tokio::test]
async fn p31_older_articles_are_not_downloaded_through_a_redirect_to_a_host_that_waits() {
    let (target, scratch) = (Server::start().await, Scratch::new().await);
    target.on("/own", Reply::status(503).header("Retry-After", "7200"));
    scratch.subscribe(&target.url("/own")).await;
    scratch.refresh_due().await;
    let servers = redirecting(&target, 1).await;
    let next = "<link rel=\"next\" href=\"/feed\"/>";
    let page = format!(
        "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>A</title>{next}<entry><id>1</id><title>1</title></entry></feed>"
    );
    servers[0].on("/now", Reply::ok(page));
    let feed = scratch.subscribe(&servers[0].url("/now")).await;
    let done = scratch.backfill(feed, 9).await;
    assert!(matches!(done.ended, Some(Ended::RetryAfter(_))), "{done:?}");
    assert_eq!((done.items, target.requests().len()), (1, 1));
}
