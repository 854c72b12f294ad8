//! What the library gives away beside its list of feeds: everything in one archive, and articles as documents.

use crate::{convert, events, shell::Shell};
use chrono::Local;
use gleaner_contract::{DocumentForm, ErrorCode, ExportProgress, Exported, IpcError, SaveArticles, SavedDocument};
use gleaner_exchange::{
    archive::{self, ArchiveError},
    documents::{self, Form, Wish},
};
use gleaner_library::{Hit, SearchOrder};
use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};
use tauri::{AppHandle, Manager as _};

/// So many results of a search are asked for at a time.
const PAGE: u32 = 500;
/// Progress is told so often at most.
const TOLD: Duration = Duration::from_millis(100);

/// Writes everything; `None` where it was stopped.
pub async fn everything(app: &AppHandle, file: PathBuf) -> Result<Option<Exported>, IpcError> {
    let shell = app.state::<Shell>();
    let library = shell.core().await?.library;
    let cancel = shell.export.begin();
    let mut tell = teller(app, &file);
    let done = archive::export(library, file.clone(), move |so_far| {
        tell(so_far.done, so_far.total);
        !cancel.is_cancelled()
    })
    .await;
    events::emit(app, "export_progress", None::<ExportProgress>);
    let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    match done {
        Ok(done) => Ok(Some(Exported {
            path: file.display().to_string(),
            feeds: number(done.feeds),
            articles: number(done.articles),
            bytes: number(done.bytes),
            without_access: number(done.without_access),
        })),
        Err(ArchiveError::Cancelled) => Ok(None),
        Err(error) => Err(archive_error(error, &file)),
    }
}

/// Writes articles; `None` where it was stopped.
pub async fn articles(app: &AppHandle, args: SaveArticles, file: PathBuf) -> Result<Option<SavedDocument>, IpcError> {
    let shell = app.state::<Shell>();
    let library = shell.core().await?.library;
    let cancel = shell.save.begin();
    let mut ids = args.ids;
    if let Some(query) = &args.query {
        let query = gleaner_query::parse(query).map_err(|error| convert::internal(&error.to_string()))?;
        let mut after = None;
        loop {
            let found = library.search(&query, &Local::now(), SearchOrder::Date, after, PAGE).await;
            let (hits, more) = found.map_err(convert::library_error)?;
            after = hits.last().map(Hit::cursor);
            ids.extend(hits.iter().map(|hit| hit.row.id));
            if !more || cancel.is_cancelled() {
                break;
            }
        }
    }
    if args.form == DocumentForm::Notes && args.query.is_none() && ids.is_empty() {
        ids = library.noted_items().await.map_err(convert::library_error)?;
    }
    let form = match args.form {
        DocumentForm::Markdown | DocumentForm::Notes => Form::Markdown,
        DocumentForm::Html => Form::Html,
        DocumentForm::Epub => Form::Epub,
    };
    let wish = Wish { articles: ids, title: args.title, form, remote_pictures: false };
    let mut tell = teller(app, &file);
    let total = wish.articles.len() as u64;
    let go_on = |done: usize| {
        tell(done as u64, total);
        !cancel.is_cancelled()
    };
    let done = if args.form == DocumentForm::Notes {
        documents::save_notes(&library, &wish.articles, &file, go_on).await
    } else {
        documents::save(&library, &wish, &file, go_on).await
    };
    events::emit(app, "export_progress", None::<ExportProgress>);
    match done {
        Ok(count) => Ok(Some(SavedDocument { path: file.display().to_string(), articles: convert::count(count) })),
        Err(ArchiveError::Cancelled) => Ok(None),
        Err(error) => Err(archive_error(error, &file)),
    }
}

fn teller(app: &AppHandle, file: &Path) -> impl FnMut(u64, u64) + Send + 'static {
    let (app, name) = (app.clone(), file.file_name().unwrap_or_default().to_string_lossy().into_owned());
    let mut told: Option<Instant> = None;
    move |done, total| {
        if told.is_some_and(|told| told.elapsed() < TOLD) {
            return;
        }
        told = Some(Instant::now());
        let number = |count: u64| i64::try_from(count).unwrap_or(0);
        let progress = ExportProgress { file: name.clone(), done: number(done), total: number(total) };
        events::emit(&app, "export_progress", Some(progress));
    }
}

/// What went wrong with a file of the user's, or with the library.
pub fn archive_error(error: ArchiveError, file: &Path) -> IpcError {
    match error {
        ArchiveError::Library(error) => convert::library_error(error),
        error => {
            let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
            IpcError { code: ErrorCode::File, message: error.to_string(), detail: Some(format!("{name}: {error}")) }
        }
    }
}

/// A title as the name of a file: what no file system takes is left out.
pub fn file_name(title: &str) -> String {
    let kept: String =
        title.chars().map(|c| if c.is_control() || "/\\:*?\"<>|".contains(c) { ' ' } else { c }).take(80).collect();
    let name = kept.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = name.trim_matches('.').trim();
    if name.is_empty() { "article".to_owned() } else { name.to_owned() }
}
