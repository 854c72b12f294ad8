//! `glean extract`.

use crate::args::Extract;
use std::process::ExitCode;

pub fn run(args: Extract) -> ExitCode {
    let _ = args;
    ExitCode::from(1)
}
