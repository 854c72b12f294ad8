// long: one test for each line of docs/politeness.md
//! The rules of politeness, each against a scripted server and named by its number. docs/politeness.md is generated from these and
//! from the numbered tests of one exchange (gleaner-fetch) and of the schedule (gleaner-polling).
#![allow(clippy::unwrap_used)]

use gleaner_library::{FeedScope, NewSubscription, Preferences, Source};
use gleaner_pipeline::{DAY, HOUR, MINUTE, SHORT, Scratch, now, rss, travel};
use gleaner_testserver::{ClosedPort, Reply, Request, Server};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn header(request: &Request, name: &str) -> Option<String> {
    request.header(name).map(|value| String::from_utf8_lossy(value).into_owned())
}

/// Returns a scratch library with one feed, whose path has these replies.
async fn one_feed(replies: impl IntoIterator<Item = Reply>) -> (Server, Scratch, i64) {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    server.on_each("/feed", replies);
    let feed = scratch.subscribe(&server.url("/feed")).await;
    (server, scratch, feed)
}

/// Returns the time until the next automatic poll of the feed.
async fn wait(scratch: &Scratch, feed: i64) -> i64 {
    let poll = scratch.poll(feed).await;
    poll.next_at.unwrap() - poll.checked_at.unwrap()
}

fn good() -> Reply {
    Reply::ok(rss(&["a"])).header("ETag", "\"one\"").header("Last-Modified", "Fri, 20 Nov 2026 10:00:00 GMT")
}

#[tokio::test]
async fn p01_the_first_fetch_is_exactly_one_unconditional_get() {
    let (server, scratch, _) = one_feed([good()]).await;
    scratch.refresh_due().await;
    let requests = server.requests();
    assert_eq!(requests.len(), 1);
    assert_eq!(requests[0].method, "GET");
    assert_eq!((header(&requests[0], "If-None-Match"), header(&requests[0], "If-Modified-Since")), (None, None));
}

#[tokio::test]
async fn p01_subscribing_and_the_first_fetch_are_one_get() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    server.on("/moved", Reply::redirect(301, "/feed"));
    server.on_each("/feed", [good().header("Cache-Control", "max-age=7200"), Reply::status(304)]);
    let page = "<html><link rel=alternate type=application/rss+xml href=/moved>A site</html>";
    server.on("/", Reply::ok(page).header("Content-Type", "text/html"));
    let found = gleaner_discovery::discover(scratch.poller.fetcher(), &server.url("/")).await.unwrap().feeds.remove(0);
    assert_eq!(found.url.as_str(), server.url("/feed"));
    let feed = NewSubscription { url: found.url.into(), fetched: true, ..NewSubscription::default() };
    let feed = scratch.library.subscriptions().add(&feed).await.unwrap();
    assert_eq!(scratch.refresh_due().await.requested, 0, "its document is at hand");
    let summary = scratch.poller.first_poll(feed, *found.response.unwrap()).await.unwrap();
    assert_eq!((summary.requested, summary.items_new, summary.failed), (1, 1, 0));
    assert_eq!(scratch.titles(Source::Feed(feed)).await, ["a"]);
    let poll = scratch.poll(feed).await;
    assert_eq!((poll.private, poll.next_reason.as_deref()), (Some(true), Some("fresh")));
    let log = scratch.library.polls().log(feed).await.unwrap();
    assert_eq!((log.len(), log[0].status, log[0].new_items, log[0].why.as_str()), (1, Some(200), 1, "first"));
    scratch.refresh_due().await;
    assert_eq!(server.requests_to("/feed").len(), 1);
    // The next one is conditional.
    travel(3 * HOUR);
    scratch.refresh_due().await;
    let requests = server.requests_to("/feed");
    assert_eq!((requests.len(), header(&requests[1], "If-None-Match").as_deref()), (2, Some("\"one\"")));
    // A feed that was polled stays as it is.
    let answer = gleaner_discovery::discover(scratch.poller.fetcher(), &server.url("/feed")).await;
    assert!(answer.is_err(), "a 304 to an unconditional request");
}

#[tokio::test]
async fn p02_every_later_fetch_sends_both_validators_byte_for_byte() {
    let odd = b"W/\"a \xe9 b\"".to_vec();
    let reply =
        Reply::ok(rss(&["a"])).header("ETag", odd.clone()).header("Last-Modified", "Fri, 20 Nov 2026 10:00:00 GMT");
    let (server, scratch, _) = one_feed([reply, Reply::status(304)]).await;
    for _ in 0..4 {
        scratch.refresh().await;
    }
    for request in &server.requests()[1..] {
        assert_eq!(request.header("If-None-Match"), Some(&odd[..]));
        assert_eq!(header(request, "If-Modified-Since").as_deref(), Some("Fri, 20 Nov 2026 10:00:00 GMT"));
    }
}

#[tokio::test]
async fn p02_blank_validators_are_not_sent_back() {
    for (etag, last_modified) in [("", ""), (" ", "\t"), ("\"one\"", ""), ("", "yesterday")] {
        let reply = Reply::ok(rss(&["a"])).header("ETag", etag).header("Last-Modified", last_modified);
        let (server, scratch, feed) = one_feed([reply]).await;
        scratch.refresh().await;
        scratch.refresh().await;
        let last = server.requests().pop().unwrap();
        let sent = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        assert_eq!(header(&last, "If-None-Match"), sent(etag));
        assert_eq!(header(&last, "If-Modified-Since"), sent(last_modified));
        assert_eq!(scratch.poll(feed).await.bare > 0, etag.trim().is_empty() && last_modified.trim().is_empty());
    }
}

#[tokio::test]
async fn p03_a_last_modified_that_is_no_date_is_echoed() {
    let reply = Reply::ok(rss(&["a"])).header("Last-Modified", "yesterday, about noon");
    let (server, scratch, _) = one_feed([reply, Reply::status(304)]).await;
    scratch.refresh().await;
    scratch.refresh().await;
    assert_eq!(header(&server.requests()[1], "If-Modified-Since").as_deref(), Some("yesterday, about noon"));
}

#[tokio::test]
async fn p04_when_one_validator_changes_both_are_stored_again() {
    let second =
        Reply::ok(rss(&["b", "a"])).header("ETag", "\"two\"").header("Last-Modified", "Fri, 20 Nov 2026 10:00:00 GMT");
    let (server, scratch, _) = one_feed([good(), second, Reply::status(304)]).await;
    for _ in 0..3 {
        scratch.refresh().await;
    }
    let last = server.requests().pop().unwrap();
    assert_eq!(header(&last, "If-None-Match").as_deref(), Some("\"two\""));
    assert_eq!(header(&last, "If-Modified-Since").as_deref(), Some("Fri, 20 Nov 2026 10:00:00 GMT"));
}

#[tokio::test]
async fn p05_the_same_body_with_new_validators_stores_them() {
    let again = Reply::ok(rss(&["a"])).header("ETag", "\"two\"");
    let (server, scratch, feed) = one_feed([good(), again, Reply::status(304)]).await;
    for _ in 0..3 {
        scratch.refresh().await;
    }
    let last = server.requests().pop().unwrap();
    assert_eq!(
        (header(&last, "If-None-Match").as_deref(), header(&last, "If-Modified-Since")),
        (Some("\"two\""), None)
    );
    assert_eq!(scratch.titles(Source::Feed(feed)).await, ["a"]);
}

#[tokio::test]
async fn p06_a_200_without_validators_clears_both() {
    let (server, scratch, _) = one_feed([good(), Reply::ok(rss(&["b", "a"])), Reply::ok(rss(&["b", "a"]))]).await;
    for _ in 0..3 {
        scratch.refresh().await;
    }
    let last = server.requests().pop().unwrap();
    assert_eq!((header(&last, "If-None-Match"), header(&last, "If-Modified-Since")), (None, None));
}

#[tokio::test]
async fn p07_a_304_with_a_new_etag_stores_it() {
    let (server, scratch, _) =
        one_feed([good(), Reply::status(304).header("ETag", "\"two\""), Reply::status(304)]).await;
    for _ in 0..3 {
        scratch.refresh().await;
    }
    assert_eq!(header(&server.requests()[2], "If-None-Match").as_deref(), Some("\"two\""));
}

#[tokio::test]
async fn p08_a_304_without_last_modified_erases_nothing() {
    let (server, scratch, _) = one_feed([good(), Reply::status(304), Reply::status(304)]).await;
    for _ in 0..3 {
        scratch.refresh().await;
    }
    let last = &server.requests()[2];
    assert_eq!(header(last, "If-None-Match").as_deref(), Some("\"one\""));
    assert_eq!(header(last, "If-Modified-Since").as_deref(), Some("Fri, 20 Nov 2026 10:00:00 GMT"));
}

#[tokio::test]
async fn p09_errors_never_erase_validators() {
    for failure in [
        Reply::status(404),
        Reply::status(500),
        Reply::status(503),
        Reply::status(429),
        Reply::ok("").hang_before_head(),
        Reply::ok(rss(&["x"])).cut_after(20),
    ] {
        let (server, mut scratch, _) = one_feed([good(), failure.clone(), Reply::status(304)]).await;
        for limit in [None, Some(SHORT), None] {
            scratch.limit(limit, None);
            scratch.refresh().await;
            travel(3 * DAY);
        }
        let last = server.requests().pop().unwrap();
        assert_eq!(header(&last, "If-None-Match").as_deref(), Some("\"one\""), "{failure:?}");
    }
}

#[tokio::test]
async fn p10_validators_survive_a_restart() {
    let (server, scratch, _) = one_feed([good(), Reply::status(304)]).await;
    scratch.refresh().await;
    let scratch = scratch.restart().await;
    scratch.refresh().await;
    assert_eq!(header(&server.requests()[1], "If-None-Match").as_deref(), Some("\"one\""));
}

#[tokio::test]
async fn p11_editing_a_feeds_url_drops_its_validators() {
    let (server, scratch, feed) = one_feed([good()]).await;
    server.on("/elsewhere", good());
    scratch.refresh().await;
    scratch.library.feeds().set_url(feed, &server.url("/elsewhere")).await.unwrap();
    scratch.refresh_due().await;
    let request = server.requests_to("/elsewhere").pop().unwrap();
    assert_eq!((header(&request, "If-None-Match"), header(&request, "If-Modified-Since")), (None, None));
    assert_eq!(scratch.titles(Source::Feed(feed)).await, ["a"], "its articles stay");
}

#[tokio::test]
async fn p12_a_document_that_could_not_be_read_does_not_commit_its_validators() {
    let broken = Reply::ok("<!doctype html><p>Down for maintenance").header("ETag", "\"down\"");
    let (server, scratch, _) = one_feed([good(), broken, Reply::status(304)]).await;
    for _ in 0..3 {
        scratch.refresh().await;
    }
    assert_eq!(header(&server.requests()[2], "If-None-Match").as_deref(), Some("\"one\""));
}

#[tokio::test]
async fn p12_a_document_that_is_cut_off_commits_its_validators_when_it_comes_again() {
    let whole = rss(&["a", "b"]);
    let cut = || Reply::ok(&whole[..whole.len() - 40]).header("ETag", "\"two\"");
    let (server, scratch, feed) = one_feed([good(), cut(), cut(), Reply::status(304)]).await;
    for _ in 0..4 {
        scratch.refresh().await;
    }
    let sent = server.requests().iter().map(|request| header(request, "If-None-Match")).collect::<Vec<_>>();
    let tag = |tag: &str| Some(format!("\"{tag}\""));
    assert_eq!(sent, [None, tag("one"), tag("one"), tag("two")]);
    assert!(scratch.titles(Source::Feed(feed)).await.contains(&"a".to_owned()));
}

#[tokio::test]
async fn p13_a_server_that_always_answers_304_gets_an_unconditional_request_now_and_then() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    server.on_request("/feed", |request| match request.header("If-None-Match") {
        Some(_) => Reply::status(304),
        None => good(),
    });
    scratch.subscribe(&server.url("/feed")).await;
    scratch.refresh_due().await;
    for _ in 0..60 {
        travel(DAY + HOUR * 3);
        scratch.refresh_due().await;
    }
    let requests = server.requests();
    let whole = requests[1..].iter().filter(|request| request.header("If-None-Match").is_none()).count();
    assert!((1..=9).contains(&whole), "{whole} of {}", requests.len());
}

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

#[tokio::test]
async fn p30_retry_after_in_all_its_forms() {
    let date = |offset: i64| {
        let at = chrono::DateTime::from_timestamp_millis(gleaner_library::now() + offset).unwrap();
        at.format("%a, %d %b %Y %H:%M:%S GMT").to_string()
    };
    for (value, least, most) in [
        ("7200".to_owned(), 2 * HOUR, 3 * HOUR),
        (date(4 * HOUR), 4 * HOUR - MINUTE, 5 * HOUR),
        ("0".to_owned(), HOUR, 2 * HOUR),
        ("-5".to_owned(), HOUR, 2 * HOUR),
        ("soon, I hope".to_owned(), HOUR, 2 * HOUR),
        ((3 * 86_400).to_string(), 3 * DAY, 4 * DAY),
        (date(3 * DAY), 3 * DAY - MINUTE, 4 * DAY),
        ((7 * 86_400).to_string(), 7 * DAY, 8 * DAY),
        (date(7 * DAY), 7 * DAY - MINUTE, 8 * DAY),
        ((10 * 365 * 86_400).to_string(), 7 * DAY, 8 * DAY),
    ] {
        for status in [429, 503] {
            let (_server, scratch, feed) = one_feed([Reply::status(status).header("Retry-After", value.clone())]).await;
            scratch.refresh_due().await;
            let wait = wait(&scratch, feed).await;
            assert!((least..most).contains(&wait), "{status}, {value}: {} min", wait / MINUTE);
        }
    }
}

#[tokio::test]
async fn p31_a_pause_of_days_holds_for_all_feeds_of_the_host() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    server.on_each("/a", [Reply::status(429).header("Retry-After", "432000"), good()]);
    server.on("/b", good());
    scratch.subscribe(&server.url("/a")).await;
    scratch.subscribe(&server.url("/b")).await;
    scratch.refresh_due().await;
    for _ in 0..4 {
        travel(DAY + 5 * HOUR);
        scratch.refresh_due().await;
        scratch.refresh().await;
        assert_eq!(server.requests().len(), 1);
    }
    travel(5 * HOUR);
    scratch.refresh().await;
    assert_eq!((server.requests_to("/a").len(), server.requests_to("/b").len()), (2, 1));
}

#[tokio::test]
async fn p31_retry_after_holds_for_the_host_and_over_a_restart() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    server.on_each("/a", [Reply::status(429).header("Retry-After", "7200"), good()]);
    server.on("/b", good());
    scratch.subscribe(&server.url("/a")).await;
    scratch.subscribe(&server.url("/b")).await;
    scratch.refresh_due().await;
    let scratch = scratch.restart().await;
    travel(HOUR);
    assert_eq!((scratch.refresh_due().await.requested, scratch.refresh().await.requested), (0, 0));
    assert_eq!(server.requests().len(), 1);
    travel(2 * HOUR);
    scratch.refresh_due().await;
    assert_eq!(server.requests_to("/b").len(), 1);
}

#[tokio::test]
async fn p31_a_403_with_retry_after_holds_for_the_host_too() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    server.on("/a", Reply::status(403).header("Retry-After", "7200"));
    server.on("/b", good());
    scratch.subscribe(&server.url("/a")).await;
    scratch.subscribe(&server.url("/b")).await;
    scratch.refresh_due().await;
    travel(HOUR);
    assert_eq!((scratch.refresh_due().await.requested, scratch.refresh().await.requested), (0, 0));
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn p32_a_429_without_a_hint_backs_off_from_an_hour_on() {
    let (_server, scratch, feed) = one_feed([Reply::status(429)]).await;
    let mut before = HOUR / 2;
    for _ in 0..4 {
        scratch.refresh_due().await;
        let wait = wait(&scratch, feed).await;
        assert!(wait >= 2 * before, "{wait} after {before}");
        before = wait * 10 / 11;
        travel(wait + MINUTE);
    }
}

#[tokio::test]
async fn p33_other_errors_back_off_to_a_cap_in_days_and_then_need_attention() {
    let (server, closed) = (Server::start().await, ClosedPort::new());
    server.on("/403", Reply::status(403));
    server.on("/404", Reply::status(404));
    server.on("/hangs", Reply::ok("").hang_before_head());
    let url = |path| server.url(path);
    back_off(Scratch::new().await, [url("/403"), url("/404"), closed.url("/feed")]).await;
    let mut impatient = Scratch::new().await;
    impatient.limit(Some(SHORT), None);
    travel(-27 * DAY);
    back_off(impatient, [url("/hangs")]).await;
}

/// Refreshes feeds that fail for 27 days.
async fn back_off<const FEEDS: usize>(scratch: Scratch, urls: [String; FEEDS]) {
    let mut feeds = Vec::new();
    for url in urls {
        feeds.push((scratch.subscribe(&url).await, url));
    }
    let mut last = vec![HOUR / 3; feeds.len()];
    for _ in 0..9 {
        scratch.refresh_due().await;
        for ((feed, url), last) in feeds.iter().zip(&mut last) {
            let wait = wait(&scratch, *feed).await;
            assert!(
                wait >= *last * 19 / 10 || wait >= 2 * DAY,
                "{url}: {} min after {}",
                wait / MINUTE,
                *last / MINUTE
            );
            assert!(wait <= 3 * DAY, "{url}");
            *last = wait * 10 / 11;
        }
        travel(3 * DAY);
    }
    let suggestions = scratch.suggestions().await;
    for (feed, url) in feeds {
        assert!(suggestions[&feed].contains(&gleaner_polling::Suggestion::LongFailing), "{url}: {suggestions:?}");
    }
}

#[tokio::test]
async fn p32_a_host_that_answers_429_twice_in_a_row_is_left_alone_for_an_hour() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    server.on_request("*", |request| match request.target.as_str() {
        // One alone may be about a single feed.
        "/2" | "/4" => good(),
        _ => Reply::status(429),
    });
    let mut feeds = Vec::new();
    for number in 1..10 {
        feeds.push(scratch.subscribe(&server.url(&format!("/{number}"))).await);
    }
    let summary = scratch.refresh_due().await;
    assert_eq!((server.requests().len(), summary.failed, summary.skipped), (6, 4, 3), "{summary:?}");
    travel(HOUR / 2);
    scratch.refresh_due().await;
    let scratch = scratch.restart().await;
    assert_eq!(scratch.refresh().await.skipped, 9, "also by hand");
    assert_eq!(server.requests().len(), 6);
    server.on_request("*", |_| good());
    travel(2 * HOUR);
    scratch.refresh_due().await;
    for feed in feeds {
        assert_eq!(scratch.feed_error(feed).await, None);
    }
}

#[tokio::test]
async fn a_host_is_left_alone_at_once_and_costs_no_refresh_by_hand() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    server.on_request("*", |_| good());
    let mut feeds = Vec::new();
    for number in 1..5 {
        feeds.push(scratch.subscribe(&server.url(&format!("/{number}"))).await);
    }
    scratch.refresh_due().await;
    server.on_request("*", |_| Reply::status(429));
    let summary = scratch.refresh().await;
    assert_eq!((summary.requested, summary.skipped), (2, 2));
    server.forget_requests();
    // A redirect would lead there just as well.
    let page = gleaner_fetch::Request::new(server.url("/page").parse().unwrap());
    let error = scratch.poller.fetch_named(page).await.unwrap_err();
    assert_eq!((error.kind, server.requests().len()), (gleaner_fetch::FetchErrorKind::Waiting, 0));
    let mut used = Vec::new();
    for feed in feeds {
        used.push(scratch.poll(feed).await.hand_at.is_some_and(|used| used > now()));
    }
    used.sort_unstable();
    assert_eq!(used, [false, false, true, true]);
}

#[tokio::test]
async fn p34_a_429_never_disables_a_feed_for_good() {
    let replies = vec![Reply::status(429); 12].into_iter().chain([good()]);
    let (_server, scratch, feed) = one_feed(replies).await;
    for _ in 0..13 {
        scratch.refresh_due().await;
        travel(3 * DAY);
    }
    assert_eq!(scratch.titles(Source::Feed(feed)).await, ["a"]);
    assert_eq!(scratch.feed_error(feed).await, None);
}

#[tokio::test]
async fn p35_a_410_stops_polling_and_is_reported() {
    let (server, scratch, feed) = one_feed([good(), Reply::status(410)]).await;
    scratch.refresh_due().await;
    for _ in 0..5 {
        travel(30 * DAY);
        scratch.refresh_due().await;
    }
    assert_eq!(server.requests().len(), 2);
    assert_eq!(scratch.suggestions().await[&feed], [gleaner_polling::Suggestion::Gone]);
    assert_eq!(scratch.titles(Source::Feed(feed)).await, ["a"]);
}

#[tokio::test]
async fn p35_a_410_behind_a_temporary_redirect_does_not_stop_polling() {
    for (statuses, stops) in [([302, 301], false), ([301, 307], false), ([301, 308], true)] {
        let (server, scratch, feed) = one_feed([Reply::redirect(statuses[0], "/b")]).await;
        server.on("/b", Reply::redirect(statuses[1], "/c"));
        server.on("/c", Reply::status(410));
        scratch.refresh_due().await;
        let code = if stops { "gone" } else { "http_status" };
        assert_eq!(scratch.feed_error(feed).await.as_deref(), Some(code), "{statuses:?}");
        assert_eq!(scratch.poll(feed).await.next_at.is_none(), stops, "{statuses:?}");
    }
}

#[tokio::test]
async fn p36_a_page_in_place_of_the_feed_backs_off_and_keeps_the_items() {
    let page = Reply::ok("<!doctype html><html><body><form action=login>Log in</form></body></html>")
        .header("Content-Type", "text/html");
    let (_server, scratch, feed) = one_feed([good(), page]).await;
    scratch.refresh_due().await;
    travel(2 * HOUR);
    scratch.refresh_due().await;
    assert!(wait(&scratch, feed).await >= HOUR);
    assert_eq!(scratch.titles(Source::Feed(feed)).await, ["a"]);
    assert_eq!(scratch.feed_error(feed).await.as_deref(), Some("not_a_feed_web_page"));
    assert_eq!(scratch.suggestions().await[&feed], [gleaner_polling::Suggestion::NotAFeed]);
}

#[tokio::test]
async fn p37_permanent_redirects_are_followed_for_good_after_several_answers() {
    for (status, follows) in [(301, true), (308, true), (302, false), (303, false), (307, false)] {
        let (server, scratch, feed) = one_feed([Reply::redirect(status, "/new")]).await;
        server.on("/new", good());
        scratch.refresh_due().await;
        assert_eq!(scratch.library.feeds().get(feed).await.unwrap().url, server.url("/feed"), "once is not believed");
        for _ in 0..4 {
            travel(DAY);
            scratch.refresh_due().await;
        }
        let row = scratch.library.feeds().get(feed).await.unwrap();
        let expected = if follows { server.url("/new") } else { server.url("/feed") };
        assert_eq!(row.url, expected, "{status}");
        assert_eq!(row.former_url, follows.then(|| server.url("/feed")));
    }
    // After the user has undone it, it is not followed again, unless the user changes the setting.
    let (server, scratch, feed) = one_feed([Reply::redirect(301, "/new")]).await;
    server.on("/new", good());
    let follow = async || {
        for _ in 0..5 {
            scratch.refresh_due().await;
            travel(DAY);
        }
        scratch.library.feeds().get(feed).await.unwrap().url
    };
    assert_eq!(follow().await, server.url("/new"));
    let undo = scratch.library.feeds().set_url(feed, &server.url("/feed")).await.unwrap();
    assert_eq!(follow().await, server.url("/feed"));
    scratch.library.undo(undo.step).await.unwrap();
    let row = scratch.library.feeds().get(feed).await.unwrap();
    assert_eq!((row.url, row.former_url), (server.url("/new"), Some(server.url("/feed"))));
    // A different response in between restarts the count.
    let (server, scratch, feed) = one_feed([
        Reply::redirect(301, "/a"),
        Reply::redirect(301, "/a"),
        Reply::redirect(301, "/b"),
        Reply::redirect(301, "/a"),
    ])
    .await;
    server.on("/a", good());
    server.on("/b", good());
    for _ in 0..4 {
        scratch.refresh_due().await;
        travel(DAY);
    }
    assert_eq!(scratch.library.feeds().get(feed).await.unwrap().url, server.url("/feed"));
}

#[tokio::test]
async fn p38_a_circle_of_redirects_ends_and_the_feed_stays() {
    let (server, scratch, feed) = one_feed([good(), Reply::redirect(302, "/circle")]).await;
    server.on("/circle", Reply::redirect(302, "/feed"));
    scratch.refresh_due().await;
    travel(2 * HOUR);
    scratch.refresh_due().await;
    assert!(server.requests().len() < 5);
    assert_eq!(scratch.feed_error(feed).await.as_deref(), Some("redirect_loop"));
    assert_eq!(scratch.titles(Source::Feed(feed)).await, ["a"]);
}

#[tokio::test]
async fn p39_two_feeds_that_end_at_one_url_are_offered_for_merging() {
    let (server, scratch, feed) = one_feed([Reply::redirect(302, "/new")]).await;
    server.on("/new", good());
    let other = scratch.subscribe(&server.url("/new")).await;
    scratch.refresh_due().await;
    assert_eq!(scratch.suggestions().await[&feed], [gleaner_polling::Suggestion::Merge { with: other }]);
}

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
        assert!(poll.failure.error_code.is_none() && poll.checked_at.is_none(), "it is no error of the feed");
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
