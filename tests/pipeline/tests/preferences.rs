//! What the reader says of feeds, of folders and of all, and what holds by that.
#![allow(clippy::unwrap_used)]

use gleaner_library::{AheadWhat, FeedScope, Incoming, Library, Poll, Preferences, Rearrangement, SaidBy};
use gleaner_pipeline::{DAY, HOUR, Scratch, now, rss, travel};
use gleaner_polling::ahead;
use gleaner_testserver::{Reply, Server};

async fn say(library: &Library, scope: FeedScope, wish: Preferences) {
    library.prefer(scope, wish).await.unwrap();
}

fn often(minutes: i64) -> Preferences {
    Preferences { refresh_minutes: Some(minutes), ..Preferences::default() }
}

async fn next(scratch: &Scratch, feed: i64) -> Option<i64> {
    scratch.poll(feed).await.next_at
}

#[tokio::test]
async fn the_nearest_word_holds_for_each_by_itself_and_says_where_it_comes_from() {
    let scratch = Scratch::new().await;
    let library = &scratch.library;
    let outer = library.create_folder("Outer", None).await.unwrap();
    let inner = library.create_folder("Inner", Some(outer)).await.unwrap();
    let feed = scratch.subscribe("http://127.0.0.1:9/feed").await;
    library.move_feed(feed, Some(inner)).await.unwrap();

    let nothing = library.preferences(FeedScope::Feed(feed)).await.unwrap();
    assert_eq!((nothing.own, nothing.by), (Preferences::default(), SaidBy::default()));
    assert_eq!(nothing.inherited, Preferences { ahead: Some(0), ..Preferences::default() });

    let all = Preferences { refresh_minutes: Some(60), notify: Some(true), ..Preferences::default() };
    say(library, FeedScope::All, all).await;
    let wide = Preferences {
        refresh_minutes: Some(120),
        ahead: Some(3),
        full_text_when: Some(2),
        full_text_first: Some(true),
        load_images: Some(false),
        notify: None,
    };
    say(library, FeedScope::Folder(outer), wide).await;
    let near = Preferences { full_text_first: Some(false), ahead: Some(1), ..Preferences::default() };
    say(library, FeedScope::Folder(inner), near).await;
    let own = Preferences { load_images: Some(true), full_text_when: Some(0), ..Preferences::default() };
    say(library, FeedScope::Feed(feed), own).await;

    let said = library.preferences(FeedScope::Feed(feed)).await.unwrap();
    assert_eq!(said.own, own);
    let inherited = Preferences { full_text_first: Some(false), ahead: Some(1), notify: Some(true), ..wide };
    assert_eq!(said.inherited, inherited);
    let by = SaidBy {
        refresh_minutes_of: Some(outer),
        ahead_of: Some(inner),
        full_text_when_of: Some(outer),
        full_text_first_of: Some(inner),
        load_images_of: Some(outer),
        notify_of: None,
    };
    assert_eq!(said.by, by);
    assert_eq!(library.preferred(feed).await.unwrap(), own.or(inherited));
    assert_eq!(library.picture_preferences().await.unwrap(), [(feed, true)].into());
    // A folder's own word is not what it inherits.
    let of_inner = library.preferences(FeedScope::Folder(inner)).await.unwrap();
    assert_eq!((of_inner.own, of_inner.inherited.ahead, of_inner.by.ahead_of), (near, Some(3), Some(outer)));
    let of_all = library.preferences(FeedScope::All).await.unwrap();
    assert_eq!(of_all.own, all);

    // It goes with the folder, and comes back with it.
    let step = library.delete_folder(inner).await.unwrap();
    assert_eq!(library.preferred(feed).await.unwrap(), own.or(wide).or(all));
    library.undo(step.step).await.unwrap();
    assert_eq!(library.preferred(feed).await.unwrap(), own.or(inherited));

    for wrong in [
        Preferences { ahead: Some(4), ..Preferences::default() },
        Preferences { full_text_when: Some(3), ..Preferences::default() },
        often(i64::MAX),
    ] {
        assert!(library.prefer(FeedScope::Feed(feed), wrong).await.is_err(), "{wrong:?}");
    }
    assert!(library.prefer(FeedScope::Folder(99), Preferences::default()).await.is_err());
    assert!(library.preferences(FeedScope::Feed(99)).await.is_err());
    // What came from elsewhere and cannot be meant says nothing, and stops nothing.
    for odd in ["[]", "7", "{\"refresh_minutes\":\"x\",\"notify\":3}", "{\"refresh_minutes\":-5}", "{"] {
        library.set_setting("preferences", odd).await.unwrap();
        assert_eq!(library.preferences(FeedScope::All).await.unwrap().own, Preferences::default(), "{odd}");
        assert_eq!(library.polls().await.unwrap()[0].refresh_minutes, Some(120), "{odd}");
    }
}

#[tokio::test]
async fn a_folder_that_is_never_asked_takes_and_gives_back_its_feeds_times() {
    let server = Server::start().await;
    server.on("/feed", Reply::ok(rss(&["a"])).header("ETag", "\"e\""));
    let scratch = Scratch::new().await;
    let library = &scratch.library;
    let feed = scratch.subscribe(&server.url("/feed")).await;
    let quiet = library.create_folder("Quiet", None).await.unwrap();
    scratch.refresh_due().await;
    assert!(next(&scratch, feed).await.is_some());

    say(library, FeedScope::Folder(quiet), often(0)).await;
    let into = Rearrangement { feeds: vec![feed], parent: Some(quiet), ..Rearrangement::default() };
    let step = library.arrange(&into).await.unwrap();
    assert_eq!(next(&scratch, feed).await, None);
    library.undo(step.step).await.unwrap();
    assert!(next(&scratch, feed).await.is_some());

    library.arrange(&into).await.unwrap();
    let asked = server.requests().len();
    travel(30 * DAY);
    assert_eq!(scratch.refresh_due().await.asked, 0);
    let step = library.delete_folder(quiet).await.unwrap();
    assert_eq!(scratch.refresh_due().await.asked, 1, "nothing keeps it from being asked");
    library.undo(step.step).await.unwrap();
    assert_eq!(next(&scratch, feed).await, None);
    say(library, FeedScope::Feed(feed), often(-1)).await;
    assert!(next(&scratch, feed).await.is_some(), "as Gleaner thinks best, whatever its folder says");
    say(library, FeedScope::Feed(feed), often(180)).await;
    scratch.refresh_due().await;
    assert_eq!(server.requests().len(), asked + 2);
    let wait = next(&scratch, feed).await.unwrap() - now();
    assert!((3 * HOUR - 60_000..4 * HOUR).contains(&wait), "{wait}");

    // One that is gone is not asked again for all that.
    server.on("/feed", Reply::status(410));
    travel(DAY);
    scratch.refresh_due().await;
    assert_eq!(next(&scratch, feed).await, None);
    let out = Rearrangement { feeds: vec![feed], ..Rearrangement::default() };
    library.arrange(&out).await.unwrap();
    assert_eq!(next(&scratch, feed).await, None);
}

#[tokio::test]
async fn the_desktop_is_told_of_new_articles_of_feeds_and_folders_that_are_wished_so() {
    let server = Server::start().await;
    let scratch = Scratch::new().await;
    let library = &scratch.library;
    let folder = library.create_folder("Loud", None).await.unwrap();
    let mut feeds = Vec::new();
    for name in ["a", "b"] {
        server.on(&format!("/{name}"), Reply::ok(rss(&[&format!("{name} old")])));
        feeds.push(scratch.subscribe(&server.url(&format!("/{name}"))).await);
    }
    library.move_feed(feeds[0], Some(folder)).await.unwrap();
    let loud = Preferences { notify: Some(true), ..Preferences::default() };
    say(library, FeedScope::Folder(folder), loud).await;
    assert_eq!(scratch.refresh().await.notify, [0; 0], "what a feed begins with is no news");
    for name in ["a", "b"] {
        server.on(&format!("/{name}"), Reply::ok(rss(&[&format!("{name} new"), &format!("{name} old")])));
    }
    travel(2 * HOUR);
    let told = scratch.refresh().await.notify;
    assert_eq!(told.len(), 1);
    assert_eq!(library.item(told[0]).await.unwrap().title, "a new");
    say(library, FeedScope::All, loud).await;
    say(library, FeedScope::Feed(feeds[0]), Preferences { notify: Some(false), ..Preferences::default() }).await;
    for name in ["a", "b"] {
        server.on(&format!("/{name}"), Reply::ok(rss(&[&format!("{name} newest"), &format!("{name} new")])));
    }
    travel(2 * HOUR);
    let told = scratch.refresh().await.notify;
    assert_eq!(told.len(), 1);
    assert_eq!(library.item(told[0]).await.unwrap().title, "b newest");
}

#[tokio::test]
async fn what_is_wished_of_a_folder_is_fetched_ahead_of_its_feeds_but_of_those_that_say_otherwise() {
    let server = Server::start().await;
    let scratch = Scratch::new().await;
    let library = &scratch.library;
    let folder = library.create_folder("Ahead", None).await.unwrap();
    let inner = library.create_folder("Inner", Some(folder)).await.unwrap();
    let mut feeds = Vec::new();
    for (name, into) in [("a", inner), ("b", inner)] {
        server.on(&format!("/{name}"), Reply::ok(rss(&[name])));
        let feed = scratch.subscribe(&server.url(&format!("/{name}"))).await;
        library.move_feed(feed, Some(into)).await.unwrap();
        feeds.push(feed);
    }
    scratch.refresh().await;
    let of = |ahead| Preferences { ahead: Some(ahead), ..Preferences::default() };
    ahead::prefer(library, FeedScope::Feed(feeds[1]), of(0), now()).await.unwrap();
    let queued = ahead::prefer(library, FeedScope::Folder(folder), of(2), now()).await.unwrap();
    assert_eq!(queued, 1);
    let due = library.ahead_due(now(), 9).await.unwrap();
    assert_eq!(due.iter().map(|job| (job.feed, job.what)).collect::<Vec<_>>(), [(feeds[0], AheadWhat::Pictures)]);
    // Another word of the same folder asks for nothing anew, and no word takes it back.
    let also = Preferences { notify: Some(true), ..of(2) };
    assert_eq!(ahead::prefer(library, FeedScope::Folder(folder), also, now()).await.unwrap(), 0);
    ahead::prefer(library, FeedScope::Folder(folder), Preferences::default(), now()).await.unwrap();
    assert_eq!(library.ahead_due(now(), 9).await.unwrap().len(), 0);
}

#[tokio::test]
async fn what_is_wished_while_a_feed_is_being_asked_holds_once_it_answers() {
    let scratch = Scratch::new().await;
    let library = &scratch.library;
    let feed = scratch.subscribe("http://127.0.0.1:9/feed").await;
    let asked = scratch.poll(feed).await;
    let answered = |next_at| Incoming { poll: Poll { next_at, ..asked.clone() }, ..Incoming::default() };
    say(library, FeedScope::All, often(0)).await;
    library.store(&[&answered(Some(now() + HOUR))]).await.unwrap();
    assert_eq!(next(&scratch, feed).await, None, "it is wished that it is not asked by itself");
    say(library, FeedScope::All, often(60)).await;
    library.store(&[&answered(None)]).await.unwrap();
    assert!(next(&scratch, feed).await.is_some(), "it is wished that it is asked");
}

#[tokio::test]
async fn a_folder_that_comes_back_leaves_one_of_its_name_as_it_is() {
    let scratch = Scratch::new().await;
    let library = &scratch.library;
    let former = library.create_folder("News", None).await.unwrap();
    say(library, FeedScope::Folder(former), Preferences { notify: Some(true), ..often(60) }).await;
    let step = library.delete_folder(former).await.unwrap();
    let made = library.create_folder("News", None).await.unwrap();
    say(library, FeedScope::Folder(made), Preferences { load_images: Some(false), ..often(0) }).await;
    library.undo(step.step).await.unwrap();
    let own = library.preferences(FeedScope::Folder(made)).await.unwrap().own;
    assert_eq!(own, Preferences { load_images: Some(false), notify: Some(true), ..often(0) });
}

#[tokio::test]
async fn a_feed_that_leaves_its_folder_leaves_the_folders_wishes() {
    let server = Server::start().await;
    server.on("/a", Reply::ok(rss(&["a"])));
    let scratch = Scratch::new().await;
    let library = &scratch.library;
    let folder = library.create_folder("Ahead", None).await.unwrap();
    let feed = scratch.subscribe(&server.url("/a")).await;
    library.move_feed(feed, Some(folder)).await.unwrap();
    scratch.refresh().await;
    let wish = Preferences { ahead: Some(2), load_images: Some(false), ..Preferences::default() };
    assert_eq!(ahead::prefer(library, FeedScope::Folder(folder), wish, now()).await.unwrap(), 1);
    // Whose pictures are not wished, its site is not asked for an icon.
    assert!(library.without_icon(now()).await.unwrap().is_empty());
    library.arrange(&Rearrangement { feeds: vec![feed], ..Rearrangement::default() }).await.unwrap();
    assert_eq!(library.ahead_due(now(), 9).await.unwrap().len(), 0);
    assert_eq!(library.without_icon(now()).await.unwrap().len(), 1);
}
