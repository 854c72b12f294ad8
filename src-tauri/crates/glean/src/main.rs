//! `glean`: Gleaner's command line.

#[macro_use]
mod output;

mod access;
mod account;
mod add;
mod args;
mod backfill;
mod cancel;
mod check;
mod commands;
mod discover;
mod download;
mod dry_run;
mod export;
mod extract;
mod feed;
mod find;
mod import;
mod inspect;
mod mark;
mod messages;
mod offline;
mod refresh;
mod retention;
mod rules;
mod search;
mod share;
mod stats;
mod versions;
mod web;
mod why;

use clap::{CommandFactory as _, Parser as _};
use std::process::ExitCode;

fn main() -> ExitCode {
    gleaner_app::memory::limit();
    let words = args::options_first(std::env::args_os().collect());
    let args = args::Args::try_parse_from(&words).unwrap_or_else(|error| args::with_hint(error, &words).exit());
    let is_json = words.iter().take_while(|word| *word != "--").any(|word| word == "--json");
    let done = match args.command {
        args::Command::Inspect(inspect) => inspect::run(args.library, inspect),
        args::Command::Discover(discover) => discover::run(args.library, discover),
        args::Command::Extract(extract) => extract::run(args.library, extract),
        // The dry run of an archive compares it with the library; other files need none.
        args::Command::Import(import) if import.dry_run => dry_run::start(args.library, import),
        args::Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut args::Args::command(), "glean", &mut script);
            output::copy(script.as_slice());
            Ok(ExitCode::SUCCESS)
        }
        command => commands::run(args.library, command),
    };
    done.unwrap_or_else(|error| {
        if is_json && !error.is_usage() {
            output::json_error(&error.to_string());
        }
        error.report()
    })
}
