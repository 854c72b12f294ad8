#![allow(clippy::unwrap_used)]

mod property;

use super::*;
use crate::{
    Body, FeedCount, Incoming, Intent, Library, ListQuery, Mark, NewItem, NewSubscription, Source, Texts, now,
};
use std::collections::{BTreeMap, BTreeSet};

fn item(key: &str, at: Millis, words: usize) -> Intent {
    let html: String = (0..words).map(|n| blake3::hash(format!("{key} {n}").as_bytes()).to_hex().to_string()).collect();
    let texts = Texts::pack(Some(&Body { html, base: None }), None);
    Intent::Insert(Box::new(NewItem {
        key: key.to_owned(),
        title: format!("Article {key}"),
        canonical_url: Some(format!("https://a.example/{key}")),
        texts,
        received_at: at,
        sort_at: at,
        published_at: Some(at),
        digest: key.as_bytes().to_vec(),
        ..NewItem::default()
    }))
}

async fn store(library: &Library, feed_id: i64, intents: Vec<Intent>) {
    library.polls().store(&[&Incoming::of_items(feed_id, intents)]).await.unwrap();
}

async fn feed(library: &Library, host: &str, folder: &[&str]) -> i64 {
    let folder = folder.iter().map(|name| (*name).to_owned()).collect();
    let new = NewSubscription { url: format!("https://{host}.example/"), folder, ..NewSubscription::default() };
    library.subscriptions().add(&new).await.unwrap()
}

async fn listed(library: &Library) -> BTreeSet<String> {
    let (source, limit) = (Source::All, 500);
    let query = ListQuery::newest(source, limit);
    library.lists().page(query).await.unwrap().0.into_iter().map(|row| row.title).collect()
}

async fn count(library: &Library, feed: i64) -> FeedCount {
    library.counts().by_feed().await.unwrap().into_iter().find(|count| count.feed_id == feed).unwrap()
}

fn within(articles: i64) -> Option<RetentionPolicy> {
    Some(RetentionPolicy { articles: Some(articles), keep_unread: false, ..RetentionPolicy::EVERYTHING })
}

fn titles(numbers: impl IntoIterator<Item = i64>) -> BTreeSet<String> {
    numbers.into_iter().map(|number| format!("Article {number}")).collect()
}

#[tokio::test]
async fn surplus_articles_expire_can_be_restored_and_are_deleted_a_day_later() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    let feed = feed(&library, "a", &[]).await;
    let begin = now() - 100 * DAY;
    store(&library, feed, (1..=10).map(|n| item(&n.to_string(), begin + n * DAY, 40)).collect()).await;
    library.articles().mark(&[2], None, Some(true)).await.unwrap();
    library.articles().set_marks(&[3], &[(Mark::Kept, true)]).await.unwrap();
    library.tags().set(&[4], "later", true).await.unwrap();

    let preview = library.retention().preview(FeedScope::All, within(5), now()).await.unwrap();
    assert_eq!((preview.articles, preview.feeds.as_slice()), (2, [(feed, 2)].as_slice()));
    assert_eq!(preview.oldest, Some((begin + DAY, "Article 1".to_owned())));
    assert_eq!(preview.newest, Some((begin + 5 * DAY, "Article 5".to_owned())));
    assert!(preview.bytes > 0);
    assert_eq!(listed(&library).await.len(), 10, "a preview changes nothing");

    let done = library.retention().set(FeedScope::All, within(5), now(), |_| true).await.unwrap();
    assert_eq!(done.count, 2);
    assert_eq!(listed(&library).await, titles([2, 3, 4, 6, 7, 8, 9, 10]));
    assert_eq!(
        (count(&library, feed).await.items, library.retention().pending_deletion().await.unwrap().articles),
        (8, 2)
    );
    library.undo(done.step).await.unwrap();
    assert_eq!((listed(&library).await.len(), count(&library, feed).await.items), (10, 10));
    assert_eq!(library.retention().get(FeedScope::All).await.unwrap().0, None, "undo restores the former policy");

    library.retention().set(FeedScope::All, within(5), now(), |_| true).await.unwrap();
    assert_eq!(library.retention().delete_expired(now(), |_| true).await.unwrap(), 0, "not yet");
    // Articles that the user works with stay.
    library.articles().mark(&[1], None, Some(true)).await.unwrap();
    assert!(listed(&library).await.contains("Article 1"));
    assert_eq!(library.retention().delete_expired(now() + DAY + 1, |_| true).await.unwrap(), 1);
    assert!(library.articles().get(5).await.is_err());
    assert_eq!(count(&library, feed).await.items, 9);
    assert!(library.check(false).await.unwrap().is_intact());
    let known = library.polls().known_items(feed, &["5"], &[]).await.unwrap();
    assert!(known.iter().any(|known| known.key == "5" && known.gone.is_some()));
    let known = library.polls().known_items(feed, &[], &["https://a.example/5".to_owned()]).await.unwrap();
    assert!(known.iter().any(|known| known.key == "5" && known.gone.is_some()));
}

#[tokio::test]
async fn the_nearest_policy_applies() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    let (inner, outer, alone) =
        (feed(&library, "a", &["F", "G"]).await, feed(&library, "b", &["F"]).await, feed(&library, "c", &[]).await);
    let begin = now() - 50 * DAY;
    for feed in [inner, outer, alone] {
        let key = |n: i64| format!("{feed} {n}");
        store(&library, feed, (1..=10).map(|n| item(&key(n), begin + n * DAY, 5)).collect()).await;
    }
    let folders = library.folders().list().await.unwrap();
    let f = folders.iter().find(|folder| folder.name == "F").unwrap().id;
    library.retention().set(FeedScope::Feed(inner), Some(RetentionPolicy::EVERYTHING), now(), |_| true).await.unwrap();
    library.retention().set(FeedScope::All, within(7), now(), |_| true).await.unwrap();
    library.retention().set(FeedScope::Folder(f), within(4), now(), |_| true).await.unwrap();
    let items = async || {
        let mut items = Vec::new();
        for feed in [inner, outer, alone] {
            items.push(count(&library, feed).await.items);
        }
        items
    };
    assert_eq!(items().await, [10, 4, 7]);
    assert_eq!(
        library.retention().get(FeedScope::Feed(outer)).await.unwrap(),
        (None, FeedScope::Folder(f), within(4).unwrap())
    );
    assert_eq!(library.retention().get(FeedScope::Folder(f)).await.unwrap().1, FeedScope::All);
    assert_eq!(library.retention().get(FeedScope::Feed(inner)).await.unwrap().0, Some(RetentionPolicy::EVERYTHING));
    // A folder's policy is deleted and restored with it.
    let deleted = library.folders().delete(f).await.unwrap();
    assert_eq!(library.retention().get(FeedScope::Feed(outer)).await.unwrap().1, FeedScope::All);
    library.undo(deleted.step).await.unwrap();
    let (_, from, policy) = library.retention().get(FeedScope::Feed(outer)).await.unwrap();
    assert!(matches!(from, FeedScope::Folder(_)) && policy == within(4).unwrap());
    assert!(library.check(false).await.unwrap().is_intact());
    for wrong in [FeedScope::Feed(99), FeedScope::Folder(99)] {
        assert!(matches!(
            library.retention().set(wrong, within(1), now(), |_| true).await,
            Err(LibraryError::NotFound(_))
        ));
    }
    assert!(matches!(
        library.retention().set(FeedScope::All, within(0), now(), |_| true).await,
        Err(LibraryError::Refused(_))
    ));
}

#[tokio::test]
async fn a_stopped_run_continues_and_everything_can_be_restored() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    let feed = feed(&library, "a", &[]).await;
    store(&library, feed, (1..=300).map(|n| item(&n.to_string(), now() - (400 - n) * DAY, 1)).collect()).await;
    let some = library.retention().set(FeedScope::All, within(1), now(), |_| false).await.unwrap().count;
    assert!(some > 0 && some < 299, "{some}");
    assert_eq!(library.retention().expire(now(), |_| true).await.unwrap(), 299 - some);
    assert_eq!(library.retention().restore_all().await.unwrap(), 299);
    assert_eq!(library.retention().expire(now(), |_| true).await.unwrap(), 0, "restored articles are protected");
    assert_eq!(
        (count(&library, feed).await.items, library.retention().pending_deletion().await.unwrap().next_at),
        (300, None)
    );
    assert!(library.check(false).await.unwrap().is_intact());
}

#[tokio::test]
async fn deleting_returns_free_pages() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    let feed = feed(&library, "a", &[]).await;
    let pages = async || {
        let count: i64 = sqlx::query_scalar("PRAGMA page_count").fetch_one(&library.db.readers).await.unwrap();
        count
    };
    let empty = pages().await;
    store(&library, feed, (1..=400).map(|n| item(&n.to_string(), now() - (500 - n) * DAY, 200)).collect()).await;
    let full = pages().await - empty;
    library.retention().set(FeedScope::All, within(10), now(), |_| true).await.unwrap();
    assert_eq!(library.retention().delete_expired(now() + 2 * DAY, |_| true).await.unwrap(), 390);
    let left = pages().await - empty;
    assert!(left * 3 < full, "{left} of {full} pages");
}

#[tokio::test]
async fn what_waits_to_be_saved_or_played_stays() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    let feed = feed(&library, "a", &[]).await;
    store(&library, feed, (1..=12).map(|n| item(&n.to_string(), now() - (90 - n) * DAY, 1)).collect()).await;
    let sql = "INSERT INTO share_services (id, kind, name, address, user_name) VALUES (1, 'folder', 'Notes', '/notes', '');
        INSERT INTO share_queue (service_id, item_id, added_at, error_code) VALUES (1, 1, 5, NULL), (1, 2, 5, 'refused');
        INSERT INTO play_queue (item_id, url, position) VALUES (3, 'a.mp3', 1);
        INSERT INTO episodes (item_id, url, at, state) VALUES (4, 'a.mp3', 1, 0), (5, 'a.mp3', 1, 1), (6, 'a.mp3', 1, 2), (7, 'a.mp3', 1, 1), (10, 'a.mp3', 1, 2);
        INSERT INTO playback (item_id, url, seconds, finished, at) VALUES (7, 'a.mp3', 9, 1, 1)";
    sqlx::raw_sql(sql).execute(library.db.writer().await.connection()).await.unwrap();
    let days = RetentionPolicy { days: Some(30), keep_unread: false, ..RetentionPolicy::EVERYTHING };
    library.retention().set(FeedScope::All, Some(days), now(), |_| true).await.unwrap();
    // The downloads of 6 and 10 failed, and 7 was played to its end.
    assert_eq!(listed(&library).await, titles(1..=5));
    // An expired article may still be open.
    let sql = "INSERT INTO share_queue (service_id, item_id, added_at) VALUES (1, 8, 6);
        INSERT INTO play_queue (item_id, url, position) VALUES (9, 'a.mp3', 2);
        INSERT INTO episodes (item_id, url, at) VALUES (6, 'b.mp3', 1);
        UPDATE episodes SET state = 0 WHERE item_id = 10;
        UPDATE play_queue SET item_id = 11 WHERE item_id = 3; UPDATE share_queue SET item_id = 12 WHERE item_id = 1";
    sqlx::raw_sql(sql).execute(library.db.writer().await.connection()).await.unwrap();
    library.retention().delete_expired(now() + 2 * DAY, |_| true).await.unwrap();
    assert_eq!(listed(&library).await, titles([1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12]));
    assert_eq!(library.check(false).await.unwrap().findings, []);
}

#[tokio::test]
async fn size_and_age_are_bounds_too() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    let feed = feed(&library, "a", &[]).await;
    store(&library, feed, (1..=20).map(|n| item(&n.to_string(), now() - (21 - n) * 10 * DAY, 50)).collect()).await;
    let days = RetentionPolicy { days: Some(95), keep_unread: false, ..RetentionPolicy::EVERYTHING };
    assert_eq!(library.retention().preview(FeedScope::All, Some(days), now()).await.unwrap().articles, 11);
    let unread = RetentionPolicy { keep_unread: true, ..days };
    assert_eq!(library.retention().preview(FeedScope::All, Some(unread), now()).await.unwrap().articles, 0);
    // Recently read articles stay for a while, however old they are.
    library.articles().mark(&(1..=20).collect::<Vec<_>>(), Some(true), None).await.unwrap();
    assert_eq!(library.retention().preview(FeedScope::All, Some(unread), now()).await.unwrap().articles, 0);
    assert_eq!(library.retention().preview(FeedScope::All, Some(unread), now() + 96 * DAY).await.unwrap().articles, 20);
    let size = "SELECT sum(length(content)) FROM bodies WHERE item_id > 14";
    let six: i64 = sqlx::query_scalar(size).fetch_one(&library.db.readers).await.unwrap();
    let bytes = RetentionPolicy { bytes: Some(six), keep_unread: false, ..RetentionPolicy::EVERYTHING };
    let preview = library.retention().preview(FeedScope::Feed(feed), Some(bytes), now() + 2 * DAY).await.unwrap();
    assert_eq!((preview.articles, preview.newest.unwrap().1), (14, "Article 14".to_owned()));
}

#[tokio::test]
async fn expiry_reads_the_index_of_the_feed() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    let sql = format!("EXPLAIN QUERY PLAN SELECT i.id {EXPIRES} ORDER BY i.sort_at, i.id LIMIT 10");
    let plan: Vec<(i64, i64, i64, String)> =
        sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(&library.db.readers).await.unwrap();
    let plan: Vec<String> = plan.into_iter().map(|row| row.3).collect();
    assert!(plan[0].contains("items_by_feed (feed_id=? AND sort_at<?)"), "{plan:?}");
    assert!(plan.iter().all(|step| !step.contains("SCAN") && !step.contains("TEMP B-TREE")), "{plan:?}");
}

#[tokio::test]
async fn no_id_is_used_twice() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    let other = feed(&library, "b", &[]).await;
    let feed_id = feed(&library, "a", &["F"]).await;
    let long_ago = now() - 100 * DAY;
    store(&library, feed_id, (1..=3).map(|n| item(&n.to_string(), long_ago + n * DAY, 1)).collect()).await;
    let starred = library.articles().mark(&[3], None, Some(true)).await.unwrap();
    library.articles().mark(&[3], None, Some(false)).await.unwrap();
    let days = Some(RetentionPolicy { days: Some(1), keep_unread: false, ..RetentionPolicy::EVERYTHING });
    library.retention().set(FeedScope::Feed(feed_id), days, now(), |_| true).await.unwrap();
    assert_eq!(library.retention().delete_expired(now() + 2 * DAY, |_| true).await.unwrap(), 3);
    library.retention().set(FeedScope::Feed(feed_id), None, now(), |_| true).await.unwrap();
    store(&library, feed_id, vec![item("new", now(), 1)]).await;
    let new = library.polls().known_items(feed_id, &["new"], &[]).await.unwrap();
    let new = new.iter().find(|known| known.key == "new").unwrap().id;
    assert_eq!(new, 4);
    library.articles().mark(&[new], None, Some(true)).await.unwrap();
    library.undo(starred.step).await.unwrap();
    assert!(library.articles().get(new).await.unwrap().starred, "the old undo step belongs to a deleted article");

    let inner = library.folders().create("Inner", None).await.unwrap();
    library.folders().delete(inner).await.unwrap();
    assert_eq!(library.folders().create("Another", None).await.unwrap(), inner + 1);
    let search = library.saved_searches().add("one", "word").await.unwrap();
    library.saved_searches().delete(search).await.unwrap();
    assert_eq!(library.saved_searches().add("two", "word").await.unwrap(), search + 1);
    library.feeds().unsubscribe(&[feed_id]).await.unwrap();
    let mut writer = library.db.writer().await;
    let mut transaction = writer.begin().await.unwrap();
    sqlx::query("DELETE FROM feeds WHERE unsubscribed_at IS NOT NULL").execute(&mut *transaction).await.unwrap();
    transaction.commit().await.unwrap();
    drop(writer);
    assert!(feed_id > other);
    assert_eq!(feed(&library, "c", &[]).await, feed_id + 1);
    store(&library, other, vec![item("newer", now(), 1)]).await;
    let newer = library.polls().known_items(other, &["newer"], &[]).await.unwrap();
    assert_eq!(newer[0].id, new + 1, "nor are ids of articles deleted with their feed");
    assert!(library.check(false).await.unwrap().findings.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn expiry_by_a_former_policy_stops() {
    let folder = tempfile::tempdir().unwrap();
    let (library, other) = (Library::open(folder.path()).await.unwrap(), Library::open(folder.path()).await.unwrap());
    let feed = feed(&library, "a", &[]).await;
    let begin = now() - 1000 * DAY;
    store(&library, feed, (1..=300).map(|n| item(&n.to_string(), begin + n * DAY, 1)).collect()).await;
    library.retention().set(FeedScope::All, within(1), now(), |_| false).await.unwrap();
    let before = listed(&library).await.len();
    let everything = || {
        let policy = other.retention().set(FeedScope::All, None, now(), |_| true);
        tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(policy)).unwrap()
    };
    let gone = library.retention().expire(now(), |_| everything().count == 0).await.unwrap();
    assert_eq!((gone, listed(&library).await.len()), (INITIAL_SLICE, before - INITIAL_SLICE));
}

#[tokio::test]
async fn articles_expired_by_a_wrong_clock_are_restored() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    let feed = feed(&library, "a", &[]).await;
    let long_ago = now() - 1000 * DAY;
    store(&library, feed, vec![item("old", long_ago, 1), item("new", now(), 1)]).await;
    library
        .retention()
        .set(
            FeedScope::All,
            Some(RetentionPolicy { days: Some(365), keep_unread: false, ..RetentionPolicy::EVERYTHING }),
            long_ago,
            |_| true,
        )
        .await
        .unwrap();
    assert_eq!(library.retention().expire(now() + 5000 * DAY, |_| true).await.unwrap(), 2);
    let gone = library.retention().expire(now(), |_| true).await.unwrap();
    assert_eq!((gone, listed(&library).await), (1, BTreeSet::from(["Article new".to_owned()])));
    assert!(library.retention().pending_deletion().await.unwrap().next_at.unwrap() <= now() + 2 * DAY);
    assert!(library.check(false).await.unwrap().findings.is_empty());
}

#[tokio::test]
async fn a_large_unsubscribed_feed_is_deleted_later_and_a_small_one_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    let (large, small) = (feed(&library, "large", &[]).await, feed(&library, "small", &[]).await);
    let items = |count: i64| (1..=count).map(|n| item(&n.to_string(), n, 0)).collect();
    store(&library, large, items(crate::open::PURGED_AT_ONCE + 1)).await;
    store(&library, small, items(3)).await;
    let left = library.feeds().unsubscribe(&[large]).await.unwrap();
    library.feeds().unsubscribe(&[small]).await.unwrap();
    assert_eq!(library.retention().delete_expired(now(), |_| true).await.unwrap(), 0);
    let long_ago = "UPDATE feeds SET unsubscribed_at = unsubscribed_at - 25 * 3600000";
    sqlx::raw_sql(long_ago).execute(library.db.writer().await.connection()).await.unwrap();
    assert!(matches!(library.undo(left.step).await, Err(LibraryError::NotFound("feed"))));
    library.close().await.unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    let there = async |library: &Library| {
        let sql = "SELECT (SELECT count(*) FROM feeds), (SELECT count(*) FROM items)";
        sqlx::query_as::<_, (i64, i64)>(sql).fetch_one(&library.db.readers).await.unwrap()
    };
    assert_eq!(there(&library).await, (1, crate::open::PURGED_AT_ONCE + 1));
    assert_eq!(library.retention().delete_expired(now(), |_| false).await.unwrap(), INITIAL_SLICE);
    library.retention().delete_expired(now(), |_| true).await.unwrap();
    assert_eq!(there(&library).await, (0, 0));
    assert!(library.check(false).await.unwrap().findings.is_empty());
}

#[tokio::test]
async fn articles_shown_again_by_undo_do_not_expire() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    let feed = feed(&library, "a", &[]).await;
    let long_ago = now() - 1000 * DAY;
    store(&library, feed, (1..=3).map(|n| item(&n.to_string(), long_ago + n, 1)).collect()).await;
    let bound = Some(RetentionPolicy { days: Some(365), ..RetentionPolicy::EVERYTHING });
    assert_eq!(
        library.retention().set(FeedScope::All, bound, now(), |_| true).await.unwrap().count,
        0,
        "all are unread"
    );
    let hidden = library.articles().set_marks(&[1, 2], &[(Mark::Hidden, true)]).await.unwrap();
    assert_eq!(library.retention().expire(now(), |_| true).await.unwrap(), 2, "hidden articles expire although unread");
    library.undo(hidden.step).await.unwrap();
    assert_eq!(
        (listed(&library).await, library.retention().pending_deletion().await.unwrap().articles),
        (titles(1..=3), 0)
    );
    assert_eq!(
        (library.retention().expire(now(), |_| true).await.unwrap(), count(&library, feed).await.unread),
        (0, 3)
    );
    assert!(library.check(false).await.unwrap().findings.is_empty());
}
