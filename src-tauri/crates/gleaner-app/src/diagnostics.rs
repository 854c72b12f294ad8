//! About this program, and diagnostics for bug reports: versions, settings, sizes, states of feeds, the last crash and the end of
//! the log. They contain no secrets, no titles and no article text.

use crate::{
    App, crashes,
    error::{AppError, Result, internal, invalid_input},
    logs,
    numbers::to_number,
    settings,
};
use gleaner_contract::{About, ErrorCode, ShowFolder, ShownFolder};
use gleaner_library::LAST_VERSION;
use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
};

/// Number of lines of the log.
const LOG_LINES: usize = 200;

/// Returns diagnostics as text, which the user copies and reads before sending it to anyone.
pub async fn diagnostics(app: &App, (): ()) -> Result<String> {
    let mut text = crashes::versions();
    if let Ok(platform) = app.platform() {
        text.push_str(&format!("Window: {}\n", platform.versions()));
    }
    // A library that does not open is a reason to ask for diagnostics.
    let library = match app.core().await {
        Ok(core) => states(&core.library).await,
        Err(error) => Err(error),
    };
    match library {
        Ok(states) => text.push_str(&states),
        Err(error) => text.push_str(&format!("Library: {:?}\n", error.code())),
    }
    let folder = app.folder()?.to_owned();
    let files = move || (crashes::last(&folder), logs::last_lines(&folder, LOG_LINES));
    let (crash, lines) = tokio::task::spawn_blocking(files).await?;
    if let Some(crash) = crash {
        text.push_str(&format!("\nLast crash: {crash}\n"));
    }
    match lines {
        Ok(lines) => text.push_str(&format!("\nLog:\n{}\n", lines.join("\n"))),
        Err(error) => text.push_str(&format!("\nLog: {error}\n")),
    }
    Ok(text)
}

/// Returns sizes, the number of feeds, accounts and services by kind and last error, and the settings.
async fn states(library: &gleaner_library::Library) -> Result<String> {
    let counts = crate::sidebar::count(library).await?;
    let feeds = library.feeds().list().await?.into_iter().filter(|feed| !feed.local).count();
    let polls = library.polls().list().await?;
    let polled = numbers(polls.iter().map(|poll| code(poll.failure.error_code.as_deref()).to_owned()));
    let mut accounts = library.accounts().list().await?;
    accounts.retain(|account| account.removed_at.is_none());
    let accounts = numbers(accounts.iter().map(|one| format!("{}: {}", one.kind, code(one.error_code.as_deref()))));
    let services = library.share_services().list().await?;
    let services = numbers(services.iter().map(|one| format!("{}: {}", one.kind, code(one.error_code.as_deref()))));
    let settings = serde_json::to_string(&settings::of(library).await?).map_err(invalid_input)?;
    Ok(format!(
        "Library: {feeds} feeds, {} of them of accounts, {} articles, {} unread\nFeeds: {polled}\nAccounts: {accounts}\nServices: {services}\n\
         Settings: {settings}\n",
        feeds.saturating_sub(polls.len()),
        counts.smart.all,
        counts.smart.unread,
    ))
}

fn code(error: Option<&str>) -> &str {
    error.unwrap_or("no error")
}

/// Returns how often each text occurs, as text.
fn numbers(of: impl Iterator<Item = String>) -> String {
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    for one in of {
        *numbers.entry(one).or_default() += 1;
    }
    let numbers: Vec<String> = numbers.into_iter().map(|(of, number)| format!("{number} {of}")).collect();
    if numbers.is_empty() { "none".to_owned() } else { numbers.join(", ") }
}

pub async fn about(app: &App, (): ()) -> Result<About> {
    let folder = app.folder()?.to_owned();
    let sized = folder.clone();
    let bytes = tokio::task::spawn_blocking(move || size(&sized)).await?.unwrap_or_else(|error| {
        tracing::warn!(%error, "the library's size is unknown");
        0
    });
    Ok(About {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        library: folder.display().to_string(),
        bytes: to_number(bytes),
        licences: licences().is_some(),
    })
}

/// Returns the size of the files in a folder, in bytes.
fn size(folder: &Path) -> io::Result<u64> {
    let (mut folders, mut bytes) = (vec![folder.to_owned()], 0);
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir()? {
            let entry = entry?;
            // The target of a symbolic link is outside of this folder.
            let kind = entry.file_type()?;
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                // A file may disappear meanwhile.
                bytes += entry.metadata().map_or(0, |file| file.len());
            }
        }
    }
    Ok(bytes)
}

/// Returns the folder where the package installed the licences of the software in Gleaner.
fn licences() -> Option<PathBuf> {
    licences_of(&std::env::current_exe().ok()?)
}

/// Returns the folder of the licences for a program at this path: that of a .deb, of an .rpm or AppImage, or of a Flatpak.
fn licences_of(program: &Path) -> Option<PathBuf> {
    let share = program.parent()?.parent()?.join("share");
    let folders = ["doc/gleaner", "licenses/gleaner", "licenses/net.gleaner.Gleaner"].map(|folder| share.join(folder));
    folders.into_iter().find(|folder| folder.is_dir())
}

/// Shows a folder in the file manager.
pub async fn show_folder(app: &App, args: ShowFolder) -> Result<()> {
    let folder = match args.folder {
        ShownFolder::Library => Some(app.folder()?.to_owned()),
        ShownFolder::Licences => licences(),
    };
    let Some(folder) = folder else {
        return Err(AppError::new(ErrorCode::FileUnreadable, "no licences are installed").with("file", "licences"));
    };
    let name = folder.display().to_string();
    let shown = app.platform()?.show_folder(folder).await;
    shown.map_err(|why| {
        AppError::new(ErrorCode::FileUnreadable, format_args!("{name} could not be shown: {why}")).with("file", &name)
    })
}

/// Returns true once after each crash: there is a report.
pub async fn crash_reported(app: &App, (): ()) -> Result<bool> {
    let folder = app.folder()?.to_owned();
    tokio::task::spawn_blocking(move || crashes::announce(&folder)).await?.map_err(internal)
}

/// Returns the version if the window last opened this library with another version.
pub async fn updated(app: &App, (): ()) -> Result<Option<String>> {
    let core = app.core().await?;
    let settings = core.library.settings();
    let (this, last) = (env!("CARGO_PKG_VERSION"), settings.get(LAST_VERSION).await?);
    if last.as_deref() == Some(this) {
        return Ok(None);
    }
    settings.set(LAST_VERSION, this).await?;
    Ok(last.map(|_| this.to_owned()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_library::{NewAccount, NewShareService, NewSubscription, Parameters};
    use tokio::runtime::Handle;

    #[test]
    fn finds_the_licences_of_each_package() {
        for folder in ["share/doc/gleaner", "share/licenses/gleaner", "share/licenses/net.gleaner.Gleaner"] {
            let installed = tempfile::tempdir().unwrap();
            let program = installed.path().join("bin/gleaner");
            assert_eq!(licences_of(&program), None);
            std::fs::create_dir_all(installed.path().join(folder)).unwrap();
            assert_eq!(licences_of(&program), Some(installed.path().join(folder)));
        }
    }

    #[tokio::test]
    async fn diagnostics_count_accounts_and_services_without_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let app = App::without_window(folder.path().to_owned(), Handle::current());
        let library = app.core().await.unwrap().library;
        library.subscriptions().add(&NewSubscription::new("https://private.example/feed")).await.unwrap();
        let text = |text: &str| text.to_owned();
        let account = NewAccount {
            kind: text("fever"),
            name: text("Private"),
            url: text("https://private.example/api/"),
            user_name: text("private"),
            keyring_entry: None,
            secret: None,
            certificate: None,
            labels: false,
            history: 0,
        };
        library.accounts().add(&account).await.unwrap();
        let service = NewShareService {
            kind: text("linkding"),
            name: text("Private"),
            address: text("https://private.example/"),
            ..NewShareService::default()
        };
        for failure in [None, Some("server_login")] {
            let id = library.share_services().add(&service).await.unwrap();
            if let Some(code) = failure {
                library.share_services().failed(id, code, &Parameters::default(), None).await.unwrap();
            }
        }
        let text = diagnostics(&app, ()).await.unwrap();
        for line in [
            "Library: 1 feeds, 0 of them of accounts, 0 articles, 0 unread",
            "Feeds: 1 no error",
            "Accounts: 1 fever: no error",
            "Services: 1 linkding: no error, 1 linkding: server_login",
        ] {
            assert!(text.lines().any(|other| other == line), "{line}: {text}");
        }
        assert!(!text.to_lowercase().contains("private"), "{text}");
        app.quit().await.unwrap();
    }

    #[tokio::test]
    async fn announces_an_update_once() {
        let folder = tempfile::tempdir().unwrap();
        let app = App::without_window(folder.path().to_owned(), Handle::current());
        assert_eq!(updated(&app, ()).await.unwrap(), None, "a new library");
        let core = app.core().await.unwrap();
        let this = Some(env!("CARGO_PKG_VERSION").to_owned());
        core.library.settings().set(LAST_VERSION, "0.1.9").await.unwrap();
        assert_eq!(updated(&app, ()).await.unwrap(), this);
        assert_eq!(updated(&app, ()).await.unwrap(), None);
        app.quit().await.unwrap();
    }
}
