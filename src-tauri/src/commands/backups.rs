//! Copies of the library, and the way back to a whole one. The window names a backup, never a path.

use crate::{commands::library::count, convert, links, shell::Shell};
use gleaner_contract::{Backup, BackupOccasion, Backups, IpcError, LostPart, Renewed, RestoreBackup};
use gleaner_library::{LibraryError, Occasion};
use std::path::Path;
use tauri::State;

fn name(backup: &gleaner_library::Backup) -> String {
    backup.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn shown(backup: &gleaner_library::Backup) -> Backup {
    Backup {
        name: name(backup),
        at: backup.at,
        bytes: i64::try_from(backup.bytes).unwrap_or(i64::MAX),
        occasion: match backup.occasion {
            Occasion::Daily => BackupOccasion::Daily,
            Occasion::Upgrade => BackupOccasion::Upgrade,
            Occasion::ByHand => BackupOccasion::ByHand,
        },
    }
}

/// The backup of that name in the library's own folder of them.
fn named(folder: &Path, wanted: &str) -> Result<gleaner_library::Backup, IpcError> {
    let found = gleaner_library::backups(folder).into_iter().find(|backup| name(backup) == wanted);
    found.ok_or_else(|| convert::library_error(LibraryError::NotFound("backup")))
}

#[tauri::command]
pub async fn backups() -> Result<Backups, IpcError> {
    let folder = Shell::folder()?;
    Ok(Backups {
        backups: gleaner_library::backups(&folder).iter().map(shown).collect(),
        aside: folder.join("aside").display().to_string(),
        folder: folder.display().to_string(),
    })
}

#[tauri::command]
pub async fn back_up(shell: State<'_, Shell>) -> Result<Backup, IpcError> {
    let made = shell.core().await?.library.back_up(Occasion::ByHand).await.map_err(convert::library_error)?;
    Ok(shown(&made))
}

#[tauri::command]
pub async fn restore_backup(shell: State<'_, Shell>, args: RestoreBackup) -> Result<Renewed, IpcError> {
    let folder = Shell::folder()?;
    let backup = named(&folder, &args.name)?;
    let from = Some(shown(&backup));
    let aside =
        exchange(&shell, move || tauri::async_runtime::block_on(gleaner_library::restore(&folder, &backup.path)))
            .await?;
    let library = shell.core().await?.library;
    let feeds = library.feeds().await.map_err(convert::library_error)?;
    Ok(Renewed {
        feeds: convert::count(feeds.iter().filter(|feed| !feed.local).count()),
        articles: count(&library).await?.smart.all,
        lost: Vec::new(),
        from,
        aside: aside.display().to_string(),
    })
}

#[tauri::command]
pub async fn recover_library(shell: State<'_, Shell>) -> Result<Renewed, IpcError> {
    let folder = Shell::folder()?;
    let recovered = exchange(&shell, move || tauri::async_runtime::block_on(gleaner_library::recover(&folder))).await?;
    Ok(Renewed {
        feeds: recovered.feeds,
        articles: recovered.articles,
        lost: recovered.lost.into_iter().map(|(what, pieces)| LostPart { what, pieces }).collect(),
        from: recovered.filled_from.as_ref().map(shown),
        aside: recovered.aside.display().to_string(),
    })
}

/// Puts another library in the place of this one, which is closed meanwhile; all other commands wait.
async fn exchange<T: Send + 'static>(
    shell: &Shell,
    work: impl FnOnce() -> Result<T, LibraryError> + Send + 'static,
) -> Result<T, IpcError> {
    let closed = shell.closed().await?;
    // Copies whole files: not on a thread that others wait for.
    let done = tauri::async_runtime::spawn_blocking(work).await;
    drop(closed);
    shell.polling_changed.notify_one();
    done.map_err(|error| convert::internal(&error.to_string()))?.map_err(convert::library_error)
}

#[tauri::command]
pub async fn show_library_folder() -> Result<(), IpcError> {
    links::show_folder(Shell::folder()?).await
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_contract::ErrorCode;

    #[test]
    fn only_what_lies_among_the_librarys_own_backups_is_restored() {
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
            assert_eq!(named(folder.path(), refused).unwrap_err().code, ErrorCode::NotFound, "{refused}");
        }
    }
}
