//! Reads the JSON of a feed item by item, so that it never has all values of a large document in memory, and keeps only
//! members that JSON Feed has.

use super::{Object, is_item, item};
use crate::{
    base::Base,
    bounded_json::{Bounded, ignore_scalars},
    model::Item,
};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::{borrow::Cow, fmt};

/// An item, or a member of the feed, may have fewer values than this. Those beyond are left out.
const TOO_MANY_VALUES: usize = 10_001;

/// A JSON document that may be a feed.
#[derive(Default)]
pub(super) struct Document {
    /// The members of the feed except the items.
    pub(super) top: Object,
    pub(super) items: Vec<Item>,
    /// Whether the first item has the members that an item needs.
    pub(super) has_items: bool,
    /// Whether the first item has a body under a name that only JSON Feed has.
    pub(super) has_bodies: bool,
    /// The name of the list of items, if it has one.
    pub(super) list_name: Option<String>,
}

impl Document {
    /// Reads the object at the start of `source`; also returns the text after it.
    pub(super) fn read<'s>(source: &'s str, base: &Base) -> serde_json::Result<(Self, &'s str)> {
        let mut json = serde_json::Deserializer::from_str(source);
        let document = json.deserialize_map(Top(base))?;
        let mut rest = "";
        if json.end().is_err() {
            let mut values = serde_json::Deserializer::from_str(source).into_iter::<IgnoredAny>();
            let _ = values.next();
            rest = source.get(values.byte_offset()..).unwrap_or("").trim_start();
        }
        Ok((document, rest))
    }
}

/// Visits the outermost object.
struct Top<'b>(&'b Base);

impl<'de> Visitor<'de> for Top<'_> {
    type Value = Document;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Document, A::Error> {
        let mut document = Document::default();
        while let Some(key) = map.next_key::<Cow<'_, str>>()? {
            if key == "items" {
                (document.items, document.has_items, document.has_bodies) = (Vec::new(), false, false);
                map.next_value_seed(Items { base: self.0, document: &mut document, any: false, is_misnamed: false })?;
                document.list_name = Some(key.into_owned());
            } else if document.items.is_empty() && is_misnamed_list(&key) {
                map.next_value_seed(Items { base: self.0, document: &mut document, any: false, is_misnamed: true })?;
                if !document.items.is_empty() {
                    document.list_name = Some(key.into_owned());
                }
            } else if is_known(&key) {
                let value = limited(self.0, |values| map.next_value_seed(values))?;
                document.top.insert(key.into_owned(), value);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(document)
    }
}

/// Visits the list of items, an object of numbered items, or a single item.
struct Items<'d, 'b> {
    base: &'b Base,
    document: &'d mut Document,
    any: bool,
    /// Whether the name of the list is not that of JSON Feed, so that its first member must clearly be an item.
    is_misnamed: bool,
}

impl Items<'_, '_> {
    fn push(&mut self, value: Value) {
        let Value::Object(object) = value else { return };
        if self.is_misnamed && !self.any && !is_clearly_item(&object) {
            return;
        }
        if !self.any {
            self.document.has_items |= is_item(&object);
            self.document.has_bodies |= ["content_html", "content_text"].iter().any(|key| object.contains_key(*key));
        }
        self.any = true;
        if self.base.budget.take_item() {
            let mut item = item(&object, self.base);
            self.base.budget.take_lists(&mut item);
            self.document.items.push(item);
        }
    }
}

impl<'de> DeserializeSeed<'de> for Items<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Items<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of items")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        while let Some(value) = limited(self.base, |values| list.next_element_seed(values))? {
            self.push(value);
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        let (mut single, mut left) = (Object::new(), TOO_MANY_VALUES);
        while let Some(key) = map.next_key::<Cow<'_, str>>()? {
            if is_index(&key) {
                let value = limited(self.base, |values| map.next_value_seed(values))?;
                self.push(value);
            } else if left > 0 && is_known(&key) {
                single.insert(key.into_owned(), map.next_value_seed(bounded(&mut left))?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        if left == 0 {
            self.base.budget.exceed();
        }
        if !self.any {
            self.push(Value::Object(single));
        }
        Ok(())
    }

    ignore_scalars!();
}

/// Whether programs name the list of items like this by mistake. Only a list whose first member is clearly an item is one.
fn is_misnamed_list(name: &str) -> bool {
    const NAMES: [&str; 14] = [
        "articles", "article", "entries", "entry", "imtes", "item", "itens", "items", "itmes", "news", "post", "posts",
        "stories", "story",
    ];
    NAMES.iter().any(|known| name.trim().eq_ignore_ascii_case(known))
}

/// Whether an object has a body under a name that only JSON Feed has, or a title and an address or id.
fn is_clearly_item(object: &Object) -> bool {
    let has = |name: &str| object.get(name).is_some_and(|value| value.is_string() || value.is_number());
    has("content_html") || has("content_text") || has("title") && (has("url") || has("id"))
}

/// Reads a value with the limit on its values, and records that it was reached.
fn limited<R>(base: &Base, read: impl FnOnce(Bounded<'_>) -> R) -> R {
    let mut left = TOO_MANY_VALUES;
    let value = read(bounded(&mut left));
    if left == 0 {
        base.budget.exceed();
    }
    value
}

/// A value of members that JSON Feed has, and of at most this number of values.
fn bounded(left: &mut usize) -> Bounded<'_> {
    Bounded { left, is_known: |name| is_known(name) || is_index(name) }
}

/// Whether a name is the number of a member of a list. Programs in PHP write lists from which a member was removed as objects.
pub(super) fn is_index(name: &str) -> bool {
    (1..=9).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether JSON Feed has a member of this name, other than the items.
pub(super) fn is_known(name: &str) -> bool {
    matches!(
        name,
        "attachments"
            | "author"
            | "authors"
            | "avatar"
            | "banner_image"
            | "categories"
            | "content_html"
            | "content_text"
            | "copyright"
            | "date_modified"
            | "date_published"
            | "description"
            | "duration_in_seconds"
            | "external_url"
            | "favicon"
            | "feed_url"
            | "generator"
            | "home_page_url"
            | "hubs"
            | "icon"
            | "id"
            | "image"
            | "language"
            | "mime_type"
            | "name"
            | "next_url"
            | "rights"
            | "size_in_bytes"
            | "summary"
            | "tags"
            | "title"
            | "type"
            | "url"
            | "version"
    )
}
