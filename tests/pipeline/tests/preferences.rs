//! Preferences of feeds, of folders and of all feeds, and their effects.
#![allow(clippy::unwrap_used)]

use gleaner_library::{
    DownloadKind, FeedScope, Incoming, Library, Poll, PreferenceSources, Preferences, Rearrangement,
};
use gleaner_pipeline::{DAY, HOUR, Scratch, now, rss, travel};
use gleaner_polling::offline;
use gleaner_testserver::{Reply, Server};

async fn say(library: &Library, scope: FeedScope, preferences: Preferences) {
    library.preferences().set(scope, preferences).await.unwrap();
}

async fn move_to(library: &Library, feed: i64, folder: i64) {
    let there = Rearrangement { feeds: vec![feed], parent: Some(folder), ..Rearrangement::default() };
    library.subscriptions().arrange(&there).await.unwrap();
}

fn often(minutes: i64) -> Preferences {
    Preferences { refresh_minutes: Some(minutes), ..Preferences::default() }
}

async fn next(scratch: &Scratch, feed: i64) -> Option<i64> {
    scratch.poll(feed).await.next_at
}

#[tokio::test]
async fn each_preference_is_inherited_from_the_nearest_scope_that_sets_it() {
    let scratch = Scratch::new().await;
    let library = &scratch.library;
    let outer = library.folders().create("Outer", None).await.unwrap();
    let inner = library.folders().create("Inner", Some(outer)).await.unwrap();
    let feed = scratch.subscribe("http://127.0.0.1:9/feed").await;
    move_to(library, feed, inner).await;

    let nothing = library.preferences().get(FeedScope::Feed(feed)).await.unwrap();
    assert_eq!((nothing.own, nothing.by), (Preferences::default(), PreferenceSources::default()));
    assert_eq!(nothing.inherited, Preferences { offline: Some(0), ..Preferences::default() });

    let all = Preferences { refresh_minutes: Some(60), notify: Some(true), ..Preferences::default() };
    say(library, FeedScope::All, all).await;
    let wide = Preferences {
        refresh_minutes: Some(120),
        offline: Some(3),
        full_text_when: Some(2),
        full_text_first: Some(true),
        load_images: Some(false),
        notify: None,
    };
    say(library, FeedScope::Folder(outer), wide).await;
    let near = Preferences { full_text_first: Some(false), offline: Some(1), ..Preferences::default() };
    say(library, FeedScope::Folder(inner), near).await;
    let own = Preferences { load_images: Some(true), full_text_when: Some(0), ..Preferences::default() };
    say(library, FeedScope::Feed(feed), own).await;

    let stored = library.preferences().get(FeedScope::Feed(feed)).await.unwrap();
    assert_eq!(stored.own, own);
    let inherited = Preferences { full_text_first: Some(false), offline: Some(1), notify: Some(true), ..wide };
    assert_eq!(stored.inherited, inherited);
    let by = PreferenceSources {
        refresh_minutes_of: Some(outer),
        offline_of: Some(inner),
        full_text_when_of: Some(outer),
        full_text_first_of: Some(inner),
        load_images_of: Some(outer),
        notify_of: None,
    };
    assert_eq!(stored.by, by);
    assert_eq!(library.preferences().effective(feed).await.unwrap(), own.or(inherited));
    assert_eq!(library.preferences().image_loading().await.unwrap(), [(feed, true)].into());
    // A folder does not inherit its own value.
    let of_inner = library.preferences().get(FeedScope::Folder(inner)).await.unwrap();
    assert_eq!((of_inner.own, of_inner.inherited.offline, of_inner.by.offline_of), (near, Some(3), Some(outer)));
    let of_all = library.preferences().get(FeedScope::All).await.unwrap();
    assert_eq!(of_all.own, all);

    // It is deleted and restored with the folder.
    let step = library.folders().delete(inner).await.unwrap();
    assert_eq!(library.preferences().effective(feed).await.unwrap(), own.or(wide).or(all));
    library.undo(step.step).await.unwrap();
    assert_eq!(library.preferences().effective(feed).await.unwrap(), own.or(inherited));

    for wrong in [
        Preferences { offline: Some(4), ..Preferences::default() },
        Preferences { full_text_when: Some(3), ..Preferences::default() },
        often(i64::MAX),
    ] {
        assert!(library.preferences().set(FeedScope::Feed(feed), wrong).await.is_err(), "{wrong:?}");
    }
    assert!(library.preferences().set(FeedScope::Folder(99), Preferences::default()).await.is_err());
    assert!(library.preferences().get(FeedScope::Feed(99)).await.is_err());
    // An imported value that is not valid is ignored.
    for odd in ["[]", "7", "{\"refresh_minutes\":\"x\",\"notify\":3}", "{\"refresh_minutes\":-5}", "{"] {
        library.settings().set("preferences", odd).await.unwrap();
        assert_eq!(library.preferences().get(FeedScope::All).await.unwrap().own, Preferences::default(), "{odd}");
        assert_eq!(library.polls().list().await.unwrap()[0].refresh_minutes, Some(120), "{odd}");
    }
}

#[tokio::test]
async fn a_folder_without_polling_removes_and_restores_the_times_of_its_feeds() {
    let server = Server::start().await;
    server.on("/feed", Reply::ok(rss(&["a"])).header("ETag", "\"e\""));
    let scratch = Scratch::new().await;
    let library = &scratch.library;
    let feed = scratch.subscribe(&server.url("/feed")).await;
    let quiet = library.folders().create("Quiet", None).await.unwrap();
    scratch.refresh_due().await;
    assert!(next(&scratch, feed).await.is_some());

    say(library, FeedScope::Folder(quiet), often(0)).await;
    let into = Rearrangement { feeds: vec![feed], parent: Some(quiet), ..Rearrangement::default() };
    let step = library.subscriptions().arrange(&into).await.unwrap();
    assert_eq!(next(&scratch, feed).await, None);
    library.undo(step.step).await.unwrap();
    assert!(next(&scratch, feed).await.is_some());

    library.subscriptions().arrange(&into).await.unwrap();
    let before = server.requests().len();
    travel(30 * DAY);
    assert_eq!(scratch.refresh_due().await.requested, 0);
    let step = library.folders().delete(quiet).await.unwrap();
    assert_eq!(scratch.refresh_due().await.requested, 1, "no folder prevents polling");
    library.undo(step.step).await.unwrap();
    assert_eq!(next(&scratch, feed).await, None);
    say(library, FeedScope::Feed(feed), often(-1)).await;
    assert!(next(&scratch, feed).await.is_some(), "automatic, although its folder is polled by hand only");
    say(library, FeedScope::Feed(feed), often(180)).await;
    scratch.refresh_due().await;
    assert_eq!(server.requests().len(), before + 2);
    let wait = next(&scratch, feed).await.unwrap() - now();
    assert!((3 * HOUR - 60_000..4 * HOUR).contains(&wait), "{wait}");

    // A removed feed is still not polled.
    server.on("/feed", Reply::status(410));
    travel(DAY);
    scratch.refresh_due().await;
    assert_eq!(next(&scratch, feed).await, None);
    let out = Rearrangement { feeds: vec![feed], ..Rearrangement::default() };
    library.subscriptions().arrange(&out).await.unwrap();
    assert_eq!(next(&scratch, feed).await, None);
}

#[tokio::test]
async fn notifies_about_new_articles_of_feeds_and_folders_with_that_preference() {
    let server = Server::start().await;
    let scratch = Scratch::new().await;
    let library = &scratch.library;
    let folder = library.folders().create("Loud", None).await.unwrap();
    let mut feeds = Vec::new();
    for name in ["a", "b"] {
        server.on(&format!("/{name}"), Reply::ok(rss(&[&format!("{name} old")])));
        feeds.push(scratch.subscribe(&server.url(&format!("/{name}"))).await);
    }
    move_to(library, feeds[0], folder).await;
    let loud = Preferences { notify: Some(true), ..Preferences::default() };
    say(library, FeedScope::Folder(folder), loud).await;
    assert_eq!(scratch.refresh().await.notify, [0; 0], "the first articles of a feed cause no notification");
    for name in ["a", "b"] {
        server.on(&format!("/{name}"), Reply::ok(rss(&[&format!("{name} new"), &format!("{name} old")])));
    }
    travel(2 * HOUR);
    let reported = scratch.refresh().await.notify;
    assert_eq!(reported.len(), 1);
    assert_eq!(library.articles().get(reported[0]).await.unwrap().title, "a new");
    say(library, FeedScope::All, loud).await;
    say(library, FeedScope::Feed(feeds[0]), Preferences { notify: Some(false), ..Preferences::default() }).await;
    for name in ["a", "b"] {
        server.on(&format!("/{name}"), Reply::ok(rss(&[&format!("{name} newest"), &format!("{name} new")])));
    }
    travel(2 * HOUR);
    let reported = scratch.refresh().await.notify;
    assert_eq!(reported.len(), 1);
    assert_eq!(library.articles().get(reported[0]).await.unwrap().title, "b newest");
}

#[tokio::test]
async fn a_folder_preference_downloads_for_its_feeds_except_those_with_their_own() {
    let server = Server::start().await;
    let scratch = Scratch::new().await;
    let library = &scratch.library;
    let folder = library.folders().create("Ahead", None).await.unwrap();
    let inner = library.folders().create("Inner", Some(folder)).await.unwrap();
    let mut feeds = Vec::new();
    for (name, into) in [("a", inner), ("b", inner)] {
        server.on(&format!("/{name}"), Reply::ok(rss(&[name])));
        let feed = scratch.subscribe(&server.url(&format!("/{name}"))).await;
        move_to(library, feed, into).await;
        feeds.push(feed);
    }
    scratch.refresh().await;
    let of = |offline| Preferences { offline: Some(offline), ..Preferences::default() };
    offline::prefer(library, FeedScope::Feed(feeds[1]), of(0), now()).await.unwrap();
    let queued = offline::prefer(library, FeedScope::Folder(folder), of(2), now()).await.unwrap();
    assert_eq!(queued, 1);
    let due = library.downloads().due(now(), 9).await.unwrap();
    assert_eq!(due.iter().map(|job| (job.feed, job.what)).collect::<Vec<_>>(), [(feeds[0], DownloadKind::Images)]);
    // Another preference of the folder starts no download, and its removal stops none.
    let also = Preferences { notify: Some(true), ..of(2) };
    assert_eq!(offline::prefer(library, FeedScope::Folder(folder), also, now()).await.unwrap(), 0);
    offline::prefer(library, FeedScope::Folder(folder), Preferences::default(), now()).await.unwrap();
    assert_eq!(library.downloads().due(now(), 9).await.unwrap().len(), 0);
}

#[tokio::test]
async fn a_preference_changed_during_a_poll_applies_to_its_response() {
    let scratch = Scratch::new().await;
    let library = &scratch.library;
    let feed = scratch.subscribe("http://127.0.0.1:9/feed").await;
    let before = scratch.poll(feed).await;
    let answered = |next_at| Incoming { poll: Poll { next_at, ..before.clone() }, ..Incoming::default() };
    say(library, FeedScope::All, often(0)).await;
    library.polls().store(&[&answered(Some(now() + HOUR))]).await.unwrap();
    assert_eq!(next(&scratch, feed).await, None, "it is polled by hand only");
    say(library, FeedScope::All, often(60)).await;
    library.polls().store(&[&answered(None)]).await.unwrap();
    assert!(next(&scratch, feed).await.is_some(), "it is polled automatically again");
}

#[tokio::test]
async fn a_restored_folder_leaves_one_of_the_same_name_unchanged() {
    let scratch = Scratch::new().await;
    let library = &scratch.library;
    let former = library.folders().create("News", None).await.unwrap();
    say(library, FeedScope::Folder(former), Preferences { notify: Some(true), ..often(60) }).await;
    let step = library.folders().delete(former).await.unwrap();
    let made = library.folders().create("News", None).await.unwrap();
    say(library, FeedScope::Folder(made), Preferences { load_images: Some(false), ..often(0) }).await;
    library.undo(step.step).await.unwrap();
    let own = library.preferences().get(FeedScope::Folder(made)).await.unwrap().own;
    assert_eq!(own, Preferences { load_images: Some(false), notify: Some(true), ..often(0) });
}

#[tokio::test]
async fn a_feed_moved_out_of_a_folder_no_longer_inherits_from_it() {
    let server = Server::start().await;
    server.on("/a", Reply::ok(rss(&["a"])));
    let scratch = Scratch::new().await;
    let library = &scratch.library;
    let folder = library.folders().create("Ahead", None).await.unwrap();
    let feed = scratch.subscribe(&server.url("/a")).await;
    move_to(library, feed, folder).await;
    scratch.refresh().await;
    let preferences = Preferences { offline: Some(2), load_images: Some(false), ..Preferences::default() };
    assert_eq!(offline::prefer(library, FeedScope::Folder(folder), preferences, now()).await.unwrap(), 1);
    // Where images are off, the site is not requested for an icon.
    assert!(library.icons().missing(now()).await.unwrap().is_empty());
    library.subscriptions().arrange(&Rearrangement { feeds: vec![feed], ..Rearrangement::default() }).await.unwrap();
    assert_eq!(library.downloads().due(now(), 9).await.unwrap().len(), 0);
    assert_eq!(library.icons().missing(now()).await.unwrap().len(), 1);
}
