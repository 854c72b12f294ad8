//! Searches, their results, and errors in queries.

use crate::ArticleRow;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SearchOrder {
    /// Newest first.
    Date,
    /// Best match first.
    Relevance,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Search {
    /// In the query language of `gleaner-query`, as the user entered it.
    pub query: String,
    pub order: SearchOrder,
    /// `next` of the previous page.
    pub after: Option<String>,
    /// Maximum number of hits, 1 to 500.
    pub limit: u32,
}

/// A range of a text in UTF-16 code units, as in JavaScript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
pub struct TextRange {
    pub from: u32,
    pub until: u32,
}

/// An article that matches a query, and the matching parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct SearchHit {
    pub row: ArticleRow,
    /// Matches in the title.
    pub title_marks: Vec<TextRange>,
    /// Matches in the author.
    pub author_marks: Vec<TextRange>,
    /// The part of the text with the best matches, or a note if only notes match, or the tags and categories if only they match.
    pub snippet: String,
    pub snippet_marks: Vec<TextRange>,
}

/// A field of the query language, such as `title:`. A test compares this type and the next two with `gleaner-query`.
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

/// Values of `is:`.
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

/// Values of `has:`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum QueryMedia {
    Audio,
    Video,
    Image,
    Enclosure,
}

/// Why a query is not valid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum QueryProblem {
    /// The name resembles that of a field.
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
        /// The most similar value, if any.
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
    /// Only signs that are not indexed.
    NoWords,
    TooDeep,
    TooLong {
        /// Maximum length in bytes.
        most: u32,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SearchResult {
    Found {
        hits: Vec<SearchHit>,
        /// `after` of the next page; `null` on the last page.
        next: Option<String>,
        /// Number of articles that are not indexed yet.
        unindexed: i64,
    },
    /// Not an `IpcError`, since it is normal while the user types.
    InvalidQuery {
        problem: QueryProblem,
        /// The invalid part of the query.
        part: TextRange,
        /// The whole query with the likely correction.
        suggestion: Option<String>,
    },
}
