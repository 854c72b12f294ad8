//! Offline and online again, asleep and awake (politeness P27): a fault of this computer is not blamed on a feed, and there are no bursts.
#![allow(clippy::unwrap_used)]

use gleaner_fetch::KNOWN_NAME;
use gleaner_pipeline::{DAY, HOUR, MINUTE, Scratch, now, rss, travel};
use gleaner_polling::Suggestion;
use gleaner_testserver::{Reply, Server};
use std::time::{Duration, Instant};

const HOSTS: [&str; 4] = ["a.example", "b.example", "c.example", "d.example"];

fn names(online: bool) -> Vec<(&'static str, bool)> {
    HOSTS.into_iter().chain([KNOWN_NAME]).map(|name| (name, online)).collect()
}

/// Returns feeds on several hosts, each polled once.
async fn feeds() -> (Server, Scratch, Vec<i64>) {
    let (server, mut scratch) = (Server::start().await, Scratch::new().await);
    server.on("/feed", Reply::ok(rss(&["a"])).header("ETag", "\"e\""));
    scratch.look_up(&names(true));
    let mut feeds = Vec::new();
    for host in HOSTS {
        feeds.push(scratch.subscribe(&server.url_at(host, "/feed")).await);
    }
    assert_eq!(scratch.refresh_due().await.updated, feeds.len());
    server.forget_requests();
    (server, scratch, feeds)
}

#[tokio::test]
async fn p27_days_offline_count_against_no_feed_and_polling_resumes_spread_out() {
    let (server, mut scratch, feeds) = feeds().await;
    scratch.look_up(&names(false));
    for _ in 0..20 {
        travel(4 * HOUR);
        let summary = scratch.refresh_due().await;
        assert_eq!((summary.offline, summary.failed), (feeds.len(), feeds.len()));
    }
    let mut next = Vec::new();
    for feed in &feeds {
        let poll = scratch.poll(*feed).await;
        assert_eq!((poll.failures, poll.etag.as_deref()), (0, Some(&b"\"e\""[..])));
        assert_eq!(poll.failure.error_code.as_deref(), Some("offline"));
        let wait = poll.next_at.unwrap() - now();
        assert!((MINUTE..=10 * MINUTE).contains(&wait), "{wait}");
        next.push(poll.next_at.unwrap());
        assert_eq!(scratch.library.polls().totals(Some(*feed)).await.unwrap().requests, 1, "nothing was sent");
    }
    assert!(scratch.suggestions().await.is_empty(), "no feed needs attention");
    next.sort_unstable();
    next.dedup();
    assert_eq!(next.len(), feeds.len(), "the times differ");

    scratch.look_up(&names(true));
    travel(11 * MINUTE);
    let summary = scratch.refresh_due().await;
    assert_eq!((summary.requested, summary.offline), (feeds.len(), 0));
    assert_eq!(server.requests().len(), feeds.len());
    for feed in &feeds {
        assert_eq!(scratch.feed_error(*feed).await, None);
        assert!(
            scratch.poll(*feed).await.next_at.unwrap() - now() < 2 * DAY,
            "being offline does not lengthen intervals"
        );
    }
}

#[tokio::test]
async fn p27_a_manual_refresh_while_offline_uses_up_no_limit() {
    let (server, mut scratch, feeds) = feeds().await;
    let before = scratch.poll(feeds[0]).await;
    scratch.look_up(&names(false));
    for _ in 0..20 {
        assert_eq!(scratch.refresh().await.limited, 0);
    }
    let after = scratch.poll(feeds[0]).await;
    assert_eq!((after.next_at, after.next_reason), (before.next_at, before.next_reason));
    scratch.look_up(&names(true));
    assert_eq!(scratch.refresh_due().await.requested, 0, "none is due");
    assert_eq!(scratch.refresh().await.requested, feeds.len());
    assert_eq!(server.requests().len(), feeds.len());
}

#[tokio::test]
async fn the_error_of_a_feed_starts_when_it_occurs() {
    let (server, mut scratch, feeds) = feeds().await;
    scratch.look_up(&names(false));
    travel(DAY);
    scratch.refresh_due().await;
    travel(9 * DAY);
    scratch.look_up(&names(true));
    server.on("/feed", Reply::status(500));
    scratch.refresh_due().await;
    assert!(scratch.suggestions().await.is_empty(), "a first failure is not reported");
    let began = scratch.poll(feeds[0]).await.failure.error_since.unwrap();
    assert!((now() - began).abs() < MINUTE);

    // It continues from there, whatever the state of this computer.
    scratch.look_up(&names(false));
    travel(9 * DAY);
    scratch.refresh_due().await;
    let poll = scratch.poll(feeds[0]).await;
    assert_eq!((poll.failure.error_code.as_deref(), poll.failure.error_since), (Some("http_status"), Some(began)));
    assert_eq!(poll.failures, 1);
    assert_eq!(scratch.suggestions().await[&feeds[0]], [Suggestion::LongFailing]);
}

#[tokio::test]
async fn one_unknown_host_does_not_mean_offline() {
    let (_server, mut scratch, feeds) = feeds().await;
    let mut some = names(true);
    some[0].1 = false;
    scratch.look_up(&some);
    travel(3 * DAY);
    let summary = scratch.refresh_due().await;
    assert_eq!((summary.requested, summary.failed), (feeds.len(), 1));
    assert_eq!(scratch.feed_error(feeds[0]).await.as_deref(), Some("host_not_found"));
    assert_eq!(scratch.poll(feeds[0]).await.failures, 1);
}

#[tokio::test]
async fn p27_after_sleep_hosts_are_requested_one_after_the_other() {
    let scratch = Scratch::new().await;
    let mut servers = Vec::new();
    for number in 2..14 {
        let server = Server::start_at([127, 0, 0, number]).await;
        server.on("/feed", Reply::ok(rss(&["a"])));
        scratch.subscribe(&server.url("/feed")).await;
        servers.push(server);
    }
    scratch.refresh_due().await;
    servers.iter().for_each(Server::forget_requests);
    // The wall clock jumps; for this process no time has passed.
    travel(8 * HOUR);
    let begun = Instant::now();
    scratch.refresh_due().await;
    // at least: a pause is never shorter than requested.
    assert!(begun.elapsed() >= Duration::from_millis(11 * 20), "{:?}", begun.elapsed());
    scratch.refresh_due().await;
    for server in &servers {
        assert_eq!(server.requests().len(), 1, "missed polls are made up by one");
    }
}

#[tokio::test]
async fn a_clock_change_neither_repeats_nor_loses_a_poll() {
    let (server, scratch, feeds) = feeds().await;
    travel(-8 * HOUR);
    scratch.refresh_due().await;
    assert!(server.requests().is_empty(), "not due yet");
    // The clock was years fast at the last poll.
    travel(8 * HOUR + 3000 * DAY);
    scratch.refresh_due().await;
    travel(-3000 * DAY);
    server.forget_requests();
    scratch.refresh_due().await;
    assert_eq!(server.requests().len(), feeds.len());
    scratch.refresh_due().await;
    assert_eq!(server.requests().len(), feeds.len());
}
