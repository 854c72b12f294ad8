//! The attributes of a tag: read once, whatever their number, and written again in one order.

use crate::tokens;
use std::borrow::Cow;

/// The values that a policy may ask for, in alphabetical order. Anything else of a tag is not even kept in memory: a tag may have a hundred
/// thousand attributes.
const KNOWN: [&str; 94] = [
    "abbr",
    "accent",
    "accentunder",
    "align",
    "allow",
    "allowfullscreen",
    "alt",
    "alttext",
    "cite",
    "class",
    "code",
    "colspan",
    "columnalign",
    "columnspan",
    "data",
    "data-actualsrc",
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

/// The attributes of one tag that mean something to a policy.
#[derive(Debug, Default)]
pub(crate) struct Given<'a> {
    values: Vec<(&'static str, Cow<'a, str>)>,
}

impl<'a> Given<'a> {
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

    /// The value of an attribute; empty where it stands without one.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        debug_assert!(KNOWN.contains(&name), "{name} is not read");
        self.values.iter().find(|(given, _)| *given == name).map(|(_, value)| &**value)
    }

    /// The first of these that is there and not blank.
    pub(crate) fn first<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Option<&str> {
        names.into_iter().find_map(|name| self.get(name).filter(|value| !value.trim().is_empty()))
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// A whole number of pixels.
    pub(crate) fn pixels(&self, name: &str) -> Option<u32> {
        let value = self.get(name)?.trim();
        value.strip_suffix("px").unwrap_or(value).trim_end().parse().ok()
    }
}

/// Bytes of an attribute's value, addresses of pictures apart, which may be the picture itself.
const LONGEST: usize = 64 << 10;

/// Attributes as they are written into a tag, each after a space.
#[derive(Debug, Default)]
pub(crate) struct Written(pub(crate) String);

impl Written {
    /// Adds an attribute, escaped as HTML serialisers do, and cut where it is longer than any that was meant.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        let value = match name {
            "src" => value,
            _ => &value[..tokens::boundary(value, LONGEST)],
        };
        self.0.push(' ');
        self.0.push_str(name);
        self.0.push_str("=\"");
        self.value(value);
        self.0.push('"');
    }

    /// Adds a value alone.
    pub(crate) fn value(&mut self, value: &str) {
        let mut rest = value;
        while let Some(at) = rest.find(['&', '"', '<', '>', '\r']) {
            self.0.push_str(&rest[..at]);
            self.0.push_str(match rest.as_bytes()[at] {
                b'&' => "&amp;",
                b'"' => "&quot;",
                b'<' => "&lt;",
                b'>' => "&gt;",
                _ => "\n",
            });
            rest = &rest[at + 1..];
        }
        self.0.push_str(rest);
    }

    /// Adds an attribute when there is a value for it.
    pub(crate) fn set_some(&mut self, name: &str, value: Option<impl AsRef<str>>) {
        if let Some(value) = value {
            self.set(name, value.as_ref());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(html: &str) -> Given<'_> {
        match tokens::Tokens::new(html).next() {
            Some(tokens::Token::Start(tag)) => Given::read(tag.attributes),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_first_of_a_name_counts() {
        let tag = given("<a HREF=1 href=2 onclick=3 width=' 4px '>");
        assert_eq!(tag.get("href"), Some("1"));
        assert_eq!(tag.pixels("width"), Some(4));
        assert_eq!(tag.values.len(), 2);
    }

    #[test]
    fn the_known_names_are_in_order() {
        assert!(KNOWN.is_sorted());
    }

    #[test]
    fn values_are_escaped() {
        let mut written = Written::default();
        written.set("title", "a\"b<c>&amp;\r");
        assert_eq!(written.0, " title=\"a&quot;b&lt;c&gt;&amp;amp;\n\"");
    }
}
