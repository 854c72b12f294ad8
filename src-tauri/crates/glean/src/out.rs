//! Standard output. Where nobody reads it any more (`| head`), the program ends as one that is done; where it cannot be written, it says so.

use std::{
    fmt,
    io::{self, Write as _},
    process,
};

pub fn line(words: fmt::Arguments<'_>) {
    checked(writeln!(io::stdout().lock(), "{words}"));
}

/// What was read from a file or made, to its last byte.
pub fn all(mut from: impl io::Read) {
    let mut out = io::stdout().lock();
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

/// As the one of the standard library, which panics where this ends.
macro_rules! println {
    () => { $crate::out::line(format_args!("")) };
    ($($words:tt)*) => { $crate::out::line(format_args!($($words)*)) };
}
