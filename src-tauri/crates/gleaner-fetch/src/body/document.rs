//! Tells from the bytes of a document how much of it was received.

use memchr::memmem;

/// Lengths of the beginning and the end of a document that contain its first and last tag.
const HEAD: usize = 8 << 10;
const TAIL: usize = 256;

/// Whether a document ends with the end tag of its root element, that of a feed or page.
pub(super) fn ends_document(document: &[u8]) -> bool {
    let tail = document.get(document.len().saturating_sub(TAIL)..).unwrap_or_default().trim_ascii_end();
    let last = tail.iter().rposition(|byte| *byte == b'<').and_then(|at| tail.get(at..)).unwrap_or_default();
    let end = last.strip_prefix(b"</").and_then(|rest| rest.strip_suffix(b">")).unwrap_or_default().trim_ascii_end();
    let local = end.rsplit(|byte| *byte == b':').next().unwrap_or_default();
    let is_root = ["rss", "feed", "rdf", "html"].iter().any(|root| local.eq_ignore_ascii_case(root.as_bytes()));
    is_root && root(document).is_some_and(|root| root.eq_ignore_ascii_case(end))
}

/// Whether a document has a complete item or, in JSON, an object after one with content.
pub(super) fn has_item(document: &[u8]) -> bool {
    let has_element = |name: &&str| {
        let first = find(document, name.as_bytes(), |before| matches!(before, Some(b'<' | b':')));
        let inside = first.and_then(|after| document.get(after..)).unwrap_or_default();
        find(inside, format!("{name}>").as_bytes(), |before| matches!(before, Some(b'/' | b':'))).is_some()
    };
    ["item", "entry"].iter().any(has_element) || {
        let content = find(document, b"content_", |before| before == Some(b'"'));
        content.and_then(|after| document.get(after..)).is_some_and(|content| {
            let mut ends = content.split(|byte| *byte == b'}').skip(1).map(<[u8]>::trim_ascii_start);
            ends.any(|after| after.strip_prefix(b",").is_some_and(|next| next.trim_ascii_start().starts_with(b"{")))
        })
    }
}

/// Returns the offset after the first `part` of a document that follows a certain byte.
fn find(document: &[u8], part: &[u8], follows: impl Fn(Option<u8>) -> bool) -> Option<usize> {
    let before = |at: usize| at.checked_sub(1).and_then(|before| document.get(before)).copied();
    memmem::find_iter(document, part).find(|at| follows(before(*at))).map(|at| at + part.len())
}

/// Returns the name of the first element.
fn root(document: &[u8]) -> Option<&[u8]> {
    let head = document.get(..document.len().min(HEAD))?;
    let start = head.windows(2).position(|pair| pair[0] == b'<' && pair[1].is_ascii_alphabetic())? + 1;
    head.get(start..)?.split(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/')).next()
}
