//! Whether this whole machine is off the network: asked when a name leads nowhere, and only then.

use crate::resolver::Resolver;
use reqwest::dns::Resolve as _;
use std::collections::{HashMap, HashSet};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::{Arc, Mutex as BlockingMutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Mutex;
use tokio::time::timeout;

/// A name that is always there: whoever can look up anything on the public network can look up this (RFC 1035, root zone).
/// Looking it up asks a name server, and nothing is ever sent to the host itself.
pub const KNOWN_NAME: &str = "a.root-servers.net";
/// A name server that does not answer in this time is as good as none.
const PATIENCE: Duration = Duration::from_secs(4);
/// So long the last finding stands: going offline with a thousand feeds due is one question, not a thousand.
const STANDS: Duration = Duration::from_secs(10);
/// So many hosts in a row without a way to any of them, and it is not the hosts.
const IN_A_ROW: usize = 3;

#[derive(Debug)]
pub(crate) struct Outlook {
    resolver: Resolver,
    found: Mutex<Option<(Instant, bool)>>,
    /// Hosts to which there was no way, since something last answered.
    unreached: BlockingMutex<HashSet<String>>,
}

impl Outlook {
    pub(crate) fn new(names: Arc<HashMap<String, Vec<SocketAddr>>>) -> Self {
        Self {
            resolver: Resolver { names, public_only: false, proxy: None },
            found: Mutex::default(),
            unreached: BlockingMutex::default(),
        }
    }

    /// Something answered.
    pub(crate) fn reached(&self) {
        self.unreached.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// There is no way to this host. True where there was none to any of the last ones either: then nobody need be asked.
    pub(crate) fn unreached(&self, host: &str) -> bool {
        let mut hosts = self.unreached.lock().unwrap_or_else(PoisonError::into_inner);
        if hosts.len() < IN_A_ROW {
            hosts.insert(host.to_owned());
        }
        hosts.len() >= IN_A_ROW
    }

    /// The routing table knows no way to any public address, or no name at all can be looked up.
    pub(crate) async fn is_offline(&self) -> bool {
        // Addresses of public name servers; any public addresses would do.
        if no_way_to(&[Ipv4Addr::new(9, 9, 9, 9).into(), Ipv6Addr::new(0x2620, 0xfe, 0, 0, 0, 0, 0, 0xfe).into()]) {
            return true;
        }
        let mut found = self.found.lock().await;
        if let Some((at, offline)) = *found
            && at.elapsed() < STANDS
        {
            return offline;
        }
        let Ok(name) = KNOWN_NAME.parse() else { return false };
        let offline = !matches!(timeout(PATIENCE, self.resolver.resolve(name)).await, Ok(Ok(_)));
        *found = Some((Instant::now(), offline));
        offline
    }
}

/// Whether this machine knows no way to any of these. Connecting a datagram socket sends nothing: it asks the routing table.
fn no_way_to(addresses: &[IpAddr]) -> bool {
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
    fn three_hosts_in_a_row_without_a_way_are_enough() {
        let outlook = Outlook::new(Arc::default());
        assert!(!outlook.unreached("a.example") && !outlook.unreached("b.example") && !outlook.unreached("b.example"));
        outlook.reached();
        assert!(!outlook.unreached("c.example") && !outlook.unreached("d.example"));
        assert!(outlook.unreached("e.example") && outlook.unreached("c.example"));
        outlook.reached();
        assert!(!outlook.unreached("e.example"));
    }

    #[test]
    fn the_routing_table_is_asked() {
        // A link-local address without its link can be reached from nowhere, this machine's own from everywhere.
        let (nowhere, here) = ("fe80::1".parse().unwrap(), "127.0.0.1".parse().unwrap());
        assert!(no_way_to(&[nowhere]));
        assert!(!no_way_to(&[here]));
        assert!(!no_way_to(&[nowhere, here]));
    }
}
