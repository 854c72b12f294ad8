//! The search for the feeds behind an address.

use crate::{Certificate, Connection};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct Discover {
    /// Text that the user entered.
    pub address: String,
    pub connection: Option<Connection>,
}

/// The result of a search for feeds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Discovered {
    /// Feeds, best first. Never empty; the error `no_feed` means that there are none.
    Feeds { candidates: Vec<Candidate> },
    /// The server requires a login.
    Login {
        /// Origin of the server.
        origin: String,
        /// Whether the given login was refused.
        refused: bool,
    },
    /// The server's certificate is not valid.
    Certificate { origin: String, certificate: Certificate },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Candidate {
    pub url: String,
    pub title: String,
    /// Format, such as "RSS 2.0", "Atom 1.0" or "JSON Feed 1.1"; `null` if the feed was not read.
    pub kind: Option<String>,
    pub description: Option<String>,
    pub home_url: Option<String>,
    /// The newest articles; empty if the feed was not read.
    pub latest: Vec<CandidateItem>,
    /// Identifier of an existing subscription.
    pub subscribed: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct CandidateItem {
    pub title: String,
    pub published: Option<i64>,
}
