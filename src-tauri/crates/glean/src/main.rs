//! `glean`: Gleaner's command line.

#[macro_use]
mod output;

mod access;
mod account;
mod add;
mod args;
mod backfill;
mod check;
mod commands;
mod discover;
mod download;
mod dry_run;
mod export;
mod extract;
mod import;
mod inspect;
mod messages;
mod offline;
mod refresh;
mod retention;
mod rules;
mod search;
mod share;
mod stats;
mod versions;
mod why;

use clap::{CommandFactory as _, Parser as _};
use std::{
    io::{self, Write as _},
    process::ExitCode,
};

fn main() -> ExitCode {
    gleaner_app::memory::limit();
    let args = args::Args::parse_from(args::options_first(std::env::args_os().collect()));
    match args.command {
        args::Command::Inspect(inspect) => inspect::run(inspect),
        args::Command::Discover(discover) => discover::run(discover),
        args::Command::Extract(extract) => extract::run(extract),
        // The dry run of an archive compares it with the library; other files need none.
        args::Command::Import(import) if import.dry_run => match import::open_inputs(&import.files) {
            Ok(inputs) if import::any_archive(&inputs) => {
                // Standard input and pipes can't be read twice, so the copies are passed on.
                let files = inputs.iter().map(|input| input.source.path.clone()).collect();
                commands::run(args.library, args::Command::Import(args::Import { files, ..import }))
            }
            Ok(inputs) => dry_run::run(&import, &inputs).unwrap_or_else(|error| commands::failed(&error)),
            Err(error) => commands::failed(&error),
        },
        args::Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut args::Args::command(), "glean", &mut script);
            match io::stdout().write_all(&script) {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => commands::failed(&error.into()),
            }
        }
        command => commands::run(args.library, command),
    }
}
