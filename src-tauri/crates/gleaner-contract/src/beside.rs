use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Who is credited with an article.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Credit {
    /// Plain text; where the feed gives none, the host of the address.
    pub title: String,
    /// http or https.
    pub url: Option<String>,
}

/// Where a part of a recording begins.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct Chapter {
    /// Seconds from the beginning.
    pub start: f64,
    pub title: Option<String>,
}

/// The comments on an article, in the order of their feed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Comments {
    pub list: Vec<Comment>,
    /// There are more on their page.
    pub more: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Comment {
    pub author: Option<String>,
    /// Unix milliseconds.
    pub at: Option<i64>,
    /// Where it stands by itself.
    pub url: Option<String>,
    /// Sanitised by the core, links absolute.
    pub html: String,
}

/// What a feed says of itself for the eye.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct FeedHead {
    pub feed_id: i64,
    pub description: Option<String>,
    pub image: Option<FeedImage>,
    pub text_input: Option<TextInput>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct FeedImage {
    /// http or https.
    pub url: String,
    pub title: Option<String>,
    /// Where it leads: http or https.
    pub link: Option<String>,
    /// In pixels, within the limits of RSS; `null`: as there is room for it.
    pub width: Option<u32>,
    pub height: Option<u32>,
}

/// A box whose text goes to the feed's site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct TextInput {
    /// What its button says.
    pub title: Option<String>,
    pub description: Option<String>,
}

/// Opens in the system's browser what a feed's site answers to a text.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct SearchSite {
    pub feed_id: i64,
    /// At most a thousand characters.
    pub text: String,
}

/// When the full text of an article is fetched as it is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FullTextWhen {
    /// When it is asked for: opening an article asks nobody for anything.
    #[default]
    Never,
    /// Where the feed gives only a beginning.
    Short,
    Always,
}
