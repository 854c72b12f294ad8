//! Exports: subscriptions, the whole library as an archive, and articles as documents.

use crate::{
    App,
    error::{AppError, Result, internal},
    events::throttle,
    jobs::Job,
    numbers::to_number,
    plain::one_line,
    platform::FileFilter,
};
use gleaner_contract::{DocumentFormat, Event, ExportProgress, ExportSummary, SaveArticles, SavedDocument};
use gleaner_exchange::{
    archive::{self, ArchiveError, Exported},
    documents::{self, DocumentOptions, Form},
    subscriptions_opml,
};
use gleaner_library::{Hit, SearchOrder, SearchPage, now_local};
use gleaner_query::Expr;
use gleaner_search::SearchError;
use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    time::Duration,
};

/// Lets the user pick a file and writes the subscriptions as OPML. Returns its path, or `None` if no file was picked.
pub async fn export_opml(app: &App, (): ()) -> Result<Option<String>> {
    let filter = FileFilter::new("OPML", &["opml"]);
    let Some(file) = app.platform()?.save_file("gleaner.opml".to_owned(), filter).await else { return Ok(None) };
    let text = subscriptions(app).await?;
    let shown = file.display().to_string();
    let writing =
        tokio::task::spawn_blocking(move || Ok::<_, AppError>(gleaner_exchange::save(&file, text.as_bytes())?));
    writing.await??;
    Ok(Some(shown))
}

/// Returns the subscriptions as OPML.
///
/// # Errors
/// When the library cannot be read.
pub async fn subscriptions(app: &App) -> Result<String> {
    let tree = app.core().await?.library.subscriptions().tree().await?;
    subscriptions_opml(tree).map_err(internal)
}

/// Lets the user pick a file and writes the whole library as an archive.
pub async fn export_archive(app: &App, (): ()) -> Result<Option<ExportSummary>> {
    let name = format!("gleaner-{}.zip", now_local().format("%Y-%m-%d"));
    match app.platform()?.save_file(name, FileFilter::new("ZIP", &["zip"])).await {
        Some(file) => save_archive(app, file).await,
        None => Ok(None),
    }
}

/// Lets the user pick a file and writes articles as a document.
pub async fn save_articles(app: &App, args: SaveArticles) -> Result<Option<SavedDocument>> {
    let filter = match args.format {
        DocumentFormat::Markdown | DocumentFormat::Notes => FileFilter::new("Markdown", &["md"]),
        DocumentFormat::Html => FileFilter::new("HTML", &["html"]),
        DocumentFormat::Epub => FileFilter::new("EPUB", &["epub"]),
    };
    let name = format!("{}.{}", file_name(&args.title), filter.extensions[0]);
    match app.platform()?.save_file(name, filter).await {
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

/// Writes the whole library as an archive, without passwords, tokens and headers. Returns `None` if it was cancelled.
///
/// # Errors
/// The library cannot be read, or the file cannot be written; nothing of it is left then.
pub async fn everything(
    app: &App,
    file: &Path,
    mut progress: impl FnMut(archive::Progress) + Send + 'static,
) -> Result<Option<Exported>> {
    let library = app.core().await?.library;
    let run = app.jobs().replace(Job::ExportArchive).await;
    let exported = archive::export(library, file.to_owned(), move |so_far| {
        progress(so_far);
        !run.is_cancelled()
    });
    unless_cancelled(exported.await)
}

fn unless_cancelled<T>(done: Result<T, ArchiveError>) -> Result<Option<T>> {
    match done {
        Ok(done) => Ok(Some(done)),
        Err(ArchiveError::Cancelled) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

async fn save_archive(app: &App, file: PathBuf) -> Result<Option<ExportSummary>> {
    let mut report = reporter(app, &file);
    let done = everything(app, &file, move |so_far| report(so_far.done, so_far.total)).await;
    app.emit(Event::ExportProgress(None));
    Ok(done?.map(|done| ExportSummary {
        path: file.display().to_string(),
        feeds: to_number(done.feeds),
        articles: to_number(done.articles),
        bytes: to_number(done.bytes),
        feeds_without_connection: to_number(done.without_access),
    }))
}

async fn articles(app: &App, args: SaveArticles, file: PathBuf) -> Result<Option<SavedDocument>> {
    let query = args.query.as_deref().map(gleaner_query::parse).transpose();
    let query = query.map_err(SearchError::Query)?;
    let mut ids = args.ids;
    if args.format == DocumentFormat::Notes && query.is_none() && ids.is_empty() {
        ids = app.core().await?.library.notes().articles().await?;
    }
    let form = match args.format {
        DocumentFormat::Markdown | DocumentFormat::Notes => Form::Markdown,
        DocumentFormat::Html => Form::Html,
        DocumentFormat::Epub => Form::Epub,
    };
    let options = DocumentOptions { articles: ids, title: args.title, form, remote_images: false };
    let notes_only = args.format == DocumentFormat::Notes;
    let mut report = reporter(app, &file);
    let progress = |done, total| report(done as u64, total as u64);
    let done = save_document(app, options, query.as_ref(), notes_only, &file, progress).await;
    app.emit(Event::ExportProgress(None));
    let saved = |(_, count)| SavedDocument { path: file.display().to_string(), articles: to_number(count) };
    Ok(done?.map(saved))
}

/// Writes articles, and those that match a query, as a document; with `notes_only`, their notes instead of their texts.
/// `progress` receives the number of articles done and of all. Returns the number of articles found, and of those written; if
/// none is written, there is no file. Returns `None` if it was cancelled.
///
/// # Errors
/// The library cannot be read, or the file cannot be written; nothing of it is left then.
pub async fn save_document(
    app: &App,
    mut options: DocumentOptions,
    query: Option<&Expr>,
    notes_only: bool,
    file: &Path,
    mut progress: impl FnMut(usize, usize),
) -> Result<Option<(usize, usize)>> {
    let library = app.core().await?.library;
    let run = app.jobs().replace(Job::SaveDocument).await;
    let ids = &mut options.articles;
    if let Some(query) = query {
        let mut after = None;
        loop {
            let found = library
                .search()
                .find(query, &now_local(), SearchPage { order: SearchOrder::Date, after, limit: PAGE })
                .await;
            let (hits, more) = found?;
            after = hits.last().map(Hit::cursor);
            ids.extend(hits.iter().map(|hit| hit.row.id));
            if !more || run.is_cancelled() {
                break;
            }
        }
    }
    let mut seen = HashSet::new();
    ids.retain(|id| seen.insert(*id));
    let total = ids.len();
    if total == 0 {
        return Ok(Some((0, 0)));
    }
    let go_on = |done: usize| {
        progress(done, total);
        !run.is_cancelled()
    };
    let written = if notes_only {
        documents::save_notes(&library, &options.articles, file, go_on).await
    } else {
        documents::save(&library, &options, file, go_on).await
    };
    unless_cancelled(written.map(|written| (total, written)))
}

fn reporter(app: &App, file: &Path) -> impl FnMut(u64, u64) + Send + 'static {
    let (app, name) = (app.clone(), file.file_name().unwrap_or_default().to_string_lossy().into_owned());
    let mut may_report = throttle(REPORT_EVERY);
    move |done, total| {
        if may_report() {
            let progress = ExportProgress { file: name.clone(), done: to_number(done), total: to_number(total) };
            app.emit(Event::ExportProgress(Some(progress)));
        }
    }
}

/// Returns a title as a file name, without characters that file systems refuse or that would hide its extension.
pub(crate) fn file_name(title: &str) -> String {
    let plain = one_line(title);
    let kept: String = plain.chars().map(|c| if "/\\:*?\"<>|".contains(c) { ' ' } else { c }).take(80).collect();
    let name = one_line(&kept);
    let name = name.trim_matches('.').trim();
    if name.is_empty() { "article".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_show_their_real_end() {
        for (title, name) in [
            ("A/b: c?", "A b c"),
            ("invoice\u{202e}fdp.exe", "invoicefdp.exe"),
            ("a\u{2066}\n\u{9b}b\u{7}", "a b"),
            ("\u{202e}..", "article"),
        ] {
            assert_eq!(file_name(title), name, "{title:?}");
        }
    }
}
