//! Notices that a server uses the ids of known articles for other articles. This happens if it was restored from a backup, installed again,
//! or replaced by another server at a new address. It has to be noticed before waiting marks are sent, and before the server's marks are
//! applied to the known articles.

use super::{
    Run, SAMPLE,
    arrivals::{MAX_COMPARED, sort_latest_first, there},
    contents::Requested,
};
use crate::{Lists, RemoteArticle, SyncError, decide::decide};
use gleaner_library::{Account, KnownArticle, MarkKind, Millis, PendingMark};
use std::collections::{HashMap, HashSet};

/// Time after a successful synchronisation, in milliseconds, in which the server is assumed not to be restored from a backup. A success is
/// recorded once an hour.
const SEEN_WITHIN: Millis = 2 * 3_600_000;

/// Whether the server of an account may have been restored or replaced since it was last synchronised with. That takes time, so the last
/// synchronisation failed or is long ago, or there was none with the present address.
pub(super) fn was_away(account: &Account, now: Millis) -> bool {
    account.error_code.is_some() || account.synced_at.is_none_or(|at| !(0..=SEEN_WITHIN).contains(&(now - at)))
}

impl Run<'_> {
    /// Checks whether the latest articles with waiting marks still have their ids on the server, so that the marks are not set on other
    /// articles. If the server's lists of marks have to be read before marks are sent, the marks of these articles replace the lists.
    pub(super) async fn compare_marked(&mut self) -> Result<(), SyncError> {
        let hides = self.server.hides_reuse();
        if !self.was_away && !hides {
            return Ok(());
        }
        let store = self.library.sync();
        let pending = store.pending_marks(self.account.id, None, i64::MAX).await?;
        let mut ids: Vec<String> = pending.into_iter().map(|mark| mark.remote_id).collect();
        ids.retain(|id| self.may_be_reused(id));
        sort_latest_first(&mut ids);
        ids.dedup();
        let Some(greatest) = ids.first() else { return Ok(()) };
        // CommaFeed has no list that this replaces.
        if !self.was_away && !ids.iter().any(|id| self.server.may_toggle(&MarkKind::Read, true, id)) {
            return Ok(());
        }
        // More are read only if the server has none of the latest ones.
        let most = if self.server.may_reuse(greatest) { MAX_COMPARED } else { 1 };
        let known = store.known(self.account.id).await?;
        let witness = latest_read(&known, &ids).filter(|_| hides).map(str::to_owned);
        // If the server has the latest one, it has the others.
        let (latest, others) = ids.split_at(if hides { SAMPLE.min(ids.len()) } else { 1 });
        for chunk in std::iter::once(latest).chain(others.chunks(self.abilities.articles)).take(most) {
            self.check()?;
            let requested: Vec<String> =
                chunk.iter().chain(witness.as_ref().filter(|_| chunk.len() <= SAMPLE)).cloned().collect();
            let mut articles = match self.server.articles(&requested).await {
                // An error here must not prevent sending the marks.
                Err(error) if error.is_about_request() => return Ok(()),
                articles => articles?,
            };
            let reused = self.separate(&known, &articles).await?;
            if self.find_reused(!reused.is_empty()).await? {
                return Ok(());
            }
            // Miniflux of 2022 gives the star as read, too.
            let tells_read = articles.iter().any(|article| article.read && !article.starred);
            articles.retain(|article| witness.as_ref() != Some(&article.item.id));
            if !articles.is_empty() {
                let marked = articles.into_iter().filter(|article| !article.unmarked);
                let marks = |article: &RemoteArticle| (tells_read.then_some(article.read), article.starred);
                self.looked.extend(marked.map(|article| (article.item.id.clone(), marks(&article))));
                return Ok(());
            }
        }
        Ok(())
    }

    /// Returns which articles of a group of waiting marks have the mark on the server; for [`MarkKind::Read`], which are unread there. `None`
    /// unless this is known of all of them.
    pub(super) fn looked_at(&self, kind: &MarkKind, marks: &[PendingMark]) -> Option<HashSet<String>> {
        let mut marked = HashSet::new();
        for mark in marks {
            let (read, starred) = *self.looked.get(&mark.remote_id)?;
            if if *kind == MarkKind::Read { !read? } else { starred } {
                marked.insert(mark.remote_id.clone());
            }
        }
        Some(marked)
    }

    /// Checks whether the lists are about the known articles, before they remove marks. If the server may be another one, this is also
    /// checked before they add marks. Returns whether known ids belong to other articles.
    pub(super) async fn are_reused(
        &mut self,
        known: &HashMap<String, KnownArticle>,
        lists: &Lists,
    ) -> Result<bool, SyncError> {
        if !self.looks_for_reuse() || !known.keys().any(|id| self.may_be_reused(id)) {
            return Ok(false);
        }
        let flips = decide(known, &self.library.sync().labels(self.account.id).await?, lists).flips;
        if !flips.iter().any(|flip| self.was_away || !flip.on) {
            return Ok(false);
        }
        let mut ids: Vec<String> = flips.into_iter().map(|flip| flip.remote_id).collect();
        ids.retain(|id| self.may_be_reused(id));
        sort_latest_first(&mut ids);
        ids.dedup();
        ids.truncate(SAMPLE);
        let articles = match self.server.articles(&ids).await {
            Err(error) if error.is_about_request() => return Ok(false),
            articles => articles?,
        };
        let reused = self.separate(known, &articles).await?;
        self.find_reused(!reused.is_empty()).await
    }

    /// Returns the latest known article whose id the server may give to another one. It is requested together with new articles.
    pub(super) fn latest_reusable(&self, known: &HashMap<String, KnownArticle>) -> Option<String> {
        if !self.looks_for_reuse() {
            return None;
        }
        let is_here = |id: &&str| known.get(*id).is_some_and(|known| known.item.is_some()) && self.may_be_reused(id);
        there(known).filter(is_here).max_by_key(|id| (id.len(), *id)).map(str::to_owned)
    }

    /// Removes a known article from the requested ones. Returns whether its id belongs to another article now.
    pub(super) async fn is_reused(
        &mut self,
        known: &HashMap<String, KnownArticle>,
        id: &String,
        requested: &mut Requested,
    ) -> Result<bool, SyncError> {
        let unreadable = requested.too_large.len() + requested.failed.len();
        requested.too_large.retain(|other| other != id);
        requested.failed.retain(|other| other != id);
        // It is not missing here.
        self.report.unreadable -= unreadable - requested.too_large.len() - requested.failed.len();
        let (this, others): (Vec<RemoteArticle>, Vec<_>) =
            std::mem::take(&mut requested.articles).into_iter().partition(|article| article.item.id == *id);
        requested.articles = others;
        let reused = self.separate(known, &this).await?;
        self.find_reused(!reused.is_empty()).await
    }

    /// If some known articles have lost their ids, looks for others that have. Returns whether it looked.
    pub(super) async fn find_reused(&mut self, some: bool) -> Result<bool, SyncError> {
        if !some || self.has_other_ids {
            return Ok(false);
        }
        self.has_other_ids = true;
        self.compare_latest().await?;
        Ok(true)
    }

    fn looks_for_reuse(&self) -> bool {
        self.server.hides_reuse() && !self.has_other_ids
    }

    /// Whether an id may belong to another article now. At a new address, any id may.
    fn may_be_reused(&self, id: &str) -> bool {
        self.account.synced_at.is_none() || self.server.may_reuse(id)
    }
}

/// Returns the latest article that the server has as read and without a star, and that is none of these: its contents show whether the
/// server tells the two apart.
fn latest_read<'a>(known: &'a HashMap<String, KnownArticle>, ids: &[String]) -> Option<&'a str> {
    let ids: HashSet<&str> = ids.iter().map(String::as_str).collect();
    let is_read = |known: &KnownArticle| known.read && !known.starred && known.item.is_some();
    let read = there(known).filter(|id| known.get(*id).is_some_and(is_read) && !ids.contains(id));
    read.max_by_key(|id| (id.len(), *id))
}
