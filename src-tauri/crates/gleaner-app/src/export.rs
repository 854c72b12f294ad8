//! Exports: subscriptions, the whole library as an archive, and articles as documents.

use crate::{
    App, convert,
    error::{AppError, Result, internal},
    jobs::Job,
    platform::FileFilter,
};
use chrono::Local;
use gleaner_contract::{DocumentFormat, Event, ExportProgress, ExportSummary, SaveArticles, SavedDocument};
use gleaner_exchange::{
    archive::{self, ArchiveError},
    documents::{self, DocumentOptions, Form},
    subscriptions_opml,
};
use gleaner_library::{Hit, SearchOrder};
use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// Lets the user pick a file and writes the subscriptions as OPML. Returns its path, or `None` if no file was picked.
pub async fn export_opml(app: &App, (): ()) -> Result<Option<String>> {
    let filter = FileFilter { name: "OPML", extensions: &["opml"] };
    let Some(file) = app.platform().save_file("gleaner.opml".to_owned(), filter).await else { return Ok(None) };
    let tree = app.core().await?.library.subscriptions().tree().await?;
    let shown = file.display().to_string();
    let writing = tokio::task::spawn_blocking(move || {
        let text = subscriptions_opml(tree).map_err(|error| internal(error.to_string()))?;
        gleaner_exchange::save(&file, text.as_bytes()).map_err(|error| AppError::of_file(error, &file))
    });
    writing.await??;
    Ok(Some(shown))
}

/// Lets the user pick a file and writes the whole library as an archive.
pub async fn export_archive(app: &App, (): ()) -> Result<Option<ExportSummary>> {
    let name = format!("gleaner-{}.zip", Local::now().format("%Y-%m-%d"));
    match app.platform().save_file(name, FileFilter { name: "ZIP", extensions: &["zip"] }).await {
        Some(file) => everything(app, file).await,
        None => Ok(None),
    }
}

/// Lets the user pick a file and writes articles as a document.
pub async fn save_articles(app: &App, args: SaveArticles) -> Result<Option<SavedDocument>> {
    let filter = match args.format {
        DocumentFormat::Markdown | DocumentFormat::Notes => FileFilter { name: "Markdown", extensions: &["md"] },
        DocumentFormat::Html => FileFilter { name: "HTML", extensions: &["html"] },
        DocumentFormat::Epub => FileFilter { name: "EPUB", extensions: &["epub"] },
    };
    let name = format!("{}.{}", file_name(&args.title), filter.extensions[0]);
    match app.platform().save_file(name, filter).await {
        Some(file) => articles(app, args, file).await,
        None => Ok(None),
    }
}

/// Stops both exports. Nothing is written.
pub async fn cancel_export(app: &App, (): ()) -> Result<()> {
    app.jobs().cancel(Job::ExportArchive);
    app.jobs().cancel(Job::SaveDocument);
    Ok(())
}

/// Number of search results read at a time.
const PAGE: u32 = 500;
/// Minimum time between two progress events.
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// Writes the whole library. Returns `None` if it was cancelled.
async fn everything(app: &App, file: PathBuf) -> Result<Option<ExportSummary>> {
    let library = app.core().await?.library;
    let run = app.jobs().replace(Job::ExportArchive).await;
    let mut report = reporter(app, &file);
    let done = archive::export(library, file.clone(), move |so_far| {
        report(so_far.done, so_far.total);
        !run.is_cancelled()
    })
    .await;
    app.emit(Event::ExportProgress(None));
    let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    match done {
        Ok(done) => Ok(Some(ExportSummary {
            path: file.display().to_string(),
            feeds: number(done.feeds),
            articles: number(done.articles),
            bytes: number(done.bytes),
            feeds_without_connection: number(done.without_access),
        })),
        Err(ArchiveError::Cancelled) => Ok(None),
        Err(error) => Err(AppError::of_file(error, &file)),
    }
}

/// Writes articles as a document. Returns `None` if it was cancelled.
async fn articles(app: &App, args: SaveArticles, file: PathBuf) -> Result<Option<SavedDocument>> {
    let library = app.core().await?.library;
    let run = app.jobs().replace(Job::SaveDocument).await;
    let mut ids = args.ids;
    if let Some(query) = &args.query {
        let query = gleaner_query::parse(query).map_err(|error| internal(error.to_string()))?;
        let mut after = None;
        loop {
            let found = library.search().find(&query, &Local::now(), SearchOrder::Date, after, PAGE).await;
            let (hits, more) = found?;
            after = hits.last().map(Hit::cursor);
            ids.extend(hits.iter().map(|hit| hit.row.id));
            if !more || run.is_cancelled() {
                break;
            }
        }
    }
    if args.format == DocumentFormat::Notes && args.query.is_none() && ids.is_empty() {
        ids = library.notes().articles().await?;
    }
    let form = match args.format {
        DocumentFormat::Markdown | DocumentFormat::Notes => Form::Markdown,
        DocumentFormat::Html => Form::Html,
        DocumentFormat::Epub => Form::Epub,
    };
    let options = DocumentOptions { articles: ids, title: args.title, form, remote_images: false };
    let mut report = reporter(app, &file);
    let total = options.articles.len() as u64;
    let go_on = |done: usize| {
        report(done as u64, total);
        !run.is_cancelled()
    };
    let done = if args.format == DocumentFormat::Notes {
        documents::save_notes(&library, &options.articles, &file, go_on).await
    } else {
        documents::save(&library, &options, &file, go_on).await
    };
    app.emit(Event::ExportProgress(None));
    match done {
        Ok(count) => Ok(Some(SavedDocument { path: file.display().to_string(), articles: convert::count(count) })),
        Err(ArchiveError::Cancelled) => Ok(None),
        Err(error) => Err(AppError::of_file(error, &file)),
    }
}

fn reporter(app: &App, file: &Path) -> impl FnMut(u64, u64) + Send + 'static {
    let (app, name) = (app.clone(), file.file_name().unwrap_or_default().to_string_lossy().into_owned());
    let mut reported: Option<Instant> = None;
    move |done, total| {
        if reported.is_some_and(|reported| reported.elapsed() < REPORT_EVERY) {
            return;
        }
        reported = Some(Instant::now());
        let number = |count: u64| i64::try_from(count).unwrap_or(0);
        let progress = ExportProgress { file: name.clone(), done: number(done), total: number(total) };
        app.emit(Event::ExportProgress(Some(progress)));
    }
}

/// Returns a title as a file name, without the characters that file systems refuse.
fn file_name(title: &str) -> String {
    let kept: String =
        title.chars().map(|c| if c.is_control() || "/\\:*?\"<>|".contains(c) { ' ' } else { c }).take(80).collect();
    let name = kept.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = name.trim_matches('.').trim();
    if name.is_empty() { "article".to_owned() } else { name.to_owned() }
}
