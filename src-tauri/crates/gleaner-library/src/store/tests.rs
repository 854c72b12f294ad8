#![allow(clippy::unwrap_used)]
use super::*;
use crate::{Enclosure, Exchange, ImportedArticles, Intent, Library, Marks, Millis, NewSubscription, Playback, now};

const DAY: Millis = 24 * 3_600_000;

async fn library() -> (tempfile::TempDir, Library, i64) {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    let feed = subscribe(&library, "a").await;
    (folder, library, feed)
}

async fn subscribe(library: &Library, host: &str) -> i64 {
    let new = NewSubscription::new(format!("https://{host}.example/feed"));
    library.subscriptions().add(&new).await.unwrap()
}

/// An item with its own address, date and digest.
fn item(key: &str, number: i64) -> NewItem {
    NewItem {
        key: key.to_owned(),
        url: Some(format!("https://a.example/{number}")),
        canonical_url: Some(format!("https://a.example/{number}")),
        title: format!("Article {number}"),
        published_at: Some(number * DAY),
        sort_at: number * DAY,
        digest: number.to_le_bytes().to_vec(),
        ..NewItem::default()
    }
}

fn incoming(feed_id: i64, intents: Vec<Intent>) -> Incoming {
    Incoming { since: Some(0), ..Incoming::of_items(feed_id, intents) }
}

fn insert(key: &str, number: i64) -> Intent {
    Intent::Insert(Box::new(item(key, number)))
}

async fn store(library: &Library, feed: i64, intents: Vec<Intent>) -> Stored {
    library.polls().store(&[&incoming(feed, intents)]).await.unwrap().remove(0)
}

/// The keys and titles of a feed's items, by id.
async fn items(library: &Library, feed: i64) -> Vec<(i64, String, String)> {
    let sql = "SELECT id, key, title FROM items WHERE feed_id = ? ORDER BY id";
    sqlx::query_as(sql).bind(feed).fetch_all(&library.db.readers).await.unwrap()
}

async fn delete_all(library: &Library, feed: i64) {
    let mut writer = library.db.writer().await;
    let ids = items(library, feed).await.into_iter().map(|(id, ..)| id).collect::<Vec<_>>();
    tombstones::delete_articles(writer.connection(), &json(&ids).unwrap(), now()).await.unwrap();
    drop(writer);
    assert_eq!(items(library, feed).await, []);
}

fn row(id: i64, key: &str, number: i64) -> (i64, String, String) {
    (id, key.to_owned(), format!("Article {number}"))
}

#[tokio::test]
async fn does_not_add_an_item_that_an_import_added_meanwhile() {
    let (_folder, library, feed) = library().await;
    let new = vec![(item("imported", 1), Marks::default()), (item("2", 2), Marks::default())];
    library
        .subscriptions()
        .import_articles(&[ImportedArticles { feed, new, since: Some(0), ..ImportedArticles::default() }])
        .await
        .unwrap();
    // Decided before the import: both are new.
    let stored = store(&library, feed, vec![insert("1", 1), insert("2", 2), insert("3", 3)]).await;
    assert_eq!(stored.new, 1);
    assert_eq!(items(&library, feed).await, [row(1, "1", 1), row(2, "2", 2), row(3, "3", 3)]);
}

#[tokio::test]
async fn skips_items_that_were_deleted_meanwhile() {
    let (_folder, library, feed) = library().await;
    store(&library, feed, vec![insert("1", 1), insert("2", 2), insert("3", 3)]).await;
    delete_all(&library, feed).await;
    let changed = NewItem { digest: b"changed".to_vec(), ..item("1", 1) };
    let intents = vec![
        Intent::Update(1, Box::new(changed)),
        Intent::Rename(2, "two".to_owned()),
        insert("other", 3),
        insert("4", 4),
    ];
    store(&library, feed, intents).await;
    assert_eq!(items(&library, feed).await, [row(4, "4", 4)]);
}

#[tokio::test]
async fn keeps_the_key_of_an_item_where_another_one_has_taken_the_new_key() {
    let (_folder, library, feed) = library().await;
    store(&library, feed, vec![insert("1", 1), insert("2", 2), insert("taken", 3)]).await;
    let changed = NewItem { title: "Changed".to_owned(), digest: b"changed".to_vec(), ..item("taken", 1) };
    store(&library, feed, vec![Intent::Update(1, Box::new(changed)), Intent::Rename(2, "taken".to_owned())]).await;
    let expected = [(1, "1".to_owned(), "Changed".to_owned()), row(2, "2", 2), row(3, "taken", 3)];
    assert_eq!(items(&library, feed).await, expected);
}

#[tokio::test]
async fn does_not_confuse_a_new_item_with_one_that_the_document_still_has() {
    let (_folder, library, feed) = library().await;
    store(&library, feed, vec![insert("1", 1)]).await;
    // Two notes of one title and date: the first is known and unchanged, so only the second has an intent.
    let duplicate = NewItem { canonical_url: None, url: None, digest: b"twin".to_vec(), ..item("2", 1) };
    let keys = vec!["1".to_owned(), "2".to_owned()];
    let polled = Incoming { keys, ..incoming(feed, vec![Intent::Insert(Box::new(duplicate))]) };
    library.polls().store(&[&polled]).await.unwrap();
    assert_eq!(items(&library, feed).await, [row(1, "1", 1), row(2, "2", 1)]);
}

#[tokio::test]
async fn imports_neither_known_nor_deleted_articles_again() {
    let (_folder, library, feed) = library().await;
    store(&library, feed, vec![insert("1", 1)]).await;
    delete_all(&library, feed).await;
    store(&library, feed, vec![insert("2", 2)]).await;
    // Looked up before: all are new to the import.
    let starred = Marks { starred: true, ..Marks::default() };
    let new = ["other 1", "other 2", "3"].into_iter().zip(1..);
    let new = new.map(|(key, number)| (item(key, number), starred.clone())).collect();
    let (took, _) = library
        .subscriptions()
        .import_articles(&[ImportedArticles { feed, new, since: Some(0), ..ImportedArticles::default() }])
        .await
        .unwrap();
    assert_eq!((took.articles, took.starred, took.marked), (1, 1, 1), "{took:?}");
    assert_eq!(items(&library, feed).await, [row(2, "2", 2), row(3, "3", 3)]);
}

#[tokio::test]
async fn adds_no_history_that_the_library_has_by_now() {
    let (_folder, library, feed) = library().await;
    store(&library, feed, vec![insert("1", 1)]).await;
    assert_eq!(
        library
            .polls()
            .store_older(feed, "https://a.example/feed", &[item("other", 1), item("0", 0)], &[], Some(0))
            .await
            .unwrap(),
        1
    );
    assert_eq!(items(&library, feed).await, [row(1, "1", 1), row(2, "0", 0)]);
}

#[tokio::test]
async fn stores_the_other_feeds_when_one_cannot_be_stored() {
    let (_folder, library, good) = library().await;
    let (bad, other) = (subscribe(&library, "b").await, subscribe(&library, "c").await);
    // No document is read into two items of one key: this stands for any error that one feed's values cause.
    let broken = vec![insert("1", 1), Intent::Insert(Box::new(NewItem { digest: Vec::new(), ..item("1", 99) }))];
    let all = [incoming(good, vec![insert("1", 1)]), incoming(bad, broken), incoming(other, vec![insert("1", 1)])];
    let stored = library.polls().store_each(&all.iter().collect::<Vec<_>>()).await.unwrap();
    let new: Vec<Option<usize>> = stored.iter().map(|one| one.as_ref().ok().map(|stored| stored.new)).collect();
    assert_eq!(new, [Some(1), None, Some(1)], "{stored:?}");
    assert_eq!((items(&library, good).await.len(), items(&library, bad).await.len()), (1, 0));
}

#[tokio::test]
async fn a_recording_keeps_its_position_and_places_when_its_address_changes() {
    let (_folder, library, feed) = library().await;
    let with = |signature: &str| NewItem {
        enclosures: vec![Enclosure {
            url: format!("https://a.example/1.mp3?s={signature}"),
            mime_type: Some("audio/mpeg".to_owned()),
            ..Enclosure::default()
        }],
        digest: signature.as_bytes().to_vec(),
        ..item("1", 1)
    };
    store(&library, feed, vec![Intent::Insert(Box::new(with("a")))]).await;
    let (url, seconds) = ("https://a.example/1.mp3?s=a".to_owned(), 90.0);
    library.progress().set_playback(1, &Playback { url, seconds, duration: None, finished: false }).await.unwrap();
    library.play_queue().add(&[1], None, false).await.unwrap();
    library.episodes().queue(&[1], None).await.unwrap();

    store(&library, feed, vec![Intent::Update(1, Box::new(with("b")))]).await;
    let now = "https://a.example/1.mp3?s=b";
    let queued = library.play_queue().list().await.unwrap();
    assert_eq!(queued.iter().map(|it| (it.url.as_str(), it.seconds)).collect::<Vec<_>>(), [(now, seconds)]);
    let due = library.episodes().due().await.unwrap();
    assert_eq!(due.iter().map(|it| it.url.as_str()).collect::<Vec<_>>(), [now]);
}

/// Returns the number of instructions that SQLite runs, in hundreds, to group the articles from the id `first` on.
async fn cost_of_grouping(library: &Library, first: i64) -> usize {
    let count = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let mut writer = library.db.writer().await;
    let counter = std::sync::Arc::clone(&count);
    writer.connection().lock_handle().await.unwrap().set_progress_handler(100, move || {
        counter.fetch_add(1, Ordering::Relaxed);
        true
    });
    duplicates::group_new(writer.connection(), first, true, now()).await.unwrap();
    writer.connection().lock_handle().await.unwrap().remove_progress_handler();
    count.load(Ordering::Relaxed)
}

#[tokio::test]
async fn an_article_of_hundreds_of_feeds_is_grouped_with_a_bounded_number_of_comparisons() {
    let (_folder, library, feed) = library().await;
    let mut feeds = vec![feed];
    for number in 1..400 {
        feeds.push(subscribe(&library, &format!("a{number}")).await);
    }
    let mut costs = Vec::new();
    for part in [0..100, 100..200, 200..400] {
        let first = library.polls().next_item().await.unwrap();
        let stored = part.clone().map(|at| incoming(feeds[at], vec![insert("1", 1)])).collect::<Vec<_>>();
        library.polls().store(&stored.iter().collect::<Vec<_>>()).await.unwrap();
        costs.push(cost_of_grouping(&library, first).await / part.len());
    }
    let groups: Vec<(i64, i64)> = sqlx::query_as("SELECT story_id, count(*) FROM stories GROUP BY story_id")
        .fetch_all(&library.db.readers)
        .await
        .unwrap();
    assert_eq!(groups, [(1, 400)]);
    assert!(costs[2] <= costs[1] * 5 / 4, "{costs:?}");
}

#[tokio::test]
async fn an_item_is_compared_with_a_limited_number_of_others_at_its_place() {
    let (_folder, library, feed) = library().await;
    let at_one_place = |number: i64| {
        let item = NewItem { digest: number.to_le_bytes().to_vec(), ..item(&number.to_string(), 1) };
        Intent::Insert(Box::new(item))
    };
    store(&library, feed, (0..3000).map(at_one_place).collect()).await;
    let known = async |urls: &[String], dates: &[Millis]| {
        settle::known_items(&library.db.readers, feed, &[], urls, &[], dates).await.unwrap()
    };
    for (urls, dates) in [(vec!["https://a.example/1".to_owned(); 2], vec![]), (vec![], vec![DAY, DAY + 1])] {
        let found = known(&urls, &dates).await;
        assert_eq!((found.len(), found.iter().map(|item| item.id).max()), (1000, Some(3000)), "{urls:?} {dates:?}");
    }
}

#[tokio::test]
async fn a_result_of_the_former_address_is_not_stored() {
    let (_folder, library, feed) = library().await;
    let poll = library.polls().list().await.unwrap().remove(0);
    assert_eq!(library.polls().store(&[&polled(&poll)]).await.unwrap()[0].new, 1);
    library.feeds().set_url(feed, "https://a.example/new").await.unwrap();
    let outdated = Stored { outdated: true, ..Stored::default() };
    assert_eq!(library.polls().store(&[&polled(&poll)]).await.unwrap()[0], outdated);
    let now = library.polls().list().await.unwrap().remove(0);
    assert!(now.next_at.is_some_and(|at| at <= library.now()));
    assert_eq!((now.etag, now.failures), (None, 0));

    assert_eq!(library.polls().store_older(feed, &poll.url, &[item("0", 0)], &[], Some(0)).await.unwrap(), 0);
    library.polls().set_offered_feed(feed, &poll.url, "https://a.example/other", None).await.unwrap();
    assert_eq!(library.polls().list().await.unwrap()[0].offered_url, None);
    library.polls().set_offered_feed(feed, &now.url, "https://a.example/other", None).await.unwrap();
    assert_eq!(library.polls().list().await.unwrap()[0].offered_url.as_deref(), Some("https://a.example/other"));
}

#[tokio::test]
async fn a_discarded_result_counts_its_request_and_holds_its_host_back() {
    let (_folder, library, feed) = library().await;
    let poll = crate::Poll { checked_at: Some(1), ..library.polls().list().await.unwrap().remove(0) };
    let until = library.now() + DAY;
    let waits = |host: &str| Incoming {
        wait: Some((host.to_owned(), until)),
        exchange: Some(Exchange { bytes: 7, status: Some(429), ..Exchange::default() }),
        ..polled(&poll)
    };
    library.feeds().set_url(feed, "https://a.example/new").await.unwrap();
    library.polls().store(&[&waits("a.example")]).await.unwrap();
    library.feeds().unsubscribe(&[feed]).await.unwrap();
    library.polls().store(&[&waits("b.example")]).await.unwrap();
    let waiting = library.hosts().waiting(library.now(), until).await.unwrap();
    assert_eq!(waiting, ["a.example", "b.example"].map(|host| (host.to_owned(), until)).into());
    let log = library.polls().log(feed).await.unwrap();
    let logged: Vec<_> = log.iter().map(|request| (request.status, request.bytes, request.new_items)).collect();
    assert_eq!(logged, [(Some(429), 7, 0); 2]);
    let sql = "SELECT requests, bytes FROM polls WHERE feed_id = ?";
    let totals: (i64, i64) = sqlx::query_as(sql).bind(feed).fetch_one(&library.db.readers).await.unwrap();
    assert_eq!(totals, (2, 14));
    assert_eq!(items(&library, feed).await, []);
}

/// A poll that brought an item and failed afterwards, so that the next one is far away.
fn polled(poll: &crate::Poll) -> Incoming {
    let poll = crate::Poll { etag: Some(b"old".to_vec()), failures: 3, next_at: Some(i64::MAX), ..poll.clone() };
    Incoming { poll, ..incoming(0, vec![insert("1", 1)]) }
}
