//! Repairs invalid JSON: superfluous or missing commas, comments, raw control characters, unescaped quotation marks and invalid escapes in
//! strings, unpaired surrogates, and words that are not values. Of truncated documents, the complete items are kept. Each character is
//! visited once.

mod lookahead;

pub(super) use lookahead::ends_value;

use crate::{
    model::{RepairDetail, RepairKind},
    repair::{Repairs, truncated},
};
use std::{iter::Peekable, str::CharIndices};

/// Maximum depth, similar to that of `serde_json`.
const MAX_DEPTH: usize = 120;

/// An open object or array.
struct Open {
    end: char,
    /// Length of the output after its last complete member.
    complete: usize,
    /// Whether a name and a colon were read, so that a value must follow.
    named: bool,
    /// Whether a name was read, so that a colon must follow.
    has_name: bool,
}

struct JsonRepairer<'s, 'r, 't> {
    source: &'s str,
    /// Offset of the source in the document.
    offset: usize,
    chars: Peekable<CharIndices<'s>>,
    repairs: &'r mut Repairs<'t>,
    out: String,
    open: Vec<Open>,
    /// Whether a value was read, so that a comma or an end must follow.
    after_value: bool,
    /// Position of a comma that no value has followed yet.
    comma: Option<(usize, usize)>,
    first_quote: Option<char>,
}

/// Returns the first value in the source as valid JSON. `None` if it is nested too deeply or not a value.
pub(super) fn repair(source: &str, offset: usize, repairs: &mut Repairs<'_>) -> Option<String> {
    let mut repairer = JsonRepairer::run(source, offset, repairs)?;
    repairer.truncate();
    Some(repairer.out)
}

/// Does the same, but does not close what is open at the end of a truncated document.
pub(crate) fn repair_open(source: &str, offset: usize, repairs: &mut Repairs<'_>) -> Option<String> {
    JsonRepairer::run(source, offset, repairs).map(|repairer| repairer.out)
}

impl<'s, 'r, 't> JsonRepairer<'s, 'r, 't> {
    fn note(&mut self, kind: RepairKind, at: usize, detail: impl Into<RepairDetail>) {
        self.repairs.note(kind, self.offset + at, detail);
    }

    /// Reads the first value, or up to the end of the document; `None` if it is nested too deeply or not a value.
    fn run(source: &'s str, offset: usize, repairs: &'r mut Repairs<'t>) -> Option<Self> {
        let mut repairer = Self {
            source,
            offset,
            chars: source.char_indices().peekable(),
            repairs,
            out: String::with_capacity(source.len() + 16),
            open: Vec::new(),
            after_value: false,
            comma: None,
            first_quote: None,
        };
        repairer.read()?;
        Some(repairer)
    }

    fn read(&mut self) -> Option<()> {
        while let Some((at, c)) = self.chars.next() {
            match c {
                c if c.is_whitespace() || c == '\u{feff}' => self.out.push(' '),
                '/' if matches!(self.chars.peek(), Some((_, '/' | '*'))) => self.comment(at),
                ',' if self.after_value => {
                    self.comma = Some((at, self.out.len()));
                    self.out.push(',');
                    self.after_value = false;
                }
                ',' if self.is_named() => {
                    self.missing_value(at);
                    self.out.push(',');
                    self.after_value = false;
                }
                ',' => self.note(RepairKind::Other, at, RepairDetail::SuperfluousComma),
                ':' if self.after_value && !self.is_named() => {
                    self.out.push(':');
                    self.after_value = false;
                    self.named();
                }
                ':' => self.note(RepairKind::Other, at, RepairDetail::SuperfluousColon),
                '{' | '[' => {
                    self.start_value(at);
                    self.out.push(c);
                    self.open.push(Open {
                        end: if c == '{' { '}' } else { ']' },
                        complete: self.out.len(),
                        named: false,
                        has_name: false,
                    });
                    self.after_value = false;
                    if self.open.len() > MAX_DEPTH {
                        return None;
                    }
                }
                '}' | ']' => {
                    self.drop_comma();
                    if self.is_named() && !self.after_value {
                        self.missing_value(at);
                    }
                    if self.open.iter().any(|open| open.end == c) {
                        while let Some(open) = self.open.pop() {
                            self.out.push(open.end);
                            if open.end == c {
                                break;
                            }
                            self.note(
                                RepairKind::MismatchedTag,
                                at,
                                RepairDetail::WrongBracket { found: c, expected: open.end },
                            );
                        }
                        self.end_value();
                        if self.open.is_empty() {
                            return Some(());
                        }
                    } else {
                        self.note(RepairKind::Other, at, RepairDetail::UnmatchedBracket(c));
                    }
                }
                '"' | '\'' if self.is_quote(c) => {
                    self.start_value(at);
                    match self.string(at, c) {
                        Some(true) => self.end_value(),
                        Some(false) => break,
                        None => {}
                    }
                }
                _ => {
                    self.start_value(at);
                    self.word(at, c);
                    // The rest of a number may be missing.
                    if self.chars.peek().is_none() {
                        break;
                    }
                    self.end_value();
                }
            }
        }
        if self.open.is_empty() {
            return None;
        }
        self.note(RepairKind::Truncated, self.source.len(), RepairDetail::EndsWithinValue);
        Some(())
    }

    /// Handles the start of a value, which needs a comma after another.
    fn start_value(&mut self, at: usize) {
        let has_name = self.open.last().is_some_and(|open| open.has_name);
        if has_name && self.after_value && lookahead::begins_with_value(self.source.get(at..).unwrap_or("")) {
            self.note(RepairKind::Other, at, ":");
            self.out.push(':');
            self.named();
        } else if self.after_value && !self.open.is_empty() {
            self.note(RepairKind::Other, at, RepairDetail::MissingComma);
            self.out.push(',');
        }
        self.comma = None;
    }

    /// Handles the colon after a name.
    fn named(&mut self) {
        self.after_value = false;
        if let Some(open) = self.open.last_mut() {
            (open.named, open.has_name) = (true, false);
        }
    }

    /// Handles the end of a value or of a name.
    fn end_value(&mut self) {
        self.after_value = true;
        let end = self.out.len();
        if let Some(open) = self.open.last_mut() {
            open.has_name = !open.named && open.end == '}';
            // A name alone is not a complete member.
            if open.named || open.end == ']' {
                open.complete = end;
            }
            open.named = false;
        }
    }

    /// Whether a quotation mark begins a string. Python writes lists and objects with single ones, unless a string contains one.
    fn is_quote(&mut self, c: char) -> bool {
        let first = *self.first_quote.get_or_insert(c);
        c == '"' || first == '\''
    }

    fn is_named(&self) -> bool {
        self.open.last().is_some_and(|open| open.named)
    }

    fn missing_value(&mut self, at: usize) {
        self.note(RepairKind::Other, at, RepairDetail::NameWithoutValue);
        self.out.push_str("null");
        self.end_value();
    }

    fn drop_comma(&mut self) {
        if let Some((at, place)) = self.comma.take() {
            self.note(RepairKind::Other, at, RepairDetail::SuperfluousComma);
            self.out.replace_range(place..=place, " ");
        }
    }

    fn comment(&mut self, at: usize) {
        self.note(RepairKind::Other, at, RepairDetail::Comment);
        let line = matches!(self.chars.next(), Some((_, '/')));
        let mut last = ' ';
        for (_, c) in self.chars.by_ref() {
            if (line && c == '\n') || (!line && last == '*' && c == '/') {
                break;
            }
            last = c;
        }
    }

    /// Reads the rest of a string; false if it is unterminated, `None` if it is a name without a quotation mark and its colon.
    fn string(&mut self, start: usize, quote: char) -> Option<bool> {
        self.out.push('"');
        let in_object = self.open.last().is_some_and(|open| open.end == '}');
        let is_name = in_object && !self.is_named();
        while let Some((at, c)) = self.chars.next() {
            match c {
                ':' if is_name && lookahead::lacks_quote(self.source.get(start + 1..at), self.source.get(at + 1..)) => {
                    self.note(RepairKind::Other, at, "\"");
                    self.out.push_str("\":");
                    self.named();
                    return None;
                }
                c if c == quote
                    && (is_name || lookahead::ends_value(self.source.get(at + 1..).unwrap_or(""), in_object)) =>
                {
                    self.out.push('"');
                    return Some(true);
                }
                '"' => {
                    self.note(RepairKind::Other, at, "\"");
                    self.out.push_str("\\\"");
                }
                '\\' => self.escape(at),
                c if c < ' ' => {
                    if !matches!(c, '\n' | '\r' | '\t') {
                        self.note(RepairKind::ControlCharacter, at, format!("U+{:04X}", u32::from(c)));
                    } else if self.repairs.list.last().is_none_or(|last| last.detail != RepairDetail::LineBreakInString)
                    {
                        self.note(RepairKind::Other, at, RepairDetail::LineBreakInString);
                    }
                    match c {
                        '\n' => self.out.push_str("\\n"),
                        '\t' => self.out.push_str("\\t"),
                        _ => self.out.push(' '),
                    }
                }
                c => self.out.push(c),
            }
        }
        self.note(RepairKind::Truncated, start, RepairDetail::UnterminatedString);
        Some(false)
    }

    fn escape(&mut self, at: usize) {
        let rest = self.source.get(at..).unwrap_or("");
        match self.chars.peek().map(|(_, c)| *c) {
            Some('u') => match unit(rest) {
                Some(high @ 0xd800..=0xdbff) => {
                    let low = rest.get(6..).and_then(unit).filter(|low| (0xdc00..=0xdfff).contains(low));
                    match low {
                        Some(low) => {
                            self.out.push_str(&format!("\\u{high:04x}\\u{low:04x}"));
                            self.skip(11);
                        }
                        None => self.unpaired_surrogate(at),
                    }
                }
                Some(0xdc00..=0xdfff) => self.unpaired_surrogate(at),
                Some(unit) => {
                    self.out.push_str(&format!("\\u{unit:04x}"));
                    self.skip(5);
                }
                None => self.backslash(at),
            },
            Some(c @ ('"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't')) => {
                self.out.push('\\');
                self.out.push(c);
                self.skip(1);
            }
            Some('\'') => {
                self.note(RepairKind::Other, at, RepairDetail::InvalidEscape);
                self.out.push('\'');
                self.skip(1);
            }
            _ => self.backslash(at),
        }
    }

    /// Reads an unpaired surrogate; some programs truncate texts there.
    fn unpaired_surrogate(&mut self, at: usize) {
        self.note(RepairKind::Other, at, RepairDetail::UnpairedSurrogate);
        self.out.push('\u{fffd}');
        self.skip(5);
    }

    fn backslash(&mut self, at: usize) {
        self.note(RepairKind::Other, at, RepairDetail::InvalidEscape);
        self.out.push_str("\\\\");
    }

    fn skip(&mut self, count: usize) {
        self.chars.by_ref().take(count).for_each(drop);
    }

    /// Reads a number or literal; anything else is a string without quotes.
    fn word(&mut self, at: usize, first: char) {
        let mut end = at + first.len_utf8();
        while let Some((here, c)) =
            self.chars.next_if(|(_, c)| !matches!(c, ',' | ':' | '}' | ']' | '"') && !c.is_whitespace())
        {
            end = here + c.len_utf8();
        }
        let word = self.source.get(at..end).unwrap_or("");
        // The first quotation mark of a string is missing.
        let after = self.source.get(end..).and_then(|rest| rest.strip_prefix('"'));
        let in_object = self.open.last().is_some_and(|open| open.end == '}');
        let is_name = in_object && !self.is_named();
        let ends = |after: &str| {
            if is_name { lookahead::begins_with_colon(after) } else { lookahead::ends_value(after, in_object) }
        };
        if after.is_some_and(ends) {
            self.note(RepairKind::Other, at, "\"");
            self.skip(1);
        }
        match serde_json::from_str::<serde_json::Value>(word) {
            Ok(_) => self.out.push_str(word),
            Err(_) => {
                self.note(RepairKind::Other, at, RepairDetail::InvalidValue(truncated(word)));
                let known = match word {
                    "NaN" | "undefined" | "None" | "nil" => "null".to_owned(),
                    "True" => "true".to_owned(),
                    "False" => "false".to_owned(),
                    other => serde_json::Value::from(other.trim_matches('\'')).to_string(),
                };
                self.out.push_str(&known);
            }
        }
    }

    /// Handles a truncated document: removes the incomplete member of the top-level list, and everything that it
    /// contains.
    fn truncate(&mut self) {
        if self.open.is_empty() {
            return;
        }
        // Of an incomplete list of the feed, the complete entries are kept; an incomplete object is removed.
        let keep = if self.open.get(1).is_some_and(|open| open.end == ']') { 2 } else { 1 };
        self.open.truncate(keep);
        let complete = self.open.last().map_or(0, |open| open.complete);
        self.out.truncate(complete);
        while let Some(open) = self.open.pop() {
            self.out.push(open.end);
        }
    }
}

/// Parses the digits of `\uXXXX`.
fn unit(source: &str) -> Option<u32> {
    let digits = source.strip_prefix("\\u")?.get(..4)?;
    digits.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}
