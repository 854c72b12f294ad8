//! Decides which hosts belong to the same site.

use url::{Host, Url};

/// Whether two URLs are of the same site: the same host, or one host is a subdomain of the other, ignoring `www.`.
/// Sibling hosts are not: `a.example.org` and `b.example.org` may be blogs of different people.
#[must_use]
pub fn same_site(one: &Url, other: &Url) -> bool {
    match (one.host(), other.host()) {
        (Some(Host::Domain(one)), Some(Host::Domain(other))) => {
            let (one, other) = (without_www(one), without_www(other));
            one == other || is_subdomain(one, other) || is_subdomain(other, one)
        }
        (one, other) => one.is_some() && one == other,
    }
}

fn without_www(host: &str) -> &str {
    let host = host.trim_end_matches('.');
    host.strip_prefix("www.").unwrap_or(host)
}

/// Whether `host` is a subdomain of `site`. Top-level domains have no dot and are not sites.
fn is_subdomain(host: &str, site: &str) -> bool {
    site.contains('.') && host.strip_suffix(site).is_some_and(|rest| rest.ends_with('.'))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_site_is_a_host_with_its_subdomains() {
        let same = |one: &str, other: &str| {
            let url = |host: &str| Url::parse(&format!("https://{host}/")).unwrap();
            assert_eq!(same_site(&url(one), &url(other)), same_site(&url(other), &url(one)));
            same_site(&url(one), &url(other))
        };
        for (one, other) in [
            ("a.example", "a.example"),
            ("www.a.example", "a.example"),
            ("static.a.example", "www.a.example"),
            ("127.0.0.1:1", "127.0.0.1:2"),
            ("localhost", "localhost"),
        ] {
            assert!(same(one, other), "{one} {other}");
        }
        for (one, other) in [
            ("a.example", "b.example"),
            ("a.b.example", "c.b.example"),
            ("aa.example", "a.example"),
            ("a.example", "example"),
            ("127.0.0.1", "7.0.0.1"),
            ("[::1]", "127.0.0.1"),
        ] {
            assert!(!same(one, other), "{one} {other}");
        }
    }
}
