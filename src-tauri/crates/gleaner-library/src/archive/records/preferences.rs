//! The user's rules, saved searches, synonyms and retention policies.

use super::{Record, moment, moments, place, plain};
use crate::{LibraryError, Millis};
use serde::{Deserialize, Serialize};
use sqlx::FromRow;
use std::borrow::Cow;

/// A rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct RuleRecord {
    /// Id.
    pub rule: i64,
    /// Name.
    pub name: String,
    /// Query for the articles that it applies to.
    pub query: String,
    /// Id of the only feed that it applies to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feed: Option<i64>,
    /// Id of the only folder that it applies to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<i64>,
    /// Its actions: JSON.
    pub actions: String,
    /// Whether it is enabled.
    pub enabled: bool,
    /// Position among the others.
    pub position: i64,
    /// When it was created.
    pub created_at: Millis,
    /// When it was deleted; articles still name it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted_at: Option<Millis>,
}
plain!(
    RuleRecord,
    "rules.jsonl",
    "SELECT id AS rule, name, query, feed_id AS feed, folder_id AS folder, actions, enabled, position, created_at, deleted_at
     FROM rules WHERE feed_id IS NULL OR feed_id NOT IN {left} ORDER BY id",
    |record| {
        place(&mut record.position);
        moment(&mut record.created_at);
        moments([&mut record.deleted_at]);
        if record.feed.is_some() && record.folder.is_some() {
            return Err("the rule is for a feed and for a folder".into());
        }
        actions(&record.actions)
    }
);

/// The application of a rule to an article.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct TouchRecord {
    /// Id of the article.
    pub item: i64,
    /// Id of the rule.
    pub rule: i64,
    /// When it was applied.
    pub at: Millis,
    /// The actions: JSON.
    #[serde(default = "nothing")]
    pub actions: String,
}

fn nothing() -> String {
    "[]".to_owned()
}

plain!(
    TouchRecord,
    "touches.jsonl",
    "SELECT t.item_id AS item, t.rule_id AS rule, t.at, t.actions FROM rule_touches t JOIN items i ON i.id = t.item_id
     WHERE {there} ORDER BY t.item_id, t.rule_id",
    |record| {
        moment(&mut record.at);
        actions(&record.actions)
    }
);

/// Checks the actions of a rule: a list of words.
fn actions(json: &str) -> Result<(), Cow<'static, str>> {
    match serde_json::from_str::<Vec<String>>(json) {
        Ok(_) => Ok(()),
        Err(_) => Err("the actions are not a list of words".into()),
    }
}

/// A saved search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct SavedSearchRecord {
    /// Name.
    pub name: String,
    /// Query.
    pub query: String,
    /// Position among the others.
    pub position: i64,
    /// Whether new articles that match are notified.
    #[serde(default)]
    pub notify: bool,
}
plain!(
    SavedSearchRecord,
    "saved-searches.jsonl",
    "SELECT name, query, position, notify FROM saved_searches ORDER BY position, id",
    |record| {
        place(&mut record.position);
        if record.name.trim().is_empty() { Err("the name is missing".into()) } else { Ok(()) }
    }
);

/// The user's synonym for a category.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct SynonymRecord {
    /// The category, in lower case.
    pub key: String,
    /// The category that it stands for.
    pub means: String,
}
plain!(SynonymRecord, "synonyms.jsonl", "SELECT key, means FROM category_synonyms ORDER BY key", |record| if record
    .key
    .trim()
    .is_empty()
{
    Err("the name is missing".into())
} else {
    Ok(())
});

/// A retention policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct RetentionRecord {
    /// "all", "folder" or "feed".
    pub scope: String,
    /// Id of the folder or feed; 0 for all.
    pub of: i64,
    /// Maximum age in days.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub days: Option<i64>,
    /// Maximum number of articles of each feed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub articles: Option<i64>,
    /// Maximum size of the articles of each feed, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<i64>,
    /// Unread articles are never deleted.
    pub keep_unread: bool,
}
plain!(
    RetentionRecord,
    "retention.jsonl",
    "SELECT scope, scope_id AS of, days, articles, bytes, keep_unread FROM retention
     WHERE scope <> 'feed' OR scope_id NOT IN {left} ORDER BY scope, scope_id",
    |record| {
        let bounds = [record.days, record.articles, record.bytes];
        let valid =
            ["all", "folder", "feed"].contains(&record.scope.as_str()) && bounds.into_iter().flatten().all(|n| n > 0);
        if valid { Ok(()) } else { Err("the policy has an invalid scope or limit".into()) }
    }
);
