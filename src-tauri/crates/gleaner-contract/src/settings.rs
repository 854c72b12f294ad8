//! Settings of Gleaner, and the state of its window.

use crate::{Cursor, FullTextWhen, OnClose, Source};
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
    /// High contrast, light or dark as in the system.
    Contrast,
}

/// The language of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// The first supported language of the system.
    #[default]
    System,
    En,
    De,
    Fr,
    Es,
    /// Simplified Chinese.
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
    /// The font of the system's user interface.
    System,
}

/// Typography of articles.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct Typography {
    pub font: ArticleFont,
    /// Font size relative to the window's text size, 0.7 to 2.
    pub size: f64,
    /// Approximate number of characters per line, 40 to 120.
    #[serde(alias = "width")]
    pub line_length: u32,
    /// Line height relative to the font size, 1.2 to 2.2.
    #[serde(alias = "leading")]
    pub line_height: f64,
    /// Whether words are hyphenated if the article's language is known.
    #[serde(alias = "hyphens")]
    pub hyphenation: bool,
    /// The user's style sheet, applied after Gleaner's; at most 100,000 bytes.
    pub css: String,
}

impl Default for Typography {
    fn default() -> Self {
        Self {
            font: ArticleFont::Serif,
            size: 1.0,
            line_length: 66,
            line_height: 1.62,
            hyphenation: true,
            css: String::new(),
        }
    }
}

impl Settings {
    /// Returns whether icons are downloaded. Without remote images, nothing but feeds is requested.
    pub fn fetches_icons(&self) -> bool {
        self.feed_icons && self.load_images
    }

    /// Returns whether all values are in range. Settings also come from archives and other versions.
    pub fn is_sound(&self) -> bool {
        let keys = |(action, keys): (&String, &Vec<String>)| {
            action.len() <= 64 && keys.len() <= 8 && keys.iter().all(|key| key.len() <= 64)
        };
        (0.5..=4.0).contains(&self.text_scale)
            && (0.5..=3.0).contains(&self.playback_speed)
            && self.sidebar_width <= 4000
            && self.list_width <= 4000
            && self.list_height <= 4000
            && self.columns.iter().enumerate().all(|(at, column)| !self.columns[..at].contains(column))
            && self.column_widths.is_sound()
            && self.quiet_hours.from < 24
            && self.quiet_hours.to < 24
            && self.keys.len() <= 200
            && self.keys.iter().all(keys)
            && self.typography.is_sound()
    }
}

impl ColumnWidths {
    fn is_sound(&self) -> bool {
        [self.feed, self.author, self.date, self.length].iter().all(|width| (24..=1000).contains(width))
    }
}

impl Typography {
    fn is_sound(&self) -> bool {
        (0.7..=2.0).contains(&self.size)
            && (40..=120).contains(&self.line_length)
            && (1.2..=2.2).contains(&self.line_height)
            && self.css.len() <= 100_000
    }
}

/// A set of keyboard shortcuts, which the user can change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum KeyPreset {
    #[default]
    Gleaner,
    Vim,
    NetNewsWire,
    /// The shortcuts of Google Reader, also used by Feedly and others.
    Reader,
}

/// Layout of the article list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ListLayout {
    /// With several lines per row.
    #[default]
    Panes,
    /// Wide with images. The article replaces the list, or is beside it if there is room.
    Magazine,
    /// With one line per row.
    Compact,
    /// With one line per row, in columns below their headers.
    Columns,
}

/// Where the list and the article are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Arrangement {
    /// The list is beside the article.
    #[default]
    Widescreen,
    /// The list is above the article.
    Classic,
}

/// A column of a list. The title comes first and is always shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ListColumn {
    Feed,
    Author,
    Date,
    Length,
}

/// Widths of the columns of a list in CSS pixels at 100 %, 24 to 1000. The title has the remaining width.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct ColumnWidths {
    pub feed: u32,
    pub author: u32,
    pub date: u32,
    pub length: u32,
}

impl Default for ColumnWidths {
    fn default() -> Self {
        Self { feed: 160, author: 136, date: 96, length: 80 }
    }
}

/// How much room the rows of lists have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Density {
    /// Two lines of the excerpt.
    #[default]
    Comfortable,
    /// One line of the excerpt.
    Cosy,
    /// No excerpt.
    Compact,
}

/// The sections that the sidebar shows besides the views and the feeds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct SidebarSections {
    pub searches: bool,
    pub tags: bool,
    /// The articles with notes and the hidden articles, if there are any.
    pub notes_and_hidden: bool,
    /// The languages of the articles, if there are several.
    pub languages: bool,
}

impl Default for SidebarSections {
    fn default() -> Self {
        Self { searches: true, tags: true, notes_and_hidden: true, languages: false }
    }
}

/// The hours of the day in which there are no notifications.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct QuietHours {
    pub enabled: bool,
    /// The first quiet hour, 0 to 23.
    pub from: u8,
    /// The first hour that is not quiet, 0 to 23.
    pub to: u8,
}

impl Default for QuietHours {
    fn default() -> Self {
        Self { enabled: false, from: 22, to: 7 }
    }
}

/// The state of the window, which the next start restores.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct WindowState {
    pub source: Source,
    /// The query of the search results that replace the list.
    pub search: Option<String>,
    /// The first visible row; `null` at the start of the list.
    pub top: Option<Cursor>,
    /// How much of the first visible row is above the edge, in CSS pixels at 100 %.
    pub above: u32,
    /// The selected row.
    pub selected: Option<Cursor>,
    /// Id of the open article.
    pub article: Option<i64>,
    /// Whether the article is in front if list and article share one pane.
    pub article_in_front: bool,
    /// The item in the player.
    #[serde(default)]
    pub player: Option<PlayerItem>,
}

/// A media item of an article.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PlayerItem {
    /// Id of the article.
    pub article: i64,
    pub url: String,
}

/// Settings of the window, stored in the library. Missing fields have their defaults; aliases are former names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct Settings {
    pub theme: Theme,
    pub language: Language,
    /// 1 is 100 %; 0.5 to 4 are accepted.
    pub text_scale: f64,
    /// CSS pixels at 100 %.
    pub sidebar_width: u32,
    /// CSS pixels at 100 %.
    pub list_width: u32,
    /// Height of the list above the article, in CSS pixels at 100 %.
    pub list_height: u32,
    pub arrangement: Arrangement,
    pub list_layout: ListLayout,
    /// The columns that lists in columns show after the title, in this order, each at most once.
    pub columns: Vec<ListColumn>,
    pub column_widths: ColumnWidths,
    pub density: Density,
    pub unread_only: bool,
    /// Whether lists without their own view options show the oldest articles first.
    pub oldest_first: bool,
    /// Whether the sidebar hides feeds and folders without unread articles.
    pub hide_read: bool,
    pub sidebar_sections: SidebarSections,
    /// Whether the sidebar is also hidden in wide windows, and opens over the list.
    pub hide_sidebar: bool,
    /// Whether the tags are collapsed in the sidebar.
    pub collapse_tags: bool,
    /// Whether the languages are collapsed in the sidebar.
    #[serde(alias = "fold_languages")]
    pub collapse_languages: bool,
    /// Whether feed icons are downloaded from the feeds' sites.
    pub feed_icons: bool,
    /// Whether articles are marked as read on scrolling past them.
    pub read_on_scroll: bool,
    /// Whether remote images are shown in articles and lists.
    pub load_images: bool,
    /// Whether lists show thumbnails.
    pub thumbnails: bool,
    /// When full texts are downloaded, for feeds without their own preference.
    pub full_text: FullTextWhen,
    /// Playback speed of audio and video, 0.5 to 3.
    pub playback_speed: f64,
    /// Whether an article in several feeds is shown once in combined lists and marked as read in all of them.
    #[serde(alias = "one_story")]
    pub combine_duplicates: bool,
    /// Whether articles with a future date appear only on that date.
    #[serde(alias = "hold_future")]
    pub schedule_future_articles: bool,
    /// Maximum number of earlier versions stored per article; `null` for all.
    #[serde(alias = "versions_kept")]
    pub max_versions: Option<u32>,
    /// Whether feeds are checked automatically while Gleaner runs.
    pub refresh_automatically: bool,
    /// Whether Gleaner checks for a newer version once a day, if it updates itself.
    pub find_updates: bool,
    /// What happens when the user closes the window.
    pub on_close: OnClose,
    /// When there are no notifications.
    pub quiet_hours: QuietHours,
    #[serde(alias = "article")]
    pub typography: Typography,
    pub key_preset: KeyPreset,
    /// The user's shortcuts by action; an empty list removes the shortcut. Other actions use the preset.
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
            list_height: 320,
            arrangement: Arrangement::Widescreen,
            list_layout: ListLayout::Panes,
            columns: vec![ListColumn::Feed, ListColumn::Author, ListColumn::Date, ListColumn::Length],
            column_widths: ColumnWidths::default(),
            density: Density::Comfortable,
            unread_only: false,
            oldest_first: false,
            hide_read: false,
            sidebar_sections: SidebarSections::default(),
            hide_sidebar: false,
            collapse_tags: false,
            collapse_languages: false,
            feed_icons: true,
            read_on_scroll: false,
            load_images: true,
            thumbnails: true,
            full_text: FullTextWhen::Never,
            playback_speed: 1.0,
            combine_duplicates: true,
            schedule_future_articles: false,
            max_versions: Some(20),
            refresh_automatically: true,
            find_updates: false,
            on_close: OnClose::Ask,
            quiet_hours: QuietHours::default(),
            typography: Typography::default(),
            key_preset: KeyPreset::Gleaner,
            keys: BTreeMap::new(),
        }
    }
}
