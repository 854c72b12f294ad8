//! What the reader wishes: rules, searches, what words mean, how much is kept.

use super::{Record, moment, moments, place, plain};
use crate::{Library, LibraryError, Millis};
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

/// A rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct RuleRecord {
    /// Its number.
    pub rule: i64,
    /// What it is called.
    pub name: String,
    /// Which articles it is for, in Gleaner's language of queries.
    pub query: String,
    /// The one feed that it holds for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feed: Option<i64>,
    /// The one folder that it holds for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<i64>,
    /// What it does: JSON.
    pub actions: String,
    /// It is on.
    pub enabled: bool,
    /// Its place among the others.
    pub position: i64,
    /// When it was made.
    pub created_at: Millis,
    /// When it was deleted: it is named still where it did something.
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
            return Err("it is for a feed and for a folder");
        }
        actions(&record.actions)
    }
);

/// A rule did something to an article.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct TouchRecord {
    /// The article.
    pub item: i64,
    /// The rule.
    pub rule: i64,
    /// When.
    pub at: Millis,
    /// What it did: JSON, as a rule's actions.
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

/// What a rule does, or did: a list of words.
fn actions(json: &str) -> Result<(), &'static str> {
    match serde_json::from_str::<Vec<String>>(json) {
        Ok(_) => Ok(()),
        Err(_) => Err("what it does is no list of words"),
    }
}

/// A search that is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct SavedSearchRecord {
    /// What it is called.
    pub name: String,
    /// In Gleaner's language of queries.
    pub query: String,
    /// Its place among the others.
    pub position: i64,
}
plain!(
    SavedSearchRecord,
    "saved-searches.jsonl",
    "SELECT name, query, position FROM saved_searches ORDER BY position, id",
    |record| {
        place(&mut record.position);
        if record.name.trim().is_empty() { Err("it has no name") } else { Ok(()) }
    }
);

/// What a category of feeds means to the reader.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct SynonymRecord {
    /// The category, in small letters.
    pub key: String,
    /// What it means.
    pub means: String,
}
plain!(SynonymRecord, "synonyms.jsonl", "SELECT key, means FROM category_synonyms ORDER BY key", |record| if record
    .key
    .trim()
    .is_empty()
{
    Err("it has no name")
} else {
    Ok(())
});

/// How much is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromRow)]
pub struct RetentionRecord {
    /// "all", "folder" or "feed".
    pub scope: String,
    /// The folder's or feed's number; 0 for all.
    pub of: i64,
    /// So many days.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub days: Option<i64>,
    /// So many articles of each feed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub articles: Option<i64>,
    /// So many bytes of each feed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<i64>,
    /// What is unread stays.
    pub keep_unread: bool,
}
plain!(
    RetentionRecord,
    "retention.jsonl",
    "SELECT scope, scope_id AS of, days, articles, bytes, keep_unread FROM retention
     WHERE scope <> 'feed' OR scope_id NOT IN {left} ORDER BY scope, scope_id",
    |record| {
        let bounds = [record.days, record.articles, record.bytes];
        let sound =
            ["all", "folder", "feed"].contains(&record.scope.as_str()) && bounds.into_iter().flatten().all(|n| n > 0);
        if sound { Ok(()) } else { Err("nothing can be kept so") }
    }
);
