//! Reads values of response headers.

use reqwest::header::{CONTENT_LENGTH, CONTENT_RANGE, HeaderMap, HeaderName, HeaderValue, LOCATION, TRANSFER_ENCODING};
use std::{borrow::Cow, fmt::Write as _};

pub(crate) fn length(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.trim().parse().ok()
}

/// Returns the length of a body with the former coding `identity` (RFC 2616, section 3.6). hyper would read it to the end of the connection.
pub(crate) fn end_of_identity(headers: &HeaderMap) -> Option<u64> {
    length(headers).filter(|_| joined(headers, &TRANSFER_ENCODING).trim().eq_ignore_ascii_case("identity"))
}

/// Whether the response is a part that contains the whole document, although no part was requested.
pub(crate) fn is_whole(headers: &HeaderMap) -> bool {
    let range = headers.get(CONTENT_RANGE).and_then(|range| range.to_str().ok()?.trim().strip_prefix("bytes 0-"));
    let numbers = range.and_then(|range| range.split_once('/'));
    let numbers = numbers.and_then(|(last, length)| Some((last.parse::<u64>().ok()?, length.parse::<u64>().ok()?)));
    numbers.is_some_and(|(last, length)| last.checked_add(1) == Some(length))
}

/// Returns the target of a redirect. Raw UTF-8 is common, which URLs percent-encode; bytes of other encodings are percent-encoded as they
/// are, as in browsers.
pub(crate) fn location(headers: &HeaderMap) -> Option<Cow<'_, str>> {
    let bytes = headers.get(LOCATION)?.as_bytes();
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Some(text.into());
    }
    let mut encoded = String::new();
    for byte in bytes {
        match byte.is_ascii() {
            true => encoded.push(char::from(*byte)),
            // Writing to a string does not fail.
            false => drop(write!(encoded, "%{byte:02X}")),
        }
    }
    Some(encoded.into())
}

/// Returns a validator as the server sent it; `None` if it is missing or blank.
pub(crate) fn validator(headers: &HeaderMap, name: &HeaderName) -> Option<Vec<u8>> {
    let mut values = headers.get_all(name).iter().map(HeaderValue::as_bytes);
    values.find(|value| !value.trim_ascii().is_empty()).map(<[u8]>::to_vec)
}

/// Returns all values of a header as one list (RFC 9110, section 5.3).
pub(crate) fn joined(headers: &HeaderMap, name: &HeaderName) -> String {
    headers.get_all(name).iter().map(|value| String::from_utf8_lossy(value.as_bytes())).collect::<Vec<_>>().join(",")
}
