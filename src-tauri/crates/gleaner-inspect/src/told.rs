//! A report as the window shows it, field by field and within bounds; and the part of it that a library keeps until the next document.

use crate::{
    fields::{Field, fields},
    whole::Report,
};
use serde::Deserialize;
use serde_json::Value;

/// What is shown at most: characters of a field, entries of a list, items.
const SHOWN: Bounds = Bounds { characters: 5_000, entries: 300 };
/// What is kept at most.
const KEPT: Bounds = Bounds { characters: 600, entries: 40 };

#[derive(Debug, Clone, Copy)]
struct Bounds {
    characters: usize,
    entries: usize,
}

/// A report, told.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[allow(missing_docs)] // As in the contract, but for what is said.
pub struct Told {
    pub source: String,
    pub format: String,
    pub encoding: String,
    pub encoding_from: String,
    pub well_formed: bool,
    pub repairs: Vec<ToldRepair>,
    /// Those that are not told, too.
    pub repairs_total: usize,
    pub feed: Vec<Field>,
    pub items: Vec<ToldItem>,
    /// Those that are not told, too.
    pub items_total: usize,
}

/// A repair as the contract has it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(default)]
#[allow(missing_docs)]
pub struct ToldRepair {
    pub kind: String,
    pub line: u32,
    pub column: u32,
    pub detail: String,
    pub text: String,
    pub at: u32,
}

/// An item, and what it is called.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct ToldItem {
    pub title: Option<String>,
    pub fields: Vec<Field>,
}

impl Told {
    /// All of a report, but for what is beyond all measure.
    pub fn all(report: &Report) -> Self {
        let (repairs, items) = (report.repairs.len(), report.items.len());
        let bounded = |value| within(value, SHOWN);
        Self::of(serde_json::to_value(report).map(bounded).unwrap_or_default(), repairs, items)
    }

    /// What [`keep`] gave; `None` where that is not what this is.
    pub fn kept(json: &str) -> Option<Self> {
        let mut kept: Value = serde_json::from_str(json).ok()?;
        if !kept["report"].is_object() {
            return None;
        }
        let count = |kept: &Value, name: &str| kept[name].as_u64().and_then(|count| usize::try_from(count).ok());
        let (repairs, items) = (count(&kept, "repairs_total")?, count(&kept, "items_total")?);
        Some(Self::of(kept["report"].take(), repairs, items))
    }

    fn of(mut report: Value, repairs_total: usize, items_total: usize) -> Self {
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let items = match report["items"].take() {
            Value::Array(items) => items,
            _ => Vec::new(),
        };
        let title = |item: &Value| item["title"].as_str().map(str::to_owned);
        Self {
            source: word(&report["source"]),
            format: word(&report["format"]),
            encoding: word(&report["encoding"]["name"]),
            encoding_from: word(&report["encoding"]["from"]),
            well_formed: report["well_formed"].as_bool().unwrap_or_default(),
            repairs: serde_json::from_value(report["repairs"].take()).unwrap_or_default(),
            repairs_total,
            feed: fields(&report["feed"]),
            items: items.iter().map(|item| ToldItem { title: title(item), fields: fields(item) }).collect(),
            items_total,
        }
    }
}

/// The part of a report on a feed that is kept, as JSON: without its items, of which there are so many.
pub fn keep(report: &Report, items: usize) -> String {
    let mut kept = serde_json::to_value(report).map(|value| within(value, KEPT)).unwrap_or_default();
    if let Some(fields) = kept.as_object_mut() {
        fields.remove("items");
    }
    serde_json::json!({ "report": kept, "repairs_total": report.repairs.len(), "items_total": items }).to_string()
}

/// The same with long texts and lists cut short.
fn within(value: Value, bounds: Bounds) -> Value {
    match value {
        Value::String(mut text) => {
            if let Some((end, _)) = text.char_indices().nth(bounds.characters) {
                text.truncate(end);
                text.push('…');
            }
            Value::String(text)
        }
        Value::Array(list) => {
            Value::Array(list.into_iter().take(bounds.entries).map(|value| within(value, bounds)).collect())
        }
        Value::Object(fields) => {
            Value::Object(fields.into_iter().map(|(name, value)| (name, within(value, bounds))).collect())
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
    fn all_is_told_and_the_feed_is_kept() {
        let parsed = parsed(
            "<rss version='2.0'><channel><title>A & B</title><ttl>60</ttl><item><title>One</title><guid>1</guid></item>
             <item><guid>2</guid><description>Two</description></item></channel></rss>",
        );
        let all = Told::all(&Report::new("a.xml", &parsed));
        assert_eq!((all.format.as_str(), all.items.len(), all.well_formed), ("rss-2.0", 2, false));
        assert_eq!(all.items[0].title.as_deref(), Some("One"));
        let says =
            |fields: &[Field], name: &str| fields.iter().find(|field| field.name == name).cloned().unwrap().value;
        assert_eq!(says(&all.feed, "ttl_minutes").as_deref(), Some("60"));
        assert_eq!(says(&all.items[0].fields, "id").as_deref(), Some("1"));
        assert_eq!(says(&all.feed, "cloud"), None);
        let repair = &all.repairs[0];
        let shown: String = repair.text.chars().skip(repair.at as usize).take(3).collect();
        assert_eq!((repair.kind.as_str(), shown.as_str()), ("bare-ampersand", "& B"));
        let kept = Told::kept(&keep(&Report::of_feed("a.xml", &parsed), parsed.items.len())).unwrap();
        assert_eq!(kept, Told { items: Vec::new(), ..all });
    }

    #[test]
    fn however_much_a_feed_says_little_is_kept() {
        let long = "word ".repeat(50_000);
        let categories = "<category>x</category>".repeat(5000);
        let bare = "a & b ".repeat(900);
        let parsed = parsed(&format!(
            "<rss version='2.0'><channel><title>{bare}</title><description>{long}</description>{categories}</channel></rss>"
        ));
        let json = keep(&Report::of_feed("a.xml", &parsed), 0);
        assert!(json.len() < 64 << 10, "{}", json.len());
        let kept = Told::kept(&json).unwrap();
        assert_eq!((kept.repairs.len(), kept.repairs_total), (40, 900));
        assert_eq!(Told::kept("[]"), None);
        assert_eq!(Told::kept("no JSON"), None);
    }
}
