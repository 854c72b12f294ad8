//! Resolves names to addresses, on public networks only if so required.

use gleaner_address::is_private;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

/// Why a name could not be resolved. Found again in the source chain of the client's error.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ResolveError {
    #[error("the name is unknown")]
    Unknown,
    /// The name server did not respond, or there is none.
    #[error("the name server did not respond")]
    Unanswered,
    #[error("the name resolves to private addresses only")]
    PrivateOnly,
}

/// Resolves names by the system's resolver and optionally rejects private addresses. The client connects to exactly
/// these addresses, so a second lookup cannot return others (DNS rebinding).
#[derive(Debug, Clone)]
pub(crate) struct Resolver {
    pub(crate) names: Arc<HashMap<String, Vec<SocketAddr>>>,
    pub(crate) public_only: bool,
    /// Hosts of the proxies in use, which may be private.
    pub(crate) proxies: Vec<String>,
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
        let public_only = self.public_only && !self.proxies.iter().any(|proxy| proxy == name.as_str());
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

/// The standard library gives the result of getaddrinfo only as text.
fn lookup_error(error: &io::Error) -> ResolveError {
    let text = error.to_string().to_ascii_lowercase();
    match text.contains("temporary") || text.contains("try again") {
        true => ResolveError::Unanswered,
        false => ResolveError::Unknown,
    }
}

/// Whether a URL's host is this machine by its literal address or by the name that is reserved for it (RFC 6761).
pub(crate) fn is_this_machine(url: &url::Url) -> bool {
    match url.host() {
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        Some(url::Host::Domain(name)) => {
            let name = name.trim_end_matches('.').to_ascii_lowercase();
            name == "localhost" || name.ends_with(".localhost")
        }
        None => true,
    }
}
