use crate::FeedScope;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Two versions of an article.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct CompareVersions {
    pub id: i64,
    /// As [`crate::Article`] names it in `versions`.
    pub older: i64,
    /// The same; `null`: the article as it is now.
    pub newer: Option<i64>,
}

/// The newer version, with what came and went marked in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Comparison {
    /// HTML.
    pub title: String,
    /// Sanitised by the core, links absolute. What came stands in `ins.gl-ins`, what went in `del.gl-del`; blocks that came or went
    /// as a whole have the class `gl-in` or `gl-out`; the first mark of each change has the attribute `data-change`.
    pub html: String,
    /// Words.
    pub inserted: u32,
    pub deleted: u32,
}

/// How much of each feed is kept; without any bound everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Keep {
    pub days: Option<i64>,
    pub articles: Option<i64>,
    pub bytes: Option<i64>,
    /// What is unread stays.
    pub keep_unread: bool,
}

/// What is said of a feed, a folder or all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Keeping {
    /// `null`: as further out.
    pub own: Option<Keep>,
    /// What holds where nothing is said here.
    pub inherited: Keep,
    /// The folder that says so; `null`: it is said of all.
    pub inherited_from: Option<String>,
    /// Articles that were let go and can still be brought back.
    pub going: i64,
    /// Unix milliseconds: when the first of them is deleted for good.
    pub going_until: Option<i64>,
    pub library_bytes: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct SetKeep {
    pub scope: FeedScope,
    /// `null`: as further out.
    pub keep: Option<Keep>,
}

/// What would go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct KeepPreview {
    pub articles: i64,
    /// Of their texts, as they are stored.
    pub bytes: i64,
    /// Of which feeds how many, the most first.
    pub feeds: Vec<FeedGoing>,
    pub oldest: Option<ArticleGoing>,
    pub newest: Option<ArticleGoing>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct FeedGoing {
    pub title: String,
    pub articles: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ArticleGoing {
    /// Unix milliseconds.
    pub at: i64,
    pub title: String,
}
