//! Runs the commands that open the library.

use crate::{
    access, add, args::Command, backfill, check, export, import, offline, refresh, retention, rules, search, stats,
    versions, why,
};
use gleaner_library::{Library, default_folder};
use std::{path::PathBuf, process::ExitCode, sync::Arc};

/// An error to print on standard error.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

pub fn run(library: Option<PathBuf>, command: Command) -> ExitCode {
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => return failed(&error.into()),
    };
    let result = runtime.block_on(async {
        let folder = library.or_else(default_folder).ok_or("this system has no home folder: use --library DIR")?;
        match &command {
            Command::Restore(args) => return check::restore(&folder, args).await,
            Command::Recover => return check::recover(&folder).await,
            _ => {}
        }
        let library = Arc::new(Library::open(&folder).await?);
        let code = run_in(library.clone(), command).await;
        // If a task still uses the library, the next start checkpoints the write-ahead log.
        if let Ok(library) = Arc::try_unwrap(library) {
            library.close().await?;
        }
        code
    });
    result.unwrap_or_else(|error: Failure| failed(&error))
}

async fn run_in(library: Arc<Library>, command: Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Add(args) => add::run(library, args).await,
        Command::Access(args) => access::run(&library, args).await,
        Command::Import(args) => import::run(&library, &args).await,
        Command::Export(args) => export::run(&library, &args).await,
        Command::Refresh(args) => refresh::run(library, args).await,
        Command::Search(args) => search::run(&library, &args).await,
        Command::Rules(args) => rules::run(&library, args).await,
        Command::Stats(args) => stats::run(&library, &args).await,
        Command::Backfill(args) => backfill::run(library, args).await,
        Command::Offline(args) => offline::run(library, args).await,
        Command::Retention(args) => retention::run(&library, &args).await,
        Command::Versions(args) => versions::run(&library, &args).await,
        Command::Check(args) => check::run(&library, &args).await,
        Command::Backup(args) => check::back_up(&library, &args).await,
        Command::Why(args) => why::run(&library, &args).await,
        Command::Inspect(_) | Command::Discover(_) | Command::Extract(_) | Command::Restore(_) | Command::Recover => {
            Err("this command does not use the library".into())
        }
    }
}

/// Prints the error and returns exit status 1.
pub fn failed(error: &Failure) -> ExitCode {
    eprintln!("glean: {error}");
    ExitCode::from(1)
}
