//! Decides which network a feed belongs to. A feed that was found on the public internet must not reach the local network later, even if
//! its host's name then resolves to a private address. Pure.

use gleaner_address::is_private_host;
use gleaner_fetch::{FetchError, FetchErrorKind};
use url::Url;

/// Whether a feed may be requested from public addresses only. `private` says whether its first response came from a private
/// address.
pub(crate) fn is_public_only(private: Option<bool>, url: &Url) -> bool {
    private != Some(true) && !is_private_host(url)
}

/// Whether a refused request may be repeated on the private network: the feed has never responded, and its own name, not a redirect, leads
/// there. In this case the user subscribed to a feed on the private network.
pub(crate) fn may_be_private(private: Option<bool>, url: &Url, error: &FetchError) -> bool {
    private.is_none() && error.kind == FetchErrorKind::PrivateAddress && error.url.host() == url.host()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn url(text: &str) -> Url {
        text.parse().unwrap()
    }

    fn refused(at: &str) -> FetchError {
        FetchError::new(gleaner_fetch::FetchCause::PrivateAddress { host: at.to_owned() }, &url(at))
    }

    #[test]
    fn keeps_a_public_feed_away_from_private_addresses() {
        let feed = url("https://blog.example/feed");
        assert!(is_public_only(Some(false), &feed));
        assert!(!may_be_private(Some(false), &feed, &refused("https://blog.example/feed")), "its name was rebound");
    }

    #[test]
    fn lets_a_new_feed_be_private_by_its_own_name_but_not_by_a_redirect() {
        let feed = url("https://wiki.company.example/feed");
        assert!(is_public_only(None, &feed), "public addresses are tried first");
        assert!(may_be_private(None, &feed, &refused("https://wiki.company.example/feed")));
        assert!(!may_be_private(None, &feed, &refused("http://192.168.1.1/")));
        let timeout = FetchError { kind: FetchErrorKind::Timeout, ..refused("https://wiki.company.example/feed") };
        assert!(!may_be_private(None, &feed, &timeout));
    }

    #[test]
    fn lets_a_private_feed_reach_its_network() {
        assert!(!is_public_only(Some(true), &url("https://wiki.company.example/feed")));
        for feed in ["http://192.168.1.5/feed", "http://localhost:8080/", "http://nas.local/feed"] {
            assert!(!is_public_only(None, &url(feed)), "{feed}");
            assert!(!is_public_only(Some(false), &url(feed)), "the user typed a private address: {feed}");
        }
    }
}
