//! The results of discovery.

use gleaner_feed::Parsed;
use gleaner_fetch::{FetchError, Response};
use std::collections::HashSet;
use url::Url;

/// How a feed was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum From {
    /// The address is a feed itself.
    SelfFeed,
    /// A `<link rel=alternate>` of the page.
    Link,
    /// A guess of a common path.
    CommonPath,
    /// The site's list under `/.well-known/`.
    WellKnown,
    /// A link in the body of the page.
    Anchor,
    /// A rule for a known site.
    SiteRule,
}

/// A feed behind the address.
#[derive(Debug, Clone)]
pub struct Found {
    /// Absolute http or https URL.
    pub url: Url,
    /// Title given by the page, or by the feed if the page gives no useful one.
    pub title: Option<String>,
    /// MIME type given by the page or the response, such as `application/rss+xml`.
    pub mime_type: Option<String>,
    /// How it was found.
    pub from: From,
    /// The language that the page gives for it, as a tag.
    pub language: Option<String>,
    /// Whether the page has other feeds in a language closer to its own.
    pub(crate) is_other_language: bool,
    /// The parsed feed, if discovery fetched it.
    pub parsed: Option<Box<Parsed>>,
    /// The response that contained it, to be stored if the user subscribes, so that the feed is requested only once. `None` if it is too
    /// large to keep.
    pub response: Option<Box<Response>>,
}

impl Found {
    /// Creates a candidate that was not fetched.
    pub(crate) fn new(url: Url, title: Option<String>, mime_type: Option<String>, from: From) -> Self {
        let (language, is_other_language, parsed, response) = (None, false, None, None);
        Self { url, title, mime_type, from, language, is_other_language, parsed, response }
    }
}

/// The feeds behind an address.
#[derive(Debug, Clone)]
pub struct Discovery {
    /// The address after completion (`example.com` → `https://example.com/`) and redirects.
    pub source: Url,
    /// The feeds, best first.
    pub feeds: Vec<Found>,
    /// The addresses of the feeds that a public page named. They may be requested from public addresses only, also later.
    pub public: HashSet<Url>,
}

/// Why no feed can be offered.
#[derive(Debug, Clone, thiserror::Error)]
pub enum DiscoveryError {
    /// The input is not a web address.
    #[error(transparent)]
    Address(#[from] AddressProblem),
    /// The page could not be fetched.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// The page has no feed.
    #[error("No feed was found at {0}")]
    NoFeed(Url),
}

/// Why a text is not a web address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddressProblem {
    /// It is empty.
    #[error("enter a web address")]
    Missing,
    /// Its scheme is not http or https.
    #[error("addresses that start with {0}: can't be used; enter a web address that starts with http: or https:")]
    Scheme(String),
    /// It contains spaces.
    #[error("a web address can't contain spaces")]
    Spaces,
    /// It has no host.
    #[error("a web address names a site, such as example.com")]
    NoSite,
    /// It is malformed.
    #[error("this isn't a valid web address ({0})")]
    Malformed(#[from] url::ParseError),
}
