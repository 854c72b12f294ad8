//! One polite HTTP exchange: validators, redirects, limits, Retry-After, typed errors.
//!
//! An exchange is one request with its redirects: GET, or with a payload for the API of a server that the user has an account
//! at. It keeps no cookies for the next one, sends no `Referer`, identifies itself truthfully and never retries: when to fetch is decided by gleaner-polling. The rules and their reasons are in
//! `docs/decisions/0004-http-exchange.md`.

mod body;
mod cause;
mod certificate;
mod clients;
mod clock;
mod connectivity;
mod cookies;
mod desktop_proxies;
mod digest;
mod download;
mod error;
mod exchange;
mod explain;
mod fetcher;
mod freshness;
mod header_values;
mod host_limiter;
mod memory;
mod model;
mod open_connections;
mod proxy_check;
mod request_counter;
mod resolver;
mod site;

pub use cause::FetchCause;
pub use certificate::{Certificate, Fault, Fingerprint, NoFingerprint};
pub use clients::Settings;
pub use connectivity::KNOWN_NAME;
pub use desktop_proxies::DesktopProxies;
pub use download::Download;
pub use error::{FetchError, FetchErrorKind};
pub use fetcher::Fetcher;
pub use host_limiter::{Acquiring, HostLimiter, HostPermit};
pub use memory::{Held, Reading, to_read};
pub use model::{
    Accept, Freshness, Hop, Limits, Method, NoRoute, Payload, Quota, Request, Response, Resume, Route, Validators,
};
pub use request_counter::RequestCounter;
pub use site::same_site;

/// The `User-Agent` header: name, version and home page. The same for all users and servers.
pub const USER_AGENT: &str = concat!("Gleaner/", env!("CARGO_PKG_VERSION"), " (+", env!("CARGO_PKG_HOMEPAGE"), ")");
