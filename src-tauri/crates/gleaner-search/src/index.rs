//! Updates the search index in batches. Each batch is a transaction that is short enough not to block other writers. The next
//! update continues an interrupted one.

use crate::SearchError;
use gleaner_library::{Body, CommonWords, Indexed, IndexedBatch, Library};
use std::{sync::Arc, time::Duration};

/// Approximate time for which a batch occupies the writer.
const SLICE: Duration = Duration::from_millis(80);
/// Number of articles in a batch: initial, minimum and maximum. Small batches wait for the disk too often; after larger
/// batches FTS5 has less to merge.
const INITIAL_BATCH: usize = 64;
const MIN_BATCH: usize = 32;
const MAX_BATCH: usize = 512;
/// Number of indexed articles after which the index is merged.
const MERGE_AFTER: usize = 2048;
/// While there are no common words, they are determined again after this many articles.
const COMMON_WORDS_AFTER: usize = 1024;

/// Indexes new and changed articles, newest first, then merges the index and compresses stored texts.
///
/// `go_on` is called after each batch with the number of indexed articles and returns whether to continue. Returns the
/// number of indexed articles.
///
/// # Errors
/// If the library cannot be read or written. Finished batches are kept.
pub async fn catch_up(library: &Arc<Library>, mut go_on: impl FnMut(usize) -> bool) -> Result<usize, SearchError> {
    let mut continues = true;
    let done = index(library, |done| {
        continues = go_on(done);
        continues
    });
    let done = done.await?;
    if done >= MERGE_AFTER {
        while continues && library.search_index().merge().await? {
            continues = go_on(done);
        }
    }
    while continues && library.dictionaries().recompress_texts().await?.is_some() {
        continues = go_on(done);
    }
    Ok(done)
}

/// Indexes new and changed articles: the part of [`catch_up`] that searches wait for.
///
/// # Errors
/// If the library cannot be read or written. Finished batches are kept.
pub async fn index(library: &Arc<Library>, mut go_on: impl FnMut(usize) -> bool) -> Result<usize, SearchError> {
    let (mut size, mut done, mut below) = (INITIAL_BATCH, 0, None);
    let mut common = Arc::new(library.search_index().common_words().await?);
    let mut common_words_after = COMMON_WORDS_AFTER;
    let mut next = prepare(library.clone(), common.clone(), below, size).await?;
    loop {
        if next.is_empty() {
            if below.is_none() {
                return Ok(done);
            }
            // Starts again with the newest, for articles that were added or changed meanwhile.
            below = None;
            next = prepare(library.clone(), common.clone(), below, size).await?;
            continue;
        }
        if common.is_empty() && done >= common_words_after {
            common_words_after += COMMON_WORDS_AFTER;
            common = Arc::new(library.search_index().common_words().await?);
        }
        let batch = std::mem::take(&mut next);
        below = batch.iter().map(Indexed::item).min();
        // The next batch is prepared while this one is written.
        let preparing = tokio::spawn(prepare(library.clone(), common.clone(), below, size));
        let indexed = library.search_index().add(&batch).await?;
        done += indexed.articles;
        size = next_size(batch.len(), size, &indexed);
        next = preparing.await??;
        if !go_on(done) {
            return Ok(done);
        }
    }
}

/// Returns the size of the next batch after one of `length`.
fn next_size(length: usize, size: usize, indexed: &IndexedBatch) -> usize {
    if indexed.articles < length {
        // Other writers are waiting.
        indexed.articles.max(MIN_BATCH)
    } else if indexed.held > SLICE {
        (size / 2).max(MIN_BATCH)
    } else if length == size && indexed.held * 2 < SLICE {
        (size + size / 2).min(MAX_BATCH)
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
    let batch = library.search_index().pending(below, size).await?;
    let indexed = move || {
        let indexed = batch.iter().map(|article| {
            let texts = [&article.full, &article.content, &article.summary];
            article.indexed(&plain_text(texts.map(Option::as_ref), article.transcript.as_deref()), &common)
        });
        indexed.collect()
    };
    Ok(tokio::task::spawn_blocking(indexed).await?)
}

/// Joins the texts of an article to index: from its page, from the feed, the summary, and the transcript; without repetitions.
pub(crate) fn plain_text([full, content, summary]: [Option<&Body>; 3], transcript: Option<&str>) -> String {
    let plain = |body: Option<&Body>| body.map(|body| gleaner_content::plain_text(&body.html)).unwrap_or_default();
    let own = gleaner_content::with_summary(plain(content), &plain(summary));
    let text = if full.is_some() { gleaner_content::with_summary(plain(full), &own) } else { own };
    match transcript {
        Some(words) => gleaner_content::with_summary(text, words),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_library::{Incoming, Intent, NewItem, NewSubscription, SearchOrder, SearchPage, Texts};

    #[test]
    fn batch_sizes_adapt_to_the_time_slice() {
        let indexed = |articles, milliseconds| IndexedBatch { articles, held: Duration::from_millis(milliseconds) };
        assert_eq!(next_size(100, 100, &indexed(100, 10)), 150);
        assert_eq!(next_size(5, 100, &indexed(5, 2)), 100, "a small last batch changes nothing");
        assert_eq!(next_size(100, 100, &indexed(100, 60)), 100);
        assert_eq!(next_size(200, 200, &indexed(200, 160)), 100);
        assert_eq!(next_size(32, 32, &indexed(32, 1000)), 32);
        assert_eq!(next_size(400, 400, &indexed(48, 12)), 48, "another writer was waiting");
    }

    #[test]
    fn indexes_a_summary_that_differs_from_the_text() {
        let body = |html: &str| Some(Body { html: html.to_owned(), base: None });
        let text =
            |content: &str, summary: &str| plain_text([None, body(content).as_ref(), body(summary).as_ref()], None);
        assert_eq!(text("<p>One two</p><p>three</p>", "<b>One</b> two"), "One two\n\nthree");
        assert_eq!(text("<p>One</p>", "Other"), "One\n\nOther");
        assert_eq!(text("", "Other"), "Other");
        let full = body("<p>One</p><p>two</p>");
        assert_eq!(plain_text([full.as_ref(), body("One").as_ref(), None], None), "One\n\ntwo");
        assert_eq!(plain_text([full.as_ref(), body("Other").as_ref(), None], None), "One\n\ntwo\n\nOther");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_damaged_text_does_not_hide_other_results() {
        let folder = tempfile::tempdir().unwrap();
        let library = Arc::new(Library::open(folder.path()).await.unwrap());
        let feed_id = library.subscriptions().add(&NewSubscription::new("https://a.example/feed")).await.unwrap();
        let insert = |(at, html): (i64, &str)| {
            let texts = Texts::pack(Some(&Body { html: html.to_owned(), base: None }), None);
            let (key, title, sort_at) = (at.to_string(), "Wheat".to_owned(), at * 1000);
            Intent::Insert(Box::new(NewItem { key, title, sort_at, texts, ..NewItem::default() }))
        };
        let intents = [(1, "rye"), (2, "o-a-t-s")].map(insert).to_vec();
        let incoming = Incoming::of_items(feed_id, intents);
        library.polls().store(&[&incoming]).await.unwrap();
        catch_up(&library, |_| true).await.unwrap();
        Arc::into_inner(library).unwrap().close().await.unwrap();
        let file = folder.path().join("library.sqlite");
        let mut bytes = std::fs::read(&file).unwrap();
        let at = bytes.windows(7).position(|window| window == b"o-a-t-s").unwrap();
        bytes[at..at + 7].fill(0xff);
        std::fs::write(&file, bytes).unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        assert!(matches!(library.articles().text(2).await, Err(gleaner_library::LibraryError::Damaged { .. })));
        let wheat = gleaner_query::parse("wheat").unwrap();
        let found = crate::search(&library, &wheat, &chrono::Utc::now(), SearchPage::first(SearchOrder::Date, 9))
            .await
            .unwrap()
            .0;
        let shown: Vec<(i64, &str)> =
            found.iter().map(|found| (found.hit.row.id, found.snippet.text.as_str())).collect();
        assert_eq!(shown, [(2, ""), (1, "rye")]);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_result_has_the_author_the_note_or_the_tag_that_matches() {
        let folder = tempfile::tempdir().unwrap();
        let library = Arc::new(Library::open(folder.path()).await.unwrap());
        let feed_id = library.subscriptions().add(&NewSubscription::new("https://a.example/feed")).await.unwrap();
        let texts = Texts::pack(Some(&Body { html: "Rye and oats".to_owned(), base: None }), None);
        let author = Some("Ada Müller".to_owned());
        let item = NewItem { key: "1".to_owned(), title: "Grain".to_owned(), author, texts, ..NewItem::default() };
        let item = NewItem { categories: vec!["News".to_owned(), "Old Mills".to_owned()], ..item };
        library.polls().store(&[&Incoming::of_items(feed_id, vec![Intent::Insert(Box::new(item))])]).await.unwrap();
        library.tags().set(&[1], "Mills of Kent", true).await.unwrap();
        library.notes().add(1, None, 0, "Ask the miller").await.unwrap();
        catch_up(&library, |_| true).await.unwrap();
        let shown = async |query: &str| {
            let query = gleaner_query::parse(query).unwrap();
            let page = SearchPage::first(SearchOrder::Date, 3);
            let found = crate::search(&library, &query, &chrono::Utc::now(), page).await.unwrap().0.remove(0);
            (found.author, found.snippet.text, found.snippet.marks)
        };
        let ranges = |range: std::ops::Range<usize>| vec![range];
        assert_eq!(shown("muller").await, (ranges(4..11), "Rye and oats".to_owned(), vec![]));
        assert_eq!(shown("note:miller").await, (vec![], "Ask the miller".to_owned(), ranges(8..14)));
        assert_eq!(shown("note:miller oats").await, (vec![], "Rye and oats".to_owned(), ranges(8..12)));
        assert_eq!(shown("grain").await, (vec![], "Rye and oats".to_owned(), vec![]));
        assert_eq!(shown("kent").await, (vec![], "Mills of Kent".to_owned(), ranges(9..13)));
        assert_eq!(shown("mills").await, (vec![], "Old Mills · Mills of Kent".to_owned(), vec![4..9, 13..18]));
        assert_eq!(shown("tag:kent").await.1, "Mills of Kent");
        assert_eq!(shown("mills grain").await, (vec![], "Rye and oats".to_owned(), vec![]));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn finds_new_articles_and_resumes_after_a_stop() {
        let folder = tempfile::tempdir().unwrap();
        let library = Arc::new(Library::open(folder.path()).await.unwrap());
        let feed = library.subscriptions().add(&NewSubscription::new("https://a.example/feed")).await.unwrap();
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
        let incoming = Incoming::of_items(feed, intents);
        library.polls().store(&[&incoming]).await.unwrap();
        let some = catch_up(&library, |_| false).await.unwrap();
        assert!((1..200).contains(&some), "{some}");
        assert_eq!(some + catch_up(&library, |_| true).await.unwrap(), 200);
        assert_eq!(library.search_index().state().await.unwrap().waiting, 0);

        let now = chrono::Utc::now();
        let query = gleaner_query::parse("wheat \"wheat rye\"").unwrap();
        let (found, more) =
            crate::search(&library, &query, &now, SearchPage::first(SearchOrder::Date, 3)).await.unwrap();
        assert!(more && found.len() == 3);
        let marked = std::slice::from_ref::<std::ops::Range<usize>>;
        assert_eq!((found[0].hit.row.title.as_str(), &found[0].title[..]), ("Wheat 199", marked(&(0..5))));
        assert_eq!(
            (found[0].snippet.text.as_str(), &found[0].snippet.marks[..]),
            ("Wheat & rye 199", marked(&(0..11)))
        );
        // Words of the full text, which is added later, match, and so do those of the feed's text.
        let oats = gleaner_query::parse("oats rye").unwrap();
        assert_eq!(crate::search(&library, &oats, &now, SearchPage::first(SearchOrder::Date, 3)).await.unwrap().0, []);
        library.articles().store_full_text(7, "https://a.example/7", "<p>Fields of oats</p>", false, 1).await.unwrap();
        catch_up(&library, |_| true).await.unwrap();
        let (found, _) = crate::search(&library, &oats, &now, SearchPage::first(SearchOrder::Date, 3)).await.unwrap();
        assert_eq!(found.iter().map(|found| found.hit.row.id).collect::<Vec<_>>(), [7]);
        assert_eq!((found[0].snippet.text.as_str(), found[0].snippet.marks.len()), ("Fields of oats Wheat & rye 6", 2));
        library
            .articles()
            .store_full_text(7, "https://a.example/7", "<p>Fields of barley</p>", false, 1)
            .await
            .unwrap();
        catch_up(&library, |_| true).await.unwrap();
        assert_eq!(crate::search(&library, &oats, &now, SearchPage::first(SearchOrder::Date, 3)).await.unwrap().0, []);
        let hidden = gleaner_query::parse("hidden").unwrap();
        assert!(
            crate::search(&library, &hidden, &now, SearchPage::first(SearchOrder::Rank, 3)).await.unwrap().0.is_empty()
        );
    }
}
