//! Finds out whether an open element has an end tag in the rest of the document. Otherwise, an element that was never
//! closed would contain everything after it.

use crate::sections::{self, is_named};
use memchr::memchr;

/// Number of bytes examined in search of end tags, for each byte of the document.
const SEARCHED_PER_BYTE: usize = 4;

/// Searches for end tags.
#[derive(Debug, Default)]
pub(super) struct Closing {
    /// Number of bytes that all searches have examined.
    seen: usize,
}

impl Closing {
    /// Whether the element that was opened before `inside` has an end tag of its own in its item or, if `in_item` is
    /// false, in its channel. `core` is the prefix of the format itself, with its colon.
    pub(super) fn closes(&mut self, document: &str, inside: usize, (key, core): (&str, &str), in_item: bool) -> bool {
        let bytes = document.as_bytes();
        let mut at = inside;
        let mut depth = 0_usize;
        let limit = document.len().saturating_mul(SEARCHED_PER_BYTE);
        // Checked before each search, since one may read the rest of the document.
        while self.seen <= limit {
            let rest = bytes.get(at..).unwrap_or_default();
            let Some(found) = self.counted(memchr(b'<', rest), rest) else {
                // The document ends within the item.
                return is_container(key.strip_prefix(core).unwrap_or(key));
            };
            let rest = rest.get(found..).unwrap_or_default();
            let length = match rest {
                [b'<', b'!', b'[' | b'-', ..] => self.section(document, at + found),
                [b'<', b'/', name @ ..] => {
                    if is_named(name, key) {
                        if depth == 0 {
                            return true;
                        }
                        depth -= 1;
                    } else if ends(local(name, core), in_item) {
                        return false;
                    }
                    2
                }
                [b'<', name @ ..] if is_named(name, key) => {
                    let end = self.counted(memchr(b'>', rest), rest).unwrap_or(rest.len() - 1);
                    let is_empty = rest.get(end.saturating_sub(1)) == Some(&b'/');
                    depth += usize::from(!is_empty);
                    end.max(1)
                }
                [b'<', name @ ..] if in_item && is_item(local(name, core)) => return false,
                _ => 1,
            };
            at += found + length;
        }
        false
    }

    /// Whether another element of this name begins after `at` of the document, before the next item or the end of the channel, and not in
    /// an image or a form that has an end tag.
    pub(super) fn follows(&mut self, document: &str, mut at: usize, (key, core): (&str, &str)) -> bool {
        let limit = document.len().saturating_mul(SEARCHED_PER_BYTE);
        // The container that is open, and whether the element begins in it.
        let (mut container, mut is_inside) = (None, false);
        while self.seen <= limit {
            let rest = document.as_bytes().get(at..).unwrap_or_default();
            let Some(found) = self.counted(memchr(b'<', rest), rest) else { return is_inside };
            let rest = rest.get(found..).unwrap_or_default();
            let mut length = 1;
            match rest {
                [b'<', b'!', b'[' | b'-', ..] => length = self.section(document, at + found),
                [b'<', b'/', name @ ..] if ends(local(name, core), true) => return is_inside,
                [b'<', b'/', name @ ..]
                    if container.is_some_and(|container| is_named(local(name, core), container)) =>
                {
                    (container, is_inside) = (None, false);
                }
                [b'<', name @ ..] if is_item(local(name, core)) => return is_inside,
                [b'<', name @ ..] if is_named(local(name, core), key) => match container {
                    Some(_) => is_inside = true,
                    None => return true,
                },
                [b'<', name @ ..] if container.is_none() => {
                    container = ["image", "textinput"].into_iter().find(|other| is_named(local(name, core), other));
                    if container.is_some() {
                        length = self.counted(memchr(b'>', rest), rest).unwrap_or(1).max(1);
                        let is_empty = rest.get(length - 1) == Some(&b'/');
                        container = container.filter(|_| !is_empty);
                    }
                }
                _ => {}
            }
            at += found + length;
        }
        false
    }

    /// Returns the name of the item that ends after `at` of the document, if it has no start tag there, but a title. Without one, an
    /// item before it may have been closed too early.
    pub(super) fn item_without_start(&mut self, document: &str, mut at: usize, core: &str) -> Option<&'static str> {
        let bytes = document.as_bytes();
        let mut has_title = false;
        let limit = document.len().saturating_mul(SEARCHED_PER_BYTE);
        while self.seen <= limit {
            let rest = bytes.get(at..)?;
            let found = self.counted(memchr(b'<', rest), rest)?;
            let rest = rest.get(found..)?;
            let length = match rest {
                [b'<', b'!', b'[' | b'-', ..] => self.section(document, at + found),
                [b'<', b'/', name @ ..] if is_item(local(name, core)) => {
                    let item = if is_named(local(name, core), "item") { "item" } else { "entry" };
                    return has_title.then_some(item);
                }
                [b'<', b'/', name @ ..] if ends(local(name, core), true) => return None,
                [b'<', name @ ..] if is_item(local(name, core)) => return None,
                [b'<', name @ ..] => {
                    has_title |= is_named(local(name, core), "title");
                    1
                }
                _ => 1,
            };
            at += found + length;
        }
        None
    }

    /// Returns the length of the section at `at`, or that of its `<` if its terminator is missing.
    fn section(&mut self, document: &str, at: usize) -> usize {
        let rest = document.get(at..).unwrap_or_default();
        let Some(kind) = sections::kind(rest) else { return 1 };
        let end = kind.end(document, at + kind.opening.len());
        self.seen += end.map_or(rest.len(), |end| end.at - at);
        end.filter(|end| !kind.is_unterminated(document, at, *end)).map_or(1, |end| end.at + kind.terminator.len() - at)
    }

    /// Counts the bytes that a search in `rest` examined. `found` is the offset that it found.
    fn counted(&mut self, found: Option<usize>, rest: &[u8]) -> Option<usize> {
        self.seen += found.map_or(rest.len(), |at| at + 1);
        found
    }
}

/// Returns a name without the prefix of the format itself.
fn local<'n>(name: &'n [u8], core: &str) -> &'n [u8] {
    match name.split_at_checked(core.len()) {
        Some((prefix, local)) if prefix.eq_ignore_ascii_case(core.as_bytes()) => local,
        _ => name,
    }
}

fn is_item(name: &[u8]) -> bool {
    is_named(name, "item") || is_named(name, "entry")
}

/// Whether an end tag of this name ends an item or channel.
fn ends(name: &[u8], in_item: bool) -> bool {
    in_item && is_item(name) || ["channel", "rss", "feed", "rdf:rdf"].iter().any(|end| is_named(name, end))
}

/// Whether an element usually has children.
fn is_container(key: &str) -> bool {
    matches!(
        key,
        "author"
            | "body"
            | "content"
            | "content:encoded"
            | "content:items"
            | "contributor"
            | "description"
            | "div"
            | "image"
            | "itunes:owner"
            | "media:content"
            | "media:group"
            | "psc:chapters"
            | "skipdays"
            | "skiphours"
            | "source"
            | "summary"
            | "textinput"
            | "xhtml:body"
            | "xhtml:div"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Searches for the end tag of each `<foo>` of the document, as the parser does.
    fn search_all(document: &str, key: &str) -> (Closing, usize) {
        let mut closing = Closing::default();
        let tags = document.match_indices("<foo").filter_map(|(at, _)| Some(at + document.get(at..)?.find('>')? + 1));
        let closed = tags.filter(|inside| closing.closes(document, *inside, (key, ""), true)).count();
        (closing, closed)
    }

    #[test]
    fn all_searches_of_a_document_read_a_bounded_number_of_bytes() {
        let long = format!("<item><foo a=\"{}\"><guid>", "b".repeat(200));
        let without_end = format!("<foo a=\"{}<guid>", "b".repeat(200));
        for part in [
            "<item><foo><!-- ><guid>",
            "<item><foo><![CDATA[ ><guid>",
            "<item><foo><? ><guid>",
            "<!--<![CDATA[<foo><guid>",
            "<foo><guid>",
            &long,
            &without_end,
        ] {
            let document = part.repeat(2000);
            let (closing, _) = search_all(&document, "foo");
            assert!(closing.seen <= (SEARCHED_PER_BYTE + 2) * document.len(), "{part}: {}", closing.seen);
        }
    }

    #[test]
    fn a_search_to_the_end_of_the_document_counts() {
        let document = format!("{}{}", "<foo><guid>".repeat(20), "b".repeat(100_000));
        let (_, closed) = search_all(&document, "media:group");
        assert_eq!(closed, SEARCHED_PER_BYTE, "each reads nearly the whole document");
    }
}
