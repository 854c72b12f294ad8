//! The HTTP clients behind a [`Fetcher`]: their TLS, their pools, and who may be reached through which.

use crate::certificate::{Fingerprint, Judge};
use crate::outlook::Outlook;
use crate::resolver::{Resolver, is_this_machine};
use crate::{Answer, FetchError, FetchErrorKind, Limits, Request, Route, USER_AGENT};
use reqwest::{Client, Proxy, redirect};
use rustls::ClientConfig;
use rustls::crypto::ring;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls_platform_verifier::Verifier;
use std::collections::{HashMap, HashSet, hash_map::Entry};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use url::Url;

/// How many hosts share one pool. A pool keeps a connection per host open for a while, and a process may have only so
/// many (1,024 by default on Linux): after this many hosts a new pool takes over and the old one closes.
const HOSTS_PER_POOL: usize = 200;
/// So many kinds of clients are kept: the usual three, and those of feeds with a proxy or an exception of their own.
const WAYS_AT_MOST: usize = 24;
/// Shorter than servers wait, lest we write into a connection that is just being closed.
const IDLE: Duration = Duration::from_secs(20);
/// hyper's own limit of 100 is met by real sites; beyond this it is no honest answer.
const HEADERS_AT_MOST: usize = 400;

/// What a [`Fetcher`] is made with.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Time and size.
    pub limits: Limits,
    /// Names with addresses of one's own choosing, as in `/etc/hosts`; no address at all makes a name unknown. These
    /// names count as public whatever the address, so that a test on loopback can play the public network.
    pub names: HashMap<String, Vec<SocketAddr>>,
    /// Further authorities to trust besides the system's, as DER.
    pub authorities: Vec<Vec<u8>>,
    /// In place of the system's proxy settings, such as `socks5://127.0.0.1:9050`.
    pub proxy: Option<Url>,
}

/// Whom a client may talk to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Reach {
    /// Public addresses only: what its resolver gives holds for the connection itself.
    Public,
    /// Anybody, since the user named a private address.
    Any,
    /// This machine, and not by way of a proxy, which would look for it on its own machine.
    Machine,
}

/// Does exchanges. Cheap to clone; holds no cookies.
#[derive(Debug, Clone)]
pub struct Fetcher {
    pub(crate) shared: Arc<Shared>,
}

/// What tells clients apart: connections made in one way serve no request that goes another.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Way {
    pub(crate) reach: Reach,
    pub(crate) route: Route,
    /// The certificate that the user accepted, and the host that it was accepted for.
    pub(crate) exception: Option<(String, Fingerprint)>,
}

#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) limits: Limits,
    pub(crate) outlook: Outlook,
    verifier: Arc<Verifier>,
    /// For all clients without an exception, so that they share the sessions that can be resumed.
    tls: ClientConfig,
    names: Arc<HashMap<String, Vec<SocketAddr>>>,
    proxy: Option<Url>,
    pools: Mutex<HashMap<Way, Pool>>,
}

#[derive(Debug)]
struct Pool {
    client: Client,
    hosts: HashSet<String>,
}

impl Fetcher {
    /// A fetcher with these limits and nothing else out of the ordinary.
    ///
    /// # Errors
    /// When the TLS set-up of this machine cannot be read.
    pub fn new(limits: Limits) -> Result<Self, FetchError> {
        Self::with(Settings { limits, ..Settings::default() })
    }

    /// A fetcher with settings of one's own.
    ///
    /// # Errors
    /// When the TLS set-up of this machine cannot be read, or the settings make no sense.
    pub fn with(settings: Settings) -> Result<Self, FetchError> {
        let provider = Arc::new(ring::default_provider());
        let authorities = settings.authorities.into_iter().map(CertificateDer::from);
        let verifier = Verifier::new_with_extra_roots(authorities, provider).map_err(|error| set_up(&error))?;
        let verifier = Arc::new(verifier);
        let names = Arc::new(settings.names);
        let shared = Shared {
            limits: settings.limits,
            outlook: Outlook::new(Arc::clone(&names)),
            tls: tls(&verifier, None).map_err(|error| set_up(&error))?,
            verifier,
            names,
            proxy: settings.proxy,
            pools: Mutex::default(),
        };
        // What is wrong with the settings is said now and not with the first request.
        shared.build(&Way { reach: Reach::Public, route: Route::Usual, exception: None })?;
        Ok(Self { shared: Arc::new(shared) })
    }

    /// One GET with all its redirects.
    ///
    /// # Errors
    /// [`FetchError`] for everything that is neither 200 to 203 with a body nor a 304 to validators.
    pub async fn fetch(&self, request: Request) -> Result<Answer, FetchError> {
        crate::exchange::exchange(&self.shared, request).await
    }
}

impl Shared {
    /// The client to reach a host with.
    pub(crate) fn client(&self, way: Way, url: &Url) -> Result<Client, FetchError> {
        let way = match way.reach {
            Reach::Any if is_this_machine(url) => Way { reach: Reach::Machine, route: Route::Direct, ..way },
            _ => way,
        };
        let mut pools = self.pools.lock().unwrap_or_else(PoisonError::into_inner);
        let host = url.host_str().unwrap_or_default();
        let full = |pool: &Pool| pool.hosts.len() >= HOSTS_PER_POOL && !pool.hosts.contains(host);
        if pools.get(&way).is_some_and(full) {
            pools.remove(&way);
        }
        if pools.len() >= WAYS_AT_MOST && !pools.contains_key(&way) {
            // Exchanges under way hold their clients; only idle connections close.
            pools.clear();
        }
        let pool = match pools.entry(way) {
            Entry::Occupied(pool) => pool.into_mut(),
            Entry::Vacant(place) => {
                let client = self.build(place.key())?;
                place.insert(Pool { client, hosts: HashSet::new() })
            }
        };
        if !pool.hosts.contains(host) {
            pool.hosts.insert(host.to_owned());
        }
        Ok(pool.client.clone())
    }

    /// The proxy that a route leads through, where it is known: the system's own is not.
    pub(crate) fn proxy<'a>(&'a self, route: &'a Route) -> Option<&'a Url> {
        match route {
            Route::Usual => self.proxy.as_ref(),
            Route::Direct => None,
            Route::Proxy(proxy) => Some(proxy),
        }
    }

    fn build(&self, way: &Way) -> Result<Client, FetchError> {
        let proxy = self.proxy(&way.route);
        let resolver = Resolver {
            names: Arc::clone(&self.names),
            public_only: way.reach == Reach::Public,
            proxy: proxy.and_then(Url::host_str).map(str::to_owned),
        };
        let tls = match &way.exception {
            None => self.tls.clone(),
            Some((host, accepted)) => {
                let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
                let host = ServerName::try_from(host).map_err(|error| set_up(&error))?;
                tls(&self.verifier, Some((host, *accepted))).map_err(|error| set_up(&error))?
            }
        };
        let mut builder = Client::builder()
            .user_agent(USER_AGENT)
            .redirect(redirect::Policy::none())
            .referer(false)
            .retry(reqwest::retry::never())
            .connect_timeout(self.limits.connect)
            .pool_idle_timeout(IDLE)
            .pool_max_idle_per_host(1)
            .http1_max_headers(HEADERS_AT_MOST)
            // Lenient where a browser is: what is wrong in one header says nothing against the feed.
            .http1_allow_obsolete_multiline_headers_in_responses(true)
            .http1_allow_spaces_after_header_name_in_responses(true)
            .http1_ignore_invalid_headers_in_responses(true)
            .tls_backend_preconfigured(tls)
            .dns_resolver(resolver);
        match proxy {
            _ if way.reach == Reach::Machine || way.route == Route::Direct => builder = builder.no_proxy(),
            Some(proxy) => builder = builder.proxy(Proxy::all(proxy.clone()).map_err(|error| set_up(&error))?),
            None => {}
        }
        builder.build().map_err(|error| set_up(&error))
    }
}

/// A configuration with its own memory of sessions: a session that stands on an exception must not be resumed without it.
fn tls(
    verifier: &Arc<Verifier>,
    exception: Option<(ServerName<'static>, Fingerprint)>,
) -> Result<ClientConfig, rustls::Error> {
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(Judge { verifier: Arc::clone(verifier), exception }))
        .with_no_client_auth();
    // The client takes a configuration of our own as it is, and would speak HTTP/1.1 only.
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

/// There is no URL to blame for a set-up that fails.
fn set_up(error: &dyn std::error::Error) -> FetchError {
    let nowhere = Url::parse("about:blank").unwrap_or_else(|_| unreachable!("about:blank is a URL"));
    FetchError::new(
        FetchErrorKind::Tls,
        format!("Secure connections cannot be set up on this computer: {error}"),
        &nowhere,
    )
}
