//! Long lists and marks. Tests against a model are in tests/proofs.
#![allow(clippy::unwrap_used)]

use gleaner_library::{
    FeedFacts, Incoming, Intent, Library, ListQuery, MarkScope, NewItem, NewSubscription, Order, Source, Texts,
};
use gleaner_pipeline::all_pages;

async fn library(feeds: &[&[i64]]) -> (tempfile::TempDir, Library, Vec<i64>) {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    let mut ids = Vec::new();
    for (number, dates) in feeds.iter().enumerate() {
        let folder = if number % 2 == 0 { vec!["Top".to_owned(), "Inner".to_owned()] } else { vec!["Top".to_owned()] };
        let url = format!("https://example.com/{number}");
        let feed_id =
            library.subscriptions().add(&NewSubscription { url, folder, ..NewSubscription::default() }).await.unwrap();
        let insert = |(at, sort_at): (usize, &i64)| {
            let digest = vec![0; 16];
            Intent::Insert(Box::new(NewItem {
                key: at.to_string(),
                sort_at: *sort_at,
                received_at: *sort_at,
                digest,
                texts: Texts::default(),
                ..NewItem::default()
            }))
        };
        let intents = dates.iter().enumerate().map(insert).collect();
        let incoming = Incoming::of_items(feed_id, intents);
        library.polls().store(&[&incoming]).await.unwrap();
        ids.push(feed_id);
    }
    (folder, library, ids)
}

fn query(source: Source, order: Order, limit: u32) -> ListQuery {
    ListQuery { order, ..ListQuery::newest(source, limit) }
}

#[tokio::test]
async fn pages_give_the_whole_list_in_both_orders_and_backwards() {
    let dates: Vec<i64> = (0..57).map(|n| n % 7).collect();
    let (_folder, library, feeds) = library(&[&dates, &[3, 3, 9]]).await;
    for source in [Source::All, Source::Unread, Source::Feed(feeds[0]), Source::Folder(1), Source::Since(3)] {
        for order in [Order::Newest, Order::Oldest] {
            let whole = library.lists().page(query(source, order, 400)).await.unwrap().0;
            let mut sorted = whole.clone();
            sorted.sort_by_key(|row| (row.sort_at, row.id));
            if order == Order::Newest {
                sorted.reverse();
            }
            assert_eq!(whole, sorted);
            assert_eq!(all_pages(&library, query(source, order, 5)).await, whole, "{source:?}");
            let before = ListQuery { before: Some(whole[10].cursor()), ..query(source, order, 4) };
            let (page, more) = library.lists().page(before).await.unwrap();
            assert_eq!((page.as_slice(), more), (&whole[6..10], true), "{source:?}");
        }
    }
}

#[tokio::test]
async fn rows_have_the_language_of_the_article_or_else_of_its_feed() {
    let (_folder, library, feeds) = library(&[&[2], &[1]]).await;
    let own =
        NewItem { key: "own".to_owned(), language: Some("ja".to_owned()), digest: vec![0; 16], ..NewItem::default() };
    let incoming = Incoming {
        facts: Some(FeedFacts { language: Some("zh-tw".to_owned()), ..FeedFacts::default() }),
        ..Incoming::of_items(feeds[0], vec![Intent::Insert(Box::new(own))])
    };
    library.polls().store(&[&incoming]).await.unwrap();
    let rows = library.lists().page(ListQuery::newest(Source::All, 10)).await.unwrap().0;
    let languages: Vec<_> =
        rows.iter().filter(|row| feeds.contains(&row.feed_id)).map(|row| row.language.as_deref()).collect();
    assert_eq!(languages, [Some("zh-tw"), None, Some("ja")]);
}

#[tokio::test]
async fn a_folder_shows_the_articles_of_its_subfolders() {
    let (_folder, library, feeds) = library(&[&[1, 2], &[3]]).await;
    let folders = library.folders().list().await.unwrap();
    let named = |name: &str| folders.iter().find(|folder| folder.name == name).unwrap().id;
    assert_eq!(library.lists().page(ListQuery::newest(Source::Folder(named("Top")), 9)).await.unwrap().0.len(), 3);
    let inner = library.lists().page(ListQuery::newest(Source::Folder(named("Inner")), 9)).await.unwrap().0;
    assert!(inner.len() == 2 && inner.iter().all(|row| row.feed_id == feeds[0]));
}

#[tokio::test]
async fn articles_stored_after_the_list_was_loaded_are_not_marked() {
    let (_folder, library, _) = library(&[&[1, 2, 3, 4]]).await;
    let marked = library.articles().mark_list_read(Source::All, Order::Newest, MarkScope::All, Some(2)).await.unwrap();
    assert_eq!(marked.count, 2);
    assert_eq!(library.lists().page(ListQuery::newest(Source::Unread, 9)).await.unwrap().0.len(), 2);
}

#[tokio::test]
async fn a_deleted_folder_is_restored_with_its_contents() {
    let (_folder, library, feeds) = library(&[&[1], &[2]]).await;
    let (folders, before) = (library.folders().list().await.unwrap(), library.subscriptions().tree().await.unwrap());
    let top = folders.iter().find(|folder| folder.name == "Top").unwrap().id;
    let undo = library.folders().delete(top).await.unwrap();
    assert_eq!(library.feeds().get(feeds[1]).await.unwrap().folder_id, None);
    library.undo(undo.step).await.unwrap();
    assert_eq!(library.subscriptions().tree().await.unwrap(), before);
}
