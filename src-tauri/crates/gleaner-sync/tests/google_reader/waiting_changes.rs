//! Changes of subscriptions that wait while the server's subscriptions change.

use super::*;
use gleaner_library::{LOCAL_ACCOUNT, Rearrangement};
use gleaner_testserver::google_reader::Feed;

const EDIT: &str = "/subscription/edit";

fn feed(name: &str) -> Feed {
    let (title, url) = (format!("Feed {name}"), format!("http://feeds.test/{name}.xml"));
    Feed { title, url, folder: "Tech".to_owned(), ..Feed::default() }
}

/// Another feed on another host.
fn other(name: &str) -> Feed {
    Feed { title: name.to_owned(), url: format!("http://{name}.test/feed"), ..feed(name) }
}

/// The server with these feeds, from id 1 on.
fn install(world: &World, feeds: Vec<Feed>) {
    let mut state = world.server.state();
    state.entries.clear();
    state.feeds = (1..).zip(feeds).map(|(number, feed)| (format!("feed/{number}"), feed)).collect();
}

/// Addresses and titles of the server's feeds.
fn there(world: &World) -> Vec<(String, String)> {
    let state = world.server.state();
    let mut feeds: Vec<_> = state.feeds.values().map(|feed| (feed.url.clone(), feed.title.clone())).collect();
    feeds.sort();
    feeds
}

impl World {
    /// A server with the feeds 1 to 6, with a change of three that waits: 1 is left, 2 renamed, and 3 moved. Returns their ids here.
    async fn waiting() -> (Self, [i64; 6]) {
        let mut world = Self::new(Dialect::FreshRss, 6, 1).await;
        world.sync().await.unwrap();
        let feeds = world.library.sync().feeds(world.account).await.unwrap();
        let ids = [1, 2, 3, 4, 5, 6].map(|number| feeds[&format!("feed/{number}")]);
        world.library.feeds().unsubscribe(&ids[..1]).await.unwrap();
        world.library.feeds().rename(ids[1], "Mine").await.unwrap();
        world.move_to(ids[2], "Elsewhere").await;
        world.server.server.forget_requests();
        (world, ids)
    }

    async fn move_to(&self, feed: i64, name: &str) {
        let own = self.account().await.folder_id;
        let folder = self.library.folders().create(name, own).await.unwrap();
        let change = Rearrangement { feeds: vec![feed], parent: Some(folder), ..Rearrangement::default() };
        self.library.subscriptions().arrange(&change).await.unwrap();
    }

    fn requests_to(&self, endpoint: &str) -> usize {
        self.server.server.requests_to(&self.server.path(endpoint)).len()
    }

    async fn subscribed(&self) -> Vec<i64> {
        let feeds = self.library.feeds().list().await.unwrap();
        let mut own: Vec<i64> =
            feeds.into_iter().filter(|feed| feed.account_id == self.account).map(|feed| feed.id).collect();
        own.sort_unstable();
        own
    }
}

#[tokio::test]
async fn changes_of_feeds_with_other_ids_now_are_made_there() {
    let (mut world, ids) = World::waiting().await;
    install(&world, ["3", "4", "1", "2", "6", "5"].map(feed).to_vec());
    let report = world.sync().await.unwrap();
    assert_eq!((report.changes_sent, report.feeds_added, report.feeds_left), (3, 0, 0));
    let names = ["2", "3", "4", "5", "6"].map(|name| format!("http://feeds.test/{name}.xml"));
    let titles = ["Mine", "Feed 3", "Feed 4", "Feed 5", "Feed 6"].map(str::to_owned);
    assert_eq!(there(&world), names.into_iter().zip(titles).collect::<Vec<_>>());
    assert_eq!(world.server.state().feeds["feed/1"].folder, "Elsewhere");
    assert_eq!(world.subscribed().await.len(), 5);
    assert!(!world.subscribed().await.contains(&ids[0]));
    assert_eq!(world.sync().await.unwrap(), Report::default());
}

#[tokio::test]
async fn nothing_is_sent_for_feeds_that_the_server_no_longer_has() {
    for replaced in [false, true] {
        let (mut world, ids) = World::waiting().await;
        {
            let mut state = world.server.state();
            for number in 1..=3 {
                let id = format!("feed/{number}");
                state.feeds.remove(&id);
                state.entries.retain(|_, entry| entry.feed != id);
                if replaced {
                    state.feeds.insert(id, other(["one", "two", "three"][number - 1]));
                }
            }
        }
        let before = there(&world);
        world.server.server.forget_requests();
        let report = world.sync().await.unwrap();
        assert_eq!((report.changes_sent, report.feeds_left, report.delayed.len()), (0, 2, 0));
        assert_eq!((world.bodies(EDIT).len(), world.requests_to("/subscription/list")), (0, 1));
        assert_eq!(there(&world), before);
        let here = world.subscribed().await;
        assert_eq!((here.len(), here[..3].to_vec()), (if replaced { 6 } else { 3 }, ids[3..].to_vec()));
        assert!(world.library.sync().pending_feed_changes(world.account).await.unwrap().is_empty());
        assert_eq!(world.sync().await.unwrap(), Report::default());
    }
}

#[tokio::test]
async fn a_feed_that_was_moved_out_stays_here_if_the_server_has_another_under_its_id() {
    for replaced in [false, true] {
        let (mut world, ids) = World::waiting().await;
        world.library.subscriptions().move_to_account(&ids[3..4], LOCAL_ACCOUNT).await.unwrap();
        world.server.state().feeds.remove("feed/4");
        if replaced {
            world.server.state().feeds.insert("feed/4".to_owned(), other("four"));
        }
        assert_eq!(world.sync().await.unwrap().changes_sent, 3);
        let row = world.library.feeds().get(ids[3]).await.unwrap();
        assert_eq!(row.account_id, LOCAL_ACCOUNT);
        assert!(world.library.feeds().list().await.unwrap().iter().any(|feed| feed.id == ids[3]));
        assert_eq!(world.server.state().feeds.contains_key("feed/4"), replaced);
        assert_eq!(world.sync().await.unwrap(), Report::default());
    }
}

#[tokio::test]
async fn changes_wait_if_the_list_does_not_show_what_they_are_about() {
    let (mut world, ids) = World::waiting().await;
    // Most feeds are missing: they stay until the user confirms it, and so do the changes.
    let all = std::mem::take(&mut world.server.state().feeds);
    install(&world, vec![other("one"), other("two"), other("three"), feed("6")]);
    let before = there(&world);
    for _ in 0..2 {
        let report = world.sync().await.unwrap();
        assert_eq!((report.feeds_missing, report.delayed.len(), report.changes_sent), (4, 3, 0));
    }
    assert_eq!((there(&world), world.bodies(EDIT).len()), (before, 0));
    // It was a wrong list.
    world.server.state().feeds = all;
    assert_eq!(world.sync().await.unwrap().changes_sent, 3);
    assert_eq!(there(&world).len(), 5);
    let here = world.subscribed().await;
    assert!(ids[1..].iter().all(|id| here.contains(id)) && !here.contains(&ids[0]));

    // Some entries can't be read, and the ids of the feeds belong to others.
    let (mut world, _) = World::waiting().await;
    let list = r#"{"subscriptions":[{"id":"feed/1","title":"one","url":"http://one.test/"},{"id":"feed/2","title":"two","url":"http://two.test/"},
        {"id":"feed/3","title":"three","url":"http://three.test/"},{"title":"without an id"}]}"#;
    world.server.state().replies.insert("/subscription/list".to_owned(), Reply::ok(list));
    let report = world.sync().await.unwrap();
    assert_eq!((report.delayed.len(), report.incomplete, world.bodies(EDIT).len()), (3, true, 0));
}

#[tokio::test]
async fn marks_are_sent_even_if_the_subscriptions_cannot_be_read() {
    let (mut world, _) = World::waiting().await;
    world.library.articles().mark(&[world.id(0).await], Some(true), None).await.unwrap();
    world.server.state().replies.insert("/subscription/list".to_owned(), Reply::ok("<html>Log in</html>"));
    world.sync().await.unwrap_err();
    assert!(world.server.state().entries.values().next_back().unwrap().read);
    assert_eq!(world.bodies(EDIT).len(), 0);
    world.server.state().replies.clear();
    assert_eq!(world.sync().await.unwrap().changes_sent, 3);
}

#[tokio::test]
async fn changes_that_another_device_made_too_are_not_sent() {
    let (mut world, ids) = World::waiting().await;
    {
        let mut state = world.server.state();
        state.feeds.remove("feed/1");
        state.feeds.get_mut("feed/2").unwrap().title = "Mine".to_owned();
        state.feeds.get_mut("feed/3").unwrap().folder = "Elsewhere".to_owned();
    }
    let report = world.sync().await.unwrap();
    assert_eq!((report.changes_sent, report.feeds_left), (0, 0));
    assert_eq!((world.bodies(EDIT).len(), world.requests_to("/subscription/list")), (0, 1));
    assert_eq!(world.subscribed().await, ids[1..]);
    assert_eq!(world.sync().await.unwrap(), Report::default());
    // The title is the server's, too: it changes here if it changes there.
    world.server.state().feeds.get_mut("feed/2").unwrap().title = "Theirs".to_owned();
    assert_eq!(world.sync().await.unwrap().feeds_changed, 1);
    assert_eq!(world.library.feeds().get(ids[1]).await.unwrap().shown_title(), "Theirs");
}

#[tokio::test]
async fn a_feed_that_another_device_moved_leaves_the_folder_that_it_is_in() {
    let (mut world, _) = World::waiting().await;
    {
        let mut state = world.server.state();
        let feed = state.feeds.get_mut("feed/3").unwrap();
        // It may be in several folders.
        (feed.folder, feed.others) = ("Theirs".to_owned(), vec!["Both".to_owned()]);
    }
    world.sync().await.unwrap();
    let state = world.server.state();
    let feed = &state.feeds["feed/3"];
    assert_eq!((feed.folder.as_str(), feed.others.as_slice()), ("Both", &["Elsewhere".to_owned()][..]));
}
