//! The list of what had to be forgiven, with lines and columns.

use crate::model::{Repair, RepairKind};

/// No report is read to the thousandth line; a document with a million bare ampersands shall not cost a gigabyte.
const MOST: usize = 1000;
/// Bytes of a line that are shown before the place that had to be repaired, and from there on.
const BEFORE: usize = 60;
const AFTER: usize = 100;

/// Collects repairs over a text that is walked from front to back.
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

    /// Notes a repair at a byte offset. Offsets before the last one are taken to be where that was.
    pub(crate) fn note(&mut self, kind: RepairKind, offset: usize, detail: impl Into<String>) {
        if self.list.len() >= MOST {
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
        let mut detail = detail.into();
        if detail.len() > 120 {
            detail.truncate(boundary(&detail, 120));
        }
        let (text, at) = excerpt(self.text, offset);
        self.list.push(Repair { kind, line: self.line, column: self.column, detail, text, at });
    }
}

/// The last place in a text that is none within a character, at or before `at`.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// What stands around a place in its line, and how many characters of that stand before the place.
pub(crate) fn excerpt(text: &str, offset: usize) -> (String, u32) {
    let offset = boundary(text, offset);
    let from = boundary(text, offset.saturating_sub(BEFORE));
    let until = boundary(text, offset.saturating_add(AFTER));
    let before = &text[from..offset];
    let before = before.rsplit(['\n', '\r']).next().unwrap_or(before);
    let after = &text[offset..until];
    let after = after.split(['\n', '\r']).next().unwrap_or(after);
    let before = before.trim_start();
    let at = u32::try_from(before.chars().count()).unwrap_or(0);
    (format!("{before}{after}").trim_end().to_owned(), at)
}

/// Where a place lies in a text, from its line and its column.
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
    fn a_repair_shows_its_line_as_the_document_has_it() {
        let text = "<rss>\n  <title>Bätten & Söhne</title>\r\n</rss>";
        let offset = text.find('&').unwrap_or(0);
        let mut repairs = Repairs::new(text);
        repairs.note(RepairKind::BareAmpersand, offset, "&");
        let repair = &repairs.list[0];
        assert_eq!((repair.text.as_str(), repair.at), ("<title>Bätten & Söhne</title>", 14));
        assert_eq!((repair.line, repair.column), (2, 17));
        assert_eq!(offset_of(text, repair.line, repair.column), offset);
        assert_eq!(excerpt("ä", 1), ("ä".to_owned(), 0), "a place within a character is where that begins");
        let long = format!("{}&{}", "ö".repeat(500), "x".repeat(500));
        let (shown, at) = excerpt(&long, 1000);
        assert_eq!((shown.chars().nth(30), at), (Some('&'), 30));
        assert!(shown.len() <= BEFORE + AFTER);
        assert_eq!(offset_of("", 7, 7), 0);
    }
}
