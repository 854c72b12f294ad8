//! One polite HTTP exchange: validators, redirects by hand, limits, Retry-After, typed errors.
//!
//! An exchange is one GET with the redirects that follow from it. It keeps no cookies, sends no `Referer`, names itself
//! truthfully, and asks again for nothing: when to ask, and whether, is the polling's affair. What an exchange may do,
//! and why, is written in `docs/decisions/0004-one-exchange.md`.

mod body;
mod certificate;
mod clients;
mod error;
mod exchange;
mod freshness;
mod model;
mod outlook;
mod resolver;
mod site;
mod words;

pub use certificate::{Certificate, Fault, Fingerprint, NoFingerprint};
pub use clients::{Fetcher, Settings};
pub use error::{FetchError, FetchErrorKind};
pub use model::{Accept, Answer, Freshness, Hop, Limits, NoRoute, Request, Route, Validators};
pub use outlook::KNOWN_NAME;
pub use resolver::{is_private, is_private_host};
pub use site::same_site;

/// What Gleaner calls itself to servers: name, version, and where to complain. The same for everyone, always.
pub const USER_AGENT: &str = concat!("Gleaner/", env!("CARGO_PKG_VERSION"), " (+", env!("CARGO_PKG_HOMEPAGE"), ")");
