//! The HTTP clients behind a [`crate::Fetcher`]: TLS, connection pools, and the hosts that each client may connect to.

use crate::certificate::{Fingerprint, PinningVerifier};
use crate::clock::TlsClock;
use crate::connectivity::Connectivity;
use crate::desktop_proxies::{DesktopProxies, Lookups};
use crate::open_connections::{IDLE, OpenConnections};
use crate::resolver::{Resolver, is_this_machine};
use crate::{FetchCause, FetchError, Limits, Route, USER_AGENT};
use hyper_util::client::proxy::matcher::Matcher;
use parking_lot::Mutex;
use reqwest::{Client, Proxy, redirect};
use rustls::ClientConfig;
use rustls::crypto::ring;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls_platform_verifier::Verifier;
use std::collections::{HashMap, HashSet, hash_map::Entry};
use std::net::SocketAddr;
use std::sync::Arc;
use url::Url;

/// Maximum number of hosts per connection pool. A pool keeps idle connections open for a while, and a process may have
/// only a limited number of files open (1,024 by default on Linux): after this many hosts a new pool replaces it.
const MAX_HOSTS_PER_POOL: usize = 200;
/// Maximum number of clients: three by default, plus those of feeds with their own proxy or certificate exception.
const MAX_CLIENTS: usize = 24;
/// Maximum number of origins that are known to answer by HTTP/1.1 only.
const MAX_HTTP1_ORIGINS: usize = 1000;
/// Maximum number of response headers. Real sites exceed hyper's default of 100.
const MAX_HEADERS: usize = 400;
/// URLs for which the system's proxies are looked up that hold for all hosts.
const ANY_HOST: [&str; 2] = ["http://any.invalid/", "https://any.invalid/"];

/// Options of a [`crate::Fetcher`].
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Time and size limits.
    pub limits: Limits,
    /// Fixed addresses of host names, as in `/etc/hosts`; an empty list makes a name unknown. These names count as public whatever their
    /// address is, so that tests on loopback can act as public servers.
    pub names: HashMap<String, Vec<SocketAddr>>,
    /// Additional trusted certificate authorities, in DER form.
    pub authorities: Vec<Vec<u8>>,
    /// Proxy used in place of the system's settings, such as `socks5://127.0.0.1:9050`.
    pub proxy: Option<Url>,
    /// The settings of the desktop, used if neither this proxy nor one of the environment is set.
    pub desktop: Option<Arc<dyn DesktopProxies>>,
}

/// The networks that a client may connect to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum NetworkScope {
    /// Public addresses only. The resolver enforces it for the connection itself.
    Public,
    /// Any address, since the user entered a private address.
    Any,
    /// This machine, without a proxy: a proxy would connect to its own loopback address.
    Machine,
}

/// Identifies a client: requests with different keys never share a connection.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct ClientKey {
    pub(crate) scope: NetworkScope,
    pub(crate) route: Route,
    /// Host and fingerprint of the certificate that the user accepted.
    pub(crate) exception: Option<(String, Fingerprint)>,
    /// Whether the server responds by HTTP/1.1 only, although it offers HTTP/2.
    pub(crate) http1: bool,
}

impl ClientKey {
    /// Returns the key for a URL: this machine is contacted directly.
    fn at(self, url: &Url) -> Self {
        match self.scope {
            NetworkScope::Any if is_this_machine(url) => {
                Self { scope: NetworkScope::Machine, route: Route::Direct, ..self }
            }
            _ => self,
        }
    }
}

#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) limits: Limits,
    pub(crate) connectivity: Connectivity,
    verifier: Arc<Verifier>,
    /// Shared by all clients without an exception, so that TLS sessions can be resumed.
    tls: ClientConfig,
    names: Arc<HashMap<String, Vec<SocketAddr>>>,
    proxy: Option<Url>,
    desktop: Option<Lookups>,
    /// The system's proxies, as reqwest chooses them.
    pub(crate) system: Matcher,
    pools: Mutex<HashMap<ClientKey, Pool>>,
    /// The origins that respond by HTTP/1.1 only.
    http1: Mutex<HashSet<String>>,
}

#[derive(Debug)]
struct Pool {
    client: Client,
    hosts: HashSet<String>,
    open: OpenConnections,
}

impl Shared {
    /// Sets up TLS and the first client.
    ///
    /// # Errors
    /// When TLS cannot be set up on this machine, or the settings are invalid.
    pub(crate) fn new(settings: Settings) -> Result<Self, FetchError> {
        let provider = Arc::new(ring::default_provider());
        let authorities = settings.authorities.into_iter().map(CertificateDer::from);
        let verifier = Verifier::new_with_extra_roots(authorities, provider).map_err(|error| setup_failed(&error))?;
        let verifier = Arc::new(verifier);
        let names = Arc::new(settings.names);
        let shared = Shared {
            limits: settings.limits,
            connectivity: Connectivity::new(Arc::clone(&names)),
            tls: tls(&verifier, None).map_err(|error| setup_failed(&error))?,
            verifier,
            names,
            proxy: settings.proxy,
            desktop: settings.desktop.map(Lookups::new),
            system: Matcher::from_system(),
            pools: Mutex::default(),
            http1: Mutex::default(),
        };
        // Reports invalid settings now and not at the first request.
        shared.build(&ClientKey {
            scope: NetworkScope::Public,
            route: Route::Default,
            exception: None,
            http1: false,
        })?;
        Ok(shared)
    }

    /// Returns the client for a host.
    pub(crate) fn client(&self, key: ClientKey, url: &Url) -> Result<Client, FetchError> {
        let key = key.at(url);
        let mut pools = self.pools.lock();
        let host = url.host_str().unwrap_or_default();
        let full = |pool: &Pool| pool.hosts.len() >= MAX_HOSTS_PER_POOL && !pool.hosts.contains(host);
        if pools.get(&key).is_some_and(full) {
            pools.remove(&key);
        }
        if pools.len() >= MAX_CLIENTS && !pools.contains_key(&key) {
            // Requests in progress hold their own clients; this closes idle connections only.
            pools.clear();
        }
        let pool = match pools.entry(key) {
            Entry::Occupied(pool) => pool.into_mut(),
            Entry::Vacant(entry) => {
                let client = self.build(entry.key())?;
                entry.insert(Pool { client, hosts: HashSet::new(), open: OpenConnections::default() })
            }
        };
        if !pool.hosts.contains(host) {
            pool.hosts.insert(host.to_owned());
        }
        Ok(pool.client.clone())
    }

    /// Records that a server answers by HTTP/1.1 only.
    pub(crate) fn require_http1(&self, url: &Url) {
        let mut origins = self.http1.lock();
        if origins.len() >= MAX_HTTP1_ORIGINS {
            // These servers will require HTTP/1.1 again.
            origins.clear();
        }
        origins.insert(url.origin().ascii_serialization());
    }

    /// Returns whether a server answers by HTTP/1.1 only.
    pub(crate) fn requires_http1(&self, url: &Url) -> bool {
        let origins = self.http1.lock();
        !origins.is_empty() && origins.contains(&url.origin().ascii_serialization())
    }

    /// Records that a server responded and kept the connection open.
    pub(crate) fn record_open(&self, key: ClientKey, url: &Url) {
        let mut pools = self.pools.lock();
        if let Some(pool) = pools.get_mut(&key.at(url)) {
            pool.open.record(url);
        }
    }

    /// Returns whether the next request uses a connection that is open already, and forgets that connection.
    pub(crate) fn take_open(&self, key: ClientKey, url: &Url) -> bool {
        let mut pools = self.pools.lock();
        pools.get_mut(&key.at(url)).is_some_and(|pool| pool.open.take(url))
    }

    /// Returns the route of a request: the one that is set, or else that of the desktop's settings.
    pub(crate) async fn route(&self, key: ClientKey, url: &Url) -> Route {
        let key = key.at(url);
        match &self.desktop {
            Some(desktop) if key.route == Route::Default && self.proxies(&key).next().is_none() => {
                desktop.route(url).await
            }
            _ => key.route,
        }
    }

    /// Returns the proxy through which a client reaches a URL.
    pub(crate) fn proxy(&self, key: ClientKey, url: &Url) -> Option<Url> {
        let key = key.at(url);
        self.configured_proxy(&key).cloned().or_else(|| self.system_proxy(&key, url.as_str()))
    }

    /// Returns the proxy that the user entered, if any.
    fn configured_proxy<'a>(&'a self, key: &'a ClientKey) -> Option<&'a Url> {
        match &key.route {
            Route::Default => self.proxy.as_ref(),
            Route::Direct => None,
            Route::Proxy(proxy) => Some(proxy),
        }
    }

    /// Returns the proxies that requests of a client may use.
    fn proxies(&self, key: &ClientKey) -> impl Iterator<Item = Url> {
        let system = ANY_HOST.iter().filter_map(|url| self.system_proxy(key, url));
        self.configured_proxy(key).cloned().into_iter().chain(system)
    }

    /// Returns whether a URL leads directly to a proxy that requests of a client may use. The proxy's name may be private, so public pages
    /// could reach it.
    pub(crate) fn is_a_proxy_itself(&self, key: ClientKey, url: &Url) -> bool {
        let key = key.at(url);
        self.proxies(&key).any(|proxy| proxy.host_str() == url.host_str())
            && self.configured_proxy(&key).is_none()
            && self.system_proxy(&key, url.as_str()).is_none()
    }

    fn system_proxy(&self, key: &ClientKey, url: &str) -> Option<Url> {
        if key.route != Route::Default || self.proxy.is_some() {
            return None;
        }
        Url::parse(&self.system.intercept(&url.parse().ok()?)?.uri().to_string()).ok()
    }

    fn build(&self, key: &ClientKey) -> Result<Client, FetchError> {
        let proxy = self.configured_proxy(key);
        let resolver = Resolver {
            names: Arc::clone(&self.names),
            public_only: key.scope == NetworkScope::Public,
            proxies: self.proxies(key).filter_map(|url| url.host_str().map(str::to_owned)).collect(),
        };
        let mut tls = match &key.exception {
            None => self.tls.clone(),
            Some((host, accepted)) => {
                let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
                let host = ServerName::try_from(host).map_err(|error| setup_failed(&error))?;
                tls(&self.verifier, Some((host, *accepted))).map_err(|error| setup_failed(&error))?
            }
        };
        if key.http1 {
            tls.alpn_protocols.retain(|protocol| protocol != b"h2");
        }
        let mut builder = Client::builder()
            .user_agent(USER_AGENT)
            .redirect(redirect::Policy::none())
            .referer(false)
            .retry(reqwest::retry::never())
            .connect_timeout(self.limits.connect)
            .pool_idle_timeout(IDLE)
            .pool_max_idle_per_host(1)
            .http1_max_headers(MAX_HEADERS)
            // Some servers compare names by case, although they must not, and some firewalls block clients with lower-case names.
            .http1_title_case_headers()
            // Lenient like browsers: one malformed header does not make the feed unusable.
            .http1_allow_obsolete_multiline_headers_in_responses(true)
            .http1_allow_spaces_after_header_name_in_responses(true)
            .http1_ignore_invalid_headers_in_responses(true)
            .tls_backend_preconfigured(tls)
            .dns_resolver(resolver);
        match proxy {
            _ if key.scope == NetworkScope::Machine || key.route == Route::Direct => builder = builder.no_proxy(),
            Some(proxy) => builder = builder.proxy(Proxy::all(proxy.clone()).map_err(|error| setup_failed(&error))?),
            None => {}
        }
        builder.build().map_err(|error| setup_failed(&error))
    }
}

/// Creates a TLS configuration with its own session cache: a session accepted by exception must not be resumed by
/// other clients.
fn tls(
    verifier: &Arc<Verifier>,
    exception: Option<(ServerName<'static>, Fingerprint)>,
) -> Result<ClientConfig, rustls::Error> {
    let mut config = ClientConfig::builder_with_details(Arc::new(ring::default_provider()), Arc::new(TlsClock))
        .with_safe_default_protocol_versions()?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(PinningVerifier { verifier: Arc::clone(verifier), exception }))
        .with_no_client_auth();
    // reqwest does not set ALPN on a preconfigured TLS configuration and would speak HTTP/1.1 only.
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

fn setup_failed(error: &dyn std::error::Error) -> FetchError {
    let nowhere = Url::parse("about:blank").unwrap_or_else(|_| unreachable!("about:blank is a URL"));
    FetchError::new(FetchCause::SetupFailed { reason: error.to_string() }, &nowhere)
}
