//! The error of an exchange.

use crate::{Certificate, FetchCause, Quota};
use std::time::Duration;
use url::Url;

/// A failed exchange: a kind to branch on and the exact cause. `Display` is for logs; the catalogues word
/// the cause.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{cause}")]
pub struct FetchError {
    /// Group of causes that callers handle alike.
    pub kind: FetchErrorKind,
    /// The exact cause.
    pub cause: Box<FetchCause>,
    /// From Retry-After on 403, 429 and 503, at most a week; for [`FetchErrorKind::Waiting`], the remaining time.
    pub retry_after: Option<Duration>,
    /// How many requests the server still allows, if its response to this request says so.
    pub quota: Option<Quota>,
    /// The URL that failed: after redirects, and without credentials. Boxed to keep every `Result` small.
    pub url: Box<Url>,
    /// Whether a temporary redirect led to that URL, so that the error says little about the requested one.
    pub detour: bool,
    /// Whether validators were sent, with the last request of the exchange.
    pub conditional: bool,
    /// Whether the login of the request was sent to that URL.
    pub login_sent: bool,
    /// The server's certificate if it was rejected; the user may accept it ([`crate::Request::exception`]).
    pub certificate: Option<Box<Certificate>>,
}

/// The kinds of failure that callers distinguish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FetchErrorKind {
    /// Not an http or https URL, or a redirect to one.
    Scheme,
    /// The host name is unknown.
    Dns,
    /// Connection refused, unreachable or reset.
    Connect,
    /// The TLS handshake failed, usually because of the certificate.
    Tls,
    /// A time limit was exceeded.
    Timeout,
    /// A status of 400 and above, or another without the requested content.
    Http(u16),
    /// More redirects than allowed, a redirect loop, or a redirect to another site.
    TooManyRedirects,
    /// A public server or page refers to a private or loopback address.
    PrivateAddress,
    /// The body is larger than the limit.
    TooLarge,
    /// The response is damaged, truncated, or not HTTP.
    Broken,
    /// The host asked for a pause, so nothing was sent to it.
    Waiting,
    /// This machine is offline: no route to any public address, or no name can be resolved.
    Offline,
}

impl FetchError {
    /// Creates an error whose kind follows from its cause.
    #[must_use]
    pub fn new(cause: FetchCause, url: &Url) -> Self {
        Self {
            kind: FetchErrorKind::from(&cause),
            cause: Box::new(cause),
            retry_after: None,
            quota: None,
            url: Box::new(url.clone()),
            detour: false,
            conditional: false,
            login_sent: false,
            certificate: None,
        }
    }

    /// Whether the server asked with its response to be left alone for a while.
    #[must_use]
    pub fn asks_to_wait(&self) -> bool {
        matches!(self.kind, FetchErrorKind::Http(_)) && self.retry_after.is_some()
    }

    /// Whether nothing was sent because of this computer's network or its proxy, so that the server is not to blame.
    #[must_use]
    pub fn is_own_network(&self) -> bool {
        use FetchCause as Cause;
        matches!(
            *self.cause,
            Cause::Offline
                | Cause::NetworkLogin
                | Cause::UnknownProxy { .. }
                | Cause::ProxyLookupFailed { .. }
                | Cause::ProxyRefused { .. }
                | Cause::ProxyUnreachable { .. }
                | Cause::ProxyLogin { .. }
        )
    }

    /// Whether the server says that the requested document is gone for good.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.kind == FetchErrorKind::Http(410) && !self.detour
    }
}

impl From<&FetchCause> for FetchErrorKind {
    fn from(cause: &FetchCause) -> Self {
        use FetchCause as Cause;
        match cause {
            Cause::UnsupportedScheme { .. }
            | Cause::RedirectToUnsupportedScheme { .. }
            | Cause::InvalidRedirect { .. } => Self::Scheme,
            Cause::RedirectLoop | Cause::TooManyRedirects { .. } | Cause::RedirectToOtherSite { .. } => {
                Self::TooManyRedirects
            }
            Cause::PrivateAddress { .. } | Cause::RedirectToPrivateAddress { .. } => Self::PrivateAddress,
            Cause::UnknownHost { .. }
            | Cause::LookupFailed { .. }
            | Cause::UnknownProxy { .. }
            | Cause::ProxyLookupFailed { .. } => Self::Dns,
            Cause::InvalidProxy { .. }
            | Cause::ProxyRefused { .. }
            | Cause::ProxyUnreachable { .. }
            | Cause::ProxyLogin { .. }
            | Cause::ProxyFailed { .. }
            | Cause::ConnectionRefused
            | Cause::HostUnreachable
            | Cause::NetworkLogin
            | Cause::ConnectionFailed
            | Cause::ConnectionReset => Self::Connect,
            Cause::NoResponse { .. } | Cause::IncompleteResponse { .. } => Self::Timeout,
            Cause::Status { status } => Self::Http(*status),
            Cause::TooLarge { .. } => Self::TooLarge,
            Cause::DamagedCompression
            | Cause::ConnectionLost
            | Cause::EmptyResponse
            | Cause::HeadersLost
            | Cause::TooManyHeaders
            | Cause::NotHttp
            | Cause::InvalidHeader { .. } => Self::Broken,
            Cause::Offline => Self::Offline,
            Cause::HostWaits { .. } => Self::Waiting,
            Cause::NotTls
            | Cause::TlsIncompatible { .. }
            | Cause::TlsFailed { .. }
            | Cause::SetupFailed { .. }
            | Cause::CertificateExpired { .. }
            | Cause::CertificateNotYetValid { .. }
            | Cause::CertificateWrongHost { .. }
            | Cause::CertificateUntrusted
            | Cause::CertificateRevoked
            | Cause::CertificateInvalid { .. } => Self::Tls,
        }
    }
}
