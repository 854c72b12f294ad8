//! From a feed on a server to rows in the library.
#![allow(clippy::unwrap_used)]

use gleaner_library::{MarkScope, NewSubscription, Order, Source};
use gleaner_pipeline::{Scratch, rss};
use gleaner_polling::Scope;
use gleaner_testserver::{Reply, Server};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

#[tokio::test]
async fn a_feed_becomes_articles_and_is_then_requested_conditionally() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    server.on_request("/feed", |request| match request.header("If-None-Match") {
        Some(b"W/\"one\"") => Reply::status(304),
        _ => Reply::ok(rss(&["b", "a"])).header("ETag", "W/\"one\"").header("Last-Modified", "yesterday, about noon"),
    });
    let feed = scratch.subscribe(&server.url("/feed")).await;

    let first = scratch.refresh().await;
    assert_eq!((first.requested, first.items_new, first.failed), (1, 2, 0));
    assert_eq!(scratch.titles(Source::Feed(feed)).await, ["b", "a"]);
    assert_eq!(scratch.list(Source::Unread).await[0].excerpt, "About b.");

    let second = scratch.refresh().await;
    assert_eq!((second.not_modified, second.items_new, second.items_changed), (1, 0, 0));
    let requests = server.requests_to("/feed");
    assert_eq!(requests.len(), 2);
    assert_eq!(requests[0].header("If-None-Match"), None);
    assert_eq!(requests[1].header("If-Modified-Since"), Some(&b"yesterday, about noon"[..]));
}

#[tokio::test]
async fn a_name_from_a_list_is_kept_only_where_it_differs_from_the_feeds_title() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    let mut feeds = Vec::new();
    // The title of the feed is "Test".
    for (path, name) in [("/own", "Renamed"), ("/same", "Test")] {
        server.on(path, Reply::ok(rss(&["a"])));
        let new = NewSubscription {
            url: server.url(path),
            custom_title: Some(name.to_owned()),
            ..NewSubscription::default()
        };
        feeds.push(scratch.library.subscriptions().add(&new).await.unwrap());
    }
    scratch.refresh().await;
    let mut names = Vec::new();
    for feed in feeds {
        let row = scratch.library.feeds().get(feed).await.unwrap();
        names.push((row.shown_title(), row.custom_title));
    }
    assert_eq!(names[0], ("Renamed".to_owned(), Some("Renamed".to_owned())));
    assert_eq!(names[1], ("Test".to_owned(), None));
}

#[tokio::test]
async fn unchanged_items_change_nothing() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    // A different body each time, with the same items.
    server.on_each(
        "/feed",
        [Reply::ok(rss(&["b", "a"])), Reply::ok(format!("{}\n<!-- generated again -->", rss(&["b", "a"])))],
    );
    scratch.subscribe(&server.url("/feed")).await;
    scratch.refresh().await;
    let before = scratch.list(Source::All).await;
    let again = scratch.refresh().await;
    assert_eq!((again.items_new, again.items_changed, again.updated), (0, 0, 0));
    assert_eq!(scratch.list(Source::All).await, before);
}

#[tokio::test]
async fn adds_new_items_updates_changed_ones_and_keeps_the_read_mark() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    let changed = rss(&["c", "b", "a"]).replace("About a.", "About a, corrected.");
    server.on_each("/feed", [Reply::ok(rss(&["b", "a"])), Reply::ok(changed), Reply::ok(rss(&["c"]))]);
    let feed = scratch.subscribe(&server.url("/feed")).await;
    scratch.refresh().await;
    let a = scratch.list(Source::Feed(feed)).await[1].clone();
    scratch.library.articles().mark(&[a.id], Some(true), Some(true)).await.unwrap();

    let second = scratch.refresh().await;
    assert_eq!((second.items_new, second.items_changed), (1, 1));
    let rows = scratch.list(Source::Feed(feed)).await;
    assert_eq!(rows.iter().map(|row| row.title.as_str()).collect::<Vec<_>>(), ["c", "b", "a"]);
    let now = rows.iter().find(|row| row.id == a.id).unwrap();
    assert_eq!(
        (now.excerpt.as_str(), now.read, now.starred, now.sort_at),
        ("About a, corrected.", true, true, a.sort_at)
    );

    // Items that are no longer in the feed stay in the library.
    scratch.refresh().await;
    assert_eq!(scratch.list(Source::Feed(feed)).await.len(), 3);
}

#[tokio::test]
async fn an_error_affects_only_its_feed_and_deletes_nothing() {
    let (server, mut scratch) = (Server::start().await, Scratch::new().await);
    scratch.limit(Some(Duration::from_secs(10)), Some(Duration::from_secs(12)));
    let page = "<!doctype html><html><head><title>Log in</title></head><body><p>Please log in.</p></body></html>";
    let problems = [
        ("/hangs", Reply::ok("").hang_before_head(), "timeout"),
        ("/hangs-in-body", Reply::ok(rss(&["x"])).hang_in_body(40), "incomplete_response"),
        ("/cut", Reply::ok(rss(&["x"]).repeat(50)).cut_after(100), "connection_lost"),
        ("/500", Reply::status(500), "http_status"),
        ("/404", Reply::status(404), "http_not_found"),
        ("/410", Reply::status(410), "gone"),
        ("/html", Reply::ok(page).header("Content-Type", "text/html"), "not_a_feed_web_page"),
        ("/empty", Reply::ok(""), "not_a_feed_empty"),
        ("/huge", Reply::ok("x".repeat(1 << 16)).endless(), "too_large"),
        ("/babble", Reply::raw("hello there\n"), "invalid_response"),
    ];
    let mut feeds = Vec::new();
    for (path, reply, code) in problems {
        server.on_each(path, [Reply::ok(rss(&["kept"])).header("ETag", "\"e\""), reply]);
        feeds.push((path, scratch.subscribe(&server.url(path)).await, code));
    }
    server.on_each("/fine", [Reply::ok(rss(&["one"])), Reply::ok(rss(&["two", "one"]))]);
    let fine = scratch.subscribe(&server.url("/fine")).await;
    scratch.refresh().await;
    let second = scratch.refresh().await;
    assert_eq!((second.failed, second.items_new), (feeds.len(), 1));
    assert_eq!(scratch.titles(Source::Feed(fine)).await, ["two", "one"]);
    for (path, feed, code) in feeds {
        assert_eq!(scratch.feed_error(feed).await.as_deref(), Some(code), "{path}");
        assert_eq!(scratch.titles(Source::Feed(feed)).await, ["kept"], "{path}");
        let poll = scratch.poll(feed).await;
        assert_eq!(poll.etag.as_deref(), Some(&b"\"e\""[..]), "{path}: a failure erases no validators");
        // 410 is not requested again automatically, everything else after an hour at the earliest.
        let wait = poll.next_at.map(|next| next - poll.checked_at.unwrap());
        assert!(if path == "/410" { wait.is_none() } else { wait.unwrap() >= 3_600_000 }, "{path}: {wait:?}");
    }
}

#[tokio::test]
async fn a_server_that_asks_for_a_pause_is_left_alone_with_all_its_feeds() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    server.on("/a", Reply::status(429).header("Retry-After", "7200"));
    server.on("/b", Reply::ok(rss(&["b"])));
    let (a, _) = (scratch.subscribe(&server.url("/a")).await, scratch.subscribe(&server.url("/b")).await);
    let first = scratch.refresh().await;
    assert_eq!((first.requested, first.skipped), (1, 1));
    assert_eq!(scratch.library.polls().totals(None).await.unwrap().requests, 1, "skipped requests are not counted");
    assert_eq!(scratch.feed_error(a).await.as_deref(), Some("retry_after"));
    assert!(server.requests_to("/b").is_empty());
    // This holds after a restart and for a manual refresh.
    let Scratch { folder, library, .. } = scratch;
    drop(library);
    let scratch = Scratch::reopen(folder).await;
    let again = scratch.refresh().await;
    assert_eq!((again.requested, again.skipped), (0, 2));
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn cancelling_keeps_the_results_so_far() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    let cancel = CancellationToken::new();
    server.on("/a", Reply::ok(rss(&["a"])));
    server.on_request("/b", {
        let cancel = cancel.clone();
        move |_| {
            cancel.cancel();
            Reply::ok(rss(&["b"])).delay(Duration::from_secs(60))
        }
    });
    scratch.subscribe(&server.url("/a")).await;
    scratch.subscribe(&server.url("/b")).await;
    let summary = scratch.refresh_with(Scope::All, cancel).await;
    assert!(summary.cancelled);
    assert_eq!(scratch.titles(Source::All).await, ["a"]);
}

#[tokio::test]
async fn the_last_feeds_that_a_refresh_waits_for_are_named() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    let mut feeds = Vec::new();
    for path in ["/a", "/b", "/c", "/d", "/e"] {
        server.on(path, Reply::ok(rss(&["item"])));
        feeds.push(scratch.subscribe(&server.url(path)).await);
    }
    let mut seen = Vec::new();
    scratch.poller.refresh(Scope::All, CancellationToken::new(), |progress| seen.push(progress)).await.unwrap();
    assert!(seen.len() > 1);
    for progress in seen {
        let left = progress.total - progress.done;
        let named = progress.waiting_for.len();
        assert_eq!(named, if left > 3 { 0 } else { left }, "{progress:?}");
        assert!(progress.waiting_for.is_sorted() && progress.waiting_for.iter().all(|feed| feeds.contains(feed)));
    }
    let mut first = None;
    let one = Scope::Feeds(feeds[..1].to_vec());
    let refresh = scratch.poller.refresh(one, CancellationToken::new(), |progress| {
        first.get_or_insert(progress);
    });
    refresh.await.unwrap();
    assert_eq!(first.unwrap().waiting_for, feeds[..1]);
}

#[tokio::test]
async fn feeds_that_are_unsubscribed_during_a_refresh_are_neither_requested_nor_counted() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    let mut feeds = Vec::new();
    for path in ["/a", "/b", "/c", "/d"] {
        feeds.push((path, scratch.subscribe(&server.url(path)).await));
    }
    server.on_request("*", {
        let library = scratch.library.clone();
        move |request| {
            let others: Vec<i64> =
                feeds.iter().filter(|(path, _)| *path != request.path()).map(|(_, feed)| *feed).collect();
            let library = library.clone();
            // The server answers on the thread of the test, which waits.
            let unsubscribing = std::thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                runtime.block_on(library.feeds().unsubscribe(&others)).unwrap();
            });
            unsubscribing.join().unwrap();
            Reply::ok(rss(&["item"]))
        }
    });
    let mut last = None;
    let summary =
        scratch.poller.refresh(Scope::All, CancellationToken::new(), |progress| last = Some(progress)).await.unwrap();
    assert_eq!((server.requests().len(), summary.feeds, summary.requested, summary.skipped), (1, 1, 1, 0));
    assert!(!summary.cancelled && summary.remaining.is_empty());
    assert_eq!(
        last.as_ref().map(|progress| (progress.done, progress.total, progress.new, progress.named)),
        Some((1, 1, 1, 1))
    );
    let summary = scratch.poller.refresh(Scope::All, CancellationToken::new(), |progress| last = Some(progress)).await;
    assert_eq!((summary.unwrap().requested, last.map(|progress| progress.named)), (1, Some(0)), "the name is known");
}

#[tokio::test]
async fn only_one_polls_at_a_time() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    server.on("/a", Reply::ok(rss(&["a"])));
    scratch.subscribe(&server.url("/a")).await;
    let other = gleaner_library::Library::open(scratch.path()).await.unwrap();
    let lock = other.polling_lock().unwrap().unwrap();
    assert!(scratch.refresh().await.other_process);
    assert!(server.requests().is_empty());
    drop(lock);
    assert_eq!(scratch.refresh().await.items_new, 1);
}

#[tokio::test]
async fn an_unsubscribed_feed_is_removed_and_restored_completely() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    server.on("/a", Reply::ok(rss(&["b", "a"])));
    let feed = scratch.subscribe(&server.url("/a")).await;
    scratch.refresh().await;
    let row = scratch.list(Source::All).await[0].clone();
    scratch.library.articles().mark(&[row.id], Some(true), Some(true)).await.unwrap();
    let undo = scratch.library.feeds().unsubscribe(&[feed]).await.unwrap();
    assert!(scratch.list(Source::All).await.is_empty() && scratch.list(Source::Starred).await.is_empty());
    assert_eq!(scratch.library.counts().unread_since(0).await.unwrap(), 0);
    assert_eq!(scratch.refresh().await.feeds, 0);
    scratch.library.undo(undo.step).await.unwrap();
    assert_eq!(scratch.list(Source::Starred).await[0].id, row.id);
    assert_eq!(scratch.library.counts().by_feed().await.unwrap()[0].unread, 1);
}

#[tokio::test]
async fn two_feeds_are_merged_and_separated_again() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    server.on("/one", Reply::ok(rss(&["c", "b", "a"])));
    server.on("/two", Reply::ok(rss(&["d", "c", "b"])));
    let one = scratch.subscribe(&server.url("/one")).await;
    let two = scratch.subscribe(&server.url("/two")).await;
    scratch.refresh().await;
    let id = |rows: &[gleaner_library::Row], title: &str| rows.iter().find(|row| row.title == title).unwrap().id;
    let rows = scratch.list(Source::Feed(one)).await;
    scratch.library.articles().mark(&[id(&rows, "b")], Some(true), Some(true)).await.unwrap();
    scratch.library.articles().mark(&[id(&rows, "a")], Some(true), None).await.unwrap();
    let counts = scratch.library.counts().by_feed().await.unwrap();

    let undo = scratch.library.subscriptions().merge(one, two).await.unwrap();
    assert_eq!(scratch.titles(Source::Feed(two)).await, ["d", "c", "b", "a"]);
    assert!(scratch.library.feeds().get(one).await.is_err());
    let merged = scratch.list(Source::Feed(two)).await;
    let state = |title: &str| merged.iter().find(|row| row.title == title).map(|row| (row.read, row.starred)).unwrap();
    assert_eq!((state("a"), state("b"), state("c")), ((true, false), (true, true), (false, false)));
    let of_two =
        |counts: &[gleaner_library::FeedCount]| counts.iter().find(|count| count.feed_id == two).copied().unwrap();
    let now = of_two(&scratch.library.counts().by_feed().await.unwrap());
    assert_eq!((now.items, now.unread, now.starred), (4, 2, 1));

    scratch.library.undo(undo.step).await.unwrap();
    assert_eq!(scratch.list(Source::Feed(one)).await, rows.iter().map(scratch_state).collect::<Vec<_>>());
    assert_eq!(scratch.library.counts().by_feed().await.unwrap(), counts);
}

/// Returns the articles of the first feed as the test left them.
fn scratch_state(row: &gleaner_library::Row) -> gleaner_library::Row {
    let (read, starred) = (row.title != "c", row.title == "b");
    gleaner_library::Row { read, starred, ..row.clone() }
}

#[tokio::test]
async fn a_changed_article_keeps_its_former_version() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    let text = |text: &str| rss(&["a"]).replace("About a.", text);
    server.on_each("/feed", [Reply::ok(text("First.")), Reply::ok(text("Second.")), Reply::ok(text("Third."))]);
    let feed = scratch.subscribe(&server.url("/feed")).await;
    for _ in 0..3 {
        scratch.refresh().await;
    }
    let item = scratch.list(Source::Feed(feed)).await[0].id;
    let versions = scratch.library.versions().of_article(item).await.unwrap();
    let texts: Vec<_> = versions.iter().map(|version| version.content.as_ref().unwrap().html.as_str()).collect();
    assert_eq!(texts, ["<p>Second.</p>", "<p>First.</p>"]);
}

#[tokio::test]
async fn the_log_has_each_request_and_keeps_the_last_fifty() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    let new = Reply::ok(rss(&["a"])).header("ETag", "\"e\"");
    server.on_each("/new", [new.clone(), Reply::status(304)]);
    server.on_each("/feed", [Reply::redirect(302, "/new"), Reply::status(500), Reply::redirect(302, "/new")]);
    let feed = scratch.subscribe(&server.url("/feed")).await;
    for _ in 0..60 {
        scratch.refresh_due().await;
        gleaner_pipeline::travel(3 * gleaner_pipeline::DAY);
    }
    let log = scratch.library.polls().log(feed).await.unwrap();
    assert_eq!(log.len(), 50);
    assert!(log.is_sorted_by(|a, b| a.at > b.at));
    assert!(log.iter().any(|line| (line.status, line.conditional, &line.code) == (Some(304), true, &None)));
    let scratch = Scratch::new().await;
    server.on("/new", new);
    server.on_each("/feed", [Reply::redirect(302, "/new"), Reply::status(500)]);
    let feed = scratch.subscribe(&server.url("/feed")).await;
    scratch.refresh_due().await;
    scratch.refresh().await;
    let log = scratch.library.polls().log(feed).await.unwrap();
    let [second, first] = log.as_slice() else { panic!("{log:?}") };
    assert_eq!((first.why.as_str(), first.status, first.new_items, first.conditional), ("first", Some(200), 1, false));
    assert_eq!(first.hops.as_deref(), Some(format!("302 {}", server.url("/new")).as_str()));
    assert_eq!((second.why.as_str(), second.status, second.code.as_deref()), ("hand", Some(500), Some("http_status")));
    assert_eq!(second.next_reason.as_deref(), Some("failed"));
}

/// Returns a feed whose only item has this address, title and text.
fn telling(guid: &str, url: &str, title: &str, text: &str) -> String {
    rss(&["x"])
        .replace("<guid isPermaLink=\"false\">x</guid>", &format!("<guid isPermaLink=\"false\">{guid}</guid>"))
        .replace("<title>x</title>", &format!("<title>{title}</title>"))
        .replace("https://example.com/x", url)
        .replace("About x.", text)
}

const TITLE: &str = "Council closes the old bridge for a whole year";
const TEXT: &str = "The council has decided on Tuesday that the old bridge will be closed for a year, from May on.";

#[tokio::test]
async fn duplicates_in_several_feeds_are_combined() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    let pages = [
        ("/one", telling("1", "https://news.example/bridge", TITLE, TEXT)),
        // Equal address.
        ("/two", telling("2", "https://news.example/bridge?utm_source=planet", "Bridge closed", "Short.")),
        // Equal title and text.
        ("/three", telling("3", "https://other.example/9", &format!("{TITLE}!"), &TEXT.replace("a year", "one year"))),
        // Equal title, different text.
        (
            "/four",
            telling(
                "4",
                "https://other.example/10",
                TITLE,
                "Readers send us their pictures of this and that, as every week.",
            ),
        ),
    ];
    let mut feeds = Vec::new();
    for (path, body) in pages {
        server.on(path, Reply::ok(body));
        feeds.push(scratch.subscribe(&server.url(path)).await);
        scratch.refresh_due().await;
    }
    let all = scratch.list(Source::All).await;
    assert_eq!(all.iter().map(|row| row.feed_id).collect::<Vec<_>>(), [feeds[3], feeds[0]]);
    assert_eq!(scratch.library.duplicates().count_unread(0).await.unwrap(), 2);
    let first = all[1].id;
    let others = scratch.library.snapshot().await.unwrap().article(first).await.unwrap().duplicates;
    assert_eq!(others.iter().map(|(other, _)| other.feed_id).collect::<Vec<_>>(), [feeds[1], feeds[2]]);

    // Reading one reads all; undoing restores all.
    let done = scratch.library.articles().mark(&[others[0].0.id], Some(true), None).await.unwrap();
    assert_eq!(done.count, 3);
    assert_eq!(scratch.list(Source::Unread).await.len(), 1);
    scratch.library.undo(done.step).await.unwrap();
    assert_eq!(scratch.list(Source::Unread).await.len(), 2);

    // Marking the list as read counts what the list and its unread count show.
    let all =
        scratch.library.articles().mark_list_read(Source::All, Order::Newest, MarkScope::All, None).await.unwrap();
    assert_eq!(all.count, 2);
    assert!(scratch.list(Source::Unread).await.is_empty());
    scratch.library.undo(all.step).await.unwrap();
    assert_eq!(scratch.list(Source::Unread).await.len(), 2);

    // A duplicate of a read article is stored as read.
    scratch.library.articles().mark(&[first], Some(true), None).await.unwrap();
    server.on("/five", Reply::ok(telling("5", "http://news.example/bridge", "Once more", "Short.")));
    scratch.subscribe(&server.url("/five")).await;
    scratch.refresh_due().await;
    assert_eq!(scratch.list(Source::Unread).await.len(), 1);

    // After unsubscribing from the first feed, another article represents the duplicates.
    scratch.library.feeds().unsubscribe(&[feeds[0]]).await.unwrap();
    assert_eq!(scratch.list(Source::All).await.len(), 2);

    // The user can turn it off.
    scratch.library.duplicates().set_combined(false).await.unwrap();
    assert_eq!(scratch.list(Source::All).await.len(), 4);
    let scratch = scratch.restart().await;
    assert_eq!(scratch.list(Source::All).await.len(), 4);
}

#[tokio::test]
async fn a_page_that_a_feed_gives_to_all_its_items_makes_no_duplicates() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    let shared = |titles: &[&str]| {
        rss(titles)
            .replace("https://example.com/a<", "https://example.com/<")
            .replace("https://example.com/b<", "https://example.com/<")
    };
    server.on("/one", Reply::ok(shared(&["b", "a"])));
    server.on("/two", Reply::ok(telling("t", "https://example.com/", "The front page of this site", TEXT)));
    for path in ["/one", "/two"] {
        scratch.subscribe(&server.url(path)).await;
        scratch.refresh_due().await;
    }
    assert_eq!(scratch.list(Source::All).await.len(), 3);
}

#[tokio::test]
async fn an_inactive_feed_that_the_user_keeps_is_reported_only_when_it_falls_silent_again() {
    use gleaner_pipeline::{DAY, now, travel};
    use gleaner_polling::Suggestion;
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    let posted = |titles: &[&str], at: i64| {
        let date = chrono::DateTime::from_timestamp_millis(at).unwrap().to_rfc2822();
        let items: String = titles
            .iter()
            .map(|title| format!("<item><guid>{title}</guid><title>{title}</title><pubDate>{date}</pubDate></item>"))
            .collect();
        Reply::ok(format!("<rss version=\"2.0\"><channel><title>Test</title>{items}</channel></rss>"))
    };
    server.on("/feed", posted(&["a"], now()));
    let feed = scratch.subscribe(&server.url("/feed")).await;
    scratch.refresh().await;
    travel(400 * DAY);
    let inactive = |suggestions: std::collections::HashMap<i64, Vec<Suggestion>>| {
        matches!(suggestions.get(&feed).map(Vec::as_slice), Some([Suggestion::Inactive { .. }]))
    };
    scratch.refresh().await;
    assert!(inactive(scratch.suggestions().await));
    let undo = scratch.library.feeds().dismiss_inactive(feed).await.unwrap();
    assert!(!inactive(scratch.suggestions().await));
    scratch.library.undo(undo.step).await.unwrap();
    assert!(inactive(scratch.suggestions().await));
    scratch.library.feeds().dismiss_inactive(feed).await.unwrap();
    let scratch = scratch.restart().await;
    travel(100 * DAY);
    scratch.refresh().await;
    assert!(!inactive(scratch.suggestions().await), "remembered");
    server.on("/feed", posted(&["b", "a"], now()));
    scratch.refresh().await;
    travel(400 * DAY);
    assert!(inactive(scratch.suggestions().await), "it posted, and became inactive again");
    assert!(scratch.library.feeds().dismiss_inactive(feed + 1).await.is_err());
}

#[tokio::test]
async fn addresses_that_cannot_be_requested_are_no_failure_of_a_refresh() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    server.on("/feed", Reply::ok(rss(&["a"])));
    let feed = scratch.subscribe(&server.url("/feed")).await;
    let program = scratch.subscribe("exec:~/bin/feed.sh").await;
    for url in ["ftp://example.org/feed", "gopher://example.org/feed", "file:///etc/passwd", "no address"] {
        scratch.subscribe(url).await;
    }
    // Each manual refresh would use up a part of the allowance of those that are requested.
    for _ in 0..7 {
        let summary = scratch.refresh().await;
        assert_eq!((summary.feeds, summary.failed, summary.unsupported), (6, 0, 5), "{summary:?}");
    }
    assert_eq!(scratch.feed_error(program).await.as_deref(), Some("unsupported_scheme"));
    let named = scratch.refresh_with(Scope::Feeds(vec![program]), CancellationToken::new()).await;
    assert_eq!((named.failed, named.unsupported), (1, 0));
    // A folder, or several feeds that are selected.
    let some = scratch.refresh_with(Scope::Feeds(vec![program, feed]), CancellationToken::new()).await;
    assert_eq!((some.failed, some.unsupported), (0, 1));
}
