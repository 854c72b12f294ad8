//! Importing files. Files are named by the system's dialogs, by a drop, or on the command line, never by the window.

use crate::{
    App, convert,
    error::{AppError, Result},
    jobs::Job,
    platform::FileFilter,
    refresh,
};
use gleaner_contract::{ArchiveCounts, Event, ImportPhase, ImportProgress, ImportSummary, IpcError, SkipReason, SkippedOutline};
use gleaner_exchange::{
    archive::{self, Imported, Problem},
    readers::{self, Found, Kind, NotTaken, Step},
};
use gleaner_feed::opml;
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

/// Returns an error for the window. The log has its cause.
fn reported(error: AppError) -> IpcError {
    tracing::warn!(%error, "importing failed");
    error.ipc
}

fn skip_reason(reason: readers::SkipReason) -> SkipReason {
    match reason {
        readers::SkipReason::Outline(opml::SkipReason::UnsafeUrl) => SkipReason::UnsafeUrl,
        readers::SkipReason::Outline(opml::SkipReason::NoUrl) => SkipReason::NoUrl,
        readers::SkipReason::Outline(opml::SkipReason::OtherType(name)) => SkipReason::OtherType { name },
        readers::SkipReason::Outline(opml::SkipReason::Link) => SkipReason::Link,
        readers::SkipReason::Outline(opml::SkipReason::Empty) => SkipReason::Empty,
        readers::SkipReason::NewsboatSearch => SkipReason::NewsboatSearch,
        readers::SkipReason::NoFeed => SkipReason::NoFeed,
        readers::SkipReason::MoreWithoutFeed { count } => SkipReason::MoreWithoutFeed { count: convert::count(count) },
        readers::SkipReason::NoAddress => SkipReason::NoAddress,
        readers::SkipReason::FeedsGone { count } => SkipReason::FeedsGone { count: convert::count(count) },
    }
}

fn problem(problem: Problem) -> SkipReason {
    match problem {
        Problem::Missing => SkipReason::Missing,
        Problem::TooLong => SkipReason::TooLong,
        Problem::Unreadable => SkipReason::Unreadable,
        Problem::Damaged => SkipReason::Damaged,
        Problem::RestUnreadable => SkipReason::RestUnreadable,
        Problem::InvalidRecord => SkipReason::InvalidRecord,
        Problem::TooMany { count } => SkipReason::TooMany { count: convert::count(count) },
        Problem::InvalidAddresses { count } => SkipReason::InvalidAddresses { count: convert::count(count) },
        Problem::UnknownFeeds { count } => SkipReason::UnknownFeeds { count: convert::count(count) },
        Problem::InvalidImage => SkipReason::InvalidImage,
        Problem::ImagesTooLarge => SkipReason::ImagesTooLarge,
        Problem::UnusedImages { count } => SkipReason::UnusedImages { count: convert::count(count) },
    }
}

async fn import_archive(app: &App, file: &Path, cancel: CancellationToken) -> ImportSummary {
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
    let mut summary = ImportSummary { file: name.clone(), ..ImportSummary::default() };
    let core = match app.core().await {
        Ok(core) => core,
        Err(error) => return ImportSummary { error: Some(reported(error)), ..summary },
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
        Err(error) => summary.error = Some(reported(error.into())),
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
        images: number(imported.pictures),
        skipped: number(imported.troubles_in_all),
    });
    let place = |line: Option<u64>| line.map(|line| format!(":{line}")).unwrap_or_default();
    summary.skipped = imported
        .troubles
        .into_iter()
        .map(|trouble| SkippedOutline {
            outline: format!("{}{}", trouble.file, place(trouble.line)),
            reason: problem(trouble.why),
        })
        .collect();
}

/// Finds what the files and folders contain. Lists of feeds come first, since they say what is subscribed and where.
fn find(files: &[PathBuf]) -> Vec<(String, Result<Found, NotTaken>)> {
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
    found: Result<Found, NotTaken>,
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
    let mut kept = match opened {
        Ok(kept) => kept,
        Err(error) => return ImportSummary { error: Some(reported(error.into())), ..summary },
    };
    let core = match app.core().await {
        Ok(core) => core,
        Err(error) => return ImportSummary { error: Some(reported(error)), ..summary },
    };
    summary.repairs = std::mem::take(&mut kept.repairs).into_iter().map(convert::repair).collect();
    let feeds = kept.feeds.len();
    let took = readers::take(&core.library, &mut kept, now(), |step| {
        match step {
            Step::Feeds(done) => report(ImportPhase::Subscribing, done, feeds),
            Step::Articles(done) => report(ImportPhase::Articles, done, 0),
        }
        !cancel.is_cancelled()
    })
    .await;
    summary.cancelled = cancel.is_cancelled();
    let count = |number: usize| i64::try_from(number).unwrap_or(0);
    match took {
        Ok(took) => {
            summary.feeds_added = count(took.added.len());
            summary.manual_feeds = count(took.unasked);
            summary.folders_added = count(took.folders_added);
            summary.already_subscribed = took.already;
            summary.articles = count(took.articles.articles);
            summary.starred = count(took.articles.starred);
            summary.existing_articles = count(took.known);
            summary.skipped =
                took.skipped.into_iter().map(|skip| SkippedOutline { outline: skip.what, reason: skip_reason(skip.why) }).collect();
            if took.damaged {
                summary.skipped.push(SkippedOutline { outline: name.clone(), reason: SkipReason::RestOfDatabase });
            }
            if !took.added.is_empty() {
                refresh::start(app, Scope::Feeds(took.added));
            }
        }
        Err(error) => summary.error = Some(reported(error.into())),
    }
    summary
}
