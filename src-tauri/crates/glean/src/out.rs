//! What is said. Where nobody reads it any more (`| head`), the program ends as one that is done; where it cannot be written, it says
//! so. What publishers and files say must not speak to the terminal.

use std::{
    fmt,
    io::{self, IsTerminal as _, Write as _},
    process,
};

/// As those of the standard library, which panic where these end.
macro_rules! println {
    () => { $crate::out::line(format_args!("")) };
    ($($words:tt)*) => { $crate::out::line(format_args!($($words)*)) };
}
macro_rules! eprintln {
    ($($words:tt)*) => { $crate::out::error_line(format_args!($($words)*)) };
}

pub fn line(words: fmt::Arguments<'_>) {
    let mut out = io::stdout().lock();
    checked(if out.is_terminal() { writeln!(out, "{}", quiet(&words.to_string())) } else { writeln!(out, "{words}") });
}

/// With marks for the terminal that are ours.
pub fn marked_line(words: &str) {
    checked(writeln!(io::stdout().lock(), "{words}"));
}

/// To standard error.
pub fn error_line(words: fmt::Arguments<'_>) {
    let mut out = io::stderr().lock();
    let said =
        if out.is_terminal() { writeln!(out, "{}", quiet(&words.to_string())) } else { writeln!(out, "{words}") };
    // There is no other place to say it.
    let _nobody_reads_it = said;
}

/// What was read from a file or made: to its last byte, but for what would speak to a terminal.
pub fn all(mut from: impl io::Read) {
    let mut out = io::stdout().lock();
    if out.is_terminal() {
        let mut bytes = Vec::new();
        let read = from.read_to_end(&mut bytes);
        return checked(read.and_then(|_| out.write_all(quiet(&String::from_utf8_lossy(&bytes)).as_bytes())));
    }
    checked(io::copy(&mut from, &mut out).and_then(|_| out.flush()));
}

fn checked(written: io::Result<()>) {
    match written {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => process::exit(0),
        Err(error) => {
            eprintln!("glean: standard output could not be written: {error}");
            process::exit(1);
        }
    }
}

fn quiet(words: &str) -> String {
    words.chars().map(|c| if c.is_control() && !matches!(c, '\n' | '\t') { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_is_said_does_not_speak_to_the_terminal() {
        assert_eq!(super::quiet("a\u{1b}[2Jb\u{9b}31mc\u{7}\n\td é 港"), "a [2Jb 31mc \n\td é 港");
    }
}
