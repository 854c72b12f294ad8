//! Finds out whether a proxy is to blame for a failed connection. This is checked only after such a failure: the client's error does not
//! say which of the two connections timed out, nor why a SOCKS proxy could not be reached.

use crate::FetchCause;
use crate::resolver::{ResolveError, Resolver};
use reqwest::dns::Resolve as _;
use std::collections::HashMap;
use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::sync::Mutex;
use tokio::time::timeout;
use url::{Host, Url};

/// Maximum time to connect to a proxy, which is usually near.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(4);
/// How long a result is reused, so that a dead proxy is not contacted once more for each of a thousand feeds.
const CACHED_FOR: Duration = Duration::from_secs(10);

/// The last result for each proxy: when, and why it cannot be reached.
#[derive(Debug, Default)]
pub(crate) struct ProxyChecks(Mutex<HashMap<Url, (Instant, Option<FetchCause>)>>);

impl ProxyChecks {
    /// Connects to a proxy and sends nothing. Returns why it cannot be reached; `None` if it can.
    pub(crate) async fn unreachable(&self, proxy: &Url, resolver: &Resolver) -> Option<FetchCause> {
        let mut checks = self.0.lock().await;
        checks.retain(|_, (at, _)| at.elapsed() < CACHED_FOR);
        if let Some((_, found)) = checks.get(proxy) {
            return found.clone();
        }
        let found = match timeout(CONNECT_TIMEOUT, connect(proxy, resolver)).await {
            Ok(result) => result.err(),
            Err(_) => Some(FetchCause::ProxyUnreachable { proxy: name(proxy) }),
        };
        checks.insert(proxy.clone(), (Instant::now(), found.clone()));
        found
    }
}

fn name(proxy: &Url) -> String {
    proxy.host_str().unwrap_or_default().to_owned()
}

async fn connect(proxy: &Url, resolver: &Resolver) -> Result<(), FetchCause> {
    let default = if proxy.scheme().starts_with("socks") { 1080 } else { 80 };
    let port = proxy.port_or_known_default().unwrap_or(default);
    let mut refused = false;
    for address in addresses(proxy, resolver).await? {
        match TcpStream::connect(SocketAddr::new(address, port)).await {
            Ok(_) => return Ok(()),
            Err(error) => refused |= error.kind() == ErrorKind::ConnectionRefused,
        }
    }
    let proxy = name(proxy);
    Err(if refused { FetchCause::ProxyRefused { proxy } } else { FetchCause::ProxyUnreachable { proxy } })
}

async fn addresses(proxy: &Url, resolver: &Resolver) -> Result<Vec<IpAddr>, FetchCause> {
    // The host of a URL with a scheme such as socks5 is not parsed as an address.
    let host = name(proxy);
    if let Ok(Host::Ipv4(_) | Host::Ipv6(_)) = Host::parse(&host)
        && let Ok(address) = host.trim_start_matches('[').trim_end_matches(']').parse()
    {
        return Ok(vec![address]);
    }
    let Ok(looked_up) = host.parse() else { return Err(FetchCause::UnknownProxy { proxy: host }) };
    match resolver.resolve(looked_up).await {
        Ok(found) => Ok(found.map(|address| address.ip()).collect()),
        Err(error) if error.downcast_ref() == Some(&ResolveError::Unanswered) => {
            Err(FetchCause::ProxyLookupFailed { proxy: host })
        }
        Err(_) => Err(FetchCause::UnknownProxy { proxy: host }),
    }
}
