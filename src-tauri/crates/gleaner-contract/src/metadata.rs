//! Metadata of articles and feeds: comments, credits, chapters, transcripts, and the header of a feed.

use serde::Serialize;
use ts_rs::TS;

/// A source that an article credits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Credit {
    /// Plain text; the host of the address if the feed gives none.
    pub title: String,
    /// http or https.
    pub url: Option<String>,
}

/// A chapter of a recording.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct Chapter {
    /// Seconds from the beginning.
    pub start: f64,
    pub title: Option<String>,
    /// Address of what it is about. http or https.
    pub url: Option<String>,
    /// http or https.
    pub image: Option<String>,
}

/// A person who takes part in a recording.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Participant {
    pub name: String,
    /// The feed's name for it, in lower case: host, guest …
    pub role: Option<String>,
    /// http or https.
    pub url: Option<String>,
}

/// The transcript of a recording.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct Transcript {
    pub language: Option<String>,
    /// In the order of the recording; at least one.
    pub passages: Vec<Passage>,
}

/// What one speaker says, about a sentence.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct Passage {
    /// Seconds from the beginning.
    pub start: Option<f64>,
    pub speaker: Option<String>,
    pub text: String,
}

/// The comments on an article, in the order of the comments feed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Comments {
    pub list: Vec<Comment>,
    /// Whether the web page has more comments.
    pub more: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Comment {
    pub author: Option<String>,
    /// Unix milliseconds.
    pub at: Option<i64>,
    /// Permanent link of the comment.
    pub url: Option<String>,
    /// Sanitised, with absolute links.
    pub html: String,
}

/// The description, image, search box and donation link of a feed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct FeedHeader {
    pub feed_id: i64,
    pub description: Option<String>,
    pub image: Option<FeedImage>,
    pub text_input: Option<TextInput>,
    /// Where to support the publisher.
    pub funding: Option<Credit>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct FeedImage {
    /// http or https.
    pub url: String,
    pub title: Option<String>,
    /// Link target, http or https.
    pub link: Option<String>,
    /// In pixels, within the limits of RSS; `null` if the feed states none.
    pub width: Option<u32>,
    pub height: Option<u32>,
}

/// A search box of the feed's site (RSS 2.0, `textInput`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct TextInput {
    /// Label of the button.
    pub title: Option<String>,
    pub description: Option<String>,
}
