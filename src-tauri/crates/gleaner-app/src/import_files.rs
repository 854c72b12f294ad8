//! Imports files and folders one after the other.

use crate::{
    App, connection,
    error::{AppError, Result},
    import_sources::{ImportSource, find_importable, shown_name},
    jobs::Job,
    numbers::to_number,
    refresh,
};
use gleaner_contract::{
    ArchiveCounts, ErrorCode, Event, ImportPhase, ImportProgress, ImportSummary, IpcError, SkipReason, SkippedOutline,
};
use gleaner_exchange::{
    archive::{self, ArchiveError, Imported, Problem},
    readers::{self, Found, ImportError, ImportResult, Step},
};
use gleaner_feed::{Repair, opml};
use gleaner_library::{GainedMarks, Library, now};
use gleaner_polling::Scope;
use std::{
    collections::VecDeque,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

/// Imports files and folders one after the other. Progress and the summary of each come as events.
pub(crate) fn run(app: &App, sources: Vec<ImportSource>) {
    let app = app.clone();
    app.clone().spawn(async move {
        let first = sources.first().map(|source| shown_name(&source.path)).unwrap_or_default();
        let reporter = app.clone();
        let report = move |file: &str, phase, done, total| {
            let file = shown_name(Path::new(file));
            reporter.emit(Event::ImportProgress(ImportProgress {
                file,
                phase,
                done: to_number(done),
                total: to_number(total),
            }));
        };
        let is_begun = AtomicBool::new(false);
        let finished = |file: &str, imported: ImportedFile, undo: Option<i64>| {
            is_begun.store(true, Ordering::Relaxed);
            let mut summary = ImportSummary { file: shown_name(Path::new(file)), undo, ..ImportSummary::default() };
            match imported {
                ImportedFile::Archive(Ok(imported)) => {
                    archive_summary(&mut summary, imported);
                    // Its feeds are due.
                    app.session().refresh.rest.end();
                }
                ImportedFile::Archive(Err(error)) => {
                    summary.error = Some(reported(error.into()));
                }
                ImportedFile::Data(imported) => {
                    let added = data_summary(&mut summary, imported);
                    if !added.is_empty() {
                        refresh::start(&app, Scope::Feeds(added));
                    }
                }
            }
            connection::start_moving_passwords(&app);
            app.library_changed(true, true);
            app.emit(Event::ImportFinished(Box::new(summary)));
        };
        match import_all(&app, sources, false, report, finished).await {
            Err(error) => finished_with(&app, first, error),
            // Cancelled while it waited for an earlier import.
            Ok(left) if !left.is_empty() && !is_begun.load(Ordering::Relaxed) => {
                finished_with(&app, first, AppError::new(ErrorCode::Cancelled, "the import was cancelled"));
            }
            Ok(_) => {}
        }
    });
}

/// Reports that nothing was imported, and why.
pub(crate) fn finished_with(app: &App, file: String, error: AppError) {
    let summary = ImportSummary { file, error: Some(reported(error)), ..ImportSummary::default() };
    app.emit(Event::ImportFinished(Box::new(summary)));
}

/// Returns an error for the window. The log has its cause.
pub(crate) fn reported(error: AppError) -> IpcError {
    tracing::warn!(error = %error.without_names(), "importing failed");
    error.ipc
}

/// What was imported from one file.
#[derive(Debug)]
pub enum ImportedFile {
    /// From an archive.
    Archive(Result<Imported, ArchiveError>),
    /// From a file of another reader.
    Data(Result<ImportedData, ImportError>),
}

/// What was imported from a file of another reader.
#[derive(Debug)]
pub struct ImportedData {
    /// Name of the program or format.
    pub program: &'static str,
    /// The title of the list.
    pub title: Option<String>,
    /// Repairs that were needed to read the file.
    pub repairs: Vec<Repair>,
    /// What was imported, or why nothing was.
    pub result: Result<ImportResult, ImportError>,
}

/// Imports files and folders one after the other, after earlier imports: archives, then lists of feeds, then the rest. A cancellation
/// applies to all of them; what was already imported stays. With `dry_run`, archives are only compared with the library. `progress`
/// receives the name of the file, the number done and the total, 0 if unknown; `finished` receives the result of each file, and the step
/// that undoes its import. Returns the names of the files that were not begun because of a cancellation.
///
/// # Errors
/// The library does not open. Errors of single files are passed to `finished`.
pub async fn import_all(
    app: &App,
    sources: Vec<ImportSource>,
    dry_run: bool,
    progress: impl Fn(&str, ImportPhase, u64, u64) + Clone + Send + Sync + 'static,
    mut finished: impl FnMut(&str, ImportedFile, Option<i64>),
) -> Result<Vec<String>> {
    let run = app.jobs().queue(Job::Import).await;
    let (archives, others): (Vec<_>, Vec<_>) =
        sources.into_iter().partition(|source| archive::is_archive(&source.path));
    let found = tokio::task::spawn_blocking(move || find_importable(&others)).await?;
    let library = app.core().await?.library;
    let names = archives.iter().map(|source| &source.name).chain(found.iter().map(|(name, _)| name));
    let mut left: VecDeque<String> = names.cloned().collect();
    for ImportSource { name, path } in archives {
        if run.is_cancelled() {
            return Ok(left.into());
        }
        left.pop_front();
        let (cancel, progress, file) = (run.token(), progress.clone(), name.clone());
        let imported = archive::import(library.clone(), path, dry_run, move |so_far| {
            let phase = if so_far.total > 0 { ImportPhase::Articles } else { ImportPhase::Reading };
            progress(&file, phase, so_far.done, so_far.total);
            !cancel.is_cancelled()
        });
        let imported = imported.await;
        let undo = match &imported {
            Ok(imported) if !dry_run => {
                let Imported { head, gained, .. } = imported;
                remember(&library, &head.feeds_added, &head.folders_added, gained.clone()).await
            }
            _ => None,
        };
        finished(&name, ImportedFile::Archive(imported), undo);
    }
    for (name, found) in found {
        if run.is_cancelled() {
            return Ok(left.into());
        }
        left.pop_front();
        progress(&name, ImportPhase::Reading, 0, 0);
        let go_on = |phase, done: usize, total: usize| {
            progress(&name, phase, done as u64, total as u64);
            !run.is_cancelled()
        };
        let imported = match found {
            Ok(found) => import_data(&library, &found, go_on).await,
            Err(error) => Err(error),
        };
        let undo = match imported.as_ref().map(|imported| &imported.result) {
            Ok(Ok(result)) => remember(&library, &result.feeds(), &result.folders, result.gained.clone()).await,
            _ => None,
        };
        finished(&name, ImportedFile::Data(imported), undo);
    }
    Ok(Vec::new())
}

async fn import_data(
    library: &Library,
    found: &Found,
    mut progress: impl FnMut(ImportPhase, usize, usize) -> bool,
) -> Result<ImportedData, ImportError> {
    let mut data = readers::open(found).await?;
    let total = data.feeds.len();
    let importing = readers::import(library, &mut data, now(), |step| match step {
        Step::Feeds(done) => progress(ImportPhase::Subscribing, done, total),
        Step::Articles(done) => progress(ImportPhase::Articles, done, 0),
    });
    let result = importing.await;
    Ok(ImportedData { program: data.program, title: data.title, repairs: data.repairs, result })
}

/// Returns the step that undoes an import.
async fn remember(library: &Library, feeds: &[i64], folders: &[i64], gained: GainedMarks) -> Option<i64> {
    match library.subscriptions().remember_import(feeds, folders, gained).await {
        Ok(step) => step.map(|step| step.step),
        Err(error) => {
            tracing::warn!(%error, "an import can't be undone");
            None
        }
    }
}

fn archive_summary(summary: &mut ImportSummary, imported: Imported) {
    summary.feeds_added = to_number(imported.head.feeds_added.len());
    summary.folders_added = to_number(imported.head.folders_added.len());
    summary.cancelled = imported.cancelled;
    summary.undo_keeps_articles = imported.articles.added_to_existing > 0;
    summary.archive = Some(ArchiveCounts {
        existing_feeds: to_number(imported.head.feeds_there),
        articles_added: to_number(imported.articles.added),
        existing_articles: to_number(imported.articles.there),
        marked: to_number(imported.marked),
        rules_added: to_number(imported.head.rules_added),
        searches_added: to_number(imported.head.searches_added),
        images: to_number(imported.images),
        skipped: to_number(imported.problems_total),
    });
    let place = |line: Option<u64>| line.map(|line| format!(":{line}")).unwrap_or_default();
    summary.skipped = imported
        .problems
        .into_iter()
        .map(|skipped| SkippedOutline {
            outline: format!("{}{}", skipped.file, place(skipped.line)),
            reason: problem(skipped.why),
        })
        .collect();
}

/// Fills in the summary. Returns the feeds to refresh.
fn data_summary(summary: &mut ImportSummary, imported: Result<ImportedData, ImportError>) -> Vec<i64> {
    let result = imported.and_then(|imported| {
        summary.repairs = imported.repairs.into_iter().map(repair).collect();
        imported.result
    });
    let result = match result {
        Ok(result) => result,
        Err(error) => {
            summary.error = Some(reported(error.into()));
            return Vec::new();
        }
    };
    summary.cancelled = result.cancelled;
    summary.feeds_added = to_number(result.added.len());
    summary.manual_feeds = to_number(result.unpolled.len());
    summary.folders_added = to_number(result.folders.len());
    summary.already_subscribed = result.already;
    summary.repeated = result.repeated;
    summary.articles = to_number(result.articles.articles);
    summary.starred = to_number(result.articles.starred);
    summary.existing_articles = to_number(result.known);
    summary.marked = to_number(result.articles.marked);
    summary.undo_keeps_articles = result.added_to_others;
    let skipped = |skip: readers::Skipped| SkippedOutline { outline: skip.what, reason: skip_reason(skip.why) };
    summary.skipped = result.skipped.into_iter().map(skipped).collect();
    if result.damaged {
        let outline = summary.file.clone();
        summary.skipped.push(SkippedOutline { outline, reason: SkipReason::RestOfDatabase });
    }
    result.added
}

/// Converts a repair of an imported file.
fn repair(repair: gleaner_feed::Repair) -> gleaner_contract::ReportRepair {
    gleaner_contract::ReportRepair {
        kind: repair.kind.name().to_owned(),
        line: repair.line,
        column: repair.column,
        detail: repair.detail.code().to_owned(),
        detail_values: repair.detail.values(),
        text: repair.text,
        at: repair.at,
    }
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
        readers::SkipReason::MoreWithoutFeed { count } => SkipReason::MoreWithoutFeed { count: to_number(count) },
        readers::SkipReason::NoAddress => SkipReason::NoAddress,
        readers::SkipReason::FeedsGone { count } => SkipReason::FeedsGone { count: to_number(count) },
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
        Problem::TooMany { count } => SkipReason::TooMany { count: to_number(count) },
        Problem::InvalidAddresses { count } => SkipReason::InvalidAddresses { count: to_number(count) },
        Problem::UnknownFeeds { count } => SkipReason::UnknownFeeds { count: to_number(count) },
        Problem::InvalidImage => SkipReason::InvalidImage,
        Problem::ImagesTooLarge => SkipReason::ImagesTooLarge,
        Problem::UnusedImages { count } => SkipReason::UnusedImages { count: to_number(count) },
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use futures::poll;
    use gleaner_library::{ImportedArticles, Marks, NewItem, NewSubscription};
    use std::pin::pin;
    use tokio::runtime::Handle;

    #[tokio::test]
    async fn an_import_waits_for_the_one_before_and_is_cancelled_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let app = App::without_window(folder.path().join("library"), Handle::current());
        let source = ImportSource { name: "rye.opml".to_owned(), path: folder.path().join("rye.opml") };
        std::fs::write(&source.path, "<opml version='2.0'><body><outline xmlUrl='https://rye.example/feed'/>").unwrap();
        for cancelled in [true, false] {
            let first = app.jobs().queue(Job::Import).await;
            let mut second = pin!(import_all(&app, vec![source.clone()], false, |_, _, _, _| {}, |_, _, _| {}));
            assert!(poll!(&mut second).is_pending() && !first.is_cancelled());
            if cancelled {
                app.jobs().cancel(Job::Import);
            }
            drop(first);
            assert_eq!(second.await.unwrap(), if cancelled { vec!["rye.opml"] } else { vec![] });
        }
        assert_eq!(app.core().await.unwrap().library.feeds().list().await.unwrap().len(), 1);
        app.quit().await.unwrap();
    }

    /// A library with an article of one feed, starred and tagged or not.
    async fn library(folder: &Path, marks: Marks) -> Library {
        let library = Library::open(folder).await.unwrap();
        let feed = library.subscriptions().add(&NewSubscription::new("https://rye.example/feed")).await.unwrap();
        let item = NewItem { key: "1".to_owned(), title: "Rye".to_owned(), ..NewItem::default() };
        let (keys, new) = (vec!["1".to_owned()], vec![(item, marks)]);
        let imported = ImportedArticles { feed, keys, new, ..ImportedArticles::default() };
        library.subscriptions().import_articles(&[imported]).await.unwrap();
        library
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn undoing_the_import_of_an_archive_removes_the_marks_that_known_articles_gained() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two, path) = (folder.path().join("one"), folder.path().join("two"), folder.path().join("all.zip"));
        let marks = Marks { starred: true, tags: vec!["Later".to_owned()], ..Marks::default() };
        let library_one = library(&one, marks).await;
        archive::export(library_one.into(), path.clone(), |_| true).await.unwrap();
        library(&two, Marks::default()).await.close().await.unwrap();

        let app = App::without_window(two, Handle::current());
        let source = ImportSource { name: "all.zip".to_owned(), path };
        let mut steps = Vec::new();
        import_all(&app, vec![source], false, |_, _, _, _| {}, |_, _, undo| steps.push(undo)).await.unwrap();
        let library = app.core().await.unwrap().library;
        let marks = async || {
            let tags = library.tags().list().await.unwrap().len();
            (library.articles().get(1).await.unwrap().starred, tags)
        };
        assert_eq!(marks().await, (true, 1));
        library.subscriptions().undo_import(steps[0].unwrap()).await.unwrap();
        assert_eq!(marks().await, (false, 0));
        app.quit().await.unwrap();
    }
}
