//! One polite HTTP exchange: validators, redirects by hand, limits, Retry-After, typed errors.

#![allow(missing_docs)]
use std::time::Duration;
use url::Url;

/// What a [`Fetcher`] is made with.
#[derive(Debug, Clone)]
pub struct Limits {
    pub connect: Duration,
    /// Until the first byte of the answer's head.
    pub first_byte: Duration,
    /// The whole exchange with all redirects.
    pub whole: Duration,
    /// Bytes of the body after decompression.
    pub body: u64,
    pub redirects: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            first_byte: Duration::from_secs(20),
            whole: Duration::from_secs(60),
            body: 32 << 20,
            redirects: 10,
        }
    }
}

/// The two validators of RFC 9110, byte for byte as the server sent them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Validators {
    pub etag: Option<Vec<u8>>,
    pub last_modified: Option<Vec<u8>>,
}

#[derive(Debug, Clone)]
pub struct Request {
    pub url: Url,
    pub validators: Validators,
    pub accept: Accept,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accept {
    Feed,
    Page,
    Image,
}

/// An answer that is no error: 200 (with a body), 226 never, 304.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    /// `None` on 304.
    pub body: Option<Vec<u8>>,
    pub content_type: Option<String>,
    /// After redirects.
    pub url: Url,
    pub hops: Vec<Hop>,
    /// What the answer carried, not merged with what was sent.
    pub validators: Validators,
    pub freshness: Freshness,
    /// Bytes of the body as they came over the wire.
    pub wire_bytes: u64,
    pub took: Duration,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hop {
    pub status: u16,
    pub to: Url,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Freshness {
    /// From max-age, else Expires minus Date; less Age. `None` where the server is silent.
    pub fresh_for: Option<Duration>,
    pub no_store: bool,
}

/// What went wrong, in words for a person (`Display`), with a kind to branch on.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct FetchError {
    pub kind: FetchErrorKind,
    pub message: String,
    /// From Retry-After on 429 and 503, clamped to what is plausible.
    pub retry_after: Option<Duration>,
    pub url: Url,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FetchErrorKind {
    /// Not http or https, or a redirect to such a thing.
    Scheme,
    /// The name is unknown.
    Dns,
    /// Refused, unreachable, reset.
    Connect,
    Tls,
    Timeout,
    /// A status of 400 and above.
    Http(u16),
    TooManyRedirects,
    /// A redirect from a public to a private or loopback address.
    PrivateAddress,
    /// The body is larger than the limit.
    TooLarge,
    /// Broken or cut off in the middle, or not HTTP.
    Broken,
    /// This whole machine seems to be off the network.
    Offline,
}

/// Does exchanges. Cheap to clone; holds no cookies.
#[derive(Debug, Clone)]
pub struct Fetcher {}

impl Fetcher {
    /// # Errors
    /// When the TLS set-up of this machine cannot be read.
    pub fn new(limits: Limits) -> Result<Self, FetchError> {
        let _ = limits;
        Ok(Self {})
    }

    /// One GET with all its redirects.
    ///
    /// # Errors
    /// [`FetchError`] for everything that is neither 2xx with a body nor 304.
    pub async fn fetch(&self, request: Request) -> Result<Answer, FetchError> {
        Err(FetchError { kind: FetchErrorKind::Offline, message: String::new(), retry_after: None, url: request.url })
    }
}
