//! What is downloaded when, in which order, and what happens after a failure.

use crate::setup::{
    BOTH, TEXT, article, files, full_text_error, item, page, png, prefer, round, rss, subscribed, text, whole,
};
use gleaner_library::{DownloadKind, FeedScope, OfflineContent, OfflineSettings, Preferences};
use gleaner_pipeline::{DAY, HOUR, MINUTE, Scratch, now, travel};
use gleaner_polling::{DownloadProgress, FullTextError, offline};
use gleaner_testserver::{Reply, Server};
use std::{
    fs,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};
use tokio_util::sync::CancellationToken;

#[tokio::test]
async fn nothing_is_downloaded_by_default() {
    let server = Server::start().await;
    let (scratch, _) = subscribed(&server, &[item(&server.url("/a"), "A", "<img src=/p.png>x")]).await;
    assert_eq!(round(&scratch).await, DownloadProgress::default());
    assert_eq!(server.requests().len(), 1, "the feed");
}

#[tokio::test]
async fn downloads_requested_while_the_clock_was_wrong_still_run() {
    let server = Server::start().await;
    server.on("/a", page("Of A."));
    let (scratch, _) = subscribed(&server, &[item(&server.url("/a"), "A", "x")]).await;
    let jobs = [(article(&scratch, "A").await, DownloadKind::Text)];
    scratch.library.downloads().queue(&jobs, now() + 1000 * DAY).await.unwrap();
    assert_eq!(round(&scratch).await.texts, 1);
}

#[tokio::test]
async fn p45_texts_and_images_are_downloaded_once_and_politely() {
    let server = Server::start().await;
    server.on("/a", page("Of A."));
    server.on("/b", page("Of B."));
    server.on("/p.png", Reply::ok(png(1, 500)).header("Set-Cookie", "watch=1"));
    server.on("/q.png", Reply::ok(png(2, 600)));
    let of =
        |name: &str, more: &str| item(&server.url(name), &name[1..], &format!("<p>Short</p><img src=/p.png>{more}"));
    let (scratch, feed) = subscribed(&server, &[of("/a", "<img src='/q.png'>"), of("/b", "")]).await;
    server.forget_requests();
    assert_eq!(prefer(&scratch, feed, BOTH).await, 4);
    let done = round(&scratch).await;
    assert_eq!((done.texts, done.failed), (2, 0));
    let requested: Vec<String> = server.requests().iter().map(|request| request.target.clone()).collect();
    assert_eq!(requested.len(), 4, "each image and page once: {requested:?}");
    for request in server.requests() {
        assert!(request.header("Referer").is_none() && request.header("Cookie").is_none(), "{request:?}");
        assert!(request.header("If-None-Match").is_none() && request.header("If-Modified-Since").is_none());
        assert!(request.text("User-Agent").unwrap().starts_with("Gleaner/"));
    }
    assert_eq!(server.most_open(), 1, "one request per host at a time");
    assert!(text(&scratch, "a").await.unwrap().body.html.contains("Of A."));
    let stored = scratch.library.images().of_article(article(&scratch, "b").await).await.unwrap();
    assert_eq!(stored.len(), 1);
    let image = scratch.library.images().get(&stored[0].digest.unwrap()).await.unwrap().unwrap();
    assert_eq!((image.mime_type.as_str(), fs::read(image.path).unwrap()), ("image/png", png(1, 500)));
    assert_eq!(files(scratch.path()).len(), 2);
    whole(&scratch).await;

    server.forget_requests();
    assert_eq!(round(&scratch).await, DownloadProgress::default(), "nothing is downloaded twice");
    travel(HOUR);
    scratch.refresh().await;
    round(&scratch).await;
    assert_eq!(server.requests().len(), 1, "the feed");
}

#[tokio::test]
async fn downloads_new_and_newly_starred_articles() {
    let server = Server::start().await;
    server.on_request("*", |_| page("Some page."));
    let of = |name: &str| item(&server.url(&format!("/{name}")), name, "x");
    let (scratch, feed) = subscribed(&server, &[of("a"), of("b")]).await;
    prefer(&scratch, feed, OfflineContent::default()).await;
    let settings = OfflineSettings { starred: TEXT, ..OfflineSettings::default() };
    assert_eq!(offline::set_for_all(&scratch.library, &settings, now()).await.unwrap(), 0, "none is starred");
    round(&scratch).await;
    let a = article(&scratch, "a").await;
    scratch.library.articles().mark(&[a], None, Some(true)).await.unwrap();
    assert_eq!(round(&scratch).await.texts, 1);
    assert!(text(&scratch, "a").await.is_some() && text(&scratch, "b").await.is_none());

    offline::prefer(&scratch.library, FeedScope::Feed(feed), Preferences::default(), now()).await.unwrap();
    let settings = OfflineSettings { all: TEXT, ..OfflineSettings::default() };
    offline::set_for_all(&scratch.library, &settings, now()).await.unwrap();
    server.on("/feed", rss(&[of("c"), of("a"), of("b")]));
    travel(HOUR);
    scratch.refresh().await;
    assert_eq!(round(&scratch).await.texts, 1);
    assert!(
        text(&scratch, "c").await.is_some() && text(&scratch, "b").await.is_none(),
        "articles from before the setting are not downloaded"
    );
}

#[tokio::test]
async fn downloads_a_scheduled_article_when_it_is_shown() {
    let server = Server::start().await;
    server.on("/a", page("At last."));
    let scratch = Scratch::new().await;
    scratch.library.scheduled().set_enabled(true).await.unwrap();
    let date = chrono::DateTime::from_timestamp_millis(now() + 2 * HOUR).unwrap().to_rfc2822();
    server.on(
        "/feed",
        rss(&[item(&server.url("/a"), "A", "x").replace("<title>", &format!("<pubDate>{date}</pubDate><title>"))]),
    );
    let feed = scratch.subscribe(&server.url("/feed")).await;
    prefer(&scratch, feed, TEXT).await;
    scratch.refresh().await;
    assert_eq!(round(&scratch).await.texts, 0);
    travel(3 * HOUR);
    assert_eq!(scratch.library.scheduled().release_due(now()).await.unwrap().new, 1);
    assert_eq!(round(&scratch).await.texts, 1);
}

#[tokio::test]
async fn removing_a_preference_removes_its_downloads_from_the_queue() {
    let server = Server::start().await;
    let (scratch, feed) =
        subscribed(&server, &[item(&server.url("/a"), "A", "x"), item(&server.url("/b"), "B", "x")]).await;
    let a = article(&scratch, "A").await;
    assert_eq!(prefer(&scratch, feed, TEXT).await, 2);
    scratch.library.downloads().queue(&[(a, gleaner_library::DownloadKind::Text)], now()).await.unwrap();
    prefer(&scratch, feed, OfflineContent::default()).await;
    let left = scratch.library.downloads().due(now(), 10).await.unwrap();
    assert_eq!(
        left.iter().map(|job| job.item).collect::<Vec<_>>(),
        [a],
        "downloads requested by a rule or the user stay"
    );
}

#[tokio::test]
async fn each_failure_has_its_reason_and_temporary_ones_are_retried() {
    let server = Server::start().await;
    let names = ["gone", "pdf", "empty", "cut", "slow", "huge", "less", "busy"];
    server.on("/gone", Reply::status(404));
    server.on("/pdf", Reply::ok("%PDF-1.7").header("Content-Type", "application/pdf"));
    server
        .on("/empty", Reply::ok("<html><body><script>x()</script></body></html>").header("Content-Type", "text/html"));
    server.on("/cut", page("x").cut_after(40));
    server.on("/slow", page("x").hang_before_head());
    server.on("/huge", Reply::ok("<p>x</p>".repeat(2_000_000)).header("Content-Type", "text/html"));
    server.on("/less", page("Only a bit."));
    server.on("/busy", Reply::status(503));
    let long = format!("<p>{}</p>", "The feed gives the whole of it. ".repeat(200));
    let items: Vec<String> = names
        .iter()
        .map(|name| item(&server.url(&format!("/{name}")), name, if *name == "less" { &long } else { "x" }))
        .collect();
    let (mut scratch, feed) = subscribed(&server, &items).await;
    scratch.limit(Some(Duration::from_secs(10)), None);
    prefer(&scratch, feed, TEXT).await;
    let done = round(&scratch).await;
    assert_eq!((done.texts, done.failed, done.offline), (0, 8, false));
    for (name, reason) in [
        ("gone", Some("http_not_found")),
        ("pdf", Some("not_a_page")),
        ("empty", Some("no_article")),
        ("huge", Some("too_large")),
        ("less", Some("less_text")),
        ("cut", None),
        ("slow", None),
        ("busy", None),
    ] {
        let reported = full_text_error(&scratch, article(&scratch, name).await).await;
        assert_eq!(reported.as_deref(), reason, "{name}");
        assert!(text(&scratch, name).await.is_none());
    }
    server.forget_requests();
    round(&scratch).await;
    assert_eq!(server.requests().len(), 0, "not at once");
    for name in ["cut", "slow", "busy"] {
        server.on(&format!("/{name}"), page("Now it is there."));
    }
    travel(11 * MINUTE);
    assert_eq!(round(&scratch).await.texts, 3);
    assert_eq!(server.requests().len(), 3, "permanent failures are not retried");
    travel(40 * DAY);
    round(&scratch).await;
    assert_eq!(server.requests().len(), 3);
    whole(&scratch).await;
}

#[tokio::test]
async fn stops_after_a_number_of_attempts() {
    let server = Server::start().await;
    server.on("/a", Reply::status(500));
    let (scratch, feed) = subscribed(&server, &[item(&server.url("/a"), "A", "x")]).await;
    prefer(&scratch, feed, TEXT).await;
    for _ in 0..20 {
        round(&scratch).await;
        travel(2 * DAY);
    }
    assert_eq!(server.requests_to("/a").len(), 5);
    let reported = full_text_error(&scratch, article(&scratch, "A").await).await.unwrap();
    assert_eq!(reported, "http_status");
}

#[tokio::test]
async fn p31_respects_a_host_that_asks_for_a_pause() {
    let (server, requested) = (Server::start().await, AtomicUsize::new(0));
    server.on_request("*", move |_| match requested.fetch_add(1, Ordering::SeqCst) {
        0 => Reply::status(429).header("Retry-After", "7200"),
        _ => page("It came."),
    });
    let items = [item(&server.url("/a"), "A", "x"), item(&server.url("/b"), "B", "x")];
    let (scratch, feed) = subscribed(&server, &items).await;
    prefer(&scratch, feed, TEXT).await;
    server.forget_requests();
    let done = round(&scratch).await;
    assert_eq!((done.texts, done.failed), (0, 0), "a pause is not a failure");
    assert_eq!(server.requests().len(), 1, "the other article of the host waits too");
    let refused = scratch.poller.full_text(article(&scratch, "A").await, &CancellationToken::new()).await;
    assert!(matches!(refused, Err(FullTextError::Wait(_))), "{refused:?}");
    travel(HOUR);
    round(&scratch).await;
    assert_eq!(server.requests().len(), 1);
    travel(HOUR + MINUTE);
    assert_eq!(round(&scratch).await.texts, 2);
    assert_eq!(server.requests().len(), 3);
}

#[tokio::test]
async fn p31_a_short_pause_lasts_as_long_as_that_of_a_feed() {
    for status in [403, 429, 503] {
        let server = Server::start().await;
        server.on("/a", Reply::status(status).header("Retry-After", "5"));
        let (scratch, feed) = subscribed(&server, &[item(&server.url("/a"), "A", "x")]).await;
        prefer(&scratch, feed, TEXT).await;
        let before = now();
        round(&scratch).await;
        let waiting = scratch.library.hosts().waiting(now(), now() + DAY).await.unwrap();
        assert!(!waiting.is_empty() && waiting.into_values().all(|until| until >= before + HOUR), "{status}");
        assert!(scratch.library.downloads().due(before + MINUTE, 1).await.unwrap().is_empty(), "{status}");
    }
}

#[tokio::test]
async fn a_network_that_requires_a_login_is_no_pause_of_the_server() {
    let server = Server::start().await;
    server.on("/a", Reply::status(511));
    let (scratch, feed) = subscribed(&server, &[item(&server.url("/a"), "A", "x")]).await;
    prefer(&scratch, feed, TEXT).await;
    round(&scratch).await;
    let waiting = scratch.library.hosts().waiting(now(), now() + DAY).await.unwrap();
    assert!(waiting.is_empty(), "its feeds are still polled: {waiting:?}");
    let refused = scratch.poller.full_text(article(&scratch, "A").await, &CancellationToken::new()).await;
    assert!(matches!(&refused, Err(FullTextError::Fetch(error)) if error.is_own_network()), "{refused:?}");
    travel(HOUR);
    server.on("/a", page("It came."));
    assert_eq!(round(&scratch).await.texts, 1);
}

#[tokio::test]
async fn p44_a_host_rests_while_another_is_requested() {
    let (one, other) = (Server::start().await, Server::start().await);
    let order = Arc::new(Mutex::new(String::new()));
    for (server, name) in [(&one, '1'), (&other, '2')] {
        let order = order.clone();
        server.on_request("*", move |_| {
            order.lock().unwrap().push(name);
            page("A page.").delay(Duration::from_millis(150))
        });
    }
    let items: Vec<String> = (0..4)
        .flat_map(|n| {
            [
                item(&one.url(&format!("/{n}")), &format!("one {n}"), "x"),
                item(&other.url_at("other.example", &format!("/{n}")), &format!("other {n}"), "x"),
            ]
        })
        .collect();
    let (mut scratch, feed) = subscribed(&one, &items).await;
    scratch.look_up(&[("other.example", true)]);
    prefer(&scratch, feed, TEXT).await;
    let begun = Instant::now();
    assert_eq!(round(&scratch).await.texts, 8);
    // at least: four requests of 150 ms each, with a rest of the same length between them; a pause is never shorter than requested.
    assert!(begun.elapsed() >= Duration::from_millis(7 * 150), "{:?}", begun.elapsed());
    let order = order.lock().unwrap().clone();
    assert!(order.find('2') < order.rfind('1') && order.find('1') < order.rfind('2'), "in parallel: {order}");
    assert_eq!((one.most_open(), other.most_open()), (1, 1));
}

#[tokio::test]
async fn waits_while_offline_without_counting_attempts() {
    let server = Server::start().await;
    let mut scratch = Scratch::new().await;
    server.on("/feed", rss(&[item("http://news.example/a", "A", "x")]));
    let feed = scratch.subscribe(&server.url("/feed")).await;
    scratch.refresh().await;
    prefer(&scratch, feed, TEXT).await;
    scratch.look_up(&[("news.example", false), (gleaner_fetch::KNOWN_NAME, false)]);
    for _ in 0..7 {
        assert!(round(&scratch).await.offline);
    }
    let job = scratch.library.downloads().due(now(), 1).await.unwrap().remove(0);
    assert_eq!(job.tries, 0);
}

#[tokio::test]
async fn a_cancelled_download_keeps_its_results_and_continues_later() {
    let server = Server::start().await;
    server.on_request("*", |_| page("A page."));
    let items: Vec<String> = (0..5).map(|n| item(&server.url(&format!("/{n}")), &format!("n{n}"), "x")).collect();
    let (scratch, feed) = subscribed(&server, &items).await;
    prefer(&scratch, feed, TEXT).await;
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    let done = scratch
        .poller
        .download(cancel, |so_far| {
            if so_far.texts == 2 {
                stop.cancel()
            }
        })
        .await
        .unwrap();
    assert!(done.cancelled && done.texts < 5, "{done:?}");
    assert_eq!(done.texts + round(&scratch).await.texts, 5);
    let paused = OfflineSettings { paused: true, ..OfflineSettings::default() };
    offline::set_for_all(&scratch.library, &paused, now()).await.unwrap();
    assert!(round(&scratch).await.paused);
}

#[tokio::test]
async fn another_polling_process_has_priority() {
    let server = Server::start().await;
    let (scratch, feed) = subscribed(&server, &[item(&server.url("/a"), "A", "x")]).await;
    prefer(&scratch, feed, TEXT).await;
    let lock = scratch.library.polling_lock().unwrap().unwrap();
    assert!(round(&scratch).await.other_process);
    let item = article(&scratch, "A").await;
    assert!(matches!(
        scratch.poller.full_text(item, &CancellationToken::new()).await,
        Err(FullTextError::OtherProcess)
    ));
    drop(lock);
    assert!(!round(&scratch).await.other_process);
}
