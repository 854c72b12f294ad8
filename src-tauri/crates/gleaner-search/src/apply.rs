//! Previews a rule on all existing articles, and applies it. This is part of this crate because the index must be up to date first.

use crate::{SearchError, index};
use chrono::{DateTime, TimeZone};
use gleaner_library::{Action, Library, Row, RuleScope, SearchOrder, SearchPage, Undoable};
use gleaner_query::Expr;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// The effects of a rule on existing articles.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Preview {
    /// Number of matching articles.
    pub articles: usize,
    /// Whether there are more than the limit.
    pub more: bool,
    /// The newest matching articles.
    pub newest: Vec<Row>,
    /// For each action, the number of articles that it would change; 0 for [`Action::Notify`], which applies to new articles only.
    pub changes: Vec<(Action, i64)>,
}

/// Number of newest articles in a preview.
const PREVIEWED: u32 = 5;
/// Maximum time that a preview spends on updating the index.
const MAX_INDEXING: Duration = Duration::from_secs(2);

/// Previews the effects of a rule on existing articles, counting at most `most` of them.
///
/// # Errors
/// If the library cannot be read or the index cannot be written.
pub async fn preview<Zone: TimeZone>(
    library: &Arc<Library>,
    query: &Expr,
    scope: RuleScope,
    actions: &[Action],
    now: &DateTime<Zone>,
    most: Option<usize>,
) -> Result<Preview, SearchError>
where
    Zone::Offset: Send + Sync,
{
    let began = Instant::now();
    index(library, |_| began.elapsed() < MAX_INDEXING).await?;
    let (newest, _) =
        library.search().find_within(scope, query, now, SearchPage::first(SearchOrder::Date, PREVIEWED)).await?;
    let goes_on = |found: usize| most.is_none_or(|most| found <= most);
    let mut found = library.search().matching_articles(scope, query, now, goes_on).await?;
    let more = !goes_on(found.len());
    found.truncate(most.unwrap_or(usize::MAX));
    let changes = library.rules().preview(&found, actions).await?;
    Ok(Preview {
        articles: found.len(),
        more,
        newest: newest.into_iter().map(|hit| hit.row).collect(),
        changes: actions.iter().cloned().zip(changes).collect(),
    })
}

/// Progress of applying a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RuleProgress {
    /// Number of processed articles.
    pub done: usize,
    /// Number of matching articles; 0 while the search runs.
    pub total: usize,
}

/// Applies a rule to all existing articles in one transaction that can be undone.
///
/// `go_on` is called with the progress and returns whether to continue. Returns `None` without any change if it was
/// cancelled.
///
/// # Errors
/// [`gleaner_library::LibraryError::NotFound`] if the rule does not exist, [`gleaner_library::LibraryError::Invalid`] or
/// [`SearchError::Query`] if it is broken; others if the library cannot be read or written.
pub async fn apply<Zone: TimeZone>(
    library: &Arc<Library>,
    rule: i64,
    now: &DateTime<Zone>,
    mut go_on: impl FnMut(RuleProgress) -> bool,
) -> Result<Option<Undoable>, SearchError>
where
    Zone::Offset: Send + Sync,
{
    let rule = library.rules().get(rule).await?;
    if let Some(reason) = rule.broken {
        return Err(gleaner_library::LibraryError::Invalid(reason).into());
    }
    let query = gleaner_query::parse(&rule.query)?;
    let mut is_wanted = true;
    let mut report = |now: RuleProgress| {
        is_wanted = is_wanted && go_on(now);
        is_wanted
    };
    index(library, |_| report(RuleProgress::default())).await?;
    if !report(RuleProgress::default()) {
        return Ok(None);
    }
    let found =
        library.search().matching_articles(rule.scope, &query, now, |_| report(RuleProgress::default())).await?;
    let total = found.len();
    if !report(RuleProgress { done: 0, total }) {
        return Ok(None);
    }
    Ok(library.rules().apply(rule.id, &found, |done| report(RuleProgress { done, total })).await?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_library::{Body, Incoming, Intent, ListQuery, NewItem, NewRule, NewSubscription, Source, Texts};

    const ARTICLES: i64 = 2500;

    /// Creates a library in which every second article is about wheat and the first hundred are read.
    async fn library_of_grain(folder: &std::path::Path) -> (Arc<Library>, i64) {
        let library = Arc::new(Library::open(folder).await.unwrap());
        let (url, path) = ("https://a.example/feed".to_owned(), vec!["Land".to_owned()]);
        let feed = library
            .subscriptions()
            .add(&NewSubscription { url, folder: path, ..NewSubscription::default() })
            .await
            .unwrap();
        let item = |number: i64| {
            let grain = if number % 2 == 0 { "wheat" } else { "rye" };
            let body = Body { html: format!("<p>Of {grain}</p>"), base: None };
            Intent::Insert(Box::new(NewItem {
                key: number.to_string(),
                title: format!("{grain} {number}"),
                sort_at: number * 1000,
                read: number <= 100,
                texts: Texts::pack(Some(&body), None),
                ..NewItem::default()
            }))
        };
        let intents = (1..=ARTICLES).map(item).collect();
        let incoming = Incoming::of_items(feed, intents);
        library.polls().store(&[&incoming]).await.unwrap();
        (library, feed)
    }

    async fn shown(library: &Library, source: Source) -> usize {
        let query = ListQuery::newest(source, 5000);
        library.lists().page(query).await.unwrap().0.len()
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn applies_what_the_preview_shows_in_one_undoable_step() {
        let folder = tempfile::tempdir().unwrap();
        let (library, feed) = library_of_grain(folder.path()).await;
        let now = chrono::Utc::now();
        let query = gleaner_query::parse("wheat").unwrap();
        let actions = [Action::Read, Action::Star, Action::Tag("grain".to_owned()), Action::Hide, Action::Notify];
        let seen = preview(&library, &query, RuleScope::Everywhere, &actions, &now, None).await.unwrap();
        assert_eq!((seen.articles, seen.more), (1250, false));
        assert_eq!(seen.newest.iter().map(|row| row.id).collect::<Vec<_>>(), [2500, 2498, 2496, 2494, 2492]);
        assert_eq!(seen.changes.iter().map(|(_, count)| *count).collect::<Vec<_>>(), [1200, 1250, 1250, 1250, 0]);
        let some = preview(&library, &query, RuleScope::Everywhere, &actions, &now, Some(10)).await.unwrap();
        assert_eq!((some.articles, some.more), (10, true));

        let rule = NewRule { query: "wheat".to_owned(), actions: actions.to_vec(), ..NewRule::default() };
        let (id, _) = library.rules().add(&rule).await.unwrap();
        // Cancelled half-way, nothing is changed.
        let stopped = apply(&library, id, &now, |now| now.done == 0).await.unwrap();
        assert_eq!(
            (stopped, shown(&library, Source::Hidden).await, library.rules().list().await.unwrap()[0].touched),
            (None, 0, 0)
        );
        let mut reported = Vec::new();
        let done = apply(&library, id, &now, |now| {
            reported.push(now);
            true
        });
        let done = done.await.unwrap().unwrap();
        assert_eq!(done.count, 1250);
        assert_eq!(reported.last(), Some(&RuleProgress { done: 1250, total: 1250 }));
        assert_eq!((shown(&library, Source::Hidden).await, shown(&library, Source::Unread).await), (1250, 1200));
        assert_eq!(library.tags().list().await.unwrap().len(), 1);
        assert_eq!(library.rules().applied_to(2500).await.unwrap()[0].did, actions[..4]);
        assert_eq!(library.rules().applied_to(2).await.unwrap()[0].did, actions[1..4], "it was already read");
        assert_eq!(library.rules().list().await.unwrap()[0].touched, 1250);
        // Hidden articles no longer match.
        assert_eq!(apply(&library, id, &now, |_| true).await.unwrap().unwrap().count, 0);
        library.undo(done.step).await.unwrap();
        assert_eq!((shown(&library, Source::Hidden).await, shown(&library, Source::Unread).await), (0, 2400));
        assert_eq!((shown(&library, Source::Starred).await, library.rules().list().await.unwrap()[0].touched), (0, 0));
        assert_eq!(library.check(false).await.unwrap().findings, []);

        let land = library.folders().list().await.unwrap()[0].id;
        for (scope, articles) in
            [(RuleScope::Feed(feed), 1250), (RuleScope::Feed(99), 0), (RuleScope::Folder(land), 1250)]
        {
            let seen = preview(&library, &query, scope, &[], &now, None).await.unwrap();
            assert_eq!((seen.articles, seen.newest.len()), (articles, articles.min(5)), "{scope:?}");
        }
        let either = gleaner_query::parse("wheat OR is:read").unwrap();
        let seen = preview(&library, &either, RuleScope::Feed(feed), &[], &now, None).await.unwrap();
        assert_eq!(seen.articles, 1300, "no article counts twice");
    }

    #[tokio::test]
    async fn rejects_a_missing_rule() {
        let folder = tempfile::tempdir().unwrap();
        let library = Arc::new(Library::open(folder.path()).await.unwrap());
        assert!(apply(&library, 1, &chrono::Utc::now(), |_| true).await.is_err());
    }
}
