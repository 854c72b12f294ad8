//! Refreshing by hand.

use crate::{convert, refresh as runs, shell::Shell};
use gleaner_contract::{IpcError, RefreshScope};
use gleaner_polling::Scope;
use tauri::{AppHandle, State};

#[tauri::command]
pub async fn refresh(app: AppHandle, shell: State<'_, Shell>, args: RefreshScope) -> Result<(), IpcError> {
    let scope = match args {
        RefreshScope::All => Scope::All,
        RefreshScope::Feed { id } => Scope::Feeds(vec![id]),
        RefreshScope::Feeds { ids } => Scope::Feeds(ids),
        RefreshScope::Folder { id } => {
            Scope::Feeds(shell.core().await?.library.feeds_below(id).await.map_err(convert::library_error)?)
        }
    };
    runs::start(app, scope);
    Ok(())
}

#[tauri::command]
pub async fn cancel_refresh(shell: State<'_, Shell>) -> Result<(), IpcError> {
    runs::stop(&shell);
    Ok(())
}
