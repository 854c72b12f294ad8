//! Looks for another feed of a site whose feed is gone. Runs only when the user asks; the result is only suggested.

use crate::{connection::AuthorizedFetcher, runner::Poller};
use gleaner_address::is_private_host;
use gleaner_discovery::{AddressProblem, DiscoveryError, Source};
use gleaner_fetch::{FetchError, Request, Response};
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

/// Requests from public addresses only.
struct PublicOnly<'a>(AuthorizedFetcher<'a>);

impl Source for PublicOnly<'_> {
    async fn get(&self, request: Request) -> Result<Response, FetchError> {
        self.0.get(Request { public_only: true, ..request }).await
    }
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
        // The address of the site comes from the feed, not from the user: that of a public feed must not lead to the private network.
        let polls = self.library.polls().list().await?;
        let private = polls.iter().any(|poll| poll.feed_id == feed && poll.private == Some(true));
        let fetcher = AuthorizedFetcher::new(self, None);
        let found = if private || Url::parse(&row.url).is_ok_and(|url| is_private_host(&url)) {
            gleaner_discovery::discover_with(&fetcher, site.as_str()).await?
        } else {
            gleaner_discovery::discover_with(&PublicOnly(fetcher), site.as_str()).await?
        };
        let other = found.feeds.into_iter().find(|found| feed_key(found.url.as_str()) != feed_key(&row.url));
        let Some(other) = other else { return Err(DiscoveryError::NoFeed(site).into()) };
        let title = other.parsed.and_then(|parsed| parsed.feed.title).or(other.title);
        Ok(self.library.polls().set_offered_feed(feed, &row.url, other.url.as_str(), title.as_deref()).await?)
    }
}
