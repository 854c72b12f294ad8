//! What the window remembers.

use crate::{
    convert, events,
    shell::{Core, Shell},
};
use gleaner_contract::{ErrorCode, IpcError, Settings};
use gleaner_library::Library;
use tauri::{AppHandle, State};

const KEY: &str = "window";

/// The settings; those that no window could have asked for, or of a version that wrote them otherwise, are the defaults.
pub async fn read(core: &Core) -> Result<Settings, IpcError> {
    of(&core.library).await
}

/// The same, of a library.
pub async fn of(library: &Library) -> Result<Settings, IpcError> {
    let json = library.setting(KEY).await.map_err(convert::library_error)?;
    Ok(json.and_then(|json| serde_json::from_str(&json).ok()).filter(Settings::is_sound).unwrap_or_default())
}

#[tauri::command]
pub async fn settings(shell: State<'_, Shell>) -> Result<Settings, IpcError> {
    read(&shell.core().await?).await
}

#[tauri::command]
pub async fn save_settings(app: AppHandle, shell: State<'_, Shell>, args: Settings) -> Result<(), IpcError> {
    if !args.is_sound() {
        let message = "settings out of range".to_owned();
        return Err(IpcError { code: ErrorCode::InvalidInput, detail: None, message });
    }
    let json = serde_json::to_string(&args).map_err(|error| convert::internal(&error.to_string()))?;
    let core = shell.core().await?;
    let before = read(&core).await?;
    let library = core.library;
    library.set_setting(KEY, &json).await.map_err(convert::library_error)?;
    if library.stories_are_one() != args.one_story {
        library.set_stories_are_one(args.one_story).await.map_err(convert::library_error)?;
        events::library_changed(&app, false, true);
    }
    if library.holds_future() != args.hold_future {
        library.set_hold_future(args.hold_future).await.map_err(convert::library_error)?;
        events::library_changed(&app, false, true);
    }
    if library.versions_kept() != args.versions_kept {
        library.set_versions_kept(args.versions_kept).await.map_err(convert::library_error)?;
    }
    shell.polling_changed.notify_one();
    if !args.fetches_icons() {
        shell.icons.cancel();
    } else if !before.fetches_icons() {
        shell.icons_wanted.notify_one();
    }
    Ok(())
}
