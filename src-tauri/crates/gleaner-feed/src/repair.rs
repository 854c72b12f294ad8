//! Repairs of documents, with their lines and columns.

mod detail;

pub use detail::RepairDetail;
pub(crate) use detail::truncated;
use std::fmt::{self, Display, Formatter};

/// Maximum number of repairs, so that a document with a million errors does not need gigabytes of memory.
const MAX_REPAIRS: usize = 1000;
/// Length of the excerpt before and after a repair, in bytes.
const BEFORE: usize = 60;
const AFTER: usize = 100;

/// A repair that was needed to read the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// Kind of repair.
    pub kind: RepairKind,
    /// Line, starting at 1.
    pub line: u32,
    /// Column in characters, starting at 1.
    pub column: u32,
    /// What exactly was repaired.
    pub detail: RepairDetail,
    /// The source line, or the part of a long line around the repair.
    pub text: String,
    /// Offset of the repair in `text`, in characters.
    pub at: u32,
}

impl Display for Repair {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.kind.name())?;
        if self.detail == RepairDetail::None { Ok(()) } else { write!(f, " ({})", self.detail) }
    }
}

/// The kinds of repair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepairKind {
    /// An undefined entity.
    UndefinedEntity,
    /// An unescaped `&`.
    BareAmpersand,
    /// A missing or superfluous end tag.
    MismatchedTag,
    /// Bytes that do not match the declared encoding.
    BadEncoding,
    /// A character that XML forbids.
    ControlCharacter,
    /// UTF-8 encoded twice.
    DoubleEncodedUtf8,
    /// An undeclared namespace prefix.
    UndeclaredPrefix,
    /// Content before the document.
    JunkBeforeXml,
    /// The document is truncated.
    Truncated,
    /// Another well-formedness error.
    Other,
}

impl RepairKind {
    /// Returns the code used in the inspect report, such as `bare-ampersand`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::UndefinedEntity => "undefined-entity",
            Self::BareAmpersand => "bare-ampersand",
            Self::MismatchedTag => "mismatched-tag",
            Self::BadEncoding => "bad-encoding",
            Self::ControlCharacter => "control-character",
            Self::DoubleEncodedUtf8 => "double-encoded-utf8",
            Self::UndeclaredPrefix => "undeclared-prefix",
            Self::JunkBeforeXml => "junk-before-xml",
            Self::Truncated => "truncated",
            Self::Other => "other",
        }
    }
}

/// Collects the repairs of a text that is read from front to back.
#[derive(Debug)]
pub(crate) struct Repairs<'t> {
    text: &'t str,
    offset: usize,
    line: u32,
    column: u32,
    pub(crate) list: Vec<Repair>,
}

impl<'t> Repairs<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, offset: 0, line: 1, column: 1, list: Vec::new() }
    }

    /// Records, at the end of the document, a limit that it exceeded, however many repairs there are.
    pub(crate) fn note_last(&mut self, detail: RepairDetail) {
        self.list.truncate(MAX_REPAIRS - 1);
        self.note(RepairKind::Other, self.text.len(), detail);
    }

    /// Records a repair at a byte offset. Offsets before the last one are moved to it.
    pub(crate) fn note(&mut self, kind: RepairKind, offset: usize, detail: impl Into<RepairDetail>) {
        if self.list.len() >= MAX_REPAIRS {
            return;
        }
        for byte in self.text.as_bytes().get(self.offset..offset).unwrap_or(&[]) {
            if *byte == b'\n' {
                self.line += 1;
                self.column = 1;
            } else if byte & 0xc0 != 0x80 {
                self.column += 1;
            }
        }
        self.offset = self.offset.max(offset);
        let (text, at) = excerpt(self.text, offset);
        self.list.push(Repair { kind, line: self.line, column: self.column, detail: detail.into(), text, at });
    }
}

/// Returns the part of a line around an offset, and the position in it, in characters.
pub(crate) fn excerpt(text: &str, offset: usize) -> (String, u32) {
    let offset = text.floor_char_boundary(offset);
    let from = text.floor_char_boundary(offset.saturating_sub(BEFORE));
    let until = text.floor_char_boundary(offset.saturating_add(AFTER));
    let before = &text[from..offset];
    let before = before.rsplit(['\n', '\r']).next().unwrap_or(before);
    let after = &text[offset..until];
    let after = after.split(['\n', '\r']).next().unwrap_or(after);
    let before = before.trim_start();
    let at = u32::try_from(before.chars().count()).unwrap_or(0);
    (format!("{before}{after}").trim_end().to_owned(), at)
}

/// Returns the line and column of a byte offset.
pub(crate) fn place_of(text: &str, offset: usize) -> (u32, u32) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    (number(line), number(column))
}

/// Returns the byte offset of a line and column.
pub(crate) fn offset_of(text: &str, line: u32, column: u32) -> usize {
    let before = |count: u32| usize::try_from(count.saturating_sub(1)).unwrap_or(0);
    let start: usize = text.split_inclusive('\n').take(before(line)).map(str::len).sum();
    let characters = text.get(start..).unwrap_or_default().char_indices();
    characters.map(|(at, _)| start + at).nth(before(column)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_the_line_of_a_repair() {
        let text = "<rss>\n  <title>Bätten & Söhne</title>\r\n</rss>";
        let offset = text.find('&').unwrap_or(0);
        let mut repairs = Repairs::new(text);
        repairs.note(RepairKind::BareAmpersand, offset, "&");
        let repair = &repairs.list[0];
        assert_eq!((repair.text.as_str(), repair.at), ("<title>Bätten & Söhne</title>", 14));
        assert_eq!((repair.line, repair.column), (2, 17));
        assert_eq!(offset_of(text, repair.line, repair.column), offset);
        assert_eq!(place_of(text, offset), (repair.line, repair.column));
        assert_eq!(excerpt("ä", 1), ("ä".to_owned(), 0), "an offset within a character is moved to its start");
        let long = format!("{}&{}", "ö".repeat(500), "x".repeat(500));
        let (shown, at) = excerpt(&long, 1000);
        assert_eq!((shown.chars().nth(30), at), (Some('&'), 30));
        assert!(shown.len() <= BEFORE + AFTER);
        assert_eq!(offset_of("", 7, 7), 0);
    }
}
