//! What went wrong with a feed, as it is kept and shown.

use gleaner_feed::NotAFeed;
use gleaner_fetch::{FetchError, FetchErrorKind};
use gleaner_library::{Failure, Millis};

const OFFLINE: &str = "offline";

/// Whether this machine is to blame, not the feed.
pub(crate) fn is_offline(failure: &Failure) -> bool {
    failure.error_code.as_deref() == Some(OFFLINE)
}

/// Of an exchange: the name that the window branches on (the contract's), and what its words name.
pub fn of_fetch(error: &FetchError) -> (&'static str, Option<String>) {
    let host = || error.url.host_str().map(str::to_owned);
    match error.kind {
        FetchErrorKind::Scheme => ("invalid_address", Some(error.message.clone())),
        FetchErrorKind::Dns => ("host_not_found", host()),
        FetchErrorKind::Connect | FetchErrorKind::PrivateAddress => ("host_unreachable", host()),
        FetchErrorKind::Tls => ("tls", Some(error.message.clone())),
        FetchErrorKind::Timeout => ("timeout", host()),
        FetchErrorKind::Http(429 | 503) if error.retry_after.is_some() => ("asked_to_wait", None),
        FetchErrorKind::Http(status) => ("http_status", Some(status.to_string())),
        FetchErrorKind::TooManyRedirects | FetchErrorKind::Broken => ("broken_answer", host()),
        FetchErrorKind::TooLarge => ("too_large", host()),
        FetchErrorKind::Offline => (OFFLINE, None),
    }
}

/// The words that are kept. With the fingerprint of a certificate that was refused, for whoever wants to accept it.
pub(crate) fn words(error: &FetchError) -> String {
    match &error.certificate {
        Some(certificate) => format!("{} (its SHA-256 fingerprint is {})", error.message, certificate.fingerprint),
        None => error.message.clone(),
    }
}

/// A domain that seems to have been given up.
pub(crate) fn of_parked(host: Option<&str>) -> (&'static str, Option<String>) {
    ("parked", host.map(str::to_owned))
}

pub(crate) fn of_document(error: &NotAFeed) -> (&'static str, Option<String>) {
    match error {
        NotAFeed::Empty => ("not_a_feed", Some("an empty document".to_owned())),
        NotAFeed::Other { what } => ("not_a_feed", Some(what.clone())),
        NotAFeed::TooLarge { limit } => ("too_large", Some(limit.clone())),
    }
}

/// The failure as it is kept: trouble that goes on keeps the moment it began. That the machine was offline is none of the feed's.
pub(crate) fn failure(
    (code, detail): (&'static str, Option<String>),
    message: String,
    before: &Failure,
    now: Millis,
) -> Failure {
    Failure {
        error_code: Some(code.to_owned()),
        error_message: Some(message),
        error_detail: detail,
        error_since: before.error_since.filter(|_| code == OFFLINE || !is_offline(before)).or(Some(now)),
    }
}
