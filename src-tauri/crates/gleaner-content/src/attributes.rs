//! The attributes of a tag, read and written.

use gleaner_html::{escape, tokens};
use std::borrow::Cow;

/// The attributes that are read, in alphabetical order. All others are dropped at once: a tag may have a hundred thousand.
const KNOWN: [&str; 97] = [
    "abbr",
    "accent",
    "accentunder",
    "align",
    "allow",
    "allowfullscreen",
    "alt",
    "alttext",
    "checked",
    "cite",
    "class",
    "code",
    "colspan",
    "columnalign",
    "columnspan",
    "data",
    "data-actualsrc",
    "data-cfemail",
    "data-echo",
    "data-gistid",
    "data-hi-res-src",
    "data-href",
    "data-image-src",
    "data-img-src",
    "data-lang",
    "data-language",
    "data-large-file",
    "data-lazy",
    "data-lazy-src",
    "data-lazy-srcset",
    "data-lazyload",
    "data-litespeed-src",
    "data-orig-file",
    "data-original",
    "data-original-set",
    "data-original-src",
    "data-poster",
    "data-responsive",
    "data-runner-src",
    "data-shortcode",
    "data-src",
    "data-srcset",
    "data-trackid",
    "data-tweetid",
    "data-url",
    "data-videoid",
    "datetime",
    "depth",
    "dir",
    "disabled",
    "display",
    "displaystyle",
    "fence",
    "form",
    "height",
    "hidden",
    "href",
    "hreflang",
    "id",
    "lang",
    "largeop",
    "linethickness",
    "loop",
    "mathvariant",
    "media",
    "movablelimits",
    "mozallowfullscreen",
    "muted",
    "name",
    "nitro-lazy-src",
    "notation",
    "open",
    "playsinline",
    "poster",
    "reversed",
    "rowalign",
    "rowspan",
    "scope",
    "scriptlevel",
    "separator",
    "sizes",
    "span",
    "src",
    "srcset",
    "start",
    "stretchy",
    "style",
    "symmetric",
    "target",
    "title",
    "type",
    "value",
    "videoid",
    "webkitallowfullscreen",
    "width",
    "xlink:href",
    "xml:lang",
];

/// The known attributes of a tag.
#[derive(Debug, Default)]
pub(crate) struct TagAttributes<'a> {
    values: Vec<(&'static str, Cow<'a, str>)>,
}

impl<'a> TagAttributes<'a> {
    pub(crate) fn read(attributes: tokens::Attributes<'a>) -> Self {
        let mut values: Vec<(&'static str, Cow<'a, str>)> = Vec::new();
        for (name, value) in attributes {
            let Ok(at) = KNOWN.binary_search(&&*name) else { continue };
            let known = KNOWN[at];
            if !values.iter().any(|(given, _)| *given == known) {
                values.push((known, value));
            }
        }
        Self { values }
    }

    /// Returns the value of an attribute; empty if it has none.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        debug_assert!(KNOWN.contains(&name), "{name} is not read");
        self.values.iter().find(|(given, _)| *given == name).map(|(_, value)| &**value)
    }

    /// Returns the first value of these attributes that is not blank.
    pub(crate) fn first<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Option<&str> {
        names.into_iter().find_map(|name| self.get(name).filter(|value| !value.trim().is_empty()))
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Returns a whole number of pixels.
    pub(crate) fn pixels(&self, name: &str) -> Option<u32> {
        let value = self.get(name)?.trim();
        value.strip_suffix("px").unwrap_or(value).trim_end().parse().ok()
    }
}

/// Maximum length of a value in bytes. `src` has no limit: it may be a whole image.
const MAX_VALUE: usize = 64 << 10;

/// Attributes written for a tag, each after a space.
#[derive(Debug, Default)]
pub(crate) struct AttributeWriter(pub(crate) String);

impl AttributeWriter {
    /// Appends an attribute, escaped, and cut at [`MAX_VALUE`].
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        let value = match name {
            "src" => value,
            _ => &value[..value.floor_char_boundary(MAX_VALUE)],
        };
        self.0.push(' ');
        self.0.push_str(name);
        self.0.push_str("=\"");
        self.value(value);
        self.0.push('"');
    }

    /// Appends an escaped value without a name.
    pub(crate) fn value(&mut self, value: &str) {
        // Parsers read a carriage return as a line feed.
        let value = if value.contains('\r') { Cow::Owned(value.replace('\r', "\n")) } else { Cow::Borrowed(value) };
        escape::push_attribute(&mut self.0, &value);
    }

    /// Appends an attribute if there is a value for it.
    pub(crate) fn set_some(&mut self, name: &str, value: Option<impl AsRef<str>>) {
        if let Some(value) = value {
            self.set(name, value.as_ref());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(html: &str) -> TagAttributes<'_> {
        match tokens::Tokens::new(html).next() {
            Some(tokens::Token::Start(tag)) => TagAttributes::read(tag.attributes),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_first_attribute_of_a_name_counts() {
        let tag = given("<a HREF=1 href=2 onclick=3 width=' 4px '>");
        assert_eq!(tag.get("href"), Some("1"));
        assert_eq!(tag.pixels("width"), Some(4));
        assert_eq!(tag.values.len(), 2);
    }

    #[test]
    fn known_names_are_sorted() {
        assert!(KNOWN.is_sorted());
    }

    #[test]
    fn escapes_values() {
        let mut written = AttributeWriter::default();
        written.set("title", "a\"b<c>&amp;\r");
        assert_eq!(written.0, " title=\"a&quot;b&lt;c&gt;&amp;amp;\n\"");
    }
}
