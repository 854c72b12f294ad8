//! RSS and Atom in JSON: members are the elements of the XML, or their attributes. RSS in JSON (github.com/scripting/Scripting-News,
//! rss-in-json) has the text of an element with attributes in `#value`, Blogger in `$t`; both are read, and so are the names of two
//! widespread XML converters: `#text` and `@…` (xmltodict), `_` and `$` (xml2js).

use crate::{
    base::Base,
    bounded_json::{Bounded, ignore_scalars},
    builder::Builder,
    document::FeedCollector,
    json_feed::{end_of_valid, repair::repair_open},
    model::{RepairDetail, RepairKind},
    namespace::{Namespaces, Ns},
    repair::Repairs,
};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::{borrow::Cow, fmt};

/// A member of the feed or of an item may have fewer values than this. Those beyond are left out.
const TOO_MANY_VALUES: usize = 10_001;
/// Maximum number of namespaces that are declared.
const MAX_PREFIXES: usize = 64;

/// Whether the first object of a document, or the first after some texts, may be RSS or Atom.
pub(crate) fn is_feed(json: &str) -> bool {
    let head = json.get(..json.floor_char_boundary(1024)).unwrap_or(json);
    let Some((before, inside)) = head.strip_prefix('{').and_then(|members| members.split_once('{')) else {
        return false;
    };
    let name = before.trim_end().strip_suffix(':').unwrap_or_default().trim_end();
    name.ends_with("\"rss\"") || name.ends_with("\"feed\"") && inside.contains("xmlns")
}

/// Reads a document that begins at a byte offset of the text, as far as it is valid after repair. `None` if it is not RSS or Atom.
pub(crate) fn read(
    source: &str,
    offset: usize,
    new: impl Fn() -> Builder<FeedCollector>,
    repairs: &mut Repairs<'_>,
) -> Option<Builder<FeedCollector>> {
    let read = |json: &str| {
        let mut json = serde_json::Deserializer::from_str(json);
        let mut writer = Writer {
            builder: new(),
            namespaces: Namespaces::default(),
            default: Ns::None,
            prefixes: Vec::new(),
            is_atom: false,
            has_other_items: false,
        };
        let result = Member { writer: &mut writer, name: "" }.deserialize(&mut json).and_then(|()| json.end());
        writer.builder.finish();
        (writer.is_feed().then_some(writer.builder), result)
    };
    let (builder, result) = read(source);
    let Err(error) = result else { return builder };
    let before = repairs.list.len();
    let repaired = repair_open(source, offset, repairs);
    if repairs.list.len() == before {
        let end = end_of_valid(source, &error);
        let rest = source.get(end..).unwrap_or_default().chars().take(40).collect();
        repairs.note(RepairKind::Other, offset + end, RepairDetail::AfterFeed(rest));
    }
    let repaired = repaired.and_then(|repaired| read(&repaired).0);
    [builder, repaired].into_iter().flatten().max_by_key(|builder| builder.handler.items.len())
}

/// Whether an element may contain items, or is one, so that its members are read one by one.
fn is_structure(name: &str, parent: &str) -> bool {
    match name {
        "rss" | "feed" => true,
        "channel" | "item" | "entry" => !parent.is_empty(),
        "items" => !matches!(parent, "" | "item" | "entry"),
        _ => false,
    }
}

fn is_text(name: &str) -> bool {
    matches!(name, "#value" | "#text" | "$t" | "_")
}

/// Whether no element that is read has this name, but attributes have.
fn is_never_element(name: &str) -> bool {
    name.starts_with("xml")
        || matches!(name, "domain" | "href" | "isPermaLink" | "length" | "rel" | "scheme" | "src" | "type")
}

/// Returns a value that is not a list or object as text.
fn scalar(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Number(number) => Some(Cow::Owned(number.to_string())),
        Value::Bool(flag) => Some(Cow::Borrowed(if *flag { "true" } else { "false" })),
        _ => None,
    }
}

/// Writes members as elements.
struct Writer {
    builder: Builder<FeedCollector>,
    namespaces: Namespaces,
    /// Namespace of names without a prefix.
    default: Ns,
    prefixes: Vec<(String, Ns)>,
    /// Whether the namespace of Atom was declared.
    is_atom: bool,
    /// Whether the document itself has `items`, as JSON Feed has.
    has_other_items: bool,
}

impl Writer {
    /// Returns the namespace, whether the name has a prefix, and the local name. Blogger writes `thr$total`.
    fn resolve<'n>(&self, name: &'n str) -> (Ns, bool, &'n str) {
        match name.split_once([':', '$']) {
            Some((prefix, local)) => {
                let declared = self.prefixes.iter().find(|(known, _)| known == prefix).map(|(_, ns)| *ns);
                (declared.or_else(|| Ns::of_usual_prefix(prefix)).unwrap_or(Ns::Other(0)), true, local)
            }
            None => (self.default, false, name),
        }
    }

    fn open(&mut self, name: &str) {
        let (ns, is_prefixed, local) = self.resolve(name);
        self.builder.start(ns, is_prefixed, local);
    }

    /// Whether the document is RSS or Atom, and not one that has a member of this name.
    fn is_feed(&self) -> bool {
        let FeedCollector { root_name, has_channel, feed, items, .. } = &self.builder.handler;
        let is_known = if root_name.as_deref() == Some("rss") { *has_channel } else { self.is_atom };
        is_known && !self.has_other_items && (feed.title.is_some() || !items.is_empty())
    }

    /// Reads the declaration of a namespace; returns whether the attribute is one.
    fn declare(&mut self, name: &str, uri: &str) -> bool {
        let Some(prefix) = name.strip_prefix("xmlns") else { return false };
        let prefix = prefix.trim_start_matches([':', '$']);
        let ns = self.namespaces.resolve(uri);
        if prefix.is_empty() {
            self.default = ns;
            self.is_atom |= ns.is_atom();
        } else if let Some((_, known)) = self.prefixes.iter_mut().find(|(known, _)| known == prefix) {
            *known = ns;
        } else if self.prefixes.len() < MAX_PREFIXES {
            self.prefixes.push((prefix.to_owned(), ns));
        }
        true
    }

    fn attribute(&mut self, name: &str, value: &str) {
        if !self.declare(name, value) {
            let (ns, is_prefixed, local) = self.resolve(name);
            self.builder.attribute(if is_prefixed { ns } else { Ns::None }, local, value);
        }
    }

    /// Writes a member that is an attribute if it can be nothing else; returns whether it is.
    fn is_attribute(&mut self, name: &str, value: &Value) -> bool {
        match (name.strip_prefix('@'), scalar(value), value) {
            (_, _, Value::Object(attributes)) if name == "$" => {
                for (name, value) in attributes {
                    self.attribute(name, &scalar(value).unwrap_or_default());
                }
            }
            (Some(name), Some(value), _) => self.attribute(name, &value),
            _ => return false,
        }
        true
    }

    fn element(&mut self, name: &str, value: &Value) {
        match value {
            Value::Array(list) => list.iter().for_each(|value| self.element(name, value)),
            Value::Object(members) => {
                let default = self.default;
                for (name, value) in members {
                    scalar(value).inspect(|value| _ = self.declare(name.trim_start_matches('@'), value));
                }
                self.open(name);
                let mut members: Vec<_> =
                    members.iter().filter(|(name, value)| !self.is_attribute(name, value)).collect();
                // A text may be an attribute, as in an enclosure, or an element, as in an image. Next to the text of the element itself it
                // is an attribute.
                for (name, value) in &members {
                    scalar(value).filter(|_| !is_text(name)).inspect(|value| self.attribute(name, value));
                }
                if let Some(text) = members.iter().find_map(|(name, value)| scalar(value).filter(|_| is_text(name))) {
                    self.builder.text(&text);
                    members.retain(|(_, value)| scalar(value).is_none());
                }
                members.retain(|(name, value)| scalar(value).is_none() || !is_never_element(name));
                members.into_iter().for_each(|(name, value)| self.element(name, value));
                self.builder.end();
                self.default = default;
            }
            value => {
                if let Some(text) = scalar(value) {
                    self.open(name);
                    self.builder.text(&text);
                    self.builder.end();
                }
            }
        }
    }

    fn base(&self) -> &Base {
        self.builder.tree.document()
    }
}

/// A member that is written as an element while it is read. The document itself has no name.
struct Member<'w, 'n> {
    writer: &'w mut Writer,
    name: &'n str,
}

impl<'de> DeserializeSeed<'de> for Member<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Member<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an element")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        // The list of the items is often misspelled.
        let name = if self.name == "items" { "item" } else { self.name };
        while list.next_element_seed(Member { writer: self.writer, name })?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { writer, name } = self;
        let default = writer.default;
        if !name.is_empty() {
            writer.open(name);
        }
        while let Some(key) = map.next_key::<Cow<'_, str>>()? {
            writer.has_other_items |= name.is_empty() && key == "items";
            if is_structure(&key, name) {
                map.next_value_seed(Member { writer: &mut *writer, name: &key })?;
                continue;
            }
            if name.is_empty() {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let mut left = TOO_MANY_VALUES;
            let value = map.next_value_seed(Bounded { left: &mut left, is_known: |_| true })?;
            if left == 0 {
                writer.base().budget.exceed();
            }
            let is_declaration = matches!(name, "rss" | "feed") && (key.starts_with("xmlns") || key == "version");
            match scalar(&value).filter(|_| is_declaration) {
                Some(value) => writer.attribute(&key, &value),
                None if writer.is_attribute(&key, &value) => {}
                None => writer.element(&key, &value),
            }
        }
        if !name.is_empty() {
            writer.builder.end();
        }
        writer.default = default;
        Ok(())
    }

    ignore_scalars!();
}
