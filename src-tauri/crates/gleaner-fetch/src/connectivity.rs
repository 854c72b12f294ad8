//! Detects whether this machine is offline. Checked only after a lookup or connection has failed.

use crate::FetchCause;
use crate::proxy_check::ProxyChecks;
use crate::resolver::Resolver;
use parking_lot::Mutex as BlockingMutex;
use reqwest::dns::Resolve as _;
use std::collections::{HashMap, HashSet};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;
use tokio::time::timeout;
use url::Url;

/// A name that always exists on the public network (RFC 1035, root zone). Only the name server is queried; nothing is
/// sent to the host itself.
pub const KNOWN_NAME: &str = "a.root-servers.net";
/// Timeout of the lookup.
const LOOKUP_TIMEOUT: Duration = Duration::from_secs(4);
/// How long a result is reused, so that going offline with a thousand due feeds costs one lookup.
const CACHED_FOR: Duration = Duration::from_secs(10);
/// Number of consecutive unreachable hosts after which the machine counts as offline.
const UNREACHABLE_HOSTS: usize = 3;

#[derive(Debug)]
pub(crate) struct Connectivity {
    resolver: Resolver,
    last_check: Mutex<Option<(Instant, bool)>>,
    /// Unreachable hosts since the last response from any host.
    unreachable_hosts: BlockingMutex<HashSet<String>>,
    proxies: ProxyChecks,
}

impl Connectivity {
    pub(crate) fn new(names: Arc<HashMap<String, Vec<SocketAddr>>>) -> Self {
        Self {
            resolver: Resolver { names, public_only: false, proxies: Vec::new() },
            last_check: Mutex::default(),
            unreachable_hosts: BlockingMutex::default(),
            proxies: ProxyChecks::default(),
        }
    }

    /// Records a response from any host.
    pub(crate) fn record_response(&self) {
        self.unreachable_hosts.lock().clear();
    }

    /// Records an unreachable host. Returns true if the last hosts were unreachable too, which means that this machine
    /// is offline.
    pub(crate) fn record_unreachable(&self, host: &str) -> bool {
        let mut hosts = self.unreachable_hosts.lock();
        if hosts.len() < UNREACHABLE_HOSTS {
            hosts.insert(host.to_owned());
        }
        hosts.len() >= UNREACHABLE_HOSTS
    }

    /// Returns why a proxy cannot be reached; `None` if it can. Without any network, the proxy is not to blame.
    pub(crate) async fn proxy_failure(&self, proxy: &Url) -> Option<FetchCause> {
        let cause = self.proxies.unreachable(proxy, &self.resolver).await?;
        let answered = matches!(cause, FetchCause::ProxyRefused { .. });
        Some(if !answered && no_public_route() { FetchCause::Offline } else { cause })
    }

    /// Whether the routing table has no route to public addresses, or no name can be resolved.
    pub(crate) async fn is_offline(&self) -> bool {
        if no_public_route() {
            return true;
        }
        let mut last_check = self.last_check.lock().await;
        if let Some((at, offline)) = *last_check
            && at.elapsed() < CACHED_FOR
        {
            return offline;
        }
        let Ok(name) = KNOWN_NAME.parse() else { return false };
        let offline = !matches!(timeout(LOOKUP_TIMEOUT, self.resolver.resolve(name)).await, Ok(Ok(_)));
        *last_check = Some((Instant::now(), offline));
        offline
    }
}

/// Whether the routing table has no route to public addresses.
fn no_public_route() -> bool {
    // Addresses of public name servers; any public address would do.
    no_route_to(&[Ipv4Addr::new(9, 9, 9, 9).into(), Ipv6Addr::new(0x2620, 0xfe, 0, 0, 0, 0, 0, 0xfe).into()])
}

/// Whether there is no route to any of these addresses. Connecting a UDP socket sends nothing; it only consults the
/// routing table.
fn no_route_to(addresses: &[IpAddr]) -> bool {
    addresses.iter().all(|address| {
        let from: IpAddr = match address {
            IpAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
            IpAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
        };
        UdpSocket::bind((from, 0)).and_then(|socket| socket.connect((*address, 9))).is_err()
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn three_unreachable_hosts_in_a_row_mean_offline() {
        let connectivity = Connectivity::new(Arc::default());
        assert!(
            !connectivity.record_unreachable("a.example")
                && !connectivity.record_unreachable("b.example")
                && !connectivity.record_unreachable("b.example")
        );
        connectivity.record_response();
        assert!(!connectivity.record_unreachable("c.example") && !connectivity.record_unreachable("d.example"));
        assert!(connectivity.record_unreachable("e.example") && connectivity.record_unreachable("c.example"));
        connectivity.record_response();
        assert!(!connectivity.record_unreachable("e.example"));
    }

    #[test]
    fn consults_the_routing_table() {
        // A link-local address without an interface is unreachable, loopback is always reachable.
        let (nowhere, here) = ("fe80::1".parse().unwrap(), "127.0.0.1".parse().unwrap());
        assert!(no_route_to(&[nowhere]));
        assert!(!no_route_to(&[here]));
        assert!(!no_route_to(&[nowhere, here]));
    }
}
