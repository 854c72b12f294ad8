use crate::{Credit, IpcError, OfflineImage, Participant};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The articles of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Source {
    /// Articles published since local midnight, or received since then if they have no date.
    Today,
    Unread,
    Starred,
    All,
    Feed {
        id: i64,
    },
    /// The folder with its subfolders.
    Folder {
        id: i64,
    },
    /// Articles with a tag.
    Tag {
        id: i64,
    },
    /// Articles with highlights or notes.
    Noted,
    /// Hidden articles, which are in no other list.
    Hidden,
    /// Articles with audio or video that was started and not finished, last played first.
    Listening,
    /// Articles with downloaded or queued audio or video, newest download first.
    Downloads,
}

/// A position in a list: the sort keys of a row in every order. Lists are paged by keys, not by offsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Cursor {
    /// Unix milliseconds.
    pub sort_at: i64,
    pub id: i64,
    pub feed_id: i64,
    pub words: u32,
}

/// The order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ListOrder {
    #[default]
    Newest,
    Oldest,
    /// By title of the feed, newest first within each feed.
    ByFeed,
    /// Least frequent feeds first, newest first within each feed.
    InfrequentFirst,
    Longest,
    Shortest,
    /// Newest first where titles are equal.
    Title,
    TitleDescending,
    /// Newest first within each author; articles without one are last in both directions.
    Author,
    AuthorDescending,
}

/// The headers of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Grouping {
    #[default]
    None,
    Day,
    Feed,
}

/// View options of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct View {
    pub source: Source,
    pub order: ListOrder,
    pub group: Grouping,
    /// Whether the list restores its scroll position and shows no unread counts.
    pub river: bool,
    /// The topmost visible row.
    pub place: Option<Cursor>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ListQuery {
    pub source: Source,
    /// Whether read articles are left out. Implied by `Source::Unread`.
    pub unread_only: bool,
    pub order: ListOrder,
    /// Returns rows after this position.
    pub after: Option<Cursor>,
    /// Returns the rows directly before this position, in list order. Only for lists ordered by date.
    pub before: Option<Cursor>,
    /// Maximum number of rows, 1 to 500.
    pub limit: u32,
}

/// An article as a row of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ArticleRow {
    pub id: i64,
    pub feed_id: i64,
    pub title: String,
    /// Plain text, about 200 characters.
    pub excerpt: String,
    pub author: Option<String>,
    /// Language tag of the title and the excerpt; left out if it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub language: Option<String>,
    /// Unix milliseconds; `null` if the feed gives no date.
    pub published: Option<i64>,
    /// Sort key in Unix milliseconds: the article's date, or in `Source::Listening` when it was last played.
    pub sort_at: i64,
    pub read: bool,
    pub starred: bool,
    pub reading_minutes: u32,
    pub words: u32,
    /// http or https URL of a small image.
    pub thumbnail: Option<String>,
    /// URL under which the window loads the stored copy of the thumbnail.
    pub offline_thumbnail: Option<String>,
    /// Type of the first enclosure: "audio", "video" or `null`.
    pub media: Option<String>,
    /// Duration of the first enclosure, in seconds.
    pub duration: Option<u32>,
    /// Whether the article has a web page.
    pub has_link: bool,
    /// Whether the article has earlier versions.
    pub updated: bool,
    /// How far its audio or video was played; only in `Source::Listening`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub played: Option<Played>,
}

/// How far an episode was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
pub struct Played {
    pub seconds: u32,
    /// Seconds; `null` if it is not known.
    pub duration: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ArticlePage {
    pub rows: Vec<ArticleRow>,
    /// Whether there are more rows after the last one (with `before`: before the first one).
    pub more: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ArticleId {
    pub id: i64,
}

/// Identifiers of articles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ArticleIds {
    pub ids: Vec<i64>,
}

/// The links of the open article whose text, letters or user name may deceive. They are opened only after a confirmation.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct SetSuspiciousLinks {
    pub addresses: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct OpenSuspiciousLink {
    /// One of the addresses given to `set_suspicious_links`.
    pub address: String,
}

/// A link of the article's page, chosen in the window's own menu.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct OpenLink {
    pub address: String,
    /// Whether the window keeps the focus where the system allows it.
    pub behind: bool,
}

/// The page of an article for a window of its own, or any page to print, as the main window has built it from the sanitised HTML.
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
    /// Whether the page is printed, from a window that is not shown where possible.
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
    pub previous: String,
    pub next: String,
}

/// An image of an article.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct ArticleImage {
    /// Id of the article.
    pub id: i64,
    /// The image's address on the web.
    pub address: String,
}

/// A place in the window, in CSS pixels.
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
    pub playback: Vec<crate::Playback>,
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
