//! What changed between two versions of an article: the newer one with what came and what went marked in it, word by word.
//!
//! The newer version is the skeleton: its mark-up is written as it stands, so that taking the marks out again, and what they say
//! went, gives it back byte by byte. What went is put in where it stood: words inside of the line, whole paragraphs, items and rows
//! between those that stayed. Mark-up and white space that changed are not told of; links and pictures that did are.

mod pairs;
mod tree;
mod words;

use pairs::{Step, steps};
use std::fmt::Write as _;
use tree::{Block, Flow, Item, Piece, Reader, Unit};

/// What changed, and how much.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Difference {
    /// The newer version. Words that came stand in `<ins class="gl-ins">`, those that went in `<del class="gl-del">`; a block that came
    /// as a whole has the class `gl-in` besides, one that went `gl-out`. The first mark of each change has the attribute `data-change`.
    pub html: String,
    /// Words that came.
    pub inserted: u32,
    /// Words that went.
    pub deleted: u32,
    /// Places where something changed.
    pub changes: u32,
}

/// What changed from one text to another, both as [`crate::sanitise`] gives them. Takes time in proportion to their length.
#[must_use]
pub fn difference(older: &str, newer: &str) -> Difference {
    let mut reader = Reader::default();
    let around = older.len() + newer.len();
    let (older, newer) = (reader.read(older), reader.read(newer));
    let mut writer = Writer { fresh: true, budget: BUDGET, around, ..Writer::default() };
    writer.flow(&older, &newer);
    writer.done
}

/// What changed from one plain text to another, such as a title: as [`difference`], with text where that has HTML.
#[must_use]
pub fn text_difference(older: &str, newer: &str) -> Difference {
    difference(&tree::escaped(older), &tree::escaped(newer))
}

/// So many comparisons of words may go into finding out which blocks are versions of each other. With more to compare, what cannot
/// be told apart any more went and came as a whole.
const BUDGET: usize = 40_000_000;

#[derive(Debug, Default)]
struct Writer {
    done: Difference,
    /// Nothing was marked since the last thing that stayed.
    fresh: bool,
    budget: usize,
    /// So many bytes of tags may be written again around the words that went. Without a bound each word of a link, of which every
    /// second one went, would be as long as its address.
    around: usize,
}

impl Writer {
    fn raw(&mut self, html: &str) {
        self.done.html.push_str(html);
    }

    fn begins(&mut self) -> &'static str {
        let first = std::mem::take(&mut self.fresh);
        self.done.changes += u32::from(first);
        if first { " data-change=\"\"" } else { "" }
    }

    fn flow(&mut self, older: &Flow<'_>, newer: &Flow<'_>) {
        let mut next = 0;
        for step in steps(older, newer, &mut self.budget) {
            match step {
                Step::Gone(old) => self.gone(&older.units[old], newer.holds_blocks),
                Step::Same(new) => {
                    self.up_to(newer, &mut next, new);
                    self.fresh |= newer.units[new].has_words();
                    self.raw(newer.units[new].source());
                }
                Step::New(new) => {
                    self.up_to(newer, &mut next, new);
                    self.new_unit(&newer.units[new], true);
                }
                Step::Changed(old, new) => {
                    self.up_to(newer, &mut next, new);
                    self.changed(&older.units[old], &newer.units[new]);
                }
            }
        }
        self.up_to(newer, &mut next, usize::MAX);
    }

    /// The mark-up and white space before a unit, and past the unit itself.
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
            (_, Unit::Run(run)) => self.words(older.line(), &run.pieces),
            (_, Unit::Block(block)) if newer.is_text() => {
                self.raw(block.start);
                let line = block.flow.units.iter().position(|unit| matches!(unit, Unit::Run(_)));
                let mut next = 0;
                if let Some(line) = line {
                    self.up_to(&block.flow, &mut next, line);
                    self.words(older.line(), block.flow.units[line].line());
                } else {
                    self.words(older.line(), &[]);
                }
                self.up_to(&block.flow, &mut next, usize::MAX);
                self.end(block.name);
            }
            (Unit::Block(old), Unit::Block(new)) => {
                self.raw(new.start);
                self.flow(&old.flow, &new.flow);
                self.end(new.name);
            }
            (Unit::Run(_), Unit::Block(_)) => self.new_unit(newer, true),
        }
    }

    fn end(&mut self, name: &str) {
        if tree::is_void(name) {
            return;
        }
        // Writing to a string does not fail.
        let _written = write!(self.done.html, "</{name}>");
    }

    /// A start tag with a class that says what became of its element.
    fn start_marked(&mut self, start: &str, class: &str) {
        let begins = self.begins();
        match start.split_once(" class=\"") {
            Some((before, after)) => {
                let _written = write!(self.done.html, "{before}{begins} class=\"{class} {after}");
            }
            None => {
                let end = start.len() - 1;
                let _written = write!(self.done.html, "{}{begins} class=\"{class}\">", &start[..end]);
            }
        }
    }

    fn new_unit(&mut self, unit: &Unit<'_>, outermost: bool) {
        match unit {
            _ if !unit.has_words() => self.raw(unit.source()),
            Unit::Run(run) => self.words(&[], &run.pieces),
            Unit::Block(block) => {
                if outermost {
                    self.start_marked(block.start, "gl-in");
                } else {
                    self.raw(block.start);
                }
                for item in &block.flow.items {
                    match item {
                        Item::Raw(html) => self.raw(html),
                        Item::Unit(number) => self.new_unit(&block.flow.units[*number], false),
                    }
                }
                self.end(block.name);
            }
        }
    }

    /// What went as a whole. `blocks`: whether a block may stand here.
    fn gone(&mut self, unit: &Unit<'_>, blocks: bool) {
        match unit {
            _ if !unit.has_words() => {}
            Unit::Run(run) if blocks => {
                self.start_marked("<div>", "gl-out");
                self.words(&run.pieces, &[]);
                self.raw("</div>");
            }
            Unit::Run(run) => self.words(&run.pieces, &[]),
            Unit::Block(block) => {
                let (name, start) = tree::gone_tag(block.name, block.start);
                self.start_marked(&start, "gl-out");
                self.inside_gone(block);
                self.end(name);
            }
        }
    }

    fn inside_gone(&mut self, block: &Block<'_>) {
        for item in &block.flow.items {
            match item {
                Item::Raw(html) => self.raw(&tree::gone(html)),
                Item::Unit(number) => match &block.flow.units[*number] {
                    Unit::Run(run) => self.words(&run.pieces, &[]),
                    Unit::Block(inner) => {
                        let (name, start) = tree::gone_tag(inner.name, inner.start);
                        self.raw(&start);
                        self.inside_gone(inner);
                        self.end(name);
                    }
                },
            }
        }
    }

    fn words(&mut self, older: &[Piece<'_>], newer: &[Piece<'_>]) {
        words::write(self, older, newer);
    }
}

#[cfg(test)]
mod tests;
