//! Synchronises one account: sends the changes made here, then reads the server's state. It can be killed at any point: changes are sent
//! again, which has no further effect, and stored articles are not downloaded again.

mod arrivals;
mod changes;
mod contents;
mod counts;
mod download;
mod progress;
mod reused;
mod sending;
mod taken_back;

pub use progress::{Progress, Stage};

use crate::{
    Abilities, Counts, Ids, Labels, List, Lists, RemoteArticle, Server, SyncError,
    decide::{Decision, by_contents, decide, missing, returning},
};
use contents::Requested;
use gleaner_identity::identify;
use gleaner_library::{Account, Flip, KnownArticle, Library, Millis, RemoteArticles, RemoteFeed, RemoteState};
use gleaner_polling::{
    article::new_item,
    rules::{Rules, local},
};
use sending::MarkFaults;
use std::{
    collections::{BTreeMap, HashMap, HashSet, hash_map::RandomState},
    hash::{BuildHasher, Hasher},
    time::Duration,
};
use taken_back::SentMarks;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use url::Url;

/// Number of the newest articles that are listed when the account was synchronised before.
const RECENT: usize = 1000;
/// Maximum number of labels whose lists are read in one synchronisation.
const MAX_LABELS: usize = 30;
/// Maximum number of ids of a list of marked articles.
const MAX_MARKED: usize = 500_000;
/// Maximum number of ids of all lists together. Those after them wait, as in an incomplete list.
const MAX_LISTED: usize = 1_000_000;
/// Maximum number of requests for new articles in one synchronisation. The next one continues: a server may have ever new ones.
const MAX_DOWNLOADS: usize = 1000;
/// Maximum number of articles whose contents are read in each synchronisation because they are missing from a list that is not complete.
const MAX_BELOW_CUT: usize = 100;
/// Number of them that are read first if any article may be missing from such a list. The others are read only if one of these changed.
const SAMPLE: usize = 20;
/// If more articles than this changed, and more than half of an account, they are read a second time.
const MASS: usize = 500;

/// Options of a synchronisation.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Whether feeds that the server no longer has are unsubscribed even if they are more than half of the account.
    pub accept_missing: bool,
    /// Receives the progress of the synchronisation.
    pub progress: Option<watch::Sender<Progress>>,
}

/// A change that the server did not accept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delayed {
    /// Title of the feed, or name of the label.
    pub title: String,
    /// Whether the server refused it; otherwise it failed.
    pub refused: bool,
}

/// The changes of a synchronisation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Number of marks sent.
    pub sent: usize,
    /// Number of changes of subscriptions sent.
    pub changes_sent: usize,
    /// Titles of feeds, and names of labels, whose change was abandoned because the server refused it twice.
    pub refused: Vec<String>,
    /// Changes that the server did not accept, and that are sent again at the next synchronisation.
    pub delayed: Vec<Delayed>,
    /// Titles of feeds whose change the API of the server has no request for, so that it was abandoned.
    pub unsupported: Vec<String>,
    /// Titles of feeds that the user unsubscribed from here or moved out of the account, and that the server keeps.
    pub kept: Vec<String>,
    /// Number of feeds that are new here.
    pub feeds_added: usize,
    /// Number of feeds that the server no longer has, and that were unsubscribed here.
    pub feeds_left: usize,
    /// Number of feeds that the server no longer has, but that stay because they are more than half of the account.
    pub feeds_missing: usize,
    /// Number of feeds with a new title, address or folder.
    pub feeds_changed: usize,
    /// Number of new articles.
    pub new: usize,
    /// Number of articles whose marks changed on the server.
    pub changed: usize,
    /// Undoes those changes.
    pub undo: Option<i64>,
    /// Whether a list of the server was incomplete, so that it took no marks away.
    pub incomplete: bool,
    /// Number of articles that are missing here because they are too large, or because the server failed to send them.
    pub unreadable: usize,
    /// Feeds that the user subscribed to here, or that were an account's, and that the server has as another feed, each with that one.
    pub merged: Vec<(i64, i64)>,
    /// How long the server accepts no more changes, although it still responds. The changes wait here.
    pub changes_wait: Option<Duration>,
    /// New articles to notify the user of.
    pub notify: Vec<i64>,
    /// Those of them that saved searches notify of, each with the id of the search.
    pub searches: Vec<(i64, i64)>,
}

/// Synchronises an account with its server.
///
/// # Errors [`SyncError`]; everything done until then stays done.
pub async fn sync(
    library: &Library,
    account: &Account,
    server: &mut dyn Server,
    rules: &Rules,
    options: &Options,
    cancel: &CancellationToken,
) -> Result<Report, SyncError> {
    let (report, faults, sent) = (Report::default(), MarkFaults::default(), SentMarks::default());
    let abilities = server.abilities();
    let (lists_due, has_other_ids, looked) = (true, false, HashMap::new());
    let was_away = reused::was_away(account, library.now());
    let mut run = Run {
        library,
        account,
        server,
        abilities,
        rules,
        options,
        cancel,
        report,
        faults,
        sent,
        lists_due,
        has_other_ids,
        was_away,
        looked,
    };
    run.report_progress(Stage::LogIn, 0, None);
    run.server.log_in().await?;
    let feeds_are_read = run.send_feed_changes().await?;
    run.compare_marked().await?;
    run.send_marks().await?;
    run.looked.clear();
    if !feeds_are_read {
        run.read_feeds().await?;
    }
    run.read_articles().await?;
    run.report.merged.extend(library.sync().merge_former_feeds(account.id).await?);
    // Rules and duplicates may have marked new articles.
    run.send_marks().await?;
    Ok(run.report)
}

struct Run<'a> {
    library: &'a Library,
    account: &'a Account,
    server: &'a mut dyn Server,
    abilities: Abilities,
    rules: &'a Rules,
    options: &'a Options,
    cancel: &'a CancellationToken,
    report: Report,
    faults: MarkFaults,
    sent: SentMarks,
    /// Whether the lists were not read for so long that it is recorded when they are.
    lists_due: bool,
    /// Whether the server has given ids of known articles to others.
    has_other_ids: bool,
    /// Whether the server may be another one since the last synchronisation: restored from a backup, installed again, or at another address.
    was_away: bool,
    /// Read, if the server tells it, and starred of the articles with waiting marks that were looked at before these are sent.
    looked: HashMap<String, (Option<bool>, bool)>,
}

impl Run<'_> {
    fn check(&self) -> Result<(), SyncError> {
        if self.cancel.is_cancelled() { Err(SyncError::Cancelled) } else { Ok(()) }
    }

    /// Reads the subscriptions. Returns the numbers of waiting changes that must not be sent now.
    async fn read_feeds(&mut self) -> Result<HashSet<i64>, SyncError> {
        self.check()?;
        self.report_progress(Stage::Feeds, 0, None);
        let mut feeds = self.server.feeds().await?;
        // An empty list may be a wrong response to this request.
        if feeds.is_empty() && !self.library.sync().feeds(self.account.id).await?.is_empty() {
            feeds = self.server.feeds().await?;
            if feeds.is_empty() && self.server.has_null_for_feeds() {
                return Err(SyncError::InvalidResponse("subscriptions"));
            }
        }
        let (feeds, are_all) = merged(feeds);
        let store = self.library.sync();
        let stored = if are_all && !self.server.lacks_feeds() {
            store.store_feeds(self.account.id, &feeds, self.options.accept_missing).await?
        } else if feeds.is_empty() {
            return Err(SyncError::InvalidResponse("subscriptions"));
        } else {
            tracing::warn!("subscriptions of a server cannot be read");
            self.report.incomplete = true;
            store.store_some_feeds(self.account.id, &feeds).await?
        };
        self.report.feeds_added += stored.added.len();
        self.report.feeds_left += stored.left.len();
        self.report.feeds_changed += stored.changed;
        self.report.feeds_missing = stored.missing;
        Ok(stored.waiting)
    }

    async fn read_articles(&mut self) -> Result<(), SyncError> {
        let store = self.library.sync();
        let mut known = store.known(self.account.id).await?;
        if self.abilities.arrivals && self.account.history > 0 && self.read_arrivals(&known).await? {
            known = store.known(self.account.id).await?;
        }
        if self.abilities.changes {
            if !self.read_changes(&known).await? {
                return self.history_extended().await;
            }
            known = store.known(self.account.id).await?;
            if self.abilities.counts && !self.lists_due {
                if self.counts_explain(&known).await? {
                    return self.history_extended().await;
                }
                known = store.known(self.account.id).await?;
            }
        }
        let lists = self.lists(&known).await?;
        if self.are_reused(&known, &lists).await? {
            known = store.known(self.account.id).await?;
        }
        self.report.incomplete |= !lists.unread.whole || !lists.starred.whole;
        let mut back = returning(&known, &lists);
        if back.len() > MASS {
            // One wrong list must not restore thousands of articles.
            let again: HashSet<String> = returning(&known, &self.lists(&known).await?).into_iter().collect();
            back.retain(|id| again.contains(id));
        }
        for id in self.bring_back(&back).await? {
            known.remove(&id);
        }
        let whole = self.download(&mut known, &lists).await?;
        let mut decision = self.decide(&known, &lists).await?;
        if is_mass(&decision.flips, known.len()) {
            let again = self.lists(&known).await?;
            let again = self.decide(&known, &again).await?;
            decision.flips.retain(|flip| again.flips.contains(flip));
        }
        self.apply(&decision.flips, &decision.back).await?;
        if self.abilities.changes {
            if self.lists_due {
                store.set_listed(self.account.id).await?;
            }
            if lists.unread.whole && lists.starred.whole {
                let counts = if self.abilities.counts { self.counts().await? } else { Counts::default() };
                if let Some(position) = self.server.listed(&counts)? {
                    store.set_position(self.account.id, &position).await?;
                }
            }
        }
        if whole { self.history_extended().await } else { Ok(()) }
    }

    /// Applies marks that the server has, and records which articles it has again.
    async fn apply(&mut self, flips: &[Flip], back: &[String]) -> Result<(), SyncError> {
        let store = self.library.sync();
        if !back.is_empty() {
            store.set_gone(self.account.id, back, false).await?;
        }
        if !flips.is_empty() {
            let applied = store.apply(self.account.id, flips).await?;
            self.report.changed += applied.articles;
            self.report.undo = applied.undo.map(|undo| undo.step).or(self.report.undo);
        }
        Ok(())
    }

    async fn lists(&mut self, known: &HashMap<String, KnownArticle>) -> Result<Lists, SyncError> {
        self.check()?;
        self.report_progress(Stage::Lists, 0, None);
        let mut lists = Lists {
            unread: self.server.ids(&List::Unread, MAX_MARKED).await?,
            starred: self.server.ids(&List::Starred, MAX_MARKED).await?,
            ..Lists::default()
        };
        if self.account.labels
            && let Some(Labels { mut names, whole }) = self.server.labels().await?
        {
            lists.all_labels = whole;
            // If there are many labels, only some are read: those that were sent, which count as known to the server once it lists them,
            // and others, beginning with a random one. Later synchronisations read the rest. A list that was not read counts as incomplete,
            // so it removes no marks.
            let first = random().checked_rem(names.len()).unwrap_or(0);
            names.rotate_left(first);
            names.sort_by_cached_key(|name| !self.sent.has_label(name));
            let at_once = if known.is_empty() { names.len() } else { MAX_LABELS };
            let mut listed = BTreeMap::new();
            let mut left = MAX_LISTED.saturating_sub(lists.unread.ids.len() + lists.starred.ids.len());
            for (at, label) in names.into_iter().enumerate() {
                self.check()?;
                let ids = match at < at_once && left > 0 && !label.trim().is_empty() {
                    true => self.server.ids(&List::Label(label.clone()), MAX_MARKED.min(left)).await?,
                    false => Ids::default(),
                };
                left -= ids.ids.len().min(left);
                listed.insert(label, ids);
            }
            lists.labels = Some(listed);
        }
        self.check()?;
        let history = usize::try_from(self.account.history).unwrap_or(0);
        if history == 0 || self.abilities.arrivals || self.abilities.changes {
            return Ok(lists);
        }
        // Until all of them were downloaded once, articles may be missing anywhere among the older ones, so all are listed.
        let listed_at = self.library.sync().position(self.account.id).await?.listed_at;
        let all = listed_at.is_none_or(|at| at > self.library.now()) || known.is_empty() || self.account.extend_history;
        let recent = if all { history } else { RECENT.min(history) };
        lists.newest = self.server.ids(&List::Newest, recent).await?;
        let is_known = |id: &String| known.contains_key(id);
        let apart = recent < history && lists.newest.ids.len() >= recent && !lists.newest.ids.iter().any(is_known);
        if apart {
            lists.newest = self.server.ids(&List::Newest, history).await?;
        }
        lists.joined = !(all || apart) || lists.newest.whole || lists.newest.ids.len() >= history;
        Ok(lists)
    }

    async fn store(
        &mut self,
        articles: Vec<RemoteArticle>,
        feeds: &HashMap<String, i64>,
        listed: &[String],
    ) -> Result<(), SyncError> {
        let mut by_feed: BTreeMap<i64, Vec<RemoteArticle>> = BTreeMap::new();
        let mut foreign: Vec<(String, String)> = Vec::new();
        for mut article in articles {
            self.sent.correct(&mut article);
            match feeds.get(&article.feed) {
                Some(feed) => by_feed.entry(*feed).or_default().push(article),
                None => foreign.push((article.item.id, article.feed)),
            }
        }
        if !foreign.is_empty() {
            self.library.sync().set_foreign(self.account.id, &foreign).await?;
        }
        let now = self.library.now();
        let rules: Vec<_> = by_feed.keys().map(|feed| self.rules.of(*feed, local(now))).collect();
        let mut urls: HashMap<i64, Option<Url>> = HashMap::new();
        for feed in self.library.feeds().list().await? {
            urls.insert(feed.id, Url::parse(&feed.url).ok());
        }
        let made = tokio::task::spawn_blocking(move || {
            by_feed
                .into_iter()
                .zip(rules)
                .map(|((feed, articles), rules)| {
                    let rules = rules.at(urls.get(&feed).cloned().flatten());
                    articles_of(feed, articles, &rules, now)
                })
                .collect::<Vec<_>>()
        });
        let stored = self.library.sync().store_articles(self.account.id, &made.await?, listed).await?;
        self.report.new += stored.new;
        self.report.notify.extend(stored.notify);
        self.report.searches.extend(stored.searches);
        Ok(())
    }

    /// Decides by the lists and, if they leave it open, by the contents of the articles.
    async fn decide(&mut self, known: &HashMap<String, KnownArticle>, lists: &Lists) -> Result<Decision, SyncError> {
        let labelled = self.library.sync().labels(self.account.id).await?;
        let mut decision = decide(known, &labelled, lists);
        let uncertain = std::mem::take(&mut decision.uncertain);
        // If a server does not say what changed, an incomplete list does not show it. The lists of Fever are cut and lack the oldest
        // articles, so the latest missing ones were marked. Other lists may lack any article, so different ones are read each time.
        let (sample, first) = if self.abilities.arrivals { (MAX_BELOW_CUT, 0) } else { (SAMPLE, random()) };
        let most = if self.abilities.changes { 0 } else { MAX_BELOW_CUT };
        let mut unlisted = missing(known, lists, most, first);
        unlisted.retain(|id| uncertain.binary_search(id).is_err());
        let (sample, rest) = unlisted.split_at(sample.min(unlisted.len()));
        let mut others: HashSet<String> = HashSet::new();
        for chunk in decision.back.chunks(self.abilities.articles) {
            let articles = self.articles(chunk).await?.articles;
            others.extend(self.separate(known, &articles).await?);
        }
        let (mut flips, mut gone): (Vec<Flip>, Vec<String>) = Default::default();
        for (ids, needed) in [(&uncertain[..], true), (sample, false), (rest, false)] {
            let (unreadable, changed) = (self.report.unreadable, flips.len() + gone.len());
            for chunk in ids.chunks(self.abilities.articles) {
                let (Requested { articles, .. }, missing) = match self.articles_or_gone(chunk).await {
                    // The rest of the synchronisation does not depend on them.
                    Err(error) if !needed && error.is_about_request() => {
                        tracing::info!(%error, "articles that are missing from a list are not read");
                        break;
                    }
                    requested => requested?,
                };
                others.extend(self.separate(known, &articles).await?);
                flips.extend(by_contents(known, &labelled, &articles, lists.labels.is_some()));
                gone.extend(missing);
            }
            if !needed {
                // None of these articles is missing here.
                self.report.unreadable = unreadable;
                if flips.len() + gone.len() == changed {
                    break;
                }
            }
        }
        decision.flips.extend(flips);
        // The next synchronisation downloads the articles that the server has under these ids now.
        decision.flips.retain(|flip| !others.contains(&flip.remote_id));
        decision.back.retain(|id| !others.contains(id));
        if !gone.is_empty() {
            self.library.sync().set_gone(self.account.id, &gone, true).await?;
        }
        if self.server.hides_reuse() && self.find_reused(!others.is_empty()).await? {
            let known = self.library.sync().known(self.account.id).await?;
            decision.flips.retain(|flip| known.contains_key(&flip.remote_id));
            decision.back.retain(|id| known.contains_key(id));
        }
        Ok(decision)
    }
}

/// Merges subscriptions that are listed once for each of their folders. An id of two feeds is dropped. Returns whether there is no such id.
fn merged(feeds: Vec<RemoteFeed>) -> (Vec<RemoteFeed>, bool) {
    let (mut merged, mut at): (Vec<RemoteFeed>, HashMap<String, usize>) = Default::default();
    let mut unclear: HashSet<String> = HashSet::new();
    for feed in feeds {
        let Some(first) = at.get(&feed.remote_id).and_then(|at| merged.get_mut(*at)) else {
            at.insert(feed.remote_id.clone(), merged.len());
            merged.push(feed);
            continue;
        };
        if first.url != feed.url {
            unclear.insert(feed.remote_id);
            continue;
        }
        first.other_labels.extend(feed.label.into_iter().chain(feed.other_labels));
    }
    merged.retain(|feed| !unclear.contains(&feed.remote_id));
    (merged, unclear.is_empty())
}

/// Returns any number.
fn random() -> usize {
    let number = RandomState::new().build_hasher().finish();
    usize::try_from(number >> 33).unwrap_or_default()
}

/// Whether most of the known articles would change, so that the server is read a second time.
fn is_mass(flips: &[Flip], known: usize) -> bool {
    let articles: HashSet<&str> = flips.iter().map(|flip| flip.remote_id.as_str()).collect();
    articles.len() > MASS && articles.len() * 2 > known
}

/// Returns the articles of a feed as they are stored.
fn articles_of(
    feed: i64,
    articles: Vec<RemoteArticle>,
    rules: &gleaner_polling::rules::FeedRules,
    now: Millis,
) -> RemoteArticles {
    let (items, states): (Vec<_>, HashMap<_, _>) = articles
        .into_iter()
        .map(|article| {
            let state = RemoteState {
                remote_id: article.item.id.clone(),
                read: article.read,
                starred: article.starred,
                labels: article.labels,
            };
            let id = article.item.id.clone();
            (article.item, (id, state))
        })
        .unzip();
    let items = identify(items.iter()).into_iter().filter_map(|identified| {
        let state = states.get(&identified.item.id)?.clone();
        let key = identified.key.clone();
        let mut item = new_item(key, identified, now, rules.url(), Some(rules));
        item.read = state.read;
        Some((item, state))
    });
    RemoteArticles { feed, items: items.collect() }
}
