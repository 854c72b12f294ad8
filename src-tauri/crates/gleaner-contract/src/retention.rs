//! Retention policies, and what they would delete.

use crate::FeedScope;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Limits of the articles that are stored per feed. Without a limit everything is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RetentionPolicy {
    pub days: Option<i64>,
    pub articles: Option<i64>,
    pub bytes: Option<i64>,
    /// Whether unread articles are exempt.
    pub keep_unread: bool,
}

/// The retention policy of a feed, a folder or all feeds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Retention {
    /// `null` to inherit.
    pub own: Option<RetentionPolicy>,
    /// The policy that applies if `own` is `null`.
    pub inherited: RetentionPolicy,
    /// Name of the folder with the inherited policy; `null` if it is the policy of all feeds.
    pub inherited_from: Option<String>,
    /// Number of expired articles that can still be restored.
    pub pending_deletion: i64,
    /// When the first of them is deleted permanently, in Unix milliseconds.
    pub pending_deletion_until: Option<i64>,
    pub library_bytes: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct SetRetention {
    pub scope: FeedScope,
    /// `null` to inherit.
    pub policy: Option<RetentionPolicy>,
}

/// What a retention policy would delete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct RetentionPreview {
    pub articles: i64,
    /// Stored size of their texts.
    pub bytes: i64,
    /// Number of articles per feed, largest first.
    pub feeds: Vec<ExpiringFeed>,
    pub oldest: Option<ExpiringArticle>,
    pub newest: Option<ExpiringArticle>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ExpiringFeed {
    pub title: String,
    pub articles: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ExpiringArticle {
    /// Unix milliseconds.
    pub at: i64,
    pub title: String,
}
