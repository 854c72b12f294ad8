//! Categories that feeds give to articles, and the user’s synonyms for them.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The categories of articles and the user's synonyms for them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Categories {
    /// Categories, parents before children.
    pub facets: Vec<Facet>,
    pub synonyms: Vec<Synonym>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Facet {
    /// Path with `/` between its steps, case-insensitive, as used by `category:`.
    pub key: String,
    /// Last step of the path, as feeds write it.
    pub name: String,
    /// Number of articles in it or in its subcategories.
    pub articles: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Synonym {
    pub key: String,
    pub means: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SetSynonym {
    pub category: String,
    /// Category that it means; `null` removes the synonym.
    pub means: Option<String>,
}
