//! The exact cause of a failed exchange, with its parameters.

use chrono::{DateTime, Utc};
use reqwest::StatusCode;
use std::fmt::{self, Display, Formatter};
use std::time::Duration;

/// Why an exchange failed. The catalogues word each variant with [`FetchCause::parameters`]; `Display` is a short English
/// sentence for logs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)] // The fields are named by what they hold.
pub enum FetchCause {
    /// The URL is not http or https.
    UnsupportedScheme { scheme: String },
    /// A redirect to a URL that is not http or https.
    RedirectToUnsupportedScheme { scheme: String },
    /// `Location` is not a valid URL.
    InvalidRedirect { location: String },
    /// A redirect to a URL that was already requested.
    RedirectLoop,
    /// More redirects than the limit.
    TooManyRedirects { limit: usize },
    /// A redirect to another site, although only the requested one is allowed.
    RedirectToOtherSite { host: String },
    /// The host is private, and only public hosts are allowed.
    PrivateAddress { host: String },
    /// A redirect from a public to a private host.
    RedirectToPrivateAddress { host: String },
    /// The server's name does not exist.
    UnknownHost { host: String },
    /// The name server did not respond.
    LookupFailed { host: String },
    /// The proxy's name does not exist.
    UnknownProxy { proxy: String },
    /// The name server did not respond when asked for the proxy's name.
    ProxyLookupFailed { proxy: String },
    /// The proxy of a feed is not a valid proxy URL.
    InvalidProxy { proxy: String },
    /// The proxy refused the connection.
    ProxyRefused { proxy: String },
    /// The proxy does not respond, or there is no route to it.
    ProxyUnreachable { proxy: String },
    /// The proxy requires a login, or rejected the one it received.
    ProxyLogin { proxy: String },
    /// The connection through the proxy failed.
    ProxyFailed { proxy: String },
    /// The server refused the connection.
    ConnectionRefused,
    /// There is no route to the server.
    HostUnreachable,
    /// The connection failed for another reason.
    ConnectionFailed,
    /// The server closed the connection before the response.
    ConnectionReset,
    /// No response within the limit.
    NoResponse { limit: Duration },
    /// The response was incomplete when the total time limit ended, or after this time because it was too slow.
    IncompleteResponse { limit: Duration },
    /// A status that is an error, or that has no content.
    Status { status: u16 },
    /// The body is longer than the limit, in bytes.
    TooLarge { limit: u64 },
    /// The compressed body is damaged.
    DamagedCompression,
    /// The connection ended in the middle of the body.
    ConnectionLost,
    /// The server closed the connection without a response.
    EmptyResponse,
    /// The connection ended before or within the response headers.
    HeadersLost,
    /// The response has too many headers.
    TooManyHeaders,
    /// The response is not HTTP.
    NotHttp,
    /// A request header has an invalid name or value.
    InvalidHeader { name: String },
    /// This machine is offline.
    Offline,
    /// The network requires a login in the browser first.
    NetworkLogin,
    /// The host asked to be left alone for this long, before this request.
    HostWaits { host: String, wait: Duration },
    /// The server does not use TLS on this port.
    NotTls,
    /// Server and client have no TLS version or cipher in common.
    TlsIncompatible { reason: String },
    /// The TLS handshake failed for another reason.
    TlsFailed { reason: String },
    /// TLS or the proxy could not be set up on this machine.
    SetupFailed { reason: String },
    /// The certificate has expired.
    CertificateExpired { not_after: Option<DateTime<Utc>> },
    /// The certificate is not valid yet.
    CertificateNotYetValid { not_before: Option<DateTime<Utc>> },
    /// The certificate is for other hosts.
    CertificateWrongHost { host: String },
    /// The certificate is self-signed, or its authority is not trusted.
    CertificateUntrusted,
    /// The certificate was revoked.
    CertificateRevoked,
    /// The certificate was rejected for another reason.
    CertificateInvalid { reason: String },
}

impl FetchCause {
    /// Returns the parameters of the message: names, times in seconds, lengths in bytes and dates in ISO 8601. The
    /// `reason` of a few variants is the English text of a library; it is meant for logs and not included.
    #[must_use]
    pub fn parameters(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::UnsupportedScheme { scheme } | Self::RedirectToUnsupportedScheme { scheme } => {
                vec![("scheme", scheme.clone())]
            }
            Self::InvalidRedirect { location } => vec![("location", location.clone())],
            Self::TooManyRedirects { limit } => vec![("limit", limit.to_string())],
            Self::RedirectToOtherSite { host }
            | Self::PrivateAddress { host }
            | Self::RedirectToPrivateAddress { host }
            | Self::UnknownHost { host }
            | Self::LookupFailed { host }
            | Self::CertificateWrongHost { host }
            | Self::HostWaits { host, .. } => vec![("host", host.clone())],
            Self::UnknownProxy { proxy }
            | Self::ProxyLookupFailed { proxy }
            | Self::InvalidProxy { proxy }
            | Self::ProxyRefused { proxy }
            | Self::ProxyUnreachable { proxy }
            | Self::ProxyLogin { proxy }
            | Self::ProxyFailed { proxy } => vec![("proxy", proxy.clone())],
            Self::NoResponse { limit } | Self::IncompleteResponse { limit } => {
                vec![("seconds", limit.as_secs_f64().to_string())]
            }
            Self::Status { status } => vec![("status", status.to_string())],
            Self::TooLarge { limit } => vec![("bytes", limit.to_string())],
            Self::InvalidHeader { name } => vec![("name", name.clone())],
            Self::CertificateExpired { not_after: Some(date) }
            | Self::CertificateNotYetValid { not_before: Some(date) } => vec![("date", iso_date(*date))],
            Self::CertificateExpired { not_after: None }
            | Self::CertificateNotYetValid { not_before: None }
            | Self::CertificateUntrusted
            | Self::CertificateRevoked
            | Self::CertificateInvalid { .. }
            | Self::TlsIncompatible { .. }
            | Self::TlsFailed { .. }
            | Self::SetupFailed { .. }
            | Self::NotTls
            | Self::Offline
            | Self::NetworkLogin
            | Self::NotHttp
            | Self::TooManyHeaders
            | Self::HeadersLost
            | Self::EmptyResponse
            | Self::ConnectionLost
            | Self::DamagedCompression
            | Self::ConnectionReset
            | Self::ConnectionFailed
            | Self::HostUnreachable
            | Self::ConnectionRefused
            | Self::RedirectLoop => Vec::new(),
        }
    }
}

impl Display for FetchCause {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnsupportedScheme { scheme } => {
                write!(f, "Only http: and https: addresses are supported, not {scheme}:")
            }
            Self::RedirectToUnsupportedScheme { scheme } => write!(f, "The server redirects to a {scheme}: address"),
            Self::InvalidRedirect { location } => write!(f, "The server redirects to an invalid address, “{location}”"),
            Self::RedirectLoop => f.write_str("The server redirects in a loop"),
            Self::TooManyRedirects { limit } => write!(f, "The server redirects more than {limit} times"),
            Self::RedirectToOtherSite { host } => write!(f, "The server redirects to another site, {host}"),
            Self::PrivateAddress { host } => write!(f, "A public page links to {host}, which is in a private network"),
            Self::RedirectToPrivateAddress { host } => {
                write!(f, "The server redirects into a private network ({host})")
            }
            Self::UnknownHost { host } => write!(f, "The server {host} could not be found"),
            Self::LookupFailed { host } => write!(f, "The name {host} could not be looked up"),
            Self::UnknownProxy { proxy } => write!(f, "The proxy {proxy} could not be found"),
            Self::ProxyLookupFailed { proxy } => write!(f, "The proxy name {proxy} could not be looked up"),
            Self::InvalidProxy { proxy } => write!(f, "The proxy address is invalid: {proxy}"),
            Self::ProxyRefused { proxy } => write!(f, "The proxy {proxy} refused the connection"),
            Self::ProxyUnreachable { proxy } => write!(f, "The proxy {proxy} does not respond"),
            Self::ProxyLogin { proxy } => write!(f, "The proxy {proxy} requires a login"),
            Self::ProxyFailed { proxy } => write!(f, "The server cannot be reached through the proxy {proxy}"),
            Self::ConnectionRefused => f.write_str("The server refused the connection"),
            Self::HostUnreachable => f.write_str("The server cannot be reached"),
            Self::ConnectionFailed => f.write_str("The connection failed"),
            Self::ConnectionReset => f.write_str("The server closed the connection"),
            Self::NoResponse { limit } => write!(f, "The server did not respond within {}", seconds(*limit)),
            Self::IncompleteResponse { limit } => write!(f, "The response was not complete after {}", seconds(*limit)),
            Self::Status { status } => {
                match StatusCode::from_u16(*status).ok().and_then(|status| status.canonical_reason()) {
                    Some(reason) => write!(f, "The server responded with status {status} ({reason})"),
                    None => write!(f, "The server responded with status {status}"),
                }
            }
            Self::TooLarge { limit } => write!(f, "The response is larger than {}", size(*limit)),
            Self::DamagedCompression => f.write_str("The compressed response is damaged"),
            Self::ConnectionLost => f.write_str("The connection was lost during the response"),
            Self::EmptyResponse => f.write_str("The server closed the connection without a response"),
            Self::HeadersLost => f.write_str("The connection was lost before the response"),
            Self::TooManyHeaders => f.write_str("The response has too many headers"),
            Self::NotHttp => f.write_str("The response is not HTTP"),
            Self::InvalidHeader { name } => write!(f, "The request header “{name}” is invalid"),
            Self::Offline => f.write_str("This computer seems to be offline"),
            Self::NetworkLogin => f.write_str("The network requires a login in the browser"),
            Self::HostWaits { host, wait } => write!(f, "{host} asked to be left alone for {}", seconds(*wait)),
            Self::NotTls => f.write_str("The server does not use TLS on this port"),
            Self::TlsIncompatible { reason } => write!(f, "No common TLS version or cipher ({reason})"),
            Self::TlsFailed { reason } => write!(f, "The secure connection failed ({reason})"),
            Self::SetupFailed { reason } => write!(f, "Connections cannot be set up on this computer ({reason})"),
            Self::CertificateExpired { not_after: Some(date) } => {
                write!(f, "The certificate expired on {}", iso_date(*date))
            }
            Self::CertificateExpired { not_after: None } => f.write_str("The certificate has expired"),
            Self::CertificateNotYetValid { not_before: Some(date) } => {
                write!(f, "The certificate is not valid before {}", iso_date(*date))
            }
            Self::CertificateNotYetValid { not_before: None } => f.write_str("The certificate is not valid yet"),
            Self::CertificateWrongHost { host } => write!(f, "The certificate is not valid for {host}"),
            Self::CertificateUntrusted => f.write_str("The certificate is self-signed or from an untrusted authority"),
            Self::CertificateRevoked => f.write_str("The certificate was revoked"),
            Self::CertificateInvalid { reason } => write!(f, "The certificate is invalid ({reason})"),
        }
    }
}

fn iso_date(date: DateTime<Utc>) -> String {
    date.format("%Y-%m-%d").to_string()
}

/// Formats a duration, such as "20 seconds" or "0.3 seconds".
fn seconds(duration: Duration) -> String {
    match duration.as_secs_f64() {
        1.0 => "1 second".to_owned(),
        seconds if duration.subsec_nanos() == 0 => format!("{seconds:.0} seconds"),
        seconds => format!("{seconds:.1} seconds"),
    }
}

/// Formats a length, such as "32 MB".
fn size(bytes: u64) -> String {
    match bytes {
        _ if bytes >= 1 << 20 && bytes.is_multiple_of(1 << 20) => format!("{} MB", bytes >> 20),
        _ if bytes >= 1 << 20 => format!("{:.1} MB", bytes as f64 / f64::from(1 << 20)),
        _ if bytes >= 1 << 10 => format!("{} KB", bytes >> 10),
        _ => format!("{bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_durations_and_sizes() {
        assert_eq!(seconds(Duration::from_secs(20)), "20 seconds");
        assert_eq!(seconds(Duration::from_secs(1)), "1 second");
        assert_eq!(seconds(Duration::from_millis(300)), "0.3 seconds");
        assert_eq!(size(32 << 20), "32 MB");
        assert_eq!(size(64 << 10), "64 KB");
    }

    #[test]
    fn parameters_are_plain_values() {
        let no_response = FetchCause::NoResponse { limit: Duration::from_millis(400) };
        assert_eq!(no_response.parameters(), [("seconds", "0.4".to_owned())]);
        assert_eq!(FetchCause::TooLarge { limit: 1 << 20 }.parameters(), [("bytes", "1048576".to_owned())]);
        let expired = FetchCause::CertificateExpired { not_after: DateTime::from_timestamp(1_714_694_400, 0) };
        assert_eq!(expired.parameters(), [("date", "2024-05-03".to_owned())]);
        let reason = "text of a library".to_owned();
        assert!(FetchCause::TlsFailed { reason }.parameters().is_empty());
    }
}
