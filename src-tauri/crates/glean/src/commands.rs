//! Runs the commands that open the library.

use crate::{
    access, account, add,
    args::Command,
    backfill, check, download, export, feed, import, mark,
    messages::{Failure, message},
    offline, refresh, retention, rules, search, share, stats, versions, why,
};
use gleaner_app::App;
use gleaner_library::{Library, default_folder};
use std::{path::PathBuf, process::ExitCode, time::Duration};
use tokio::runtime::Handle;

/// Maximum time to wait for threads that are still running when a command has ended.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(1);

pub fn run(library: Option<PathBuf>, command: Command) -> Result<ExitCode, Failure> {
    let runtime = tokio::runtime::Runtime::new()?;
    let result = runtime.block_on(async {
        let folder = library.or_else(default_folder).ok_or("this system has no home folder: use --library DIR")?;
        if let Command::Backup(args) = &command
            && args.list
        {
            check::list_backups(&folder)?;
            return Ok(ExitCode::SUCCESS);
        }
        let app = if only_reads(&command) {
            App::only_reading(folder.clone(), Handle::current(), |error| {
                eprintln!("glean: the library can only be read: {}", message(error));
            })
        } else {
            App::without_window(folder.clone(), Handle::current())
        };
        match &command {
            Command::Restore(args) => return check::restore(&app, args).await,
            Command::Recover => return check::recover(&app).await,
            _ => {}
        }
        // The folder may be mistyped, or in another user's home. Then the user meant another library than this empty one.
        let is_unexpected = !starts_a_library(&command) && !folder.exists();
        let core = app.core().await?;
        if is_unexpected {
            eprintln!("glean: there was no library in {}; created an empty one", folder.display());
        }
        let code = run_in(&app, &core.library, command).await;
        drop(core);
        app.quit().await?;
        code
    });
    // Everything is stored. There is no need to wait for a thread that still parses a page whose download was cancelled.
    runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
    result
}

/// Whether a command does not change the library, so that it works on a full disk, too.
fn only_reads(command: &Command) -> bool {
    match command {
        Command::Export(_) | Command::Stats(_) | Command::Versions(_) | Command::Why(_) => true,
        Command::Search(args) => args.save.is_none() && args.delete_saved.is_none(),
        Command::Feed(args) => {
            let changes =
                [args.title.is_some(), args.address.is_some(), args.folder.is_some(), args.interval.is_some()];
            !args.unsubscribe && !changes.contains(&true)
        }
        Command::Check(args) => !args.repair,
        _ => false,
    }
}

/// Whether a command is useful with an empty library.
fn starts_a_library(command: &Command) -> bool {
    matches!(
        command,
        Command::Add(_) | Command::Import(_) | Command::Account(_) | Command::Share(_) | Command::Rules(_)
    )
}

async fn run_in(app: &App, library: &Library, command: Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Add(args) => add::run(app, library, args).await,
        Command::Feed(args) => feed::run(app, library, args).await,
        Command::Account(args) => account::run(app, args).await,
        Command::Share(args) => share::run(app, args).await,
        Command::Access(args) => access::run(app, library, args).await,
        Command::Import(args) => import::run(app, args).await,
        Command::Export(args) => export::run(app, library, &args).await,
        Command::Refresh(args) => refresh::run(app, library, args).await,
        Command::Search(args) => search::run(app, library, &args).await,
        Command::Mark(args) => mark::run(app, library, args).await,
        Command::Rules(args) => rules::run(app, library, args).await,
        Command::Stats(args) => stats::run(library, &args).await,
        Command::Backfill(args) => backfill::run(app, library, args).await,
        Command::Offline(args) => offline::run(app, library, args).await,
        Command::Download(args) => download::run(app, library, args).await,
        Command::Retention(args) => retention::run(app, library, &args).await,
        Command::Versions(args) => versions::run(app, library, &args).await,
        Command::Check(args) => check::run(app, &args).await,
        Command::Backup(_) => check::back_up(app).await,
        Command::Why(args) => why::run(library, &args).await,
        Command::Inspect(_)
        | Command::Discover(_)
        | Command::Extract(_)
        | Command::Restore(_)
        | Command::Recover
        | Command::Completions { .. } => Err("this command does not use the library".into()),
    }
}
