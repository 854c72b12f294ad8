//! Rules, and the actions that they performed.

use crate::{ArticleRow, QueryProblem, TextRange};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// An action of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RuleAction {
    Read,
    Star,
    /// Adds a tag.
    Tag {
        name: String,
    },
    Hide,
    /// Shows a desktop notification when it is received.
    Notify,
    /// Keeps it forever.
    Keep,
    /// Downloads its full text.
    FullText,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RuleScope {
    Everywhere,
    Feed {
        id: i64,
    },
    /// The folder with its subfolders.
    Folder {
        id: i64,
    },
}

/// The part of a rule that is not valid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RuleError {
    Query { problem: QueryProblem },
    Actions,
}

/// A rule. Rules run in list order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Rule {
    pub id: i64,
    pub name: String,
    pub query: String,
    pub scope: RuleScope,
    pub actions: Vec<RuleAction>,
    pub enabled: bool,
    /// Number of articles that it has changed.
    pub affected_articles: i64,
    /// Why the rule is skipped: it was written by a newer version of Gleaner.
    pub error: Option<RuleError>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SaveRule {
    /// The rule to change; `null` adds one.
    pub id: Option<i64>,
    /// Empty to use the query as the name.
    pub name: String,
    pub query: String,
    pub scope: RuleScope,
    pub actions: Vec<RuleAction>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
pub struct SavedRule {
    pub id: i64,
    pub undo: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RuleId {
    pub rule_id: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EnableRule {
    pub rule_id: i64,
    pub enabled: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OrderRules {
    /// All rules in their new order.
    pub ids: Vec<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PreviewRule {
    pub query: String,
    pub scope: RuleScope,
    pub actions: Vec<RuleAction>,
    /// Maximum number of articles to count; `null` counts all.
    pub limit: Option<u32>,
}

/// Number of articles that an action would change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct RuleChange {
    pub action: RuleAction,
    pub articles: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RulePreview {
    Found {
        /// Number of matching articles.
        articles: i64,
        /// Whether there are more than that.
        more: bool,
        /// The newest matching articles.
        newest: Vec<ArticleRow>,
        changes: Vec<RuleChange>,
    },
    /// Not an `IpcError`, since it is normal while the user types.
    InvalidQuery { problem: QueryProblem, part: TextRange, suggestion: Option<String> },
}

/// Progress of applying a rule to all articles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
pub struct ApplyProgress {
    pub done: i64,
    /// 0 while the search runs.
    pub total: i64,
}

/// The actions that a rule performed on an article.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct AppliedRule {
    pub rule_id: i64,
    pub name: String,
    /// Whether the rule was deleted later.
    pub deleted: bool,
    pub actions: Vec<RuleAction>,
    /// Unix milliseconds.
    pub at: i64,
}
