//! Reads what arrived or changed since the last position, from a server that can say so.

use super::{Run, Stage, contents::Requested, is_mass};
use crate::{
    Arrived, Changes, RemoteArticle, SyncError,
    decide::{by_contents, returns},
};
use gleaner_feed::Item;
use gleaner_library::{KnownArticle, Millis};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Maximum number of requests that look which of the latest articles a server still has.
const COMPARED: usize = 40;
/// Time after a successful synchronisation, in milliseconds, in which the server is assumed not to be restored from a backup. A success is
/// recorded once an hour.
const SEEN_WITHIN: Millis = 2 * 3_600_000;

/// Returns the ids of articles that the server is not known to have deleted.
fn there(known: &HashMap<String, KnownArticle>) -> impl Iterator<Item = &str> + Send {
    known.iter().filter(|(_, known)| !known.gone).map(|(id, _)| id.as_str())
}

/// Sorts ids that are numbers, the greatest first.
fn sort_latest_first(ids: &mut [String]) {
    ids.sort_unstable_by(|one, other| (other.len(), other).cmp(&(one.len(), one)));
}

impl Run<'_> {
    /// Reads what arrived since the latest known article, the oldest first, so that it resumes after a kill. Returns whether something did.
    pub(super) async fn read_arrivals(&mut self, known: &HashMap<String, KnownArticle>) -> Result<bool, SyncError> {
        let feeds = self.library.sync().feeds(self.account.id).await?;
        let mut known = known.clone();
        let mut after = self.latest(&known).filter(|_| !self.account.extend_history);
        let mut compares_latest = after.as_ref().is_some_and(|id| known[id].item.is_some());
        // The server does not say which known articles are gone, so the others count as listed, and no new article is recognised as one of them.
        let mut listed: Vec<String> = there(&known).map(str::to_owned).collect();
        let mut some = false;
        loop {
            self.check()?;
            let arrived = self.server.arrived(after.as_deref(), compares_latest).await;
            let Arrived { mut articles, next, unordered } = match arrived {
                // It is unknown which article is too large. The lists show those that are unread or have a star.
                Err(error) if error.is_too_large() => {
                    self.report.incomplete = true;
                    return Ok(some);
                }
                arrived => arrived?,
            };
            if std::mem::take(&mut compares_latest) {
                let latest: Vec<RemoteArticle> =
                    articles.iter().filter(|article| Some(&article.item.id) == after.as_ref()).cloned().collect();
                let is_another = latest.is_empty() || !self.separate(&known, &latest).await?.is_empty();
                if is_another && self.compare_latest().await? {
                    known = self.library.sync().known(self.account.id).await?;
                    after = self.latest(&known);
                    listed = there(&known).map(str::to_owned).collect();
                    some = true;
                    continue;
                }
            }
            // A server that repeats itself has no more.
            if next.is_none() || next == after {
                return Ok(some);
            }
            some |= self.are_back(&mut known, &articles).await?;
            articles.retain(|article| !known.contains_key(&article.item.id));
            if !articles.is_empty() {
                listed.extend(articles.iter().map(|article| article.item.id.clone()));
                self.store(articles, &feeds, &listed).await?;
                self.report_progress(Stage::Articles, self.report.new, None);
                some = true;
            }
            if unordered {
                // Articles may have been left out. The lists show those that are unread or have a star.
                self.report.incomplete = true;
                return Ok(some);
            }
            after = next;
        }
    }

    /// Returns the latest known article that the server is not known to have deleted.
    fn latest(&self, known: &HashMap<String, KnownArticle>) -> Option<String> {
        self.server.latest(&mut there(known)).map(str::to_owned)
    }

    /// Checks whether the latest articles with waiting marks still have their ids at the server. A server that was restored from a backup
    /// gives the ids of its latest articles to others, which must not get the marks. Restoring takes time, so this is checked only if the
    /// last synchronisation failed or is long ago.
    pub(super) async fn compare_marked(&mut self) -> Result<(), SyncError> {
        let store = self.library.sync();
        let unseen = |at| !(0..=SEEN_WITHIN).contains(&(self.library.now() - at));
        let was_away = self.account.error_code.is_some() || self.account.synced_at.is_some_and(unseen);
        if !was_away {
            return Ok(());
        }
        let pending = store.pending_marks(self.account.id, None, i64::MAX).await?;
        let mut ids: Vec<String> = pending.into_iter().map(|mark| mark.remote_id).collect();
        ids.retain(|id| self.server.may_reuse(id));
        sort_latest_first(&mut ids);
        ids.dedup();
        if ids.is_empty() {
            return Ok(());
        }
        let known = store.known(self.account.id).await?;
        // Where the server has the latest one, it has the others.
        let (latest, others) = ids.split_at(1);
        for chunk in std::iter::once(latest).chain(others.chunks(self.abilities.articles)).take(COMPARED) {
            self.check()?;
            let articles = match self.server.articles(chunk).await {
                // This must not keep the marks from being sent.
                Err(error) if error.is_about_request() => return Ok(()),
                articles => articles?,
            };
            if !self.separate(&known, &articles).await?.is_empty() {
                self.has_other_ids = true;
                return self.compare_latest().await.map(drop);
            }
            if !articles.is_empty() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Finds the known articles that the server still has, from the latest one backwards. A server that was restored from a backup lacks
    /// the latest ones, or has given their ids to others. Returns whether it does.
    async fn compare_latest(&mut self) -> Result<bool, SyncError> {
        let known = self.library.sync().known(self.account.id).await?;
        let is_here = |id: &&str| known.get(*id).is_some_and(|known| known.item.is_some());
        let mut ids: Vec<String> = there(&known).filter(is_here).map(str::to_owned).collect();
        sort_latest_first(&mut ids);
        let mut changed = false;
        for chunk in ids.chunks(self.abilities.articles).take(COMPARED) {
            let Requested { articles, too_large, failed } = self.articles(chunk).await?;
            let others = self.separate(&known, &articles).await?;
            let unread = too_large.iter().chain(&failed);
            let found: HashSet<&str> =
                articles.iter().map(|article| &article.item.id).chain(unread).map(String::as_str).collect();
            let gone: Vec<String> = chunk.iter().filter(|id| !found.contains(id.as_str())).cloned().collect();
            if !gone.is_empty() {
                self.library.sync().set_gone(self.account.id, &gone, true).await?;
            }
            changed |= !others.is_empty() || !gone.is_empty();
            if others.is_empty() && !articles.is_empty() {
                break;
            }
        }
        Ok(changed)
    }

    /// Records which articles the server has again, and makes those unknown whose ids it has given to others. Returns whether there are any.
    async fn are_back(
        &mut self,
        known: &mut HashMap<String, KnownArticle>,
        articles: &[RemoteArticle],
    ) -> Result<bool, SyncError> {
        let was_gone = |article: &&RemoteArticle| known.get(&article.item.id).is_some_and(|known| known.gone);
        let back: Vec<RemoteArticle> = articles.iter().filter(was_gone).cloned().collect();
        for id in self.separate(known, &back).await? {
            known.remove(&id);
        }
        let ids: Vec<String> = back.into_iter().map(|article| article.item.id).collect();
        let same: Vec<String> = ids.iter().filter(|id| known.contains_key(*id)).cloned().collect();
        if !same.is_empty() {
            self.library.sync().set_gone(self.account.id, &same, false).await?;
        }
        Ok(!ids.is_empty())
    }

    /// Reads what arrived and changed since the last synchronisation, and stores each response with its position, so that it resumes after a
    /// kill. Returns whether the lists are to be compared, too.
    pub(super) async fn read_changes(&mut self, known: &HashMap<String, KnownArticle>) -> Result<bool, SyncError> {
        let store = self.library.sync();
        let before = store.position(self.account.id).await?;
        let feeds = store.feeds(self.account.id).await?;
        let labelled = store.labels(self.account.id).await?;
        let history = usize::try_from(self.account.history).unwrap_or(0);
        let mut position = before.position.clone().filter(|_| !self.account.extend_history);
        let mut stored_position = before.position;
        let mut known = known.clone();
        // The server does not say which known articles are gone, so all count as listed, and no new article is recognised as one of them.
        let mut listed: Vec<String> = known.keys().cloned().collect();
        // Known articles that changed, each as it was read last.
        let mut changed: HashMap<String, RemoteArticle> = HashMap::new();
        // Whether only the lists show which marks changed, and whether the server has new ids.
        let (mut compare, mut has_new_ids) = (self.has_other_ids, false);
        loop {
            self.check()?;
            let Changes {
                mut articles,
                latest,
                mut earlier,
                mut next,
                more,
                lists,
                mut renumbered,
                read,
                begin,
                next_if_known,
            } = self.server.changes(position.as_deref(), history).await?;
            compare |= lists;
            let mut new = Vec::new();
            earlier.retain(|article| known.contains_key(&article.item.id));
            let mut others = self.separate(&known, &articles).await?;
            if let Some(latest) = latest {
                let other = self.separate(&known, std::slice::from_ref(&latest)).await?;
                if !other.is_empty() {
                    others.extend(other);
                    articles.push(latest);
                }
            }
            if renumbered || has_new_ids {
                known.retain(|id, _| !others.contains(id));
            } else if !others.is_empty() {
                // Other known articles may have lost their ids, too.
                compare |= self.compare_latest().await?;
                known = store.known(self.account.id).await?;
                listed = there(&known).map(str::to_owned).collect();
            }
            if let Some(position) = next_if_known {
                let same = articles.iter().filter(|article| known.contains_key(&article.item.id)).count();
                if same * 2 > articles.len() {
                    (next, renumbered) = (position, false);
                }
            }
            if renumbered && !has_new_ids {
                (has_new_ids, listed) = (true, read);
                // Once some are stored, most of the first articles are known under their ids, which looks like the same installation.
                if let Some(begin) = begin {
                    store.set_position(self.account.id, &begin).await?;
                    stored_position = Some(begin);
                }
            }
            if renumbered {
                // Those that are known already were read before a kill.
                listed.extend(articles.iter().map(|article| article.item.id.clone()));
            }
            let is_back =
                |article: &&RemoteArticle| known.get(&article.item.id).is_some_and(|before| returns(before, article));
            let back: Vec<String> = articles.iter().filter(is_back).map(|article| article.item.id.clone()).collect();
            for id in self.bring_back(&back).await? {
                known.remove(&id);
            }
            for article in articles.into_iter().chain(earlier) {
                let id = &article.item.id;
                let Some(before) = known.get(id) else {
                    new.push(article);
                    continue;
                };
                let same =
                    by_contents(&known, &labelled, std::slice::from_ref(&article), self.account.labels).is_empty();
                if !same || before.gone || changed.contains_key(id) {
                    let item = Item { id: id.clone(), ..Item::default() };
                    changed.insert(id.clone(), RemoteArticle { item, ..article });
                }
            }
            if !new.is_empty() {
                for article in &new {
                    let (read, starred) = (article.read, article.starred);
                    known.insert(article.item.id.clone(), KnownArticle { item: None, read, starred, gone: false });
                    listed.push(article.item.id.clone());
                }
                self.store(new, &feeds, &listed).await?;
                self.report_progress(Stage::Articles, self.report.new, None);
            }
            // Changes are applied as one step, at the end; until then they would be missed after a kill.
            if changed.is_empty() && stored_position.as_deref() != Some(&next) {
                store.set_position(self.account.id, &next).await?;
                stored_position = Some(next.clone());
            }
            let stays = position.as_deref() == Some(&next);
            position = Some(next);
            // A server that repeats itself has no more.
            if !more || stays {
                break;
            }
        }
        self.apply_changes(&known, &labelled, changed).await?;
        if let Some(position) = position.filter(|position| stored_position.as_ref() != Some(position)) {
            store.set_position(self.account.id, &position).await?;
        }
        self.download_awaited(&feeds, &listed).await?;
        let due =
            before.listed_at.is_none_or(|at| !(0..=self.abilities.lists_every).contains(&(self.library.now() - at)));
        self.lists_due = due;
        if before.listed_at.is_none() && !compare {
            // All articles were read.
            store.set_listed(self.account.id).await?;
            return Ok(false);
        }
        Ok(compare || due)
    }

    async fn apply_changes(
        &mut self,
        known: &HashMap<String, KnownArticle>,
        labelled: &BTreeMap<String, HashSet<String>>,
        changed: HashMap<String, RemoteArticle>,
    ) -> Result<(), SyncError> {
        if changed.is_empty() {
            return Ok(());
        }
        let mut ids: Vec<String> = changed.keys().cloned().collect();
        ids.sort_unstable();
        let articles: Vec<RemoteArticle> = changed.into_values().collect();
        let mut flips = by_contents(known, labelled, &articles, self.account.labels);
        if is_mass(&flips, known.len()) {
            let mut again = Vec::new();
            for chunk in ids.chunks(self.abilities.articles) {
                let articles = self.articles(chunk).await?.articles;
                again.extend(by_contents(known, labelled, &articles, self.account.labels));
            }
            flips.retain(|flip| again.contains(flip));
        }
        flips.sort_unstable_by(|one, other| one.remote_id.cmp(&other.remote_id));
        let back: Vec<String> = ids.into_iter().filter(|id| known.get(id).is_some_and(|known| known.gone)).collect();
        self.apply(&flips, &back).await
    }

    /// Downloads articles of feeds that were not subscribed when they were downloaded before.
    async fn download_awaited(&mut self, feeds: &HashMap<String, i64>, listed: &[String]) -> Result<(), SyncError> {
        let awaited = self.library.sync().awaited(self.account.id).await?;
        for chunk in awaited.chunks(self.abilities.articles) {
            let requested = self.articles(chunk).await?;
            self.store(requested.articles, feeds, listed).await?;
            self.skip(&requested.too_large).await?;
        }
        Ok(())
    }
}
