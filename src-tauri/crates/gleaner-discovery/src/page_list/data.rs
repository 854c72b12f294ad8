//! Linked data (JSON-LD) of a page.

use super::dates::Shown;
use serde_json::Value;
use std::collections::HashMap;
use url::Url;

/// Maximum depth of values that are read.
const MAX_DEPTH: usize = 12;
/// Maximum number of articles that are read.
const MAX_ARTICLES: usize = 1000;
/// Maximum length of a script in bytes.
const MAX_SCRIPT: usize = 1 << 20;

#[derive(Debug, Default)]
pub(super) struct Data {
    /// The dates of articles by their URLs.
    pub dates: HashMap<String, Shown>,
    /// Whether the page itself is an article.
    pub is_article: bool,
}

pub(super) fn read(scripts: &[&str], base: &Url) -> Data {
    let mut data = Data::default();
    for script in scripts.iter().filter(|script| script.len() <= MAX_SCRIPT) {
        if let Ok(value) = serde_json::from_str::<Value>(script) {
            data.add(&value, base, 0, true);
        }
    }
    data
}

/// Whether a type of schema.org is that of articles.
pub(super) fn is_article(name: &str) -> bool {
    let name = name.rsplit(['/', ':', '#']).next().unwrap_or_default();
    name.ends_with("Article") || name.ends_with("Posting") || matches!(name, "Report" | "Review" | "Recipe")
}

impl Data {
    fn add(&mut self, value: &Value, base: &Url, depth: usize, top: bool) {
        if depth > MAX_DEPTH || self.dates.len() >= MAX_ARTICLES {
            return;
        }
        match value {
            Value::Array(list) => list.iter().for_each(|value| self.add(value, base, depth + 1, top)),
            Value::Object(object) => {
                let types = object.get("@type").map(|given| match given {
                    Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
                    other => other.as_str().into_iter().collect::<Vec<_>>(),
                });
                let is_article = types.is_some_and(|types| types.into_iter().any(is_article));
                self.is_article |= is_article && top;
                let url = object.get("url").or_else(|| object.get("mainEntityOfPage")).or_else(|| object.get("@id"));
                let url = url.and_then(|url| url.as_str().or_else(|| url.get("@id")?.as_str()));
                let date = object.get("datePublished").and_then(Value::as_str).and_then(Shown::read);
                if let Some(date) = date
                    && let Some(url) = url.and_then(|url| base.join(url).ok())
                {
                    self.dates.entry(url.to_string()).or_insert(date);
                }
                for (name, value) in object {
                    self.add(value, base, depth + 1, top && name == "@graph");
                }
            }
            _ => {}
        }
    }
}
