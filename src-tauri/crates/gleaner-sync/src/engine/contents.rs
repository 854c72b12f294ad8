//! Requests the contents of articles. One that can't be read does not hold up the others.

use super::Run;
use crate::{RemoteArticle, SyncError};
use gleaner_library::{KnownArticle, RemoteTraits};
use std::collections::{HashMap, HashSet};

/// Number of articles that must fail, before any was read, for the fault to be the server's and not theirs.
const HOPELESS: usize = 2;

/// Maximum number of failed requests, not counting those for articles that are too large. After these, the rest waits for the next
/// synchronisation.
const MAX_FAILURES: usize = 24;

/// Articles that were requested.
#[derive(Default)]
pub(super) struct Requested {
    pub(super) articles: Vec<RemoteArticle>,
    /// Ids of articles that are too large to be read.
    pub(super) too_large: Vec<String>,
    /// Ids of articles that the server failed at.
    pub(super) failed: Vec<String>,
}

impl Requested {
    /// Returns the ids of those that the server does not have. Those that can't be read may be there.
    fn missing(&self, ids: &[String]) -> Vec<String> {
        let unread = self.too_large.iter().chain(&self.failed);
        let there: HashSet<&String> = self.articles.iter().map(|article| &article.item.id).chain(unread).collect();
        ids.iter().filter(|id| !there.contains(id)).cloned().collect()
    }
}

impl Run<'_> {
    /// Requests articles, at most [`Abilities::articles`](crate::Abilities::articles). If the server fails, or its response can't be read,
    /// halves of them are requested, down to single ones, which are left out.
    pub(super) async fn articles(&mut self, ids: &[String]) -> Result<Requested, SyncError> {
        let (mut parts, mut requested, mut some) = (vec![ids], Requested::default(), false);
        let mut failures = 0;
        while let Some(part) = parts.pop() {
            self.check()?;
            let error = match self.server.articles(part).await {
                Ok(articles) => {
                    requested.articles.extend(articles);
                    some = true;
                    continue;
                }
                Err(error) if error.may_be_one_article() => error,
                Err(error) => return Err(error),
            };
            failures += usize::from(!error.is_too_large());
            if some && failures > MAX_FAILURES {
                requested.failed.extend_from_slice(part);
                self.report.unreadable += part.len();
                continue;
            }
            let [id] = part else {
                let (first, second) = part.split_at(part.len() / 2);
                parts.extend([second, first]);
                continue;
            };
            tracing::warn!(%error, id, "an article of a server is left out");
            if error.is_too_large() {
                requested.too_large.push(id.clone());
            } else {
                requested.failed.push(id.clone());
                // Nothing was read so far: the server fails at every request, not only for this article.
                if !some && (ids.len() == 1 || requested.failed.len() >= HOPELESS) {
                    return Err(error);
                }
            }
            self.report.unreadable += 1;
        }
        Ok(requested)
    }

    /// Requests articles, and requests those that the server did not return a second time: the first response may have been wrong, and an
    /// article that is gone is not requested later. Also returns the ids of those that are gone.
    pub(super) async fn articles_or_gone(&mut self, ids: &[String]) -> Result<(Requested, Vec<String>), SyncError> {
        let mut requested = self.articles(ids).await?;
        let missing = requested.missing(ids);
        if missing.is_empty() {
            return Ok((requested, missing));
        }
        let again = self.articles(&missing).await?;
        let gone = again.missing(&missing);
        requested.articles.extend(again.articles);
        requested.too_large.extend(again.too_large);
        requested.failed.extend(again.failed);
        Ok((requested, gone))
    }

    /// Records articles that are too large, so that they are not requested each time.
    pub(super) async fn skip(&self, ids: &[String]) -> Result<(), SyncError> {
        if ids.is_empty() {
            return Ok(());
        }
        let no_feed: Vec<(String, String)> = ids.iter().map(|id| (id.clone(), String::new())).collect();
        Ok(self.library.sync().set_foreign(self.account.id, &no_feed).await?)
    }

    /// Separates known articles from ids under which the server returned other articles, as after it was restored from a backup, and
    /// reverts marks that were sent for these ids. Returns the ids.
    pub(super) async fn separate(
        &mut self,
        known: &HashMap<String, KnownArticle>,
        articles: &[RemoteArticle],
    ) -> Result<Vec<String>, SyncError> {
        let is_known = |article: &&RemoteArticle| known.get(&article.item.id).is_some_and(|known| known.item.is_some());
        let traits = |article: &RemoteArticle| RemoteTraits {
            remote_id: article.item.id.clone(),
            url: gleaner_identity::identify(std::iter::once(&article.item)).pop().and_then(|one| one.canonical_url),
            title: article.item.title.clone(),
            published_at: article.item.published.map(|at| at.timestamp_millis()),
        };
        let traits: Vec<RemoteTraits> = articles.iter().filter(is_known).map(traits).collect();
        if traits.is_empty() {
            return Ok(Vec::new());
        }
        let sent = self.sent.of(traits.iter().map(|article| article.remote_id.clone()));
        let others = self.library.sync().separate(self.account.id, &traits, &sent).await?;
        if !sent.is_empty() {
            self.take_back(&others).await?;
        }
        Ok(others)
    }

    /// Makes articles unknown that were removed here, so that they are downloaded again. Returns their ids.
    pub(super) async fn bring_back(&self, ids: &[String]) -> Result<Vec<String>, SyncError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        Ok(self.library.sync().bring_back(self.account.id, ids).await?)
    }
}
