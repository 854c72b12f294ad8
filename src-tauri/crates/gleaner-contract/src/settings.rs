use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

/// Whose keys the window's are, before the reader's own changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum KeyPreset {
    #[default]
    Gleaner,
    Vim,
    NetNewsWire,
    /// Google Reader's, which Feedly and others took over.
    Reader,
}

/// What the window remembers. Kept with the library; a missing field has its default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct Settings {
    pub theme: Theme,
    /// 1 is 100 %; 0.8 to 3.
    pub text_scale: f64,
    /// CSS pixels at 100 %.
    pub sidebar_width: u32,
    /// CSS pixels at 100 %.
    pub list_width: u32,
    pub unread_only: bool,
    pub oldest_first: bool,
    /// Remote pictures in articles.
    pub load_images: bool,
    /// The same story in several feeds is one: shown once in lists of several feeds, read everywhere when it is read once.
    pub one_story: bool,
    /// Articles dated in the future are held back until their date.
    pub hold_future: bool,
    /// So many former versions of an article are kept; `null`: all.
    pub versions_kept: Option<u32>,
    /// Poll by itself while the window is open.
    pub refresh_automatically: bool,
    pub key_preset: KeyPreset,
    /// The reader's own keys by the name of an action; an empty list: none. What is not named here is as in the preset.
    pub keys: BTreeMap<String, Vec<String>>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: Theme::System,
            text_scale: 1.0,
            sidebar_width: 248,
            list_width: 372,
            unread_only: false,
            oldest_first: false,
            load_images: true,
            one_story: true,
            hold_future: false,
            versions_kept: Some(20),
            refresh_automatically: true,
            key_preset: KeyPreset::Gleaner,
            keys: BTreeMap::new(),
        }
    }
}
