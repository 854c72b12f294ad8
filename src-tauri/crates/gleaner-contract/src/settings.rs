use crate::FullTextWhen;
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
    Sepia,
    /// As much contrast as there is, light or dark as the system is.
    Contrast,
}

/// The language of the window's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// The first of the system's that there is.
    #[default]
    System,
    En,
    De,
    Fr,
    Es,
    /// In simplified letters.
    Zh,
    Ja,
    Ar,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ArticleFont {
    #[default]
    Serif,
    Sans,
    /// What the system's own programs are set in.
    System,
}

/// How articles are set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct ArticleLook {
    pub font: ArticleFont,
    /// Of the text size of the window; 1 is as it is meant; 0.7 to 2.
    pub size: f64,
    /// Characters in a line, about; 40 to 120.
    pub width: u32,
    /// Of the letters' height, from one line to the next; 1.2 to 2.2.
    pub leading: f64,
    /// Words are divided where the article's language is known.
    pub hyphens: bool,
    /// The reader's own style sheet, over Gleaner's; at most 100,000 bytes.
    pub css: String,
}

impl Default for ArticleLook {
    fn default() -> Self {
        Self { font: ArticleFont::Serif, size: 1.0, width: 66, leading: 1.62, hyphens: true, css: String::new() }
    }
}

impl Settings {
    /// Who wishes no pictures from the web wishes that nothing is asked for but feeds.
    pub fn fetches_icons(&self) -> bool {
        self.feed_icons && self.load_images
    }

    /// Whether all of it is what a window can ask for: they come from archives and older versions, too.
    pub fn is_sound(&self) -> bool {
        let keys = |(action, keys): (&String, &Vec<String>)| {
            action.len() <= 64 && keys.len() <= 8 && keys.iter().all(|key| key.len() <= 64)
        };
        (0.5..=4.0).contains(&self.text_scale)
            && (0.5..=3.0).contains(&self.playback_speed)
            && self.sidebar_width <= 4000
            && self.list_width <= 4000
            && self.keys.len() <= 200
            && self.keys.iter().all(keys)
            && self.article.is_sound()
    }
}

impl ArticleLook {
    fn is_sound(&self) -> bool {
        (0.7..=2.0).contains(&self.size)
            && (40..=120).contains(&self.width)
            && (1.2..=2.2).contains(&self.leading)
            && self.css.len() <= 100_000
    }
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

/// How the list of articles is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ListLayout {
    /// Beside the article, some lines for each.
    #[default]
    Panes,
    /// Wide, with pictures; the article takes its place, or stands beside it where there is room.
    Magazine,
    /// Beside the article, one line for each.
    Compact,
}

/// What the window remembers. Kept with the library; a missing field has its default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct Settings {
    pub theme: Theme,
    pub language: Language,
    /// 1 is 100 %; 0.8 to 3.
    pub text_scale: f64,
    /// CSS pixels at 100 %.
    pub sidebar_width: u32,
    /// CSS pixels at 100 %.
    pub list_width: u32,
    pub list_layout: ListLayout,
    pub unread_only: bool,
    /// Lists that are not looked at in a way of their own.
    pub oldest_first: bool,
    /// Feeds and folders without unread articles are not shown in the sidebar.
    pub hide_read: bool,
    /// The languages that articles are in are folded away in the sidebar.
    pub fold_languages: bool,
    /// Icons of feeds, from their own sites.
    pub feed_icons: bool,
    /// What was scrolled past is read.
    pub read_on_scroll: bool,
    /// Remote pictures in articles and lists.
    pub load_images: bool,
    /// Small pictures in lists.
    pub thumbnails: bool,
    /// The full text of articles is fetched as they are opened, of feeds that say nothing of their own.
    pub full_text: FullTextWhen,
    /// Of sound and film; 1 is as it was recorded; 0.5 to 3.
    pub playback_speed: f64,
    /// The same story in several feeds is one: shown once in lists of several feeds, read everywhere when it is read once.
    pub one_story: bool,
    /// Articles dated in the future are held back until their date.
    pub hold_future: bool,
    /// So many former versions of an article are kept; `null`: all.
    pub versions_kept: Option<u32>,
    /// Poll by itself while the window is open.
    pub refresh_automatically: bool,
    pub article: ArticleLook,
    pub key_preset: KeyPreset,
    /// The reader's own keys by the name of an action; an empty list: none. What is not named here is as in the preset.
    pub keys: BTreeMap<String, Vec<String>>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            theme: Theme::System,
            language: Language::System,
            text_scale: 1.0,
            sidebar_width: 248,
            list_width: 372,
            list_layout: ListLayout::Panes,
            unread_only: false,
            oldest_first: false,
            hide_read: false,
            fold_languages: false,
            feed_icons: true,
            read_on_scroll: false,
            load_images: true,
            thumbnails: true,
            full_text: FullTextWhen::Never,
            playback_speed: 1.0,
            one_story: true,
            hold_future: false,
            versions_kept: Some(20),
            refresh_automatically: true,
            article: ArticleLook::default(),
            key_preset: KeyPreset::Gleaner,
            keys: BTreeMap::new(),
        }
    }
}
