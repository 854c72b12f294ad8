//! Which requests find the marks that explain different counters, and which responses they believe.

use crate::{common::TestServer, world};
use gleaner_sync::Report;
use gleaner_testserver::{Reply, faults::Fault};

/// A response to a request for articles without any.
fn no_articles() -> Fault {
    Fault::Before(Reply::ok(r#"{"seq":0,"status":0,"content":[]}"#))
}

/// Usual answers to requests, and then this one.
fn after(requests: usize, fault: Fault) -> Vec<Fault> {
    let mut faults = vec![Fault::None; requests];
    faults.push(fault);
    faults
}

#[tokio::test]
async fn fifty_changes_in_many_feeds_need_few_requests() {
    let mut world = world(40, 50, 10_000).await;
    world.sync().await.unwrap();
    // Another client.
    for id in (100..2100).step_by(47).take(40) {
        world.server.mark(&id.to_string(), Some(true), None);
    }
    for id in (101..2100).step_by(188).take(10) {
        world.server.mark(&id.to_string(), None, Some(true));
    }
    world.server.server.forget_requests();
    let report = world.sync().await.unwrap();
    assert_eq!((report.changed, report.incomplete), (50, false));
    assert_eq!(world.requests(), 6, "folders, feeds, what arrived, counters, what was read and starred last");
    assert_eq!(world.marks().await, world.server.marks());
    world.library.undo(report.undo.unwrap()).await.unwrap();
    assert!(world.marks().await.values().all(|marks| *marks == (false, false)), "one step of undo");
    // Marks from here are explained by the articles themselves.
    world.server.server.forget_requests();
    let report = world.sync().await.unwrap();
    assert_eq!((report.sent, report.changed), (50, 0));
    assert_eq!(world.requests(), 6, "two with marks");
    // As are articles that arrive.
    world.server.arrive();
    world.server.server.forget_requests();
    assert_eq!(world.sync().await.unwrap().new, 1);
    assert_eq!(world.requests(), 4);
    let bytes = world.library.bytes_on_disk();
    world.server.server.forget_requests();
    assert_eq!(world.sync().await.unwrap(), Report::default());
    assert_eq!((world.requests(), world.library.bytes_on_disk()), (4, bytes), "the library is not written to");
    assert_eq!(world.marks().await, world.server.marks());
}

#[tokio::test]
async fn only_the_feeds_that_still_differ_are_read() {
    let mut world = world(20, 50, 10_000).await;
    let read: Vec<u64> = (100..200).collect();
    world.server.state().mark(&read, Some(true), None);
    world.server.state().mark(&read[..10], None, Some(true));
    world.sync().await.unwrap();
    // Marked as unread again in two feeds, and one without its star.
    world.server.mark("105", None, Some(false));
    world.server.mark("120", Some(false), None);
    world.server.mark("170", Some(false), None);
    world.server.server.forget_requests();
    assert_eq!(world.sync().await.unwrap().changed, 3);
    // Folders, feeds, what arrived, counters, all with stars, the one that has none any more, two feeds.
    assert_eq!(world.requests(), 8);
    assert_eq!(world.marks().await, world.server.marks());
    // Articles that are deleted there change nothing here.
    world.server.delete("900");
    world.server.server.forget_requests();
    let report = world.sync().await.unwrap();
    assert_eq!((report.changed, world.marks().await["900"]), (0, (false, false)));
    // Folders, feeds, what arrived, counters, what was read last, the feed, the article.
    assert_eq!(world.requests(), 7);
    assert_eq!(world.sync().await.unwrap(), Report::default(), "it is known to be gone");
}

#[tokio::test]
async fn many_changes_take_no_more_than_the_lists_and_are_all_found() {
    let mut world = world(10, 100, 10_000).await;
    world.sync().await.unwrap();
    let ids: Vec<u64> = (100..1100).collect();
    world.server.state().mark(&ids[..450], Some(true), None);
    let report = world.sync().await.unwrap();
    assert_eq!((report.changed, report.incomplete), (450, false));
    assert_eq!(world.marks().await, world.server.marks());
    // Most of the account: the lists are read, twice.
    world.server.state().mark(&ids, Some(false), None);
    world.sync().await.unwrap();
    world.server.state().mark(&ids, Some(true), None);
    assert_eq!(world.sync().await.unwrap().changed, 1000);
    assert_eq!(world.marks().await, world.server.marks());
}

#[tokio::test]
async fn a_list_without_its_articles_clears_no_mark() {
    let mut world = world(20, 50, 10_000).await;
    let starred: Vec<u64> = (100..103).collect();
    world.server.state().mark(&starred, None, Some(true));
    world.sync().await.unwrap();
    // What was read last is missing, so that the list of the feed is read.
    world.server.mark("500", Some(true), None);
    world.server.plan(after(4, no_articles()));
    assert_eq!(world.sync().await.unwrap().changed, 1);
    assert_eq!(world.marks().await, world.server.marks());
    // That of the feed is empty, too: its articles say that they are unread.
    world.server.mark("501", Some(true), None);
    world.server.plan([after(4, no_articles()), vec![no_articles()]].concat());
    assert_eq!(world.sync().await.unwrap().changed, 1);
    assert_eq!(world.marks().await, world.server.marks());
    // The list of starred articles is empty: they say that they have stars.
    world.server.mark("502", None, Some(true));
    world.server.plan(after(4, no_articles()));
    assert_eq!(world.sync().await.unwrap().changed, 1);
    assert_eq!(world.marks().await, world.server.marks());
}

#[tokio::test]
async fn an_older_server_without_the_list_of_what_was_read_is_read_by_feeds() {
    let mut world = world(20, 50, 10_000).await;
    world.sync().await.unwrap();
    world.server.mark("500", Some(true), None);
    let unknown = r#"{"seq":0,"status":1,"content":{"error":"INCORRECT_USAGE"}}"#;
    world.server.plan(after(4, Fault::Before(Reply::ok(unknown))));
    world.server.server.forget_requests();
    assert_eq!(world.sync().await.unwrap().changed, 1);
    assert_eq!(world.requests(), 7);
    assert_eq!(world.marks().await, world.server.marks());
}

#[tokio::test]
async fn articles_of_other_feeds_do_not_make_the_lists_necessary() {
    let mut world = world(20, 50, 10_000).await;
    // An unread article of a feed that is not subscribed.
    let foreign = world.server.state().add(77);
    world.server.state().mark(&[foreign], None, Some(true));
    world.sync().await.unwrap();
    world.server.mark("500", None, Some(true));
    world.sync().await.unwrap();
    world.server.mark("501", None, Some(true));
    world.server.server.forget_requests();
    assert_eq!(world.sync().await.unwrap().changed, 1);
    assert_eq!(world.requests(), 5, "folders, feeds, what arrived, counters, what was starred last");
}

#[tokio::test]
async fn labels_are_found_by_their_counters() {
    let mut world = world(20, 50, 10_000).await;
    world.server.state().labels = vec!["Later".to_owned(), "Work".to_owned()];
    for id in 100..103 {
        world.server.state().articles.get_mut(&id).unwrap().labels.insert("Later".to_owned());
    }
    world.sync().await.unwrap();
    world.server.mark("500", Some(true), None);
    world.sync().await.unwrap();
    world.server.state().articles.get_mut(&100).unwrap().labels.clear();
    world.server.state().articles.get_mut(&104).unwrap().labels.insert("Later".to_owned());
    world.server.state().articles.get_mut(&105).unwrap().labels.insert("Later".to_owned());
    world.server.server.forget_requests();
    assert_eq!(world.sync().await.unwrap().changed, 3);
    // Folders, feeds, what arrived, counters, labels, the articles of one, and the one that left it.
    assert_eq!(world.requests(), 7);
    let tags = world.library.tags().list().await.unwrap();
    assert_eq!(tags.iter().find(|tag| tag.name == "Later").unwrap().items, 4);
}
