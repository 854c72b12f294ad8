//! Everything out, and articles as documents, by the system's file dialogs.

use super::opml::path;
use crate::{convert, export, shell::Shell};
use gleaner_contract::{DocumentForm, Exported, IpcError, SaveArticles, SavedDocument};
use std::path::PathBuf;
use tauri::{AppHandle, State};
use tauri_plugin_dialog::DialogExt as _;
use tokio::sync::oneshot;

async fn chosen(app: &AppHandle, name: &str, kind: &str, ending: &str) -> Result<Option<PathBuf>, IpcError> {
    let (sender, chosen) = oneshot::channel();
    let dialog = app.dialog().file().set_file_name(format!("{name}.{ending}")).add_filter(kind, &[ending]);
    dialog.save_file(move |file| drop(sender.send(file)));
    path(chosen.await.map_err(|error| convert::internal(&error.to_string()))?)
}

#[tauri::command]
pub async fn export_everything(app: AppHandle) -> Result<Option<Exported>, IpcError> {
    let name = format!("gleaner-{}", chrono::Local::now().format("%Y-%m-%d"));
    match chosen(&app, &name, "ZIP", "zip").await? {
        Some(file) => export::everything(&app, file).await,
        None => Ok(None),
    }
}

#[tauri::command]
pub async fn save_articles(app: AppHandle, args: SaveArticles) -> Result<Option<SavedDocument>, IpcError> {
    let (kind, ending) = match args.form {
        DocumentForm::Markdown => ("Markdown", "md"),
        DocumentForm::Html => ("HTML", "html"),
        DocumentForm::Epub => ("EPUB", "epub"),
        DocumentForm::Notes => ("Markdown", "md"),
    };
    match chosen(&app, &export::file_name(&args.title), kind, ending).await? {
        Some(file) => export::articles(&app, args, file).await,
        None => Ok(None),
    }
}

#[tauri::command]
pub async fn cancel_export(shell: State<'_, Shell>) -> Result<(), IpcError> {
    shell.export.cancel();
    shell.save.cancel();
    Ok(())
}
