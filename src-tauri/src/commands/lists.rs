//! How lists are looked at, and what is asked of many articles at once.

use crate::{convert, shell::Shell};
use gleaner_contract::{Articles, IpcError, View};
use tauri::State;

/// What another version wrote is as usual.
#[tauri::command]
pub async fn views(shell: State<'_, Shell>) -> Result<Vec<View>, IpcError> {
    let views = shell.core().await?.library.views().await.map_err(convert::library_error)?;
    Ok(views.into_iter().filter_map(|(_, look)| serde_json::from_str(&look).ok()).collect())
}

#[tauri::command]
pub async fn save_view(shell: State<'_, Shell>, args: View) -> Result<(), IpcError> {
    let json = |error: serde_json::Error| convert::internal(&error.to_string());
    let source = serde_json::to_string(&args.source).map_err(json)?;
    let look = serde_json::to_string(&args).map_err(json)?;
    shell.core().await?.library.set_view(&source, &look).await.map_err(convert::library_error)
}

#[tauri::command]
pub async fn article_addresses(shell: State<'_, Shell>, args: Articles) -> Result<Vec<String>, IpcError> {
    shell.core().await?.library.addresses(&args.ids).await.map_err(convert::library_error)
}
