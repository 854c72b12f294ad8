#![allow(clippy::unwrap_used)]
use super::*;
use crate::{Cursor, FeedScope, Incoming, Intent, Keep, ListQuery, MarkScope, NewItem, NewSubscription, Poll, Source};

fn item(number: i64) -> Intent {
    let (key, title) = (number.to_string(), number.to_string());
    let canonical_url = Some(format!("https://a.example/{number}"));
    Intent::Insert(Box::new(NewItem { key, title, canonical_url, sort_at: number, ..NewItem::default() }))
}

async fn feed(library: &Library, url: &str, items: std::ops::RangeInclusive<i64>) -> i64 {
    let url = url.to_owned();
    let feed_id = library.subscribe(&NewSubscription { url, ..NewSubscription::default() }).await.unwrap();
    let poll = Poll { feed_id, ..Poll::default() };
    let intents = items.map(item).collect();
    library.store(&[&Incoming { poll, intents, ..Incoming::default() }]).await.unwrap();
    feed_id
}

fn quote(exact: &str) -> Quote {
    Quote { exact: exact.to_owned(), prefix: "before ".to_owned(), suffix: " behind".to_owned(), start: 7 }
}

async fn listed(library: &Library) -> Vec<i64> {
    let mut query = ListQuery {
        source: Source::Noted,
        unread_only: false,
        oldest_first: false,
        after: None,
        before: None,
        limit: 2,
    };
    let mut found = Vec::new();
    loop {
        let (rows, more) = library.list(query).await.unwrap();
        found.extend(rows.iter().map(|row| row.id));
        query.after = rows.last().map(|row| Cursor { sort_at: row.sort_at, id: row.id });
        if !more {
            return found;
        }
    }
}

#[tokio::test]
async fn a_note_is_made_changed_and_deleted_and_each_step_can_be_undone() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    feed(&library, "https://a.example/feed", 1..=4).await;
    let (marked, made) = library.add_note(2, Some(&quote("the words")), 1, "").await.unwrap();
    let (whole, _) = library.add_note(2, None, 0, " About it. ").await.unwrap();
    assert_eq!(library.notes(2).await.unwrap(), [whole.clone(), marked.clone()]);
    assert_eq!((whole.note.as_str(), marked.passage()), ("About it.", Some(quote("the words"))));
    library.add_note(4, Some(&quote("more")), 3, "why").await.unwrap();
    library.add_note(3, None, 0, "x").await.unwrap();
    assert_eq!((listed(&library).await, library.noted_count().await.unwrap()), (vec![4, 3, 2], 3));

    let step = library.change_note(marked.id, Some(2), Some("So it is.")).await.unwrap().step;
    assert_eq!(library.notes(2).await.unwrap()[1].note, "So it is.");
    let gone = library.delete_note(marked.id).await.unwrap().step;
    assert_eq!(library.notes(2).await.unwrap(), std::slice::from_ref(&whole));
    library.undo(gone).await.unwrap();
    assert_eq!(library.notes(2).await.unwrap()[1].color, 2);
    library.undo(step).await.unwrap();
    assert_eq!(library.notes(2).await.unwrap(), [whole.clone(), marked.clone()]);
    library.undo(made.step).await.unwrap();
    // One on the whole article that says nothing is none.
    let emptied = library.change_note(whole.id, None, Some(" ")).await.unwrap().step;
    assert_eq!((library.notes(2).await.unwrap(), listed(&library).await), (vec![], vec![4, 3]));
    library.undo(emptied).await.unwrap();
    assert_eq!(library.notes(2).await.unwrap(), [whole]);
    library.mark_list_read(Source::Noted, false, MarkScope::All, None).await.unwrap();
    assert_eq!(library.feed_counts().await.unwrap()[0].unread, 1);
    assert_eq!(library.check(false).await.unwrap().findings, []);
}

#[tokio::test]
async fn what_says_nothing_or_too_much_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    feed(&library, "https://a.example/feed", 1..=1).await;
    let long = Quote { prefix: "x".repeat(LONGEST_CONTEXT + 1), ..quote("q") };
    for (quote, color, note) in [
        (None, 0, " ".to_owned()),
        (Some(quote("\n")), 0, "n".to_owned()),
        (Some(quote(&"x".repeat(LONGEST_QUOTE + 1))), 0, String::new()),
        (Some(long), 0, String::new()),
        (Some(quote("x")), COLORS, String::new()),
        (None, 0, "x".repeat(LONGEST_NOTE + 1)),
    ] {
        let refused = library.add_note(1, quote.as_ref(), color, &note).await;
        assert!(matches!(refused, Err(LibraryError::Invalid(_))), "{quote:?}");
    }
    assert!(matches!(library.add_note(9, None, 0, "x").await, Err(LibraryError::NotFound("article"))));
    assert!(matches!(library.change_note(9, None, None).await, Err(LibraryError::NotFound("note"))));
    assert!(matches!(library.delete_note(9).await, Err(LibraryError::NotFound("note"))));
    let longest = "é".repeat(LONGEST_NOTE / 2);
    assert_eq!(library.add_note(1, None, 0, &longest).await.unwrap().0.note, longest);
}

#[tokio::test]
async fn what_is_noted_is_not_let_go_of_and_comes_back_when_it_is_noted() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    let feed = feed(&library, "https://a.example/feed", 1..=4).await;
    let long_ago = now() - 9 * 24 * 60 * 60 * 1000;
    library.mark(&[1, 2, 3, 4], Some(true), None).await.unwrap();
    sqlx::query("UPDATE states SET read_at = ?")
        .bind(long_ago)
        .execute(library.writer().await.connection())
        .await
        .unwrap();
    let (note, _) = library.add_note(2, Some(&quote("kept")), 0, "").await.unwrap();
    let keep = Keep { days: None, articles: Some(1), bytes: None, keep_unread: true };
    library.keep(FeedScope::Feed(feed), Some(keep), now(), |_| true).await.unwrap();
    let going = async || library.going().await.unwrap().articles;
    assert_eq!(going().await, 2);
    let (_, added) = library.add_note(1, None, 0, "Not this one.").await.unwrap();
    assert_eq!((going().await, listed(&library).await), (1, vec![2, 1]));
    assert_eq!(library.check(false).await.unwrap().findings, []);
    // Without it, it is as any other.
    library.undo(added.step).await.unwrap();
    library.delete_note(note.id).await.unwrap();
    assert_eq!(library.let_go(now(), |_| true).await.unwrap(), 2);
    library.clear_out(now() + 25 * 60 * 60 * 1000, |_| true).await.unwrap();
    assert_eq!(library.check(false).await.unwrap().findings, []);
}

#[tokio::test]
async fn notes_go_with_what_stays_of_a_merge_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    let from = feed(&library, "https://a.example/feed", 1..=2).await;
    let into = feed(&library, "https://b.example/feed", 2..=3).await;
    library.add_note(1, None, 0, "only in the one").await.unwrap();
    let (twin, _) = library.add_note(2, Some(&quote("twin")), 0, "").await.unwrap();
    library.add_note(3, None, 0, "of the other").await.unwrap();
    assert_eq!((library.noted_in(from).await.unwrap(), library.noted_in(into).await.unwrap()), (2, 1));
    let step = library.merge_feeds(from, into).await.unwrap().step;
    assert_eq!((library.notes(2).await.unwrap().len(), library.notes(3).await.unwrap().len()), (0, 2));
    assert_eq!(listed(&library).await, [3, 1]);
    assert_eq!(library.noted_items().await.unwrap(), [3, 1]);
    library.undo(step).await.unwrap();
    assert_eq!(library.notes(2).await.unwrap(), [twin]);
    assert_eq!(listed(&library).await, [3, 2, 1]);
    assert_eq!(library.check(false).await.unwrap().findings, []);
}

#[tokio::test]
async fn a_note_comes_back_on_what_stays_of_a_merge_and_on_nothing_of_a_feed_that_was_left() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    let first = feed(&library, "https://a.example/feed", 1..=2).await;
    let second = feed(&library, "https://b.example/feed", 2..=2).await;
    let third = feed(&library, "https://c.example/feed", 2..=2).await;
    let (alone, _) = library.add_note(1, None, 0, "only in the one").await.unwrap();
    let (twin, _) = library.add_note(2, Some(&quote("twin")), 0, "").await.unwrap();
    let alone_gone = library.delete_note(alone.id).await.unwrap().step;
    let twin_gone = library.delete_note(twin.id).await.unwrap().step;
    library.merge_feeds(first, second).await.unwrap();
    library.merge_feeds(second, third).await.unwrap();
    library.undo(alone_gone).await.unwrap();
    library.undo(twin_gone).await.unwrap();
    assert_eq!(library.notes(1).await.unwrap(), [alone], "it went along with its article");
    assert_eq!(library.notes(4).await.unwrap(), [NoteRow { item_id: 4, ..twin.clone() }]);
    assert_eq!(listed(&library).await, [4, 1]);
    // Of a feed that was only left, it waits until that is taken back.
    let gone = library.delete_note(twin.id).await.unwrap().step;
    let left = library.unsubscribe(&[third]).await.unwrap().step;
    assert!(matches!(library.undo(gone).await, Err(LibraryError::Invalid(_))));
    library.undo(left).await.unwrap();
    library.undo(gone).await.unwrap();
    assert_eq!(listed(&library).await, [4, 1]);
    assert_eq!(library.check(false).await.unwrap().findings, []);
}
