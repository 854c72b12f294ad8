//! Recognises web addresses, and the addresses and hosts of this computer and of local networks, and removes passwords from addresses.
//! Pure: no name is looked up.

mod login;

pub use login::{Login, split_login, split_user, without_login, without_password, without_stored_password};

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use url::{Host, Url};

/// Top-level names of local networks that the public DNS never serves (RFC 6762 appendix G, RFC 8375, and names that routers use).
const LOCAL_ZONES: [&str; 10] = [
    ".localhost",
    ".local",
    ".lan",
    ".internal",
    ".intranet",
    ".private",
    ".home",
    ".corp",
    ".home.arpa",
    ".localdomain",
];

/// Whether an address is loopback, private, link-local, shared (CGNAT) or otherwise not public (registries of RFC 6890), including IPv4
/// addresses that are embedded in IPv6. Covers the metadata service of cloud hosts, 169.254.169.254.
#[must_use]
pub fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_private_v4(address),
        IpAddr::V6(address) => is_private_v6(address),
    }
}

fn is_private_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_broadcast()
        || address.is_multicast()
        || address.is_documentation()
        || a == 0
        || (a == 100 && b & 0xc0 == 64)
        || (a == 192 && b == 0 && c == 0)
        || (a == 198 && b & 0xfe == 18)
        || a >= 240
}

fn is_private_v6(address: Ipv6Addr) -> bool {
    let embedded = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        is_private_v4(Ipv4Addr::new(a, b, c, d))
    };
    match address.segments() {
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => true,
        // IPv4-mapped, IPv4-compatible, NAT64 and 6to4.
        [0, 0, 0, 0, 0, 0xffff | 0, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => embedded(high, low),
        [0x2002, high, low, ..] => embedded(high, low),
        // Local NAT64, documentation, discard-only.
        [0x64, 0xff9b, 1, ..] | [0x2001, 0x0db8, ..] | [0x100, 0, 0, 0, ..] => true,
        // Unique local, link-local, the former site-local, multicast.
        [first, ..] => {
            first & 0xfe00 == 0xfc00 || first & 0xffc0 == 0xfe80 || first & 0xffc0 == 0xfec0 || first & 0xff00 == 0xff00
        }
    }
}

/// Whether a URL's host is private or local by its spelling: a private address in any form that browsers accept (decimal, octal,
/// hexadecimal, shortened, IPv6), `localhost`, a name without a dot, or a name in a zone of local networks. A URL without a host counts as
/// local.
#[must_use]
pub fn is_private_host(url: &Url) -> bool {
    match url.host() {
        // The URL parser has turned every numeric form into an address.
        Some(Host::Ipv4(address)) => is_private_v4(address),
        Some(Host::Ipv6(address)) => is_private_v6(address),
        Some(Host::Domain(name)) => is_local_name(name),
        None => true,
    }
}

/// Whether `url` may be requested for an article: if its host is public, or is the feed's own host. So an article of a public feed never
/// contacts this computer or its network, and an article of a private feed contacts no other private host.
#[must_use]
pub fn may_request(url: &Url, feed: Option<&Url>) -> bool {
    !is_private_host(url) || feed.is_some_and(|feed| feed.has_host() && feed.host() == url.host())
}

/// Whether a URL is a web address: http or https.
#[must_use]
pub fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}

/// Whether a text begins like a web address, with the scheme in lower case as in a parsed URL.
#[must_use]
pub fn has_web_scheme(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}

fn is_local_name(name: &str) -> bool {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    !name.contains('.') || LOCAL_ZONES.iter().any(|zone| name.ends_with(zone))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn recognises_private_addresses_in_every_embedding() {
        for address in [
            "127.0.0.1",
            "127.9.9.9",
            "10.0.0.1",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "224.0.0.1",
            "255.255.255.255",
            "::1",
            "::",
            "fe80::1",
            "fd00::1",
            "fec0::1",
            "ff02::1",
            "::ffff:127.0.0.1",
            "::ffff:192.168.0.1",
            "::127.0.0.1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
        ] {
            assert!(is_private(address.parse().unwrap()), "{address}");
        }
        for address in ["93.184.216.34", "9.9.9.9", "172.32.0.1", "100.128.0.1", "2606:2800:220:1::1", "::ffff:9.9.9.9"]
        {
            assert!(!is_private(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn recognises_private_hosts_in_every_spelling() {
        for url in [
            "http://localhost/",
            "http://feeds.LOCALHOST:80/",
            "http://localhost./",
            "http://127.1/",
            "http://2130706433/",
            "http://0177.0.0.1/",
            "http://0x7f000001/",
            "http://0x7f.1/",
            "http://0/",
            "http://[::1]/",
            "http://[::ffff:192.168.1.1]/",
            "http://[fe80::1]/",
            "http://192.168.1.1:8080/x.png",
            "http://169.254.169.254/",
            "http://100.100.1.1/",
            "http://router/",
            "http://nas.local/",
            "http://NAS.Local./",
            "http://wiki.internal/",
            "http://printer.home.arpa/",
            "http://１２７.0.0.1/",
        ] {
            assert!(is_private_host(&url.parse().unwrap()), "{url}");
        }
        for url in
            ["http://example.com/", "http://localhost.example.com/", "http://9.9.9.9/", "http://[2606:2800:220:1::1]/"]
        {
            assert!(!is_private_host(&url.parse().unwrap()), "{url}");
        }
    }

    #[test]
    fn recognises_addresses_of_the_web() {
        for url in ["http://example.com/", "HTTPS://example.com:8443/a?b", "http:example.com"] {
            assert!(is_web(&url.parse().unwrap()), "{url}");
        }
        for url in ["ftp://example.com/", "file:///feed.xml", "mailto:a@example.com", "httpx://example.com/"] {
            assert!(!is_web(&url.parse().unwrap()), "{url}");
        }
        for text in ["http://example.com", "https://"] {
            assert!(has_web_scheme(text), "{text}");
        }
        for text in ["", "http:example.com", "HTTP://example.com/", " http://example.com/", "//example.com/"] {
            assert!(!has_web_scheme(text), "{text}");
        }
    }

    #[test]
    fn lets_articles_reach_public_hosts_and_the_host_of_their_feed_only() {
        let may = |url: &str, feed: Option<&str>| {
            may_request(&url.parse().unwrap(), feed.map(|feed| feed.parse().unwrap()).as_ref())
        };
        for feed in [None, Some("https://example.com/feed"), Some("http://192.168.1.5/feed"), Some("file:///feed.xml")]
        {
            assert!(may("https://images.example.net/a.png", feed), "{feed:?}");
            assert!(!may("http://192.168.1.1/reboot", feed), "{feed:?}");
            assert!(!may("http://127.0.0.1/", feed), "{feed:?}");
        }
        assert!(may("http://192.168.1.5:8080/a.png", Some("http://192.168.1.5/feed")));
    }
}
