//! Articles dated in the future: scheduled until their date, or shown, by the user's preference.
#![allow(clippy::unwrap_used)]

use chrono::DateTime;
use gleaner_feed::Context;
use gleaner_identity::Known;
use gleaner_library::{Incoming, Library, ListQuery, Millis, NewSubscription, Order, Poll, Source};
use gleaner_pipeline::{DAY, HOUR, Scratch, now, travel};
use gleaner_polling::{decide, rules::FeedRules};
use gleaner_testserver::{Reply, Server};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Returns a feed of items with a title and an optional date.
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
async fn future_articles_are_shown_at_once_by_default() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    server.on("/feed", Reply::ok(dated(&[("tomorrow", Some(now() + DAY))])));
    let feed = scratch.subscribe(&server.url("/feed")).await;
    let before = now();
    assert_eq!(scratch.refresh().await.items_new, 1);
    let row = &scratch.list(Source::Feed(feed)).await[0];
    assert!((before..=now()).contains(&row.sort_at));
}

#[tokio::test]
async fn scheduled_articles_appear_on_their_date() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    scratch.library.scheduled().set_enabled(true).await.unwrap();
    let tomorrow = (now() + DAY) / 1000 * 1000;
    server.on("/feed", Reply::ok(dated(&[("tomorrow", Some(tomorrow)), ("today", Some(now() - HOUR))])));
    let feed = scratch.subscribe(&server.url("/feed")).await;
    assert_eq!(scratch.refresh().await.items_new, 1);
    assert_eq!(scratch.titles(Source::All).await, ["today"]);
    assert_eq!(scratch.titles(Source::Unread).await, ["today"]);
    assert_eq!(scratch.library.counts().by_feed().await.unwrap()[0].items, 1);
    assert_eq!(scratch.library.scheduled().next_at().await.unwrap(), Some(tomorrow));
    let seen = now();

    // The item stays the same while its feed is read repeatedly.
    let changed = dated(&[("tomorrow", Some(tomorrow)), ("today", Some(now() - 2 * HOUR))]);
    server.on("/feed", Reply::ok(changed));
    assert_eq!(scratch.refresh().await.items_new, 0);
    let scratch = scratch.restart().await;
    assert!(scratch.library.scheduled().is_enabled());
    assert_eq!(scratch.titles(Source::All).await, ["today"]);

    travel(2 * DAY);
    assert_eq!(scratch.refresh().await.items_new, 1);
    assert_eq!(scratch.titles(Source::Feed(feed)).await, ["tomorrow", "today"]);
    assert_eq!(scratch.list(Source::All).await[0].sort_at, tomorrow);
    assert_eq!(scratch.library.scheduled().next_at().await.unwrap(), None);
    // It was not visible before, so marking all visible articles as read does not include it.
    let all = gleaner_library::MarkScope::All;
    scratch.library.articles().mark_list_read(Source::All, Order::Newest, all, Some(seen)).await.unwrap();
    assert_eq!(scratch.titles(Source::Unread).await, ["tomorrow"]);
}

#[tokio::test]
async fn an_unlikely_date_does_not_schedule_an_article_forever() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    scratch.library.scheduled().set_enabled(true).await.unwrap();
    server.on("/feed", Reply::ok(dated(&[("in a thousand years", Some(now() + 1000 * 365 * DAY))])));
    scratch.subscribe(&server.url("/feed")).await;
    assert_eq!(scratch.refresh().await.items_new, 1);
    assert_eq!(scratch.list(Source::All).await.len(), 1);
}

#[tokio::test]
async fn a_changed_or_removed_date_is_followed() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    scratch.library.scheduled().set_enabled(true).await.unwrap();
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
    assert!((shown[0].sort_at - (start - HOUR)).abs() < 1000, "sorted by its new date");
    travel(2 * DAY);
    scratch.refresh().await;
    assert_eq!(scratch.titles(Source::All).await, ["a"], "put off");
    // The other preference shows them all.
    scratch.library.scheduled().set_enabled(false).await.unwrap();
    assert_eq!(scratch.list(Source::All).await.len(), 2);
}

#[tokio::test]
async fn an_article_read_in_another_feed_appears_as_read() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    scratch.library.scheduled().set_enabled(true).await.unwrap();
    server.on("/early", Reply::ok(dated(&[("a", Some(now() + DAY))])));
    server.on("/late", Reply::ok(dated(&[("a", Some(now() - HOUR))])));
    for path in ["/early", "/late"] {
        scratch.subscribe(&server.url(path)).await;
        scratch.refresh_due().await;
    }
    let shown = scratch.list(Source::All).await;
    assert_eq!(shown.len(), 1, "a scheduled article does not represent the duplicates");
    assert!(scratch.library.snapshot().await.unwrap().article(shown[0].id).await.unwrap().duplicates.is_empty());
    scratch.library.articles().mark(&[shown[0].id], Some(true), None).await.unwrap();
    travel(2 * DAY);
    assert_eq!(scratch.library.scheduled().release_due(now()).await.unwrap().new, 1);
    assert_eq!(scratch.list(Source::All).await.len(), 1, "one story");
    assert!(scratch.list(Source::Unread).await.is_empty());
    assert_eq!(scratch.library.snapshot().await.unwrap().article(shown[0].id).await.unwrap().duplicates.len(), 1);
}

#[tokio::test]
async fn merging_feeds_keeps_shown_articles_shown() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    let tomorrow = now() + DAY;
    server.on("/one", Reply::ok(dated(&[("a", Some(tomorrow))])));
    server.on("/two", Reply::ok(dated(&[("a", Some(tomorrow)), ("b", Some(tomorrow))])));
    let one = scratch.subscribe(&server.url("/one")).await;
    scratch.refresh_due().await;
    scratch.library.scheduled().set_enabled(true).await.unwrap();
    let two = scratch.subscribe(&server.url("/two")).await;
    scratch.refresh_due().await;
    assert_eq!(scratch.list(Source::All).await.len(), 1);
    let row = scratch.list(Source::Feed(one)).await[0].clone();
    scratch.library.articles().mark(&[row.id], None, Some(true)).await.unwrap();

    let undo = scratch.library.subscriptions().merge(one, two).await.unwrap();
    let merged = scratch.list(Source::Feed(two)).await;
    assert!(merged.len() == 1 && merged[0].title == "a" && merged[0].starred, "{merged:?}");
    scratch.library.undo(undo.step).await.unwrap();
    assert_eq!(scratch.titles(Source::Feed(one)).await, ["a"]);

    // In the other direction: articles that only the removed feed has, and schedules, are scheduled in the other.
    scratch.library.subscriptions().merge(two, one).await.unwrap();
    assert_eq!(scratch.titles(Source::All).await, ["a"]);
    travel(2 * DAY);
    scratch.library.scheduled().release_due(now()).await.unwrap();
    assert_eq!(scratch.list(Source::Feed(one)).await.len(), 2);
    assert_eq!(scratch.library.counts().by_feed().await.unwrap()[0].items, 2);
}

#[tokio::test]
async fn scheduled_articles_are_restored_with_an_unsubscribed_feed() {
    let (server, scratch) = (Server::start().await, Scratch::new().await);
    scratch.library.scheduled().set_enabled(true).await.unwrap();
    server.on("/feed", Reply::ok(dated(&[("a", Some(now() + HOUR))])));
    let feed = scratch.subscribe(&server.url("/feed")).await;
    scratch.refresh().await;
    let undo = scratch.library.feeds().unsubscribe(&[feed]).await.unwrap();
    travel(2 * HOUR);
    scratch.library.scheduled().release_due(now()).await.unwrap();
    assert!(scratch.list(Source::All).await.is_empty());
    scratch.library.undo(undo.step).await.unwrap();
    assert_eq!(scratch.titles(Source::Unread).await, ["a"]);
}

/// A step of the model test.
#[derive(Debug, Clone)]
enum Step {
    /// The feed has these items: number, hours from now to its date, edition.
    Publish(Vec<(u8, Option<i64>, u8)>),
    Hours(i64),
    Schedule(bool),
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
        1 => prop::bool::weighted(0.75).prop_map(Step::Schedule),
        3 => Just(Step::Release),
        1 => Just(Step::Reopen),
        2 => (0_u8..6).prop_map(Step::Read),
    ]
}

/// The expected state of a published item.
#[derive(Debug, Clone, Copy)]
struct Expected {
    held_until: Option<Millis>,
    read: bool,
}

async fn open(folder: &std::path::Path) -> Library {
    Library::open(folder).await.unwrap()
}

async fn everything(library: &Library) -> Vec<gleaner_library::Row> {
    let query = ListQuery::newest(Source::All, 400);
    library.lists().page(query).await.unwrap().0
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
    let keys: Vec<&str> = identified.iter().map(|item| item.key.as_str()).collect();
    let known = library.polls().known_items(feed, &keys, &decide::addresses(&identified)).await.unwrap();
    let poll = Poll { feed_id: feed, checked_at: Some(now), ..Poll::default() };
    let intents = decide::intents(identified, &Known::new(known), now, &FeedRules::default());
    library.polls().store(&[&Incoming { poll, intents, ..Incoming::default() }]).await.unwrap();
}

/// Applies the steps to a library and to a model of it, and compares the two after each.
async fn walk(steps: Vec<Step>) {
    let folder = tempfile::tempdir().unwrap();
    let mut library = open(folder.path()).await;
    let new = NewSubscription::new("https://example.com/feed");
    let feed = library.subscriptions().add(&new).await.unwrap();
    let mut now = gleaner_library::now() / 1000 * 1000;
    let (mut model, mut schedules): (BTreeMap<String, Expected>, bool) = (BTreeMap::new(), false);
    for step in steps {
        match &step {
            Step::Publish(items) => {
                publish(&library, feed, items, now).await;
                let mut seen = Vec::new();
                for (number, hours, _) in items {
                    // Of an item that is twice in a document the first counts.
                    if seen.contains(number) {
                        continue;
                    }
                    seen.push(*number);
                    let until = hours.filter(|hours| (1..8_000).contains(hours)).map(|hours| now + hours * HOUR);
                    let until = until.filter(|_| schedules);
                    model
                        .entry(number.to_string())
                        .and_modify(|item| item.held_until = item.held_until.and(until))
                        .or_insert(Expected { held_until: until, read: false });
                }
            }
            Step::Hours(hours) => now += hours * HOUR,
            Step::Schedule(enabled) => {
                library.scheduled().set_enabled(*enabled).await.unwrap();
                schedules = *enabled;
            }
            Step::Release => {
                library.scheduled().release_due(now).await.unwrap();
                model.values_mut().for_each(|item| item.held_until = item.held_until.filter(|until| *until > now));
            }
            Step::Reopen => {
                library.close().await.unwrap();
                library = open(folder.path()).await;
            }
            Step::Read(number) => {
                let rows = everything(&library).await;
                if let Some(row) = rows.iter().find(|row| row.title == number.to_string()) {
                    library.articles().mark(&[row.id], Some(true), None).await.unwrap();
                    model.get_mut(&row.title).unwrap().read = true;
                }
            }
        }
        if !schedules {
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
        let counts = library.counts().by_feed().await.unwrap()[0];
        let unread = expected.iter().filter(|(_, read)| !read).count();
        assert_eq!((counts.items, counts.unread), (shown.len() as i64, unread as i64));
        let next = model.values().filter_map(|item| item.held_until).min();
        assert_eq!(library.scheduled().next_at().await.unwrap(), next, "after {step:?}");
    }
    assert_eq!(library.check(false).await.unwrap().findings, []);
    library.scheduled().set_enabled(false).await.unwrap();
    assert_eq!(everything(&library).await.len(), model.len(), "none lost, none twice");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]
    #[test]
    fn every_article_is_there_exactly_once(steps in proptest::collection::vec(step(), 1..25)) {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(walk(steps));
    }
}
