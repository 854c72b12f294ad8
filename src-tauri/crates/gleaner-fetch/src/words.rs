//! The client's errors in words that a person understands.

use crate::certificate::Refused;
use crate::resolver::ResolveError;
use crate::{FetchError, FetchErrorKind};
use chrono::{DateTime, Utc};
use rustls::CertificateError;
use rustls::pki_types::UnixTime;
use std::error::Error;
use std::io::ErrorKind;
use std::time::Duration;
use url::Url;

/// Where in the exchange it happened: the same cause has other words before and after the head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Head,
    Body,
}

/// Whether a failure is of the kinds that a machine without a network meets: then that is worth asking.
pub(crate) fn may_be_offline(error: &reqwest::Error, url: &Url) -> bool {
    match cause::<ResolveError>(error) {
        Some(ResolveError::PrivateOnly) => false,
        Some(ResolveError::Unknown | ResolveError::Unanswered) => true,
        // A name server that never answers looks like a server that cannot be reached.
        None if error.is_timeout() => error.is_connect() && url.domain().is_some(),
        None => is_without_way(error),
    }
}

/// Whether there is no way to the host: it, or a network on the way, cannot be reached.
pub(crate) fn is_without_way(error: &reqwest::Error) -> bool {
    matches!(
        cause::<std::io::Error>(error).map(std::io::Error::kind),
        Some(ErrorKind::NetworkUnreachable | ErrorKind::HostUnreachable | ErrorKind::NetworkDown)
    )
}

/// What a failure of the client means. `proxy` is the one that was asked, where it is known.
pub(crate) fn explain(
    error: &reqwest::Error,
    phase: Phase,
    connect: Duration,
    url: &Url,
    proxy: Option<&Url>,
    offline: bool,
) -> FetchError {
    let host = url.host_str().unwrap_or_default();
    let refused = cause::<rustls::Error>(error).and_then(refused);
    let (kind, message) = if let Some(cause) = cause::<ResolveError>(error) {
        match cause {
            ResolveError::PrivateOnly => {
                (FetchErrorKind::PrivateAddress, format!("The name {host} leads to a private address"))
            }
            _ if offline => (FetchErrorKind::Offline, OFFLINE.to_owned()),
            ResolveError::Unknown => (FetchErrorKind::Dns, format!("{} could not be found", whose_name(host, proxy))),
            ResolveError::Unanswered => {
                (FetchErrorKind::Dns, format!("{} could not be looked up at the moment", whose_name(host, proxy)))
            }
        }
    } else if let Some(refused) = refused {
        (FetchErrorKind::Tls, tls(&refused.why, &refused.host))
    } else if let Some(cause) = cause::<rustls::Error>(error) {
        (FetchErrorKind::Tls, tls(cause, host))
    } else if offline {
        (FetchErrorKind::Offline, OFFLINE.to_owned())
    } else if error.is_timeout() {
        (FetchErrorKind::Timeout, not_answered(connect))
    } else {
        match (cause::<std::io::Error>(error).map(std::io::Error::kind), proxy.and_then(Url::host_str)) {
            (Some(ErrorKind::ConnectionRefused), Some(proxy)) if error.is_connect() => {
                (FetchErrorKind::Connect, format!("The proxy {proxy} refused the connection"))
            }
            (_, Some(proxy)) if error.is_connect() => {
                (FetchErrorKind::Connect, format!("The server cannot be reached through the proxy {proxy}"))
            }
            (Some(ErrorKind::ConnectionRefused), _) => {
                (FetchErrorKind::Connect, "The server refused the connection".to_owned())
            }
            (Some(ErrorKind::NetworkUnreachable | ErrorKind::HostUnreachable | ErrorKind::NetworkDown), _) => {
                (FetchErrorKind::Connect, "The server cannot be reached".to_owned())
            }
            _ if error.is_connect() => (FetchErrorKind::Connect, "The connection could not be made".to_owned()),
            _ if phase == Phase::Body => {
                (FetchErrorKind::Broken, "The connection broke off in the middle of the answer".to_owned())
            }
            (Some(ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe), _) => {
                (FetchErrorKind::Connect, "The server cut the connection".to_owned())
            }
            _ => (FetchErrorKind::Broken, head(error)),
        }
    };
    // A proxy's certificate is none that could be accepted for the feed.
    let server = host.trim_start_matches('[').trim_end_matches(']');
    let certificate = refused.filter(|refused| refused.host == server).map(|refused| refused.certificate.clone());
    FetchError { certificate: certificate.map(Box::new), ..FetchError::new(kind, message, url) }
}

const OFFLINE: &str = "This computer seems to be offline";

/// Of the server, or of the proxy where that is what is looked up here.
fn whose_name(host: &str, proxy: Option<&Url>) -> String {
    match proxy.filter(|proxy| !matches!(proxy.scheme(), "socks5" | "socks4")).and_then(Url::host_str) {
        Some(proxy) => format!("The proxy's name {proxy}"),
        None => format!("The server's name {host}"),
    }
}

fn refused(error: &rustls::Error) -> Option<&Refused> {
    match error {
        rustls::Error::InvalidCertificate(CertificateError::Other(other)) => other.0.downcast_ref(),
        _ => None,
    }
}

/// "The server did not answer within 20 seconds".
pub(crate) fn not_answered(limit: Duration) -> String {
    format!("The server did not answer within {}", seconds(limit))
}

/// "20 seconds", "1 second", "0.3 seconds".
pub(crate) fn seconds(duration: Duration) -> String {
    match duration.as_secs_f64() {
        1.0 => "1 second".to_owned(),
        seconds if duration.subsec_nanos() == 0 => format!("{seconds:.0} seconds"),
        seconds => format!("{seconds:.1} seconds"),
    }
}

/// "32 MB".
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        _ if bytes >= 1 << 20 && bytes.is_multiple_of(1 << 20) => format!("{} MB", bytes >> 20),
        _ if bytes >= 1 << 20 => format!("{:.1} MB", bytes as f64 / f64::from(1 << 20)),
        _ if bytes >= 1 << 10 => format!("{} KB", bytes >> 10),
        _ => format!("{bytes} bytes"),
    }
}

fn head(error: &reqwest::Error) -> String {
    match cause::<hyper::Error>(error) {
        Some(cause) if cause.is_parse() && cause.to_string().contains("too large") => {
            "The server's answer begins with too many headers"
        }
        Some(cause) if cause.is_parse() => "The server's answer is not HTTP",
        Some(cause) if cause.is_incomplete_message() => "The server closed the connection without an answer",
        _ => "The connection broke off before the answer",
    }
    .to_owned()
}

fn tls(error: &rustls::Error, host: &str) -> String {
    let rustls::Error::InvalidCertificate(certificate) = error else {
        return match error {
            rustls::Error::InvalidMessage(_) => "The server does not speak TLS on this port".to_owned(),
            rustls::Error::PeerIncompatible(_) | rustls::Error::AlertReceived(_) => {
                format!("The server and Gleaner could not agree on a secure connection ({error})")
            }
            _ => format!("A secure connection could not be made ({error})"),
        };
    };
    match certificate {
        CertificateError::Expired => "The certificate has expired".to_owned(),
        CertificateError::ExpiredContext { not_after, .. } => {
            format!("The certificate expired on {}", day(*not_after))
        }
        CertificateError::NotValidYet => "The certificate is not valid yet".to_owned(),
        CertificateError::NotValidYetContext { not_before, .. } => {
            format!("The certificate is valid only from {}", day(*not_before))
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            format!("The certificate is for another server than {host}")
        }
        CertificateError::UnknownIssuer => {
            "The certificate is self-signed or from an authority that this computer does not know".to_owned()
        }
        CertificateError::Revoked => "The certificate was revoked".to_owned(),
        other => format!("The certificate is not good ({other})"),
    }
}

/// "3 May 2024".
fn day(time: UnixTime) -> String {
    i64::try_from(time.as_secs())
        .ok()
        .and_then(|seconds| DateTime::<Utc>::from_timestamp(seconds, 0))
        .map_or_else(|| "an impossible day".to_owned(), |moment| moment.format("%-d %B %Y").to_string())
}

/// The first cause of a type in an error's chain, I/O errors opened up, which hide theirs from the chain.
fn cause<'a, T: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a T> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref::<T>() {
            return Some(found);
        }
        let inner = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        if let Some(inner) = inner
            && let Some(found) = cause::<T>(inner)
        {
            return Some(found);
        }
        next = error.source();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_words() {
        assert_eq!(not_answered(Duration::from_secs(20)), "The server did not answer within 20 seconds");
        assert_eq!(seconds(Duration::from_secs(1)), "1 second");
        assert_eq!(seconds(Duration::from_millis(300)), "0.3 seconds");
        assert_eq!(size(32 << 20), "32 MB");
        assert_eq!(size(64 << 10), "64 KB");
        assert_eq!(day(UnixTime::since_unix_epoch(Duration::from_secs(1_714_694_400))), "3 May 2024");
    }
}
