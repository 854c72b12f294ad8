//! How servers write lists, folders, ids and refused logins, besides those that were measured.

use super::*;
use gleaner_library::Rearrangement;

#[tokio::test]
async fn a_feed_in_several_folders_moves_where_the_user_moves_it() {
    // FreshRSS has each feed in one folder, but others with such ids don't.
    for (dialect, id) in [(Dialect::BazQux, "feed/http://feeds.test/1.xml"), (Dialect::FreshRss, "feed/1")] {
        let mut world = World::new(dialect, 1, 1).await;
        world.server.state().feeds.get_mut(id).unwrap().others = vec!["World".to_owned()];
        world.sync().await.unwrap();
        let feed = world.library.sync().feeds(world.account).await.unwrap()[id];
        let own = world.account().await.folder_id;
        let folder = world.library.folders().create("Mine", own).await.unwrap();
        let change = Rearrangement { feeds: vec![feed], parent: Some(folder), ..Rearrangement::default() };
        world.library.subscriptions().arrange(&change).await.unwrap();
        assert_eq!(world.sync().await.unwrap().changes_sent, 1);
        {
            let state = world.server.state();
            let there = &state.feeds[id];
            assert_eq!((there.folder.as_str(), there.others.as_slice()), ("World", &["Mine".to_owned()][..]));
        }
        assert_eq!(world.sync().await.unwrap(), Report::default());
        assert_eq!(world.library.feeds().get(feed).await.unwrap().folder_id, Some(folder));
    }
}

#[tokio::test]
async fn a_feed_moves_to_another_folder_at_every_server() {
    for dialect in [&Dialect::DOCUMENTED[..], &[Dialect::FreshRss, Dialect::Miniflux, Dialect::CommaFeed]].concat() {
        let mut world = World::new(dialect, 1, 1).await;
        world.sync().await.unwrap();
        let (id, feed) = world.library.sync().feeds(world.account).await.unwrap().into_iter().next().unwrap();
        let folder = world.library.folders().create("Mine", world.account().await.folder_id).await.unwrap();
        let change = Rearrangement { feeds: vec![feed], parent: Some(folder), ..Rearrangement::default() };
        world.library.subscriptions().arrange(&change).await.unwrap();
        world.sync().await.unwrap();
        assert_eq!(world.server.state().feeds[&id].folder, "Mine", "{dialect:?}");
        assert_eq!(world.sync().await.unwrap(), Report::default(), "{dialect:?}");
        assert_eq!(world.library.feeds().get(feed).await.unwrap().folder_id, Some(folder), "{dialect:?}");
    }
}

#[tokio::test]
async fn a_feed_moved_out_of_its_folder_gets_the_default_folder_of_the_server() {
    for (dialect, there) in [(Dialect::FreshRss, "Uncategorized"), (Dialect::Miniflux, "All")] {
        let mut world = World::new(dialect, 1, 1).await;
        world.sync().await.unwrap();
        let (id, feed) = world.library.sync().feeds(world.account).await.unwrap().into_iter().next().unwrap();
        let parent = world.account().await.folder_id;
        let change = Rearrangement { feeds: vec![feed], parent, ..Rearrangement::default() };
        world.library.subscriptions().arrange(&change).await.unwrap();
        world.sync().await.unwrap();
        assert_eq!(world.server.state().feeds[&id].folder, there, "{dialect:?}");
        assert_eq!(world.sync().await.unwrap(), Report::default(), "{dialect:?}");
    }
}

#[tokio::test]
async fn fresh_rss_that_ignores_the_address_of_a_new_feed_has_another_request() {
    let mut world = World::new(Dialect::FreshRss, 1, 1).await;
    world.sync().await.unwrap();
    world.server.state().replies.insert("/subscription/quickadd".to_owned(), Reply::status(400));
    let url = "http://feeds.test/new.xml?a=1&b=2";
    world.library.sync().subscribe(world.account, url, Some("New"), Some("Tech")).await.unwrap();
    assert_eq!(world.sync().await.unwrap().changes_sent, 1);
    let added = world.server.state().feeds.values().find(|feed| feed.url == url).cloned().unwrap();
    assert_eq!((added.title.as_str(), added.folder.as_str()), ("New", "Tech"));
    assert!(world.server.server.requests().iter().all(|request| !request.target.contains("new.xml")), "in no log");
}

#[tokio::test]
async fn a_feed_that_is_listed_once_for_each_of_its_folders_is_one() {
    let mut world = World::new(Dialect::BazQux, 1, 2).await;
    let entry = |folder: &str, url: &str| {
        format!(
            r#"{{"id":"feed/http://feeds.test/1.xml","title":"One","url":"{url}","categories":[{{"id":"user/-/label/{folder}","label":"{folder}"}}]}}"#
        )
    };
    let list = |entries: [String; 2]| Reply::ok(format!(r#"{{"subscriptions":[{}]}}"#, entries.join(",")));
    let (one, other) = ("http://feeds.test/1.xml", "http://feeds.test/2.xml");
    world
        .server
        .state()
        .replies
        .insert("/subscription/list".to_owned(), list([entry("Tech", one), entry("World", one)]));
    let report = world.sync().await.unwrap();
    assert_eq!((report.feeds_added, report.new), (1, 2));
    assert_eq!(world.sync().await.unwrap(), Report::default());
    // An id that two feeds have is not an id.
    world
        .server
        .state()
        .replies
        .insert("/subscription/list".to_owned(), list([entry("Tech", one), entry("Tech", other)]));
    let failed = world.sync().await;
    assert!(matches!(failed, Err(SyncError::InvalidResponse("subscriptions"))), "{failed:?}");
    // It stops no other feed.
    let new = r#"{"id":"feed/3","title":"Three","url":"http://feeds.test/3.xml"}"#.to_owned();
    let clash = [entry("Tech", one), entry("Tech", other)].join(",");
    world.server.state().replies.insert("/subscription/list".to_owned(), list([clash, new]));
    let report = world.sync().await.unwrap();
    assert_eq!((report.feeds_added, report.feeds_left, report.incomplete), (1, 0, true));
}

#[tokio::test]
async fn an_entry_that_cannot_be_read_stops_no_other_one_and_takes_no_feed_away() {
    let mut world = World::new(Dialect::FreshRss, 3, 2).await;
    world.sync().await.unwrap();
    let entry = |id: &str, number: usize| {
        format!(r#"{{"id":{id},"title":"Feed {number}","categories":[],"url":"http://feeds.test/{number}.xml"}}"#)
    };
    let long = format!(
        r#"{{"id":"feed/5","title":"Feed 5","url":"http://feeds.test/5.xml","categories":[{{"id":"user/-/label/{0}","label":"{0}"}}]}}"#,
        "N".repeat(1_000_000)
    );
    for odd in
        ["null", "5", "\"x\"", "[]", r#"{"title":"x","url":"http://x.test/"}"#, &entry("\"\"", 9), &entry("null", 9)]
    {
        let body =
            [&entry("\"feed/1\"", 1), odd, &entry("\"feed/4\"", 4), &entry("7", 7), &long].map(String::from).join(",");
        let body = Reply::ok(format!(r#"{{"subscriptions":[{body}]}}"#));
        world.server.state().replies.insert("/subscription/list".to_owned(), body);
        let report = world.sync().await.unwrap();
        assert_eq!((report.feeds_left, report.incomplete), (0, true), "{odd}");
        assert_eq!(world.library.feeds().list().await.unwrap().len(), 6, "{odd}");
        let bare = Reply::ok(format!(r#"{{"subscriptions":[{odd}]}}"#));
        world.server.state().replies.insert("/subscription/list".to_owned(), bare);
        assert!(matches!(world.sync().await, Err(SyncError::InvalidResponse("subscriptions"))), "{odd}");
    }
    let longest = world.server.server.requests().iter().map(|request| request.target.len()).max();
    assert!(longest < Some(1000), "a very long name of a folder is in no address");
}

#[tokio::test]
async fn a_list_of_ids_with_one_that_cannot_be_read_takes_no_mark_away() {
    let mut world = World::new(Dialect::FreshRss, 1, 3).await;
    world.sync().await.unwrap();
    let ids: Vec<i64> = world.server.state().entries.keys().copied().collect();
    for odd in ["null", "[1]", "{}", r#"{"id":null}"#, r#"{"id":{}}"#] {
        let body = format!(r#"{{"itemRefs":[{{"id":"{}"}},{odd},{{"id":{}}}]}}"#, ids[2], ids[1]);
        world.server.server.on_each(&world.server.path("/stream/items/ids"), [Reply::ok(body)]);
        let list = world.client.ids(&List::Unread, 500_000).await.unwrap();
        assert_eq!((list.ids.len(), list.whole), (2, false), "{odd}");
    }
    let tags = r#"{"tags":[{"id":"user/-/state/com.google/starred"},null,{"id":"user/-/label/own","type":"tag"}]}"#;
    world.server.state().replies.insert("/tag/list".to_owned(), Reply::ok(tags));
    let labels = world.client.labels().await.unwrap().unwrap();
    assert_eq!((labels.names, labels.whole), (vec!["own".to_owned()], false));
}

#[tokio::test]
async fn a_list_ends_at_the_number_of_ids_that_was_requested() {
    let mut world = World::new(Dialect::FreshRss, 1, 0).await;
    world.sync().await.unwrap();
    let refs: Vec<String> = (0..2000).map(|id| format!(r#"{{"id":"{}"}}"#, 1_795_406_884_000_000_u64 + id)).collect();
    let body = Reply::ok(format!(r#"{{"itemRefs":[{}]}}"#, refs.join(",")));
    world.server.server.on_each(&world.server.path("/stream/items/ids"), [body]);
    let list = world.client.ids(&List::Newest, 1000).await.unwrap();
    assert_eq!((list.ids.len(), list.whole), (1000, false));
}

#[tokio::test]
async fn null_is_an_empty_list_if_the_server_sends_it_twice() {
    let mut world = World::new(Dialect::FreshRss, 1, 3).await;
    world.server.state().replies.insert("/subscription/list".to_owned(), Reply::ok(r#"{"subscriptions":null}"#));
    world.server.state().replies.insert("/tag/list".to_owned(), Reply::ok(r#"{"tags":null}"#));
    assert_eq!(world.sync().await.unwrap().feeds_added, 0);
    world.server.state().replies.clear();
    assert_eq!(world.sync().await.unwrap().new, 3);
    // It is not the end of the subscriptions that the account has.
    world.server.state().replies.insert("/subscription/list".to_owned(), Reply::ok(r#"{"subscriptions":null}"#));
    assert!(matches!(world.sync().await, Err(SyncError::InvalidResponse(_))));
    assert_eq!(world.library.sync().feeds(world.account).await.unwrap().len(), 1);
    world.server.state().replies.clear();
    let path = world.server.path("/stream/items/ids");
    let null = Reply::ok(r#"{"itemRefs":null}"#);
    let some = Reply::ok(r#"{"itemRefs":[{"id":"1"}]}"#);
    world.server.server.on_each(&path, [null.clone(), null.clone()]);
    let list = world.client.ids(&List::Unread, 9).await.unwrap();
    assert_eq!((list.ids.len(), list.whole), (0, true));
    world.server.server.on_each(&path, [null.clone(), some]);
    let list = world.client.ids(&List::Unread, 9).await.unwrap();
    assert_eq!((list.ids.len(), list.whole), (1, true));
    world.server.server.on_each(&path, [Reply::ok("{}")]);
    assert!(matches!(world.client.ids(&List::Unread, 9).await, Err(SyncError::InvalidResponse(_))));
}

#[tokio::test]
async fn a_login_that_is_refused_with_status_200_is_refused() {
    let server = Server::start().await;
    server.on_request("*", |request| match request.method.as_str() {
        "GET" => Reply::status(if request.path().starts_with("/reader/") { 401 } else { 404 }),
        _ => Reply::ok("Error=BadAuthentication\n"),
    });
    let refused = found(&server.url("/"), "sesame").await;
    assert!(matches!(refused, Err(SyncError::Login)), "{refused:?}");
}

#[tokio::test]
async fn a_user_name_that_the_server_does_not_allow_is_a_wrong_login() {
    let server = TestServer::start(Dialect::FreshRss, 1, 1).await;
    let address = Url::parse(&server.address()).unwrap();
    let refused = find(&fetcher(), &address, None, "Ada L", "sesame", None).await;
    assert!(matches!(refused, Err(SyncError::Login)), "{refused:?}");
}

#[tokio::test]
async fn titles_have_the_characters_that_the_server_replaced() {
    for (dialect, feed, article) in
        [(Dialect::FreshRss, "AC/DC & you", "Q&A, ？"), (Dialect::BazQux, "AC／DC ＆ you", "Q＆A, ？")]
    {
        let mut world = World::new(dialect, 1, 1).await;
        world.server.state().feeds.values_mut().for_each(|feed| feed.title = "AC／DC ＆ you".to_owned());
        world.server.state().entries.values_mut().for_each(|entry| entry.title = "Q＆A, ？".to_owned());
        world.sync().await.unwrap();
        assert_eq!(world.library.feeds().list().await.unwrap()[0].shown_title(), feed, "{dialect:?}");
        assert_eq!(world.library.articles().get(world.id(0).await).await.unwrap().title, article, "{dialect:?}");
        assert_eq!(world.sync().await.unwrap(), Report::default(), "{dialect:?}");
    }
}

#[tokio::test]
async fn all_pages_are_read_even_if_some_repeat_an_article() {
    let mut world = World::new(Dialect::Miniflux, 1, 25).await;
    {
        let mut state = world.server.state();
        (state.page, state.repeats) = (5, true);
    }
    let report = world.sync().await.unwrap();
    assert_eq!((report.new, report.incomplete), (21, true), "one is missing from each page but the first");
    world.server.state().repeats = false;
    let report = world.sync().await.unwrap();
    assert_eq!((report.new, report.changed, report.incomplete), (4, 0, false));
    let (here, there) = world.both().await;
    assert_eq!(here, there);
}

/// A server each of whose pages but the first has the last article of the one before, in place of its own first one: articles 2, 4, 6 … are in
/// no list. All are known.
async fn with_incomplete_lists(articles: usize) -> World {
    let mut world = World::new(Dialect::Miniflux, 1, articles).await;
    world.sync().await.unwrap();
    {
        let mut state = world.server.state();
        (state.page, state.repeats) = (2, true);
    }
    assert!(world.sync().await.unwrap().incomplete);
    world.server.server.forget_requests();
    world
}

#[tokio::test]
async fn a_list_that_repeats_an_article_is_read_to_its_end_once() {
    let mut world = World::new(Dialect::Miniflux, 1, 25).await;
    {
        let mut state = world.server.state();
        (state.page, state.repeats) = (5, true);
    }
    for newest in ["n=10000", "n=1000"] {
        world.server.server.forget_requests();
        world.sync().await.unwrap();
        let requests = world.server.server.requests_to(&world.server.path("/stream/items/ids"));
        let is_first = |target: &str| !target.contains("xt=") && !target.contains("starred") && !target.contains("&c=");
        let first: Vec<_> = requests.iter().map(|request| &request.target).filter(|target| is_first(target)).collect();
        assert!(matches!(&first[..], [first] if first.ends_with(newest)), "{first:?}");
    }
}

#[tokio::test]
async fn few_articles_that_are_missing_from_a_list_are_read_and_all_in_the_end() {
    let mut world = with_incomplete_lists(60).await;
    world.sync().await.unwrap();
    let bodies = world.bodies("/stream/items/contents");
    assert!(matches!(&bodies[..], [body] if body.matches("i=").count() == 20), "{bodies:?}");
    // One that was read elsewhere.
    let left_out = *world.server.state().entries.keys().nth(3).unwrap();
    world.server.state().entries.get_mut(&left_out).unwrap().read = true;
    let mut changed = 0;
    for _ in 0..100 {
        changed += world.sync().await.unwrap().changed;
        if changed > 0 {
            break;
        }
    }
    let (here, there) = world.both().await;
    assert_eq!((changed, here), (1, there));
    // Many: where some differ, all are read.
    world.server.state().entries.values_mut().for_each(|entry| entry.read = true);
    assert_eq!(world.sync().await.unwrap().changed, 59);
}

#[tokio::test]
async fn marks_are_applied_although_articles_that_are_missing_from_a_list_cannot_be_read() {
    let mut world = with_incomplete_lists(9).await;
    {
        let mut state = world.server.state();
        state.replies.insert("/stream/items/contents".to_owned(), Reply::status(500));
        state.entries.values_mut().next_back().unwrap().starred = true;
    }
    let report = world.sync().await.unwrap();
    assert_eq!((report.changed, report.unreadable), (1, 0));
    let (here, there) = world.both().await;
    assert_eq!(here, there);
}
