//! What discovery finds.

use gleaner_feed::Parsed;
use gleaner_fetch::FetchError;
use url::Url;

/// How a feed was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum From {
    /// The address is a feed itself.
    SelfFeed,
    /// A `<link rel=alternate>` of the page.
    Link,
    /// A guess at a common path.
    CommonPath,
    /// The site's list under `/.well-known/`.
    WellKnown,
    /// A link in the body of the page.
    Anchor,
    /// What is known about the site.
    SiteRule,
}

/// A feed behind the address.
#[derive(Debug, Clone)]
pub struct Found {
    /// Absolute, http or https.
    pub url: Url,
    /// As the page calls it; as the feed calls itself where the page says nothing of use.
    pub title: Option<String>,
    /// The MIME type that the page or the answer gave, such as `application/rss+xml`.
    pub mime_type: Option<String>,
    /// How it was found.
    pub from: From,
    /// The feed itself where discovery has read it.
    pub parsed: Option<Box<Parsed>>,
}

/// What is behind an address.
#[derive(Debug, Clone)]
pub struct Discovery {
    /// The address that was asked, after completion (`example.com` → `https://example.com/`) and redirects.
    pub source: Url,
    /// Best first.
    pub feeds: Vec<Found>,
}

/// Why there is nothing to offer.
#[derive(Debug, Clone, thiserror::Error)]
pub enum DiscoveryError {
    /// Not an address. The words say why.
    #[error("{0}")]
    Address(String),
    /// The page cannot be had.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// The page is there and names no feed.
    #[error("No feed was found behind {0}")]
    NoFeed(Url),
}
