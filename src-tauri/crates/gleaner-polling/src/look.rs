//! Looking for another feed of a site whose feed is gone, on the user's wish only: what is found is offered, not followed.

use crate::runner::Poller;
use gleaner_discovery::DiscoveryError;
use gleaner_library::{LibraryError, feed_key};
use url::Url;

/// Why nothing is offered.
#[derive(Debug, thiserror::Error)]
pub enum LookError {
    /// The site cannot be had, or names no other feed.
    #[error(transparent)]
    Discovery(#[from] DiscoveryError),
    /// The library could not be read or written.
    #[error(transparent)]
    Library(#[from] LibraryError),
}

impl Poller {
    /// Looks for a feed on the site of this one, and keeps the best one that is another as what its site offers
    /// ([`crate::Remedy::Switch`]).
    ///
    /// # Errors
    /// [`LookError`].
    pub async fn look(&self, feed: i64) -> Result<(), LookError> {
        let row = self.library.feed(feed).await?;
        let site = match row.home_url.as_deref().or(Some(&row.url)).map(Url::parse) {
            Some(Ok(url)) if row.home_url.is_some() => url,
            // Its site is not known: the front page of its host may name it.
            Some(Ok(url)) => url.join("/").unwrap_or(url),
            _ => return Err(DiscoveryError::Address(format!("{} is no web address", row.url)).into()),
        };
        let found = gleaner_discovery::discover(&self.fetcher, site.as_str()).await?;
        let other = found.feeds.into_iter().find(|found| feed_key(found.url.as_str()) != feed_key(&row.url));
        let Some(other) = other else { return Err(DiscoveryError::NoFeed(site).into()) };
        let title = other.parsed.and_then(|parsed| parsed.feed.title).or(other.title);
        Ok(self.library.offer(feed, other.url.as_str(), title.as_deref()).await?)
    }
}
