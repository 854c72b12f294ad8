use crate::ArticleRow;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SearchOrder {
    /// Newest first.
    Date,
    /// Most fitting first.
    Relevance,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Search {
    /// As it was written, in the language of `gleaner-query`.
    pub query: String,
    pub order: SearchOrder,
    /// Where the page before ended: its `next`.
    pub after: Option<String>,
    /// At most this many, 1 to 500.
    pub limit: u32,
}

/// A part of a text: from and until, in UTF-16 code units as JavaScript counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
pub struct TextRange {
    pub from: u32,
    pub until: u32,
}

/// An article that answers a query, and what of it does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct SearchHit {
    pub row: ArticleRow,
    /// Of the row's title.
    pub title_marks: Vec<TextRange>,
    /// The piece of its text that says most about why it was found.
    pub snippet: String,
    pub snippet_marks: Vec<TextRange>,
}

/// A field of the query language: `title:`. A test of the shell's holds these three to what `gleaner-query` knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum QueryField {
    Title,
    Author,
    Text,
    Tag,
    Note,
    Url,
    Feed,
    Folder,
    Category,
    Lang,
    Is,
    Has,
    After,
    Before,
    During,
    Words,
}

/// What `is:` takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum QueryState {
    Unread,
    Read,
    Starred,
    Updated,
    Hidden,
    Kept,
    Tagged,
    Highlighted,
    Noted,
}

/// What `has:` takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum QueryMedia {
    Audio,
    Video,
    Image,
    Enclosure,
}

/// Why a query cannot be read; the window has the words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum QueryProblem {
    /// Almost a field.
    UnknownField {
        name: String,
        meant: String,
    },
    NoValue {
        field: String,
    },
    NotOneOf {
        field: String,
        takes: Vec<String>,
        /// The one that is nearest, where one is near.
        meant: Option<String>,
    },
    NoDate {
        field: String,
    },
    NoNumber,
    NoLanguage,
    UnclosedQuote,
    UnclosedParenthesis,
    UnopenedParenthesis,
    EmptyParentheses,
    TooDeep,
    TooLong {
        /// Bytes.
        most: u32,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SearchAnswer {
    Found {
        hits: Vec<SearchHit>,
        /// What `after` takes for the next page; null where these are the last.
        next: Option<String>,
        /// Articles that cannot be found yet as they are now.
        waiting: i64,
    },
    /// Normal while someone types, so no `IpcError`.
    NotUnderstood {
        problem: QueryProblem,
        /// The part of the query that is.
        part: TextRange,
        /// The whole query as it was probably meant.
        suggestion: Option<String>,
    },
}
