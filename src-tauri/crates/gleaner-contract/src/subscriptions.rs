//! Subscriptions to feeds, and the bundled list of well-known feeds.

use crate::Connection;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FolderChoice {
    None,
    Existing { id: i64 },
    New { name: String },
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct Subscribe {
    /// URL of a candidate. A file is accepted only if the user just picked it.
    pub url: String,
    /// The user's name for the feed; empty or `null` uses the feed's title.
    pub title: Option<String>,
    pub folder: FolderChoice,
    /// Connection settings that the feed was found with. Fails with `no_keyring` like [`crate::SetConnection`]; nothing is
    /// subscribed to then.
    pub connection: Option<Connection>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Subscribed {
    pub feed_id: i64,
}

/// Subscribes to starter feeds, each in a folder named after its subject, and refreshes them.
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
