//! The index follows the library: batch by batch, each short enough not to hold up whoever writes beside it, and each as it is
//! or not at all. What is left when a process ends is done by the next one.

use crate::SearchError;
use gleaner_library::{Body, CommonWords, Indexed, Library, TakenIn};
use std::{sync::Arc, time::Duration};

/// While nobody else wants to write, the writer is held for so long at a time, about.
const SLICE: Duration = Duration::from_millis(80);
/// Articles of a batch: where it begins, and between what it moves. Less than the least would be one wait for the disk after the
/// other; the larger the batches, the less FTS5 has to merge.
const FIRST: usize = 64;
const LEAST: usize = 32;
const MOST: usize = 512;
/// After so many articles the parts of the index are merged.
const WORTH_MERGING: usize = 2048;
/// While there are no common words yet they are looked for after so many articles again.
const LOOK_AGAIN: usize = 1024;

/// Puts what the index has not seen into it, the newest first; then merges the index's parts and packs texts that lie as they came in.
/// After each batch `go_on` hears how many articles are done and says whether to. Gives how many were done.
///
/// # Errors
/// When the library cannot be read or written. What was done stays done.
pub async fn catch_up(library: &Arc<Library>, mut go_on: impl FnMut(usize) -> bool) -> Result<usize, SearchError> {
    let mut goes_on = true;
    let done = index(library, |done| {
        goes_on = go_on(done);
        goes_on
    });
    let done = done.await?;
    if done >= WORTH_MERGING {
        while goes_on && library.merge_index().await? {
            goes_on = go_on(done);
        }
    }
    while goes_on && library.pack_texts().await?.is_some() {
        goes_on = go_on(done);
    }
    Ok(done)
}

/// The part of [`catch_up`] that searches need, and all that they wait for.
///
/// # Errors
/// When the library cannot be read or written. What was done stays done.
pub async fn index(library: &Arc<Library>, mut go_on: impl FnMut(usize) -> bool) -> Result<usize, SearchError> {
    let (mut size, mut done, mut below) = (FIRST, 0, None);
    let mut common = Arc::new(library.common_words().await?);
    let mut look_again = LOOK_AGAIN;
    let mut next = prepare(library.clone(), common.clone(), below, size).await?;
    loop {
        if next.is_empty() {
            if below.is_none() {
                return Ok(done);
            }
            // Once more from the top: what came or changed meanwhile.
            below = None;
            next = prepare(library.clone(), common.clone(), below, size).await?;
            continue;
        }
        if common.is_empty() && done >= look_again {
            look_again += LOOK_AGAIN;
            common = Arc::new(library.common_words().await?);
        }
        let batch = std::mem::take(&mut next);
        below = batch.iter().map(Indexed::item).min();
        // The next one is read and taken apart while this one is written.
        let preparing = tokio::spawn(prepare(library.clone(), common.clone(), below, size));
        let taken = library.index(&batch).await?;
        done += taken.articles;
        size = sized(batch.len(), size, &taken);
        next = preparing.await??;
        if !go_on(done) {
            return Ok(done);
        }
    }
}

/// The next batch's size, after one of `length`.
fn sized(length: usize, size: usize, taken: &TakenIn) -> usize {
    if taken.articles < length {
        // Others want to write too.
        taken.articles.max(LEAST)
    } else if taken.held > SLICE {
        (size / 2).max(LEAST)
    } else if length == size && taken.held * 2 < SLICE {
        (size + size / 2).min(MOST)
    } else {
        size
    }
}

async fn prepare(
    library: Arc<Library>,
    common: Arc<CommonWords>,
    below: Option<i64>,
    size: usize,
) -> Result<Vec<Indexed>, SearchError> {
    let batch = library.unindexed(below, size).await?;
    let indexed = move || {
        let indexed = batch.iter().map(|article| {
            let texts = [&article.full, &article.content, &article.summary];
            article.indexed(&plain_text(texts.map(Option::as_ref)), &common)
        });
        indexed.collect()
    };
    Ok(tokio::task::spawn_blocking(indexed).await?)
}

/// What is searched of an article's texts: that from its own page, its feed's, and the short form; what one says already is left out.
pub(crate) fn plain_text([full, content, summary]: [Option<&Body>; 3]) -> String {
    let plain = |body: Option<&Body>| body.map(|body| gleaner_content::plain_text(&body.html)).unwrap_or_default();
    let own = gleaner_content::with_summary(plain(content), &plain(summary));
    if full.is_some() { gleaner_content::with_summary(plain(full), &own) } else { own }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_library::{Incoming, Intent, NewItem, NewSubscription, Poll, SearchOrder, Texts};

    #[test]
    fn batches_keep_to_the_slice() {
        let taken = |articles, milliseconds| TakenIn { articles, held: Duration::from_millis(milliseconds) };
        assert_eq!(sized(100, 100, &taken(100, 10)), 150);
        assert_eq!(sized(5, 100, &taken(5, 2)), 100, "a small rest says nothing");
        assert_eq!(sized(100, 100, &taken(100, 60)), 100);
        assert_eq!(sized(200, 200, &taken(200, 160)), 100);
        assert_eq!(sized(32, 32, &taken(32, 1000)), 32);
        assert_eq!(sized(400, 400, &taken(48, 12)), 48, "somebody else wanted to write");
    }

    #[test]
    fn a_summary_counts_where_it_says_something_else() {
        let body = |html: &str| Some(Body { html: html.to_owned(), base: None });
        let text = |content: &str, summary: &str| plain_text([None, body(content).as_ref(), body(summary).as_ref()]);
        assert_eq!(text("<p>One two</p><p>three</p>", "<b>One</b> two"), "One two\n\nthree");
        assert_eq!(text("<p>One</p>", "Other"), "One\n\nOther");
        assert_eq!(text("", "Other"), "Other");
        let full = body("<p>One</p><p>two</p>");
        assert_eq!(plain_text([full.as_ref(), body("One").as_ref(), None]), "One\n\ntwo");
        assert_eq!(plain_text([full.as_ref(), body("Other").as_ref(), None]), "One\n\ntwo\n\nOther");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_text_that_is_damaged_keeps_no_other_result_back() {
        let folder = tempfile::tempdir().unwrap();
        let library = Arc::new(Library::open(folder.path()).await.unwrap());
        let url = "https://a.example/feed".to_owned();
        let feed_id = library.subscribe(&NewSubscription { url, ..NewSubscription::default() }).await.unwrap();
        let insert = |(at, html): (i64, &str)| {
            let texts = Texts::pack(Some(&Body { html: html.to_owned(), base: None }), None);
            let (key, title, sort_at) = (at.to_string(), "Wheat".to_owned(), at * 1000);
            Intent::Insert(Box::new(NewItem { key, title, sort_at, texts, ..NewItem::default() }))
        };
        let intents = [(1, "rye"), (2, "o-a-t-s")].map(insert).to_vec();
        let incoming = Incoming { poll: Poll { feed_id, ..Poll::default() }, intents, ..Incoming::default() };
        library.store(&[&incoming]).await.unwrap();
        catch_up(&library, |_| true).await.unwrap();
        Arc::into_inner(library).unwrap().close().await.unwrap();
        let file = folder.path().join("library.sqlite");
        let mut bytes = std::fs::read(&file).unwrap();
        let at = bytes.windows(7).position(|window| window == b"o-a-t-s").unwrap();
        bytes[at..at + 7].fill(0xff);
        std::fs::write(&file, bytes).unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        assert!(matches!(library.article_text(2).await, Err(gleaner_library::LibraryError::Damaged { .. })));
        let wheat = gleaner_query::parse("wheat").unwrap();
        let found = crate::search(&library, &wheat, &chrono::Utc::now(), SearchOrder::Date, None, 9).await.unwrap().0;
        let shown: Vec<(i64, &str)> =
            found.iter().map(|found| (found.hit.row.id, found.snippet.text.as_str())).collect();
        assert_eq!(shown, [(2, ""), (1, "rye")]);
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
        // A word that stands in the full text only, which came later, finds it, and so does what the feed says.
        let oats = gleaner_query::parse("oats rye").unwrap();
        assert_eq!(crate::search(&library, &oats, &now, SearchOrder::Date, None, 3).await.unwrap().0, []);
        library.keep_full_text(7, "https://a.example/7", "<p>Fields of oats</p>", false, 1).await.unwrap();
        catch_up(&library, |_| true).await.unwrap();
        let (found, _) = crate::search(&library, &oats, &now, SearchOrder::Date, None, 3).await.unwrap();
        assert_eq!(found.iter().map(|found| found.hit.row.id).collect::<Vec<_>>(), [7]);
        assert_eq!((found[0].snippet.text.as_str(), found[0].snippet.marks.len()), ("Fields of oats Wheat & rye 6", 2));
        library.keep_full_text(7, "https://a.example/7", "<p>Fields of barley</p>", false, 1).await.unwrap();
        catch_up(&library, |_| true).await.unwrap();
        assert_eq!(crate::search(&library, &oats, &now, SearchOrder::Date, None, 3).await.unwrap().0, []);
        let hidden = gleaner_query::parse("hidden").unwrap();
        assert!(crate::search(&library, &hidden, &now, SearchOrder::Rank, None, 3).await.unwrap().0.is_empty());
    }
}
