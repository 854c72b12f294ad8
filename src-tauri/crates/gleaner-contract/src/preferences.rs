//! Preferences of a feed, a folder or all feeds.

use crate::{FullTextWhen, OfflineContent};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A feed, a folder or all feeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FeedScope {
    All,
    /// The feeds in the folder and its subfolders.
    Folder {
        id: i64,
    },
    Feed {
        id: i64,
    },
}

/// Preferences of feeds. `null` inherits from the folder, or from all feeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
pub struct Preferences {
    /// Minutes between checks; 0 for never automatically; -1 for automatic, which is the default.
    pub refresh_minutes: Option<i64>,
    /// The content to download for offline reading.
    pub offline: Option<OfflineContent>,
    /// When full texts are downloaded on opening an article.
    pub full_text_when: Option<FullTextWhen>,
    /// Whether articles open with their full text if it is stored.
    pub full_text_first: Option<bool>,
    /// Whether remote images are shown.
    pub load_images: Option<bool>,
    /// Whether new articles cause a desktop notification.
    pub notify: Option<bool>,
}

/// Names of the folders that inherited preferences come from; `null` for all feeds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, TS)]
pub struct PreferenceSources {
    pub refresh_minutes: Option<String>,
    pub offline: Option<String>,
    pub full_text_when: Option<String>,
    pub full_text_first: Option<String>,
    pub load_images: Option<String>,
    pub notify: Option<String>,
}

/// The preferences of a feed or folder, and the inherited ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ScopedPreferences {
    pub own: Preferences,
    /// Complete, except `refresh_minutes`, which may be automatic.
    pub inherited: Preferences,
    pub inherited_from: PreferenceSources,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct SetPreferences {
    pub scope: FeedScope,
    /// All preferences. Those that are `null` are inherited from now on.
    pub preferences: Preferences,
}
