//! The list of what had to be forgiven, with lines and columns.

use crate::model::{Repair, RepairKind};

/// No report is read to the thousandth line; a document with a million bare ampersands shall not cost a gigabyte.
const MOST: usize = 1000;

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
            let cut = (0..=120).rev().find(|at| detail.is_char_boundary(*at)).unwrap_or(0);
            detail.truncate(cut);
        }
        self.list.push(Repair { kind, line: self.line, column: self.column, detail });
    }
}
