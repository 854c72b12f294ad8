use crate::{Certificate, Reach};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct Discover {
    /// Whatever the user pasted.
    pub address: String,
    pub reach: Option<Reach>,
}

/// What is behind an address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Discovered {
    /// Feeds, best first. Never empty: none is the error `no_feed`.
    Feeds { candidates: Vec<Candidate> },
    /// A server that asks for a login.
    Login {
        /// It.
        origin: String,
        /// It refused the login that it was given.
        refused: bool,
    },
    /// A server whose certificate is not good.
    Certificate { origin: String, certificate: Certificate },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Candidate {
    pub url: String,
    pub title: String,
    /// "RSS 2.0", "Atom 1.0", "JSON Feed 1.1"; `None` where it was not read.
    pub kind: Option<String>,
    pub description: Option<String>,
    pub home_url: Option<String>,
    /// The newest few; empty where it was not read.
    pub latest: Vec<CandidateItem>,
    /// The id of the subscription where there is one already.
    pub subscribed: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct CandidateItem {
    pub title: String,
    pub published: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FolderChoice {
    None,
    Existing { id: i64 },
    New { name: String },
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct Subscribe {
    /// A candidate's URL; a file's only where the user picked that file last.
    pub url: String,
    /// The user's own name for it; empty or `null`: the feed's.
    pub title: Option<String>,
    pub folder: FolderChoice,
    /// How it is reached, where it was found that way. Fails with `no_keyring` as [`crate::SetAccess`] does; then nothing is
    /// subscribed to.
    pub reach: Option<Reach>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Subscribed {
    pub feed_id: i64,
}

/// Subscribes to starter feeds, each in the folder of its subject, and refreshes them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SubscribeMany {
    pub urls: Vec<String>,
}

/// A subject of the bundled list of well-known feeds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StarterSubject {
    pub name: String,
    pub feeds: Vec<StarterFeed>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StarterFeed {
    pub title: String,
    pub url: String,
    pub home_url: String,
    pub description: String,
}
