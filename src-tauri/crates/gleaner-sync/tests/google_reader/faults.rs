//! Refusals and failures of servers, and responses that do not belong to the request.

use super::*;
use gleaner_library::Rearrangement;
use gleaner_sync::Delayed;
use gleaner_testserver::faults::Fault;

#[tokio::test]
async fn a_list_of_several_pages_is_whole_only_to_its_end_and_without_repetition() {
    for dialect in [Dialect::FreshRss, Dialect::Miniflux] {
        let mut world = World::new(dialect, 1, 25).await;
        world.server.state().page = 10;
        let list = world.client.ids(&List::Unread, 1000).await.unwrap();
        assert_eq!((list.ids.len(), list.whole), (25, true));
        let some = world.client.ids(&List::Newest, 20).await.unwrap();
        assert_eq!((some.ids.len(), some.whole), (20, false));
        // The second page repeats an id of the first: articles moved while they were read.
        let path = world.server.path("/stream/items/ids");
        let page = |from: usize, more: &str| {
            let refs: Vec<String> = (from..from + 3).map(|id| format!(r#"{{"id":"{id}"}}"#)).collect();
            Reply::ok(format!(r#"{{"itemRefs":[{}]{more}}}"#, refs.join(",")))
        };
        world.server.server.on_each(&path, [page(1, r#","continuation":"3""#), page(3, "")]);
        let list = world.client.ids(&List::Unread, 1000).await.unwrap();
        assert_eq!((list.ids.len(), list.whole), (5, false));
        // An article left the first page after it was read, so that another one was skipped. No id is twice, and nothing else shows it.
        if dialect == Dialect::Miniflux {
            let ids = |ids: [u8; 2], more: &str| {
                Reply::ok(format!(r#"{{"itemRefs":[{{"id":"{}"}},{{"id":"{}"}}]{more}}}"#, ids[0], ids[1]))
            };
            let (skips, rest) = (ids([9, 8], r#","continuation":"2""#), ids([6, 5], ""));
            let now = [ids([8, 7], r#","continuation":"2""#), rest.clone()];
            let changing = [[skips.clone(), rest.clone()], now.clone(), [skips, rest]].concat();
            world.server.server.on_each(&path, changing);
            let list = world.client.ids(&List::Unread, 1000).await.unwrap();
            assert_eq!((list.ids.len(), list.whole), (4, false), "never the same twice");
            world.server.server.on_each(&path, [now.clone(), now].concat());
            let list = world.client.ids(&List::Unread, 1000).await.unwrap();
            assert_eq!((list.ids.join(" ").as_str(), list.whole), ("8 7 6 5", true), "the same twice");
        }
        // The second page fails: no list at all.
        world.server.server.on_each(&path, [page(1, r#","continuation":"3""#), Reply::status(502)]);
        world.client.ids(&List::Unread, 1000).await.unwrap_err();
    }
}

#[tokio::test]
async fn a_server_that_asks_to_wait_gets_no_requests() {
    let mut world = World::new(Dialect::FreshRss, 1, 5).await;
    world.sync().await.unwrap();
    // A server that restarts, or for which one request is too much, did not ask to wait.
    world.server.state().replies.insert("/subscription/list".to_owned(), Reply::status(503));
    let failed = world.sync().await;
    assert!(matches!(&failed, Err(error) if error.is_about_request()), "{failed:?}");
    for (reply, seconds) in [
        (Reply::status(429).header("Retry-After", "120"), 120),
        (Reply::status(503).header("Retry-After", "7"), 7),
        (Reply::status(429), 3600),
    ] {
        world.server.state().replies.insert("/subscription/list".to_owned(), reply);
        world.server.server.forget_requests();
        let asked = world.sync().await;
        assert!(matches!(asked, Err(SyncError::Wait(wait)) if wait == Duration::from_secs(seconds)), "{asked:?}");
        assert_eq!(world.server.server.requests().len(), 1);
    }
}

#[tokio::test]
async fn tags_stay_here_where_the_server_has_no_labels() {
    let mut world = World::new(Dialect::Miniflux, 1, 5).await;
    world.sync().await.unwrap();
    world.library.tags().set(&[world.id(0).await], "own", true).await.unwrap();
    assert_eq!(world.sync().await.unwrap().sent, 0);
    // A server with labels, though the login is answered as Miniflux does, and there is no label yet.
    let server = TestServer::start(Dialect::FreshRss, 1, 1).await;
    server.state().json_login = true;
    assert!(found(&server.address(), "sesame").await.unwrap().labels);
}

#[tokio::test]
async fn a_label_that_the_server_refuses_stays_here_and_others_are_sent() {
    let mut world = World::new(Dialect::FreshRss, 1, 5).await;
    world.sync().await.unwrap();
    let item = world.id(0).await;
    for name in ["bad", "own"] {
        world.library.tags().set(&[item], name, true).await.unwrap();
    }
    world.server.state().refused_labels.insert("bad".to_owned());
    let report = world.sync().await.unwrap();
    assert_eq!((report.sent, report.delayed), (1, vec![Delayed { title: "bad".to_owned(), refused: true }]));
    let report = world.sync().await.unwrap();
    assert_eq!((report.refused, report.delayed), (vec!["bad".to_owned()], vec![]));
    assert!(world.account().await.labels);
    assert_eq!(world.sync().await.unwrap(), Report::default(), "nothing waits");
    // The tag stays here, and other labels are still synchronised.
    world.library.tags().set(&[item], "more", true).await.unwrap();
    world.sync().await.unwrap();
    let labels = world.server.state().entries.values().next_back().unwrap().labels.clone();
    assert_eq!(labels.into_iter().collect::<Vec<_>>(), ["more", "own"]);
    assert_eq!(world.library.tags().list().await.unwrap().iter().map(|tag| tag.items).sum::<i64>(), 3);
    world.server.state().replies.insert("/edit-tag".to_owned(), Reply::status(400));
    assert!(matches!(world.client.mark(&["1".to_owned()], &MarkKind::Read, true).await, Err(SyncError::Fetch(_))));
}

#[tokio::test]
async fn a_tag_with_the_name_of_a_folder_stays_here_though_the_server_ignores_it() {
    let mut world = World::new(Dialect::FreshRss, 2, 3).await;
    world.sync().await.unwrap();
    world.library.tags().set(&[world.id(0).await], "Tech", true).await.unwrap();
    world.library.tags().set(&[world.id(1).await], "own", true).await.unwrap();
    assert_eq!(world.sync().await.unwrap().sent, 2);
    assert_eq!(world.sync().await.unwrap(), Report::default(), "nothing is sent again, and nothing changes");
    let tags = world.library.tags().list().await.unwrap();
    assert_eq!(tags.iter().map(|tag| (tag.name.as_str(), tag.items)).collect::<Vec<_>>(), [("own", 1), ("Tech", 1)]);
    // What another device removes is removed here.
    world.server.state().entries.values_mut().for_each(|entry| entry.labels.clear());
    world.sync().await.unwrap();
    let tags = world.library.tags().list().await.unwrap();
    assert_eq!(tags.iter().find(|tag| tag.name == "own").map(|tag| tag.items), Some(0));
}

#[tokio::test]
async fn a_label_in_two_spellings_waits_until_both_are_removed() {
    for refused in ["News", "news"] {
        let mut world = World::new(Dialect::FreshRss, 1, 1).await;
        let labels = ["News", "news"].map(str::to_owned);
        world.server.state().entries.values_mut().next_back().unwrap().labels.extend(labels);
        world.sync().await.unwrap();
        world.library.tags().set(&[world.id(0).await], "news", false).await.unwrap();
        world.server.state().refused_labels.insert(refused.to_owned());
        assert_eq!(world.sync().await.unwrap().sent, 0, "{refused}");
        assert_eq!(world.library.sync().pending_marks(world.account, None, 9).await.unwrap().len(), 1, "{refused}");
        world.server.state().refused_labels.clear();
        assert_eq!(world.sync().await.unwrap().sent, 1, "both spellings are one mark");
        assert!(world.server.state().entries.values().all(|entry| entry.labels.is_empty()));
        assert!(world.library.tags().list().await.unwrap().iter().all(|tag| tag.items == 0));
        assert_eq!(world.sync().await.unwrap(), Report::default());
    }
}

#[tokio::test]
async fn an_empty_list_of_labels_removes_none() {
    let mut world = World::new(Dialect::FreshRss, 1, 5).await;
    world.server.state().entries.values_mut().next_back().unwrap().labels.insert("later".to_owned());
    world.sync().await.unwrap();
    world.server.state().replies.insert("/tag/list".to_owned(), Reply::ok(r#"{"tags":[]}"#));
    world.sync().await.unwrap();
    assert_eq!(world.library.tags().list().await.unwrap()[0].items, 1);
}

#[tokio::test]
async fn a_refused_change_is_no_refused_login() {
    let mut world = World::new(Dialect::FreshRss, 1, 3).await;
    world.sync().await.unwrap();
    let feed = world.library.sync().feeds(world.account).await.unwrap()["feed/1"];
    world.library.feeds().rename(feed, "Mine").await.unwrap();
    for endpoint in ["/subscription/edit", "/edit-tag"] {
        world.server.state().replies.insert(endpoint.to_owned(), Reply::status(403));
    }
    world.server.state().add("feed/1");
    let report = world.sync().await.unwrap();
    assert_eq!((report.new, report.delayed), (1, vec![Delayed { title: "Mine".to_owned(), refused: true }]));
    // 401 concerns the login, and so does 403 if a session is requested.
    world.library.articles().mark(&[world.id(0).await], Some(true), None).await.unwrap();
    let report = world.sync().await.unwrap();
    let title = world.library.articles().get(world.id(0).await).await.unwrap().title;
    assert!(report.delayed.contains(&Delayed { title, refused: true }), "{report:?}");
    world.server.state().replies.insert("/token".to_owned(), Reply::status(403));
    world.server.state().session += 1;
    assert!(matches!(world.sync().await, Err(SyncError::Login)));
}

#[tokio::test]
async fn a_feed_leaves_its_folder_when_it_is_moved_to_another() {
    let mut world = World::new(Dialect::FreshRss, 2, 1).await;
    world.sync().await.unwrap();
    let feeds = world.library.sync().feeds(world.account).await.unwrap();
    let folder = world.library.feeds().get(feeds["feed/2"]).await.unwrap().folder_id;
    let change = Rearrangement { feeds: vec![feeds["feed/1"]], parent: folder, ..Rearrangement::default() };
    world.library.subscriptions().arrange(&change).await.unwrap();
    assert_eq!(world.sync().await.unwrap().changes_sent, 1);
    let body = &world.bodies("/subscription/edit")[0];
    assert!(body.contains("a=user%2F-%2Flabel%2FTech"), "{body}");
    assert!(body.contains("r=user%2F-%2Flabel%2FNews+%26+Views"), "{body}");
    assert_eq!(world.server.state().feeds["feed/1"].folder, "Tech");
    assert_eq!(world.sync().await.unwrap(), Report::default());
}

#[tokio::test]
async fn articles_of_feeds_that_are_not_subscribed_are_downloaded_once() {
    let mut world = World::new(Dialect::FreshRss, 1, 3).await;
    {
        let mut state = world.server.state();
        let id = state.add("feed/9");
        state.entries.get_mut(&id).unwrap().starred = true;
    }
    assert_eq!(world.sync().await.unwrap().new, 3);
    world.server.server.forget_requests();
    assert_eq!(world.sync().await.unwrap(), Report::default());
    assert!(world.bodies("/stream/items/contents").is_empty(), "nothing is downloaded again");
    // Until the feed is subscribed to.
    let feed =
        gleaner_testserver::google_reader::Feed { url: "http://feeds.test/9.xml".to_owned(), ..Default::default() };
    world.server.state().feeds.insert("feed/9".to_owned(), feed);
    let report = world.sync().await.unwrap();
    assert_eq!((report.feeds_added, report.new), (1, 1));
    let (here, there) = world.both().await;
    assert_eq!(here, there);
}

#[tokio::test]
async fn a_label_that_the_server_fails_at_is_sent_again_and_holds_up_nothing() {
    let mut world = World::new(Dialect::FreshRss, 1, 5).await;
    world.sync().await.unwrap();
    world.library.tags().set(&[world.id(0).await], "own", true).await.unwrap();
    for status in [500, 502, 400] {
        world.server.state().replies.insert("/edit-tag".to_owned(), Reply::status(status));
        world.sync().await.unwrap();
        assert_eq!(world.library.sync().pending_marks(world.account, None, 9).await.unwrap().len(), 1, "{status}");
        assert!(world.account().await.labels, "{status}");
    }
    world.server.state().replies.clear();
    assert_eq!(world.sync().await.unwrap().sent, 1);
    assert!(world.server.state().entries.values().next_back().unwrap().labels.contains("own"));
}

#[tokio::test]
async fn one_error_removes_no_subscription() {
    let mut world = World::new(Dialect::FreshRss, 1, 1).await;
    world.sync().await.unwrap();
    let url = "http://feeds.test/new.xml";
    let feed = world.library.sync().subscribe(world.account, url, None, None).await.unwrap();
    world
        .library
        .feeds()
        .rename(world.library.sync().feeds(world.account).await.unwrap()["feed/1"], "Mine")
        .await
        .unwrap();
    // Failures say nothing about the subscription, however many there are; the rest of the synchronisation continues.
    let cut_off = Reply::ok("OK, and more").cut_after(2);
    for reply in
        [Reply::status(500), Reply::status(502), cut_off, Reply::status(504), Reply::status(503), Reply::status(403)]
    {
        for endpoint in ["/subscription/quickadd", "/subscription/edit"] {
            world.server.state().replies.insert(endpoint.to_owned(), reply.clone());
        }
        world.server.state().add("feed/1");
        let report = world.sync().await.unwrap();
        assert_eq!((report.delayed.len(), report.refused.len(), report.new), (2, 0, 1), "{reply:?}");
        assert!(world.library.feeds().list().await.unwrap().iter().any(|row| row.id == feed), "{reply:?}");
    }
    // The change of another title is another one, which was not refused before.
    world
        .library
        .feeds()
        .rename(world.library.sync().feeds(world.account).await.unwrap()["feed/1"], "My own")
        .await
        .unwrap();
    let report = world.sync().await.unwrap();
    assert_eq!(
        (report.refused, report.delayed),
        (vec![url.to_owned()], vec![Delayed { title: "My own".to_owned(), refused: true }])
    );
    assert!(!world.library.feeds().list().await.unwrap().iter().any(|row| row.id == feed), "refused twice");
    world.server.state().replies.clear();
    assert_eq!(world.sync().await.unwrap().changes_sent, 1);
    assert_eq!(world.server.state().feeds["feed/1"].title, "My own");
}

#[tokio::test]
async fn a_subscription_whose_response_was_lost_is_found_again() {
    let mut world = World::new(Dialect::FreshRss, 1, 1).await;
    world.sync().await.unwrap();
    let id = world.library.sync().subscribe(world.account, "http://feeds.test/new.xml", None, None).await.unwrap();
    world.server.state().replies.insert("/subscription/quickadd".to_owned(), Reply::raw(""));
    let feed =
        gleaner_testserver::google_reader::Feed { url: "http://feeds.test/new.xml".to_owned(), ..Default::default() };
    world.server.state().feeds.insert("feed/77".to_owned(), feed);
    let report = world.sync().await.unwrap();
    assert_eq!((report.delayed.len(), report.feeds_added), (1, 0));
    world.server.state().replies.clear();
    let report = world.sync().await.unwrap();
    assert_eq!((report.changes_sent, report.feeds_added), (1, 0));
    assert_eq!(world.library.sync().feeds(world.account).await.unwrap()["feed/77"], id);
}

#[tokio::test]
async fn a_mark_that_the_server_already_has_is_not_sent_if_sending_would_clear_it() {
    let mut world = World::new(Dialect::Miniflux, 1, 4).await;
    world.server.state().is_old = true;
    world.sync().await.unwrap();
    for back in 0..3 {
        world.library.articles().mark(&[world.id(back).await], Some(true), Some(true)).await.unwrap();
    }
    // Another device was faster.
    world.server.state().entries.values_mut().skip(1).for_each(|entry| (entry.read, entry.starred) = (true, true));
    world.sync().await.unwrap();
    let (here, there) = world.both().await;
    let expected = [(false, false), (true, true), (true, true), (true, true)];
    assert_eq!((&here[..], &there[..]), (&expected[..], &expected[..]));
    // The marks are set, and the response is lost.
    world.library.articles().mark(&[world.id(3).await], Some(true), Some(true)).await.unwrap();
    world.server.state().faults.plan([
        Fault::None,
        Fault::After(Reply::raw("")),
        Fault::None,
        Fault::After(Reply::raw("")),
    ]);
    drop(world.sync().await);
    world.server.state().faults.plan([]);
    world.sync().await.unwrap();
    assert_eq!(world.both().await, (vec![(true, true); 4], vec![(true, true); 4]));
}

#[tokio::test]
async fn a_label_is_set_on_starred_articles_if_marks_may_be_cleared() {
    let mut world = World::new(Dialect::FreshRss, 1, 0).await;
    world.server.state().counted = true;
    let id = world.server.state().add("feed/1");
    world.server.state().entries.values_mut().for_each(|entry| entry.starred = true);
    world.sync().await.unwrap();
    world.library.tags().set(&[world.id(0).await], "own", true).await.unwrap();
    world.sync().await.unwrap();
    assert!(world.server.state().entries[&id].labels.contains("own"));
}

#[tokio::test]
async fn deleted_articles_block_nothing_if_a_request_for_them_alone_is_refused() {
    let mut world = World::new(Dialect::Miniflux, 1, 6).await;
    world.server.state().is_old = true;
    world.sync().await.unwrap();
    let gone = [world.id(0).await, world.id(1).await];
    world.server.state().add("feed/1");
    world.server.state().entries.retain(|id, _| ![105, 106].contains(id));
    let report = world.sync().await.unwrap();
    assert_eq!((report.new, report.changed, report.unreadable), (1, 0, 0));
    for id in gone {
        assert!(!world.library.articles().get(id).await.unwrap().read, "they are gone, and were not read");
    }
    assert_eq!(world.sync().await.unwrap(), Report::default());
    // If a server fails at every request, that does not mean that it has none of the articles.
    world.server.state().add("feed/1");
    world.server.state().replies.insert("/stream/items/contents".to_owned(), Reply::status(500));
    assert!(matches!(world.sync().await, Err(SyncError::Fetch(_))));
}
