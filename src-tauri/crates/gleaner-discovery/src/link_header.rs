//! The references in `Link` headers (RFC 8288), which name the feeds of a page like its `<link>`s.

use crate::page::{MAX_REFERENCES, Page, RawReference, Reference};
use std::collections::HashSet;
use url::Url;

impl Page {
    /// Returns the page with the links of its `Link` headers after its own links. A URL that the page itself names is left out.
    pub(crate) fn with_header(mut self, link: Option<&str>, url: &Url) -> Self {
        let own: HashSet<Url> = self.links.iter().map(|link| link.url.clone()).collect();
        let named = link.map(|link| references(link, url)).unwrap_or_default();
        self.links.extend(named.into_iter().filter(|link| !own.contains(&link.url)));
        self
    }
}

/// Returns the references in the values of `Link`, with commas between them, of a response from `base`.
fn references(header: &str, base: &Url) -> Vec<Reference> {
    let mut found = Vec::new();
    let mut rest = header;
    while let Some((target, after)) = rest.split_once('<').and_then(|(_, rest)| rest.split_once('>'))
        && found.len() < MAX_REFERENCES
    {
        let mut reference = RawReference { href: target.to_owned(), ..RawReference::default() };
        rest = after;
        while let Some(parameter) = rest.trim_ascii_start().strip_prefix(';') {
            let end = parameter.find(['=', ';', ',']).unwrap_or(parameter.len());
            let (name, after) = parameter.split_at(end);
            let (value, after) = match after.strip_prefix('=') {
                Some(after) => value(after.trim_ascii_start()),
                None => (String::new(), after),
            };
            rest = after;
            // If there are several, the first one counts (section 3.3).
            match name.trim_ascii().to_ascii_lowercase().as_str() {
                "rel" if reference.rel.is_none() => reference.rel = Some(value),
                "type" if reference.mime_type.is_none() => reference.mime_type = Some(value),
                "title" if reference.title.is_none() => reference.title = Some(value),
                "hreflang" => {
                    reference.version = true;
                    reference.language = reference.language.or(Some(value));
                }
                "media" | "rev" => reference.version = true,
                // The link belongs to another page.
                "anchor" => reference.href.clear(),
                _ => {}
            }
        }
        // References without a relation, which is required, are ignored.
        found.extend(reference.rel.is_some().then(|| reference.resolve(base)).flatten());
    }
    found
}

/// Returns the value at the start of a text, quoted or not, and the text after it.
fn value(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let (value, after) = text.split_at(text.find([';', ',']).unwrap_or(text.len()));
        return (value.trim_ascii().to_owned(), after);
    };
    let mut value = String::new();
    let mut chars = quoted.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => break,
            '\\' => value.extend(chars.next()),
            c => value.push(c),
        }
    }
    (value, chars.as_str())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn reads_targets_and_parameters() {
        let base = Url::parse("https://example.org/a/b").unwrap();
        let read = |header: &str| references(header, &base);
        let found = read(
            "<https://example.org/wp-json/>; rel=\"https://api.w.org/\", </feed>;rel=\"alternate me\" ; TYPE=application/atom+xml; \
             title=\"A, \\\"b\\\"; c\", <c?x=1,2>; rel=alternate; type=\"application/rss+xml; charset=utf-8\"; rel=next,<d>;rel",
        );
        assert_eq!(found.len(), 4);
        assert_eq!(found[1].url.as_str(), "https://example.org/feed");
        assert_eq!(found[1].rel.as_deref().unwrap(), ["alternate", "me"]);
        assert_eq!(found[1].mime_type.as_deref(), Some("application/atom+xml"));
        assert_eq!(found[1].title.as_deref(), Some("A, \"b\"; c"));
        assert_eq!(
            (found[2].url.as_str(), found[2].mime_type.as_deref()),
            ("https://example.org/a/c?x=1,2", Some("application/rss+xml"))
        );
        assert_eq!(found[2].rel.as_deref().unwrap(), ["alternate"]);
        for nothing in [
            "",
            "x",
            "<a",
            "<a>",
            "<a>; x",
            "<javascript:x>; rel=alternate",
            "<a>; rel=alternate; anchor=\"/x\"",
            "; rel=a",
        ] {
            assert!(read(nothing).is_empty(), "{nothing}");
        }
        assert_eq!(read("<a>; rel=\"alternate").len(), 1);
        let versions = read("<a>; rel=alternate; hreflang=de; hreflang=fr");
        assert!(versions[0].version);
        assert_eq!(versions[0].language.as_deref(), Some("de"));
    }
}
