//! A report as a list of fields of limited length. The window shows it, and the library stores the part about the feed until
//! the next document.

use crate::{
    fields::{Field, fields},
    report::Report,
};
use serde::Deserialize;
use serde_json::Value;

/// Limits for a report that is shown: characters of a field, entries of a list.
const SHOWN_LIMITS: Limits = Limits { characters: 5_000, entries: 300 };
/// Limits for a report that is stored.
const STORED_LIMITS: Limits = Limits { characters: 600, entries: 40 };

#[derive(Debug, Clone, Copy)]
struct Limits {
    characters: usize,
    entries: usize,
}

/// A report with its fields flattened.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[allow(missing_docs)] // docs/formats.md describes the fields.
pub struct FlatReport {
    pub source: String,
    pub format: String,
    pub encoding: String,
    pub encoding_from: String,
    pub well_formed: bool,
    pub repairs: Vec<FlatRepair>,
    /// Number of all repairs, including those that were left out.
    pub repairs_total: usize,
    pub feed: Vec<Field>,
    pub items: Vec<FlatItem>,
    /// Number of all items, including those that were left out.
    pub items_total: usize,
}

/// A repair as defined by the report contract.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(default)]
#[allow(missing_docs)]
pub struct FlatRepair {
    pub kind: String,
    pub line: u32,
    pub column: u32,
    pub detail: String,
    pub detail_code: String,
    pub detail_values: Vec<String>,
    pub text: String,
    pub at: u32,
}

/// An item with its title and fields.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct FlatItem {
    pub title: Option<String>,
    pub fields: Vec<Field>,
}

impl FlatReport {
    /// Creates a summary of a complete report, within generous limits.
    pub fn all(report: &Report) -> Self {
        let (repairs, items) = (report.repairs.len(), report.items.len());
        let bounded = |value| truncate(value, SHOWN_LIMITS);
        Self::of(serde_json::to_value(report).map(bounded).unwrap_or_default(), repairs, items)
    }

    /// Parses JSON written by [`to_stored`]; `None` if it is something else.
    pub fn from_stored(json: &str) -> Option<Self> {
        let mut stored: Value = serde_json::from_str(json).ok()?;
        if !stored["report"].is_object() {
            return None;
        }
        let count = |stored: &Value, name: &str| stored[name].as_u64().and_then(|count| usize::try_from(count).ok());
        let (repairs, items) = (count(&stored, "repairs_total")?, count(&stored, "items_total")?);
        Some(Self::of(stored["report"].take(), repairs, items))
    }

    fn of(mut report: Value, repairs_total: usize, items_total: usize) -> Self {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let items = match report["items"].take() {
            Value::Array(items) => items,
            _ => Vec::new(),
        };
        let title = |item: &Value| item["title"].as_str().map(str::to_owned);
        Self {
            source: text(&report["source"]),
            format: text(&report["format"]),
            encoding: text(&report["encoding"]["name"]),
            encoding_from: text(&report["encoding"]["from"]),
            well_formed: report["well_formed"].as_bool().unwrap_or_default(),
            repairs: serde_json::from_value(report["repairs"].take()).unwrap_or_default(),
            repairs_total,
            feed: fields(&report["feed"]),
            items: items.iter().map(|item| FlatItem { title: title(item), fields: fields(item) }).collect(),
            items_total,
        }
    }
}

/// Returns the stored part of a feed's report as JSON, without its items.
pub fn to_stored(report: &Report, items: usize) -> String {
    let mut stored = serde_json::to_value(report).map(|value| truncate(value, STORED_LIMITS)).unwrap_or_default();
    if let Some(fields) = stored.as_object_mut() {
        fields.remove("items");
    }
    serde_json::json!({ "report": stored, "repairs_total": report.repairs.len(), "items_total": items }).to_string()
}

/// Truncates long texts and lists.
fn truncate(value: Value, limits: Limits) -> Value {
    match value {
        Value::String(mut text) => {
            if let Some((end, _)) = text.char_indices().nth(limits.characters) {
                text.truncate(end);
                text.push('…');
            }
            Value::String(text)
        }
        Value::Array(list) => {
            Value::Array(list.into_iter().take(limits.entries).map(|value| truncate(value, limits)).collect())
        }
        Value::Object(fields) => {
            Value::Object(fields.into_iter().map(|(name, value)| (name, truncate(value, limits))).collect())
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_feed::Context;

    fn parsed(xml: &str) -> gleaner_feed::Parsed {
        gleaner_feed::parse(xml.as_bytes(), Context::default()).unwrap()
    }

    #[test]
    fn flattens_a_report_and_stores_the_feed() {
        let parsed = parsed(
            "<rss version='2.0'><channel><title>A & B</title><ttl>60</ttl><item><title>One</title><guid>1</guid></item>
             <item><guid>2</guid><description>Two</description></item></channel></rss>",
        );
        let all = FlatReport::all(&Report::new("a.xml", &parsed));
        assert_eq!((all.format.as_str(), all.items.len(), all.well_formed), ("rss-2.0", 2, false));
        assert_eq!(all.items[0].title.as_deref(), Some("One"));
        let value =
            |fields: &[Field], name: &str| fields.iter().find(|field| field.name == name).cloned().unwrap().value;
        assert_eq!(value(&all.feed, "ttl_minutes").as_deref(), Some("60"));
        assert_eq!(value(&all.items[0].fields, "id").as_deref(), Some("1"));
        assert_eq!(value(&all.feed, "cloud"), None);
        let repair = &all.repairs[0];
        let shown: String = repair.text.chars().skip(repair.at as usize).take(3).collect();
        assert_eq!((repair.kind.as_str(), shown.as_str()), ("bare-ampersand", "& B"));
        let stored =
            FlatReport::from_stored(&to_stored(&Report::of_feed("a.xml", &parsed), parsed.items.len())).unwrap();
        assert_eq!(stored, FlatReport { items: Vec::new(), ..all });
    }

    #[test]
    fn limits_the_size_of_the_stored_report() {
        let long = "word ".repeat(50_000);
        let categories = "<category>x</category>".repeat(5000);
        let bare = "a & b ".repeat(900);
        let parsed = parsed(&format!(
            "<rss version='2.0'><channel><title>{bare}</title><description>{long}</description>{categories}</channel></rss>"
        ));
        let json = to_stored(&Report::of_feed("a.xml", &parsed), 0);
        assert!(json.len() < 64 << 10, "{}", json.len());
        let stored = FlatReport::from_stored(&json).unwrap();
        assert_eq!((stored.repairs.len(), stored.repairs_total), (40, 900));
        assert_eq!(FlatReport::from_stored("[]"), None);
        assert_eq!(FlatReport::from_stored("no JSON"), None);
    }
}
