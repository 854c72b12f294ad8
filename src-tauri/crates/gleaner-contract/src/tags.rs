//! Tags that the user gives to articles.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Tag {
    pub id: i64,
    pub name: String,
    pub items: i64,
    pub unread: i64,
}

/// Adds a tag to articles, creating it if necessary, or removes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TagArticles {
    pub ids: Vec<i64>,
    pub name: String,
    pub on: bool,
}

/// Renames a tag. If the name belongs to another tag, the two are merged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RenameTag {
    pub tag_id: i64,
    pub name: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DeleteTag {
    pub tag_id: i64,
}
