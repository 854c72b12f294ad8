//! Flattens a report into named fields, for a table that can be searched.

use serde::Serialize;
use serde_json::Value;

/// A field of the report contract, such as `image.url` or `categories[0].term`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Name with its path.
    pub name: String,
    /// `None` if absent from the feed.
    pub value: Option<String>,
}

/// Returns all fields of a part of a report, including absent ones.
pub fn fields(part: &impl Serialize) -> Vec<Field> {
    let mut out = Vec::new();
    // Types of the contract always serialize to JSON.
    if let Ok(value) = serde_json::to_value(part) {
        flatten(String::new(), value, &mut out);
    }
    out
}

fn flatten(name: String, value: Value, out: &mut Vec<Field>) {
    match value {
        Value::Object(fields) => {
            for (field, value) in fields {
                let name = if name.is_empty() { field } else { format!("{name}.{field}") };
                flatten(name, value, out);
            }
        }
        // A list of plain values is one field: "0, 1, 23".
        Value::Array(list) if !list.is_empty() && list.iter().all(|one| !one.is_object() && !one.is_array()) => {
            let values: Vec<String> = list.into_iter().filter_map(text).collect();
            out.push(Field { name, value: Some(values.join(", ")) });
        }
        Value::Array(list) if !list.is_empty() => {
            for (at, value) in list.into_iter().enumerate() {
                flatten(format!("{name}[{at}]"), value, out);
            }
        }
        other => out.push(Field { name, value: text(other) }),
    }
}

fn text(value: Value) -> Option<String> {
    match value {
        Value::Null | Value::Array(_) | Value::Object(_) => None,
        Value::String(text) => Some(text),
        other => Some(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_every_field() {
        let part = json!({ "title": "A", "image": { "url": "u", "width": 3, "link": null }, "skip_hours": [0, 23], "hubs": [],
            "authors": [{ "name": "Ann" }, { "name": null }], "explicit": false, "cloud": null });
        let named: Vec<(String, Option<String>)> =
            fields(&part).into_iter().map(|field| (field.name, field.value)).collect();
        let is = |name: &str, value: Option<&str>| named.contains(&(name.to_owned(), value.map(str::to_owned)));
        assert_eq!(named.len(), 10, "{named:?}");
        assert!(is("title", Some("A")) && is("image.width", Some("3")) && is("image.link", None));
        assert!(is("skip_hours", Some("0, 23")) && is("hubs", None) && is("explicit", Some("false")));
        assert!(is("authors[0].name", Some("Ann")) && is("authors[1].name", None) && is("cloud", None));
    }
}
