//! Importing files. Files are named by the system's dialogs, by a drop, or on the command line, never by the window.

use crate::{
    App, convert,
    error::{AppError, Result},
    jobs::Job,
    platform::FileFilter,
    refresh,
};
use gleaner_contract::{ArchiveCounts, Event, ImportPhase, ImportProgress, ImportSummary, SkippedOutline};
use gleaner_exchange::{
    archive::{self, Imported},
    readers::{self, Found, ImportError, Kind, Step},
};
use gleaner_library::now;
use gleaner_polling::Scope;
use std::path::{Path, PathBuf};
use tokio_util::sync::CancellationToken;

/// Lets the user pick files and imports them. Returns whether any were picked.
pub async fn import_opml(app: &App, (): ()) -> Result<bool> {
    // The dialog starts with the first filter. newsboat's file `urls` has no extension.
    let lists = FileFilter {
        name: "Gleaner, OPML, JSON, ZIP, SQLite",
        extensions: &["opml", "xml", "OPML", "XML", "json", "JSON", "zip", "ZIP", "db", "sqlite", "sqlite3"],
    };
    let files = app.platform().pick_files(vec![lists, FileFilter { name: "*", extensions: &["*"] }], true).await;
    let any = !files.is_empty();
    if any {
        start(app, files);
    }
    Ok(any)
}

/// Stops importing. What is imported already stays.
pub async fn cancel_import(app: &App, (): ()) -> Result<()> {
    app.jobs().cancel(Job::Import);
    Ok(())
}

/// Imports files and folders one after the other. Progress and the summary of each come as events.
pub fn start(app: &App, files: Vec<PathBuf>) {
    let app = app.clone();
    app.clone().spawn(async move {
        let (archives, others): (Vec<PathBuf>, Vec<PathBuf>) =
            files.into_iter().partition(|file| archive::is_archive(file));
        let found = tokio::task::spawn_blocking(move || find(&others)).await.unwrap_or_else(|error| {
            tracing::error!(%error, "the files could not be examined");
            Vec::new()
        });
        // One cancellation is for all files.
        let run = app.jobs().replace(Job::Import).await;
        for file in archives {
            if run.is_cancelled() {
                break;
            }
            let summary = import_archive(&app, &file, run.token()).await;
            app.library_changed(true, true);
            app.emit(Event::ImportFinished(Box::new(summary)));
        }
        for (name, found) in found {
            if run.is_cancelled() {
                break;
            }
            let summary = import_one(&app, name, found, run.token()).await;
            app.library_changed(true, true);
            app.emit(Event::ImportFinished(Box::new(summary)));
        }
    });
}

async fn import_archive(app: &App, file: &Path, cancel: CancellationToken) -> ImportSummary {
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
    let mut summary = ImportSummary { file: name.clone(), ..ImportSummary::default() };
    let core = match app.core().await {
        Ok(core) => core,
        Err(error) => return ImportSummary { error: Some(*error.0), ..summary },
    };
    let reporter = app.clone();
    let done = archive::import(core.library, file.to_owned(), false, move |so_far| {
        let number = |count: u64| i64::try_from(count).unwrap_or(0);
        let phase = if so_far.total > 0 { ImportPhase::Articles } else { ImportPhase::Reading };
        let (file, done, total) = (name.clone(), number(so_far.done), number(so_far.total));
        reporter.emit(Event::ImportProgress(ImportProgress { file, phase, done, total }));
        !cancel.is_cancelled()
    })
    .await;
    match done {
        Ok(imported) => {
            app.signals().index.notify_one();
            archive_summary(&mut summary, imported);
        }
        Err(error) => summary.error = Some(*AppError::of_file(error, file).0),
    }
    summary
}

fn archive_summary(summary: &mut ImportSummary, imported: Imported) {
    let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    summary.feeds_added = convert::count(imported.head.feeds_added.len());
    summary.folders_added = convert::count(imported.head.folders_added);
    summary.cancelled = imported.cancelled;
    summary.archive = Some(ArchiveCounts {
        existing_feeds: convert::count(imported.head.feeds_there),
        articles_added: convert::count(imported.articles.added),
        existing_articles: convert::count(imported.articles.there),
        marked: number(imported.marked),
        rules_added: number(imported.head.rules_added),
        searches_added: number(imported.head.searches_added),
        images: number(imported.images),
        skipped: number(imported.problems_total),
    });
    let place = |line: Option<u64>| line.map(|line| format!(":{line}")).unwrap_or_default();
    summary.skipped = imported
        .problems
        .into_iter()
        .map(|problem| SkippedOutline {
            outline: format!("{}{}", problem.file, place(problem.line)),
            reason: problem.why,
        })
        .collect();
}

/// Finds what the files and folders contain. Lists of feeds come first, since they say what is subscribed and where.
fn find(files: &[PathBuf]) -> Vec<(String, Result<Found, ImportError>)> {
    let mut all = Vec::new();
    for file in files {
        let name = |path: &Path| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        match readers::find(file) {
            Ok(found) if file.is_dir() => all.extend(found.into_iter().map(|found| (name(&found.path), Ok(found)))),
            // Files unpacked from an archive have temporary names, so the name of the archive is shown.
            Ok(found) => all.extend(found.into_iter().map(|found| (name(file), Ok(found)))),
            Err(error) => all.push((name(file), Err(error))),
        }
    }
    all.sort_by_key(|(_, found)| !matches!(found, Ok(Found { kind: Kind::List | Kind::Urls, .. })));
    all
}

async fn import_one(
    app: &App,
    name: String,
    found: Result<Found, ImportError>,
    cancel: CancellationToken,
) -> ImportSummary {
    let mut summary = ImportSummary { file: name.clone(), ..ImportSummary::default() };
    let report = |phase, done: usize, total: usize| {
        let (done, total) = (i64::try_from(done).unwrap_or(0), i64::try_from(total).unwrap_or(0));
        app.emit(Event::ImportProgress(ImportProgress { file: name.clone(), phase, done, total }));
    };
    report(ImportPhase::Reading, 0, 0);
    let opened = match found {
        Ok(found) => readers::open(&found).await,
        Err(error) => Err(error),
    };
    let mut data = match opened {
        Ok(data) => data,
        Err(error) => return ImportSummary { error: Some(*AppError::of_import(error, &name).0), ..summary },
    };
    let core = match app.core().await {
        Ok(core) => core,
        Err(error) => return ImportSummary { error: Some(*error.0), ..summary },
    };
    summary.repairs = std::mem::take(&mut data.repairs);
    let feeds = data.feeds.len();
    let result = readers::import(&core.library, &mut data, now(), |step| {
        match step {
            Step::Feeds(done) => report(ImportPhase::Subscribing, done, feeds),
            Step::Articles(done) => report(ImportPhase::Articles, done, 0),
        }
        !cancel.is_cancelled()
    })
    .await;
    summary.cancelled = cancel.is_cancelled();
    let count = |number: usize| i64::try_from(number).unwrap_or(0);
    match result {
        Ok(result) => {
            summary.feeds_added = count(result.added.len());
            summary.manual_feeds = count(result.unpolled);
            summary.folders_added = count(result.folders_added);
            summary.already_subscribed = result.already;
            summary.articles = count(result.articles.articles);
            summary.starred = count(result.articles.starred);
            summary.existing_articles = count(result.known);
            summary.skipped = result
                .skipped
                .into_iter()
                .map(|skip| SkippedOutline { outline: skip.what, reason: skip.why })
                .collect();
            summary.skipped.extend(result.damaged.map(|reason| SkippedOutline { outline: name.clone(), reason }));
            if !result.added.is_empty() {
                refresh::start(app, Scope::Feeds(result.added));
            }
        }
        Err(error) => summary.error = Some(*AppError::of_import(error, &name).0),
    }
    summary
}
