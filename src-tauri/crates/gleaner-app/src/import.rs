//! Importing files. Files are named by the system's dialogs, by a drop, or on the command line, never by the window.

use crate::{
    App,
    app::lock,
    connection, convert,
    error::{AppError, Result},
    jobs::Job,
    platform::FileFilter,
    refresh, subscriptions,
};
use gleaner_contract::{
    ArchiveCounts, Bookmark, Browser, ErrorCode, Event, ImportPhase, ImportProgress, ImportSummary, InstalledReader,
    IpcError, SkipReason, SkippedOutline,
};
use gleaner_exchange::{
    archive::{self, ArchiveError, Imported, Problem},
    readers::{self, Found, ImportError, ImportResult, Installed, Kind, Places, Step},
};
use gleaner_feed::{Repair, opml};
use gleaner_library::{Library, now};
use gleaner_polling::Scope;
use std::path::{Path, PathBuf};

pub(crate) use crate::import_preview::{confirm_import, discard_import};

/// Schemes of addresses to subscribe to.
const ADDRESS_SCHEMES: [&str; 8] = ["http", "https", "feed", "rss", "itpc", "pcast", "web+feed", "podcast"];

/// Lets the user pick files and imports them. Returns whether any were picked.
pub async fn import_opml(app: &App, (): ()) -> Result<bool> {
    // The dialog starts with the first filter. newsboat's file `urls` has no extension.
    let extensions = &["opml", "xml", "OPML", "XML", "json", "JSON", "zip", "ZIP", "db", "sqlite", "sqlite3"];
    let filters = vec![
        FileFilter::new("Gleaner, OPML, JSON, ZIP, SQLite", extensions),
        FileFilter::all(&app.core().await?.library).await?,
    ];
    let files = app.platform()?.pick_files(filters, true).await;
    let any = !files.is_empty();
    if any {
        start(app, files);
    }
    Ok(any)
}

/// Returns the readers whose data is on this computer. Only looks whether it exists.
pub async fn installed_readers(_: &App, (): ()) -> Result<Vec<InstalledReader>> {
    let found = tokio::task::spawn_blocking(installed).await?;
    Ok(found.into_iter().map(|reader| InstalledReader { name: reader.name.to_owned() }).collect())
}

/// Imports the data of a reader on this computer.
pub async fn import_installed(app: &App, args: InstalledReader) -> Result<()> {
    let found = tokio::task::spawn_blocking(installed).await?;
    let reader = found.into_iter().find(|reader| reader.name == args.name);
    let reader = reader.ok_or_else(|| AppError::new(ErrorCode::NotFound, "no data of this reader"))?;
    start(app, reader.paths);
    Ok(())
}

/// Returns the browsers whose bookmarks are on this computer. Only looks whether they exist.
pub async fn browsers(_: &App, (): ()) -> Result<Vec<Browser>> {
    let found = tokio::task::spawn_blocking(installed_browsers).await?;
    Ok(found.into_iter().map(|browser| Browser { name: browser.name.to_owned() }).collect())
}

/// Returns the bookmarked sites of a browser on this computer.
pub async fn bookmarks(_: &App, args: Browser) -> Result<Vec<Bookmark>> {
    let found = tokio::task::spawn_blocking(installed_browsers).await?;
    let browser = found.into_iter().find(|browser| browser.name == args.name);
    let browser = browser.ok_or_else(|| AppError::new(ErrorCode::NotFound, "no bookmarks of this browser"))?;
    let sites = readers::bookmarks(&browser.paths).await?;
    Ok(sites.into_iter().map(|site| Bookmark { title: site.title, url: site.url }).collect())
}

fn installed_browsers() -> Vec<Installed> {
    Places::of_user().map(|places| readers::browsers(&places)).unwrap_or_default()
}

fn installed() -> Vec<Installed> {
    Places::of_user().map(|places| readers::installed(&places)).unwrap_or_default()
}

/// Stops reading files, and importing. What is imported already stays.
pub async fn cancel_import(app: &App, (): ()) -> Result<()> {
    discard_import(app, ()).await?;
    app.jobs().cancel(Job::Import);
    Ok(())
}

/// Opens the files and addresses of a command line: now, or as soon as the window listens.
pub fn open_files(app: &App, files: Vec<PathBuf>) {
    lock(&app.session().files).extend(files);
    if app.events().is_listened_to() {
        start_waiting(app);
    }
}

/// Opens the files and addresses that have waited for the window.
pub(crate) fn start_waiting(app: &App) {
    let files = std::mem::take(&mut *lock(&app.session().files));
    if !files.is_empty() {
        start(app, files);
    }
}

/// Reads files and folders, and asks the user whether to import them. Addresses of feeds and sites among them, which desktops drop and
/// pass like files, are reported for subscribing, and so are files that are feeds.
pub fn start(app: &App, files: Vec<PathBuf>) {
    let (addresses, files): (Vec<_>, Vec<_>) = files.into_iter().partition(|file| web_address(file).is_some());
    if let Some(address) = addresses.iter().find_map(|file| web_address(file)) {
        app.emit(Event::AddressReceived(address));
    }
    if files.is_empty() {
        return;
    }
    let app = app.clone();
    app.clone().spawn(async move {
        let files = subscriptions::open_feed_files(&app, files).await;
        if files.is_empty() {
            return;
        }
        let first = files.first().map(|path| shown_name(path)).unwrap_or_default();
        let sources = files.into_iter().map(|path| ImportSource { name: path.display().to_string(), path }).collect();
        if let Err(error) = crate::import_preview::prepare(&app, sources).await {
            finished_with(&app, first, error);
        }
    });
}

fn finished_with(app: &App, file: String, error: AppError) {
    let summary = ImportSummary { file, error: Some(reported(error)), ..ImportSummary::default() };
    app.emit(Event::ImportFinished(Box::new(summary)));
}

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
                done: number(done),
                total: number(total),
            }));
        };
        let finished = |file: &str, imported: ImportedFile, undo: Option<i64>| {
            let mut summary = ImportSummary { file: shown_name(Path::new(file)), undo, ..ImportSummary::default() };
            match imported {
                ImportedFile::Archive(Ok(imported)) => archive_summary(&mut summary, imported),
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
        if let Err(error) = import_all(&app, sources, false, report, finished).await {
            finished_with(&app, first, error);
        }
    });
}

/// Returns the name by which a file is shown. One without an extension, such as newsboat's `urls`, says little without its folder.
pub(crate) fn shown_name(path: &Path) -> String {
    let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    match path.parent().and_then(Path::file_name) {
        Some(folder) if path.extension().is_none() && path.is_file() => {
            Path::new(folder).join(file).to_string_lossy().into_owned()
        }
        _ => file,
    }
}

/// Returns the web address that a "file" is, if it is one, also with the schemes of other readers: `feed:https://…`.
fn web_address(file: &Path) -> Option<String> {
    let text = file.to_str()?.trim();
    let scheme = text.split_once(':')?.0.to_ascii_lowercase();
    ADDRESS_SCHEMES.contains(&scheme.as_str()).then(|| text.to_owned())
}

/// Returns an error for the window. The log has its cause.
pub(crate) fn reported(error: AppError) -> IpcError {
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

/// A file or folder to import.
#[derive(Debug, Clone)]
pub struct ImportSource {
    /// The name to report it by: usually its path.
    pub name: String,
    /// Its path.
    pub path: PathBuf,
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
    /// What was wrong in the file and could be read all the same.
    pub repairs: Vec<Repair>,
    /// What was imported, or why nothing was.
    pub result: Result<ImportResult, ImportError>,
}

/// Imports files and folders one after the other: archives, then lists of feeds, then the rest. One cancellation is for all of
/// them; what is imported already stays. With `dry_run`, archives are only compared with the library. `progress` receives the
/// name of the file, and what is done of how many, 0 if unknown; `finished` receives what was imported from each file, and the step that
/// undoes it. Returns whether no file was left out because of a cancellation.
///
/// # Errors
/// The library does not open. Errors of single files are passed to `finished`.
pub async fn import_all(
    app: &App,
    sources: Vec<ImportSource>,
    dry_run: bool,
    progress: impl Fn(&str, ImportPhase, u64, u64) + Clone + Send + Sync + 'static,
    mut finished: impl FnMut(&str, ImportedFile, Option<i64>),
) -> Result<bool> {
    let (archives, others): (Vec<_>, Vec<_>) =
        sources.into_iter().partition(|source| archive::is_archive(&source.path));
    let found = tokio::task::spawn_blocking(move || find_importable(&others)).await?;
    let run = app.jobs().replace(Job::Import).await;
    let library = app.core().await?.library;
    for ImportSource { name, path } in archives {
        if run.is_cancelled() {
            return Ok(false);
        }
        let (cancel, progress, file) = (run.token(), progress.clone(), name.clone());
        let imported = archive::import(library.clone(), path, dry_run, move |so_far| {
            let phase = if so_far.total > 0 { ImportPhase::Articles } else { ImportPhase::Reading };
            progress(&file, phase, so_far.done, so_far.total);
            !cancel.is_cancelled()
        });
        let imported = imported.await;
        let undo = match &imported {
            Ok(imported) if !dry_run => {
                remember(&library, &imported.head.feeds_added, &imported.head.folders_added).await
            }
            _ => None,
        };
        finished(&name, ImportedFile::Archive(imported), undo);
    }
    for (name, found) in found {
        if run.is_cancelled() {
            return Ok(false);
        }
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
            Ok(Ok(result)) => remember(&library, &result.feeds(), &result.folders).await,
            _ => None,
        };
        finished(&name, ImportedFile::Data(imported), undo);
    }
    Ok(true)
}

/// Returns the step that undoes an import.
async fn remember(library: &Library, feeds: &[i64], folders: &[i64]) -> Option<i64> {
    match library.subscriptions().remember_import(feeds, folders).await {
        Ok(step) => step.map(|step| step.step),
        Err(error) => {
            tracing::warn!(%error, "an import can't be undone");
            None
        }
    }
}

/// Finds what files and folders contain, each with its name. Lists of feeds come first, since they say what is subscribed and
/// where.
pub fn find_importable(sources: &[ImportSource]) -> Vec<(String, Result<Found, ImportError>)> {
    let mut all = Vec::new();
    for ImportSource { name, path } in sources {
        match readers::find(path) {
            Ok(found) => all.extend(found.into_iter().map(|found| {
                // Files unpacked from an archive have temporary names, so the name of the archive is shown.
                let inside = found.path.strip_prefix(path).ok().filter(|rest| !rest.as_os_str().is_empty());
                let name = inside.map_or_else(|| name.clone(), |rest| path.join(rest).display().to_string());
                (name, Ok(found))
            })),
            Err(error) => all.push((name.clone(), Err(error))),
        }
    }
    // newsboat's database may be in another folder than its list.
    if all.iter().any(|(_, found)| matches!(found, Ok(Found { kind: Kind::Urls, .. }))) {
        for (_, found) in &mut all {
            if let Ok(found @ Found { kind: Kind::Database, .. }) = found {
                found.has_list = true;
            }
        }
    }
    all.sort_by_key(|(_, found)| !matches!(found, Ok(Found { kind: Kind::List | Kind::Urls, .. })));
    all
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

pub(crate) fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn archive_summary(summary: &mut ImportSummary, imported: Imported) {
    summary.feeds_added = convert::count(imported.head.feeds_added.len());
    summary.folders_added = convert::count(imported.head.folders_added.len());
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
        .map(|skipped| SkippedOutline {
            outline: format!("{}{}", skipped.file, place(skipped.line)),
            reason: problem(skipped.why),
        })
        .collect();
}

/// Fills in the summary. Returns the feeds to refresh.
fn data_summary(summary: &mut ImportSummary, imported: Result<ImportedData, ImportError>) -> Vec<i64> {
    let result = imported.and_then(|imported| {
        summary.repairs = imported.repairs.into_iter().map(convert::repair).collect();
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
    summary.feeds_added = convert::count(result.added.len());
    summary.manual_feeds = convert::count(result.unpolled.len());
    summary.folders_added = convert::count(result.folders.len());
    summary.already_subscribed = result.already;
    summary.articles = convert::count(result.articles.articles);
    summary.starred = convert::count(result.articles.starred);
    summary.existing_articles = convert::count(result.known);
    let skipped = |skip: readers::Skipped| SkippedOutline { outline: skip.what, reason: skip_reason(skip.why) };
    summary.skipped = result.skipped.into_iter().map(skipped).collect();
    if result.damaged {
        let outline = summary.file.clone();
        summary.skipped.push(SkippedOutline { outline, reason: SkipReason::RestOfDatabase });
    }
    result.added
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dropped_addresses_are_not_files() {
        for address in ["https://a.example/feed", "HTTP://a.example", "feed:https://a.example/", "feed://a.example/"] {
            assert_eq!(web_address(Path::new(address)).as_deref(), Some(address));
        }
        for file in ["/home/a/list.opml", "list.opml", "C:\\list.opml", "/tmp/http:/x", "ftp://a.example/"] {
            assert_eq!(web_address(Path::new(file)), None, "{file}");
        }
    }
}
