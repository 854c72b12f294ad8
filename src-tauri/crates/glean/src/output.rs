//! Output to the terminal.
//!
//! When standard output is closed (`| head`), the program exits with status 0; when it can't be written, it prints an error and exits
//! with status 1. Control characters in texts of feeds and files are removed, since a terminal would execute them.

use std::{
    fmt,
    io::{self, IsTerminal as _, Write as _},
    process,
};

/// Prints like the standard library, but exits where that panics.
macro_rules! println {
    () => { $crate::output::line(format_args!("")) };
    ($($arguments:tt)*) => { $crate::output::line(format_args!($($arguments)*)) };
}
macro_rules! eprintln {
    ($($arguments:tt)*) => { $crate::output::error_line(format_args!($($arguments)*)) };
}

/// Prints a line to standard output.
pub fn line(text: fmt::Arguments<'_>) {
    let mut out = io::stdout().lock();
    exit_on_error(if out.is_terminal() {
        writeln!(out, "{}", without_controls(&text.to_string()))
    } else {
        writeln!(out, "{text}")
    });
}

/// Prints a line that may contain Gleaner's own terminal escapes.
pub fn marked_line(text: &str) {
    exit_on_error(writeln!(io::stdout().lock(), "{text}"));
}

/// Prints a line to standard error.
pub fn error_line(text: fmt::Arguments<'_>) {
    let mut out = io::stderr().lock();
    let written = if out.is_terminal() {
        writeln!(out, "{}", without_controls(&text.to_string()))
    } else {
        writeln!(out, "{text}")
    };
    // An error here can't be reported anywhere.
    let _unreportable = written;
}

/// Copies bytes to standard output, without control characters on a terminal.
pub fn copy(mut from: impl io::Read) {
    let mut out = io::stdout().lock();
    if out.is_terminal() {
        let mut bytes = Vec::new();
        let read = from.read_to_end(&mut bytes);
        return exit_on_error(
            read.and_then(|_| out.write_all(without_controls(&String::from_utf8_lossy(&bytes)).as_bytes())),
        );
    }
    exit_on_error(io::copy(&mut from, &mut out).and_then(|_| out.flush()));
}

fn exit_on_error(written: io::Result<()>) {
    match written {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => process::exit(0),
        Err(error) => {
            eprintln!("glean: couldn't write to standard output: {error}");
            process::exit(1);
        }
    }
}

/// Replaces control characters by spaces, except line breaks and tabs.
fn without_controls(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && !matches!(c, '\n' | '\t') { ' ' } else { c }).collect()
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

#[cfg(test)]
mod tests {
    #[test]
    fn removes_control_characters() {
        assert_eq!(super::without_controls("a\u{1b}[2Jb\u{9b}31mc\u{7}\n\td é 港"), "a [2Jb 31mc \n\td é 港");
    }
    #[test]
    fn counts_in_singular_and_plural() {
        let count = |number: i64, noun: &str| super::count(number, noun);
        assert_eq!([count(1, "feed"), count(0, "feed"), count(2, "search")], ["1 feed", "0 feeds", "2 searches"]);
    }
}
