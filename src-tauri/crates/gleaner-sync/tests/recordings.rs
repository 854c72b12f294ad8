//! Every API against recorded responses of real servers, if these are available.
#![allow(clippy::unwrap_used)]

use gleaner_fetch::{Fetcher, Limits};
use gleaner_library::MarkKind;
use gleaner_sync::{Connection, Fever, GoogleReader, Labels, List, Miniflux, Server as _, SyncError, TtRss};
use gleaner_testserver::{Reply, Server};
use std::path::{Path, PathBuf};
use url::Url;

fn fetcher() -> Fetcher {
    Fetcher::new(Limits::default()).unwrap()
}

/// Returns the folder with the recordings of a server. It does not exist if they are not available.
fn folder(server: &str) -> PathBuf {
    let folders =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|folder| folder.join("shared/conformance/sync"));
    folders.into_iter().map(|folder| folder.join(server)).find(|folder| folder.exists()).unwrap_or_default()
}

/// Returns recorded responses by the names of their files.
fn recorded(server: &str) -> Vec<(String, serde_json::Value)> {
    let folder = folder(server);
    let Ok(files) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    let read = |file: &std::path::PathBuf| {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        (name, serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap())
    };
    files.iter().map(read).collect()
}

#[tokio::test]
async fn reads_the_google_reader_api_of_real_servers() {
    for name in ["freshrss/greader", "miniflux/greader"] {
        let recordings = recorded(name);
        let Some(body) = (!recordings.is_empty()).then_some(|part: &str| {
            let (_, recording) = recordings.iter().find(|(file, _)| file.contains(part)).unwrap();
            recording["response"]["body"].as_str().unwrap().to_owned()
        }) else {
            continue;
        };
        let server = Server::start().await;
        let login = body("002-login").replace("{{AUTH}}", "alice/1");
        server.on("/accounts/ClientLogin", Reply::ok(login));
        server.on("/reader/api/0/token", Reply::ok("token"));
        let base = Url::parse(&server.url("/")).unwrap();
        let connection = Connection { fetcher: fetcher(), base, certificate: None };
        let mut client = GoogleReader::new(connection, "alice".to_owned(), "x".to_owned());
        client.log_in().await.unwrap();
        server.on("/reader/api/0/subscription/list", Reply::ok(body("014-subscription-list")));
        let feeds = client.feeds().await.unwrap();
        assert_eq!(feeds.len(), 4);
        let three = feeds.iter().find(|feed| feed.remote_id == "feed/3").unwrap();
        assert_eq!((three.title.as_str(), three.label.as_deref()), ("My 3", Some("News & Views")));
        server.on("/reader/api/0/tag/list", Reply::ok(body("tag-list-with-label")));
        let labels = client.labels().await.unwrap();
        let names = if name.starts_with("freshrss") { vec!["later".to_owned()] } else { Vec::new() };
        assert_eq!(labels, Some(Labels { names, whole: true }));
        server.on("/reader/api/0/tag/list", Reply::ok(body("015-tag-list")));
        let (_, list) = recordings.iter().find(|(file, _)| file.contains("024-ids-of-label")).unwrap();
        let status = u16::try_from(list["response"]["status"].as_u64().unwrap()).unwrap();
        server.on(
            "/reader/api/0/stream/items/ids",
            if status == 200 { Reply::ok(body("024")) } else { Reply::status(status) },
        );
        assert_eq!(client.has_labels().await.unwrap(), name.starts_with("freshrss"));
        let pages = ["017-ids-page-1", "018-ids-page-2", "019-ids-page-3"].map(|page| Reply::ok(body(page)));
        // Pages by offset are read twice.
        let read = if name.starts_with("freshrss") { pages.to_vec() } else { [pages.clone(), pages].concat() };
        server.on_each("/reader/api/0/stream/items/ids", read);
        let paged = client.ids(&List::Newest, 1000).await.unwrap();
        assert_eq!((paged.ids.len(), paged.whole), (57, true));
        server.on("/reader/api/0/stream/items/ids", Reply::ok(body("020-ids-all")));
        assert_eq!(client.ids(&List::Newest, 10_000).await.unwrap(), paged);
        server.on("/reader/api/0/stream/items/contents", Reply::ok(body("contents-with-states")));
        let articles = client.articles(&paged.ids).await.unwrap();
        assert_eq!(articles.len(), 2);
        assert!(articles.iter().all(|article| paged.ids.contains(&article.item.id)), "one form of ids");
        assert_eq!(
            articles.iter().filter(|article| article.read).count(),
            if name.starts_with("freshrss") { 1 } else { 2 }
        );
        assert_eq!(articles.iter().filter(|article| article.starred).count(), 1);
        assert!(articles.iter().all(|article| article.item.content.is_some() && article.item.url.is_some()));
        // What a server does not implement is not an empty list.
        server.on("/reader/api/0/stream/items/ids", Reply::ok("[]"));
        assert!(matches!(client.ids(&List::Unread, 9).await, Err(SyncError::InvalidResponse(_))));
    }
}

#[tokio::test]
async fn reads_the_fever_api_of_real_servers() {
    for name in ["freshrss", "coldsweat", "yarr", "miniflux"] {
        let folder = folder(name).join("fever");
        let Ok(files) = std::fs::read_dir(&folder) else { continue };
        let files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
        let body = |part: &str| {
            let file = files.iter().find(|file| file.to_string_lossy().contains(part)).unwrap();
            let recording: serde_json::Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
            Reply::ok(recording["response"]["body"].as_str().unwrap())
        };
        let server = Server::start().await;
        let connection =
            Connection { fetcher: fetcher(), base: server.url("/fever/").parse().unwrap(), certificate: None };
        let mut client = Fever::new(connection, "alice", "x");
        server.on("/fever/", body("001-auth-wrong"));
        assert!(matches!(client.log_in().await, Err(SyncError::Login)), "{name}");
        server.on("/fever/", body("002-auth"));
        client.log_in().await.unwrap();
        server.on("/fever/?api&feeds", body("004-feeds"));
        server.on("/fever/?api&groups", body("003-groups"));
        let feeds = client.feeds().await.unwrap();
        assert!(feeds.len() >= 5 && feeds.iter().any(|feed| feed.label.is_some()), "{name}: {feeds:?}");
        server.on("/fever/?api&unread_item_ids", body("007-unread-item-ids"));
        server.on("/fever/?api&saved_item_ids", body("008-saved-item-ids"));
        let unread = client.ids(&List::Unread, 500_000).await.unwrap();
        assert!(unread.whole && unread.ids.len() >= 100, "{name}: {}", unread.ids.len());
        assert!(client.ids(&List::Starred, 500_000).await.unwrap().whole);
        server.on("/fever/?api&items&with_ids=1,2,3", body("012-items-with-ids"));
        let wanted = ["1", "2", "3"].map(str::to_owned);
        let articles = client.articles(&wanted).await.unwrap();
        assert!(articles.iter().all(|article| wanted.contains(&article.item.id)));
        server.on("/fever/?api&items&since_id=7", body("010-items-since-last"));
        let arrived = client.arrived(Some("7"), false).await.unwrap();
        assert!(!arrived.articles.is_empty() && arrived.next.is_some(), "{name}");
        let has_feed = |feed: &str| feeds.iter().any(|known| known.remote_id == feed);
        assert!(arrived.articles.iter().all(|a| has_feed(&a.feed) && a.item.content.is_some() && a.item.url.is_some()));
        server.on("/fever/", body("015-mark-read"));
        client.mark(&["1".to_owned()], &MarkKind::Read, true).await.unwrap();
    }
}

#[tokio::test]
async fn reads_the_rest_api_of_miniflux() {
    let recordings = recorded("miniflux/rest");
    let reply = |part: &str| {
        let (_, recording) = recordings.iter().find(|(file, _)| file.contains(part)).unwrap();
        let status = u16::try_from(recording["response"]["status"].as_u64().unwrap()).unwrap();
        Reply::status(status).body(recording["response"]["body"].as_str().unwrap_or_default())
    };
    if recordings.is_empty() {
        return;
    }
    let server = Server::start().await;
    let connection = Connection { fetcher: fetcher(), base: server.url("/").parse().unwrap(), certificate: None };
    let mut client = Miniflux::new(connection, "alice", "x".to_owned());
    server.on("/v1/me", reply("001-unauthorised"));
    assert!(matches!(client.log_in().await, Err(SyncError::Login)));
    server.on("/v1/me", reply("002-me"));
    server.on("/v1/entries", reply("023-entries-changed-after-now"));
    client.log_in().await.unwrap();
    server.on("/v1/feeds", reply("015-feeds"));
    let feeds = client.feeds().await.unwrap();
    let five = feeds.iter().find(|feed| feed.remote_id == "5").unwrap();
    assert_eq!((five.title.as_str(), five.label.as_deref()), ("Feed 11 & co", Some("Tech")));
    server.on("/v1/entries", reply("019-entries-page-1"));
    let first = client.changes(None, 10).await.unwrap();
    assert_eq!((first.articles.len(), first.more), (10, true));
    assert!(
        first.articles.iter().all(|a| a.item.content.is_some() && a.item.url.is_some() && a.item.published.is_some())
    );
    // Since the moment of that recording.
    let since = r#"{"since":{"since":1795408788000000,"again":false,"floor":0,"until":1795408800000000,"after":0}}"#;
    server.on("/v1/entries", reply("033-entries-changed-after"));
    let changed = client.changes(Some(since), 10).await.unwrap();
    assert_eq!((changed.articles.len(), changed.more), (6, false));
    let marks: Vec<_> =
        changed.articles.iter().map(|article| (article.item.id.as_str(), article.read, article.starred)).collect();
    assert_eq!((marks[0], marks[5]), (("1", false, false), ("7", true, true)));
    server.on("/v1/entries", reply("024-entries-mark-read"));
    client.mark(&["1".to_owned()], &MarkKind::Read, true).await.unwrap();
    server.on("/v1/entries", reply("027-entries-mark-none"));
    assert!(client.mark(&["1".to_owned()], &MarkKind::Read, true).await.is_err());
}

#[tokio::test]
async fn reads_the_api_of_tiny_tiny_rss() {
    let recordings = recorded("ttrss");
    if recordings.is_empty() {
        return;
    }
    let reply = |part: &str| {
        let (_, recording) = recordings.iter().find(|(file, _)| file.contains(part)).unwrap();
        Reply::ok(recording["response"]["body"].as_str().unwrap())
    };
    let server = Server::start().await;
    let connection = Connection { fetcher: fetcher(), base: server.url("/api").parse().unwrap(), certificate: None };
    let mut client = TtRss::new(connection, "admin", "x".to_owned());
    server.on("/api/", reply("002-login-wrong"));
    assert!(matches!(client.log_in().await, Err(SyncError::Login)));
    server.on("/api/", reply("003-login"));
    client.log_in().await.unwrap();
    server.on_each("/api/", [reply("009-categories"), reply("016-feeds")]);
    let feeds = client.feeds().await.unwrap();
    let first = feeds.iter().find(|feed| feed.remote_id == "1").unwrap();
    assert_eq!((feeds.len(), first.title.as_str(), first.label.as_deref()), (3, "Feed 1 & co", None));
    server.on_each("/api/", [reply("018-counters"), reply("021-headlines-page-1")]);
    let read = client.changes(None, 10).await.unwrap();
    assert_eq!((read.articles.len(), read.more), (10, true));
    assert!(
        read.articles.iter().all(|a| a.item.content.is_some() && a.item.url.is_some() && a.item.published.is_some())
    );
    server.on("/api/", reply("037-starred"));
    let starred = client.ids(&List::Starred, 100).await.unwrap();
    assert!(starred.whole && starred.ids.contains(&"33".to_owned()), "{starred:?}");
    server.on("/api/", reply("028-article"));
    let articles = client.articles(&["1".to_owned(), "31".to_owned()]).await.unwrap();
    assert!(articles.len() == 2 && articles.iter().all(|article| !article.read && article.item.content.is_some()));
    server.on("/api/", reply("029-article-unknown"));
    assert!(client.articles(&["1".to_owned()]).await.unwrap().is_empty());
    server.on("/api/", reply("030-mark-read"));
    client.mark(&["1".to_owned()], &MarkKind::Read, true).await.unwrap();
    server.on("/api/", reply("039-labels"));
    assert_eq!(client.labels().await.unwrap(), Some(Labels { names: Vec::new(), whole: true }));
    // The session has ended, and so has the new one.
    server.on_each("/api/", [reply("048-after-logout"), reply("003-login"), reply("048-after-logout")]);
    assert!(matches!(client.feeds().await, Err(SyncError::Login)));
}
