//! Rules P20 to P29: when feeds are polled.

use crate::setup::{good, one_feed, wait};
use gleaner_library::{FeedScope, Preferences};
use gleaner_pipeline::{DAY, HOUR, MINUTE, Scratch, now, rss, travel};
use gleaner_testserver::{Reply, Server};

#[tokio::test]
async fn p20_an_hour_between_polls_unless_the_server_or_the_user_says_otherwise() {
    let (server, scratch, feed) = one_feed([Reply::ok(rss(&["a"])).header("ETag", "\"e\"")]).await;
    scratch.refresh_due().await;
    assert!((HOUR..2 * HOUR).contains(&wait(&scratch, feed).await));
    travel(HOUR - MINUTE);
    assert_eq!(scratch.refresh_due().await.requested, 0);
    travel(20 * MINUTE);
    assert_eq!(scratch.refresh_due().await.requested, 1);
    // The user may set a longer interval, but never less than fifteen minutes.
    often(&scratch, FeedScope::Feed(feed), Some(5)).await;
    travel(2 * HOUR);
    scratch.refresh_due().await;
    assert!((15 * MINUTE..20 * MINUTE).contains(&wait(&scratch, feed).await));
    // Or no polling at all.
    often(&scratch, FeedScope::Feed(feed), Some(0)).await;
    let before = server.requests().len();
    travel(30 * DAY);
    scratch.refresh_due().await;
    assert_eq!(server.requests().len(), before);
    // The same for all feeds without a setting of their own.
    often(&scratch, FeedScope::All, Some(0)).await;
    often(&scratch, FeedScope::Feed(feed), Some(30)).await;
    scratch.refresh_due().await;
    assert_eq!(server.requests().len(), before + 1);
    often(&scratch, FeedScope::Feed(feed), None).await;
    travel(30 * DAY);
    scratch.refresh_due().await;
    assert_eq!(server.requests().len(), before + 1);
}

async fn often(scratch: &Scratch, scope: FeedScope, refresh_minutes: Option<i64>) {
    scratch.library.preferences().set(scope, Preferences { refresh_minutes, ..Preferences::default() }).await.unwrap();
}

#[tokio::test]
async fn p20_a_server_without_validators_is_polled_once_a_day() {
    let (_server, scratch, feed) = one_feed([Reply::ok(rss(&["a"]))]).await;
    for _ in 0..4 {
        scratch.refresh_due().await;
        travel(25 * HOUR);
    }
    assert!(wait(&scratch, feed).await >= DAY);
    assert_eq!(scratch.poll(feed).await.next_reason.as_deref(), Some("no_validators"));
}

#[tokio::test]
async fn p20_a_feed_that_has_just_posted_is_not_polled_once_a_day() {
    let replies: [&[&str]; 3] = [&["a"], &["a"], &["b", "a"]];
    let (_server, scratch, feed) = one_feed(replies.map(|titles| Reply::ok(rss(titles)))).await;
    for _ in 0..4 {
        assert_eq!(scratch.refresh_due().await.requested, 1);
        assert!((HOUR..2 * HOUR).contains(&wait(&scratch, feed).await), "{:?}", scratch.poll(feed).await);
        travel(2 * HOUR);
    }
    travel(DAY);
    scratch.refresh_due().await;
    assert!(wait(&scratch, feed).await >= DAY);
    assert_eq!(scratch.poll(feed).await.next_reason.as_deref(), Some("no_validators"));
}

#[tokio::test]
async fn p21_max_age_expires_and_age_are_respected_on_a_304_too() {
    let (_server, scratch, feed) = one_feed([
        good().header("Cache-Control", "max-age=14400").header("Age", "3600"),
        Reply::status(304).header("Cache-Control", "max-age=18000"),
        // Without headers the values of the last response stay valid.
        Reply::status(304),
        good().header("Date", "Fri, 20 Nov 2026 10:00:00 GMT").header("Expires", "Fri, 20 Nov 2026 12:00:00 GMT"),
        good(),
    ])
    .await;
    for hours in [3, 5, 5, 2, 1] {
        scratch.refresh().await;
        let wait = wait(&scratch, feed).await;
        assert!((hours * HOUR..hours * HOUR * 11 / 10 + 1).contains(&wait), "{hours} h: {} min", wait / MINUTE);
        travel(6 * HOUR);
    }
}

#[tokio::test]
async fn p22_no_store_never_means_faster_and_absurd_values_are_clamped() {
    for (value, least, most) in [("no-store", 1, 2), ("max-age=0", 1, 2), ("max-age=999999999999", 7 * 24, 8 * 24)] {
        let (_server, scratch, feed) = one_feed([good().header("Cache-Control", value)]).await;
        scratch.refresh().await;
        let wait = wait(&scratch, feed).await / HOUR;
        assert!((least..most).contains(&wait), "{value}: {wait} h");
    }
}

#[tokio::test]
async fn p23_the_interval_requested_by_the_feed_is_respected_also_after_a_304() {
    let asking = rss(&["a"]).replace("<link>https://example.com/</link>", "<ttl>300</ttl>");
    let (_server, scratch, feed) = one_feed([Reply::ok(asking).header("ETag", "\"e\""), Reply::status(304)]).await;
    for _ in 0..2 {
        scratch.refresh().await;
        assert!(wait(&scratch, feed).await >= 5 * HOUR);
        assert_eq!(scratch.poll(feed).await.next_reason.as_deref(), Some("ttl"));
    }
    let period =
        rss(&["a"]).replace("<rss ", "<rss xmlns:sy=\"http://purl.org/rss/1.0/modules/syndication/\" ").replace(
            "<link>https://example.com/</link>",
            "<sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>2</sy:updateFrequency>",
        );
    let (_server, scratch, feed) = one_feed([Reply::ok(period)]).await;
    scratch.refresh().await;
    assert!(wait(&scratch, feed).await >= 12 * HOUR);
}

#[tokio::test]
async fn p23_skipped_hours_and_days_are_left_out() {
    use chrono::{DateTime, Timelike as _, Utc};
    let hour = DateTime::<Utc>::from_timestamp_millis(now()).unwrap().hour();
    // All hours but one, three hours after the next.
    let open = (hour + 4) % 24;
    let hours: String = (0..24).filter(|hour| *hour != open).map(|hour| format!("<hour>{hour}</hour>")).collect();
    let asking = rss(&["a"]).replace("<link>https://example.com/</link>", &format!("<skipHours>{hours}</skipHours>"));
    let (_server, scratch, feed) = one_feed([Reply::ok(asking)]).await;
    scratch.refresh().await;
    let poll = scratch.poll(feed).await;
    assert_eq!(DateTime::<Utc>::from_timestamp_millis(poll.next_at.unwrap()).unwrap().hour(), open);
    assert_eq!(poll.next_reason.as_deref(), Some("skipped"));
}

#[tokio::test]
async fn p23_an_overdue_feed_is_not_polled_in_skipped_hours() {
    use chrono::{DateTime, Timelike as _, Utc};
    let hour = || DateTime::<Utc>::from_timestamp_millis(now()).unwrap().hour();
    // The computer is off until the skipped hours.
    let skipped: String = (6..12).map(|later| format!("<hour>{}</hour>", (hour() + later) % 24)).collect();
    let asking = rss(&["a"]).replace("<link>https://example.com/</link>", &format!("<skipHours>{skipped}</skipHours>"));
    let (server, scratch, feed) = one_feed([Reply::ok(asking)]).await;
    scratch.refresh_due().await;
    travel(8 * HOUR);
    let summary = scratch.refresh_due().await;
    assert_eq!((summary.feeds, summary.requested, server.requests().len()), (0, 0, 1));
    let poll = scratch.poll(feed).await;
    assert!((3 * HOUR..6 * HOUR).contains(&(poll.next_at.unwrap() - now())), "{poll:?}");
    assert_eq!(poll.next_reason.as_deref(), Some("skipped"));
    travel(6 * HOUR);
    assert_eq!(scratch.refresh_due().await.requested, 1);
    // A person may refresh it at any time.
    travel(18 * HOUR);
    assert_eq!((scratch.refresh_due().await.requested, scratch.refresh().await.requested), (0, 1));
    // It is on in these hours only.
    travel(7 * DAY);
    assert_eq!(scratch.refresh_due().await.requested, 1);
}

#[tokio::test]
async fn p24_feeds_with_few_or_undated_items_are_not_polled_hourly_forever() {
    let old = "<rss version=\"2.0\"><channel><title>T</title><item><guid>1</guid><title>1</title>
        <pubDate>Mon, 06 Jan 2020 00:00:00 GMT</pubDate></item></channel></rss>";
    let empty = "<rss version=\"2.0\"><channel><title>T</title></channel></rss>";
    let undated: String = (0..20).map(|id| format!("<item><guid>{id}</guid><title>{id}</title></item>")).collect();
    let undated = empty.replace("</title>", &format!("</title>{undated}"));
    for document in [old, empty, &undated] {
        let (_server, scratch, feed) =
            one_feed([Reply::ok(document).header("ETag", "\"e\""), Reply::status(304)]).await;
        scratch.refresh_due().await;
        travel(20 * DAY);
        assert_eq!(scratch.refresh_due().await.requested, 1);
        assert!(wait(&scratch, feed).await >= DAY, "{document}");
        assert_eq!(scratch.poll(feed).await.next_reason.as_deref(), Some("posting_frequency"));
    }
}

#[tokio::test]
async fn p24_the_interval_follows_the_posting_frequency() {
    let dated = |every: i64| {
        let items: String = (0..10)
            .map(|number| {
                let at = chrono::DateTime::from_timestamp_millis(now() - number * every - every / 3).unwrap();
                format!(
                    "<item><guid>{number}</guid><title>{number}</title><pubDate>{}</pubDate></item>",
                    at.to_rfc2822()
                )
            })
            .collect();
        Reply::ok(format!("<rss version=\"2.0\"><channel><title>T</title>{items}</channel></rss>"))
            .header("ETag", "\"e\"")
    };
    let (_server, scratch, feed) = one_feed([dated(7 * DAY)]).await;
    scratch.refresh().await;
    assert!(wait(&scratch, feed).await > 6 * HOUR);
    assert_eq!(scratch.poll(feed).await.next_reason.as_deref(), Some("posting_frequency"));
    let (_server, scratch, feed) = one_feed([dated(HOUR)]).await;
    scratch.refresh().await;
    assert!(wait(&scratch, feed).await < 2 * HOUR);
}

#[tokio::test]
async fn p25_feeds_polled_together_are_not_polled_together_again() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    let mut feeds = Vec::new();
    for number in 0..12 {
        server.on(&format!("/{number}"), good());
        feeds.push(scratch.subscribe(&server.url(&format!("/{number}"))).await);
    }
    scratch.refresh_due().await;
    let mut next = Vec::new();
    for feed in feeds {
        next.push(scratch.poll(feed).await.next_at.unwrap());
    }
    next.sort_unstable();
    assert!(next[11] - next[0] > 2 * MINUTE, "{next:?}");
}

#[tokio::test]
async fn p26_twenty_restarts_in_an_hour_cause_no_extra_request() {
    let (server, mut scratch, _) = one_feed([good()]).await;
    scratch.refresh_due().await;
    for _ in 0..20 {
        travel(2 * MINUTE);
        scratch = scratch.restart().await;
        scratch.refresh_due().await;
    }
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn p27_waking_from_sleep_does_not_burst() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    for number in 0..10 {
        server.on(&format!("/{number}"), good());
        scratch.subscribe(&server.url(&format!("/{number}"))).await;
    }
    scratch.refresh_due().await;
    travel(3 * DAY);
    server.forget_requests();
    scratch.refresh_due().await;
    scratch.refresh_due().await;
    let requests = server.requests();
    assert_eq!(requests.len(), 10, "each feed once for all that was missed");
    assert_eq!(server.most_open(), 1, "and its host on one connection");
}

#[tokio::test]
async fn p28_refreshing_by_hand_is_limited_per_feed_and_says_so() {
    let (server, scratch, _) = one_feed([good(), Reply::status(304)]).await;
    let mut limited = None;
    for _ in 0..20 {
        let summary = scratch.refresh().await;
        limited = limited.or(summary.limited_until);
        assert_eq!(summary.requested + summary.limited, 1);
    }
    assert!(server.requests().len() <= 6, "{}", server.requests().len());
    let until = limited.unwrap();
    assert!((MINUTE..HOUR).contains(&(until - now())), "{until}");
    travel(until - now());
    assert_eq!(scratch.refresh().await.requested, 1);
}

#[tokio::test]
async fn p29_a_304_starts_no_retry_loop() {
    let (server, scratch, _) = one_feed([good(), Reply::status(304)]).await;
    scratch.refresh_due().await;
    travel(2 * HOUR);
    for _ in 0..10 {
        scratch.refresh_due().await;
    }
    assert_eq!(server.requests().len(), 2);
}
