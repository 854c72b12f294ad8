//! Which hosts are one site.

use url::{Host, Url};

/// Whether two addresses are of one site: of one host, or one's host lies within the other's, `www.` apart. Hosts side by side are no
/// site, since nobody can tell `a.example.org` and `b.example.org` from two people's blogs at one service.
#[must_use]
pub fn same_site(one: &Url, other: &Url) -> bool {
    match (one.host(), other.host()) {
        (Some(Host::Domain(one)), Some(Host::Domain(other))) => {
            let (one, other) = (bare(one), bare(other));
            one == other || within(one, other) || within(other, one)
        }
        (one, other) => one.is_some() && one == other,
    }
}

fn bare(host: &str) -> &str {
    let host = host.trim_end_matches('.');
    host.strip_prefix("www.").unwrap_or(host)
}

/// A host at the top of all names has no dot, and no site lies within it.
fn within(host: &str, site: &str) -> bool {
    site.contains('.') && host.strip_suffix(site).is_some_and(|rest| rest.ends_with('.'))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_site_is_a_host_with_what_lies_within_it() {
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
