//! Importing files. Files are named by the system's dialogs, by a drop, or on the command line, never by the window.

use crate::{
    App,
    error::{AppError, Result},
    feed_files,
    import_files::finished_with,
    import_preview::{discard_import, prepare},
    import_sources::{ImportSource, shown_name},
    jobs::Job,
    platform::FileFilter,
    settings,
};
use gleaner_contract::{Bookmark, Browser, ErrorCode, Event, InstalledReader};
use gleaner_exchange::readers::{self, Installed, Places};
use std::path::{Path, PathBuf};

/// Schemes of addresses to subscribe to.
const ADDRESS_SCHEMES: [&str; 8] = ["http", "https", "feed", "rss", "itpc", "pcast", "web+feed", "podcast"];

/// Lets the user pick files and imports them. Returns whether any were picked.
pub async fn import_opml(app: &App, (): ()) -> Result<bool> {
    // The dialog starts with the first filter. newsboat's file `urls` has no extension.
    let extensions = &["opml", "xml", "OPML", "XML", "json", "JSON", "zip", "ZIP", "db", "sqlite", "sqlite3"];
    let filters = vec![
        FileFilter::new("Gleaner, OPML, JSON, ZIP, SQLite", extensions),
        FileFilter::all(&settings::catalogue(&app.core().await?.library).await?),
    ];
    let files = app.platform()?.pick_files(filters, true).await;
    let any = !files.is_empty();
    if any {
        start(app, files);
    }
    Ok(any)
}

/// Returns the readers whose data is on this computer. Only checks whether the files exist.
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

/// Returns the browsers whose bookmarks are on this computer. Only checks whether the files exist.
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
    Ok(sites.into_iter().map(|site| Bookmark { title: site.title, url: site.url, folder: site.folder }).collect())
}

fn installed_browsers() -> Vec<Installed> {
    Places::of_user().map(|places| readers::browsers(&places)).unwrap_or_default()
}

fn installed() -> Vec<Installed> {
    Places::of_user().map(|places| readers::installed(&places)).unwrap_or_default()
}

/// Stops reading and importing files. What was already imported stays.
pub async fn cancel_import(app: &App, (): ()) -> Result<()> {
    discard_import(app, ()).await?;
    app.jobs().cancel(Job::Import);
    Ok(())
}

/// Opens the files and addresses of a command line: now, or as soon as the window is ready.
pub fn open_files(app: &App, files: Vec<PathBuf>) {
    app.session().files.lock().extend(files);
    if app.events().is_listened_to() {
        start_waiting(app);
    }
}

/// Opens the files and addresses that have waited for the window.
pub(crate) fn start_waiting(app: &App) {
    let files = std::mem::take(&mut *app.session().files.lock());
    if !files.is_empty() {
        start(app, files);
    }
}

/// Reads files and folders, and asks the user whether to import them. Addresses of feeds and sites, which desktops drop and pass like
/// files, are reported for subscribing, and so are files that are feeds.
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
        let files = feed_files::open_feed_files(&app, files).await;
        if files.is_empty() {
            return;
        }
        let first = files.first().map(|path| shown_name(path)).unwrap_or_default();
        let sources = files.into_iter().map(|path| ImportSource { name: path.display().to_string(), path }).collect();
        if let Err(error) = prepare(&app, sources).await {
            finished_with(&app, first, error);
        }
    });
}

/// Returns the web address if this "file" is one, also with the schemes of other readers: `feed:https://…`.
fn web_address(file: &Path) -> Option<String> {
    let text = file.to_str()?.trim();
    let scheme = text.split_once(':')?.0.to_ascii_lowercase();
    ADDRESS_SCHEMES.contains(&scheme.as_str()).then(|| text.to_owned())
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
