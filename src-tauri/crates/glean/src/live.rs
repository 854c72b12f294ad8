//! The commands that open the library.

use crate::args::Command;
use std::{path::PathBuf, process::ExitCode};

pub fn run(library: Option<PathBuf>, command: Command) -> ExitCode {
    let _ = (library, command);
    ExitCode::from(1)
}
