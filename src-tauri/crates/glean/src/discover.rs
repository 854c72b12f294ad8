//! `glean discover`.

use crate::args::Discover;
use std::process::ExitCode;

pub fn run(args: Discover) -> ExitCode {
    let _ = args;
    ExitCode::from(1)
}
