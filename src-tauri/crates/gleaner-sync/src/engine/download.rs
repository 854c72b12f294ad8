//! Downloads the articles in the lists of a server that are not known yet.

use super::{MAX_DOWNLOADS, Run, Stage, contents::Requested};
use crate::{Lists, SyncError};
use gleaner_library::KnownArticle;
use std::collections::HashMap;

impl Run<'_> {
    /// Downloads the listed articles that are not known, the newest first, and stores each response at once. A download of several
    /// responses that stops leaves older articles missing below newer ones, so it is recorded as incomplete before it begins. Returns whether
    /// none of the newest ones is missing now.
    pub(super) async fn download(
        &mut self,
        known: &mut HashMap<String, KnownArticle>,
        lists: &Lists,
    ) -> Result<bool, SyncError> {
        let store = self.library.sync();
        let listed = lists.listed();
        let mut missing: Vec<String> = listed.iter().filter(|id| !known.contains_key(*id)).cloned().collect();
        let total = missing.len();
        let looked_at = self.latest_reusable(known).filter(|_| total > 0);
        missing.splice(0..0, looked_at.clone());
        let feeds = store.feeds(self.account.id).await?;
        let newest = !self.abilities.arrivals && !self.abilities.changes && self.account.history > 0;
        let before = if newest { store.position(self.account.id).await?.listed_at } else { None };
        let in_steps = newest && missing.len() > self.abilities.articles;
        if in_steps && before.is_some() {
            store.set_unlisted(self.account.id).await?;
        }
        let mut skipped = missing.len() > MAX_DOWNLOADS * self.abilities.articles;
        if skipped {
            tracing::warn!(missing = total, "a server has more new articles than are downloaded at once");
            self.report.incomplete = true;
        }
        for (at, chunk) in missing.chunks(self.abilities.articles).take(MAX_DOWNLOADS).enumerate() {
            self.report_progress(Stage::Articles, at * self.abilities.articles, Some(total));
            let mut requested = self.articles(chunk).await?;
            if let Some(id) = looked_at.as_ref().filter(|_| at == 0)
                && self.is_reused(known, id, &mut requested).await?
            {
                *known = store.known(self.account.id).await?;
                return Box::pin(self.download(known, lists)).await;
            }
            let Requested { articles, too_large, failed } = requested;
            skipped |= !failed.is_empty();
            self.store(articles, &feeds, &listed).await?;
            self.skip(&too_large).await?;
        }
        let was_whole = before.is_some_and(|at| at <= self.library.now());
        let whole = !skipped && lists.joined;
        if newest && whole && (in_steps || !was_whole) {
            store.set_listed(self.account.id).await?;
        } else if newest && !whole && was_whole && !in_steps {
            store.set_unlisted(self.account.id).await?;
        }
        Ok(whole || !newest)
    }
}
