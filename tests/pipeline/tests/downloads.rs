//! Offline downloads: from the preference to pages and images in the library, politely, and their failures.
// long: the tests share one small world
#![allow(clippy::unwrap_used)]

use gleaner_library::{DownloadKind, FeedScope, FullText, OfflineContent, OfflineSettings, Preferences};
use gleaner_pipeline::{DAY, HOUR, MINUTE, Scratch, now, travel};
use gleaner_polling::{DownloadProgress, FullTextError, NoText, offline};
use gleaner_testserver::{Reply, Server};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};
use tokio_util::sync::CancellationToken;

const TEXT: OfflineContent = OfflineContent { text: true, images: false };
const IMAGES: OfflineContent = OfflineContent { text: false, images: true };
const BOTH: OfflineContent = OfflineContent { text: true, images: true };

/// Returns an image of a supported type with this number of bytes; the seed makes it unique.
fn png(seed: u8, bytes: usize) -> Vec<u8> {
    let mut image = b"\x89PNG\r\n\x1a\n".to_vec();
    image.resize(bytes.max(9), seed);
    image
}

fn item(link: &str, title: &str, html: &str) -> String {
    let html = html.replace('&', "&amp;").replace('<', "&lt;");
    format!(
        "<item><guid isPermaLink=\"false\">{title}</guid><title>{title}</title><link>{link}</link><description>{html}</description></item>"
    )
}

fn rss(items: &[String]) -> Reply {
    Reply::ok(format!("<rss version=\"2.0\"><channel><title>T</title>{}</channel></rss>", items.concat()))
}

fn page(words: &str) -> Reply {
    let paragraph =
        format!("<p>{words} The harbour was quiet, the boats were in, and no one was about to repair a net.</p>");
    let body =
        format!("<html><head><title>T</title></head><body><article>{}</article></body></html>", paragraph.repeat(6));
    Reply::ok(body).header("Content-Type", "text/html; charset=utf-8")
}

async fn round(scratch: &Scratch) -> DownloadProgress {
    scratch.poller.download(CancellationToken::new(), |_| {}).await.unwrap()
}

async fn prefer(scratch: &Scratch, feed: i64, content: OfflineContent) -> usize {
    let preferences = Preferences { offline: Some(content.bits()), ..Preferences::default() };
    offline::prefer(&scratch.library, FeedScope::Feed(feed), preferences, now()).await.unwrap()
}

async fn article(scratch: &Scratch, title: &str) -> i64 {
    let rows = scratch.list(gleaner_library::Source::All).await;
    rows.into_iter().find(|row| row.title == title).unwrap_or_else(|| panic!("{title} is there")).id
}

async fn full_text_error(scratch: &Scratch, id: i64) -> Option<String> {
    let stored = scratch.library.snapshot().await.unwrap().article(id).await.unwrap();
    stored.full_text_error.map(|(code, _)| code)
}

async fn text(scratch: &Scratch, title: &str) -> Option<FullText> {
    scratch.library.articles().full_text(article(scratch, title).await).await.unwrap()
}

/// Returns all image files with their sizes.
fn files(folder: &Path) -> Vec<(PathBuf, usize)> {
    let listed = |folder: &Path| {
        fs::read_dir(folder)
            .map_or(Vec::new(), |entries| entries.map(|entry| entry.unwrap().path()).collect::<Vec<_>>())
    };
    let parts = listed(&folder.join("images"));
    let files = parts.iter().flat_map(|part| listed(part));
    files
        .map(|path| {
            let length = fs::read(&path).unwrap().len();
            (path, length)
        })
        .collect()
}

async fn whole(scratch: &Scratch) {
    let verified = scratch.library.check(false).await.unwrap();
    assert_eq!(verified.findings, [], "the library is intact");
}

/// Returns a subscription to a feed with these items, polled once.
async fn subscribed(server: &Server, items: &[String]) -> (Scratch, i64) {
    let scratch = Scratch::new().await;
    server.on("/feed", rss(items));
    let feed = scratch.subscribe(&server.url("/feed")).await;
    assert_eq!(scratch.refresh().await.items_new, items.len());
    (scratch, feed)
}

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
    assert_eq!((done.texts, done.failed), (0, 0), "a pause is no failure");
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
async fn an_invalid_large_or_missing_image_does_not_stop_the_others() {
    let server = Server::start().await;
    server.on("/html.png", Reply::ok("<html>Sign in</html>").header("Content-Type", "image/png"));
    server.on(
        "/drawing.svg",
        Reply::ok("<svg xmlns='http://www.w3.org/2000/svg'/>").header("Content-Type", "image/svg+xml"),
    );
    server.on("/large.png", Reply::ok(png(1, 30_000)));
    server.on("/endless.png", Reply::ok(png(9, 500)).endless());
    server.on("/cut.png", Reply::ok(png(3, 5000)).cut_after(300));
    server.on("/good.png", Reply::ok(png(2, 400)));
    let images_html: String = ["html.png", "drawing.svg", "large.png", "endless.png", "none.png", "good.png"]
        .iter()
        .map(|name| format!("<img src='/{name}'>"))
        .collect();
    let (scratch, feed) = subscribed(
        &server,
        &[
            item(&server.url("/a"), "A", &format!("x{images_html}")),
            item(&server.url("/b"), "B", "<img src='/cut.png'>x"),
        ],
    )
    .await;
    let settings = OfflineSettings { largest: 20_000, ..OfflineSettings::default() };
    offline::set_for_all(&scratch.library, &settings, now()).await.unwrap();
    prefer(&scratch, feed, IMAGES).await;
    let done = round(&scratch).await;
    assert_eq!((done.images, done.failed), (1, 1), "the truncated image is retried");
    let stored = scratch.library.images().of_article(article(&scratch, "A").await).await.unwrap();
    let why =
        |name: &str| stored.iter().find(|image| image.url.ends_with(name)).unwrap().error.clone().unwrap_or_default();
    assert!(why("html.png").contains("not an image") && why("drawing.svg").contains("not an image"));
    assert!(why("large.png").contains("too_large") && why("endless.png").contains("too_large"));
    assert!(why("none.png").contains("404"), "{}", why("none.png"));
    assert_eq!(why("good.png"), "");
    assert_eq!(files(scratch.path()).len(), 1, "the others left no files");
    server.forget_requests();
    server.on("/cut.png", Reply::ok(png(3, 5000)));
    travel(11 * MINUTE);
    assert_eq!(round(&scratch).await.images, 1);
    assert_eq!(server.requests().len(), 1);
    whole(&scratch).await;
}

#[tokio::test]
async fn an_image_is_stored_once_and_deleted_with_its_last_article() {
    let server = Server::start().await;
    server.on("/one.png", Reply::ok(png(7, 900)));
    server.on("/two.png", Reply::ok(png(7, 900)));
    let (scratch, feed) = subscribed(
        &server,
        &[item(&server.url("/a"), "A", "<img src='/one.png'>x"), item(&server.url("/b"), "B", "<img src='/two.png'>x")],
    )
    .await;
    prefer(&scratch, feed, IMAGES).await;
    assert_eq!(round(&scratch).await.images, 2);
    let state = scratch.library.downloads().state().await.unwrap();
    assert_eq!((files(scratch.path()).len(), state.images, state.bytes), (1, 1, 900));
    let image = scratch.library.images().of_article(article(&scratch, "A").await).await.unwrap()[0].digest.unwrap();
    scratch.library.feeds().unsubscribe(&[feed]).await.unwrap();
    assert!(scratch.library.images().get(&image).await.unwrap().is_some(), "unsubscribing can be undone for a day");
    assert_eq!(scratch.library.images().remove_unused().await.unwrap(), 0);
}

#[tokio::test]
async fn the_size_limit_removes_read_articles_first_and_keeps_starred_ones() {
    let server = Server::start().await;
    for n in 0..6_u8 {
        server.on(&format!("/{n}.png"), Reply::ok(png(n, 1000)));
    }
    let of = |n: u8| item(&server.url(&format!("/{n}")), &format!("n{n}"), &format!("<img src='/{n}.png'>x"));
    let (scratch, feed) = subscribed(&server, &(0..3).map(of).collect::<Vec<_>>()).await;
    let settings = OfflineSettings { room: 3000, largest: 2000, ..OfflineSettings::default() };
    offline::set_for_all(&scratch.library, &settings, now()).await.unwrap();
    prefer(&scratch, feed, IMAGES).await;
    assert_eq!(round(&scratch).await.images, 3);
    let starred = article(&scratch, "n0").await;
    scratch.library.articles().mark(&[starred, article(&scratch, "n1").await], Some(true), None).await.unwrap();
    scratch.library.articles().mark(&[starred], None, Some(true)).await.unwrap();
    server.on("/feed", rss(&(0..4).map(of).collect::<Vec<_>>()));
    travel(HOUR);
    scratch.refresh().await;
    assert_eq!(round(&scratch).await.images, 1);
    let has = async |name: &str| {
        !scratch.library.images().of_article(article(&scratch, name).await).await.unwrap().is_empty()
    };
    assert!(has("n0").await && has("n3").await && !has("n1").await, "only the read one without a star was removed");
    assert!(scratch.library.downloads().state().await.unwrap().bytes <= 3000);
    assert!(files(scratch.path()).len() <= 3);
    whole(&scratch).await;

    for name in ["n2", "n3"] {
        scratch.library.articles().mark(&[article(&scratch, name).await], None, Some(true)).await.unwrap();
    }
    let bytes = scratch.library.downloads().state().await.unwrap().bytes;
    server.on("/feed", rss(&(0..6).map(of).collect::<Vec<_>>()));
    travel(HOUR);
    scratch.refresh().await;
    round(&scratch).await;
    assert!(scratch.library.downloads().state().await.unwrap().bytes <= 3000, "the limit is not exceeded");
    assert!(has("n0").await && scratch.library.downloads().state().await.unwrap().bytes >= bytes);
    whole(&scratch).await;
}

#[tokio::test]
async fn downloads_a_full_text_on_demand_and_reports_its_failure() {
    let server = Server::start().await;
    server.on_each("/a", [page("First."), page("Second."), Reply::status(404)]);
    server.on("/none", Reply::ok("<html><body></body></html>").header("Content-Type", "text/html"));
    let (scratch, _) =
        subscribed(&server, &[item(&server.url("/a"), "A", "x"), item(&server.url("/none"), "N", "x")]).await;
    let (a, none, cancel) = (article(&scratch, "A").await, article(&scratch, "N").await, CancellationToken::new());
    for words in ["First.", "Second."] {
        scratch.poller.full_text(a, &cancel).await.unwrap();
        assert!(text(&scratch, "A").await.unwrap().body.html.contains(words), "it is downloaded again");
    }
    let refused = scratch.poller.full_text(a, &cancel).await.unwrap_err();
    assert!(matches!(&refused, FullTextError::Fetch(error) if error.to_string().contains("404")), "{refused}");
    assert!(text(&scratch, "A").await.unwrap().body.html.contains("Second."), "the stored text stays");
    let refused = scratch.poller.full_text(none, &cancel).await.unwrap_err();
    assert!(matches!(refused, FullTextError::NoText(NoText::NoArticle)), "{refused}");
    cancel.cancel();
    assert!(matches!(scratch.poller.full_text(a, &cancel).await, Err(FullTextError::Cancelled)));
}

#[tokio::test]
async fn joins_a_text_of_several_pages() {
    let server = Server::start().await;
    let part = |words: &str, next: &str| {
        let paragraph =
            format!("<p>{words} The harbour was quiet, the boats were in, and no one was about to repair a net.</p>");
        Reply::ok(format!(
            "<html><head><title>T</title>{next}</head><body><article>{}</article></body></html>",
            paragraph.repeat(6)
        ))
        .header("Content-Type", "text/html")
    };
    server.on("/a", part("Part one.", "<link rel=next href='/a/2'>"));
    server.on("/a/2", part("Part two.", "<link rel=next href='http://127.0.0.1:1/elsewhere'>"));
    let (scratch, feed) = subscribed(&server, &[item(&server.url("/a"), "A", "x")]).await;
    prefer(&scratch, feed, TEXT).await;
    assert_eq!(round(&scratch).await.texts, 1);
    let html = text(&scratch, "A").await.unwrap().body.html;
    assert!(html.contains("Part one.") && html.contains("Part two."), "{html}");
}

#[tokio::test]
async fn a_public_feed_cannot_request_private_addresses() {
    let private = Server::start().await;
    private.on_request("*", |_| page("Secrets."));
    let mut scratch = Scratch::new().await;
    // A name that resolves to loopback stands for a public host here.
    scratch.look_up(&[("public.example", true)]);
    let feed_at = private.url_at("public.example", "/feed");
    // Links to `localhost` and `127.0.0.1` are read as links to the feed's server.
    private.on(
        "/feed",
        rss(&[item(&private.url_at("[::ffff:127.0.0.1]", "/router"), "A", "<img src='http://127.0.0.1:1/p.png'>x")]),
    );
    let feed = scratch.subscribe(&feed_at).await;
    scratch.refresh().await;
    private.forget_requests();
    prefer(&scratch, feed, BOTH).await;
    round(&scratch).await;
    assert_eq!(private.requests().len(), 0);
    let reported = full_text_error(&scratch, article(&scratch, "A").await).await.unwrap();
    assert_eq!(reported, "private_address");
}

#[tokio::test]
async fn a_public_feed_stays_public_until_the_user_allows_the_private_network() {
    let server = Server::start().await;
    let mut scratch = Scratch::new().await;
    scratch.look_up(&[("public.example", true)]);
    server.on("/feed", rss(&[item(&server.url("/a"), "A", "x")]));
    let feed = scratch.subscribe(&server.url_at("public.example", "/feed")).await;
    let network = async || scratch.library.polls().list().await.unwrap()[0].private;
    assert_eq!(network().await, None);
    scratch.refresh().await;
    assert_eq!(network().await, Some(false));
    scratch.library.polls().allow_private_network(feed).await.unwrap();
    assert_eq!(network().await, Some(true));
    travel(DAY);
    scratch.refresh().await;
    assert_eq!(network().await, Some(true), "a response does not take it back");
    assert!(scratch.library.polls().allow_private_network(feed + 1).await.is_err());
}

#[tokio::test]
async fn a_private_feed_can_request_only_its_own_host() {
    let server = Server::start().await;
    let (scratch, feed) = subscribed(&server, &[item("http://127.0.0.2:1/router", "A", "x")]).await;
    prefer(&scratch, feed, TEXT).await;
    round(&scratch).await;
    let reported = full_text_error(&scratch, article(&scratch, "A").await).await.unwrap();
    assert_eq!(reported, "private_address");
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

#[tokio::test]
async fn repairs_images_without_files_and_files_without_images() {
    let server = Server::start().await;
    for n in 0..3_u8 {
        server.on(&format!("/{n}.png"), Reply::ok(png(n, 500)));
    }
    let items: Vec<String> = (0..3)
        .map(|n| item(&server.url(&format!("/{n}")), &format!("n{n}"), &format!("<img src='/{n}.png'>x")))
        .collect();
    let (scratch, feed) = subscribed(&server, &items).await;
    prefer(&scratch, feed, IMAGES).await;
    assert_eq!(round(&scratch).await.images, 3);
    let there = files(scratch.path());
    fs::remove_file(&there[0].0).unwrap();
    fs::write(&there[1].0, "something else").unwrap();
    let strange = there[2].0.with_file_name("0".repeat(62));
    fs::write(&strange, "unknown").unwrap();
    let found = scratch.library.check(false).await.unwrap().findings;
    let counts: Vec<i64> = found.iter().map(|finding| finding.count).collect();
    assert_eq!(counts, [2, 1], "{found:?}");
    assert!(strange.exists(), "nothing was touched");
    assert!(scratch.library.check(true).await.unwrap().is_intact());
    whole(&scratch).await;
    assert!(!strange.exists());
    server.forget_requests();
    assert_eq!(round(&scratch).await.images, 2, "they are downloaded again");
    assert_eq!((server.requests().len(), files(scratch.path()).len()), (2, 3));

    // As after a restored backup: rows without files, and files without rows.
    for (path, _) in files(scratch.path()) {
        fs::remove_file(path).unwrap();
    }
    let again = scratch.restart().await;
    assert_eq!(round(&again).await.images, 3);
    whole(&again).await;
}
