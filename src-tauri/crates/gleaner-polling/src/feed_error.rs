//! Errors of feeds and of full texts: a code and parameters, which the library stores and the catalogues word.

use crate::{file::FeedFileError, secrets::SecretError};
use gleaner_feed::{DocumentKind, NotAFeed};
use gleaner_fetch::{FetchCause, FetchError, FetchErrorKind};
use gleaner_library::{Failure, Millis, Parameters};
use std::{fmt, io, path::Path};

/// Calls the macro `$callback` with all codes and the names under which the library stores them.
#[macro_export]
macro_rules! feed_error_codes {
    ($callback:ident) => {
        $callback! {
            Offline = "offline",
            NetworkLogin = "network_login",
            InvalidAddress = "invalid_address",
            UnsupportedScheme = "unsupported_scheme",
            RedirectToUnsupportedScheme = "redirect_to_unsupported_scheme",
            InvalidRedirect = "invalid_redirect",
            RedirectLoop = "redirect_loop",
            TooManyRedirects = "too_many_redirects",
            RedirectToOtherSite = "redirect_to_other_site",
            PrivateAddress = "private_address",
            RedirectToPrivateAddress = "redirect_to_private_address",
            HostNotFound = "host_not_found",
            LookupFailed = "lookup_failed",
            ProxyNotFound = "proxy_not_found",
            InvalidProxy = "invalid_proxy",
            ProxyRefused = "proxy_refused",
            ProxyUnreachable = "proxy_unreachable",
            ProxyLogin = "proxy_login",
            ProxyFailed = "proxy_failed",
            ConnectionRefused = "connection_refused",
            HostUnreachable = "host_unreachable",
            ConnectionFailed = "connection_failed",
            ConnectionReset = "connection_reset",
            Timeout = "timeout",
            IncompleteResponse = "incomplete_response",
            HttpStatus = "http_status",
            Unauthorized = "unauthorized",
            LoginRefused = "login_refused",
            Forbidden = "forbidden",
            HttpNotFound = "http_not_found",
            Gone = "gone",
            TooManyRequests = "too_many_requests",
            RetryAfter = "retry_after",
            RetryAfterUntil = "retry_after_until",
            TooLarge = "too_large",
            DamagedCompression = "damaged_compression",
            ConnectionLost = "connection_lost",
            InvalidResponse = "invalid_response",
            InvalidHeader = "invalid_header",
            NotTls = "not_tls",
            TlsIncompatible = "tls_incompatible",
            TlsFailed = "tls_failed",
            TlsSetupFailed = "tls_setup_failed",
            CertificateExpired = "certificate_expired",
            CertificateNotYetValid = "certificate_not_yet_valid",
            CertificateWrongHost = "certificate_wrong_host",
            CertificateUntrusted = "certificate_untrusted",
            CertificateRevoked = "certificate_revoked",
            CertificateInvalid = "certificate_invalid",
            SecretUnreadable = "secret_unreadable",
            SecretGone = "secret_gone",
            Parked = "parked",
            NotAFeed = "not_a_feed",
            NotAFeedEmpty = "not_a_feed_empty",
            NotAFeedWebPage = "not_a_feed_web_page",
            NotAFeedOpml = "not_a_feed_opml",
            NotAFeedSitemap = "not_a_feed_sitemap",
            NotAFeedXml = "not_a_feed_xml",
            NotAFeedJson = "not_a_feed_json",
            NotAFeedText = "not_a_feed_text",
            NotAFeedImage = "not_a_feed_image",
            NotAFeedMedia = "not_a_feed_media",
            NotAFeedPdf = "not_a_feed_pdf",
            NotAFeedArchive = "not_a_feed_archive",
            FeedMoved = "feed_moved",
            NoPage = "no_page",
            NotAPage = "not_a_page",
            NotMedia = "not_media",
            NoArticle = "no_article",
            LessText = "less_text",
            FileNotFound = "file_not_found",
            FileNotPermitted = "file_not_permitted",
            FileUnreadable = "file_unreadable",
            NotAFile = "not_a_file",
            FileNotPicked = "file_not_picked",
            EpisodesFull = "episodes_full",
            DiskFull = "disk_full",
            Busy = "busy",
            Cancelled = "cancelled",
            Internal = "internal",
            Unknown = "unknown",
        }
    };
}

macro_rules! declare_codes {
    ($($variant:ident = $name:literal),+ $(,)?) => {
        /// The code of a feed's error.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs)] // The contract describes each.
        pub enum FeedErrorCode { $($variant),+ }

        impl FeedErrorCode {
            /// All codes.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Returns the name under which the code is stored.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            /// Returns the code with a stored name; `Unknown` for names of other versions.
            #[must_use]
            pub fn named(name: &str) -> Self {
                match name { $($name => Self::$variant,)+ _ => Self::Unknown }
            }
        }
    };
}
feed_error_codes!(declare_codes);

use FeedErrorCode as Code;

impl FeedErrorCode {
    /// Whether the feed cannot be requested because of its address, whatever its server does.
    #[must_use]
    pub fn is_of_address(self) -> bool {
        matches!(self, Code::InvalidAddress | Code::UnsupportedScheme | Code::FileNotPicked)
    }

    /// Whether this computer is offline, or its proxy cannot be reached, so that the feed is not to blame.
    #[must_use]
    pub fn is_own_network(self) -> bool {
        matches!(
            self,
            Code::Offline
                | Code::NetworkLogin
                | Code::ProxyNotFound
                | Code::ProxyRefused
                | Code::ProxyUnreachable
                | Code::ProxyLogin
        )
    }

    /// Whether the secure connection failed, so that nothing is known about the server.
    pub(crate) fn is_tls(self) -> bool {
        matches!(
            self,
            Code::NotTls
                | Code::TlsIncompatible
                | Code::TlsFailed
                | Code::TlsSetupFailed
                | Code::CertificateExpired
                | Code::CertificateNotYetValid
                | Code::CertificateWrongHost
                | Code::CertificateUntrusted
                | Code::CertificateRevoked
                | Code::CertificateInvalid
        )
    }

    /// Whether the response was a document of another kind.
    pub(crate) fn is_not_a_feed(self) -> bool {
        matches!(
            self,
            Code::NotAFeed
                | Code::NotAFeedEmpty
                | Code::NotAFeedWebPage
                | Code::NotAFeedOpml
                | Code::NotAFeedSitemap
                | Code::NotAFeedXml
                | Code::NotAFeedJson
                | Code::NotAFeedText
                | Code::NotAFeedImage
                | Code::NotAFeedMedia
                | Code::NotAFeedPdf
                | Code::NotAFeedArchive
                | Code::FeedMoved
        )
    }
}

/// Why a feed or a full text could not be downloaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedError {
    /// What failed.
    pub code: FeedErrorCode,
    /// The parameters of its message.
    pub parameters: Parameters,
}

/// For logs.
impl fmt::Display for FeedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code.name())?;
        self.parameters.0.iter().try_for_each(|(name, value)| write!(f, " {name}={value}"))
    }
}

impl From<FeedErrorCode> for FeedError {
    fn from(code: FeedErrorCode) -> Self {
        Self { code, parameters: Parameters::default() }
    }
}

impl FeedError {
    /// Creates an error with one parameter.
    pub(crate) fn with(code: FeedErrorCode, name: &str, value: impl Into<String>) -> Self {
        let mut error = Self::from(code);
        error.parameters.0.insert(name.to_owned(), value.into());
        error
    }

    /// Returns the error that the library stored; `None` if there is none.
    #[must_use]
    pub fn stored(code: Option<&str>, parameters: &Parameters) -> Option<Self> {
        Some(Self { code: Code::named(code?), parameters: parameters.clone() })
    }

    /// Creates the error of a domain that is for sale.
    pub(crate) fn parked(host: Option<&str>) -> Self {
        Self::with(Code::Parked, "host", host.unwrap_or_default())
    }

    /// Creates the error of a file that the system cannot read.
    #[must_use]
    pub fn of_io(file: &Path, error: &io::Error) -> Self {
        let code = match error.kind() {
            io::ErrorKind::NotFound => Code::FileNotFound,
            io::ErrorKind::PermissionDenied => Code::FileNotPermitted,
            _ => Code::FileUnreadable,
        };
        Self::with(code, "file", file.display().to_string())
    }

    /// Creates the error of a server that asked to wait until a time.
    #[must_use]
    pub fn wait(until: Millis) -> Self {
        Self::with(Code::RetryAfterUntil, "until", until.to_string())
    }
}

impl From<&FetchError> for FeedError {
    fn from(error: &FetchError) -> Self {
        use FetchCause as Cause;
        let mut parameters = error.cause.parameters();
        let code = match &*error.cause {
            Cause::Status { .. } => match error.kind {
                _ if error.asks_to_wait() => Code::RetryAfter,
                // A server may respond with 403 for any reason; the login may be right.
                FetchErrorKind::Http(401) if error.login_sent => Code::LoginRefused,
                FetchErrorKind::Http(401) => Code::Unauthorized,
                FetchErrorKind::Http(403) => Code::Forbidden,
                FetchErrorKind::Http(404) => Code::HttpNotFound,
                FetchErrorKind::Http(410) if error.is_gone() => Code::Gone,
                FetchErrorKind::Http(429) => Code::TooManyRequests,
                _ => Code::HttpStatus,
            },
            Cause::UnsupportedScheme { .. } => Code::UnsupportedScheme,
            Cause::RedirectToUnsupportedScheme { .. } => Code::RedirectToUnsupportedScheme,
            Cause::InvalidRedirect { .. } => Code::InvalidRedirect,
            Cause::RedirectLoop => Code::RedirectLoop,
            Cause::TooManyRedirects { .. } => Code::TooManyRedirects,
            Cause::RedirectToOtherSite { .. } => Code::RedirectToOtherSite,
            Cause::PrivateAddress { .. } => Code::PrivateAddress,
            Cause::RedirectToPrivateAddress { .. } => Code::RedirectToPrivateAddress,
            Cause::UnknownHost { .. } => Code::HostNotFound,
            Cause::LookupFailed { .. } => Code::LookupFailed,
            Cause::UnknownProxy { .. } | Cause::ProxyLookupFailed { .. } => Code::ProxyNotFound,
            Cause::InvalidProxy { .. } => Code::InvalidProxy,
            Cause::ProxyRefused { .. } => Code::ProxyRefused,
            Cause::ProxyUnreachable { .. } => Code::ProxyUnreachable,
            Cause::ProxyLogin { .. } => Code::ProxyLogin,
            Cause::ProxyFailed { .. } => Code::ProxyFailed,
            Cause::ConnectionRefused => Code::ConnectionRefused,
            Cause::HostUnreachable => Code::HostUnreachable,
            Cause::ConnectionFailed => Code::ConnectionFailed,
            Cause::ConnectionReset => Code::ConnectionReset,
            Cause::NoResponse { .. } => Code::Timeout,
            Cause::IncompleteResponse { .. } => Code::IncompleteResponse,
            Cause::TooLarge { .. } => Code::TooLarge,
            Cause::DamagedCompression => Code::DamagedCompression,
            Cause::ConnectionLost | Cause::EmptyResponse | Cause::HeadersLost => Code::ConnectionLost,
            Cause::TooManyHeaders | Cause::NotHttp => Code::InvalidResponse,
            Cause::InvalidHeader { .. } => Code::InvalidHeader,
            Cause::Offline => Code::Offline,
            Cause::NetworkLogin => Code::NetworkLogin,
            Cause::HostWaits { .. } => Code::RetryAfter,
            Cause::NotTls => Code::NotTls,
            Cause::TlsIncompatible { .. } => Code::TlsIncompatible,
            Cause::TlsFailed { .. } => Code::TlsFailed,
            Cause::SetupFailed { .. } => Code::TlsSetupFailed,
            Cause::CertificateExpired { not_after: Some(_) } => Code::CertificateExpired,
            Cause::CertificateNotYetValid { not_before: Some(_) } => Code::CertificateNotYetValid,
            Cause::CertificateWrongHost { .. } => Code::CertificateWrongHost,
            Cause::CertificateUntrusted => Code::CertificateUntrusted,
            Cause::CertificateRevoked => Code::CertificateRevoked,
            Cause::CertificateExpired { not_after: None }
            | Cause::CertificateNotYetValid { not_before: None }
            | Cause::CertificateInvalid { .. } => Code::CertificateInvalid,
        };
        if let Some(certificate) = &error.certificate {
            // With it the user can accept the certificate.
            parameters.push(("fingerprint", certificate.fingerprint.to_string()));
        }
        let host = error.url.host_str().map(|host| ("host", host.to_owned()));
        // The host of the cause is the one that failed; it replaces that of the request.
        let all = host.into_iter().chain(parameters);
        Self { code, parameters: Parameters(all.map(|(name, value)| (name.to_owned(), value)).collect()) }
    }
}

impl From<&NotAFeed> for FeedError {
    fn from(error: &NotAFeed) -> Self {
        let kind = match error {
            NotAFeed::Empty => return Code::NotAFeedEmpty.into(),
            NotAFeed::TooLarge { .. } => return Code::TooLarge.into(),
            NotAFeed::Moved { to } => return Self::with(Code::FeedMoved, "location", to),
            NotAFeed::Other { kind } => kind,
        };
        match kind {
            DocumentKind::WebPage => Code::NotAFeedWebPage.into(),
            DocumentKind::OpmlList => Code::NotAFeedOpml.into(),
            DocumentKind::Sitemap => Code::NotAFeedSitemap.into(),
            DocumentKind::Xml { root } => Self::with(Code::NotAFeedXml, "root", root),
            DocumentKind::Json => Code::NotAFeedJson.into(),
            DocumentKind::PlainText => Code::NotAFeedText.into(),
            DocumentKind::Image { .. } => Code::NotAFeedImage.into(),
            DocumentKind::Audio | DocumentKind::MediaFile => Code::NotAFeedMedia.into(),
            DocumentKind::Pdf => Code::NotAFeedPdf.into(),
            DocumentKind::Archive { .. } => Code::NotAFeedArchive.into(),
            DocumentKind::Feed
            | DocumentKind::Rdf
            | DocumentKind::RssWithoutChannel
            | DocumentKind::PropertyList
            | DocumentKind::SearchDescription
            | DocumentKind::Program
            | DocumentKind::Font => Code::NotAFeed.into(),
        }
    }
}

impl From<&FeedFileError> for FeedError {
    fn from(error: &FeedFileError) -> Self {
        let with = |code, path: &Path| Self::with(code, "file", path.display().to_string());
        match error {
            FeedFileError::NotAFile(path) => with(Code::NotAFile, path),
            FeedFileError::TooLarge { .. } => Code::TooLarge.into(),
            FeedFileError::NoAddress(path) => with(Code::FileUnreadable, path),
            FeedFileError::NoPath(url) => Self::with(Code::FileNotFound, "file", url.as_str()),
            FeedFileError::Io { path, error } => Self::of_io(path, error),
            FeedFileError::NotAFeed { error, .. } => error.into(),
        }
    }
}

impl From<&SecretError> for FeedError {
    fn from(error: &SecretError) -> Self {
        match error {
            SecretError::Keyring(_) => Code::SecretUnreadable.into(),
            SecretError::Gone => Code::SecretGone.into(),
        }
    }
}

/// Whether this computer was offline, or its proxy could not be reached, so that the feed is not to blame.
pub(crate) fn is_offline(failure: &Failure) -> bool {
    failure.error_code.as_deref().map(Code::named).is_some_and(Code::is_own_network)
}

/// Returns the failure to store: an error that continues keeps its start. Time offline does not count.
pub(crate) fn failure(error: FeedError, before: &Failure, now: Millis) -> Failure {
    let continues = error.code.is_own_network() || !is_offline(before);
    Failure {
        error_code: Some(error.code.name().to_owned()),
        error_parameters: error.parameters,
        error_since: before.error_since.filter(|_| continues).or(Some(now)),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::time::Duration;

    fn of(cause: FetchCause) -> FeedError {
        (&FetchError::new(cause, &"https://example.com/feed".parse().unwrap())).into()
    }

    #[test]
    fn every_code_is_read_back_by_its_name() {
        for code in FeedErrorCode::ALL {
            assert_eq!(FeedErrorCode::named(code.name()), *code);
        }
        assert_eq!(FeedErrorCode::named("of another version"), FeedErrorCode::Unknown);
    }

    #[test]
    fn a_failed_request_names_its_host_or_the_host_of_the_cause() {
        assert_eq!(of(FetchCause::ConnectionRefused), FeedError::with(Code::ConnectionRefused, "host", "example.com"));
        let other = FetchCause::UnknownHost { host: "example.org".to_owned() };
        assert_eq!(of(other), FeedError::with(Code::HostNotFound, "host", "example.org"));
    }

    #[test]
    fn a_status_has_its_own_code_if_the_user_can_do_something_about_it() {
        let status = |status| of(FetchCause::Status { status });
        assert_eq!(status(401).code, Code::Unauthorized);
        assert_eq!(status(410).code, Code::Gone);
        let with_login = |status| {
            let url = "https://example.com/feed".parse().unwrap();
            let error = FetchError::new(FetchCause::Status { status }, &url);
            FeedError::from(&FetchError { login_sent: true, ..error }).code
        };
        assert_eq!([401, 403, 404].map(with_login), [Code::LoginRefused, Code::Forbidden, Code::HttpNotFound]);
        assert_eq!((status(500).code, status(500).parameters.0["status"].as_str()), (Code::HttpStatus, "500"));
        let url = "https://example.com/feed".parse().unwrap();
        let waits = FetchError {
            retry_after: Some(Duration::from_secs(60)),
            ..FetchError::new(FetchCause::Status { status: 503 }, &url)
        };
        assert_eq!(FeedError::from(&waits).code, Code::RetryAfter);
    }

    #[test]
    fn an_error_keeps_its_start_and_time_offline_does_not_count() {
        let first = failure(Code::Timeout.into(), &Failure::default(), 1);
        let later = failure(Code::Gone.into(), &first, 2);
        assert_eq!((later.error_code.as_deref(), later.error_since), (Some("gone"), Some(1)));
        for code in [Code::Offline, Code::ProxyNotFound, Code::ProxyRefused, Code::ProxyUnreachable, Code::ProxyLogin] {
            let offline = failure(code.into(), &Failure::default(), 3);
            assert_eq!(failure(Code::Gone.into(), &offline, 4).error_since, Some(4));
        }
    }
}
