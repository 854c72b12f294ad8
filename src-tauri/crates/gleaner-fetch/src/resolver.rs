//! Names to addresses, and which addresses are nobody's business but this machine's or this network's.

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

/// Why a name led nowhere. Found again in the chain of causes of the client's error.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ResolveError {
    #[error("the name is unknown")]
    Unknown,
    /// The name server did not answer, or there is none.
    #[error("the name could not be looked up now")]
    Unanswered,
    #[error("the name leads to private addresses only")]
    PrivateOnly,
}

/// Asks the system, with some names fixed beforehand, and on demand leaves private addresses out. What this gives is
/// what the client connects to, so that no second look-up can say something else.
#[derive(Debug, Clone)]
pub(crate) struct Resolver {
    pub(crate) names: Arc<HashMap<String, Vec<SocketAddr>>>,
    pub(crate) public_only: bool,
    /// The host of the proxy that the user chose, which may well be private.
    pub(crate) proxy: Option<String>,
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        if let Some(addresses) = self.names.get(name.as_str()) {
            let addresses = addresses.clone();
            return Box::pin(async move {
                match addresses.is_empty() {
                    true => Err(ResolveError::Unknown.into()),
                    false => Ok(Box::new(addresses.into_iter()) as Addrs),
                }
            });
        }
        let public_only = self.public_only && self.proxy.as_deref() != Some(name.as_str());
        let name = name.as_str().to_owned();
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await.map_err(|error| lookup_error(&error))?;
            let mut addresses: Vec<SocketAddr> = found.collect();
            if addresses.is_empty() {
                return Err(ResolveError::Unknown.into());
            }
            if public_only {
                addresses.retain(|address| !is_private(address.ip()));
                if addresses.is_empty() {
                    return Err(ResolveError::PrivateOnly.into());
                }
            }
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}

/// The standard library hands over getaddrinfo's verdict in words only.
fn lookup_error(error: &io::Error) -> ResolveError {
    let words = error.to_string().to_ascii_lowercase();
    match words.contains("temporary") || words.contains("try again") {
        true => ResolveError::Unanswered,
        false => ResolveError::Unknown,
    }
}

/// Whether an address belongs to this machine, this network or nobody (the registries of RFC 6890), and so is none that
/// a public server may send us to.
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
    // An IPv4 address in IPv6 clothes: mapped, compatible, NAT64 and 6to4.
    let segments = address.segments();
    let embedded = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        is_private_v4(Ipv4Addr::new(a, b, c, d))
    };
    match segments {
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => true,
        [0, 0, 0, 0, 0, 0xffff | 0, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => embedded(high, low),
        [0x2002, high, low, ..] => embedded(high, low),
        [0x64, 0xff9b, 1, ..] | [0x2001, 0x0db8, ..] | [0x100, 0, 0, 0, ..] => true,
        // Unique local, link-local, the former site-local, multicast.
        [first, ..] => {
            first & 0xfe00 == 0xfc00 || first & 0xffc0 == 0xfe80 || first & 0xffc0 == 0xfec0 || first & 0xff00 == 0xff00
        }
    }
}

/// Whether a URL's host names this machine or network without any look-up. `None` hosts do not occur in http URLs.
#[must_use]
pub fn is_private_host(url: &url::Url) -> bool {
    match url.host() {
        Some(url::Host::Ipv4(address)) => is_private_v4(address),
        Some(url::Host::Ipv6(address)) => is_private_v6(address),
        Some(url::Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            name.eq_ignore_ascii_case("localhost") || name.to_ascii_lowercase().ends_with(".localhost")
        }
        None => true,
    }
}

/// Whether a URL's host is this machine by its literal address or by the name that is reserved for it (RFC 6761).
pub(crate) fn is_this_machine(url: &url::Url) -> bool {
    match url.host() {
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        _ => is_private_host(url),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn private_addresses_are_known_in_all_clothes() {
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
    fn hosts_that_need_no_look_up() {
        for (url, private) in [
            ("http://localhost/", true),
            ("http://feeds.LOCALHOST:80/", true),
            ("http://127.1/", true),
            ("http://0x7f000001/", true),
            ("http://[::1]/", true),
            ("http://example.com/", false),
            ("http://localhost.example.com/", false),
        ] {
            assert_eq!(is_private_host(&url.parse().unwrap()), private, "{url}");
        }
    }
}
