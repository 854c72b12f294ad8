//! An article as the reading pane and separate windows show it, its versions, and positions in it.

use crate::{Credit, IpcError, OfflineImage, Participant};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ArticleId {
    pub id: i64,
}

/// An article whose full text is downloaded.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct FetchFullText {
    pub id: i64,
    /// Whether the user asked for it. Otherwise the article is shown, and by its feed's setting with full text.
    pub by_hand: bool,
}

/// The page of an article for a separate window, or any page to print, as the main window has built it from the sanitised HTML.
#[derive(Debug, Clone, PartialEq, Deserialize, TS)]
pub struct ArticleWindow {
    /// Id of the article; any number for another page to print.
    pub id: i64,
    /// Title of the window.
    pub title: String,
    /// The complete HTML document.
    pub html: String,
    /// The user's style sheet.
    pub css: String,
    /// Whether the page may load remote images.
    pub images: bool,
    /// Whether the page is printed, from a hidden window if possible.
    pub print: bool,
    /// The texts of the window's find bar; none if the page is printed.
    pub find: Option<FindWords>,
    /// The position at which the page opens: 0 is its start, 1 its end.
    pub position: f64,
}

/// The texts of a find bar.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct FindWords {
    /// In the empty field.
    pub field: String,
    /// Shown if the text is not found.
    pub none: String,
    /// Shown with a match, with its number for `{place}` and the number of matches for `{count}`.
    pub place: String,
    /// The same, where more matches than `{count}` were not counted.
    pub more: String,
    pub previous: String,
    pub next: String,
}

/// A place in the window, as shares of its width and height; negative if there is none. If the desktop scales text, the page's pixels are
/// larger than those of the window.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, TS)]
pub struct WindowPoint {
    pub x: f64,
    pub y: f64,
}

/// An article as the reading pane shows it.
#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct Article {
    pub id: i64,
    pub feed_id: i64,
    pub feed_title: String,
    pub feed_home_url: Option<String>,
    pub title: String,
    pub author: Option<String>,
    pub published: Option<i64>,
    pub updated: Option<i64>,
    /// Sort key of lists by date, in Unix milliseconds.
    pub sort_at: i64,
    /// Address that `open_in_browser` opens.
    pub url: Option<String>,
    /// Sanitised, with absolute links. Empty if the feed gives no text.
    pub html: String,
    pub language: Option<String>,
    pub read: bool,
    pub starred: bool,
    pub hidden: bool,
    pub kept: bool,
    /// Names of the tags.
    pub tags: Vec<String>,
    /// Stored reading position of a partly read article, from 0 (beginning) to 1 (end).
    pub progress: Option<f64>,
    pub playback: Vec<Playback>,
    pub word_count: u32,
    pub reading_minutes: u32,
    pub enclosures: Vec<Enclosure>,
    /// http or https URL of the article's image in lists, and in place of a video that it is about.
    pub thumbnail: Option<String>,
    pub comments_url: Option<String>,
    /// Number of comments when the article was received.
    pub comments_count: Option<u32>,
    /// Whether the command `comments` can download the comments.
    pub has_comments_feed: bool,
    /// Whether the command `chapters` returns chapters.
    pub has_chapters: bool,
    /// Whether the command `transcript` returns a transcript.
    pub has_transcript: bool,
    /// Who takes part in the recording.
    pub participants: Vec<Participant>,
    /// Season of a podcast.
    pub season: Option<u32>,
    /// Name of the season, shown instead of its number.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub season_name: Option<String>,
    /// Number of a podcast episode; may be fractional.
    pub episode: Option<f64>,
    /// Text shown instead of the episode's number.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub episode_display: Option<String>,
    /// Feed that the article was copied from (RSS `source`, Atom `source`).
    pub source: Option<Credit>,
    /// Sources that the article credits, and pages that it is about.
    pub via: Vec<Credit>,
    pub categories: Vec<String>,
    /// The same article in other feeds.
    pub duplicates: Vec<DuplicateArticle>,
    /// Whether `html` is the full text from the article's web page.
    pub shows_full_text: bool,
    /// Whether the full text is stored.
    pub has_full_text: bool,
    /// Whether to offer the full text: the feed seems to give an excerpt only, and the user has not decided yet.
    pub offer_full_text: bool,
    /// Whether the window should download the full text now, by preference.
    pub fetch_full_text: bool,
    /// Why the download of the full text failed for good.
    pub full_text_error: Option<IpcError>,
    /// Images that are stored for offline reading.
    pub offline_images: Vec<OfflineImage>,
    /// When each earlier version was replaced (Unix milliseconds), newest first.
    pub versions: Vec<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct DuplicateArticle {
    pub article_id: i64,
    pub feed_id: i64,
    pub feed_title: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, TS)]
pub struct Enclosure {
    pub url: String,
    pub mime_type: Option<String>,
    /// Bytes.
    pub length: Option<i64>,
    /// Seconds.
    pub duration: Option<f64>,
    pub title: Option<String>,
}

/// Two versions of an article.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct CompareVersions {
    pub id: i64,
    /// The older version, as in `versions` of [`crate::Article`].
    pub older: i64,
    /// The newer version, as in `versions`; `null` for the current one.
    pub newer: Option<i64>,
}

/// The newer version with the differences marked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Comparison {
    /// The title with its differences marked, as HTML.
    pub title: String,
    /// Sanitised, with absolute links. Insertions are in `ins.gl-ins`, deletions in `del.gl-del`; blocks that were inserted
    /// or deleted as a whole have the class `gl-in` or `gl-out`. The first mark of each change has the attribute
    /// `data-change`.
    pub html: String,
    /// Number of inserted words.
    pub inserted: u32,
    pub deleted: u32,
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

/// An image of an article.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct ArticleImage {
    /// Id of the article.
    pub id: i64,
    /// The image's address on the web.
    pub address: String,
}
