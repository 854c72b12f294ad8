//! Articles that the server deleted, or has under other ids.

use crate::{common::World, world};
use gleaner_sync::Report;
use gleaner_testserver::tt_rss::{Article, Feed, TtRss};

/// The feed is subscribed to again on the server: it has another id, and its articles, too.
fn subscribe_again(world: &World<TtRss>, id: u64) {
    let mut state = world.server.state();
    state.feeds.insert(id, Feed { title: "Feed 1".to_owned(), url: "http://feeds.test/1.xml".to_owned(), folder: 0 });
    for number in 100..110 {
        state.articles.insert(number + 100, Article { feed: id, number: Some(number), ..Article::default() });
    }
}

#[tokio::test]
async fn labels_of_articles_that_the_server_deleted_hold_up_no_others() {
    let mut world = world(1, 10, 100).await;
    world.server.state().labels = vec!["Later".to_owned()];
    world.server.state().mark(&[101, 102, 103], Some(true), None);
    world.sync().await.unwrap();
    let mut tagged = Vec::new();
    for id in ["101", "102", "103", "109"] {
        tagged.push(world.id(id).await);
    }
    for id in [101, 102, 103] {
        world.server.state().articles.remove(&id);
    }
    world.library.tags().set(&tagged, "Later", true).await.unwrap();
    let report = world.sync().await.unwrap();
    assert!(world.server.state().articles[&109].labels.contains("Later"));
    assert_eq!(report.delayed, []);
    assert!(!world.library.sync().has_changes().await.unwrap());
    assert!(world.library.sync().count_changes().await.unwrap().is_empty());
    assert_eq!(world.sync().await.unwrap(), Report::default());
    let tags = world.library.tags().list().await.unwrap();
    assert_eq!(tags.iter().find(|tag| tag.name == "Later").unwrap().items, 4, "they stay tags");
    // It has one of them again.
    world.server.state().articles.insert(103, Article { feed: 1, ..Article::default() });
    for _ in 0..2 {
        world.sync().await.unwrap();
    }
    assert!(world.server.state().articles[&103].labels.contains("Later"));
}

#[tokio::test]
async fn a_feed_that_is_subscribed_to_again_on_the_server_doubles_nothing() {
    let mut world = world(2, 10, 100).await;
    world.sync().await.unwrap();
    let read = world.id("105").await;
    world.library.articles().mark(&[read], Some(true), None).await.unwrap();
    world.sync().await.unwrap();
    let feeds = world.library.sync().feeds(world.account).await.unwrap();
    world.server.state().feeds.remove(&1);
    world.server.state().articles.retain(|_, article| article.feed != 1);
    subscribe_again(&world, 9);
    let report = world.sync().await.unwrap();
    assert_eq!((report.new, report.feeds_added, report.feeds_left), (0, 0, 0));
    assert_eq!(world.library.sync().feeds(world.account).await.unwrap()["9"], feeds["1"]);
    assert_eq!(world.id("205").await, read);
    assert!(world.server.state().articles[&205].read, "the mark here is sent for its new id");
    assert_eq!(world.marks().await, crate::common::TestServer::marks(&world.server));
    assert_eq!(world.sync().await.unwrap(), Report::default());
}

#[tokio::test]
async fn an_article_is_recognised_although_another_one_has_its_former_id() {
    let mut world = world(2, 10, 100).await;
    world.sync().await.unwrap();
    let read = world.id("103").await;
    world.library.articles().mark(&[read], Some(true), None).await.unwrap();
    world.sync().await.unwrap();
    world.server.state().feeds.remove(&1);
    world.server.state().articles.retain(|_, article| article.feed != 1);
    subscribe_again(&world, 9);
    for id in 100..105 {
        let other = Article { feed: 9, number: Some(id + 300), ..Article::default() };
        world.server.state().articles.insert(id, other);
    }
    for _ in 0..3 {
        world.sync().await.unwrap();
    }
    assert_eq!(world.id("203").await, read);
    assert_eq!(world.marks().await, crate::common::TestServer::marks(&world.server));
    let mut titles = Vec::new();
    for item in 1..=25 {
        titles.push(world.library.articles().get(item).await.unwrap().title);
    }
    titles.sort_unstable();
    titles.dedup();
    assert_eq!(titles.len(), 25, "none is there twice");
    assert!(world.library.articles().get(26).await.is_err());
}

#[tokio::test]
async fn a_feed_that_is_subscribed_to_again_here_has_its_articles_and_tags() {
    let mut world = world(2, 10, 100).await;
    world.sync().await.unwrap();
    let tagged = world.id("105").await;
    world.library.tags().set(&[tagged], "Mine", true).await.unwrap();
    let feed = world.library.sync().feeds(world.account).await.unwrap()["1"];
    for sent in [false, true] {
        world.library.feeds().unsubscribe(&[feed]).await.unwrap();
        if sent {
            world.sync().await.unwrap();
            assert!(!world.server.state().feeds.contains_key(&1));
        }
        let sync = world.library.sync();
        assert_eq!(sync.subscribe(world.account, "http://feeds.test/1.xml", None, None).await.unwrap(), feed);
        world.sync().await.unwrap();
    }
    subscribe_again(&world, 3);
    assert_eq!(world.sync().await.unwrap().new, 0);
    assert_eq!(world.id("205").await, tagged);
    assert_eq!(world.library.tags().names(tagged).await.unwrap(), ["Mine"]);
}

#[tokio::test]
async fn a_feed_that_stayed_for_its_stars_can_be_subscribed_to_again() {
    let mut world = world(2, 10, 100).await;
    world.sync().await.unwrap();
    let starred = world.id("105").await;
    world.library.articles().mark(&[starred], None, Some(true)).await.unwrap();
    world.sync().await.unwrap();
    let feed = world.library.sync().feeds(world.account).await.unwrap()["1"];
    world.server.state().feeds.remove(&1);
    world.server.state().articles.retain(|_, article| article.feed != 1);
    assert_eq!(world.sync().await.unwrap().feeds_left, 1);
    let subscribe = || world.library.sync().subscribe(world.account, "http://feeds.test/1.xml", None, None);
    assert_eq!(subscribe().await.unwrap(), feed);
    assert!(subscribe().await.is_err(), "only once");
    assert_eq!(world.sync().await.unwrap().changes_sent, 1);
    subscribe_again(&world, 3);
    assert_eq!(world.sync().await.unwrap().new, 0);
    assert!(world.server.state().articles[&205].starred);
}
