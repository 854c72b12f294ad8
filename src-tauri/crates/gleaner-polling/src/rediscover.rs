//! Looks for another feed of a site whose feed is gone. Runs only when the user asks; what is found is offered, not followed.

use crate::{connection::AuthorizedFetcher, runner::Poller};
use gleaner_discovery::{AddressProblem, DiscoveryError};
use gleaner_library::{LibraryError, feed_key};
use url::Url;

/// Why no other feed is offered.
#[derive(Debug, thiserror::Error)]
pub enum RediscoverError {
    /// The site cannot be loaded, or names no other feed.
    #[error(transparent)]
    Discovery(#[from] DiscoveryError),
    /// The library could not be read or written.
    #[error(transparent)]
    Library(#[from] LibraryError),
}

impl Poller {
    /// Looks for another feed on the site of a feed, and stores the best one as an offer ([`crate::Suggestion::Switch`]).
    ///
    /// # Errors
    /// [`RediscoverError`].
    pub async fn rediscover(&self, feed: i64) -> Result<(), RediscoverError> {
        let row = self.library.feeds().get(feed).await?;
        let site = match row.home_url.as_deref().or(Some(&row.url)).map(Url::parse) {
            Some(Ok(url)) if row.home_url.is_some() => url,
            // Without a known site, the front page of the host may name a feed.
            Some(Ok(url)) => url.join("/").unwrap_or(url),
            _ => return Err(DiscoveryError::Address(AddressProblem::NoSite).into()),
        };
        let found = gleaner_discovery::discover_with(&AuthorizedFetcher::new(self, None), site.as_str()).await?;
        let other = found.feeds.into_iter().find(|found| feed_key(found.url.as_str()) != feed_key(&row.url));
        let Some(other) = other else { return Err(DiscoveryError::NoFeed(site).into()) };
        let title = other.parsed.and_then(|parsed| parsed.feed.title).or(other.title);
        Ok(self.library.polls().set_offered_feed(feed, other.url.as_str(), title.as_deref()).await?)
    }
}
