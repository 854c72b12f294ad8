//! JSON that is not quite JSON, made so: commas too many or too few, comments, raw controls and wrong escapes in strings, halves
//! of surrogate pairs, words that are no value, and a document that was cut off, of which the items that were whole stay.
//! Each character is looked at once.

use crate::{model::RepairKind, repair::Repairs};
use std::{iter::Peekable, str::CharIndices};

/// `serde_json` goes no deeper either.
const MAX_DEPTH: usize = 120;

/// An object or array that is open.
struct Open {
    end: char,
    /// Where the output stood behind its last whole member.
    whole: usize,
    /// A name and its colon stand before: what follows is a value.
    named: bool,
}

struct Mender<'s, 'r, 't> {
    source: &'s str,
    /// Where the source stands in the document.
    offset: usize,
    chars: Peekable<CharIndices<'s>>,
    repairs: &'r mut Repairs<'t>,
    out: String,
    open: Vec<Open>,
    /// A value stands before, and a comma or an end has to follow it.
    after_value: bool,
    /// Where a comma stands that no value followed yet.
    comma: Option<(usize, usize)>,
}

/// The first value in the source as JSON. `None` where it is nested too deeply or no value at all.
pub(super) fn mend(source: &str, offset: usize, repairs: &mut Repairs<'_>) -> Option<String> {
    let mut mender = Mender {
        source,
        offset,
        chars: source.char_indices().peekable(),
        repairs,
        out: String::with_capacity(source.len() + 16),
        open: Vec::new(),
        after_value: false,
        comma: None,
    };
    mender.run()?;
    Some(mender.out)
}

impl Mender<'_, '_, '_> {
    fn note(&mut self, kind: RepairKind, at: usize, detail: impl Into<String>) {
        self.repairs.note(kind, self.offset + at, detail);
    }

    fn run(&mut self) -> Option<()> {
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
                    self.no_value(at);
                    self.out.push(',');
                    self.after_value = false;
                }
                ',' => self.note(RepairKind::Other, at, "a comma too many"),
                ':' if self.after_value && !self.is_named() => {
                    self.out.push(':');
                    self.after_value = false;
                    if let Some(open) = self.open.last_mut() {
                        open.named = true;
                    }
                }
                ':' => self.note(RepairKind::Other, at, "a colon too many"),
                '{' | '[' => {
                    self.value(at);
                    self.out.push(c);
                    self.open.push(Open { end: if c == '{' { '}' } else { ']' }, whole: self.out.len(), named: false });
                    self.after_value = false;
                    if self.open.len() > MAX_DEPTH {
                        return None;
                    }
                }
                '}' | ']' => {
                    self.drop_comma();
                    if self.is_named() && !self.after_value {
                        self.no_value(at);
                    }
                    if self.open.iter().any(|open| open.end == c) {
                        while let Some(open) = self.open.pop() {
                            self.out.push(open.end);
                            if open.end == c {
                                break;
                            }
                            self.note(RepairKind::MismatchedTag, at, format!("{c} in place of {}", open.end));
                        }
                        self.whole();
                        if self.open.is_empty() {
                            return Some(());
                        }
                    } else {
                        self.note(RepairKind::Other, at, format!("{c} without a start"));
                    }
                }
                '"' => {
                    self.value(at);
                    if !self.string(at) {
                        break;
                    }
                    self.whole();
                }
                _ => {
                    self.value(at);
                    self.word(at, c);
                    self.whole();
                }
            }
        }
        self.cut_off()
    }

    /// A value begins: behind another there has to be a comma.
    fn value(&mut self, at: usize) {
        if self.after_value && !self.open.is_empty() {
            self.note(RepairKind::Other, at, "a comma is missing");
            self.out.push(',');
        }
        self.comma = None;
    }

    /// A value, or the name of one, has come to its end.
    fn whole(&mut self) {
        self.after_value = true;
        let end = self.out.len();
        if let Some(open) = self.open.last_mut() {
            // A name alone is no member yet.
            if open.named || open.end == ']' {
                open.whole = end;
            }
            open.named = false;
        }
    }

    fn is_named(&self) -> bool {
        self.open.last().is_some_and(|open| open.named)
    }

    fn no_value(&mut self, at: usize) {
        self.note(RepairKind::Other, at, "a name without a value");
        self.out.push_str("null");
        self.whole();
    }

    fn drop_comma(&mut self) {
        if let Some((at, place)) = self.comma.take() {
            self.note(RepairKind::Other, at, "a comma too many");
            self.out.replace_range(place..=place, " ");
        }
    }

    fn comment(&mut self, at: usize) {
        self.note(RepairKind::Other, at, "a comment");
        let line = matches!(self.chars.next(), Some((_, '/')));
        let mut last = ' ';
        for (_, c) in self.chars.by_ref() {
            if (line && c == '\n') || (!line && last == '*' && c == '/') {
                break;
            }
            last = c;
        }
    }

    /// The rest of a string; false when it never ends.
    fn string(&mut self, start: usize) -> bool {
        self.out.push('"');
        while let Some((at, c)) = self.chars.next() {
            match c {
                '"' => {
                    self.out.push('"');
                    return true;
                }
                '\\' => self.escape(at),
                c if c < ' ' => {
                    if !matches!(c, '\n' | '\r' | '\t') {
                        self.note(RepairKind::ControlCharacter, at, format!("U+{:04X}", u32::from(c)));
                    } else if self.repairs.list.last().is_none_or(|last| last.detail != RAW_BREAK) {
                        self.note(RepairKind::Other, at, RAW_BREAK);
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
        self.note(RepairKind::Truncated, start, "a string without an end");
        false
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
                        None => self.half(at),
                    }
                }
                Some(0xdc00..=0xdfff) => self.half(at),
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
            _ => self.backslash(at),
        }
    }

    /// Half of a character beyond U+FFFF: some cut their texts there.
    fn half(&mut self, at: usize) {
        self.note(RepairKind::Other, at, "half of a surrogate pair");
        self.out.push('\u{fffd}');
        self.skip(5);
    }

    fn backslash(&mut self, at: usize) {
        self.note(RepairKind::Other, at, "a backslash that escapes nothing");
        self.out.push_str("\\\\");
    }

    fn skip(&mut self, count: usize) {
        self.chars.by_ref().take(count).for_each(drop);
    }

    /// A number or one of the three names; anything else is taken for a text that lost its quotes.
    fn word(&mut self, at: usize, first: char) {
        let mut end = at + first.len_utf8();
        while let Some((here, c)) =
            self.chars.next_if(|(_, c)| !matches!(c, ',' | ':' | '}' | ']' | '"') && !c.is_whitespace())
        {
            end = here + c.len_utf8();
        }
        let word = self.source.get(at..end).unwrap_or("");
        match serde_json::from_str::<serde_json::Value>(word) {
            Ok(_) => self.out.push_str(word),
            Err(_) => {
                self.note(RepairKind::Other, at, format!("no value: {word}"));
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

    /// The document ends in the middle: what was not whole of the list at the top goes, and with it what it stands in.
    fn cut_off(&mut self) -> Option<()> {
        if self.open.is_empty() {
            return None;
        }
        self.note(RepairKind::Truncated, self.source.len(), "the document ends inside a value");
        // Of the feed's own members a list keeps what was whole of it; an object that is not whole goes altogether.
        let keep = if self.open.get(1).is_some_and(|open| open.end == ']') { 2 } else { 1 };
        self.open.truncate(keep);
        let whole = self.open.last().map_or(0, |open| open.whole);
        self.out.truncate(whole);
        while let Some(open) = self.open.pop() {
            self.out.push(open.end);
        }
        Some(())
    }
}

const RAW_BREAK: &str = "a line break or tab in a string";

/// The number of `\uXXXX` at the start.
fn unit(source: &str) -> Option<u32> {
    let digits = source.strip_prefix("\\u")?.get(..4)?;
    digits.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}
