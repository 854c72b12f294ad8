//! Writes well-formed HTML from tags in any order.
//!
//! An HTML parser reads the output as exactly the intended tree: every element is closed, paragraphs contain no blocks, tables contain only
//! allowed elements, and nothing is nested deeper than [`MAX_DEPTH`]. This makes sanitising idempotent, and keeps a parser's searches
//! through its open elements short.

use crate::elements::{Element, Kind, element};
use gleaner_html::escape;

/// Maximum depth of elements; deeper ones lose their tags and keep their text.
const MAX_DEPTH: usize = 120;

/// Maximum number of elements and attributes. Further elements lose their tags and keep their text: a parser's tree takes many times the memory
/// of the shortest tags. Very long tables and listings have 300,000. Tests have fewer, to be fast.
const MAX_WRITTEN: usize = if cfg!(test) { 4_000 } else { 400_000 };

/// Maximum number of inline elements that are opened again after an element around them was closed first.
const MAX_REOPENED: usize = 4;

/// Length of text in bytes after which [`PART`] is written.
const PART_LENGTH: usize = 8 << 10;

/// An element that the allow-list removes again. It splits long text into several nodes: ammonia's serializer takes
/// quadratic time for `&` and Latin-1 characters in one node.
const PART: &str = "<x-part></x-part>";

#[derive(Debug)]
struct Open {
    element: Element,
    /// Whether it has no attributes, so that it can be opened again.
    plain: bool,
    /// The end tag that closes it.
    tag: EndTag,
}

/// The end tag that closes an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EndTag {
    /// The end tag with its own name.
    Own,
    /// `</a>`: a link without a target is written as a span.
    DeadLink,
}

/// Writes HTML and tracks the open elements.
#[derive(Debug)]
pub(crate) struct Serializer {
    out: String,
    open: Vec<Open>,
    /// Number of start tags that were omitted because of their depth and whose end tags have not been read yet.
    too_deep: usize,
    /// Whether the current position is directly after a `<pre>`, where parsers drop a line break.
    fresh_pre: bool,
    /// Number of elements and attributes that were written.
    written: usize,
    /// Length of the text that was written since the last tag, in bytes.
    text_length: usize,
}

impl Serializer {
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        let out = String::with_capacity(bytes);
        Self { out, open: Vec::new(), too_deep: 0, fresh_pre: false, written: 0, text_length: 0 }
    }

    /// Closes all open elements and returns the HTML.
    pub(crate) fn finish(mut self) -> String {
        self.pop_to(0);
        self.out
    }

    /// Opens an admitted element after closing those that must end before it. `attributes` are written verbatim, each after
    /// a space.
    pub(crate) fn start(&mut self, element: Element, tag: EndTag, attributes: &str) {
        match element.kind {
            Kind::Column | Kind::ColumnGroup | Kind::Caption | Kind::Section | Kind::Row | Kind::Cell => {
                self.start_in_table(element, attributes);
                return;
            }
            Kind::FormulaPart => {
                self.push(element, tag, attributes);
                return;
            }
            Kind::Source => {
                self.write_start(element, attributes);
                return;
            }
            Kind::RubyText => {
                if let Some(ruby) = self.find(|open| open.element.name == "ruby") {
                    self.pop_to(ruby + 1);
                    self.push(element, tag, attributes);
                }
                return;
            }
            _ => {}
        }
        self.leave_formula();
        self.enter_flow();
        match element.kind {
            Kind::ListItem => self.end_sibling(|kind| kind == Kind::ListItem),
            Kind::Definition => self.end_sibling(|kind| kind == Kind::Definition),
            _ => {}
        }
        if !matches!(element.kind, Kind::Inline | Kind::Void | Kind::Formula)
            && let Some(paragraph) = self.find(|open| open.element.kind == Kind::Paragraph)
        {
            self.pop_to(paragraph);
        }
        if element.kind == Kind::Heading
            && let Some(heading) = self.find_inline(|open| open.element.kind == Kind::Heading)
        {
            self.pop_to(heading);
        }
        if element.name == "a"
            && let Some(link) = self.find(|open| open.element.name == "a")
        {
            self.pop_to(link);
        }
        match element.kind {
            Kind::Void | Kind::Rule => self.write_start(element, attributes),
            _ => self.push(element, tag, attributes),
        }
    }

    /// Whether an element may be opened here. One that is too deep is remembered, so that its end tag is ignored.
    pub(crate) fn admits(&mut self, element: Element) -> bool {
        if self.is_full() {
            self.omit(element);
            return false;
        }
        let place = match element.kind {
            Kind::Column | Kind::ColumnGroup | Kind::Caption | Kind::Section | Kind::Row | Kind::Cell => {
                self.is_inside("table")
            }
            Kind::FormulaPart => self.open.last().is_some_and(|open| {
                let kind = open.element.kind;
                matches!(kind, Kind::Formula | Kind::FormulaPart) && !holds_text(open.element)
            }),
            Kind::Source => {
                self.open.last().is_some_and(|open| matches!(open.element.name, "picture" | "audio" | "video"))
            }
            Kind::RubyText => self.find(|open| open.element.name == "ruby").is_some(),
            _ => true,
        };
        let empty = matches!(element.kind, Kind::Void | Kind::Rule | Kind::Source | Kind::Column);
        if place && !empty && self.open.len() >= MAX_DEPTH {
            self.too_deep += 1;
            return false;
        }
        place
    }

    fn start_in_table(&mut self, element: Element, attributes: &str) {
        let Some(table) = self.open.iter().rposition(|open| open.element.kind == Kind::Table) else { return };
        let inside = |serializer: &Self, kind: Kind| {
            serializer.open[table..].iter().position(|open| open.element.kind == kind).map(|at| table + at + 1)
        };
        match element.kind {
            Kind::Column => {
                if self.top() != Some(Kind::ColumnGroup) {
                    self.pop_to(table + 1);
                    self.push_named("colgroup");
                }
                if self.top() == Some(Kind::ColumnGroup) {
                    self.write_start(element, attributes);
                }
                return;
            }
            Kind::Row | Kind::Cell => {
                let section = inside(self, Kind::Section);
                self.pop_to(match (element.kind, inside(self, Kind::Row)) {
                    (Kind::Cell, Some(row)) => row,
                    _ => section.unwrap_or(table + 1),
                });
                if self.top() == Some(Kind::Table) {
                    self.push_named("tbody");
                }
                if element.kind == Kind::Cell && self.top() == Some(Kind::Section) {
                    self.push_named("tr");
                }
            }
            _ => self.pop_to(table + 1),
        }
        self.push(element, EndTag::Own, attributes);
    }

    /// Closes the innermost element of this name that may be closed here.
    pub(crate) fn end(&mut self, name: &str) {
        let Some(element) = element(name) else { return };
        if self.is_full() {
            self.omit(element);
            return;
        }
        if self.too_deep > 0 && !matches!(element.kind, Kind::Void | Kind::Rule | Kind::Source | Kind::Column) {
            self.too_deep -= 1;
            return;
        }
        let found = match element.kind {
            Kind::Void | Kind::Rule | Kind::Source | Kind::Column => return,
            Kind::Inline | Kind::RubyText | Kind::FormulaPart | Kind::Formula => {
                self.open.iter().rposition(|open| !open.element.kind.is_inline() || open.is_closed_by(element)).filter(
                    |at| {
                        let found = &self.open[*at];
                        found.is_closed_by(element)
                    },
                )
            }
            Kind::Heading => self.find(|open| open.element.kind == Kind::Heading),
            Kind::Table => self.open.iter().rposition(|open| open.element.kind == Kind::Table),
            Kind::Caption | Kind::ColumnGroup | Kind::Section | Kind::Row | Kind::Cell => {
                let at = self
                    .open
                    .iter()
                    .rposition(|open| open.element.kind == Kind::Table || open.element.name == element.name);
                at.filter(|at| self.open[*at].element.kind != Kind::Table)
            }
            Kind::ListItem => self
                .find(|open| {
                    open.element.kind == Kind::ListItem || matches!(open.element.name, "ul" | "ol" | "menu" | "dir")
                })
                .filter(|at| self.open[*at].element.kind == Kind::ListItem),
            _ => self.find(|open| open.element.name == element.name),
        };
        let found = found.or_else(|| self.formula_end(element));
        let Some(found) = found else { return };
        let again: Vec<Element> = if element.kind == Kind::Inline {
            let inner = &self.open[found + 1..];
            let is_reopened = inner.len() <= MAX_REOPENED && inner.iter().all(|open| open.plain && open.is_reopened());
            if is_reopened { inner.iter().map(|open| open.element).collect() } else { Vec::new() }
        } else {
            Vec::new()
        };
        self.pop_to(found);
        for element in again {
            self.push(element, EndTag::Own, "");
        }
    }

    /// Finds the element that an end tag inside a formula closes.
    fn formula_end(&self, element: Element) -> Option<usize> {
        matches!(element.kind, Kind::Formula | Kind::FormulaPart).then_some(())?;
        let at = self.open.iter().rposition(|open| {
            open.element.name == element.name || !matches!(open.element.kind, Kind::Formula | Kind::FormulaPart)
        })?;
        (self.open[at].element.name == element.name).then_some(at)
    }

    /// Returns the number of open elements.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Whether the next end tag is that of an element that is too deep.
    pub(crate) fn omits_end(&self) -> bool {
        self.too_deep > 0
    }

    /// Closes the innermost elements until `depth` are open.
    pub(crate) fn close_to(&mut self, depth: usize) {
        self.pop_to(depth);
    }

    /// Writes decoded text as HTML.
    pub(crate) fn text(&mut self, text: &str) {
        let mut rest = text;
        if self.fresh_pre {
            rest = rest.trim_start_matches(['\n', '\r']);
        }
        if rest.is_empty() {
            return;
        }
        if !rest.bytes().all(|b| b.is_ascii_whitespace()) {
            self.enter_flow();
        }
        if self.is_full() {
            self.pop_to(0);
        }
        self.fresh_pre = false;
        while !rest.is_empty() {
            if self.text_length >= PART_LENGTH - char::MAX_LEN_UTF8 {
                self.out.push_str(PART);
                self.text_length = 0;
            }
            let (part, more) = rest.split_at(rest.floor_char_boundary(PART_LENGTH - self.text_length));
            escape::push_text(&mut self.out, part);
            self.text_length += part.len();
            rest = more;
        }
    }

    /// Whether no more tags are written, since there are too many.
    fn is_full(&self) -> bool {
        self.written >= MAX_WRITTEN
    }

    /// Separates the text of blocks whose tags are not written.
    fn omit(&mut self, element: Element) {
        self.pop_to(0);
        // The end tags that `pop_to` wrote separate nothing: they are read again when the result is sanitised.
        if !element.kind.is_inline() && !self.out.ends_with([' ', '\n', '>']) {
            self.text(" ");
        }
    }

    /// Whether an element of this name is open.
    pub(crate) fn is_inside(&self, name: &str) -> bool {
        self.open.iter().any(|open| open.element.name == name)
    }

    /// Whether the current position is in a formula.
    pub(crate) fn in_formula(&self) -> bool {
        self.top().is_some_and(|kind| matches!(kind, Kind::Formula | Kind::FormulaPart))
    }

    /// Whether the current position is in a part of a formula that contains only text.
    pub(crate) fn in_formula_text(&self) -> bool {
        self.open.last().is_some_and(|open| holds_text(open.element))
    }

    fn top(&self) -> Option<Kind> {
        self.open.last().map(|open| open.element.kind)
    }

    /// Finds the innermost open element that matches, within the current table cell.
    fn find(&self, matches_open: impl Fn(&Open) -> bool) -> Option<usize> {
        let at = self.open.iter().rposition(|open| open.element.kind.is_boundary() || matches_open(open))?;
        matches_open(&self.open[at]).then_some(at)
    }

    /// Finds the innermost open element that matches, through inline elements only.
    fn find_inline(&self, matches_open: impl Fn(&Open) -> bool) -> Option<usize> {
        let at = self.open.iter().rposition(|open| !open.element.kind.is_inline())?;
        matches_open(&self.open[at]).then_some(at)
    }

    /// Closes the previous list item or term before a new one.
    fn end_sibling(&mut self, sibling: impl Fn(Kind) -> bool) {
        let at = self.open.iter().rposition(|open| {
            let kind = open.element.kind;
            sibling(kind)
                || !(kind.is_inline() || kind == Kind::Paragraph || matches!(open.element.name, "address" | "div"))
        });
        if let Some(at) = at.filter(|at| sibling(self.open[*at].element.kind)) {
            self.pop_to(at);
        }
    }

    /// Closes an open formula before an element that is not part of it.
    fn leave_formula(&mut self) {
        if self.in_formula()
            && let Some(formula) = self.open.iter().rposition(|open| open.element.kind == Kind::Formula)
        {
            self.pop_to(formula);
        }
    }

    /// Opens a cell where only parts of a table are allowed.
    fn enter_flow(&mut self) {
        if self.top() == Some(Kind::ColumnGroup) {
            self.pop_to(self.open.len() - 1);
        }
        if self.top() == Some(Kind::Table) {
            self.push_named("tbody");
        }
        if self.top() == Some(Kind::Section) {
            self.push_named("tr");
        }
        if self.top() == Some(Kind::Row) {
            self.push_named("td");
        }
    }

    fn push_named(&mut self, name: &str) {
        if let Some(element) = element(name)
            && !self.is_full()
        {
            self.write_start(element, "");
            self.open.push(Open { element, plain: true, tag: EndTag::Own });
        }
    }

    fn push(&mut self, element: Element, tag: EndTag, attributes: &str) {
        if self.open.len() >= MAX_DEPTH {
            self.too_deep += 1;
            return;
        }
        if self.is_full() {
            return;
        }
        self.write_start(element, attributes);
        self.fresh_pre = element.kind == Kind::Preformatted;
        self.open.push(Open { element, plain: attributes.is_empty(), tag });
    }

    fn write_start(&mut self, element: Element, attributes: &str) {
        if self.is_full() {
            return;
        }
        self.fresh_pre = false;
        self.text_length = 0;
        // Each value is in quotes, which are escaped inside.
        self.written += 1 + attributes.bytes().filter(|byte| *byte == b'"').count() / 2;
        self.out.push('<');
        self.out.push_str(element.name);
        self.out.push_str(attributes);
        self.out.push('>');
    }

    fn pop_to(&mut self, length: usize) {
        while self.open.len() > length
            && let Some(open) = self.open.pop()
        {
            self.fresh_pre = false;
            self.text_length = 0;
            self.out.push_str("</");
            self.out.push_str(open.element.name);
            self.out.push('>');
        }
    }
}

/// Whether a part of a formula contains only text.
fn holds_text(element: Element) -> bool {
    matches!(element.name, "mi" | "mo" | "mn" | "ms" | "mtext")
}

impl Open {
    fn is_closed_by(&self, element: Element) -> bool {
        match self.tag {
            EndTag::Own => self.element.name == element.name,
            EndTag::DeadLink => element.name == "a",
        }
    }

    /// Whether it is emphasis that has to be opened again after an element around it was closed.
    fn is_reopened(&self) -> bool {
        matches!(
            self.element.name,
            "b" | "em" | "i" | "s" | "small" | "strong" | "u" | "code" | "tt" | "del" | "ins" | "mark"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sanitise;

    /// Returns the number of elements and the end of the sanitised HTML.
    fn sanitised(html: &str) -> (usize, String) {
        let clean = sanitise(html, Some("https://blog.example/"));
        assert!(sanitise(&clean, Some("https://blog.example/")) == clean, "{}", &html[..40]);
        let elements = clean.matches('<').count() - clean.matches("</").count();
        (elements, clean[clean.floor_char_boundary(clean.len().saturating_sub(30))..].to_owned())
    }

    #[test]
    fn keeps_the_text_after_very_many_elements() {
        let (elements, end) = sanitised(&("<hr>".repeat(MAX_WRITTEN + 9) + "<p>Plums <b>& pears</b></p><td>figs"));
        assert_eq!((elements, &*end), (MAX_WRITTEN, "<hr><hr>Plums &amp; pears figs"));
        // Rows, columns and emphasis add elements.
        for piece in [
            "<img src=a>",
            "<table><td><b>a<td title=c></table>",
            "<b><i>a</b></i>",
            "<table><col></table>",
            "<li><a href=a>a</a>",
        ] {
            for before in ["", "<hr>", "<hr><hr>"] {
                let html = format!("{before}{}<p>Plums<p>pears</p>figs", piece.repeat(MAX_WRITTEN));
                let (elements, end) = sanitised(&html);
                assert!(elements <= MAX_WRITTEN && end.ends_with("Plums pears figs"), "{piece} {elements} {end}");
            }
        }
    }

    #[test]
    fn elements_that_are_dropped_do_not_count() {
        let chart = format!("<svg>{}</svg>", "<use x y>".repeat(MAX_WRITTEN));
        let (_, end) = sanitised(&format!("{chart}{}<p>Plums</p>", "<nobr>a</nobr>".repeat(MAX_WRITTEN)));
        assert!(end.ends_with("<p>Plums</p>"), "{end}");
    }
}
