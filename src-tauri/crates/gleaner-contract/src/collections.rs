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

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Tag {
    pub id: i64,
    pub name: String,
    pub items: i64,
    pub unread: i64,
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

/// Adds a tag to articles, creating it if necessary, or removes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TagArticles {
    pub ids: Vec<i64>,
    pub name: String,
    pub on: bool,
}

/// Renames a tag. If the name belongs to another tag, the two are merged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RenameTag {
    pub tag_id: i64,
    pub name: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DeleteTag {
    pub tag_id: i64,
}

/// Stores a reading position, from 0 (beginning) to 1 (end).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct SaveReadingProgress {
    pub id: i64,
    pub position: f64,
}

/// Playback position of an audio or video file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Playback {
    /// URL of the enclosure.
    pub url: String,
    pub seconds: f64,
    pub duration: Option<f64>,
    /// Whether it was played to the end.
    pub finished: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct SavePlayback {
    pub id: i64,
    pub playback: Playback,
}

/// The categories of articles and the user's synonyms for them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Categories {
    /// Categories, parents before children.
    pub facets: Vec<Facet>,
    pub synonyms: Vec<Synonym>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Facet {
    /// Path with `/` between its steps, case-insensitive, as used by `category:`.
    pub key: String,
    /// Last step of the path, as feeds write it.
    pub name: String,
    /// Number of articles in it or in its subcategories.
    pub articles: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Synonym {
    pub key: String,
    pub means: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SetSynonym {
    pub category: String,
    /// Category that it means; `null` removes the synonym.
    pub means: Option<String>,
}
