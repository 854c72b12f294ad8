//! The key by which two addresses are the same feed.

use gleaner_address::{is_web, without_stored_password};
use url::Url;

/// Returns the key by which two addresses are the same feed: the URL without scheme (http and https are equal), default port, fragment,
/// trailing slash and a login with a password, and with the host in lower case. The query stays.
pub fn feed_key(url: &str) -> String {
    let url = without_stored_password(url.trim());
    let Ok(mut parsed) = Url::parse(&url) else { return url };
    parsed.set_fragment(None);
    let text = match parsed.as_str().split_once("://") {
        Some((_, rest)) if is_web(&parsed) => rest,
        _ => parsed.as_str(),
    };
    match text.strip_suffix('/') {
        Some(shorter) if parsed.query().is_none() => shorter.to_owned(),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_addresses_have_one_key() {
        let key = feed_key("https://example.com/feed");
        for same in [
            "http://example.com/feed",
            " https://EXAMPLE.com/feed ",
            "https://example.com:443/feed/",
            "https://example.com/feed#top",
        ] {
            assert_eq!(feed_key(same), key, "{same}");
        }
        for other in [
            "https://example.com/Feed",
            "https://example.com/feed?x=1",
            "https://example.com:8080/feed",
            "https://example.org/feed",
        ] {
            assert_ne!(feed_key(other), key, "{other}");
        }
        assert_eq!(feed_key("gleaner:welcome"), "gleaner:welcome");
        assert_eq!(feed_key("http://a:b@[::zz]/x"), "http://[::zz]/x");
        assert_ne!(feed_key("newsletter:5:a@example.com"), feed_key("newsletter:5:b@example.com"));
    }
}
