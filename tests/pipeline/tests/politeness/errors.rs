//! Rules P30 to P39: errors, pauses and redirects.

use crate::setup::{good, one_feed, wait};
use gleaner_library::Source;
use gleaner_pipeline::{DAY, HOUR, MINUTE, SHORT, Scratch, now, travel};
use gleaner_testserver::{ClosedPort, Reply, Server};

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
