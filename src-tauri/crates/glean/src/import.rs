//! `glean import --dry-run`: what a list would bring, without a library.

use crate::args::Import;
use std::process::ExitCode;

pub fn dry_run(args: &Import) -> ExitCode {
    let _ = args;
    ExitCode::from(1)
}
