//! Compares two versions of an article: the newer one with inserted and deleted words marked.
//!
//! The markup of the newer version is written unchanged: removing the marks and everything marked as deleted restores it
//! byte by byte. Deleted content is written at its old position: words within their line; paragraphs, items and rows between
//! those that remain. Changes of links and images are marked, changes of other markup and white space are not.

mod inline;
mod pairs;
mod tree;

use gleaner_html::elements::is_void;
use pairs::{Step, steps};
use std::fmt::Write as _;
use tree::{Block, Flow, Item, Piece, Reader, Unit};

/// The difference between two versions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Difference {
    /// The newer version with marks: inserted words in `<ins class="gl-ins">`, deleted ones in `<del class="gl-del">`.
    /// Blocks inserted as a whole also have the class `gl-in`, deleted ones `gl-out`. The first mark of each change has the
    /// attribute `data-change`.
    pub html: String,
    /// Number of inserted words.
    pub inserted: u32,
    /// Number of deleted words.
    pub deleted: u32,
    /// Number of places with changes.
    pub changes: u32,
}

/// Maximum length of two versions together that are compared word by word, in bytes. Longer ones are compared by sentences.
const MAX_BY_WORD: usize = 2 << 20;

/// Compares two versions of an article, both as returned by [`crate::sanitise()`], in linear time.
#[must_use]
pub fn difference(older: &str, newer: &str) -> Difference {
    let tag_budget = older.len() + newer.len();
    let mut reader = Reader::new(tag_budget > MAX_BY_WORD);
    let (older, newer) = (reader.read(older), reader.read(newer));
    let mut writer = Writer { fresh: true, budget: MAX_COMPARISONS, tag_budget, ..Writer::default() };
    writer.flow(&older, &newer);
    writer.done
}

/// Compares two versions of a plain text such as a title.
#[must_use]
pub fn text_difference(older: &str, newer: &str) -> Difference {
    difference(&tree::escaped(older), &tree::escaped(newer))
}

/// Maximum number of word comparisons to find out which blocks are versions of each other. Beyond it, changed blocks are
/// marked as deleted and inserted as a whole.
const MAX_COMPARISONS: usize = 40_000_000;

#[derive(Debug, Default)]
struct Writer {
    done: Difference,
    /// Whether nothing was marked since the last unchanged word.
    fresh: bool,
    budget: usize,
    /// Remaining bytes for tags repeated around deleted words. Without a limit, the tag of a link with a long address
    /// would be repeated for each deleted word in it.
    tag_budget: usize,
}

impl Writer {
    fn raw(&mut self, html: &str) {
        self.done.html.push_str(html);
    }

    fn change_attribute(&mut self) -> &'static str {
        let first = std::mem::take(&mut self.fresh);
        self.done.changes += u32::from(first);
        if first { " data-change=\"\"" } else { "" }
    }

    fn flow(&mut self, older: &Flow<'_>, newer: &Flow<'_>) {
        let mut next = 0;
        for step in steps(older, newer, &mut self.budget) {
            match step {
                Step::Deleted(old) => self.deleted_unit(&older.units[old], newer.holds_blocks),
                Step::Same(new) => {
                    self.up_to(newer, &mut next, new);
                    self.fresh |= newer.units[new].has_words();
                    self.raw(newer.units[new].source());
                }
                Step::Inserted(new) => {
                    self.up_to(newer, &mut next, new);
                    self.inserted_unit(&newer.units[new], true);
                }
                Step::Changed(old, new) => {
                    self.up_to(newer, &mut next, new);
                    self.changed(&older.units[old], &newer.units[new]);
                }
            }
        }
        self.up_to(newer, &mut next, usize::MAX);
    }

    /// Writes the markup and white space before a unit, and moves past the unit.
    fn up_to(&mut self, flow: &Flow<'_>, next: &mut usize, unit: usize) {
        while let Some(item) = flow.items.get(*next) {
            *next += 1;
            match item {
                Item::Raw(html) => self.raw(html),
                Item::Unit(number) if *number == unit => return,
                Item::Unit(_) => {}
            }
        }
    }

    fn changed(&mut self, older: &Unit<'_>, newer: &Unit<'_>) {
        match (older, newer) {
            (_, Unit::Run(run)) => self.line(older.line(), &run.pieces),
            (_, Unit::Block(block)) if newer.is_text() => {
                self.raw(block.start);
                let line = block.flow.units.iter().position(|unit| matches!(unit, Unit::Run(_)));
                let mut next = 0;
                if let Some(line) = line {
                    self.up_to(&block.flow, &mut next, line);
                    self.line(older.line(), block.flow.units[line].line());
                } else {
                    self.line(older.line(), &[]);
                }
                self.up_to(&block.flow, &mut next, usize::MAX);
                self.end(block.name);
            }
            (Unit::Block(old), Unit::Block(new)) => {
                self.raw(new.start);
                self.flow(&old.flow, &new.flow);
                self.end(new.name);
            }
            (Unit::Run(_), Unit::Block(_)) => self.inserted_unit(newer, true),
        }
    }

    fn end(&mut self, name: &str) {
        if is_void(name) {
            return;
        }
        // Writing to a string does not fail.
        let _written = write!(self.done.html, "</{name}>");
    }

    /// Writes a start tag with an additional class that marks the change.
    fn start_marked(&mut self, start: &str, class: &str) {
        let change_attribute = self.change_attribute();
        match start.split_once(" class=\"") {
            Some((before, after)) => {
                let _written = write!(self.done.html, "{before}{change_attribute} class=\"{class} {after}");
            }
            None => {
                let end = start.len() - 1;
                let _written = write!(self.done.html, "{}{change_attribute} class=\"{class}\">", &start[..end]);
            }
        }
    }

    fn inserted_unit(&mut self, unit: &Unit<'_>, outermost: bool) {
        match unit {
            _ if !unit.has_words() => self.raw(unit.source()),
            Unit::Run(run) => self.line(&[], &run.pieces),
            Unit::Block(block) => {
                if outermost {
                    self.start_marked(block.start, "gl-in");
                } else {
                    self.raw(block.start);
                }
                for item in &block.flow.items {
                    match item {
                        Item::Raw(html) => self.raw(html),
                        Item::Unit(number) => self.inserted_unit(&block.flow.units[*number], false),
                    }
                }
                self.end(block.name);
            }
        }
    }

    /// Writes a deleted unit. `blocks`: whether a block is allowed here.
    fn deleted_unit(&mut self, unit: &Unit<'_>, blocks: bool) {
        match unit {
            _ if !unit.has_words() => {}
            Unit::Run(run) if blocks => {
                self.start_marked("<div>", "gl-out");
                self.line(&run.pieces, &[]);
                self.raw("</div>");
            }
            Unit::Run(run) => self.line(&run.pieces, &[]),
            Unit::Block(block) => {
                let (name, start) = tree::deleted_tag(block.name, block.start);
                self.start_marked(&start, "gl-out");
                self.inside_deleted(block);
                self.end(name);
            }
        }
    }

    fn inside_deleted(&mut self, block: &Block<'_>) {
        for item in &block.flow.items {
            match item {
                Item::Raw(html) => self.raw(&tree::deleted_html(html)),
                Item::Unit(number) => match &block.flow.units[*number] {
                    Unit::Run(run) => self.line(&run.pieces, &[]),
                    Unit::Block(inner) => {
                        let (name, start) = tree::deleted_tag(inner.name, inner.start);
                        self.raw(&start);
                        self.inside_deleted(inner);
                        self.end(name);
                    }
                },
            }
        }
    }

    fn line(&mut self, older: &[Piece<'_>], newer: &[Piece<'_>]) {
        inline::write(self, older, newer);
    }
}

#[cfg(test)]
mod tests;
