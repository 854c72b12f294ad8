//! The cookies of one exchange. Some sites set one in a redirect and give no document without it: they redirect in a circle, or to a page
//! about cookies. The next exchange begins without any, and no other origin gets them.

use reqwest::header::{COOKIE, HeaderMap, HeaderValue, SET_COOKIE};
use url::{Origin, Url};

/// Maximum length, in bytes, of what is sent: servers refuse long headers.
const LONGEST: usize = 4 << 10;

#[derive(Debug, Default)]
pub(crate) struct Cookies(Vec<Cookie>);

#[derive(Debug)]
struct Cookie {
    origin: Origin,
    /// Name, equals sign and value.
    pair: Vec<u8>,
}

impl Cookie {
    fn name(&self) -> &[u8] {
        self.pair.split(|byte| *byte == b'=').next().unwrap_or_default()
    }
}

impl Cookies {
    /// Records what a redirect sets (RFC 6265, section 5.2). Returns whether that is new, so that the same request may have another result.
    pub(crate) fn record(&mut self, url: &Url, headers: &HeaderMap) -> bool {
        let (origin, mut is_new) = (url.origin(), false);
        for value in headers.get_all(SET_COOKIE) {
            let pair = value.as_bytes().split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
            let cookie = Cookie { origin: origin.clone(), pair: pair.to_vec() };
            let others = self.0.iter().filter(|other| other.origin == origin && other.name() != cookie.name());
            let length: usize = others.map(|other| other.pair.len() + 2).sum();
            // Without a value it is removed.
            if !pair.contains(&b'=') || pair.ends_with(b"=") || length + pair.len() > LONGEST {
                continue;
            }
            is_new |= !self.0.iter().any(|other| other.origin == origin && other.pair == cookie.pair);
            self.0.retain(|other| other.origin != origin || other.name() != cookie.name());
            self.0.push(cookie);
        }
        is_new
    }

    /// Adds the cookies of a URL to the headers of a request, after those that the user set.
    pub(crate) fn add_to(&self, url: &Url, headers: &mut HeaderMap) {
        let origin = url.origin();
        let own = headers.get(COOKIE).map(|value| value.as_bytes().to_vec());
        let set = self.0.iter().filter(|cookie| cookie.origin == origin).map(|cookie| cookie.pair.clone());
        let all: Vec<Vec<u8>> = own.into_iter().chain(set).collect();
        if let Ok(value) = HeaderValue::from_bytes(&all.join(&b"; "[..]))
            && !all.is_empty()
        {
            headers.insert(COOKIE, value);
        }
    }
}
