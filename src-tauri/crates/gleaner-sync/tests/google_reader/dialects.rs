//! Servers whose dialects are documented, but were not measured: The Old Reader, BazQux Reader, FeedHQ, Inoreader and CommaFeed.

use super::*;

#[tokio::test]
async fn accounts_at_every_dialect_agree_in_both_directions() {
    for dialect in Dialect::DOCUMENTED {
        let mut world = World::new(dialect, 4, 10).await;
        // Lists of several pages, whose positions say nothing.
        world.server.state().page = 7;
        world.server.state().entries.values_mut().next().unwrap().starred = true;
        let report = world.sync().await.unwrap();
        assert_eq!((report.new, report.feeds_added, report.incomplete), (40, 4, false), "{dialect:?}");
        let (one, two) = (world.id(0).await, world.id(1).await);
        world.library.articles().mark(&[one, two], Some(true), Some(true)).await.unwrap();
        world.server.state().entries.values_mut().nth(5).unwrap().read = true;
        let feeds = world.library.sync().feeds(world.account).await.unwrap();
        let of = |number: usize| feeds.iter().find(|(id, _)| id.contains(&number.to_string())).unwrap();
        world.library.feeds().rename(*of(1).1, "Mine").await.unwrap();
        world.library.feeds().unsubscribe(&[*of(2).1]).await.unwrap();
        let new = world.library.sync().subscribe(world.account, "http://feeds.test/new.xml", Some("New"), Some("Tech"));
        new.await.unwrap();
        let report = world.sync().await.unwrap();
        assert_eq!((report.sent, report.changes_sent, report.changed), (4, 3, 1), "{dialect:?}");
        {
            let state = world.server.state();
            assert_eq!(state.feeds[of(1).0].title, "Mine");
            assert!(!state.feeds.contains_key(of(2).0));
            let added = state.feeds.values().find(|feed| feed.url.contains("new.xml")).unwrap();
            assert_eq!((added.title.as_str(), added.folder.as_str()), ("New", "Tech"));
        }
        let (here, there) = world.both().await;
        assert_eq!(here, there, "{dialect:?}");
        assert_eq!(world.sync().await.unwrap(), Report::default(), "{dialect:?}");
    }
}

#[tokio::test]
async fn the_old_reader_has_ids_of_24_digits() {
    let mut world = World::new(Dialect::OldReader, 1, 3).await;
    world.sync().await.unwrap();
    assert!(world.library.sync().known(world.account).await.unwrap().keys().all(|id| id.len() == 24));
    world.library.articles().mark(&[world.id(0).await], Some(true), None).await.unwrap();
    assert_eq!(world.sync().await.unwrap().sent, 1);
    assert!(world.bodies("/edit-tag")[0].contains("item%2F5d0cfa30"), "{:?}", world.bodies("/edit-tag"));
}

#[tokio::test]
async fn bazqux_does_not_say_which_labels_are_folders() {
    let mut world = World::new(Dialect::BazQux, 2, 5).await;
    world.server.state().entries.values_mut().next_back().unwrap().labels.insert("later".to_owned());
    world.sync().await.unwrap();
    let tags: Vec<String> = world.library.tags().list().await.unwrap().into_iter().map(|tag| tag.name).collect();
    assert_eq!(tags, ["later"]);
}

#[tokio::test]
async fn bazqux_ends_a_login_after_some_time() {
    let mut world = World::new(Dialect::BazQux, 1, 5).await;
    world.sync().await.unwrap();
    world.server.state().session += 1;
    world.library.articles().mark(&[world.id(0).await], Some(true), None).await.unwrap();
    assert_eq!(world.sync().await.unwrap().sent, 1);
}

#[tokio::test]
async fn feedhq_has_the_address_of_a_feed_as_its_id() {
    let mut world = World::new(Dialect::FeedHq, 2, 1).await;
    world.sync().await.unwrap();
    let urls: Vec<String> = world.library.feeds().list().await.unwrap().into_iter().map(|feed| feed.url).collect();
    assert_eq!(urls, ["http://feeds.test/1.xml", "http://feeds.test/2.xml"]);
}

#[tokio::test]
async fn inoreader_wants_the_keys_of_an_app_with_every_request() {
    let server = TestServer::start(Dialect::Inoreader, 1, 1).await;
    assert!(matches!(found(&server.address(), "sesame").await, Err(SyncError::Login)));
    let refused = found("https://www.inoreader.com/", "sesame").await;
    assert!(matches!(refused, Err(SyncError::AppKeys)), "nothing is sent without them");
    let other = AppLogin { password: "sesame".to_owned(), app_id: APP_ID.to_owned(), app_key: "other".to_owned() };
    assert!(matches!(found(&server.address(), &other.to_secret()).await, Err(SyncError::Login)));
    let mut world = World::new(Dialect::Inoreader, 1, 3).await;
    world.sync().await.unwrap();
    let requests = world.server.server.requests();
    assert!(requests.iter().all(|request| request.text("AppId").as_deref() == Some(APP_ID)));
    assert!(!requests.iter().any(|request| request.target.contains(APP_KEY)), "the key is in no address");
}

#[tokio::test]
async fn inoreader_is_read_while_it_accepts_no_more_changes() {
    let mut world = World::new(Dialect::Inoreader, 2, 5).await;
    world.sync().await.unwrap();
    world.library.articles().mark(&[world.id(0).await], Some(true), None).await.unwrap();
    world.server.state().used.1 = 1000;
    world.server.state().add("feed/1");
    let report = world.sync().await.unwrap();
    assert_eq!((report.sent, report.new), (0, 1));
    assert!(report.changes_wait.is_some_and(|wait| wait > Duration::from_secs(3000)));
    assert_eq!(world.library.sync().pending_marks(world.account, None, 9).await.unwrap().len(), 1);
    // What the server said is remembered.
    world.server.server.forget_requests();
    world.library.feeds().rename(1, "Mine").await.unwrap();
    assert!(world.sync().await.unwrap().changes_wait.is_some());
    assert_eq!((world.bodies("/edit-tag").len(), world.bodies("/subscription/edit").len()), (0, 0));
    // After the reset, of which reading the subscriptions tells.
    world.server.state().used = (0, 0);
    let report = world.sync().await.unwrap();
    assert_eq!((report.sent, report.changes_sent, report.changes_wait), (1, 1, None));
}

#[tokio::test]
async fn inoreader_is_left_alone_when_no_request_is_left() {
    let mut world = World::new(Dialect::Inoreader, 1, 5).await;
    world.sync().await.unwrap();
    let used = world.server.state().used.0;
    let pause = world.client.pause().unwrap();
    assert!(pause <= Duration::from_secs_f64(3600.5) / ((1000 - used) / 8), "the requests are shared out: {pause:?}");
    assert!(pause > Duration::from_secs(20), "{pause:?}");
    world.server.state().used.0 = 1000;
    let waits = world.sync().await;
    assert!(matches!(waits, Err(SyncError::Wait(wait)) if wait == Duration::from_secs_f64(3600.5)), "{waits:?}");
}

#[tokio::test]
async fn comma_feed_has_folders_of_folders_and_another_request_to_subscribe() {
    let mut world = World::new(Dialect::CommaFeed, 2, 5).await;
    world.sync().await.unwrap();
    assert!(world.library.tags().list().await.unwrap().is_empty(), "a folder is no label of articles");
    let url = "http://feeds.test/new.xml";
    world.library.sync().subscribe(world.account, url, Some("New"), Some("Tech")).await.unwrap();
    assert_eq!(world.sync().await.unwrap().changes_sent, 1);
    let added = world.server.state().feeds.values().find(|feed| feed.url == url).cloned().unwrap();
    assert_eq!((added.title.as_str(), added.folder.as_str()), ("New", "Tech"));
    // An account from a version of Gleaner that took folders for labels.
    let account = Account { labels: true, ..world.account().await };
    let (rules, options, cancel) = (Rules::default(), Options::default(), CancellationToken::new());
    sync(&world.library, &account, &mut world.client, &rules, &options, &cancel).await.unwrap();
    assert_eq!(world.server.server.requests_to(&world.server.path("/tag/list")).len(), 0);
    assert!(world.library.tags().list().await.unwrap().is_empty());
}

#[tokio::test]
async fn comma_feed_is_found_by_the_address_of_its_api_only() {
    let server = TestServer::start(Dialect::CommaFeed, 1, 1).await;
    for entered in ["/rest/googlereader", "/rest/googlereader/reader/api/0"] {
        let found = found(&server.server.url(entered), "sesame").await.unwrap();
        assert_eq!((found.base.as_str(), found.labels), (server.address().as_str(), false), "{entered}");
    }
    // Its Fever API has all articles.
    assert!(matches!(found(&server.server.url("/"), "sesame").await, Err(SyncError::NoServer)));
}

#[tokio::test]
async fn comma_feed_gets_marks_without_a_list_before() {
    let mut world = World::new(Dialect::CommaFeed, 1, 3).await;
    world.sync().await.unwrap();
    let article = world.id(0).await;
    world.library.articles().mark(&[article], None, Some(true)).await.unwrap();
    world.server.server.forget_requests();
    assert_eq!(world.sync().await.unwrap().sent, 1);
    let requests = world.server.server.requests();
    assert!(requests[0].target.ends_with("/edit-tag"), "{}", requests[0].target);
    let (here, there) = world.both().await;
    assert_eq!(here, there);
}

#[tokio::test]
async fn a_list_in_another_order_than_its_pages_clears_no_mark() {
    let mut world = World::new(Dialect::CommaFeed, 1, 9).await;
    {
        let mut state = world.server.state();
        state.page = 4;
        // The pages of unread articles leave it out.
        let late = state.add("feed/1");
        let entry = state.entries.get_mut(&late).unwrap();
        (entry.starred, entry.values) = (true, serde_json::json!({ "published": 1_700_000_000 }));
    }
    for _ in 0..2 {
        assert!(world.sync().await.unwrap().incomplete);
        let (here, there) = world.both().await;
        assert_eq!(here, there);
    }
    // The articles themselves show what was marked.
    world.server.state().entries.values_mut().next().unwrap().read = true;
    assert_eq!(world.sync().await.unwrap().changed, 1);
    let (here, there) = world.both().await;
    assert_eq!(here, there);
}
