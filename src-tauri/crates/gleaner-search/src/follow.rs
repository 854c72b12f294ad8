//! The index follows the library: batch by batch, each short enough not to hold up whoever writes beside it, and each as it is
//! or not at all. What is left when a process ends is done by the next one.

use crate::SearchError;
use gleaner_library::{Body, Indexed, Library};
use std::{sync::Arc, time::Duration};

/// The writer is held for so long at a time, about.
const SLICE: Duration = Duration::from_millis(10);
/// Articles of a batch: where it begins, and between what it moves. Less than the least would be one wait for the disk after the
/// other.
const FIRST: usize = 64;
const LEAST: usize = 64;
const MOST: usize = 512;

/// Puts what the index has not seen into it, the newest first. After each batch `go_on` hears how many articles are done and says
/// whether to. Gives how many were done.
///
/// # Errors
/// When the library cannot be read or written. What was done stays done.
pub async fn catch_up(library: &Arc<Library>, mut go_on: impl FnMut(usize) -> bool) -> Result<usize, SearchError> {
    let (mut size, mut done, mut below) = (FIRST, 0, None);
    let mut next = prepare(library.clone(), below, size).await?;
    loop {
        if next.is_empty() {
            if below.is_none() {
                return Ok(done);
            }
            // Once more from the top: what came or changed meanwhile.
            below = None;
            next = prepare(library.clone(), below, size).await?;
            continue;
        }
        let batch = std::mem::take(&mut next);
        below = batch.iter().map(Indexed::item).min();
        // The next one is read and taken apart while this one is written.
        let preparing = tokio::spawn(prepare(library.clone(), below, size));
        let held = library.index(&batch).await?;
        done += batch.len();
        size = sized(batch.len(), size, held);
        next = preparing.await??;
        if !go_on(done) {
            return Ok(done);
        }
    }
}

/// The next batch's size, after one of `length` held the writer for so long.
fn sized(length: usize, size: usize, held: Duration) -> usize {
    if held > SLICE {
        (size / 2).max(LEAST)
    } else if length == size && held * 2 < SLICE {
        (size + size / 2).min(MOST)
    } else {
        size
    }
}

async fn prepare(library: Arc<Library>, below: Option<i64>, size: usize) -> Result<Vec<Indexed>, SearchError> {
    let batch = library.unindexed(below, size).await?;
    let indexed = move || {
        let indexed = batch
            .iter()
            .map(|article| article.indexed(&plain_text(article.content.as_ref(), article.summary.as_ref())));
        indexed.collect()
    };
    Ok(tokio::task::spawn_blocking(indexed).await?)
}

/// What is searched of an article's text: the fullest there is, and a short form that says something else.
pub(crate) fn plain_text(content: Option<&Body>, summary: Option<&Body>) -> String {
    let plain = |body: Option<&Body>| body.map(|body| gleaner_content::plain_text(&body.html)).unwrap_or_default();
    let (mut text, summary) = (plain(content), plain(summary));
    if !text.contains(&summary) {
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        text.push_str(&summary);
    }
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_library::{Incoming, Intent, NewItem, NewSubscription, Poll, SearchOrder, Texts};

    #[test]
    fn batches_keep_to_the_slice() {
        assert_eq!(sized(100, 100, Duration::from_millis(2)), 150);
        assert_eq!(sized(5, 100, Duration::from_millis(2)), 100, "a small rest says nothing");
        assert_eq!(sized(100, 100, Duration::from_millis(7)), 100);
        assert_eq!(sized(200, 200, Duration::from_millis(70)), 100);
        assert_eq!(sized(64, 64, Duration::from_secs(1)), 64);
    }

    #[test]
    fn a_summary_counts_where_it_says_something_else() {
        let body = |html: &str| Some(Body { html: html.to_owned(), base: None });
        let text = |content: &str, summary: &str| plain_text(body(content).as_ref(), body(summary).as_ref());
        assert_eq!(text("<p>One two</p><p>three</p>", "<b>One</b> two"), "One two\n\nthree");
        assert_eq!(text("<p>One</p>", "Other"), "One\n\nOther");
        assert_eq!(text("", "Other"), "Other");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_came_in_is_found_with_its_words_and_a_stop_loses_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let library = Arc::new(Library::open(folder.path()).await.unwrap());
        let url = "https://a.example/feed".to_owned();
        let feed = library.subscribe(&NewSubscription { url, ..NewSubscription::default() }).await.unwrap();
        let insert = |number: i64| {
            let body =
                Body { html: format!("<p>Wheat &amp; <b>rye</b></p><script>hidden</script> {number}"), base: None };
            Intent::Insert(Box::new(NewItem {
                key: number.to_string(),
                title: format!("Wheat {number}"),
                sort_at: number,
                texts: Texts::pack(Some(&body), None),
                ..NewItem::default()
            }))
        };
        let intents = (0..200).map(insert).collect();
        let incoming = Incoming { poll: Poll { feed_id: feed, ..Poll::default() }, intents, ..Incoming::default() };
        library.store(&[&incoming]).await.unwrap();
        let some = catch_up(&library, |_| false).await.unwrap();
        assert!((1..200).contains(&some), "{some}");
        assert_eq!(some + catch_up(&library, |_| true).await.unwrap(), 200);
        assert_eq!(library.index_state().await.unwrap().waiting, 0);

        let now = chrono::Utc::now();
        let query = gleaner_query::parse("wheat \"wheat rye\"").unwrap();
        let (found, more) = crate::search(&library, &query, &now, SearchOrder::Date, None, 3).await.unwrap();
        assert!(more && found.len() == 3);
        let marked = std::slice::from_ref::<std::ops::Range<usize>>;
        assert_eq!((found[0].hit.row.title.as_str(), &found[0].title[..]), ("Wheat 199", marked(&(0..5))));
        assert_eq!(
            (found[0].snippet.text.as_str(), &found[0].snippet.marks[..]),
            ("Wheat & rye 199", marked(&(0..11)))
        );
        let hidden = gleaner_query::parse("hidden").unwrap();
        assert!(crate::search(&library, &hidden, &now, SearchOrder::Rank, None, 3).await.unwrap().0.is_empty());
    }
}
