//! Converts errors of feeds to the codes and details that are stored and shown.

use gleaner_feed::NotAFeed;
use gleaner_fetch::{FetchError, FetchErrorKind};
use gleaner_library::{Failure, Millis};

const OFFLINE: &str = "offline";

/// Whether this computer was offline, so that the feed is not to blame.
pub(crate) fn is_offline(failure: &Failure) -> bool {
    failure.error_code.as_deref() == Some(OFFLINE)
}

/// Returns the code of a failed request, which the contract defines, and its detail.
pub fn of_fetch(error: &FetchError) -> (&'static str, Option<String>) {
    let host = || error.url.host_str().map(str::to_owned);
    match error.kind {
        FetchErrorKind::Scheme => ("invalid_address", Some(error.to_string())),
        FetchErrorKind::Dns => ("host_not_found", host()),
        FetchErrorKind::Connect | FetchErrorKind::PrivateAddress => ("host_unreachable", host()),
        FetchErrorKind::Tls => ("tls", Some(error.to_string())),
        FetchErrorKind::Timeout => ("timeout", host()),
        FetchErrorKind::Http(429 | 503) if error.retry_after.is_some() => ("asked_to_wait", None),
        FetchErrorKind::Http(status) => ("http_status", Some(status.to_string())),
        FetchErrorKind::TooManyRedirects | FetchErrorKind::Broken => ("broken_answer", host()),
        FetchErrorKind::TooLarge => ("too_large", host()),
        FetchErrorKind::Offline => (OFFLINE, None),
    }
}

/// Returns the message to store, with the fingerprint of a refused certificate, so that the user can accept it.
pub(crate) fn message(error: &FetchError) -> String {
    match &error.certificate {
        Some(certificate) => format!("{error} (its SHA-256 fingerprint is {})", certificate.fingerprint),
        None => error.to_string(),
    }
}

/// Returns the code of an expired domain.
pub(crate) fn of_parked(host: Option<&str>) -> (&'static str, Option<String>) {
    ("parked", host.map(str::to_owned))
}

/// Returns the code of a document that is not a feed.
pub(crate) fn of_document(error: &NotAFeed) -> (&'static str, Option<String>) {
    match error {
        NotAFeed::Empty => ("not_a_feed", Some("an empty document".to_owned())),
        NotAFeed::Other { kind } => ("not_a_feed", Some(kind.to_string())),
        NotAFeed::Moved { .. } => ("not_a_feed", Some("a notice that the feed has moved".to_owned())),
        NotAFeed::TooLarge { .. } => ("too_large", None),
    }
}

/// Returns the failure to store: an error that continues keeps its start. Time offline does not count.
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
