//! CDATA sections, comments and processing instructions without a terminator. Such a section would contain all of the
//! document up to the terminator of a later one, and may be well-formed.

use memchr::{memchr_iter, memchr2, memmem, memrchr};

/// A kind of section.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    pub(crate) opening: &'static str,
    pub(crate) terminator: &'static str,
}

pub(crate) const CDATA: Kind = Kind { opening: "<![CDATA[", terminator: "]]>" };
pub(crate) const COMMENT: Kind = Kind { opening: "<!--", terminator: "-->" };
pub(crate) const INSTRUCTION: Kind = Kind { opening: "<?", terminator: "?>" };
/// A CDATA section that was read as HTML and written again.
pub(crate) const COMMENTED_CDATA: Kind = Kind { opening: "<!--[CDATA[", terminator: "]]-->" };

/// The end of a section by its terminator.
#[derive(Debug, Clone, Copy)]
pub(crate) struct End {
    /// Offset of the terminator.
    pub(crate) at: usize,
    /// Offset of the last opening before the terminator.
    pub(crate) last_opening: Option<usize>,
    /// Whether the terminator may belong to that opening and not to an earlier one.
    is_of_last: bool,
}

impl End {
    /// Whether the terminator belongs to another opening after `start`.
    pub(crate) fn is_of_another(&self, start: usize) -> bool {
        self.is_of_last && self.last_opening.is_some_and(|opening| opening >= start)
    }
}

impl Kind {
    /// Finds the end of a section whose content starts at `start`.
    pub(crate) fn end(&self, document: &str, start: usize) -> Option<End> {
        let rest = document.get(start..)?;
        let at = start + memmem::find(rest.as_bytes(), self.terminator.as_bytes())?;
        let inside = document.get(start..at).unwrap_or("");
        // The search from the front is faster, and almost never finds anything.
        let opening = self.opening.as_bytes();
        let last_opening = memmem::find(inside.as_bytes(), opening)
            .and_then(|_| memmem::rfind(inside.as_bytes(), opening))
            .map(|found| start + found);
        let is_of_last = last_opening.is_some_and(|opening| {
            *self != CDATA || {
                let after = document.get(at + self.terminator.len()..).unwrap_or("").trim_ascii_start();
                let name = tag_before(document.get(start..opening).unwrap_or(""));
                name.is_some_and(|name| after.strip_prefix("</").is_some_and(|tag| is_named(tag.as_bytes(), name)))
            }
        });
        Some(End { at, last_opening, is_of_last })
    }

    /// Returns the offset at which a section in the element `enclosing` really ends, if its terminator is missing: the
    /// element's end tag, followed by another tag and later by another section. An article about such sections does not
    /// end an element that it did not start.
    pub(crate) fn missing_end(&self, document: &str, start: usize, end: End, enclosing: &str) -> Option<usize> {
        let opening = end.last_opening.filter(|_| end.is_of_another(start))?;
        let inside = document.get(start..opening)?;
        let bytes = inside.as_bytes();
        for at in memchr_iter(b'<', bytes) {
            match bytes.get(at + 1..)? {
                [b'/', name @ ..] if is_named(name, enclosing) => {
                    // Only up to the next tag: each section before the same end is examined.
                    let end = at + 1 + memchr2(b'<', b'>', bytes.get(at + 1..)?)?;
                    let end = end + usize::from(bytes.get(end) == Some(&b'>'));
                    let after = inside.get(end..)?.trim_ascii_start();
                    // At the end follows the opening itself.
                    return (after.is_empty() || after.starts_with('<')).then_some(start + at);
                }
                name if is_named(name, enclosing) => return None,
                _ => {}
            }
        }
        None
    }

    /// Whether the terminator of a section is missing. The section opens at `opening`, and ends at `end` by its terminator.
    pub(crate) fn is_unterminated(&self, document: &str, opening: usize, end: End) -> bool {
        let enclosing = || tag_before(document.get(..opening)?);
        end.last_opening.is_some()
            && enclosing().is_some_and(|enclosing| {
                self.missing_end(document, opening + self.opening.len(), end, enclosing).is_some()
            })
    }
}

/// Returns the kind of the section at the start of a text.
pub(crate) fn kind(text: &str) -> Option<&'static Kind> {
    [&CDATA, &COMMENT, &INSTRUCTION].into_iter().find(|kind| text.starts_with(kind.opening))
}

impl Kind {
    /// Whether the section at `opening` is one that the recovering parser has to read, although it may be well-formed,
    /// and its length; `None` if there is no terminator.
    pub(crate) fn examine(&self, document: &str, opening: usize) -> Option<(bool, usize)> {
        let end = self.end(document, opening + self.opening.len())?;
        let is_commented = document.get(opening..)?.starts_with(COMMENTED_CDATA.opening);
        let is_defective = is_commented || self.is_unterminated(document, opening, end);
        Some((is_defective, end.at + self.terminator.len() - opening))
    }
}

/// Whether a document has a section that the recovering parser has to read, although the document may be well-formed.
pub(crate) fn any_is_defective(document: &str) -> bool {
    let mut at = 0;
    while let Some(found) = document.get(at..).and_then(|rest| memchr::memchr(b'<', rest.as_bytes())) {
        at += found;
        at += match kind(document.get(at..).unwrap_or("")).map(|kind| kind.examine(document, at)) {
            None => 1,
            Some(Some((false, length))) => length,
            Some(Some((true, _))) => return true,
            // The document is not well-formed.
            Some(None) => return false,
        };
    }
    false
}

/// Returns the name of the start tag that is the last markup of a text.
fn tag_before(text: &str) -> Option<&str> {
    let tag = text.get(memrchr(b'<', text.as_bytes())? + 1..)?;
    let name = tag.get(..tag.find(|c: char| c.is_ascii_whitespace() || c == '>')?)?;
    let is_start = name.starts_with(|c: char| c.is_alphabetic() || c == '_') && !tag.contains("/>");
    is_start.then_some(name)
}

/// Whether a tag has this name, ignoring case.
pub(crate) fn is_named(tag: &[u8], name: &str) -> bool {
    tag.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()))
        && tag.get(name.len()).is_none_or(|after| matches!(after, b'>' | b'/' | b'<') || after.is_ascii_whitespace())
}
