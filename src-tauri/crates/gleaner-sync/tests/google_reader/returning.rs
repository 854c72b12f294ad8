//! Feeds and articles that were gone and return, and passwords in addresses.

use super::*;
use gleaner_library::{FeedScope, Parameters, RetentionPolicy};
use gleaner_testserver::google_reader::Feed;
use serde_json::json;

impl World {
    /// Unread articles that are shown here.
    async fn shown(&self) -> i64 {
        self.library.counts().unread_since(0).await.unwrap()
    }
}

#[tokio::test]
async fn a_feed_that_is_missing_once_returns_with_its_articles() {
    for starred in [false, true] {
        let mut world = World::new(Dialect::FreshRss, 3, 10).await;
        world.sync().await.unwrap();
        if starred {
            world.library.articles().mark(&[world.id(0).await], None, Some(true)).await.unwrap();
            world.sync().await.unwrap();
        }
        let gone = world.server.state().feeds.remove("feed/3").unwrap();
        assert_eq!(world.sync().await.unwrap().feeds_left, 1);
        world.server.state().feeds.insert("feed/3".to_owned(), gone);
        world.sync().await.unwrap();
        world.sync().await.unwrap();
        let (here, there) = world.both().await;
        assert_eq!(here, there);
        assert_eq!(world.shown().await, 30, "starred: {starred}");
        world.library.articles().mark(&[world.id(3).await], Some(true), None).await.unwrap();
        assert_eq!(world.sync().await.unwrap().sent, 1, "they are synchronised as before");
    }
}

#[tokio::test]
async fn a_feed_that_was_left_here_has_its_articles_when_it_is_subscribed_to_again() {
    let mut world = World::new(Dialect::FreshRss, 3, 10).await;
    world.sync().await.unwrap();
    let feed = world.library.sync().feeds(world.account).await.unwrap()["feed/3"];
    world.library.feeds().unsubscribe(&[feed]).await.unwrap();
    assert_eq!(world.sync().await.unwrap().changes_sent, 1);
    assert_eq!(world.shown().await, 20);
    let url = "http://feeds.test/3.xml".to_owned();
    let there = Feed { title: "Feed 3".to_owned(), url, folder: "Tech".to_owned(), ..Feed::default() };
    world.server.state().feeds.insert("feed/3".to_owned(), there);
    world.sync().await.unwrap();
    assert_eq!(world.shown().await, 30);
}

#[tokio::test]
async fn a_feed_that_the_server_has_already_is_merged_with_it() {
    let mut world = World::new(Dialect::FreshRss, 2, 5).await;
    world.sync().await.unwrap();
    let feeds = world.library.sync().feeds(world.account).await.unwrap();
    let added = world.library.sync().subscribe(world.account, "http://feeds.test/site", None, None).await.unwrap();
    let reply = Reply::ok(r#"{"numResults":1,"streamId":"feed/2"}"#);
    world.server.state().replies.insert("/subscription/quickadd".to_owned(), reply);
    let report = world.sync().await.unwrap();
    assert_eq!(report.merged, [(added, feeds["feed/2"])]);
    assert_eq!(world.library.sync().feeds(world.account).await.unwrap(), feeds);
    assert_eq!(world.library.feeds().list().await.unwrap().len(), 2);
    world.server.state().add("feed/2");
    assert_eq!(world.sync().await.unwrap().new, 1);
    assert!(world.library.sync().pending_feed_changes(world.account).await.unwrap().is_empty());
}

#[tokio::test]
async fn an_account_that_is_added_again_gets_the_feeds_that_stayed_here() {
    let mut world = World::new(Dialect::FreshRss, 2, 5).await;
    world.sync().await.unwrap();
    let marked = world.id(0).await;
    world.library.articles().mark(&[marked], Some(true), Some(true)).await.unwrap();
    let Account { kind, name, url, labels, history, .. } = world.account().await;
    world.library.accounts().remove(world.account, true).await.unwrap();
    let new = NewAccount { kind, name, url, labels, history, ..NewAccount::default() };
    world.account = world.library.accounts().add(&new).await.unwrap();
    assert_eq!(world.sync().await.unwrap().merged.len(), 2);
    assert_eq!(world.library.feeds().list().await.unwrap().len(), 2);
    assert_eq!(world.shown().await, 9);
    let (here, there) = world.both().await;
    assert_eq!((here.last(), &here), (Some(&(true, true)), &there), "the mark that the server did not have is sent");
    assert_eq!(world.sync().await.unwrap(), Report::default());
}

#[tokio::test]
async fn passwords_of_addresses_are_sent_and_not_shown() {
    let mut world = World::new(Dialect::FreshRss, 1, 1).await;
    world.server.state().feeds.get_mut("feed/1").unwrap().url = "http://ann:secret@feeds.test/1.xml".to_owned();
    world.sync().await.unwrap();
    let url = "http://ann:secret@feeds.test/new.xml";
    world.library.sync().subscribe(world.account, url, None, None).await.unwrap();
    world.server.state().replies.insert("/subscription/quickadd".to_owned(), Reply::status(500));
    let report = world.sync().await.unwrap();
    assert!(!format!("{report:?}").contains("secret"), "{report:?}");
    world.server.state().replies.clear();
    assert_eq!(world.sync().await.unwrap().changes_sent, 1);
    assert!(world.bodies("/subscription/quickadd").iter().all(|body| body.contains("ann%3Asecret%40")));
    world.sync().await.unwrap();
    let rows = world.library.feeds().list().await.unwrap();
    assert_eq!(rows.len(), 2);
    assert!(rows.iter().all(|row| !row.url.contains("secret")), "{rows:?}");
}

#[tokio::test]
async fn a_title_that_is_set_and_reset_leaves_nothing_to_send() {
    let mut world = World::new(Dialect::FreshRss, 1, 1).await;
    world.sync().await.unwrap();
    let feed = world.library.sync().feeds(world.account).await.unwrap()["feed/1"];
    world.library.feeds().rename(feed, "Mine").await.unwrap();
    world.library.feeds().rename(feed, "").await.unwrap();
    world.sync().await.unwrap();
    assert!(!world.library.sync().has_changes().await.unwrap());
}

#[tokio::test]
async fn an_article_that_was_removed_here_returns_when_it_is_marked_at_the_server() {
    let mut world = World::new(Dialect::FreshRss, 1, 6).await;
    world.server.state().entries.values_mut().for_each(|entry| entry.read = true);
    world.sync().await.unwrap();
    let ids: Vec<i64> = world.server.state().entries.keys().copied().collect();
    let (now, newest) = (world.library.now(), RetentionPolicy { articles: Some(3), ..RetentionPolicy::EVERYTHING });
    world.library.retention().set(FeedScope::All, Some(newest), now, |_| true).await.unwrap();
    assert_eq!(world.library.retention().delete_expired(now + 2 * 86_400_000, |_| true).await.unwrap(), 3);
    assert_eq!(world.sync().await.unwrap(), Report::default(), "they stay deleted");
    world.server.state().entries.get_mut(&ids[0]).unwrap().starred = true;
    world.server.state().entries.get_mut(&ids[1]).unwrap().read = false;
    assert_eq!(world.sync().await.unwrap().new, 2);
    let row = world.library.articles().get(world.id(5).await).await.unwrap();
    assert!(row.starred && row.read);
    assert_eq!(world.sync().await.unwrap(), Report::default());
}

#[tokio::test]
async fn an_id_reused_for_another_article_is_not_taken_for_the_old_article() {
    let mut world = World::new(Dialect::FreshRss, 1, 10).await;
    world.sync().await.unwrap();
    let id = *world.server.state().entries.keys().next_back().unwrap();
    let former = world.id(0).await;
    let mut entry = world.server.state().entries.remove(&id).unwrap();
    world.sync().await.unwrap();
    entry.title = "Another one".to_owned();
    entry.values =
        serde_json::json!({ "canonical": [{ "href": "http://site.test/other" }], "published": 1_795_200_000 });
    world.server.state().entries.insert(id, entry);
    world.sync().await.unwrap();
    world.sync().await.unwrap();
    let other = world.id(0).await;
    assert_ne!(other, former);
    assert_eq!(world.library.articles().get(other).await.unwrap().title, "Another one");
    world.library.articles().mark(&[former], Some(true), None).await.unwrap();
    assert_eq!(
        world.sync().await.unwrap().sent,
        0,
        "the former one stays, and its marks are about no article of the server"
    );
    assert_eq!(world.shown().await, 10);
}

/// A server that counts ids and was restored from a backup has given the latest ones to other articles.
#[tokio::test]
async fn marks_that_wait_while_a_backup_is_restored_go_to_no_other_article() {
    let mut world = World::new(Dialect::Miniflux, 1, 60).await;
    let counted = |state: &mut gleaner_testserver::google_reader::State| {
        state.entries =
            std::mem::take(&mut state.entries).into_values().zip(1..).map(|(entry, id)| (id, entry)).collect();
    };
    counted(&mut world.server.state());
    world.sync().await.unwrap();
    let [same, other] = [world.id(9).await, world.id(2).await];
    world.library.articles().mark(&[same, other], Some(true), Some(true)).await.unwrap();
    let error = Some(("timed_out", &Parameters::default()));
    world.library.accounts().record(world.account, error, None).await.unwrap();
    for (id, entry) in world.server.state().entries.range_mut(56..) {
        let canonical = json!([{ "href": format!("http://site.test/other/{id}") }]);
        entry.title = format!("Other {id}");
        entry.values = json!({ "canonical": canonical, "published": 1_795_400_000 + id });
    }
    let report = world.sync().await.unwrap();
    assert_eq!((report.sent, report.new), (2, 5));
    let state = world.server.state();
    let marked: Vec<i64> =
        state.entries.iter().filter(|(_, entry)| entry.read || entry.starred).map(|(id, _)| *id).collect();
    assert_eq!(marked, [51]);
}
