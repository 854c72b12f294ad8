//! The cookies of one exchange. Some sites set a cookie in a redirect and deliver no document without it: they redirect in a loop, or to a
//! page about cookies. The next exchange begins without cookies, and no other origin gets them.

use crate::clock::now_utc;
use crate::freshness::date;
use reqwest::header::{COOKIE, HeaderMap, HeaderValue, SET_COOKIE};
use url::{Origin, Url};

/// Maximum length, in bytes, of what is sent: servers refuse long headers.
const MAX_COOKIES: usize = 4 << 10;

#[derive(Debug, Default)]
pub(crate) struct Cookies {
    set: Vec<Cookie>,
    /// Origins that have had a cookie.
    origins: Vec<Origin>,
}

#[derive(Debug)]
struct Cookie {
    origin: Origin,
    /// Name, equals sign and value.
    pair: Vec<u8>,
}

impl Cookie {
    fn is(&self, origin: &Origin, name: &[u8]) -> bool {
        self.origin == *origin && self::name(&self.pair) == name
    }
}

impl Cookies {
    /// Records the cookies of a redirect (RFC 6265, section 5.2). Returns whether the origin has its first cookie, so that the same
    /// requests may have other results.
    pub(crate) fn record(&mut self, url: &Url, headers: &HeaderMap) -> bool {
        let origin = url.origin();
        for value in headers.get_all(SET_COOKIE) {
            let (pair, attributes) = split_once(value.as_bytes(), b';');
            let (name, value) = split_once(pair, b'=');
            // Only connections with TLS may set secure ones.
            if !pair.contains(&b'=') || url.scheme() == "http" && is_secure(attributes) {
                continue;
            }
            self.set.retain(|cookie| !cookie.is(&origin, name));
            let others = self.set.iter().filter(|other| other.origin == origin);
            let length: usize = others.map(|other| other.pair.len() + 2).sum();
            let pair = [name, b"=", value].concat();
            if !value.is_empty() && !is_removed(attributes) && length + pair.len() <= MAX_COOKIES {
                self.set.push(Cookie { origin: origin.clone(), pair });
            }
        }
        let is_first = !self.origins.contains(&origin) && self.set.iter().any(|cookie| cookie.origin == origin);
        if is_first {
            self.origins.push(origin);
        }
        is_first
    }

    /// Adds the cookies of a URL to the headers of a request. They replace those that the user set, as in browsers.
    pub(crate) fn add_to(&self, url: &Url, headers: &mut HeaderMap) {
        let origin = url.origin();
        let set: Vec<&Cookie> = self.set.iter().filter(|cookie| cookie.origin == origin).collect();
        if set.is_empty() {
            return;
        }
        let own = headers.get(COOKIE).map(|value| value.as_bytes().to_vec()).unwrap_or_default();
        let own = own.split(|byte| *byte == b';').map(<[u8]>::trim_ascii);
        let kept = own.filter(|pair| !pair.is_empty() && !set.iter().any(|cookie| cookie.is(&origin, name(pair))));
        let all: Vec<&[u8]> = kept.chain(set.iter().map(|cookie| cookie.pair.as_slice())).collect();
        if let Ok(value) = HeaderValue::from_bytes(&all.join(&b"; "[..])) {
            headers.insert(COOKIE, value);
        }
    }
}

/// Returns what is before the first separator and after it, without spaces around them.
fn split_once(bytes: &[u8], separator: u8) -> (&[u8], &[u8]) {
    let end = bytes.iter().position(|byte| *byte == separator).unwrap_or(bytes.len());
    let rest = bytes.get(end + 1..).unwrap_or_default();
    (bytes[..end].trim_ascii(), rest.trim_ascii())
}

fn name(pair: &[u8]) -> &[u8] {
    split_once(pair, b'=').0
}

/// Returns the value of the last attribute with this name.
fn attribute<'a>(attributes: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let mut all = attributes.split(|byte| *byte == b';').map(|attribute| split_once(attribute, b'='));
    all.rfind(|(found, _)| found.eq_ignore_ascii_case(name.as_bytes())).map(|(_, value)| value)
}

fn is_secure(attributes: &[u8]) -> bool {
    attribute(attributes, "Secure").is_some()
}

/// Whether a cookie ends before it is used: sites remove it this way. `Max-Age` takes precedence over `Expires`.
fn is_removed(attributes: &[u8]) -> bool {
    let max_age = attribute(attributes, "Max-Age").unwrap_or_default();
    let digits = max_age.strip_prefix(b"-").unwrap_or(max_age);
    match digits {
        [_, ..] if digits.iter().all(u8::is_ascii_digit) => {
            max_age != digits || digits.iter().all(|digit| *digit == b'0')
        }
        _ => {
            let expires = attribute(attributes, "Expires").map(String::from_utf8_lossy);
            // Many sites write the dashes of an older form, with the year of the newer one.
            let expires = expires.and_then(|expires| date(&expires).or_else(|| date(&expires.replace('-', " "))));
            expires.is_some_and(|expires| expires <= now_utc())
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Returns what is sent to an address after it set these cookies.
    fn sent(url: &str, own: &str, set: &[&str]) -> String {
        let (url, mut cookies) = (Url::parse(url).unwrap(), Cookies::default());
        for set in set {
            let headers = HeaderMap::from_iter([(SET_COOKIE, HeaderValue::from_str(set).unwrap())]);
            cookies.record(&url, &headers);
        }
        let mut headers = HeaderMap::new();
        if !own.is_empty() {
            headers.insert(COOKIE, HeaderValue::from_str(own).unwrap());
        }
        cookies.add_to(&url, &mut headers);
        headers.get(COOKIE).map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default()
    }

    #[test]
    fn a_removed_cookie_is_not_sent() {
        for removal in [
            "id=deleted; expires=Thu, 01-Jan-1970 00:00:01 GMT; Max-Age=0; path=/",
            "id=deleted; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
            "id=deleted; expires=Thursday, 01-Jan-70 00:00:00 GMT",
            "id=x; expires=Thu, 01-Jan-70 00:00:00 GMT",
            "id=x; max-age=-1; Expires=Fri, 31 Dec 2999 23:59:59 GMT",
            "id=",
        ] {
            assert_eq!(sent("http://a.example/", "", &["id=1", removal]), "", "{removal}");
            assert_eq!(sent("http://a.example/", "", &[removal, "id=1"]), "id=1", "{removal}");
            assert_eq!(sent("http://a.example/", "own=1", &["id=1", "b=2", removal]), "own=1; b=2", "{removal}");
        }
        for kept in ["id=2; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "id=2; Max-Age=x", "id = 2 ; Expires=0"]
        {
            assert_eq!(sent("http://a.example/", "", &["id=1", kept]), "id=2", "{kept}");
        }
        let long = format!("id={}", "x".repeat(MAX_COOKIES));
        assert_eq!(sent("http://a.example/", "", &["id=1", &long]), "", "the site replaced it");
    }

    #[test]
    fn no_name_is_sent_twice() {
        assert_eq!(sent("http://a.example/", "a=1; id=0;b=2", &["id=1"]), "a=1; b=2; id=1");
        assert_eq!(sent("http://a.example/", "a=1; a=2", &[]), "a=1; a=2", "as the user set it");
    }

    #[test]
    fn a_secure_cookie_needs_tls() {
        let set = ["id=1", "id=2; Path=/; secure"];
        assert_eq!(
            (sent("http://a.example/", "", &set), sent("https://a.example/", "", &set)),
            ("id=1".into(), "id=2".into())
        );
    }
}
