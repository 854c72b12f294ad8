//! The second attempt, for what is not well-formed XML: the document is cut into tags, text, CDATA and the rest here, where
//! every repair knows its line; a tag with its attributes is read by `xml5ever`'s tokenizer, mended first where it has to be.
//! Each byte is looked at a fixed number of times, so that the time is linear in the length of the document.

mod entities;
mod open_elements;
mod tags;

use crate::{
    builder::{Builder, Handler},
    model::RepairKind,
    repair::Repairs,
    text,
};
use entities::Entities;
use memchr::{memchr2, memmem};
use open_elements::OpenElements;
use tags::{InVain, Scan, TagKind, TagReader};

/// Reads what can be read of a document into the builder.
pub(crate) fn read<H: Handler>(document: &str, builder: &mut Builder<H>, repairs: &mut Repairs<'_>) {
    let start = skip_junk(document, repairs);
    let mut reader = Reader {
        document,
        builder,
        repairs,
        open: OpenElements::default(),
        entities: Entities::default(),
        tags: TagReader::default(),
        in_vain: InVain::default(),
        endless: Vec::new(),
        root_seen: false,
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
    in_vain: InVain,
    /// What ends comments and the like, and does not come any more.
    endless: Vec<&'static str>,
    root_seen: bool,
}

/// Where the XML begins: past white space, notices of scripts and whatever else stands before it.
fn skip_junk(document: &str, repairs: &mut Repairs<'_>) -> usize {
    let bytes = document.as_bytes();
    let head = bytes.get(..bytes.len().min(65_536)).unwrap_or(bytes);
    let lower = head.to_ascii_lowercase();
    let find = |what: &[u8]| memmem::find(&lower, what);
    let root = [&b"<rss"[..], b"<feed", b"<rdf", b"<opml", b"<channel", b"<atom:feed", b"<entry"];
    let root = root.iter().filter_map(|root| find(root)).min();
    let start = match (find(b"<?xml"), root) {
        // Behind the root it is what an article shows.
        (Some(at), root) if root.is_none_or(|root| at < root) => at,
        // A doctype or comment in front of the root belongs to the document.
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
        repairs.note(RepairKind::JunkBeforeXml, 0, "white space");
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
                    self.characters(at, rest.get(..end).unwrap_or(""));
                    end
                }
            };
            at += length.max(1);
        }
        if self.open.len() > 0 {
            self.repairs.note(RepairKind::Truncated, self.document.len(), "the document ends inside an element");
        }
        self.builder.finish();
    }

    /// Text without references. Controls that XML forbids are dropped.
    fn characters(&mut self, at: usize, piece: &str) {
        if self.open.len() == 0 {
            let word = piece.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}' || c == '\0');
            if !word.is_empty() {
                let kind = if self.root_seen { RepairKind::Other } else { RepairKind::JunkBeforeXml };
                let detail = format!("text outside the document: {}", word.chars().take(40).collect::<String>());
                self.repairs.note(kind, at, detail);
            }
            return;
        }
        let mut from = 0;
        for (offset, c) in piece.char_indices().filter(|(_, c)| is_forbidden(*c)) {
            self.repairs.note(RepairKind::ControlCharacter, at + offset, format!("U+{:04X}", c as u32));
            self.builder.text(piece.get(from..offset).unwrap_or(""));
            from = offset + c.len_utf8();
        }
        self.builder.text(piece.get(from..).unwrap_or(""));
    }

    /// A reference, or an ampersand that is none. Gives the number of bytes read.
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
                    // Kept as written: a run of them may be UTF-8 (see mend_controls).
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

    /// What begins with `<`. Gives the number of bytes read.
    fn markup(&mut self, at: usize, rest: &str) -> usize {
        let bytes = rest.as_bytes();
        if rest.starts_with("<!--") {
            return self.until(at, rest, 4, "-->", "comment");
        }
        if let Some(cdata) = rest.strip_prefix("<![CDATA[") {
            let (inside, length) = match self.find(cdata, "]]>") {
                Some(end) => (cdata.get(..end).unwrap_or(""), end + 12),
                None => {
                    self.repairs.note(RepairKind::Truncated, at, "CDATA section without an end");
                    // What follows the element that it stands in is not lost with it.
                    let end = self.open.next_end(cdata).unwrap_or(cdata.len());
                    (cdata.get(..end).unwrap_or(""), 9 + end)
                }
            };
            self.characters(at + 9, inside);
            return length;
        }
        if rest.starts_with("<?") {
            return self.until(at, rest, 2, "?>", "processing instruction");
        }
        // Behind the root it is content, as articles about HTML have it.
        if !self.root_seen && bytes.get(..9).is_some_and(|b| b.eq_ignore_ascii_case(b"<!doctype")) {
            return self.entities.doctype(rest);
        }
        if rest.starts_with("<!") {
            self.repairs.note(RepairKind::Other, at, "unknown declaration");
            return memchr::memchr(b'>', bytes).map_or(rest.len(), |end| end + 1);
        }
        match tags::scan(rest, &mut self.in_vain) {
            Scan::NotATag => {
                self.repairs.note(RepairKind::Other, at, "bare <");
                self.characters(at, "<");
                1
            }
            Scan::Tag { length, mend, quotes } => {
                self.tag(at, rest.get(..length).unwrap_or(""), mend, &quotes);
                length
            }
            Scan::CutOff => {
                self.repairs.note(RepairKind::Truncated, at, "the document ends inside a tag");
                // `</rss` at the very end still says what it closes.
                if rest.starts_with("</") {
                    self.tag(at, rest, tags::Mend::Close, &[]);
                }
                rest.len()
            }
        }
    }

    fn until(&mut self, at: usize, rest: &str, from: usize, end: &'static str, what: &str) -> usize {
        match self.find(rest.get(from..).unwrap_or(""), end) {
            Some(found) => from + found + end.len(),
            None => {
                self.repairs.note(RepairKind::Truncated, at, format!("{what} without an end"));
                // What was meant to be markup alone is skipped up to the next tag, or all that follows would be lost.
                memchr::memchr(b'>', rest.as_bytes()).map_or(rest.len(), |end| end + 1)
            }
        }
    }

    /// Where `end` stands in the rest of the document. Once it does not, it is not looked for again.
    fn find(&mut self, rest: &str, end: &'static str) -> Option<usize> {
        if self.endless.contains(&end) {
            return None;
        }
        let found = memmem::find(rest.as_bytes(), end.as_bytes());
        if found.is_none() {
            self.endless.push(end);
        }
        found
    }

    fn tag(&mut self, at: usize, source: &str, mend: tags::Mend, quotes: &[usize]) {
        let mended = tags::mend(source, mend, quotes, |offset, rest, repaired| {
            if let Some((replacement, length)) = self.entities.expand(rest) {
                crate::tree::escape(&replacement, true, repaired);
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
                    crate::tree::escape(&out, true, repaired);
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
        if mend != tags::Mend::Nothing || !quotes.is_empty() {
            self.repairs.note(RepairKind::Other, at, "malformed tag");
        }
        let Some(mut tag) = self.tags.read(&mended) else {
            self.repairs.note(RepairKind::Other, at, "unreadable tag");
            return;
        };
        for (_, _, value) in &mut tag.attributes {
            if let Some(control) = value.chars().find(|c| is_forbidden(*c)) {
                self.repairs.note(RepairKind::ControlCharacter, at, format!("U+{:04X}", control as u32));
                value.retain(|c| !is_forbidden(c));
            }
        }
        match tag.kind {
            TagKind::Start | TagKind::Empty => {
                if self.open.len() == 0 && self.root_seen {
                    self.repairs.note(RepairKind::Other, at, "a second root element");
                    // A page may repeat its root by mistake; what follows is read as part of the first.
                }
                self.root_seen = true;
                self.open.start(&tag, at, self.builder, self.repairs);
                if tag.kind == TagKind::Empty || self.open.is_void_html(&tag) {
                    self.open.end_top(self.builder);
                }
            }
            TagKind::End => self.open.end(&tag, at, self.builder, self.repairs),
        }
    }
}

/// The C1 control that a numeric reference names, digits and `x` without the rest.
fn control_number(digits: &str) -> Option<char> {
    let value = match digits.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    char::from_u32(value).filter(|c| matches!(c, '\u{80}'..='\u{9f}'))
}

/// Whether a whole reference needs a declaration that XML itself does not give.
fn is_undefined(reference: &str) -> bool {
    !reference.starts_with("&#") && !matches!(reference, "&lt;" | "&gt;" | "&amp;" | "&quot;" | "&apos;")
}

/// The name of a whole reference such as `&foo;`.
fn entity_name(rest: &str) -> Option<&str> {
    let name = rest.get(1..)?;
    let end = name.as_bytes().iter().take(40).position(|b| !b.is_ascii_alphanumeric())?;
    (end > 0 && name.as_bytes().get(end) == Some(&b';')).then(|| name.get(..end)).flatten()
}

/// Characters that XML 1.0 does not allow (section 2.2).
fn is_forbidden(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}
