#![allow(clippy::unwrap_used)]
use super::*;
use crate::{
    FeedScope, Incoming, Intent, Library, ListQuery, MarkScope, NewItem, NewSubscription, Order, RetentionPolicy, Row,
    Source, now,
};

fn item(number: i64) -> Intent {
    let (key, title) = (number.to_string(), number.to_string());
    let canonical_url = Some(format!("https://a.example/{number}"));
    Intent::Insert(Box::new(NewItem { key, title, canonical_url, sort_at: number, ..NewItem::default() }))
}

async fn feed(library: &Library, url: &str, items: std::ops::RangeInclusive<i64>) -> i64 {
    let feed_id = library.subscriptions().add(&NewSubscription::new(url)).await.unwrap();
    let intents = items.map(item).collect();
    library.polls().store(&[&Incoming::of_items(feed_id, intents)]).await.unwrap();
    feed_id
}

fn quote(exact: &str) -> Quote {
    Quote { exact: exact.to_owned(), prefix: "before ".to_owned(), suffix: " behind".to_owned(), start: 7 }
}

async fn listed(library: &Library) -> Vec<i64> {
    let mut query = ListQuery::newest(Source::Noted, 2);
    let mut found = Vec::new();
    loop {
        let (rows, more) = library.lists().page(query).await.unwrap();
        found.extend(rows.iter().map(|row| row.id));
        query.after = rows.last().map(Row::cursor);
        if !more {
            return found;
        }
    }
}

#[tokio::test]
async fn a_note_can_be_added_changed_and_deleted_and_each_step_undone() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    feed(&library, "https://a.example/feed", 1..=4).await;
    let (marked, made) = library.notes().add(2, Some(&quote("the words")), 1, "").await.unwrap();
    let (whole, _) = library.notes().add(2, None, 0, " About it. ").await.unwrap();
    assert_eq!(library.notes().of_article(2).await.unwrap(), [whole.clone(), marked.clone()]);
    assert_eq!((whole.note.as_str(), marked.passage()), ("About it.", Some(quote("the words"))));
    library.notes().add(4, Some(&quote("more")), 3, "why").await.unwrap();
    library.notes().add(3, None, 0, "x").await.unwrap();
    assert_eq!((listed(&library).await, library.notes().count_articles().await.unwrap()), (vec![4, 3, 2], 3));

    let step = library.notes().change(marked.id, Some(2), Some("So it is.")).await.unwrap().step;
    assert_eq!(library.notes().of_article(2).await.unwrap()[1].note, "So it is.");
    let gone = library.notes().delete(marked.id).await.unwrap().step;
    assert_eq!(library.notes().of_article(2).await.unwrap(), std::slice::from_ref(&whole));
    library.undo(gone).await.unwrap();
    assert_eq!(library.notes().of_article(2).await.unwrap()[1].color, 2);
    library.undo(step).await.unwrap();
    assert_eq!(library.notes().of_article(2).await.unwrap(), [whole.clone(), marked.clone()]);
    // Undoing a change of the colour leaves a later change of the text, and the reverse.
    let color = library.notes().change(marked.id, Some(2), None).await.unwrap().step;
    let text = library.notes().change(marked.id, None, Some("Later.")).await.unwrap().step;
    library.undo(color).await.unwrap();
    let note = library.notes().of_article(2).await.unwrap().remove(1);
    assert_eq!((note.color, note.note.as_str()), (1, "Later."));
    library.undo(text).await.unwrap();
    assert_eq!(library.notes().of_article(2).await.unwrap(), [whole.clone(), marked.clone()]);
    library.undo(made.step).await.unwrap();
    // An empty note on the whole article is deleted.
    let emptied = library.notes().change(whole.id, None, Some(" ")).await.unwrap().step;
    assert_eq!((library.notes().of_article(2).await.unwrap(), listed(&library).await), (vec![], vec![4, 3]));
    library.undo(emptied).await.unwrap();
    assert_eq!(library.notes().of_article(2).await.unwrap(), [whole]);
    library.articles().mark_list_read(Source::Noted, Order::Newest, MarkScope::All, None).await.unwrap();
    assert_eq!(library.counts().by_feed().await.unwrap()[0].unread, 1);
    assert_eq!(library.check(false).await.unwrap().findings, []);
}

#[tokio::test]
async fn refuses_empty_and_too_long_notes() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    feed(&library, "https://a.example/feed", 1..=1).await;
    let long = Quote { prefix: "x".repeat(MAX_CONTEXT + 1), ..quote("q") };
    for (quote, color, note) in [
        (None, 0, " ".to_owned()),
        (Some(quote("\n")), 0, "n".to_owned()),
        (Some(quote(&"x".repeat(MAX_QUOTE + 1))), 0, String::new()),
        (Some(long), 0, String::new()),
        (Some(quote("x")), COLORS, String::new()),
        (None, 0, "x".repeat(MAX_NOTE + 1)),
    ] {
        let refused = library.notes().add(1, quote.as_ref(), color, &note).await;
        assert!(matches!(refused, Err(LibraryError::Refused(_))), "{quote:?}");
    }
    assert!(matches!(library.notes().add(9, None, 0, "x").await, Err(LibraryError::NotFound("article"))));
    assert!(matches!(library.notes().change(9, None, None).await, Err(LibraryError::NotFound("note"))));
    assert!(matches!(library.notes().delete(9).await, Err(LibraryError::NotFound("note"))));
    let longest = "é".repeat(MAX_NOTE / 2);
    assert_eq!(library.notes().add(1, None, 0, &longest).await.unwrap().0.note, longest);
}

#[tokio::test]
async fn noted_articles_do_not_expire_and_a_note_restores_expired_ones() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    let feed = feed(&library, "https://a.example/feed", 1..=4).await;
    let long_ago = now() - 9 * 24 * 60 * 60 * 1000;
    library.articles().mark(&[1, 2, 3, 4], Some(true), None).await.unwrap();
    sqlx::query("UPDATE states SET read_at = ?")
        .bind(long_ago)
        .execute(library.db.writer().await.connection())
        .await
        .unwrap();
    let (note, _) = library.notes().add(2, Some(&quote("kept")), 0, "").await.unwrap();
    let keep = RetentionPolicy { days: None, articles: Some(1), bytes: None, keep_unread: true };
    library.retention().set(FeedScope::Feed(feed), Some(keep), now(), |_| true).await.unwrap();
    let pending = async || library.retention().pending_deletion().await.unwrap().articles;
    assert_eq!(pending().await, 2);
    let (_, added) = library.notes().add(1, None, 0, "Not this one.").await.unwrap();
    assert_eq!((pending().await, listed(&library).await), (1, vec![2, 1]));
    assert_eq!(library.check(false).await.unwrap().findings, []);
    // Without notes it is like any other.
    library.undo(added.step).await.unwrap();
    library.notes().delete(note.id).await.unwrap();
    assert_eq!(library.retention().expire(now(), |_| true).await.unwrap(), 2);
    library.retention().delete_expired(now() + 25 * 60 * 60 * 1000, |_| true).await.unwrap();
    assert_eq!(library.check(false).await.unwrap().findings, []);
}

#[tokio::test]
async fn merging_moves_notes_and_undo_moves_them_back() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    let from = feed(&library, "https://a.example/feed", 1..=2).await;
    let into = feed(&library, "https://b.example/feed", 2..=3).await;
    library.notes().add(1, None, 0, "only in the one").await.unwrap();
    let (duplicate, _) = library.notes().add(2, Some(&quote("twin")), 0, "").await.unwrap();
    library.notes().add(3, None, 0, "of the other").await.unwrap();
    assert_eq!(
        (
            library.notes().count_articles_of_feed(from).await.unwrap(),
            library.notes().count_articles_of_feed(into).await.unwrap()
        ),
        (2, 1)
    );
    let step = library.subscriptions().merge(from, into).await.unwrap().step;
    assert_eq!(
        (library.notes().of_article(2).await.unwrap().len(), library.notes().of_article(3).await.unwrap().len()),
        (0, 2)
    );
    assert_eq!(listed(&library).await, [3, 1]);
    assert_eq!(library.notes().articles().await.unwrap(), [3, 1]);
    library.undo(step).await.unwrap();
    assert_eq!(library.notes().of_article(2).await.unwrap(), [duplicate]);
    assert_eq!(listed(&library).await, [3, 2, 1]);
    assert_eq!(library.check(false).await.unwrap().findings, []);
}

#[tokio::test]
async fn a_note_is_restored_on_the_merged_article_and_refused_on_an_unsubscribed_feed() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    let first = feed(&library, "https://a.example/feed", 1..=2).await;
    let second = feed(&library, "https://b.example/feed", 2..=2).await;
    let third = feed(&library, "https://c.example/feed", 2..=2).await;
    let (alone, _) = library.notes().add(1, None, 0, "only in the one").await.unwrap();
    let (duplicate, _) = library.notes().add(2, Some(&quote("twin")), 0, "").await.unwrap();
    let alone_gone = library.notes().delete(alone.id).await.unwrap().step;
    let duplicate_deleted = library.notes().delete(duplicate.id).await.unwrap().step;
    library.subscriptions().merge(first, second).await.unwrap();
    library.subscriptions().merge(second, third).await.unwrap();
    library.undo(alone_gone).await.unwrap();
    library.undo(duplicate_deleted).await.unwrap();
    assert_eq!(library.notes().of_article(1).await.unwrap(), [alone], "it went along with its article");
    assert_eq!(library.notes().of_article(4).await.unwrap(), [NoteRow { item_id: 4, ..duplicate.clone() }]);
    assert_eq!(listed(&library).await, [4, 1]);
    // On an article of an unsubscribed feed, undoing fails until the feed is restored.
    let gone = library.notes().delete(duplicate.id).await.unwrap().step;
    let left = library.feeds().unsubscribe(&[third]).await.unwrap().step;
    assert!(matches!(library.undo(gone).await, Err(LibraryError::Refused(_))));
    library.undo(left).await.unwrap();
    library.undo(gone).await.unwrap();
    assert_eq!(listed(&library).await, [4, 1]);
    assert_eq!(library.check(false).await.unwrap().findings, []);
}
