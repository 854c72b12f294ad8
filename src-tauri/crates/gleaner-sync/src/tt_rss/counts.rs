//! Compares the counters of unread and starred articles with the known articles, and reads what may explain a difference: first the
//! articles that were read or starred last, then the lists of the feeds and labels that still differ. If these would take more requests
//! than the lists of the whole account, or a difference remains, the lists of the account are read instead.

use super::{PAGE, Position, TtRss, format::Counter};
use crate::{Counted, CountedList, Counts, RemoteArticle, SyncError, first_read::Part, lenient::Text};
use md5::{Digest, Md5};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The starred articles, the most recently starred first.
const STARRED: &str = "-1";
/// The articles that were read within the last day or so, the last ones first.
const RECENTLY_READ: &str = "-6";
/// The ids of labels are lower.
const LABELS: i64 = -1024;

/// The numbers of articles that a server counts.
#[derive(Debug, Clone)]
pub(super) struct Counters {
    /// Of all of them.
    pub(super) digest: String,
    /// Unread articles by feed, and starred ones if the server counts them.
    feeds: BTreeMap<String, (u64, Option<u64>)>,
    /// All starred articles, where the server counts them.
    starred: Option<u64>,
    /// Articles by the id of their label.
    labels: BTreeMap<String, u64>,
}

impl Counters {
    pub(super) fn of(counters: Vec<Counter>) -> Self {
        let text = |text: Option<Text>| text.map(Text::into_text).unwrap_or_default();
        let (mut digest, mut feeds, mut labels, mut starred) = (Md5::new(), BTreeMap::new(), BTreeMap::new(), None);
        for counter in counters.into_iter().filter(|counter| counter.kind.as_deref() != Some("cat")) {
            let id = counter.id.into_text();
            // Feeds, starred articles and labels. The counters of fresh and of recently read articles change with time.
            let Some(number) = id.parse().ok().filter(|id: &i64| *id > 0 || *id == -1 || *id < LABELS) else {
                continue;
            };
            let (unread, all, marked) = (text(counter.counter), text(counter.auxcounter), text(counter.markedcounter));
            digest.update(format!("{id} {unread} {all} {marked}\n"));
            if number > 0 {
                feeds.insert(id, (unread.parse().unwrap_or(0), marked.parse().ok()));
            } else if number == -1 {
                starred = all.parse().ok();
            } else {
                labels.insert(id, all.parse().unwrap_or(0));
            }
        }
        let digest = hex::encode(digest.finalize());
        Self { digest, feeds, starred, labels }
    }
}

/// How the counters differed from the known articles when all marks were known, such as by articles that were deleted here.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Unexplained {
    /// Unread and starred articles by feed: how many more there were than are known.
    feeds: BTreeMap<String, (i64, i64)>,
    /// All starred articles.
    starred: i64,
    /// The counters of the labels, whose names they do not have.
    labels: BTreeMap<String, u64>,
}

/// The differences.
#[derive(Debug, Default, PartialEq, Eq)]
struct Differing {
    /// Feeds with fewer unread articles than are known, and how many these are in all.
    read: Vec<String>,
    missing: u64,
    /// Feeds with more unread articles.
    unread: Vec<String>,
    /// Feeds whose number of starred articles differs.
    starred: Vec<String>,
    /// Whether the number of all starred ones is another.
    stars: bool,
    /// Ids of labels.
    labels: Vec<String>,
}

/// A comparison of counters with the known articles.
#[derive(Debug)]
pub(super) struct Comparison {
    counters: Counters,
    since: u64,
    unexplained: Unexplained,
    /// Number of recently read articles that were read.
    recent: usize,
    /// The last page had others below.
    more: bool,
    /// Number of unread articles that were missing before the last page.
    missing: Option<u64>,
    /// Whether the articles that were starred last were read.
    read_stars: bool,
    /// Whether the lists of the feeds that differ were read.
    read_lists: bool,
    /// Whether the lists of the labels that differ were read.
    read_labels: bool,
}

/// Returns how much greater a number is than another.
fn excess(number: u64, than: u64) -> i64 {
    number.cast_signed().saturating_sub(than.cast_signed())
}

/// Returns the number of pages that a list of this length has.
fn pages(articles: u64) -> usize {
    usize::try_from(articles).unwrap_or(usize::MAX) / (PAGE - 1) + 1
}

impl Comparison {
    pub(super) fn new(counters: Counters, since: u64, unexplained: Unexplained) -> Self {
        let read_labels = counters.labels == unexplained.labels;
        let (recent, more, missing, read_stars, read_lists) = (0, true, None, false, false);
        Self { counters, since, unexplained, recent, more, missing, read_stars, read_lists, read_labels }
    }

    /// Returns the position after all marks are known.
    pub(super) fn position(self, known: &Counts) -> Position {
        let Counters { digest, feeds, starred, labels } = self.counters;
        let of = |feed: &String| known.feeds.get(feed).copied().unwrap_or_default();
        let feeds = feeds.into_iter().filter_map(|(feed, (unread, starred))| {
            let here = of(&feed);
            let more = (excess(unread, here.0), starred.map_or(0, |starred| excess(starred, here.1)));
            (more != (0, 0)).then_some((feed, more))
        });
        let starred = starred.map_or(0, |starred| excess(starred, known.starred));
        let unexplained = Unexplained { feeds: feeds.collect(), starred, labels };
        Position::Since { since: self.since, skip: 0, top: 0, counters: digest, unexplained }
    }

    fn differing(&self, known: &Counts) -> Differing {
        let mut differing = Differing::default();
        for (feed, (unread, starred)) in &self.counters.feeds {
            let here = known.feeds.get(feed).copied().unwrap_or_default();
            let usual = self.unexplained.feeds.get(feed).copied().unwrap_or_default();
            let more = excess(*unread, here.0) - usual.0;
            if more < 0 {
                differing.missing += more.unsigned_abs();
                differing.read.push(feed.clone());
            } else if more > 0 {
                differing.unread.push(feed.clone());
            }
            if starred.is_some_and(|starred| excess(starred, here.1) != usual.1) {
                differing.starred.push(feed.clone());
            }
        }
        let all = self.counters.starred.map_or(0, |starred| excess(starred, known.starred) - self.unexplained.starred);
        differing.stars = all != 0 || !differing.starred.is_empty();
        if !self.read_labels {
            let label =
                |(id, count): (&String, &u64)| (self.unexplained.labels.get(id) != Some(count)).then(|| id.clone());
            differing.labels = self.counters.labels.iter().filter_map(label).collect();
        }
        differing
    }

    /// Returns the number of requests for the lists of the whole account.
    fn all_pages(&self) -> usize {
        let unread = self.counters.feeds.values().map(|(unread, _)| unread).sum();
        let labels = self.counters.labels.values().map(|count| 1 + pages(*count)).sum::<usize>();
        pages(unread) + pages(self.counters.starred.unwrap_or(0)) + 1 + labels
    }

    /// Returns the number of requests for the lists that differ.
    fn differing_pages(&self, differing: &Differing) -> usize {
        let of = |feed: &String| self.counters.feeds.get(feed).copied().unwrap_or_default();
        let unread = differing.read.iter().chain(&differing.unread).map(|feed| pages(of(feed).0));
        let starred = differing.starred.iter().map(|feed| pages(of(feed).1.unwrap_or(0)));
        let labels = differing.labels.iter().map(|label| pages(self.counters.labels.get(label).copied().unwrap_or(0)));
        unread.chain(starred).chain(labels).sum::<usize>() + usize::from(!differing.labels.is_empty())
    }
}

impl TtRss {
    /// Compares counters with the known articles, and reads those that may explain a difference.
    pub(super) async fn compare(&mut self, comparison: &mut Comparison, known: &Counts) -> Result<Counted, SyncError> {
        // An old version may not count what is starred.
        if comparison.counters.starred.is_none() {
            return Ok(Counted::Unclear);
        }
        let differing = comparison.differing(known);
        if differing == Differing::default() {
            return Ok(Counted::Same);
        }
        let (mut articles, mut whole) = (Vec::new(), Vec::new());
        let helped = comparison.missing.is_none_or(|before| differing.missing < before);
        let read_pages = comparison.recent / PAGE;
        let mut some = false;
        if differing.missing > 0 && comparison.more && helped && read_pages < comparison.all_pages() {
            let page = self.recent(RECENTLY_READ, comparison.recent).await?;
            comparison.recent += page.len();
            comparison.more = page.len() >= PAGE;
            comparison.missing = Some(differing.missing);
            articles.extend(page);
            some = true;
        }
        if differing.stars && !comparison.read_stars {
            let page = self.recent(STARRED, 0).await?;
            if page.len() < PAGE {
                whole.extend(differing.starred.iter().cloned().map(CountedList::Starred));
            }
            comparison.read_stars = true;
            articles.extend(page);
            some = true;
        }
        if some {
            return Ok(Counted::Differ { articles, whole });
        }
        let is_worth_it = comparison.differing_pages(&differing) < comparison.all_pages();
        if comparison.read_lists || !is_worth_it || (differing.stars && differing.starred.is_empty()) {
            return Ok(Counted::Unclear);
        }
        (comparison.read_lists, comparison.read_labels) = (true, true);
        let (unread, starred) = (differing.read.into_iter().chain(differing.unread), differing.starred);
        let unread = unread.map(|feed| (feed.clone(), Part::Unread, CountedList::Unread(feed)));
        let starred = starred.into_iter().map(|feed| (feed.clone(), Part::Starred, CountedList::Starred(feed)));
        let mut lists: Vec<(String, Part, CountedList)> = unread.chain(starred).collect();
        if !differing.labels.is_empty() {
            let names: BTreeMap<String, String> =
                self.label_ids().await?.0.into_iter().map(|(name, id)| (id, name)).collect();
            for id in differing.labels {
                let Some(name) = names.get(&id) else { return Ok(Counted::Unclear) };
                lists.push((id, Part::Newest, CountedList::Label(name.clone())));
            }
        }
        for (feed, part, list) in lists {
            let (found, is_whole) = self.list(&feed, part, usize::MAX).await?;
            if !is_whole {
                return Ok(Counted::Unclear);
            }
            articles.extend(found.into_iter().map(super::Article::into_article));
            whole.push(list);
        }
        Ok(Counted::Differ { articles, whole })
    }

    /// Returns a page of the articles that were marked last; none if the version has no such list.
    async fn recent(&mut self, feed: &str, skip: usize) -> Result<Vec<RemoteArticle>, SyncError> {
        match self.page(feed, "all_articles", skip, false).await {
            Ok(page) => Ok(page.articles.into_iter().map(super::Article::into_article).collect()),
            Err(SyncError::InvalidResponse("request")) => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }
}
