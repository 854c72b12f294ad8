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

/// Replaces the library by a backup. Returns where the previous library was moved.
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

/// Replaces a damaged library by a new one with its readable data.
///
/// # Errors
/// The library is in use, or the folder cannot be written; the library stays then.
pub async fn recover(app: &App) -> Result<Recovered> {
    let folder = app.folder()?.to_owned();
    exchange(app, move |runtime| Ok(runtime.block_on(gleaner_library::recover(&folder))?)).await
}

/// Replaces the library while it is closed. All other commands wait.
async fn exchange<T: Send + 'static>(app: &App, work: impl FnOnce(Handle) -> Result<T> + Send + 'static) -> Result<T> {
    let closed = app.closed().await?;
    let runtime = Handle::current();
    // Whole files are copied, which must not block the runtime.
    let done = tokio::task::spawn_blocking(move || work(runtime)).await;
    drop(closed);
    app.signals().polling.notify_one();
    done?
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
}
