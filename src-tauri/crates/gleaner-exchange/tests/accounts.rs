//! Imports what an account on a server has already: its feeds and articles are not added a second time, and gain marks.
#![allow(clippy::unwrap_used)]

use gleaner_exchange::{
    archive,
    readers::{self, ImportResult},
};
use gleaner_library::{
    Library, NewAccount, NewItem, NewSubscription, RemoteArticles, RemoteFeed, RemoteState, archive::HeadCounts,
};
use std::{fs, path::Path, sync::Arc};

const URL: &str = "https://a.example/feed";

/// A library with one feed in an account, which has two unread articles.
async fn with_account(folder: &Path) -> Arc<Library> {
    let library = Library::open(folder).await.unwrap();
    let new = NewAccount { kind: "fever".to_owned(), name: "Server".to_owned(), history: 100, ..NewAccount::default() };
    let account = library.accounts().add(&new).await.unwrap();
    let feed = RemoteFeed {
        remote_id: "f".to_owned(),
        title: "A".to_owned(),
        url: URL.to_owned(),
        label: Some("Town".to_owned()),
        ..RemoteFeed::default()
    };
    library.sync().store_feeds(account, &[feed], false).await.unwrap();
    let item = |number: i64| {
        let url = format!("https://a.example/{number}");
        let new = NewItem {
            key: number.to_string(),
            title: format!("Article {number}"),
            url: Some(url.clone()),
            canonical_url: Some(url),
            published_at: Some(1_700_000_000_000 + number * 60_000),
            digest: vec![0; 16],
            ..NewItem::default()
        };
        (new, RemoteState { remote_id: number.to_string(), ..RemoteState::default() })
    };
    let feed = library.sync().feeds(account).await.unwrap()["f"];
    let articles = RemoteArticles { feed, items: vec![item(1), item(2)] };
    library.sync().store_articles(account, &[articles], &[]).await.unwrap();
    Arc::new(library)
}

async fn numbers(library: &Library) -> (usize, i64, i64) {
    let counts = library.counts().by_feed().await.unwrap();
    let feeds = library.feeds().list().await.unwrap().len();
    (feeds, counts.iter().map(|feed| feed.items).sum(), counts.iter().map(|feed| feed.starred).sum())
}

async fn import_file(library: &Library, name: &str, text: &str) -> ImportResult {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    fs::write(&file, text).unwrap();
    let found = readers::find(&file).unwrap().remove(0);
    readers::import(library, &mut readers::open(&found).await.unwrap(), 0, |_| true).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn importing_an_archive_adds_no_feed_that_an_account_has() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let file = one.path().join("all.zip");
    let marked = with_account(one.path()).await;
    marked.articles().mark(&[1], Some(true), Some(true)).await.unwrap();
    archive::export(Arc::clone(&marked), file.clone(), |_| true).await.unwrap();
    // The library itself, and that of another computer with the same account.
    for (library, gained) in [(marked, 0), (with_account(two.path()).await, 1)] {
        let shown = archive::import(Arc::clone(&library), file.clone(), true, |_| true).await.unwrap();
        assert_eq!((shown.head.feeds_there, shown.articles.there, shown.articles.added), (1, 2, 0));
        let imported = archive::import(Arc::clone(&library), file.clone(), false, |_| true).await.unwrap();
        assert_eq!(imported.head, HeadCounts { feeds_there: 1, ..HeadCounts::default() });
        assert_eq!((imported.articles.there, imported.articles.added, imported.marked), (2, 0, gained));
        assert_eq!(numbers(&library).await, (1, 2, 1));
        // The server gets the marks.
        let account = library.accounts().list().await.unwrap()[0].id;
        assert_eq!(library.sync().pending_marks(account, None, 9).await.unwrap().len(), 2);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_is_added_after_its_archive_gets_the_feeds_of_the_archive() {
    let (one, two, three) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let marked = with_account(one.path()).await;
    marked.articles().mark(&[1], Some(true), Some(true)).await.unwrap();
    marked.subscriptions().add(&NewSubscription::new("https://b.example/feed")).await.unwrap();
    let mut file = one.path().join("all.zip");
    archive::export(marked, file.clone(), |_| true).await.unwrap();
    let library = Arc::new(Library::open(two.path()).await.unwrap());
    archive::import(Arc::clone(&library), file, false, |_| true).await.unwrap();
    // The library that imported it exports it again.
    file = two.path().join("all.zip");
    archive::export(library, file.clone(), |_| true).await.unwrap();
    let library = Arc::new(Library::open(three.path()).await.unwrap());
    archive::import(Arc::clone(&library), file, false, |_| true).await.unwrap();
    assert_eq!(numbers(&library).await, (2, 2, 1));
    drop(library);
    let library = with_account(three.path()).await;
    assert_eq!(numbers(&library).await, (3, 4, 1));
    let account = library.accounts().list().await.unwrap()[0].id;
    assert_eq!(library.sync().merge_former_feeds(account).await.unwrap().len(), 1);
    assert_eq!(numbers(&library).await, (2, 2, 1), "the other feed is not the account's");
    let mut folders: Vec<String> = library.folders().list().await.unwrap().into_iter().map(|row| row.name).collect();
    folders.sort_unstable();
    assert_eq!(folders, ["Server (2)", "Town"], "the folders of the archive are empty, and gone");
    assert_eq!(library.sync().pending_marks(account, None, 9).await.unwrap().len(), 2, "the server gets the marks");
    assert!(library.sync().merge_former_feeds(account).await.unwrap().is_empty());
}

#[tokio::test]
async fn importing_a_list_adds_no_feed_that_an_account_has() {
    let folder = tempfile::tempdir().unwrap();
    let library = with_account(folder.path()).await;
    let list = format!("<opml version='2.0'><body><outline text='A' xmlUrl='{URL}'/></body></opml>");
    let imported = import_file(&library, "list.opml", &list).await;
    assert_eq!((imported.added, imported.already), (vec![], vec!["A".to_owned()]));
    assert_eq!(numbers(&library).await, (1, 2, 0));
    // The user may subscribe to it on this computer, too. Then a list names that feed.
    let own = library.subscriptions().add(&NewSubscription::new(URL)).await.unwrap();
    assert_eq!(library.feeds().find_in_any_account(URL).await.unwrap(), Some(own));
    assert_eq!(import_file(&library, "list.opml", &list).await.already, ["A"]);
    // A feed with a login is a different feed.
    let list = "<opml version='2.0'><body><outline text='B' xmlUrl='https://ada:sesame@a.example/feed'/></body></opml>";
    library.feeds().unsubscribe(&[own]).await.unwrap();
    assert_eq!(import_file(&library, "list.opml", list).await.added.len(), 1);
}

#[tokio::test]
async fn articles_of_another_reader_are_marked_in_the_account() {
    let folder = tempfile::tempdir().unwrap();
    let library = with_account(folder.path()).await;
    let starred = r#"{"id":"user/-/state/com.google/starred","title":"Starred","items":[{"id":"tag:google.com,2005:reader/item/1",
        "title":"Article 1","published":1700000060,"canonical":[{"href":"https://a.example/1"}],"categories":["user/-/state/com.google/starred"],
        "origin":{"streamId":"feed/https://a.example/feed","title":"A"}}]}"#;
    let imported = import_file(&library, "starred.json", starred).await;
    assert_eq!((imported.feeds(), imported.known, imported.articles.marked), (vec![], 1, 1), "{imported:?}");
    assert_eq!(numbers(&library).await, (1, 2, 1));
}
