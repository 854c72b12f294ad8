//! Rules P40 to P49: what is requested, and how.

use crate::setup::{good, header, one_feed};
use gleaner_pipeline::{DAY, HOUR, MINUTE, SHORT, Scratch, now, rss, travel};
use gleaner_testserver::{Reply, Request, Server};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Returns the requests of three polls of one feed.
async fn three_polls() -> Vec<Request> {
    let reply = good().header("Set-Cookie", "who=you");
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    server.on_request("*", move |_| reply.clone());
    scratch.subscribe(&server.url("/feed?b=2&a=%7e1")).await;
    for _ in 0..3 {
        scratch.refresh_due().await;
        travel(2 * HOUR);
    }
    assert_eq!(server.requests().len(), 3);
    server.requests()
}

#[tokio::test]
async fn p40_get_only() {
    assert!(three_polls().await.iter().all(|request| request.method == "GET"));
}

#[tokio::test]
async fn p41_no_cookies_no_referer_no_tricks_with_the_address() {
    for request in three_polls().await {
        assert_eq!(request.target, "/feed?b=2&a=%7e1");
        for absent in ["Cookie", "Referer", "From", "X-Requested-With", "Cache-Control", "Pragma"] {
            assert_eq!(header(&request, absent), None, "{absent}");
        }
    }
}

#[tokio::test]
async fn p42_one_honest_name() {
    for request in three_polls().await {
        assert_eq!(header(&request, "User-Agent").as_deref(), Some(gleaner_fetch::USER_AGENT));
    }
    assert!(gleaner_fetch::USER_AGENT.contains("https://") && !gleaner_fetch::USER_AGENT.contains("Mozilla"));
}

#[tokio::test]
async fn p45_a_poll_fetches_the_feed_and_nothing_else() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    let image = server.url("/picture.png");
    let items = rss(&["a"]).replace("About a.", &format!("&lt;img src='{image}'&gt;"));
    let icon = format!(
        "<image><url>{}</url><title>T</title><link>{}</link></image><item>",
        server.url("/icon.png"),
        server.url("/")
    );
    server.on("/feed", Reply::ok(items.replacen("<item>", &icon, 1)));
    scratch.subscribe(&server.url("/feed")).await;
    scratch.refresh_due().await;
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn p48_no_delta_is_requested() {
    assert!(three_polls().await.iter().all(|request| request.header("A-IM").is_none()));
}

#[tokio::test]
async fn p44_one_connection_per_host_and_hosts_in_parallel() {
    let (one, two, scratch) = (Server::start().await, Server::start_at([127, 0, 0, 2]).await, Scratch::new().await);
    let order = Arc::new(Mutex::new(String::new()));
    for (server, number) in [(&one, '1'), (&two, '2')] {
        let order = Arc::clone(&order);
        server.on_request("*", move |request| {
            order.lock().unwrap().push(number);
            Reply::ok(rss(&[&format!("{number}-{}", request.path())])).delay(Duration::from_millis(60))
        });
        for feed in 0..5 {
            scratch.subscribe(&server.url(&format!("/{feed}"))).await;
        }
    }
    let summary = scratch.refresh_due().await;
    assert_eq!(summary.items_new, 10);
    assert_eq!((one.most_open(), two.most_open()), (1, 1));
    // at least: ten replies of 60 ms, five from each, with a rest of the same length between them; a pause is never shorter than requested.
    assert!(summary.seconds >= 0.5, "{} s", summary.seconds);
    let order = order.lock().unwrap().clone();
    assert!(order.find('2') < order.rfind('1') && order.find('1') < order.rfind('2'), "in parallel: {order}");
}

#[tokio::test]
async fn p46_nothing_is_guessed_on_a_poll() {
    let (server, scratch, _) = one_feed([good(), Reply::status(404)]).await;
    for _ in 0..3 {
        scratch.refresh_due().await;
        travel(2 * DAY);
    }
    assert!(server.requests().iter().all(|request| request.target == "/feed"));
}

#[tokio::test]
async fn p47_errors_have_a_message() {
    let (_server, scratch, feed) = one_feed([Reply::status(410)]).await;
    scratch.refresh_due().await;
    let failure = scratch.poll(feed).await.failure;
    assert_eq!(failure.error_code.as_deref(), Some("gone"));
}

#[tokio::test]
async fn p49_the_other_feeds_of_a_silent_host_wait() {
    let (server, mut scratch) = (Server::start().await, Scratch::new().await);
    scratch.limit(Some(SHORT), None);
    server.on_request("*", |_| Reply::ok("").hang_before_head());
    let mut paths = HashMap::new();
    for n in 0..6 {
        let path = format!("/{n}");
        paths.insert(scratch.subscribe(&server.url(&path)).await, path);
    }
    let summary = scratch.refresh_due().await;
    assert_eq!((summary.requested, summary.failed, summary.skipped, summary.silent), (2, 2, 4, 4));
    let polls = scratch.library.polls().list().await.unwrap();
    let waits = |poll: &&gleaner_library::Poll| poll.next_reason.as_deref() == Some("silent_host");
    let waiting: Vec<_> = polls.iter().filter(waits).collect();
    assert_eq!(waiting.len(), 4);
    for poll in &waiting {
        assert!(poll.failure.error_code.is_none() && poll.checked_at.is_none(), "it is not an error of the feed");
        let wait = poll.next_at.unwrap() - now();
        assert!((15 * MINUTE..=17 * MINUTE).contains(&wait), "{wait}");
        assert_eq!(server.requests_to(&paths[&poll.feed_id]).len(), 0);
    }
    assert_eq!(scratch.refresh_due().await.requested, 0);
    // The others have their turn, and the one that responds is no reason to wait.
    server.on_request("*", |_| good());
    scratch.limit(None, None);
    travel(20 * MINUTE);
    assert_eq!(scratch.refresh_due().await.requested, 4);
    assert!(waiting.iter().all(|poll| server.requests_to(&paths[&poll.feed_id]).len() == 1));
}

#[tokio::test]
async fn p49_a_host_that_never_finishes_keeps_three_feeds_only() {
    let (server, mut scratch) = (Server::start().await, Scratch::new().await);
    scratch.limit(None, Some(SHORT));
    server.on_request("*", |_| good().hang_in_body(10));
    for n in 0..5 {
        scratch.subscribe(&server.url(&format!("/{n}"))).await;
    }
    let summary = scratch.refresh_due().await;
    assert_eq!((summary.requested, summary.failed, summary.silent), (3, 3, 2));
}
