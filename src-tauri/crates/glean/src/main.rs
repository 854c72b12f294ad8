//! `glean`: Gleaner's command line.

#[macro_use]
mod out;

mod access;
mod add;
mod ahead;
mod args;
mod backfill;
mod check;
mod discover;
mod export;
mod extract;
mod import;
mod inspect;
mod keep;
mod live;
mod refresh;
mod rules;
mod search;
mod stats;
mod take_in;
mod versions;
mod why;

use clap::Parser as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = args::Args::parse_from(args::options_first(std::env::args_os().collect()));
    match args.command {
        args::Command::Inspect(inspect) => inspect::run(inspect),
        args::Command::Discover(discover) => discover::run(discover),
        args::Command::Extract(extract) => extract::run(extract),
        // What an archive would bring is known only beside a library; of anything else it is said without one.
        args::Command::Import(import) if import.dry_run => match take_in::given(&import.files) {
            Ok(files) if take_in::any_archive(&files) => {
                // What was copied is not there to be read again.
                let files_read = files.iter().map(|file| file.path.clone()).collect();
                live::run(args.library, args::Command::Import(args::Import { files: files_read, ..import }))
            }
            Ok(files) => import::dry_run(&import, &files).unwrap_or_else(|error| live::failed(&error)),
            Err(error) => live::failed(&error),
        },
        command => live::run(args.library, command),
    }
}
