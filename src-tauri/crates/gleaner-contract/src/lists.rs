//! Lists of articles: their content, view options and rows, and marks on the articles.

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

/// A list to show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct RequestedList {
    pub source: Source,
    /// The query of a search to show instead of the list.
    pub search: Option<String>,
}

/// A position in a list: the sort keys of a row in every order. Lists are paged by keys, not by offsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Cursor {
    /// Unix milliseconds.
    pub sort_at: i64,
    pub id: i64,
    pub feed_id: i64,
    /// 0.2.0 and older versions stored the number of words.
    #[serde(alias = "words")]
    pub length: u32,
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
    /// By the duration of audio and video, and by the reading time of other articles.
    Longest,
    Shortest,
    /// If titles are equal, newest first.
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
    /// Sort key in Unix milliseconds: the article's date; in `Source::Listening` when it was last played, in `Source::Downloads` when it
    /// was downloaded.
    pub sort_at: i64,
    pub read: bool,
    pub starred: bool,
    pub reading_minutes: u32,
    /// Sort key by length: the words of its text, or those that are read while its audio or video is played.
    pub length: u32,
    /// http or https URL of a small image.
    pub thumbnail: Option<String>,
    /// URL under which the window loads the stored copy of the thumbnail.
    pub offline_thumbnail: Option<String>,
    /// http or https URL of the image of its feed, for audio or video without an image; left out otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub show_image: Option<String>,
    /// Type of the first enclosure: "audio", "video" or `null`.
    pub media: Option<String>,
    /// Duration of the first enclosure, in seconds.
    pub duration: Option<u32>,
    /// Whether the article has a web page.
    pub has_link: bool,
    /// Whether the article has earlier versions.
    pub updated: bool,
    /// How far its audio or video was played; left out if it was not started. Without an enclosure of audio or video only in
    /// `Source::Listening`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub played: Option<Played>,
}

/// How far an episode was played. If there are several, a started one is used, or else the one that was played last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
pub struct Played {
    pub seconds: u32,
    /// Seconds; `null` if it is not known.
    pub duration: Option<u32>,
    /// Whether it was played to its end.
    pub finished: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ArticlePage {
    pub rows: Vec<ArticleRow>,
    /// Whether there are more rows after the last one (with `before`: before the first one).
    pub more: bool,
}

/// Identifiers of articles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ArticleIds {
    pub ids: Vec<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Mark {
    pub ids: Vec<i64>,
    /// `null` leaves it unchanged.
    pub read: Option<bool>,
    pub starred: Option<bool>,
    /// Hidden articles are only in the list of hidden articles.
    pub hidden: Option<bool>,
    /// Whether it is exempt from retention.
    pub kept: Option<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum MarkScope {
    All,
    /// The articles above this one in the list.
    Above {
        cursor: Cursor,
    },
    /// The articles below this one in the list.
    Below {
        cursor: Cursor,
    },
}

/// Marks a list as read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MarkAll {
    pub source: Source,
    pub order: ListOrder,
    pub scope: MarkScope,
    /// When the list was loaded (Unix milliseconds). Articles received later stay unread, since the user has not seen them.
    pub received_before: Option<i64>,
}

/// Number of changed articles and the undo step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Marked {
    pub count: i64,
    pub undo: i64,
}
