use crate::{ArticleRow, QueryProblem, TextRange};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a rule does with an article.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RuleAction {
    Read,
    Star,
    /// Gives it this tag of the reader's.
    Tag {
        name: String,
    },
    Hide,
    /// Tells the reader of it as it comes in.
    Notify,
    /// Keeps it for ever.
    Keep,
    /// Has its full text fetched.
    FullText,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RuleScope {
    Everywhere,
    Feed {
        id: i64,
    },
    /// The folder with all folders in it.
    Folder {
        id: i64,
    },
}

/// What of a rule cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum BrokenRule {
    Query { problem: QueryProblem },
    Actions,
}

/// A rule. Rules run in the order in which they are listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Rule {
    pub id: i64,
    pub name: String,
    pub query: String,
    pub scope: RuleScope,
    pub actions: Vec<RuleAction>,
    pub enabled: bool,
    /// Articles that it did something with.
    pub touched: i64,
    /// Why it is skipped: a newer Gleaner wrote it.
    pub broken: Option<BrokenRule>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SaveRule {
    /// The rule to change; null adds one.
    pub id: Option<i64>,
    /// Its query where it is empty.
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
    /// All of them, the first one first.
    pub ids: Vec<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PreviewRule {
    pub query: String,
    pub scope: RuleScope,
    pub actions: Vec<RuleAction>,
    /// Of more articles than this it is only said that there are more; null counts all.
    pub most: Option<u32>,
}

/// In how many articles an action would change something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct RuleChange {
    pub action: RuleAction,
    pub articles: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RulePreview {
    Found {
        /// Articles that the rule is for.
        articles: i64,
        /// There are more.
        more: bool,
        /// The newest of them, a few.
        newest: Vec<ArticleRow>,
        changes: Vec<RuleChange>,
    },
    /// As a search's: normal while someone types.
    NotUnderstood { problem: QueryProblem, part: TextRange, suggestion: Option<String> },
}

/// A rule is being applied to all that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
pub struct ApplyProgress {
    pub done: i64,
    /// 0 while they are looked for.
    pub total: i64,
}

/// What a rule did to an article.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct RuleTouch {
    pub rule_id: i64,
    pub name: String,
    /// It is not there any more.
    pub deleted: bool,
    pub did: Vec<RuleAction>,
    /// Unix milliseconds.
    pub at: i64,
}

/// What the desktop is told of articles that came in: the core names them, the window finds the words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Notice {
    /// How many there are.
    pub articles: u32,
    /// Of the newest of them, at most four; the window names those that have none.
    pub titles: Vec<String>,
    /// Empty until the window has said it.
    pub summary: String,
}
