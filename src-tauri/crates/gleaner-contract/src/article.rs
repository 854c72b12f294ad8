use crate::{Credit, KeptPicture};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What the article list shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Source {
    /// Published (or, where undated, received) since local midnight.
    Today,
    Unread,
    Starred,
    All,
    Feed {
        id: i64,
    },
    /// The folder with all folders in it.
    Folder {
        id: i64,
    },
    /// With one of the reader's tags.
    Tag {
        id: i64,
    },
    /// With a passage that is marked, or something written about it.
    Noted,
    /// Hidden ones, which are in no other list.
    Hidden,
}

/// A place in a list: the row's sort key in any order. Lists are paged by keys, never by offsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Cursor {
    /// Unix milliseconds.
    pub sort_at: i64,
    pub id: i64,
    pub feed_id: i64,
    pub words: u32,
}

/// What a list is sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ListOrder {
    #[default]
    Newest,
    Oldest,
    /// By the feeds' titles; newest first within each.
    ByFeed,
    /// Feeds that post least first; newest first within each.
    RareFirst,
    Longest,
    Shortest,
}

/// What a list has headers for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Grouping {
    #[default]
    None,
    Day,
    Feed,
}

/// How one list is looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct View {
    pub source: Source,
    pub order: ListOrder,
    pub group: Grouping,
    /// Its place is remembered, and nothing of it is counted.
    pub river: bool,
    /// The row that was at its top edge.
    pub place: Option<Cursor>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ListQuery {
    pub source: Source,
    /// Leave out what is read. Implied by `Source::Unread`.
    pub unread_only: bool,
    pub order: ListOrder,
    /// Rows that come after this one in the list's order.
    pub after: Option<Cursor>,
    /// Rows that come before this one (nearest first in the answer's order reversed, so that the answer is in list order):
    /// what is above where a list began. In orders by date only.
    pub before: Option<Cursor>,
    /// At most this many rows, 1 to 500.
    pub limit: u32,
}

/// What a row of the list needs, and no more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ArticleRow {
    pub id: i64,
    pub feed_id: i64,
    pub title: String,
    /// Plain text, some 200 characters.
    pub excerpt: String,
    pub author: Option<String>,
    /// Unix milliseconds; `None` where the feed gives no date.
    pub published: Option<i64>,
    /// Unix milliseconds: what the list is sorted by.
    pub sort_at: i64,
    pub read: bool,
    pub starred: bool,
    pub reading_minutes: u32,
    pub words: u32,
    /// An https or http URL of a small picture.
    pub thumbnail: Option<String>,
    /// Where the window has that picture from without a network.
    pub thumbnail_kept: Option<String>,
    /// The first enclosure's kind: "audio", "video" or null.
    pub media: Option<String>,
    /// It said something else before.
    pub updated: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ArticlePage {
    pub rows: Vec<ArticleRow>,
    /// True when the list goes on beyond the last (with `before`: the first) row.
    pub more: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OpenArticle {
    pub id: i64,
}

/// Articles of which something is asked, as many as a list can have chosen at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Articles {
    pub ids: Vec<i64>,
}

/// Links of the article on the page whose words, letters or user names deceive: they are asked about before a browser is started.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct DoubtLinks {
    pub addresses: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct OpenDoubted {
    /// One of those that were doubted.
    pub address: String,
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
    /// The address that `open_in_browser` opens.
    pub url: Option<String>,
    /// Sanitised by the core, links absolute. Empty when the feed gives no text.
    pub html: String,
    pub language: Option<String>,
    pub read: bool,
    pub starred: bool,
    pub hidden: bool,
    pub kept: bool,
    /// The reader's own, by name.
    pub tags: Vec<String>,
    /// How far it was read, where it was left part-read: 0 its beginning, 1 its end.
    pub progress: Option<f64>,
    pub playback: Vec<crate::Playback>,
    pub word_count: u32,
    pub reading_minutes: u32,
    pub enclosures: Vec<Enclosure>,
    pub comments_url: Option<String>,
    /// How many there were when it came in.
    pub comments_count: Option<u32>,
    /// `comments` can fetch them.
    pub has_comments_feed: bool,
    /// `chapters` gives the chapters of its recording.
    pub has_chapters: bool,
    /// The feed that it was copied from.
    pub source: Option<Credit>,
    /// Where it was found, and what it is about.
    pub via: Vec<Credit>,
    pub categories: Vec<String>,
    /// The same story in other feeds.
    pub elsewhere: Vec<Elsewhere>,
    /// `html` is the full text, from the article's own page.
    pub full: bool,
    /// The full text is there.
    pub has_full_text: bool,
    /// The feed gives only a beginning, as far as can be told, and the reader has not said yet what is to be done about that.
    pub offer_text: bool,
    /// The full text is not there, and is wished to be fetched now that the article is opened.
    pub fetch_text: bool,
    /// Why fetching the full text ahead was given up, in the core's words.
    pub full_text_trouble: Option<String>,
    /// Pictures that need no network.
    pub kept_pictures: Vec<KeptPicture>,
    /// Its former versions, by when each gave way to the next (Unix milliseconds), newest first.
    pub versions: Vec<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Elsewhere {
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
