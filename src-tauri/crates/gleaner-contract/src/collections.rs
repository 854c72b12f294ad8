use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What the reader has made of articles, as the sidebar shows it. Sent as an event whenever it changed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, TS)]
pub struct Collections {
    /// In the reader's order.
    pub searches: Vec<SavedSearch>,
    /// By name.
    pub tags: Vec<Tag>,
    /// Articles with notes.
    pub noted: i64,
    /// Hidden articles.
    pub hidden: i64,
    /// Those that articles are in, those of most articles first; none where there is only one.
    pub languages: Vec<LanguageView>,
}

/// The articles in a language: what `lang:` finds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct LanguageView {
    /// A primary subtag, such as `en`.
    pub tag: String,
    /// Unread ones.
    pub unread: u32,
    /// There are more than these.
    pub more: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct SavedSearch {
    pub id: i64,
    pub name: String,
    /// As it was written, in the language of `gleaner-query`.
    pub query: String,
    /// Unread articles that it finds; `None` until they were counted.
    pub unread: Option<u32>,
    /// There are more than these.
    pub more: bool,
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
    /// `null`: leave as it is.
    pub name: Option<String>,
    pub query: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MoveSearch {
    pub search_id: i64,
    /// Its place among the others; 0 is the first.
    pub to: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DeleteSearch {
    pub search_id: i64,
}

/// Gives articles a tag, which is made where there is none of this name, or takes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TagArticles {
    pub ids: Vec<i64>,
    pub name: String,
    pub on: bool,
}

/// A name that another tag has makes one of the two.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RenameTag {
    pub tag_id: i64,
    pub name: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DeleteTag {
    pub tag_id: i64,
}

/// How far an article was read: 0 its beginning, 1 its end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct KeepProgress {
    pub id: i64,
    pub position: f64,
}

/// How far sound or film was played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Playback {
    /// The enclosure's.
    pub url: String,
    pub seconds: f64,
    pub duration: Option<f64>,
    /// It was heard to its end.
    pub finished: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct KeepPlayback {
    pub id: i64,
    pub playback: Playback,
}

/// What feeds say their articles are about, and what the reader says that this means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Categories {
    /// Those above before those below.
    pub facets: Vec<Facet>,
    pub synonyms: Vec<Synonym>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Facet {
    /// Its path, parted by `/`, without regard to case: what `category:` takes.
    pub key: String,
    /// Its last step, as feeds write it.
    pub name: String,
    /// Articles about it or about what lies below it.
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
    /// `null`: it means itself again.
    pub means: Option<String>,
}
