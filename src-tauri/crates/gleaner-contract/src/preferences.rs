use crate::{AheadWish, FullTextWhen};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What something is said of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FeedScope {
    All,
    /// The feeds in the folder and in those in it.
    Folder {
        id: i64,
    },
    Feed {
        id: i64,
    },
}

/// What is wished of feeds; `null`: as further out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
pub struct Preferences {
    /// Minutes between polls; 0: never by itself; -1, and where nobody says anything: as Gleaner thinks best.
    pub refresh_minutes: Option<i64>,
    /// What is fetched ahead.
    pub ahead: Option<AheadWish>,
    /// When full texts are fetched as articles are opened.
    pub full_text_when: Option<FullTextWhen>,
    /// Articles open with their full text where that is there.
    pub full_text_first: Option<bool>,
    /// Remote pictures are shown.
    pub load_images: Option<bool>,
    /// The desktop is told of new articles.
    pub notify: Option<bool>,
}

/// The folders that say what holds, by name; `null`: it is as for all feeds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, TS)]
pub struct PreferencesFrom {
    pub refresh_minutes: Option<String>,
    pub ahead: Option<String>,
    pub full_text_when: Option<String>,
    pub full_text_first: Option<String>,
    pub load_images: Option<String>,
    pub notify: Option<String>,
}

/// What is said of a feed or folder itself, and what holds where nothing is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct PreferencesSaid {
    pub own: Preferences,
    /// Whole, but for `refresh_minutes`, which may be as Gleaner thinks best.
    pub inherited: Preferences,
    pub from: PreferencesFrom,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct SetPreferences {
    pub scope: FeedScope,
    /// All of them: what is `null` is as further out from then on.
    pub preferences: Preferences,
}
