//! Backups, restoring and recovering. The window names a backup, never a path.

use crate::{
    App,
    error::{AppError, Result},
    numbers::to_number,
    sidebar,
};
use gleaner_contract::{Backup, BackupOccasion, Backups, ErrorCode, LostPart, RestoreBackup, RestoredLibrary};
use gleaner_library::{LibraryError, Occasion, Recovered, Verified};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};
use tokio::runtime::Handle;

/// Delay of the first backup, so that it does not slow down the start.
const FIRST_AFTER: Duration = Duration::from_secs(120);
const CHECK_EVERY: Duration = Duration::from_secs(3600);

fn name(backup: &gleaner_library::Backup) -> String {
    backup.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn shown(backup: &gleaner_library::Backup) -> Backup {
    Backup {
        name: name(backup),
        at: backup.at,
        bytes: to_number(backup.bytes),
        occasion: match backup.occasion {
            Occasion::Daily => BackupOccasion::Daily,
            Occasion::Upgrade => BackupOccasion::Upgrade,
            Occasion::ByHand => BackupOccasion::ByHand,
        },
    }
}

/// Returns the backup with that name in the library's own backup folder.
fn named(folder: &Path, wanted: &str) -> Result<gleaner_library::Backup> {
    let found = gleaner_library::backups(folder).into_iter().find(|backup| name(backup) == wanted);
    found.ok_or_else(|| LibraryError::NotFound("backup").into())
}

/// Returns the backups of the library, newest first.
pub async fn backups(app: &App, (): ()) -> Result<Backups> {
    let folder = app.folder()?;
    Ok(Backups {
        backups: gleaner_library::backups(folder).iter().map(shown).collect(),
        previous_libraries_folder: folder.join("aside").display().to_string(),
        folder: folder.display().to_string(),
    })
}

pub async fn create_backup(app: &App, (): ()) -> Result<Backup> {
    Ok(shown(&back_up(app).await?))
}

/// Makes a backup that stays until the user removes it.
///
/// # Errors
/// The disk is full, or the folder cannot be written.
pub async fn back_up(app: &App) -> Result<gleaner_library::Backup> {
    Ok(app.core().await?.library.back_up(Occasion::ByHand).await?)
}

/// Checks the library for damage. With `repair`, repairs what can be derived from other data, after a backup whose result is
/// passed to `backed_up`.
///
/// # Errors
/// The library cannot be read, or cannot be backed up although articles can be read.
pub async fn check(
    app: &App,
    repair: bool,
    backed_up: impl FnOnce(Result<&gleaner_library::Backup, &AppError>),
) -> Result<Verified> {
    let library = app.core().await?.library;
    let verified = library.check(false).await?;
    if !repair || verified.findings.is_empty() {
        return Ok(verified);
    }
    match back_up(app).await {
        Err(error) if verified.articles > 0 => return Err(error),
        // A damaged library may be impossible to copy; it is repaired anyway if nothing can be read.
        backup => backed_up(backup.as_ref()),
    }
    Ok(library.check(true).await?)
}

pub async fn restore_backup(app: &App, args: RestoreBackup) -> Result<RestoredLibrary> {
    let backup = named(app.folder()?, &args.name)?;
    let restored = Some(shown(&backup));
    let aside = restore(app, backup.path).await?;
    let library = app.core().await?.library;
    let feeds = library.feeds().list().await?;
    Ok(RestoredLibrary {
        feeds: to_number(feeds.iter().filter(|feed| !feed.local).count()),
        articles: sidebar::count(&library).await?.smart.all,
        lost: Vec::new(),
        backup: restored,
        previous_folder: aside.display().to_string(),
    })
}

pub async fn recover_library(app: &App, (): ()) -> Result<RestoredLibrary> {
    let recovered = recover(app).await?;
    Ok(RestoredLibrary {
        feeds: recovered.feeds,
        articles: recovered.articles,
        lost: recovered.lost.into_iter().map(|(part, count)| LostPart { part, count }).collect(),
        backup: recovered.filled_from.as_ref().map(shown),
        previous_folder: recovered.aside.display().to_string(),
    })
}

/// Replaces the library with a backup. Returns where the previous library was moved.
///
/// # Errors
/// The file is not a whole backup, the library is in use, or the folder cannot be written; the library stays then.
pub async fn restore(app: &App, backup: PathBuf) -> Result<PathBuf> {
    let folder = app.folder()?.to_owned();
    exchange(app, move |runtime| {
        runtime.block_on(gleaner_library::restore(&folder, &backup)).map_err(|error| of_backup(error, &backup))
    })
    .await
}

/// An error of the backup itself must not be taken for one of the library.
fn of_backup(error: LibraryError, backup: &Path) -> AppError {
    let code = match &error {
        LibraryError::Newer { .. } => ErrorCode::ArchiveNewer,
        error if error.is_damage() => ErrorCode::ArchiveDamaged,
        _ => return error.into(),
    };
    AppError::new(code, &error).with("file", backup.display())
}

/// Replaces a damaged library with a new one that has its readable data.
///
/// # Errors
/// The library is in use, or the folder cannot be written; the library stays then.
pub async fn recover(app: &App) -> Result<Recovered> {
    let folder = app.folder()?.to_owned();
    exchange(app, move |runtime| Ok(runtime.block_on(gleaner_library::recover(&folder))?)).await
}

/// Replaces the library while it is closed. All other commands wait.
async fn exchange<T: Send + 'static>(app: &App, work: impl FnOnce(Handle) -> Result<T> + Send + 'static) -> Result<T> {
    let exchanged = async {
        let closed = app.closed().await?;
        let runtime = Handle::current();
        // Whole files are copied, which must not block the runtime.
        let done = tokio::task::spawn_blocking(move || work(runtime)).await;
        drop(closed);
        done?
    };
    let done = exchanged.await;
    // Work that the user cancelled before was for the previous library.
    app.session().refresh.rest.end();
    app.session().downloads_rest.end();
    app.signals().replaced.notify_one();
    done
}

/// Backs up the library once a day while the app runs.
pub(crate) async fn back_up_daily(app: App) {
    let mut wait = FIRST_AFTER;
    loop {
        tokio::time::sleep(wait).await;
        wait = CHECK_EVERY;
        // The window shows why the library does not open.
        let Ok(core) = app.core().await else { continue };
        if let Err(error) = core.library.back_up_daily().await {
            tracing::warn!(%error, "the daily backup failed");
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_library::{Incoming, Intent, Library, NewAccount, NewItem, NewShareService, NewSubscription, Secret};
    use gleaner_polling::Scope;
    use gleaner_sync::{Kind, Options};
    use gleaner_testserver::{Reply, Server};
    use std::sync::Arc;
    use tokio::sync::Notify;

    #[test]
    fn only_files_in_the_backup_folder_are_restored() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("backups");
        std::fs::create_dir(&own).unwrap();
        let other = tempfile::tempdir().unwrap();
        let file = "20261121T064512000-daily.sqlite";
        for place in [own.as_path(), folder.path(), other.path()] {
            std::fs::write(place.join(file), "").unwrap();
        }
        std::fs::write(own.join("library.sqlite"), "").unwrap();
        assert_eq!(named(folder.path(), file).unwrap().path, own.join(file));
        let outside = other.path().join(file);
        for refused in [outside.to_str().unwrap(), &format!("../{file}"), "library.sqlite", "", &format!("./{file}")] {
            assert_eq!(named(folder.path(), refused).unwrap_err().code(), ErrorCode::NotFound, "{refused}");
        }
    }
    /// Returns a server that never answers, and what is notified of each request. Requests to one host wait for each other, so each has its own.
    async fn silent_server(host: u8) -> (Server, Arc<Notify>) {
        let (server, requested) = (Server::start_at([127, 0, 0, host]).await, Arc::new(Notify::new()));
        let notify = Arc::clone(&requested);
        server.on_request("*", move |_| {
            notify.notify_one();
            Reply::ok("").hang_before_head()
        });
        (server, requested)
    }

    async fn add_account(app: &App, server: &Server) -> i64 {
        let new = NewAccount {
            kind: Kind::Miniflux.name().to_owned(),
            name: "Server".to_owned(),
            url: server.url("/"),
            secret: Some(Secret("sesame".to_owned())),
            history: 10,
            ..NewAccount::default()
        };
        app.core().await.unwrap().library.accounts().add(&new).await.unwrap()
    }

    #[tokio::test]
    async fn a_library_is_replaced_whatever_still_uses_it() {
        let folder = tempfile::tempdir().unwrap();
        let app = App::without_window(folder.path().join("library"), Handle::current());
        let [account, feed, service] = [silent_server(1).await, silent_server(2).await, silent_server(3).await];
        let id = add_account(&app, &account.0).await;
        let library = app.core().await.unwrap().library;
        library.subscriptions().add(&NewSubscription::new(feed.0.url("/feed.xml"))).await.unwrap();
        let item =
            NewItem { key: "1".to_owned(), url: Some("https://fruit.example/".to_owned()), ..NewItem::default() };
        let of_feed = NewSubscription { local: true, ..NewSubscription::new("https://fruit.example/feed") };
        let of_feed = library.subscriptions().add(&of_feed).await.unwrap();
        let intents = vec![Intent::Insert(Box::new(item))];
        library.polls().store(&[&Incoming::of_items(of_feed, intents)]).await.unwrap();
        let share = NewShareService {
            kind: "linkding".to_owned(),
            name: "Linkding".to_owned(),
            address: service.0.url("/"),
            secret: Some(Secret(r#"{"password":"sesame"}"#.to_owned())),
            ..NewShareService::default()
        };
        let share = library.share_services().add(&share).await.unwrap();
        drop(library);
        let backup = back_up(&app).await.unwrap().path;

        let syncing = tokio::spawn({
            let app = app.clone();
            async move { crate::sync_account(&app, id, &Options::default()).await.map(drop) }
        });
        account.1.notified().await;
        // It waits for the synchronisation, and uses the library meanwhile.
        let subscribing = tokio::spawn({
            let (app, url) = (app.clone(), feed.0.url("/other.xml"));
            async move { crate::subscribe_in_account(&app, id, &url, None).await.map(drop) }
        });
        let refreshing = tokio::spawn({
            let app = app.clone();
            async move { crate::poll(&app, Scope::All, |_| {}).await.map(drop) }
        });
        feed.1.notified().await;
        let sharing = tokio::spawn({
            let app = app.clone();
            async move { crate::sharing::save_in_service(&app, share, &[1]).await.map(drop) }
        });
        service.1.notified().await;

        let aside = restore(&app, backup).await.unwrap();
        for task in [syncing, subscribing, refreshing, sharing] {
            drop(task.await.unwrap());
        }
        let library = app.core().await.unwrap().library;
        assert_eq!(library.feeds().list().await.unwrap().len(), 2);
        assert_eq!(library.sync().log(id).await.unwrap(), [], "nothing of the former one was written here");
        assert!(library.share_services().counts().await.unwrap().is_empty());
        drop(library);
        app.quit().await.unwrap();
        let former = Library::open(&aside).await.unwrap();
        assert_eq!(former.share_services().counts().await.unwrap()[&share].waiting, 1, "it stays queued");
    }

    #[tokio::test]
    async fn the_accounts_of_a_restored_library_are_synchronised() {
        let folder = tempfile::tempdir().unwrap();
        let [first, second] = [silent_server(1).await, silent_server(2).await];
        let app = App::without_window(folder.path().join("second"), Handle::current());
        let restored = add_account(&app, &second.0).await;
        let backup = back_up(&app).await.unwrap().path;
        app.quit().await.unwrap();
        let app = App::without_window(folder.path().join("first"), Handle::current());
        drop(app.core().await.unwrap());
        let following = tokio::spawn(crate::sync::sync_automatically(app.clone()));
        let id = add_account(&app, &first.0).await;
        app.signals().sync.notify_one();
        first.1.notified().await;
        // An account with this id was just synchronised.
        assert_eq!(id, restored);
        restore(&app, backup).await.unwrap();
        drop(app.core().await.unwrap());
        second.1.notified().await;
        following.abort();
    }
}
