//! Reads XML that is not well-formed, the second attempt. This module splits the document into tags, text, CDATA and
//! so on and knows the line of every repair; tags are read by the tokenizer of `xml5ever`, after being repaired if
//! necessary. A failed search for a terminator is not repeated, and all searches for end tags together have a limit
//! (see `closing`), so the time is linear in the length of the document.

// long: one reader, whose steps share the position, the open elements and the repairs.

mod closing;
mod entities;
mod mention;
mod missing_start;
mod open_elements;
mod spaced;
mod tags;

use crate::{
    builder::{Builder, Handler},
    model::{RepairDetail, RepairKind},
    repair::Repairs,
    sections::{self, Kind},
    text,
};
use entities::Entities;
use memchr::{memchr2, memmem};
use open_elements::OpenElements;
use std::borrow::Cow;
use tags::{FailedSearch, Scan, TagKind, TagReader};

/// Reads as much of a document as possible into the builder.
pub(crate) fn read<H: Handler>(document: &str, builder: &mut Builder<H>, repairs: &mut Repairs<'_>) {
    let start = skip_junk(document, repairs);
    builder.is_recovering = true;
    let mut reader = Reader {
        document,
        builder,
        repairs,
        open: OpenElements::default(),
        entities: Entities::default(),
        tags: TagReader::default(),
        failed_search: FailedSearch::default(),
        ends: Vec::new(),
        searched: 0,
        left_open: (usize::MAX, None),
        text_examined: 0,
        root_seen: false,
        is_root_empty: false,
    };
    reader.run(start);
}

struct Reader<'a, 't, H: Handler> {
    document: &'a str,
    builder: &'a mut Builder<H>,
    repairs: &'a mut Repairs<'t>,
    open: OpenElements,
    entities: Entities,
    tags: TagReader,
    failed_search: FailedSearch,
    /// The next terminator of each kind of section, or `None` if there is no more.
    ends: Vec<(&'static Kind, Option<sections::End>)>,
    /// Number of bytes that were searched without result: for the ends of CDATA sections within CDATA sections, or in comments.
    searched: usize,
    /// A terminator of a comment, and the offset up to which other comments that would reach it count as unclosed.
    left_open: (usize, Option<usize>),
    /// The offset up to which text in an item was examined for the end tag of an element without a start tag.
    text_examined: usize,
    root_seen: bool,
    /// Whether the root's tag ends with a slash and at most another root follows, so that it needs no end tag.
    is_root_empty: bool,
}

/// Returns the offset of the XML, after white space, script warnings and other junk.
fn skip_junk(document: &str, repairs: &mut Repairs<'_>) -> usize {
    let bytes = document.as_bytes();
    let head = bytes.get(..bytes.len().min(65_536)).unwrap_or(bytes);
    let lower = head.to_ascii_lowercase();
    let find = |what: &[u8]| memmem::find(&lower, what);
    let root = [&b"<rss"[..], b"<feed", b"<rdf", b"<opml", b"<channel", b"<atom:feed", b"<entry"];
    let root = root.iter().filter_map(|root| find(root)).min();
    let start = match (find(b"<?xml"), root) {
        // After the root it is content of an article.
        (Some(at), root) if root.is_none_or(|root| at < root) => at,
        // A doctype or comment before the root belongs to the document.
        (_, Some(root)) => memmem::find(lower.get(..root).unwrap_or(&[]), b"<!").unwrap_or(root),
        (_, None) => 0,
    };
    let junk = document.get(..start).unwrap_or("");
    let is_page = memmem::find(lower.get(..start).unwrap_or(&[]), b"<html").is_some();
    let is_comment = junk.trim_start().starts_with("<!");
    if start == 0 || is_page || is_comment {
        return 0;
    }
    if !junk.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}').is_empty() {
        repairs.note(RepairKind::JunkBeforeXml, 0, junk.trim().lines().next().unwrap_or(""));
    } else if lower.get(start..start + 5) == Some(b"<?xml") {
        repairs.note(RepairKind::JunkBeforeXml, 0, RepairDetail::WhiteSpace);
    }
    start
}

impl<H: Handler> Reader<'_, '_, H> {
    fn run(&mut self, start: usize) {
        let mut at = start;
        while at < self.document.len() {
            let rest = self.document.get(at..).unwrap_or("");
            let length = match memchr2(b'<', b'&', rest.as_bytes()) {
                None => {
                    self.characters(at, rest);
                    rest.len()
                }
                Some(0) if rest.starts_with('&') => self.ampersand(at, rest),
                Some(0) => self.markup(at, rest),
                Some(end) => {
                    let piece = rest.get(..end).unwrap_or("");
                    self.start_missing_element(at, piece);
                    self.characters(at, piece);
                    end
                }
            };
            at += length.max(1);
        }
        if self.open.len() > usize::from(self.is_root_empty) {
            self.repairs.note(RepairKind::Truncated, self.document.len(), RepairDetail::EndsWithinElement);
        }
        self.builder.finish();
    }

    /// Opens the element of a text in an item, if it has an end tag but no start tag: `<item>Plums</title>`.
    fn start_missing_element(&mut self, at: usize, piece: &str) {
        const MAX_LINE: usize = 2000;
        if at < self.text_examined || !matches!(self.open.top_key(), "item" | "entry") || piece.trim_ascii().is_empty()
        {
            return;
        }
        let rest = self.document.get(at..).unwrap_or_default();
        let line = rest.get(..rest.floor_char_boundary(MAX_LINE)).unwrap_or_default();
        let end = memchr::memchr(b'<', line.as_bytes());
        self.text_examined = at + end.unwrap_or(line.len());
        let Some(end_tag) = end.and_then(|end| rest.get(end..)?.strip_prefix("</")) else { return };
        let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'-' | b'_');
        let length = end_tag.bytes().take(40).take_while(|byte| is_of_name(*byte)).count();
        let name = end_tag.get(..length).unwrap_or_default();
        if end_tag.as_bytes().get(length) == Some(&b'>') && self.open.may_start_line(name) {
            self.repairs.note(RepairKind::MismatchedTag, at, RepairDetail::EndWithoutStart(name.to_ascii_lowercase()));
            let Some(tag) = self.tags.read(&format!("<{name}>")) else { return };
            self.open.start(&tag, (at..at, self.document), self.builder, self.repairs);
        }
    }

    /// Reads text without references, dropping control characters that XML does not allow.
    fn characters(&mut self, at: usize, piece: &str) {
        if self.open.len() == 0 {
            let word = piece.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}' || c == '\0');
            if !word.is_empty() {
                let kind = if self.root_seen { RepairKind::Other } else { RepairKind::JunkBeforeXml };
                let detail = RepairDetail::OutsideRoot(word.chars().take(40).collect());
                self.repairs.note(kind, at, detail);
            }
            return;
        }
        let mut from = 0;
        let is_special = |c: char| c == '\r' || is_forbidden(c);
        for (offset, c) in piece.char_indices().filter(|(_, c)| is_special(*c)) {
            self.builder.text(piece.get(from..offset).unwrap_or(""));
            from = offset + c.len_utf8();
            if c != '\r' {
                self.repairs.note(RepairKind::ControlCharacter, at + offset, format!("U+{:04X}", c as u32));
            } else if piece.as_bytes().get(from) != Some(&b'\n') {
                // A line ends as in well-formed XML (XML 1.0, section 2.11).
                self.builder.text("\n");
            }
        }
        self.builder.text(piece.get(from..).unwrap_or(""));
    }

    /// Reads a reference, or an unescaped ampersand. Returns the number of bytes read.
    fn ampersand(&mut self, at: usize, rest: &str) -> usize {
        if self.open.len() == 0 {
            return 1;
        }
        if let Some((replacement, length)) = self.entities.expand(rest) {
            self.builder.text(&replacement);
            return length;
        }
        match text::reference(rest) {
            Some((decoded, length)) => {
                let name = rest.get(..length).unwrap_or("&");
                if is_undefined(name) {
                    self.repairs.note(RepairKind::UndefinedEntity, at, name);
                }
                let control = rest.get(2..length - 1).and_then(control_number);
                if let Some(control) = control {
                    // Kept as written: several in a row may be UTF-8 (see repair_controls).
                    self.builder.text(control.encode_utf8(&mut [0; 4]));
                } else if is_forbidden(decoded.first) {
                    self.repairs.note(RepairKind::ControlCharacter, at, name);
                } else {
                    let mut out = String::new();
                    decoded.push_to(&mut out);
                    self.builder.text(&out);
                }
                length
            }
            None => {
                self.bare_ampersand(at, rest);
                self.builder.text("&");
                1
            }
        }
    }

    fn bare_ampersand(&mut self, at: usize, rest: &str) {
        let detail: String = rest.chars().take(20).take_while(|c| !c.is_whitespace() && *c != '<').collect();
        let kind = match entity_name(rest) {
            Some(_) => RepairKind::UndefinedEntity,
            None => RepairKind::BareAmpersand,
        };
        self.repairs.note(kind, at, detail);
    }

    /// Reads markup that begins with `<`. Returns the number of bytes read.
    fn markup(&mut self, at: usize, rest: &str) -> usize {
        let bytes = rest.as_bytes();
        if rest.starts_with(sections::COMMENTED_CDATA.opening)
            && let Some(end) = self.end(at, &sections::COMMENTED_CDATA)
        {
            self.repairs.note(RepairKind::Other, at, RepairDetail::UnknownDeclaration);
            let start = at + sections::COMMENTED_CDATA.opening.len();
            self.characters(start, self.document.get(start..end.at).unwrap_or(""));
            return end.at + sections::COMMENTED_CDATA.terminator.len() - at;
        }
        if rest.starts_with("<!--") {
            return self.skip(at, rest, &sections::COMMENT, RepairDetail::UnterminatedComment);
        }
        if let Some(opening) = cdata_opening(rest) {
            return self.cdata(at, opening);
        }
        if rest.starts_with("<?") {
            return self.skip(at, rest, &sections::INSTRUCTION, RepairDetail::UnterminatedInstruction);
        }
        // After the start of the root it is content, as in articles about HTML.
        if !self.root_seen && bytes.get(..9).is_some_and(|b| b.eq_ignore_ascii_case(b"<!doctype")) {
            return self.entities.doctype(rest);
        }
        if rest.starts_with("<!") {
            self.repairs.note(RepairKind::Other, at, RepairDetail::UnknownDeclaration);
            // Without an end, it would contain the end tag of its element.
            let end = memchr2(b'<', b'>', bytes.get(1..).unwrap_or_default()).map_or(rest.len(), |end| end + 1);
            self.builder.ends_in_markup = end == rest.len();
            return end + usize::from(bytes.get(end) == Some(&b'>'));
        }
        if let Some(spaced) = spaced::tag(rest)
            && match spaced.is_end {
                true => self.open.top() == Some(&*spaced.name),
                false => self.has_no_text() && open_elements::is_item_element(&spaced.name),
            }
        {
            self.repairs.note(RepairKind::Other, at, RepairDetail::MalformedTag);
            let slash = if spaced.is_end { "/" } else { "" };
            self.tag(at, &format!("<{slash}{}>", spaced.name), tags::TagDefect::Nothing, &[]);
            return spaced.length;
        }
        let is_text = self.open.top().is_some_and(|top| mention::is_text(rest, top, self.open.top_key()));
        match if is_text { Scan::NotATag } else { tags::scan(rest, &mut self.failed_search) } {
            Scan::NotATag => {
                self.repairs.note(RepairKind::Other, at, RepairDetail::UnescapedLessThan);
                self.characters(at, "<");
                1
            }
            Scan::Tag { length, defect, quotes } => {
                self.tag(at, rest.get(..length).unwrap_or(""), defect, &quotes);
                length
            }
            Scan::Truncated => {
                self.repairs.note(RepairKind::Truncated, at, RepairDetail::EndsWithinTag);
                // `</rss` at the very end is a valid end tag except for its `>`.
                let end_tag = rest.strip_prefix("</");
                if end_tag.is_some() {
                    self.tag(at, rest, tags::TagDefect::Close, &[]);
                }
                self.builder.ends_in_markup = !end_tag.is_some_and(|name| self.open.has_beginning(name));
                rest.len()
            }
        }
    }

    /// Reads a CDATA section whose opening has the given length. Returns the number of bytes read.
    fn cdata(&mut self, at: usize, opening: usize) -> usize {
        let start = at + opening;
        let rest = self.document.get(start..).unwrap_or("");
        let end = self.end(start, &sections::CDATA);
        let (end, length) = match end.and_then(|end| self.missing_end(start, end, &sections::CDATA)) {
            Some(missing) => (missing, missing - at),
            None => match end {
                Some(end) => {
                    let end = self.end_of_outer(start, end).unwrap_or(end.at);
                    let inside = self.document.get(start..end).unwrap_or("");
                    self.characters(start, inside);
                    return end + sections::CDATA.terminator.len() - at;
                }
                None if self.has_no_text() => (start, opening),
                // What follows the enclosing element is preserved.
                None => {
                    let end = start + self.open.next_end(rest).unwrap_or(rest.len());
                    (end, end - at)
                }
            },
        };
        self.repairs.note(RepairKind::Truncated, at, RepairDetail::UnterminatedCdata);
        let inside = self.document.get(start..end).unwrap_or("");
        let inside = ["]]", "]>", "]]&gt;"].iter().find_map(|part| inside.strip_suffix(part)).unwrap_or(inside);
        self.characters(start, inside);
        length
    }

    /// Returns the offset of the terminator of a CDATA section in which others are nested, as in scripts, if the first
    /// terminator is not its own.
    fn end_of_outer(&mut self, start: usize, first: sections::End) -> Option<usize> {
        let element = self.open.top().filter(|_| first.last_opening.is_some_and(|opening| opening >= start))?;
        let terminator = sections::CDATA.terminator;
        let after = |at: usize| self.document.get(at + terminator.len()..).unwrap_or("");
        let ends_element = |rest: &str| {
            rest.trim_ascii_start().strip_prefix("</").is_some_and(|tag| sections::is_named(tag.as_bytes(), element))
        };
        // A section that was split to contain a terminator.
        if after(first.at).starts_with(sections::CDATA.opening) {
            return None;
        }
        let mut at = first.at;
        while !ends_element(after(at)) {
            let rest = after(at);
            let found = memmem::find(rest.as_bytes(), terminator.as_bytes());
            self.searched += found.unwrap_or(rest.len());
            let between = rest.get(..found?)?;
            let mut tags = memmem::find_iter(between.as_bytes(), b"</");
            if self.searched > self.document.len() || tags.any(|at| between.get(at..).is_some_and(ends_element)) {
                return None;
            }
            at += terminator.len() + between.len();
        }
        Some(at)
    }

    /// Skips a comment or processing instruction. Returns the number of bytes read.
    fn skip(&mut self, at: usize, rest: &str, kind: &'static Kind, unterminated: RepairDetail) -> usize {
        let start = at + kind.opening.len();
        let end = self.end(start, kind);
        let missing = end.and_then(|end| match self.open.top() {
            // The XML declaration contains no markup.
            None if rest.starts_with("<?xml") => {
                let inside = self.document.get(start..end.at)?;
                Some(start + memchr::memchr(b'<', inside.as_bytes())?)
            }
            _ => self.missing_end(start, end, kind).or_else(|| self.end_of_left_open(start, end, kind)),
        });
        match end.filter(|_| missing.is_none()) {
            Some(end) => end.at + kind.terminator.len() - at,
            None => {
                self.repairs.note(RepairKind::Truncated, at, unterminated);
                // Skips unterminated markup up to the next tag only, to preserve what follows.
                missing.map_or_else(
                    || match memchr2(b'<', b'>', rest.get(1..).unwrap_or("").as_bytes()) {
                        Some(end) if rest.as_bytes().get(end + 1) == Some(&b'<') => end + 1,
                        Some(end) => end + 2,
                        None => {
                            self.builder.ends_in_markup = true;
                            rest.len()
                        }
                    },
                    |end| end - at,
                )
            }
        }
    }

    /// Whether text has no meaning here: around the document, and next to items or to the elements of one.
    fn has_no_text(&self) -> bool {
        self.open.len() == 0 || open_elements::holds_items(self.open.top_key())
    }

    /// Returns the offset at which a comment without its own terminator ends. The next terminator belongs to a later comment if the comment
    /// would otherwise contain the root, or the beginning of an item but not its end. If a second terminator follows, it is instead a
    /// commented-out part that contains a comment.
    fn end_of_left_open(&mut self, start: usize, end: sections::End, kind: &Kind) -> Option<usize> {
        let later = end.last_opening.filter(|later| *kind == sections::COMMENT && *later >= start)?;
        if self.left_open.0 != end.at {
            let after = self.document.as_bytes().get(end.at + kind.terminator.len()..)?;
            let opening = memmem::find(after, kind.opening.as_bytes()).unwrap_or(after.len());
            let has_second = memmem::find(after, kind.terminator.as_bytes()).is_some_and(|second| second < opening);
            let inside = self.document.get(start..later)?;
            let begun = if self.root_seen { begun_item(inside).map(|at| start + at) } else { Some(later) };
            self.left_open = (end.at, begun.filter(|_| !has_second));
        }
        self.left_open.1.filter(|begun| *begun >= start)?;
        self.searched += later - start;
        Some(start + memchr::memchr(b'<', self.document.as_bytes().get(start..=later)?)?)
    }

    fn missing_end(&self, start: usize, end: sections::End, kind: &Kind) -> Option<usize> {
        if *kind == sections::CDATA && self.has_no_text() && (self.open.len() == 0 || end.is_of_another(start)) {
            return Some(start);
        }
        // Several unclosed comments may reach to the same terminator, each with all comments after it.
        if *kind == sections::COMMENT && self.searched > self.document.len() {
            return None;
        }
        kind.missing_end(self.document, start, end, self.open.top()?)
    }

    /// Returns the next end of a kind of section. A search is not repeated before the end that it found.
    fn end(&mut self, start: usize, kind: &'static Kind) -> Option<sections::End> {
        if let Some((_, end)) = self.ends.iter().find(|(of, _)| *of == kind)
            && end.is_none_or(|end| start <= end.at)
        {
            return *end;
        }
        let end = kind.end(self.document, start);
        self.ends.retain(|(of, _)| *of != kind);
        self.ends.push((kind, end));
        end
    }

    fn tag(&mut self, at: usize, source: &str, defect: tags::TagDefect, quotes: &[tags::Quote]) {
        let length = source.len();
        let source = tags::repair(source, defect, quotes, |offset, rest, repaired| {
            if let Some((replacement, length)) = self.entities.expand(rest) {
                gleaner_html::escape::push_attribute(repaired, &replacement);
                return length;
            }
            match text::reference(rest) {
                Some((decoded, length)) => {
                    let name = rest.get(..length).unwrap_or("&");
                    if is_undefined(name) {
                        self.repairs.note(RepairKind::UndefinedEntity, at + offset, name);
                    }
                    let mut out = String::new();
                    decoded.push_to(&mut out);
                    gleaner_html::escape::push_attribute(repaired, &out);
                    length
                }
                None => {
                    let detail: String = rest.chars().take(20).take_while(|c| !c.is_whitespace()).collect();
                    let kind = if entity_name(rest).is_some() {
                        RepairKind::UndefinedEntity
                    } else {
                        RepairKind::BareAmpersand
                    };
                    self.repairs.note(kind, at + offset, detail);
                    repaired.push_str("&amp;");
                    1
                }
            }
        });
        if defect != tags::TagDefect::Nothing || !quotes.is_empty() {
            self.repairs.note(RepairKind::Other, at, RepairDetail::MalformedTag);
        }
        // Also in names, and from references.
        let control = source.chars().find(|c| is_forbidden(*c));
        if let Some(control) = control {
            self.repairs.note(RepairKind::ControlCharacter, at, format!("U+{:04X}", control as u32));
        }
        let source = if control.is_some() { Cow::Owned(source.replace(is_forbidden, "")) } else { source };
        let Some(tag) = self.tags.read(&source) else {
            self.repairs.note(RepairKind::Other, at, RepairDetail::UnreadableTag);
            return;
        };
        match tag.kind {
            TagKind::Start | TagKind::Empty => {
                if self.open.len() == 0 && self.root_seen {
                    self.repairs.note(RepairKind::Other, at, RepairDetail::SecondRoot);
                    // Some documents repeat their root by mistake; the rest is read as part of the first.
                }
                // The slash of a root is that of a URL without its last quote, or a mistake: the document would be well-formed.
                let name = tag.name.to_ascii_lowercase();
                let is_root = !self.root_seen && open_elements::holds_items(&name);
                let is_cut_root = self.open.len() == 0 && matches!(defect, tags::TagDefect::Quote(_));
                self.root_seen = true;
                if is_root {
                    self.is_root_empty = tag.kind == TagKind::Empty;
                } else if self.open.len() == 1 && self.open.top_key() != name {
                    self.is_root_empty = false;
                }
                let is_empty = tag.kind == TagKind::Empty && !is_cut_root && !is_root;
                let opened = self.open.start(&tag, (at..at + length, self.document), self.builder, self.repairs);
                if opened && (is_empty || self.open.is_void_html(&tag)) {
                    self.open.end_top(self.builder);
                }
            }
            TagKind::End => self.open.end(&tag, at, self.builder, self.repairs),
        }
    }
}

/// Returns the offset of the last item, or element that contains items, that begins in a text and does not end in it.
fn begun_item(text: &str) -> Option<usize> {
    let mut ends = 0_usize;
    memchr::memrchr_iter(b'<', text.as_bytes()).find(|at| {
        let tag = text.get(at + 1..).unwrap_or_default();
        let (is_end, tag) = tag.strip_prefix('/').map_or((false, tag), |tag| (true, tag));
        let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'-' | b'_');
        let length = tag.bytes().take(40).take_while(is_of_name).count();
        let name = tag.get(..length).and_then(|name| name.rsplit(':').next()).unwrap_or_default();
        if !open_elements::holds_items(&name.to_ascii_lowercase()) {
            return false;
        }
        let is_begun = !is_end && ends == 0;
        ends = if is_end { ends + 1 } else { ends.saturating_sub(1) };
        is_begun
    })
}

/// Returns the length of the opening of a CDATA section, in any case, if a text begins with one. It may have spaces, or lack its first
/// bracket.
fn cdata_opening(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix('<')?.trim_ascii_start().strip_prefix('!')?.trim_ascii_start();
    let inside = inside.strip_prefix('[').unwrap_or(inside).trim_ascii_start();
    inside.get(..5).filter(|name| name.eq_ignore_ascii_case("cdata"))?;
    let inside = inside.get(5..)?.trim_ascii_start().strip_prefix('[')?;
    Some(rest.len() - inside.len())
}

/// Returns the C1 control of a numeric reference, given its digits and `x`.
fn control_number(digits: &str) -> Option<char> {
    let value = match digits.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    char::from_u32(value).filter(|c| matches!(c, '\u{80}'..='\u{9f}'))
}

/// Whether a complete reference is not one of XML's predefined entities.
fn is_undefined(reference: &str) -> bool {
    !reference.starts_with("&#") && !matches!(reference, "&lt;" | "&gt;" | "&amp;" | "&quot;" | "&apos;")
}

/// Returns the name of a complete reference such as `&foo;`.
fn entity_name(rest: &str) -> Option<&str> {
    let name = rest.get(1..)?;
    let end = name.as_bytes().iter().take(40).position(|b| !b.is_ascii_alphanumeric())?;
    (end > 0 && name.as_bytes().get(end) == Some(&b';')).then(|| name.get(..end)).flatten()
}

/// Whether XML 1.0 forbids the character (section 2.2).
fn is_forbidden(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}
