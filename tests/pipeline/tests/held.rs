//! Articles dated in the future: held back until their date, or shown, as the user likes.
#![allow(clippy::unwrap_used)]

use chrono::DateTime;
use gleaner_feed::Context;
use gleaner_library::{Incoming, Library, ListQuery, Millis, NewSubscription, Poll, Source};
use gleaner_pipeline::{DAY, HOUR, Scratch, now, travel};
use gleaner_polling::{
    decide::{self, Known},
    rules::FeedRules,
};
use gleaner_testserver::{Reply, Server};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// A feed of items that have a title and perhaps a date.
fn dated(items: &[(&str, Option<Millis>)]) -> String {
    let item = |(title, date): &(&str, Option<Millis>)| {
        let date = date.map_or(String::new(), |date| {
            format!("<pubDate>{}</pubDate>", DateTime::from_timestamp_millis(date).unwrap().to_rfc2822())
        });
        format!("<item><guid>https://example.com/{title}</guid><title>{title}</title>{date}</item>")
    };
    let items: String = items.iter().map(item).collect();
    format!("<rss version=\"2.0\"><channel><title>Test</title><link>https://example.com/</link>{items}</channel></rss>")
}

#[tokio::test]
async fn without_the_users_wish_they_are_shown_at_the_time_they_came() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    server.on("/feed", Reply::ok(dated(&[("tomorrow", Some(now() + DAY))])));
    let feed = scratch.subscribe(&server.url("/feed")).await;
    let before = now();
    assert_eq!(scratch.refresh().await.items_new, 1);
    let row = &scratch.list(Source::Feed(feed)).await[0];
    assert!((before..=now()).contains(&row.sort_at));
}

#[tokio::test]
async fn they_come_in_on_their_date_and_as_of_their_date() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    scratch.library.set_hold_future(true).await.unwrap();
    let tomorrow = (now() + DAY) / 1000 * 1000;
    server.on("/feed", Reply::ok(dated(&[("tomorrow", Some(tomorrow)), ("today", Some(now() - HOUR))])));
    let feed = scratch.subscribe(&server.url("/feed")).await;
    assert_eq!(scratch.refresh().await.items_new, 1);
    assert_eq!(scratch.titles(Source::All).await, ["today"]);
    assert_eq!(scratch.titles(Source::Unread).await, ["today"]);
    assert_eq!(scratch.library.feed_counts().await.unwrap()[0].items, 1);
    assert_eq!(scratch.library.next_held_at().await.unwrap(), Some(tomorrow));
    let seen = now();

    // It is the same item all the while, though its feed is read again and again.
    let changed = dated(&[("tomorrow", Some(tomorrow)), ("today", Some(now() - 2 * HOUR))]);
    server.on("/feed", Reply::ok(changed));
    assert_eq!(scratch.refresh().await.items_new, 0);
    let scratch = scratch.restart().await;
    assert!(scratch.library.holds_future());
    assert_eq!(scratch.titles(Source::All).await, ["today"]);

    travel(2 * DAY);
    assert_eq!(scratch.refresh().await.items_new, 1);
    assert_eq!(scratch.titles(Source::Feed(feed)).await, ["tomorrow", "today"]);
    assert_eq!(scratch.list(Source::All).await[0].sort_at, tomorrow);
    assert_eq!(scratch.library.next_held_at().await.unwrap(), None);
    // Nobody has seen it before: "all that I saw is read" does not mean it.
    let all = gleaner_library::MarkScope::All;
    scratch.library.mark_list_read(Source::All, false, all, Some(seen)).await.unwrap();
    assert_eq!(scratch.titles(Source::Unread).await, ["tomorrow"]);
}

#[tokio::test]
async fn a_date_that_cannot_be_meant_holds_nothing_for_ever() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    scratch.library.set_hold_future(true).await.unwrap();
    server.on("/feed", Reply::ok(dated(&[("in a thousand years", Some(now() + 1000 * 365 * DAY))])));
    scratch.subscribe(&server.url("/feed")).await;
    assert_eq!(scratch.refresh().await.items_new, 1);
    assert_eq!(scratch.list(Source::All).await.len(), 1);
}

#[tokio::test]
async fn a_date_that_is_put_off_or_taken_back_is_followed() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    scratch.library.set_hold_future(true).await.unwrap();
    let start = now();
    let sooner = dated(&[("a", Some(start - HOUR)), ("b", Some(start + 9 * DAY))]);
    server
        .on_each("/feed", [Reply::ok(dated(&[("a", Some(start + DAY)), ("b", Some(start + DAY))])), Reply::ok(sooner)]);
    scratch.subscribe(&server.url("/feed")).await;
    assert_eq!(scratch.refresh().await.items_new, 0);
    let again = scratch.refresh().await;
    assert_eq!((again.items_new, again.items_changed), (1, 0));
    let shown = scratch.list(Source::All).await;
    assert_eq!((shown.len(), shown[0].title.as_str()), (1, "a"));
    assert!((shown[0].sort_at - (start - HOUR)).abs() < 1000, "at the place of its new date");
    travel(2 * DAY);
    scratch.refresh().await;
    assert_eq!(scratch.titles(Source::All).await, ["a"], "put off");
    // The other wish lets all go.
    scratch.library.set_hold_future(false).await.unwrap();
    assert_eq!(scratch.list(Source::All).await.len(), 2);
}

#[tokio::test]
async fn a_story_that_was_read_elsewhere_comes_in_read_when_it_is_let_go() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    scratch.library.set_hold_future(true).await.unwrap();
    server.on("/early", Reply::ok(dated(&[("a", Some(now() + DAY))])));
    server.on("/late", Reply::ok(dated(&[("a", Some(now() - HOUR))])));
    for path in ["/early", "/late"] {
        scratch.subscribe(&server.url(path)).await;
        scratch.refresh_due().await;
    }
    let shown = scratch.list(Source::All).await;
    assert_eq!(shown.len(), 1, "the one that is held does not stand for the other");
    assert!(scratch.library.elsewhere(shown[0].id).await.unwrap().is_empty());
    scratch.library.mark(&[shown[0].id], Some(true), None).await.unwrap();
    travel(2 * DAY);
    assert_eq!(scratch.library.release_held(now()).await.unwrap().new, 1);
    assert_eq!(scratch.list(Source::All).await.len(), 1, "one story");
    assert!(scratch.list(Source::Unread).await.is_empty());
    assert_eq!(scratch.library.elsewhere(shown[0].id).await.unwrap().len(), 1);
}

#[tokio::test]
async fn two_feeds_become_one_and_what_was_shown_goes_on_showing() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    let tomorrow = now() + DAY;
    server.on("/one", Reply::ok(dated(&[("a", Some(tomorrow))])));
    server.on("/two", Reply::ok(dated(&[("a", Some(tomorrow)), ("b", Some(tomorrow))])));
    let one = scratch.subscribe(&server.url("/one")).await;
    scratch.refresh_due().await;
    scratch.library.set_hold_future(true).await.unwrap();
    let two = scratch.subscribe(&server.url("/two")).await;
    scratch.refresh_due().await;
    assert_eq!(scratch.list(Source::All).await.len(), 1);
    let row = scratch.list(Source::Feed(one)).await[0].clone();
    scratch.library.mark(&[row.id], None, Some(true)).await.unwrap();

    let undo = scratch.library.merge_feeds(one, two).await.unwrap();
    let merged = scratch.list(Source::Feed(two)).await;
    assert!(merged.len() == 1 && merged[0].title == "a" && merged[0].starred, "{merged:?}");
    scratch.library.undo(undo.step).await.unwrap();
    assert_eq!(scratch.titles(Source::Feed(one)).await, ["a"]);

    // The other way round: what only the one that goes has, and holds, is held in the other.
    scratch.library.merge_feeds(two, one).await.unwrap();
    assert_eq!(scratch.titles(Source::All).await, ["a"]);
    travel(2 * DAY);
    scratch.library.release_held(now()).await.unwrap();
    assert_eq!(scratch.list(Source::Feed(one)).await.len(), 2);
    assert_eq!(scratch.library.feed_counts().await.unwrap()[0].items, 2);
}

#[tokio::test]
async fn what_a_left_feed_holds_comes_back_with_it() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    scratch.library.set_hold_future(true).await.unwrap();
    server.on("/feed", Reply::ok(dated(&[("a", Some(now() + HOUR))])));
    let feed = scratch.subscribe(&server.url("/feed")).await;
    scratch.refresh().await;
    let undo = scratch.library.unsubscribe(&[feed]).await.unwrap();
    travel(2 * HOUR);
    scratch.library.release_held(now()).await.unwrap();
    assert!(scratch.list(Source::All).await.is_empty());
    scratch.library.undo(undo.step).await.unwrap();
    assert_eq!(scratch.titles(Source::Unread).await, ["a"]);
}

/// What a test does to a library.
#[derive(Debug, Clone)]
enum Step {
    /// The feed has these items: number, hours from now to its date, edition.
    Publish(Vec<(u8, Option<i64>, u8)>),
    Hours(i64),
    Hold(bool),
    Release,
    Reopen,
    Read(u8),
}

fn step() -> impl Strategy<Value = Step> {
    let date = prop_oneof![
        Just(None),
        (-50_i64..0).prop_map(Some),
        (1_i64..8).prop_map(Some),
        (9_000_i64..9_000_000).prop_map(Some)
    ];
    let item = (0_u8..6, date, 0_u8..3);
    prop_oneof![
        4 => proptest::collection::vec(item, 0..5).prop_map(Step::Publish),
        2 => (1_i64..5).prop_map(Step::Hours),
        1 => prop::bool::weighted(0.75).prop_map(Step::Hold),
        3 => Just(Step::Release),
        1 => Just(Step::Reopen),
        2 => (0_u8..6).prop_map(Step::Read),
    ]
}

/// What is expected of an item that was published.
#[derive(Debug, Clone, Copy)]
struct Expected {
    held_until: Option<Millis>,
    read: bool,
}

async fn open(folder: &std::path::Path) -> Library {
    Library::open(folder).await.unwrap()
}

async fn everything(library: &Library) -> Vec<gleaner_library::Row> {
    let query = ListQuery {
        source: Source::All,
        unread_only: false,
        oldest_first: false,
        after: None,
        before: None,
        limit: 400,
    };
    library.list(query).await.unwrap().0
}

async fn publish(library: &Library, feed: i64, items: &[(u8, Option<i64>, u8)], now: Millis) {
    let titles: Vec<String> = items.iter().map(|(number, _, _)| number.to_string()).collect();
    let dated_items: Vec<(&str, Option<Millis>)> = titles
        .iter()
        .zip(items)
        .map(|(title, (_, hours, _))| (title.as_str(), hours.map(|hours| now + hours * HOUR)))
        .collect();
    let mut xml = dated(&dated_items);
    for (number, _, edition) in items {
        let title = format!("<title>{number}</title>");
        xml = xml.replace(&title, &format!("{title}<description>Edition {edition}.</description>"));
    }
    let parsed = gleaner_feed::parse(xml.as_bytes(), Context::default()).unwrap();
    let identified = decide::identities(&parsed);
    let keys: Vec<&str> = identified.iter().map(|(key, _)| key.as_str()).collect();
    let known = library.known_items(feed, &keys, &decide::addresses(&identified)).await.unwrap();
    let poll = Poll { feed_id: feed, checked_at: Some(now), ..Poll::default() };
    let intents = decide::intents(identified, &Known::new(known), now, &FeedRules::default());
    library.store(&[&Incoming { poll, intents, ..Incoming::default() }]).await.unwrap();
}

/// Does the steps to a library and to a model of it, and compares the two after each.
async fn walk(steps: Vec<Step>) {
    let folder = tempfile::tempdir().unwrap();
    let mut library = open(folder.path()).await;
    let new = NewSubscription { url: "https://example.com/feed".to_owned(), ..NewSubscription::default() };
    let feed = library.subscribe(&new).await.unwrap();
    let mut now = gleaner_library::now() / 1000 * 1000;
    let (mut model, mut hold): (BTreeMap<String, Expected>, bool) = (BTreeMap::new(), false);
    for step in steps {
        match &step {
            Step::Publish(items) => {
                publish(&library, feed, items, now).await;
                let mut seen = Vec::new();
                for (number, hours, _) in items {
                    // Of an item that a document has twice the first counts.
                    if seen.contains(number) {
                        continue;
                    }
                    seen.push(*number);
                    let until = hours.filter(|hours| (1..8_000).contains(hours)).map(|hours| now + hours * HOUR);
                    let until = until.filter(|_| hold);
                    model
                        .entry(number.to_string())
                        .and_modify(|item| item.held_until = item.held_until.and(until))
                        .or_insert(Expected { held_until: until, read: false });
                }
            }
            Step::Hours(hours) => now += hours * HOUR,
            Step::Hold(wish) => {
                library.set_hold_future(*wish).await.unwrap();
                hold = *wish;
            }
            Step::Release => {
                library.release_held(now).await.unwrap();
                model.values_mut().for_each(|item| item.held_until = item.held_until.filter(|until| *until > now));
            }
            Step::Reopen => {
                library.close().await.unwrap();
                library = open(folder.path()).await;
            }
            Step::Read(number) => {
                let rows = everything(&library).await;
                if let Some(row) = rows.iter().find(|row| row.title == number.to_string()) {
                    library.mark(&[row.id], Some(true), None).await.unwrap();
                    model.get_mut(&row.title).unwrap().read = true;
                }
            }
        }
        if !hold {
            model.values_mut().for_each(|item| item.held_until = None);
        }
        let mut shown: Vec<(String, bool)> =
            everything(&library).await.into_iter().map(|row| (row.title, row.read)).collect();
        shown.sort();
        let expected: Vec<(String, bool)> = model
            .iter()
            .filter(|(_, item)| item.held_until.is_none())
            .map(|(title, item)| (title.clone(), item.read))
            .collect();
        assert_eq!(shown, expected, "after {step:?}");
        let counts = library.feed_counts().await.unwrap()[0];
        let unread = expected.iter().filter(|(_, read)| !read).count();
        assert_eq!((counts.items, counts.unread), (shown.len() as i64, unread as i64));
        let next = model.values().filter_map(|item| item.held_until).min();
        assert_eq!(library.next_held_at().await.unwrap(), next, "after {step:?}");
    }
    assert_eq!(library.check(false).await.unwrap().findings, []);
    library.set_hold_future(false).await.unwrap();
    assert_eq!(everything(&library).await.len(), model.len(), "none lost, none twice");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]
    #[test]
    fn none_is_lost_and_none_is_twice(steps in proptest::collection::vec(step(), 1..25)) {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(walk(steps));
    }
}
