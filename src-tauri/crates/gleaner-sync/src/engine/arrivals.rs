//! Reads the articles that arrived since the last position, and compares known articles with the server's if its ids may have changed.

use super::{MAX_DOWNLOADS, Run, Stage, contents::Requested};
use crate::{Arrived, RemoteArticle, SyncError};
use gleaner_library::KnownArticle;
use std::collections::HashMap;

/// Maximum number of requests that look which of the latest articles a server still has.
pub(super) const MAX_COMPARED: usize = 40;
/// Returns the ids of articles that the server is not known to have deleted.
pub(super) fn there(known: &HashMap<String, KnownArticle>) -> impl Iterator<Item = &str> + Send {
    known.iter().filter(|(_, known)| !known.gone).map(|(id, _)| id.as_str())
}

/// Sorts ids that are numbers, the greatest first.
pub(super) fn sort_latest_first(ids: &mut [String]) {
    ids.sort_unstable_by(|one, other| (other.len(), other).cmp(&(one.len(), one)));
}

impl Run<'_> {
    /// Reads the articles that arrived since the latest known one, the oldest first, so that it resumes after a kill. Returns whether any
    /// did.
    pub(super) async fn read_arrivals(&mut self, known: &HashMap<String, KnownArticle>) -> Result<bool, SyncError> {
        let feeds = self.library.sync().feeds(self.account.id).await?;
        let mut known = known.clone();
        let mut after = self.latest(&known).filter(|_| !self.account.extend_history);
        let mut compares_latest = after.as_ref().is_some_and(|id| known[id].item.is_some());
        // The server does not say which known articles are gone, so the others count as listed, and no new article is recognised as one of them.
        let mut listed: Vec<String> = there(&known).map(str::to_owned).collect();
        let mut some = false;
        // If older ones are to be downloaded, it begins with the first one.
        let most = if self.account.extend_history { usize::MAX } else { MAX_DOWNLOADS };
        for _ in 0..most {
            self.check()?;
            let arrived = self.server.arrived(after.as_deref(), compares_latest).await;
            let Arrived { mut articles, next, unordered } = match arrived {
                // It is unknown which article is too large. If it is unread or starred, it is in a list.
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
        // The next synchronisation continues from the latest known article.
        tracing::warn!("a server has more new articles than are downloaded at once");
        self.report.incomplete = true;
        Ok(some)
    }

    /// Returns the latest known article that the server is not known to have deleted.
    fn latest(&self, known: &HashMap<String, KnownArticle>) -> Option<String> {
        self.server.latest(&mut there(known)).map(str::to_owned)
    }

    /// Finds the known articles that the server still has, from the latest one backwards. A server that was restored from a backup lacks
    /// the latest ones, or has given their ids to others. Returns whether it does.
    pub(super) async fn compare_latest(&mut self) -> Result<bool, SyncError> {
        let known = self.library.sync().known(self.account.id).await?;
        let is_here = |id: &&str| known.get(*id).is_some_and(|known| known.item.is_some());
        let mut ids: Vec<String> = there(&known).filter(is_here).map(str::to_owned).collect();
        sort_latest_first(&mut ids);
        let (mut changed, mut from) = (false, 0);
        for _ in 0..2 {
            for chunk in ids[from..].chunks(self.abilities.articles).take(MAX_COMPARED) {
                from += chunk.len();
                let (Requested { articles, .. }, gone) = self.articles_or_gone(chunk).await?;
                let others = self.separate(&known, &articles).await?;
                if !gone.is_empty() {
                    self.library.sync().set_gone(self.account.id, &gone, true).await?;
                }
                changed |= !others.is_empty() || !gone.is_empty();
                if others.is_empty() && !articles.is_empty() {
                    return Ok(changed);
                }
            }
            if from >= ids.len() {
                break;
            }
            from = self.next_there(&ids, from).await?;
        }
        Ok(changed)
    }

    /// Returns where to continue in a long list of ids, the latest first: at the first of some of them that the server has, or else at the
    /// lowest ones, since a server that was installed again counts from one.
    async fn next_there(&mut self, ids: &[String], from: usize) -> Result<usize, SyncError> {
        let rest = &ids[from..];
        let step = rest.len().div_ceil(self.abilities.articles);
        let some: Vec<String> = rest.iter().step_by(step).cloned().collect();
        let articles = self.articles(&some).await?.articles;
        let there = some.iter().position(|id| articles.iter().any(|article| article.item.id == *id));
        let lowest = ids.len().saturating_sub(self.abilities.articles).max(from);
        Ok(there.map_or(lowest, |at| from + (at * step).saturating_sub(step.saturating_sub(1))))
    }

    /// Records which articles the server has again, and makes articles unknown whose ids it has given to others. Returns whether there are
    /// such ids.
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
}
