//! What can go wrong in an exchange.

use crate::Certificate;
use std::time::Duration;
use url::Url;

/// What went wrong, in words for a person (`Display`), with a kind to branch on.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct FetchError {
    /// To branch on.
    pub kind: FetchErrorKind,
    /// A sentence for a person, without a full stop.
    pub message: String,
    /// From Retry-After on 429 and 503, a week at most.
    pub retry_after: Option<Duration>,
    /// The URL that failed: after redirects, and without credentials. Boxed, since errors travel in every `Result`.
    pub url: Box<Url>,
    /// The server's certificate where that was refused: the user may accept this very one ([`crate::Request::exception`]).
    pub certificate: Option<Box<Certificate>>,
}

/// The kinds of failure that something branches on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FetchErrorKind {
    /// Not http or https, or a redirect to such a thing.
    Scheme,
    /// The name is unknown.
    Dns,
    /// Refused, unreachable, reset.
    Connect,
    /// No agreement on TLS, most often for the certificate's sake.
    Tls,
    /// One of the time limits ran out.
    Timeout,
    /// A status of 400 and above, or another that brings nothing that was asked for.
    Http(u16),
    /// More redirects than the limit, or a circle of them.
    TooManyRedirects,
    /// A redirect from a public to a private or loopback address.
    PrivateAddress,
    /// The body is larger than the limit.
    TooLarge,
    /// Broken or cut off in the middle, or not HTTP.
    Broken,
    /// This whole machine seems to be off the network: no way to any public address, or no name can be looked up.
    Offline,
}

impl FetchError {
    pub(crate) fn new(kind: FetchErrorKind, message: impl Into<String>, url: &Url) -> Self {
        Self { kind, message: message.into(), retry_after: None, url: Box::new(url.clone()), certificate: None }
    }
}
