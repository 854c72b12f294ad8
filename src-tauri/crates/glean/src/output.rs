//! Output to the terminal, and the one place where texts of feeds, servers and files are made safe to print.
//!
//! When standard output is closed (`| head`), the program exits with status 0; when it can't be written, it prints an error and exits
//! with status 1.
//!
//! Text is printed without control characters, which a terminal would execute. It is also printed without the controls of bidirectional
//! text (U+202A to U+202E, U+2066 to U+2069), with which a title could reorder the rest of its line. JSON keeps them, but as escapes
//! (`\u202e`), so that its readers get the exact text and a terminal gets none of them.

use chrono::{DateTime, Local};
use gleaner_app::is_bidi_control;
use gleaner_library::Millis;
use serde::Serialize;
use std::{
    fmt,
    io::{self, IsTerminal as _, Write as _},
    process,
    sync::atomic::{AtomicBool, Ordering},
};

/// Prints like the standard library, but exits where the standard library panics.
macro_rules! println {
    () => { $crate::output::line(format_args!("")) };
    ($($arguments:tt)*) => { $crate::output::line(format_args!($($arguments)*)) };
}
macro_rules! eprintln {
    ($($arguments:tt)*) => { $crate::output::error_line(format_args!($($arguments)*)) };
}

/// Prints a line to standard output.
pub fn line(text: fmt::Arguments<'_>) {
    exit_on_error(writeln!(io::stdout().lock(), "{}", printable(&text.to_string())));
}

/// Prints a value as JSON on one line.
pub fn json(value: &(impl Serialize + ?Sized)) -> Result<(), serde_json::Error> {
    exit_on_error(writeln!(io::stdout().lock(), "{}", escaped(serde_json::to_string(value)?)));
    Ok(())
}

/// Prints a list as JSON on one line, without holding it in memory.
#[derive(Default)]
pub struct JsonList {
    begun: bool,
}

impl JsonList {
    /// Prints an item.
    pub fn add(&mut self, value: &impl Serialize) -> Result<(), serde_json::Error> {
        let before = if std::mem::replace(&mut self.begun, true) { "," } else { "[" };
        exit_on_error(write!(io::stdout().lock(), "{before}{}", escaped(serde_json::to_string(value)?)));
        Ok(())
    }

    /// Prints the end of the list.
    pub fn end(self) {
        exit_on_error(writeln!(io::stdout().lock(), "{}", if self.begun { "]" } else { "[]" }));
    }
}

/// Prints a value as indented JSON.
pub fn pretty_json(value: &(impl Serialize + ?Sized)) -> Result<(), serde_json::Error> {
    exit_on_error(writeln!(io::stdout().lock(), "{}", escaped(serde_json::to_string_pretty(value)?)));
    Ok(())
}

/// Prints a line that may contain Gleaner's own terminal escapes.
pub fn marked_line(text: &str) {
    exit_on_error(writeln!(io::stdout().lock(), "{text}"));
}

/// Prints a line to standard error.
pub fn error_line(text: fmt::Arguments<'_>) {
    // An error here can't be reported anywhere.
    let _unreportable = writeln!(io::stderr().lock(), "{}", printable(&text.to_string()));
}

/// Copies a document to standard output: unchanged to a file or a program, printable on a terminal.
pub fn copy(from: impl io::Read) {
    exit_on_error(try_copy(from));
}

/// Does the same as `copy`, but returns an error instead of exiting.
pub fn try_copy(mut from: impl io::Read) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if out.is_terminal() {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes)?;
        return out.write_all(printable(&String::from_utf8_lossy(&bytes)).as_bytes());
    }
    io::copy(&mut from, &mut out)?;
    out.flush()
}

/// Whether anything was printed to standard output.
static PRINTED: AtomicBool = AtomicBool::new(false);

/// Prints the document of a command with `--json` that failed before it printed one.
pub fn json_error(error: &str) {
    if !PRINTED.load(Ordering::Relaxed) {
        line(format_args!("{}", escaped(serde_json::json!({ "error": error }).to_string())));
    }
}

/// Exits if the output could not be written.
pub fn exit_on_error(written: io::Result<()>) {
    PRINTED.store(true, Ordering::Relaxed);
    match written {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => process::exit(0),
        Err(error) => {
            eprintln!("glean: couldn't write to standard output: {error}");
            process::exit(1);
        }
    }
}

/// Returns text of any origin as it may be printed: control characters, except line breaks and tabs, are spaces, and controls of
/// bidirectional text are left out.
pub fn printable(text: &str) -> String {
    text.chars().filter_map(|c| if matches!(c, '\n' | '\t') { Some(c) } else { printable_char(c) }).collect()
}

/// Returns a text that is part of a line, such as a title, as it may be printed: line breaks and tabs are spaces as well.
pub fn inline(text: &str) -> String {
    text.chars().filter_map(printable_char).collect()
}

/// Returns the character to print for a character that is part of a line.
pub fn printable_char(c: char) -> Option<char> {
    match c {
        c if is_bidi_control(c) => None,
        c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => Some(' '),
        c => Some(c),
    }
}

/// Returns JSON with these characters, and with the control characters that JSON allows, as escapes. They occur in its strings only.
pub fn escaped(json: impl Into<String>) -> String {
    let json = json.into();
    let is_escaped = |c: char| is_bidi_control(c) || matches!(c, '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}');
    // The JSON of a large feed is long.
    if !json.contains(is_escaped) {
        return json;
    }
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if is_escaped(c) {
            out.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    out
}

/// Returns the number with the noun, in the plural unless it is 1.
pub fn count(number: impl TryInto<u64>, noun: &str) -> String {
    let number = number.try_into().unwrap_or_default();
    match (number, noun.ends_with("ch")) {
        (1, _) => format!("1 {noun}"),
        (_, true) => format!("{number} {noun}es"),
        (_, false) => format!("{number} {noun}s"),
    }
}

/// Formats a size in the largest unit of which there is at least one.
pub fn size(bytes: impl TryInto<u64>) -> String {
    match bytes.try_into().unwrap_or_default() {
        bytes @ ..1_000 => count(bytes, "byte"),
        bytes @ ..999_500 => format!("{:.0} kB", bytes as f64 / 1e3),
        bytes => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

/// Formats a time in the local time zone, to the minute.
pub fn moment(at: Millis) -> String {
    DateTime::from_timestamp_millis(at)
        .map_or_else(|| at.to_string(), |moment| moment.with_timezone(&Local).format("%Y-%m-%d %H:%M").to_string())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn sizes_have_the_unit_that_fits() {
        let sizes = [0_i64, 1, 999, 1_000, 999_400, 1_000_000, 83_000_000].map(size);
        assert_eq!(sizes, ["0 bytes", "1 byte", "999 bytes", "1 kB", "999 kB", "1.0 MB", "83.0 MB"]);
    }

    #[test]
    fn prints_nothing_that_a_terminal_executes_or_that_turns_the_line_around() {
        assert_eq!(printable("a\u{1b}[2Jb\u{9b}31mc\u{7}\n\td é 港"), "a [2Jb 31mc \n\td é 港");
        let all: String = ('\u{0}'..='\u{2fff}').collect();
        for c in printable(&all).chars() {
            assert!(!c.is_control() || matches!(c, '\n' | '\t'), "{c:?}");
            assert!(!matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'), "{c:?}");
        }
        assert!(!inline(&all).contains(['\n', '\t', '\u{2028}']));
        assert_eq!(inline("שלום\u{200f} עולם"), "שלום\u{200f} עולם", "other text stays as it is");
    }

    #[test]
    fn json_keeps_the_text_and_has_none_of_these_characters_itself() {
        let all: String = ('\u{0}'..='\u{2fff}').collect();
        let json = escaped(serde_json::to_string(&all).unwrap());
        assert!(!json.chars().any(|c| c.is_control() || is_bidi_control(c)));
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), all);
        let plain = "[1]".to_owned();
        let memory = plain.as_ptr();
        let printed = escaped(plain);
        assert_eq!(printed.as_ptr(), memory, "copied for nothing");
        assert_eq!(escaped("[\"a\u{202e}\u{9b}\"]"), "[\"a\\u202e\\u009b\"]");
    }

    #[test]
    fn counts_in_singular_and_plural() {
        let count = |number: i64, noun: &str| count(number, noun);
        assert_eq!([count(1, "feed"), count(0, "feed"), count(2, "search")], ["1 feed", "0 feeds", "2 searches"]);
    }
}
