//! Reads the responses of servers field by field. A value of another type counts as missing, and an article that can't be read is skipped,
//! so that it does not stop an account. Members that identify a response, such as the key of its list, are still required.

use crate::SyncError;
use chrono::{DateTime, Utc};
use gleaner_feed::{BoundedJson, Person, parse_persons};
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, DeserializeSeed as _, Error, IgnoredAny, SeqAccess, Visitor},
};
use serde_json::{Number, Value};
use std::{
    fmt::{self, Write},
    marker::PhantomData,
};

/// Maximum number of values of an article, or of a member of another object: they take many times the memory of their text. Those after them
/// are left out.
const MAX_VALUES: usize = 50_000;

/// Text that some servers send as a number or a boolean.
pub(crate) struct Text(String);

impl Text {
    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    pub(crate) fn into_text(self) -> String {
        self.0
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        text_of(value(from)?).map(Self).ok_or_else(|| D::Error::custom("no text"))
    }
}

/// Text that may be a number; `None` for anything else.
pub(crate) fn text<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    Ok(text_of(value(from)?))
}

/// A number that may be text or have decimals; `None` for anything else.
pub(crate) fn number<'de, D: Deserializer<'de>>(from: D) -> Result<Option<i64>, D::Error> {
    Ok(match value(from)? {
        Value::Number(number) => integer(&number),
        Value::String(text) => text.trim().parse().ok().or_else(|| truncated(text.trim().parse().ok()?)),
        _ => None,
    })
}

/// A boolean, also as 1 and 0 and as text; `None` for anything else.
pub(crate) fn flag<'de, D: Deserializer<'de>>(from: D) -> Result<Option<bool>, D::Error> {
    Ok(match text_of(value(from)?).as_deref() {
        Some("1" | "true") => Some(true),
        Some("0" | "false") => Some(false),
        _ => None,
    })
}

/// A moment; `None` for anything else.
pub(crate) fn moment<'de, D: Deserializer<'de>>(from: D) -> Result<Option<DateTime<Utc>>, D::Error> {
    Ok(match value(from)? {
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    })
}

/// An object; `None` for anything that can't be read as one.
pub(crate) fn object<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<Option<T>, D::Error> {
    Ok(serde_json::from_value(value(from)?).ok())
}

/// The readable entries of a list; none if it is not a list.
pub(crate) fn some<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<Vec<T>, D::Error> {
    Ok(match value(from)? {
        Value::Array(values) => values.into_iter().filter_map(|value| serde_json::from_value(value).ok()).collect(),
        _ => Vec::new(),
    })
}

/// The readable articles of a list, which may be null if it is empty.
pub(crate) fn articles<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<Vec<T>, D::Error> {
    Ok(Readable::<T>::deserialize(from)?.list)
}

/// The readable entries of a list, which may be null where it is empty.
/// Those after the first `MOST` are left out.
pub(crate) struct Readable<T, const MOST: usize = { usize::MAX }> {
    pub(crate) list: Vec<T>,
    /// Number of those before that are left out since they can't be read.
    pub(crate) skipped: usize,
}

impl<T, const MOST: usize> Default for Readable<T, MOST> {
    fn default() -> Self {
        Self { list: Vec::new(), skipped: 0 }
    }
}

impl<'de, T: DeserializeOwned, const MOST: usize> Deserialize<'de> for Readable<T, MOST> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(List(PhantomData))
    }
}

/// The readable entries of a list that is never null.
pub(crate) struct Entries<T> {
    pub(crate) list: Vec<T>,
    /// Number of the others, which are left out.
    pub(crate) skipped: usize,
}

impl<T> Entries<T> {
    /// Returns the list, unless none of its entries can be read. For APIs in which nothing else shows what the list is. `what` names the
    /// request in the error.
    pub(crate) fn readable(self, what: &'static str) -> Result<Self, SyncError> {
        if self.list.is_empty() && self.skipped > 0 { Err(SyncError::InvalidResponse(what)) } else { Ok(self) }
    }

    /// Returns the number of all entries.
    pub(crate) fn all(&self) -> usize {
        self.list.len() + self.skipped
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Entries<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let Readable::<T> { list, skipped } = from.deserialize_seq(List(PhantomData))?;
        Ok(Self { list, skipped })
    }
}

/// Reads a list entry by entry, so that never all of its values are in memory.
struct List<T, const MOST: usize>(PhantomData<T>);

impl<'de, T: DeserializeOwned, const MOST: usize> Visitor<'de> for List<T, MOST> {
    type Value = Readable<T, MOST>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_unit<E: Error>(self) -> Result<Readable<T, MOST>, E> {
        Ok(Readable::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Readable<T, MOST>, A::Error> {
        let (mut read, mut skipped) = (Vec::new(), 0_usize);
        while let Some(value) = list.next_element_seed(bounded(&mut { MAX_VALUES }))? {
            // An object could be read from a list, too.
            let entry = if value.is_array() { None } else { serde_json::from_value(value).ok() };
            match entry {
                Some(entry) => read.push(entry),
                None => skipped += 1,
            }
            if read.len() >= MOST {
                while list.next_element::<IgnoredAny>()?.is_some() {}
                break;
            }
        }
        if skipped > 0 {
            tracing::warn!(skipped, "entries of a server's list cannot be read");
        }
        Ok(Readable { list: read, skipped })
    }
}

fn bounded(left: &mut usize) -> BoundedJson<'_> {
    BoundedJson { left, is_known: |_| true }
}

/// Any value of at most [`MAX_VALUES`] values.
fn value<'de, D: Deserializer<'de>>(from: D) -> Result<Value, D::Error> {
    bounded(&mut { MAX_VALUES }).deserialize(from)
}

/// The content of a response of any form.
pub(crate) fn content<'de, D: Deserializer<'de>>(from: D) -> Result<Value, D::Error> {
    bounded(&mut { 5 * MAX_VALUES }).deserialize(from)
}

fn text_of(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        Value::Number(number) if number.is_f64() => {
            let whole = number.as_f64().filter(|float| float.fract() == 0.0).and_then(truncated);
            Some(whole.map_or_else(|| number.to_string(), |whole| whole.to_string()))
        }
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(yes) => Some(u8::from(yes).to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn integer(number: &Number) -> Option<i64> {
    number.as_i64().or_else(|| number.as_f64().and_then(truncated))
}

/// Returns a number without its decimals, unless it is too large to be exact.
#[allow(clippy::cast_possible_truncation)]
fn truncated(float: f64) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    (float.abs() <= EXACT).then_some(float as i64)
}

/// Returns JSON in which halves of characters that are alone, and control characters in text, can be read.
pub(crate) fn fixed(json: &str) -> String {
    let mut fixed = String::with_capacity(json.len());
    let (mut rest, mut quoted) = (json, false);
    while let Some(first) = rest.chars().next() {
        let mut length = first.len_utf8();
        match first {
            '"' => {
                quoted = !quoted;
                fixed.push(first);
            }
            '\\' if quoted => {
                let pair = unit(rest).zip(unit(rest.get(6..).unwrap_or_default()));
                length = match (unit(rest), pair) {
                    (Some(0xd800..=0xdbff), Some((_, 0xdc00..=0xdfff))) => 12,
                    (Some(0xd800..=0xdfff), _) => {
                        fixed.push(char::REPLACEMENT_CHARACTER);
                        rest = &rest[6..];
                        continue;
                    }
                    _ => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
                };
                fixed.push_str(&rest[..length]);
            }
            control if quoted && control < ' ' => {
                // Writing to a string does not fail.
                let _ = write!(fixed, "\\u{:04x}", u32::from(control));
            }
            other => fixed.push(other),
        }
        rest = &rest[length..];
    }
    fixed
}

/// Returns the UTF-16 unit of an escape that a text begins with.
fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u16::from_str_radix(digits, 16).ok()).flatten()
}

/// Returns the authors in a server's text. Some servers return it as written in the feed, with an email address; then it is read like in a
/// feed.
pub(crate) fn persons(author: String) -> Vec<Person> {
    let read = if author.contains('@') { parse_persons(&author) } else { Vec::new() };
    if read.is_empty() { vec![Person { name: Some(author), ..Person::default() }] } else { read }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use serde_json::json;

    #[derive(Deserialize)]
    struct Fields {
        id: Text,
        #[serde(default, deserialize_with = "text")]
        title: Option<String>,
        #[serde(default, deserialize_with = "number")]
        length: Option<i64>,
        #[serde(default, deserialize_with = "flag")]
        read: Option<bool>,
        #[serde(default, deserialize_with = "moment")]
        at: Option<DateTime<Utc>>,
        #[serde(default, deserialize_with = "object")]
        origin: Option<Origin>,
        #[serde(default, deserialize_with = "some")]
        parts: Vec<Origin>,
    }

    #[derive(Deserialize)]
    struct Origin {
        stream: String,
    }

    #[test]
    fn a_value_of_another_type_is_no_value() {
        let other = [json!(null), json!([1]), json!({ "x": 1 })];
        for value in other {
            let fields = json!({ "id": 7, "title": value, "length": value, "read": value, "at": value, "origin": value, "parts": value });
            let fields: Fields = serde_json::from_value(fields).unwrap();
            assert!(fields.title.is_none() && fields.length.is_none() && fields.read.is_none(), "{value}");
            assert!(fields.at.is_none() && fields.origin.is_none() && fields.parts.is_empty(), "{value}");
        }
        let fields = json!({ "id": 7.0, "title": 1.5, "length": "12.9", "read": "1", "at": "", "origin": { "stream": "a" },
            "parts": [null, { "stream": "b" }, { "stream": 3 }] });
        let fields: Fields = serde_json::from_value(fields).unwrap();
        assert_eq!((fields.id.into_text().as_str(), fields.title.as_deref()), ("7", Some("1.5")));
        assert_eq!((fields.length, fields.read, fields.at), (Some(12), Some(true), None));
        assert_eq!(fields.origin.unwrap().stream, "a");
        assert_eq!(fields.parts.into_iter().map(|part| part.stream).collect::<String>(), "b");
        let huge: Fields = serde_json::from_value(json!({ "id": u64::MAX, "length": 1e300, "read": false })).unwrap();
        assert_eq!((huge.id.into_text(), huge.length, huge.read), (u64::MAX.to_string(), None, Some(false)));
    }

    #[test]
    fn an_article_that_cannot_be_read_is_skipped() {
        let read: Entries<Origin> = serde_json::from_value(json!([{ "stream": "a" }, {}, 7, null])).unwrap();
        assert_eq!((read.list.len(), read.skipped), (1, 3));
        for none in [json!(null), json!({}), json!("")] {
            assert!(serde_json::from_value::<Entries<Origin>>(none).is_err());
        }
    }

    #[test]
    fn the_values_of_an_article_are_limited() {
        let many = format!("[{}0]", "{\"\":0},".repeat(2 * MAX_VALUES));
        let mut json = serde_json::Deserializer::from_str(&many);
        let kept = value(&mut json).unwrap();
        assert!(kept.as_array().is_some_and(|all| (MAX_VALUES / 3..MAX_VALUES).contains(&all.len())));
        // One article after many that are none.
        let list = format!("[{}{{ \"stream\": \"a\", \"more\": {many} }}]", "{\"\":0},".repeat(2 * MAX_VALUES));
        let read: Entries<Origin> = serde_json::from_str(&list).unwrap();
        assert_eq!(read.list[0].stream, "a");
        assert_eq!(read.list.len(), 1);
    }

    #[test]
    fn json_with_halves_of_characters_and_control_characters_is_fixed() {
        for (broken, read) in [
            (r#""a\ud83d""#, "a\u{fffd}"),
            (r#""\ude00b""#, "\u{fffd}b"),
            (r#""\ud83d\ude00""#, "\u{1f600}"),
            (r#""\ud83d\u0041""#, "\u{fffd}A"),
            (r#""\\ud83d \"é\" ""#, "\\ud83d \"é\" "),
            ("\"a\tb\nc\"", "a\tb\nc"),
        ] {
            assert_eq!(serde_json::from_str::<String>(&fixed(broken)).unwrap(), read, "{broken}");
        }
        assert_eq!(fixed("{ \n\"a\": \"é\" }"), "{ \n\"a\": \"é\" }");
        for cut in [r#""\"#, r#""\u"#, r#""\ud83"#, r#""\ud83d\"#] {
            assert!(serde_json::from_str::<String>(&fixed(cut)).is_err());
        }
    }
}
