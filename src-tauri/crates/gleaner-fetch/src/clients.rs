//! The HTTP clients behind a [`Fetcher`]: their TLS, their pools, and who may be reached through which.

use crate::resolver::{Resolver, is_this_machine};
use crate::{Answer, FetchError, FetchErrorKind, Limits, Request, USER_AGENT};
use reqwest::{Client, Proxy, redirect};
use rustls::ClientConfig;
use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls_platform_verifier::Verifier;
use std::collections::{HashMap, HashSet};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use url::Url;

/// How many hosts share one pool. A pool keeps a connection per host open for a while, and a process may have only so
/// many (1,024 by default on Linux): after this many hosts a new pool takes over and the old one closes.
const HOSTS_PER_POOL: usize = 200;
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) limits: Limits,
    tls: ClientConfig,
    names: Arc<HashMap<String, Vec<SocketAddr>>>,
    proxy: Option<Proxy>,
    public: Mutex<Pool>,
    any: Mutex<Pool>,
    machine: Mutex<Pool>,
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
        let tls = tls(settings.authorities).map_err(|error| set_up(&error))?;
        let proxy = settings.proxy.map(Proxy::all).transpose().map_err(|error| set_up(&error))?;
        let names = Arc::new(settings.names);
        let client =
            |reach| build(&settings.limits, &tls, &names, proxy.as_ref(), reach).map_err(|error| set_up(&error));
        let public = Mutex::new(Pool { client: client(Reach::Public)?, hosts: HashSet::new() });
        let any = Mutex::new(Pool { client: client(Reach::Any)?, hosts: HashSet::new() });
        let machine = Mutex::new(Pool { client: client(Reach::Machine)?, hosts: HashSet::new() });
        Ok(Self { shared: Arc::new(Shared { limits: settings.limits, tls, names, proxy, public, any, machine }) })
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
    pub(crate) fn client(&self, reach: Reach, url: &Url) -> Client {
        let reach = if reach == Reach::Any && is_this_machine(url) { Reach::Machine } else { reach };
        let pool = match reach {
            Reach::Public => &self.public,
            Reach::Any => &self.any,
            Reach::Machine => &self.machine,
        };
        let mut pool = pool.lock().unwrap_or_else(PoisonError::into_inner);
        let host = url.host_str().unwrap_or_default();
        if !pool.hosts.contains(host) {
            if pool.hosts.len() >= HOSTS_PER_POOL {
                // It was built from the very same parts before; should it fail now, the old one still serves.
                if let Ok(client) = build(&self.limits, &self.tls, &self.names, self.proxy.as_ref(), reach) {
                    *pool = Pool { client, hosts: HashSet::new() };
                }
            }
            pool.hosts.insert(host.to_owned());
        }
        pool.client.clone()
    }
}

fn build(
    limits: &Limits,
    tls: &ClientConfig,
    names: &Arc<HashMap<String, Vec<SocketAddr>>>,
    proxy: Option<&Proxy>,
    reach: Reach,
) -> reqwest::Result<Client> {
    let resolver = Resolver { names: Arc::clone(names), public_only: reach == Reach::Public };
    let mut builder = Client::builder()
        .user_agent(USER_AGENT)
        .redirect(redirect::Policy::none())
        .referer(false)
        .retry(reqwest::retry::never())
        .connect_timeout(limits.connect)
        .pool_idle_timeout(IDLE)
        .pool_max_idle_per_host(1)
        .http1_max_headers(HEADERS_AT_MOST)
        // Lenient where a browser is: what is wrong in one header says nothing against the feed.
        .http1_allow_obsolete_multiline_headers_in_responses(true)
        .http1_allow_spaces_after_header_name_in_responses(true)
        .http1_ignore_invalid_headers_in_responses(true)
        .tls_backend_preconfigured(tls.clone())
        .dns_resolver(resolver);
    match proxy {
        _ if reach == Reach::Machine => builder = builder.no_proxy(),
        Some(proxy) => builder = builder.proxy(proxy.clone()),
        None => {}
    }
    builder.build()
}

fn tls(authorities: Vec<Vec<u8>>) -> Result<ClientConfig, rustls::Error> {
    let provider = Arc::new(ring::default_provider());
    let authorities = authorities.into_iter().map(CertificateDer::from);
    let verifier = Verifier::new_with_extra_roots(authorities, Arc::clone(&provider))?;
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
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
