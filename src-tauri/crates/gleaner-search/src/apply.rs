//! Rules for all articles at once: what one would do, and doing it. Here, above the library, since the index is brought up first: what
//! it has not seen it does not find.

use crate::{SearchError, index};
use chrono::{DateTime, TimeZone};
use gleaner_library::{Action, Library, Row, RuleScope, SearchOrder, Undoable};
use gleaner_query::Expr;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// What a rule would do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Preview {
    /// Articles that it is for.
    pub articles: usize,
    /// There are more: it was not looked further.
    pub more: bool,
    /// The newest of them.
    pub newest: Vec<Row>,
    /// For each of its actions, in how many of them that would change something; none for [`Action::Notify`], which is for those that
    /// come.
    pub changes: Vec<(Action, i64)>,
}

/// So many of the newest articles are shown.
const SHOWN: u32 = 5;
/// So long a preview waits for the index to be brought up.
const CATCHING_UP: Duration = Duration::from_secs(2);

/// What a rule would do with the articles that are there. Of more than `most` it is only said that there are more.
///
/// # Errors
/// When the library cannot be read, or the index not be written.
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
    index(library, |_| began.elapsed() < CATCHING_UP).await?;
    let (newest, _) = library.search_within(scope, query, now, SearchOrder::Date, None, SHOWN).await?;
    let goes_on = |found: usize| most.is_none_or(|most| found <= most);
    let mut found = library.answering(scope, query, now, goes_on).await?;
    let more = !goes_on(found.len());
    found.truncate(most.unwrap_or(usize::MAX));
    let changes = library.would_change(&found, actions).await?;
    Ok(Preview {
        articles: found.len(),
        more,
        newest: newest.into_iter().map(|hit| hit.row).collect(),
        changes: actions.iter().cloned().zip(changes).collect(),
    })
}

/// How far an application is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Applying {
    /// Articles that are done.
    pub done: usize,
    /// Articles that the rule is for; 0 while they are looked for.
    pub total: usize,
}

/// Does what a rule says with all articles that are there: with all of them, in one step that can be undone, or with none. `go_on`
/// hears how far it is and says whether to; `None` where it said no.
///
/// # Errors
/// [`gleaner_library::LibraryError::NotFound`] without that rule, [`gleaner_library::LibraryError::Invalid`] where it is broken; when
/// the library cannot be read or written.
pub async fn apply<Zone: TimeZone>(
    library: &Arc<Library>,
    rule: i64,
    now: &DateTime<Zone>,
    mut go_on: impl FnMut(Applying) -> bool,
) -> Result<Option<Undoable>, SearchError>
where
    Zone::Offset: Send + Sync,
{
    let rule = library.rule(rule).await?;
    let invalid = |why: String| SearchError::Library(gleaner_library::LibraryError::Invalid(why));
    if let Some(why) = rule.broken {
        return Err(invalid(why));
    }
    let query = gleaner_query::parse(&rule.query).map_err(|error| invalid(error.to_string()))?;
    let mut wanted = true;
    let mut hear = |now: Applying| {
        wanted = wanted && go_on(now);
        wanted
    };
    index(library, |_| hear(Applying::default())).await?;
    if !hear(Applying::default()) {
        return Ok(None);
    }
    let found = library.answering(rule.scope, &query, now, |_| hear(Applying::default())).await?;
    let total = found.len();
    if !hear(Applying { done: 0, total }) {
        return Ok(None);
    }
    Ok(library.apply_rule(rule.id, &found, |done| hear(Applying { done, total })).await?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_library::{Body, Incoming, Intent, ListQuery, NewItem, NewRule, NewSubscription, Poll, Source, Texts};

    const ARTICLES: i64 = 2500;

    /// Every other one is about wheat; of the first hundred each is read.
    async fn granary(folder: &std::path::Path) -> (Arc<Library>, i64) {
        let library = Arc::new(Library::open(folder).await.unwrap());
        let (url, path) = ("https://a.example/feed".to_owned(), vec!["Land".to_owned()]);
        let feed =
            library.subscribe(&NewSubscription { url, folder: path, ..NewSubscription::default() }).await.unwrap();
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
        let incoming = Incoming { poll: Poll { feed_id: feed, ..Poll::default() }, intents, ..Incoming::default() };
        library.store(&[&incoming]).await.unwrap();
        (library, feed)
    }

    async fn shown(library: &Library, source: Source) -> usize {
        let query =
            ListQuery { source, unread_only: false, oldest_first: false, after: None, before: None, limit: 5000 };
        library.list(query).await.unwrap().0.len()
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_a_rule_would_do_is_what_it_does_in_one_step_that_can_be_undone() {
        let folder = tempfile::tempdir().unwrap();
        let (library, feed) = granary(folder.path()).await;
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
        let (id, _) = library.add_rule(&rule).await.unwrap();
        // Stopped in the middle, nothing was done.
        let stopped = apply(&library, id, &now, |now| now.done == 0).await.unwrap();
        assert_eq!(
            (stopped, shown(&library, Source::Hidden).await, library.rules().await.unwrap()[0].touched),
            (None, 0, 0)
        );
        let mut told = Vec::new();
        let done = apply(&library, id, &now, |now| {
            told.push(now);
            true
        });
        let done = done.await.unwrap().unwrap();
        assert_eq!(done.count, 1250);
        assert_eq!(told.last(), Some(&Applying { done: 1250, total: 1250 }));
        assert_eq!((shown(&library, Source::Hidden).await, shown(&library, Source::Unread).await), (1250, 1200));
        assert_eq!(library.tags().await.unwrap().len(), 1);
        assert_eq!(library.rule_touches(2500).await.unwrap()[0].did, actions[..4]);
        assert_eq!(library.rule_touches(2).await.unwrap()[0].did, actions[1..4], "it was read already");
        assert_eq!(library.rules().await.unwrap()[0].touched, 1250);
        // What is hidden is no more for it.
        assert_eq!(apply(&library, id, &now, |_| true).await.unwrap().unwrap().count, 0);
        library.undo(done.step).await.unwrap();
        assert_eq!((shown(&library, Source::Hidden).await, shown(&library, Source::Unread).await), (0, 2400));
        assert_eq!((shown(&library, Source::Starred).await, library.rules().await.unwrap()[0].touched), (0, 0));
        assert_eq!(library.check(false).await.unwrap().findings, []);

        let land = library.folders().await.unwrap()[0].id;
        for (scope, articles) in
            [(RuleScope::Feed(feed), 1250), (RuleScope::Feed(99), 0), (RuleScope::Folder(land), 1250)]
        {
            let seen = preview(&library, &query, scope, &[], &now, None).await.unwrap();
            assert_eq!((seen.articles, seen.newest.len()), (articles, articles.min(5)), "{scope:?}");
        }
        let either = gleaner_query::parse("wheat OR is:read").unwrap();
        let seen = preview(&library, &either, RuleScope::Feed(feed), &[], &now, None).await.unwrap();
        assert_eq!(seen.articles, 1300, "none twice");
    }

    #[tokio::test]
    async fn a_rule_that_is_not_there_is_applied_to_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let library = Arc::new(Library::open(folder.path()).await.unwrap());
        assert!(apply(&library, 1, &chrono::Utc::now(), |_| true).await.is_err());
    }
}
