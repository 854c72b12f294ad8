//! Saved searches, tags and languages in the sidebar.

use crate::Tag;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Saved searches, tags, notes and languages in the sidebar. Sent as an event after every change.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, TS)]
pub struct Collections {
    /// Saved searches, in the user's order.
    pub searches: Vec<SavedSearch>,
    /// Tags, sorted by name.
    pub tags: Vec<Tag>,
    /// Number of articles with notes.
    pub noted: i64,
    /// Number of hidden articles.
    pub hidden: i64,
    /// Number of articles with a started episode.
    pub listening: i64,
    /// Languages of the articles, most frequent first. Empty if there is only one.
    pub languages: Vec<LanguageView>,
}

/// The articles in a language, as found by `lang:`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct LanguageView {
    /// Primary language subtag, such as `en`.
    pub tag: String,
    /// Number of unread articles.
    pub unread: u32,
    /// Whether there are more than the counted ones.
    pub more: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct SavedSearch {
    pub id: i64,
    pub name: String,
    /// In the query language of `gleaner-query`, as the user entered it.
    pub query: String,
    /// Number of unread matches; `null` until they are counted.
    pub unread: Option<u32>,
    /// Whether there are more than the counted ones.
    pub more: bool,
    /// Whether the user is notified of new articles that match.
    pub notify: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SaveSearch {
    pub name: String,
    pub query: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct SearchId {
    pub search_id: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChangeSearch {
    pub search_id: i64,
    /// `null` leaves it unchanged.
    pub name: Option<String>,
    pub query: Option<String>,
    /// Whether the user is notified of new articles that match.
    pub notify: Option<bool>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MoveSearch {
    pub search_id: i64,
    /// New index, from 0.
    pub to: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DeleteSearch {
    pub search_id: i64,
}
