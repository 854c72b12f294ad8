//! Entities declared in the document itself. External ones are never fetched.

use crate::builder::MAX_EXPANSION;
use memchr::memmem;
use std::{borrow::Cow, collections::HashMap};

const MAX_DEPTH: usize = 8;
const MAX_ENTITIES: usize = 1000;

#[derive(Debug, Default)]
pub(super) struct Entities {
    declared: HashMap<String, String>,
    expanded: usize,
    /// Whether a declaration was unterminated. Then the end of further ones is not searched for.
    has_unterminated: bool,
}

impl Entities {
    /// Reads a document type declaration; returns its length in bytes.
    pub(super) fn doctype(&mut self, source: &str) -> usize {
        let first_line = || memchr::memchr(b'>', source.as_bytes()).map_or(source.len(), |at| at + 1);
        if self.has_unterminated {
            return first_line();
        }
        let bytes = source.as_bytes();
        let mut quote = None;
        let mut bracket = None;
        let mut at = 0;
        let end = loop {
            let Some(byte) = bytes.get(at) else {
                // Unterminated: only the first line counts as the declaration.
                self.has_unterminated = true;
                return first_line();
            };
            match (quote, byte) {
                (Some(q), b) if q == *b => quote = None,
                (Some(_), _) => {}
                (None, b'"' | b'\'') => quote = Some(*byte),
                // An apostrophe in a comment is not a quote.
                (None, b'<') if bytes.get(at..at + 4) == Some(b"<!--") => {
                    at = memmem::find(bytes.get(at + 4..).unwrap_or(&[]), b"-->")
                        .map_or(bytes.len(), |end| at + 7 + end);
                    continue;
                }
                // A start tag: the declaration has no end. The names in it begin with `!` or `?`.
                (None, b'<') if at > 0 && bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic) => return at,
                (None, b'[') if bracket.is_none() => bracket = Some((at + 1, None)),
                (None, b']') => {
                    if let Some((_, end @ None)) = &mut bracket {
                        *end = Some(at);
                    }
                }
                (None, b'>') if bracket.is_none_or(|(_, end)| end.is_some()) => break at + 1,
                _ => {}
            }
            at += 1;
        };
        if let Some((from, Some(to))) = bracket {
            self.subset(source.get(from..to).unwrap_or(""));
        }
        end
    }

    /// Reads `<!ENTITY name "value">` in the internal subset; skips parameter and external entities.
    fn subset(&mut self, subset: &str) {
        for declaration in subset.split("<!ENTITY").skip(1) {
            let mut words = declaration.trim_start().splitn(2, char::is_whitespace);
            let (Some(name), Some(rest)) = (words.next(), words.next()) else { continue };
            let rest = rest.trim_start();
            let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) else { continue };
            let Some(value) = rest.get(1..).and_then(|r| r.split(quote).next()) else { continue };
            if name != "%" && self.declared.len() < MAX_ENTITIES {
                // The first declaration counts (XML 1.0, section 4.2).
                self.declared.entry(name.to_owned()).or_insert_with(|| value.to_owned());
            }
        }
    }

    /// Expands a declared entity at the start of `rest`; returns its text and the length of the reference.
    pub(super) fn expand(&mut self, rest: &str) -> Option<(Cow<'static, str>, usize)> {
        if self.declared.is_empty() {
            return None;
        }
        let name = super::entity_name(rest)?;
        let value = self.declared.get(name)?;
        let mut out = String::new();
        let mut left = MAX_EXPANSION.saturating_sub(self.expanded);
        if left > 0 {
            self.append(value, MAX_DEPTH, &mut left, &mut out);
        }
        let length = name.len() + 2;
        // An expansion beyond the limit uses up the whole budget.
        self.expanded = MAX_EXPANSION - left;
        // Markup in an entity is shown as text: entities in feeds are characters and phrases.
        Some((Cow::Owned(out), length))
    }

    fn append(&self, value: &str, depth: usize, left: &mut usize, out: &mut String) {
        let mut rest = value;
        while let Some(at) = rest.find('&') {
            let (before, from) = rest.split_at(at);
            push(before, left, out);
            let inner = super::entity_name(from).and_then(|name| Some((name, self.declared.get(name)?)));
            let length = match (inner, crate::text::reference(from)) {
                (Some((name, value)), _) if depth > 0 => {
                    self.append(value, depth - 1, left, out);
                    name.len() + 2
                }
                (None, Some((decoded, length))) => {
                    let mut one = String::new();
                    decoded.push_to(&mut one);
                    push(&one, left, out);
                    length
                }
                _ => {
                    push("&", left, out);
                    1
                }
            };
            if *left == 0 {
                return;
            }
            rest = from.get(length..).unwrap_or("");
        }
        push(rest, left, out);
    }
}

fn push(piece: &str, left: &mut usize, out: &mut String) {
    if piece.len() <= *left {
        out.push_str(piece);
        *left -= piece.len();
    } else {
        *left = 0;
    }
}
