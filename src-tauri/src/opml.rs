//! Lists in and out. Files are named by the system's dialogs, by a drop, or on the command line: never by the window.

use crate::{convert, events, export::archive_error, refresh, shell::Shell};
use gleaner_contract::{ArchiveCounts, ErrorCode, ImportPhase, ImportProgress, ImportSummary, ImportTrouble, IpcError};
use gleaner_exchange::{
    archive::{self, Imported},
    readers::{self, Found, Kind, NotTaken, Step},
    subscriptions_opml,
};
use gleaner_feed::opml;
use gleaner_library::now;
use gleaner_polling::Scope;
use std::path::{Path, PathBuf};
use tauri::{AppHandle, Manager as _};
use tokio_util::sync::CancellationToken;

/// Takes files and folders in, one after the other. Progress and the summary of each come as events.
pub fn import(app: AppHandle, files: Vec<PathBuf>) {
    tauri::async_runtime::spawn(async move {
        let (archives, others): (Vec<PathBuf>, Vec<PathBuf>) =
            files.into_iter().partition(|file| archive::is_archive(file));
        let finding = tauri::async_runtime::spawn_blocking(move || find(&others));
        let found = finding.await.unwrap_or_default();
        // One stop is for all of them.
        let cancel = app.state::<Shell>().import.begin();
        for file in archives {
            if cancel.is_cancelled() {
                break;
            }
            let summary = import_archive(&app, &file, cancel.clone()).await;
            events::library_changed(&app, true, true);
            events::emit(&app, "import_finished", summary);
        }
        for (name, found) in found {
            if cancel.is_cancelled() {
                break;
            }
            let summary = import_one(&app, name, found, cancel.clone()).await;
            events::library_changed(&app, true, true);
            events::emit(&app, "import_finished", summary);
        }
    });
}

async fn import_archive(app: &AppHandle, file: &Path, cancel: CancellationToken) -> ImportSummary {
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
    let mut summary = ImportSummary { file: name.clone(), ..ImportSummary::default() };
    let shell = app.state::<Shell>();
    let core = match shell.core().await {
        Ok(core) => core,
        Err(error) => return ImportSummary { error: Some(error), ..summary },
    };
    let teller = app.clone();
    let done = archive::import(core.library, file.to_owned(), false, move |so_far| {
        let number = |count: u64| i64::try_from(count).unwrap_or(0);
        let phase = if so_far.total > 0 { ImportPhase::Articles } else { ImportPhase::Reading };
        let (file, done, total) = (name.clone(), number(so_far.done), number(so_far.total));
        events::emit(&teller, "import_progress", ImportProgress { file, phase, done, total });
        !cancel.is_cancelled()
    })
    .await;
    match done {
        Ok(imported) => {
            shell.index_behind.notify_one();
            archive_summary(&mut summary, imported);
        }
        Err(error) => summary.error = Some(archive_error(error, file)),
    }
    summary
}

fn archive_summary(summary: &mut ImportSummary, imported: Imported) {
    let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    summary.added = convert::count(imported.head.feeds_added.len());
    summary.folders_added = convert::count(imported.head.folders_added);
    summary.cancelled = imported.cancelled;
    summary.archive = Some(ArchiveCounts {
        feeds_there: convert::count(imported.head.feeds_there),
        articles_added: convert::count(imported.articles.added),
        articles_there: convert::count(imported.articles.there),
        marked: number(imported.marked),
        rules_added: number(imported.head.rules_added),
        searches_added: number(imported.head.searches_added),
        pictures: number(imported.pictures),
        left_out: number(imported.troubles_in_all),
    });
    let place = |line: Option<u64>| line.map(|line| format!(":{line}")).unwrap_or_default();
    summary.skipped = imported
        .troubles
        .into_iter()
        .map(|trouble| ImportTrouble {
            outline: format!("{}{}", trouble.file, place(trouble.line)),
            reason: trouble.why,
        })
        .collect();
}

/// What the files and folders hold, lists of feeds first: they say what is subscribed, and in which folders.
fn find(files: &[PathBuf]) -> Vec<(String, Result<Found, NotTaken>)> {
    let mut all = Vec::new();
    for file in files {
        let name = |path: &Path| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        match readers::find(file) {
            Ok(found) if file.is_dir() => all.extend(found.into_iter().map(|found| (name(&found.path), Ok(found)))),
            // What was unpacked has names of ours.
            Ok(found) => all.extend(found.into_iter().map(|found| (name(file), Ok(found)))),
            Err(error) => all.push((name(file), Err(error))),
        }
    }
    all.sort_by_key(|(_, found)| !matches!(found, Ok(Found { kind: Kind::List | Kind::Urls, .. })));
    all
}

async fn import_one(
    app: &AppHandle,
    name: String,
    found: Result<Found, NotTaken>,
    cancel: CancellationToken,
) -> ImportSummary {
    let mut summary = ImportSummary { file: name.clone(), ..ImportSummary::default() };
    let shell = app.state::<Shell>();
    let tell = |phase, done: usize, total: usize| {
        let (done, total) = (i64::try_from(done).unwrap_or(0), i64::try_from(total).unwrap_or(0));
        events::emit(app, "import_progress", ImportProgress { file: name.clone(), phase, done, total });
    };
    tell(ImportPhase::Reading, 0, 0);
    let opened = match found {
        Ok(found) => readers::open(&found).await,
        Err(error) => Err(error),
    };
    let mut kept = match opened {
        Ok(kept) => kept,
        Err(error) => return ImportSummary { error: Some(not_taken(&name, error)), ..summary },
    };
    let core = match shell.core().await {
        Ok(core) => core,
        Err(error) => return ImportSummary { error: Some(error), ..summary },
    };
    summary.repairs = std::mem::take(&mut kept.repairs);
    let feeds = kept.feeds.len();
    let took = readers::take(&core.library, &mut kept, now(), |step| {
        match step {
            Step::Feeds(done) => tell(ImportPhase::Subscribing, done, feeds),
            Step::Articles(done) => tell(ImportPhase::Articles, done, 0),
        }
        !cancel.is_cancelled()
    })
    .await;
    summary.cancelled = cancel.is_cancelled();
    let count = |number: usize| i64::try_from(number).unwrap_or(0);
    match took {
        Ok(took) => {
            summary.added = count(took.added.len());
            summary.unasked = count(took.unasked);
            summary.folders_added = count(took.folders_added);
            summary.already = took.already;
            summary.articles = count(took.articles.articles);
            summary.starred = count(took.articles.starred);
            summary.known = count(took.known);
            summary.skipped =
                took.skipped.into_iter().map(|skip| ImportTrouble { outline: skip.what, reason: skip.why }).collect();
            summary.skipped.extend(took.damaged.map(|reason| ImportTrouble { outline: name.clone(), reason }));
            if !took.added.is_empty() {
                refresh::start(app.clone(), Scope::Feeds(took.added));
            }
        }
        Err(error) => summary.error = Some(not_taken(&name, error)),
    }
    summary
}

fn not_taken(file: &str, error: NotTaken) -> IpcError {
    let message = format!("{file}: {error}");
    let (code, detail) = match error {
        NotTaken::Library(error) => return convert::library_error(error),
        NotTaken::Unreadable { path, .. } => (ErrorCode::File, path.display().to_string()),
        NotTaken::NotOpml(opml::NotOpml::Empty) => (ErrorCode::NotOpml, "an empty file".to_owned()),
        NotTaken::NotOpml(opml::NotOpml::Other { what }) | NotTaken::Other { what } => (ErrorCode::NotOpml, what),
        NotTaken::NotOpml(opml::NotOpml::TooLarge { limit }) | NotTaken::TooLarge { limit } => {
            (ErrorCode::NotOpml, limit)
        }
        other => (ErrorCode::File, other.to_string()),
    };
    IpcError { code, message, detail: Some(detail) }
}

/// Writes the list; one that was there before is lost only for a whole one.
pub async fn export(app: &AppHandle, file: &Path) -> Result<(), IpcError> {
    let tree = app.state::<Shell>().core().await?.library.subscriptions().await.map_err(convert::library_error)?;
    let text = subscriptions_opml(tree);
    let file = file.to_owned();
    let writing = tauri::async_runtime::spawn_blocking(move || {
        gleaner_exchange::save(&file, text.as_bytes()).map_err(|error| archive_error(error, &file))
    });
    writing.await.map_err(|error| convert::internal(&error.to_string()))?
}
