//! Runs the commands that open the library.

pub use crate::messages::Failure;
use crate::{
    access, account, add, args::Command, backfill, check, download, export, feed, import, mark, offline,
    output::inline, refresh, retention, rules, search, share, stats, versions, why,
};
use gleaner_address::without_password;
use gleaner_app::App;
use gleaner_library::{FeedRow, Library, LibraryError, default_folder};
use std::{path::PathBuf, process::ExitCode, time::Duration};
use tokio::runtime::Handle;

/// Maximum time for threads to end that still work when a command has ended.
const ENDING: Duration = Duration::from_secs(1);

pub fn run(library: Option<PathBuf>, command: Command) -> ExitCode {
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => return failed(&error.into()),
    };
    let result = runtime.block_on(async {
        let folder = library.or_else(default_folder).ok_or("this system has no home folder: use --library DIR")?;
        if let Command::Backup(args) = &command
            && args.list
        {
            check::list_backups(&folder);
            return Ok(ExitCode::SUCCESS);
        }
        let app = App::without_window(folder, Handle::current());
        match &command {
            Command::Restore(args) => return check::restore(&app, args).await,
            Command::Recover => return check::recover(&app).await,
            _ => {}
        }
        let core = app.core().await?;
        let code = run_in(&app, &core.library, command).await;
        drop(core);
        app.quit().await?;
        code
    });
    // Everything is stored. A thread that still reads a page whose download was cancelled is not worth waiting for.
    runtime.shutdown_timeout(ENDING);
    result.unwrap_or_else(|error: Failure| failed(&error))
}

async fn run_in(app: &App, library: &Library, command: Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Add(args) => add::run(app, args).await,
        Command::Feed(args) => feed::run(app, library, args).await,
        Command::Account(args) => account::run(app, args).await,
        Command::Share(args) => share::run(app, args).await,
        Command::Access(args) => access::run(app, library, args).await,
        Command::Import(args) => import::run(app, &args).await,
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

/// Prints the error and returns exit status 1.
pub fn failed(error: &Failure) -> ExitCode {
    eprintln!("glean: {error}");
    ExitCode::from(1)
}

/// Lets Ctrl-C cancel what runs, which keeps what is done. Without this, Ctrl-C kills the process, which loses no data either.
pub fn cancel_on_ctrl_c(app: &App) {
    let app = app.clone();
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            app.jobs().close();
        }
        // What does not look at its cancellation is ended by a second Ctrl-C.
        if tokio::signal::ctrl_c().await.is_ok() {
            std::process::exit(130);
        }
    });
}

/// The error of a command that another process is in the way of.
pub const OTHER_PROCESS: &str = "another Gleaner process is refreshing this library; try again when it has finished";

/// Maximum number of subscriptions that are listed where several match.
const MATCHES_SHOWN: usize = 10;

/// Finds a subscription by its address, its title, or a part of its title that no other one has.
pub async fn find_feed(library: &Library, wanted: &str) -> Result<FeedRow, Failure> {
    let id = library.feeds().find_by_url(wanted).await?;
    let mut feeds = library.feeds().list().await?;
    if let Some(found) = feeds.iter().position(|feed| Some(feed.id) == id) {
        return Ok(feeds.swap_remove(found));
    }
    let title = wanted.trim().to_lowercase();
    let of = |feed: &FeedRow| feed.shown_title().trim().to_lowercase();
    let is_whole = feeds.iter().any(|feed| of(feed) == title);
    // An empty text is the value of a variable that is not set, and a part of every title.
    feeds.retain(|feed| !title.is_empty() && if is_whole { of(feed) == title } else { of(feed).contains(&title) });
    match feeds.len() {
        1 => Ok(feeds.swap_remove(0)),
        0 => Err(format!("no subscription matches {}", without_password(wanted)).into()),
        matches => {
            let shown =
                |feed: &FeedRow| format!("\n  {} ({})", inline(&feed.shown_title()), without_password(&feed.url));
            let first: String = feeds.iter().take(MATCHES_SHOWN).map(shown).collect();
            let more = if matches > MATCHES_SHOWN { "\n  …" } else { "" };
            let wanted = without_password(wanted);
            Err(format!("{matches} subscriptions match {wanted}; use the address of one:{first}{more}").into())
        }
    }
}

/// Checks that articles exist.
pub async fn check_articles(library: &Library, ids: &[i64]) -> Result<(), Failure> {
    for id in ids {
        match library.articles().get(*id).await {
            Err(LibraryError::NotFound(_)) => {
                Err(format!("there is no article {id}; `glean search --json` lists their numbers as `id`"))?;
            }
            row => {
                row?;
            }
        }
    }
    Ok(())
}

/// Returns the id of the folder at a path such as News/Local.
pub async fn find_folder(library: &Library, path: &str) -> Result<i64, Failure> {
    let folders = library.folders().list().await?;
    let mut at = None;
    for name in path.split('/').map(str::trim).filter(|name| !name.is_empty()) {
        let folder = folders.iter().find(|folder| folder.parent_id == at && folder.name == name);
        at =
            Some(folder.ok_or_else(|| format!("there is no folder {path}; use its full path, such as News/Local"))?.id);
    }
    at.ok_or_else(|| "the folder path is empty".into())
}
