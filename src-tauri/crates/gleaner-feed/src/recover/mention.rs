//! Text that looks like a tag in elements of a single line: `Vec<T>`, `Ann <ann@example.com>`, `x<y`.

use super::open_elements::{is_item_element, is_line, is_part_of};
use crate::{
    sections::is_named,
    text::{begins_attributes, is_html_name},
};
use memchr::memmem;

/// Maximum distance in bytes to the end tag of the element, so that many such texts take linear time.
const MAX_DISTANCE: usize = 2000;

/// Whether the `<` at the start of `rest`, the rest of the document, begins no tag. `top` is the name of the innermost open element,
/// `key` the same without the prefix of the format.
pub(super) fn is_text(rest: &str, top: &str, key: &str) -> bool {
    let is_single_line =
        is_line(key) || is_person(key) || matches!(key, "rights" | "subtitle" | "tagline" | "media:title");
    if !is_single_line || rest.starts_with("</") {
        return false;
    }
    let name = rest.get(1..).unwrap_or_default();
    let is_end = |c: char| c.is_whitespace() || matches!(c, '>' | '<' | '/' | '=' | '"' | '\'');
    let name = name.split(is_end).next().unwrap_or_default();
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
    if !name.chars().all(is_name) || name.ends_with(':') {
        return true;
    }
    let name = name.to_ascii_lowercase();
    if name.contains(':') || is_item_element(&name) || is_part_of(key, &name) {
        return false;
    }
    if is_html_name(&name) {
        let after = rest.get(1 + name.len()..).unwrap_or_default();
        let tag = after.split_inclusive(['<', '>']).next().unwrap_or_default();
        // `a <b` without the end of a tag, which has no attributes that were cut off.
        return !begins_attributes(after) || tag.ends_with('<') && !tag.contains('=');
    }
    // A tag that is closed, or empty, is markup of an unknown kind.
    let near = rest.as_bytes().get(..MAX_DISTANCE.min(rest.len())).unwrap_or_default();
    let is_empty = memchr::memchr2(b'<', b'>', near.get(1..).unwrap_or_default())
        .is_some_and(|end| near.get(end..end + 2) == Some(b"/>"));
    let mut ends = memmem::find_iter(near, b"</").filter_map(|at| near.get(at + 2..));
    let end = ends.find(|end| is_named(end, top) || is_named(end, &name));
    !is_empty && end.is_some_and(|end| is_named(end, top))
}

/// Whether an element names a person, and has their address in some feeds.
fn is_person(key: &str) -> bool {
    matches!(key, "author" | "contributor" | "name" | "itunes:author" | "dc:contributor")
}

#[cfg(test)]
mod tests {
    use super::is_text;

    #[test]
    fn text_is_distinguished_from_tags() {
        for rest in [
            "<T> rocks</title>",
            "<T> <b>rocks</b></title>",
            "<y$ & co</title>",
            "<ann@example.com></title>",
            "<http://example.com/></title>",
            "<no subject></title>",
            "<String, Integer></title>",
            "<y and z></title>",
            "<y</title>",
            "<b</title>",
            "<b c</title>",
            "<b && b>c</title>",
        ] {
            assert!(is_text(rest, "title", "title"), "{rest}");
            assert!(!is_text(rest, "description", "description"), "{rest}");
        }
        for rest in [
            "<b>bold</b></title>",
            "<br></title>",
            "<br /></title>",
            "<a href=x</title>",
            "<link</title>",
            "<T>rocks</T></title>",
            "<T/></title>",
            "<link>https://example.com/</link>",
            "<T> <link>https://example.com/</link>",
            "<T> <b>rocks</b></T></title>",
            "</title>",
            "<x:y></title>",
        ] {
            assert!(!is_text(rest, "title", "title"), "{rest}");
        }
        assert!(!is_text("<name>", "author", "author"));
        assert!(is_text("<ann@example.com></a:author>", "a:author", "author"));
    }
}
