//! Lists in and out, by the system's file dialogs.

use crate::{convert, opml, shell::Shell};
use gleaner_contract::IpcError;
use std::path::PathBuf;
use tauri::{AppHandle, State};
use tauri_plugin_dialog::{DialogExt as _, FilePath};
use tokio::sync::oneshot;

/// The path of a file that was chosen in a dialog.
pub fn path(chosen: Option<FilePath>) -> Result<Option<PathBuf>, IpcError> {
    chosen.map(FilePath::into_path).transpose().map_err(|error| convert::internal(&error.to_string()))
}

#[tauri::command]
pub async fn import_opml(app: AppHandle) -> Result<bool, IpcError> {
    let (sender, chosen) = oneshot::channel();
    // The first is what the dialog shows at once; newsboat's `urls` has no end to its name.
    let dialog = app
        .dialog()
        .file()
        .add_filter(
            "Gleaner, OPML, JSON, ZIP, SQLite",
            &["opml", "xml", "OPML", "XML", "json", "JSON", "zip", "ZIP", "db", "sqlite", "sqlite3"],
        )
        .add_filter("*", &["*"]);
    dialog.pick_files(move |files| drop(sender.send(files)));
    let files = chosen.await.map_err(|error| convert::internal(&error.to_string()))?.unwrap_or_default();
    let mut paths = Vec::with_capacity(files.len());
    for file in files {
        paths.extend(path(Some(file))?);
    }
    let any = !paths.is_empty();
    opml::import(app, paths);
    Ok(any)
}

#[tauri::command]
pub async fn cancel_import(shell: State<'_, Shell>) -> Result<(), IpcError> {
    shell.import.cancel();
    Ok(())
}

#[tauri::command]
pub async fn export_opml(app: AppHandle) -> Result<Option<String>, IpcError> {
    let (sender, chosen) = oneshot::channel();
    let dialog = app.dialog().file().set_file_name("gleaner.opml").add_filter("OPML", &["opml"]);
    dialog.save_file(move |file| drop(sender.send(file)));
    let Some(file) = path(chosen.await.map_err(|error| convert::internal(&error.to_string()))?)? else {
        return Ok(None);
    };
    opml::export(&app, &file).await?;
    Ok(Some(file.display().to_string()))
}
