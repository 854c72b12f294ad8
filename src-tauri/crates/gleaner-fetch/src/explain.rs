//! Finds the cause of an HTTP client's error.

use crate::certificate::RejectedCertificate;
use crate::connectivity::Connectivity;
use crate::resolver::ResolveError;
use crate::{FetchCause, FetchError};
use chrono::{DateTime, Utc};
use reqwest::StatusCode;
use rustls::CertificateError;
use rustls::pki_types::UnixTime;
use std::error::Error;
use std::io::ErrorKind;
use std::time::Duration;
use url::Url;

/// Messages of hyper-util about a proxy that requires a login: by CONNECT, and by SOCKS if no method is accepted.
const LOGIN_TEXTS: [&str; 3] =
    ["proxy authorization required", "does not support user/pass authentication", "credentials not accepted"];

/// The phase of the exchange in which an error occurred.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Head,
    Body,
}

/// Whether the error is typical for a machine without a network, so that connectivity should be checked. A proxy that can be reached counts
/// as a network, since names may be looked up by the proxy alone.
pub(crate) fn may_be_offline(error: &reqwest::Error, url: &Url, proxy: Option<&Url>) -> bool {
    match source::<ResolveError>(error) {
        Some(ResolveError::PrivateOnly) => false,
        Some(ResolveError::Unknown | ResolveError::Unanswered) => true,
        None if proxy.is_some() => false,
        // A name server that never responds looks like an unreachable server.
        None if error.is_timeout() => error.is_connect() && url.domain().is_some(),
        None => is_unreachable(error),
    }
}

/// Returns why the proxy caused the error, if it did. The error does not say which of the two connections failed nor, with SOCKS, why, so
/// the proxy is contacted.
pub(crate) async fn proxy_failure(
    error: &reqwest::Error,
    proxy: &Url,
    connectivity: &Connectivity,
) -> Option<FetchCause> {
    if wants_login(error) {
        return Some(FetchCause::ProxyLogin { proxy: proxy.host_str()?.to_owned() });
    }
    let by_name = source::<ResolveError>(error).is_some();
    if !error.is_connect() || source::<rustls::Error>(error).is_some() || by_name && resolves_here(proxy) {
        return None;
    }
    connectivity.proxy_failure(proxy).await
}

/// Returns the cause of an error status of a response to a request for `url`.
pub(crate) fn refusal(status: StatusCode, url: &Url, proxy: Option<&Url>) -> FetchCause {
    match (status, proxy.and_then(Url::host_str)) {
        (StatusCode::PROXY_AUTHENTICATION_REQUIRED, Some(proxy)) => FetchCause::ProxyLogin { proxy: proxy.to_owned() },
        // No server sends this, only the network in between (RFC 6585, section 6), which cannot respond in place of an HTTPS server.
        (StatusCode::NETWORK_AUTHENTICATION_REQUIRED, _) if url.scheme() == "http" => FetchCause::NetworkLogin,
        _ => FetchCause::Status { status: status.as_u16() },
    }
}

/// Whether a proxy requires a login, or rejected one. The client's error says so only in its text.
fn wants_login(error: &reqwest::Error) -> bool {
    let mut next: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = next {
        let text = error.to_string();
        if LOGIN_TEXTS.iter().any(|login| text.contains(login)) {
            return true;
        }
        next = error.source();
    }
    false
}

/// Whether names of servers are resolved on this machine and not by the proxy.
fn resolves_here(proxy: &Url) -> bool {
    matches!(proxy.scheme(), "socks5" | "socks4")
}

/// Whether there is no route to the host.
pub(crate) fn is_unreachable(error: &reqwest::Error) -> bool {
    matches!(
        source::<std::io::Error>(error).map(std::io::Error::kind),
        Some(ErrorKind::NetworkUnreachable | ErrorKind::HostUnreachable | ErrorKind::NetworkDown)
    )
}

/// Whether the server says that it did not process a request, so that sending it again does no harm. It refused the stream, or it closes
/// the connection before this stream in an orderly way, as when it restarts (RFC 9113, sections 6.8 and 8.7).
pub(crate) fn is_unprocessed(error: &reqwest::Error) -> bool {
    let error = source::<h2::Error>(error).filter(|error| error.is_remote());
    error.is_some_and(|error| match error.reason() {
        Some(h2::Reason::REFUSED_STREAM) => error.is_reset(),
        Some(h2::Reason::NO_ERROR) => error.is_go_away(),
        _ => false,
    })
}

/// Whether the server responds to the request by HTTP/1.1 only, so that it should be sent again that way (RFC 9113, section 7).
pub(crate) fn requires_http1(error: &reqwest::Error) -> bool {
    let error = source::<h2::Error>(error).filter(|error| error.is_remote());
    error.is_some_and(|error| error.reason() == Some(h2::Reason::HTTP_1_1_REQUIRED))
}

/// Converts an error of the HTTP client. `proxy` is the proxy in use, if known.
pub(crate) fn explain(
    error: &reqwest::Error,
    phase: Phase,
    connect: Duration,
    url: &Url,
    proxy: Option<&Url>,
    offline: bool,
) -> FetchError {
    let host = url.host_str().unwrap_or_default();
    let rejected = source::<rustls::Error>(error).and_then(rejected);
    let cause = if let Some(cause) = source::<ResolveError>(error) {
        match cause {
            ResolveError::PrivateOnly => FetchCause::PrivateAddress { host: host.to_owned() },
            _ if offline => FetchCause::Offline,
            failed => lookup_failed(failed, host, proxy),
        }
    } else if let Some(rejected) = rejected {
        tls(&rejected.reason, &rejected.host)
    } else if let Some(cause) = source::<rustls::Error>(error) {
        tls(cause, host)
    } else if offline {
        FetchCause::Offline
    } else if error.is_timeout() {
        FetchCause::NoResponse { limit: connect }
    } else {
        let proxy = proxy.and_then(Url::host_str).map(str::to_owned);
        match (source::<std::io::Error>(error).map(std::io::Error::kind), proxy) {
            (Some(ErrorKind::ConnectionRefused), Some(proxy)) if error.is_connect() => {
                FetchCause::ProxyRefused { proxy }
            }
            (_, Some(proxy)) if error.is_connect() => FetchCause::ProxyFailed { proxy },
            (Some(ErrorKind::ConnectionRefused), _) => FetchCause::ConnectionRefused,
            (Some(ErrorKind::NetworkUnreachable | ErrorKind::HostUnreachable | ErrorKind::NetworkDown), _) => {
                FetchCause::HostUnreachable
            }
            _ if error.is_connect() => FetchCause::ConnectionFailed,
            _ if phase == Phase::Body => FetchCause::ConnectionLost,
            (Some(ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe), _) => {
                FetchCause::ConnectionReset
            }
            _ => head(error),
        }
    };
    // A proxy's certificate cannot be accepted for the feed.
    let server = host.trim_start_matches('[').trim_end_matches(']');
    let certificate = rejected.filter(|rejected| rejected.host == server).map(|rejected| rejected.certificate.clone());
    FetchError { certificate: certificate.map(Box::new), ..FetchError::new(cause, url) }
}

/// With a proxy other than SOCKS 4 or 5, the failed lookup was for the proxy's own name.
fn lookup_failed(error: &ResolveError, host: &str, proxy: Option<&Url>) -> FetchCause {
    let proxy = proxy.filter(|proxy| !resolves_here(proxy)).and_then(Url::host_str);
    match (error, proxy.map(str::to_owned)) {
        (ResolveError::Unanswered, Some(proxy)) => FetchCause::ProxyLookupFailed { proxy },
        (ResolveError::Unanswered, None) => FetchCause::LookupFailed { host: host.to_owned() },
        (_, Some(proxy)) => FetchCause::UnknownProxy { proxy },
        (_, None) => FetchCause::UnknownHost { host: host.to_owned() },
    }
}

fn rejected(error: &rustls::Error) -> Option<&RejectedCertificate> {
    match error {
        rustls::Error::InvalidCertificate(CertificateError::Other(other)) => other.0.downcast_ref(),
        _ => None,
    }
}

fn head(error: &reqwest::Error) -> FetchCause {
    match source::<hyper::Error>(error) {
        Some(error) if error.is_parse() && error.to_string().contains("too large") => FetchCause::TooManyHeaders,
        Some(error) if error.is_parse() => FetchCause::NotHttp,
        Some(error) if error.is_incomplete_message() => FetchCause::EmptyResponse,
        _ => FetchCause::HeadersLost,
    }
}

fn tls(error: &rustls::Error, host: &str) -> FetchCause {
    let rustls::Error::InvalidCertificate(certificate) = error else {
        let reason = error.to_string();
        return match error {
            rustls::Error::InvalidMessage(_) => FetchCause::NotTls,
            rustls::Error::PeerIncompatible(_) | rustls::Error::AlertReceived(_) => {
                FetchCause::TlsIncompatible { reason }
            }
            _ => FetchCause::TlsFailed { reason },
        };
    };
    match certificate {
        CertificateError::Expired => FetchCause::CertificateExpired { not_after: None },
        CertificateError::ExpiredContext { not_after, .. } => {
            FetchCause::CertificateExpired { not_after: date_time(*not_after) }
        }
        CertificateError::NotValidYet => FetchCause::CertificateNotYetValid { not_before: None },
        CertificateError::NotValidYetContext { not_before, .. } => {
            FetchCause::CertificateNotYetValid { not_before: date_time(*not_before) }
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            FetchCause::CertificateWrongHost { host: host.to_owned() }
        }
        CertificateError::UnknownIssuer => FetchCause::CertificateUntrusted,
        CertificateError::Revoked => FetchCause::CertificateRevoked,
        other => FetchCause::CertificateInvalid { reason: other.to_string() },
    }
}

fn date_time(time: UnixTime) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp(i64::try_from(time.as_secs()).ok()?, 0)
}

/// Returns the first error of type `T` in the source chain. Looks into I/O errors, whose `source` skips the inner error.
fn source<'a, T: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a T> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref::<T>() {
            return Some(found);
        }
        let inner = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        if let Some(inner) = inner
            && let Some(found) = source::<T>(inner)
        {
            return Some(found);
        }
        next = error.source();
    }
    None
}
