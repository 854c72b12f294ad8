//! The sidebar: feeds, folders, counts.

use crate::{convert, events, opml, shell::Shell};
use gleaner_contract::{
    Arrange, Counts, CreateFolder, FeedUnread, Folder, FolderId, IpcError, Overview, RefreshProgress, RenameFeed,
    RenameFolder, SetFolderOpen, SmartCounts, UndoStep, Unsubscribe,
};
use gleaner_library::{Library, Rearrangement};
use std::{collections::HashMap, sync::PoisonError};
use tauri::{AppHandle, State};

const WELCOME_LEFT: &str = "welcome_left";

pub async fn count(library: &Library) -> Result<Counts, IpcError> {
    let feeds = library.feed_counts().await.map_err(convert::library_error)?;
    let today = library.unread_since(convert::midnight()).await.map_err(convert::library_error)?;
    let doubles = library.unread_doubles(i64::MIN).await.map_err(convert::library_error)?;
    let sum = |part: fn(&gleaner_library::FeedCount) -> i64| feeds.iter().map(part).sum();
    Ok(Counts {
        smart: SmartCounts {
            today,
            unread: sum(|feed| feed.unread) - doubles,
            starred: sum(|feed| feed.starred),
            all: sum(|feed| feed.items),
        },
        unread: feeds
            .iter()
            .filter(|feed| feed.unread > 0)
            .map(|feed| FeedUnread { feed_id: feed.feed_id, unread: feed.unread })
            .collect(),
    })
}

#[tauri::command]
pub async fn overview(shell: State<'_, Shell>) -> Result<Overview, IpcError> {
    let library = shell.core().await?.library;
    let failed = convert::library_error;
    let polls = library.polls().await.map_err(failed)?;
    let mut remedies = gleaner_polling::remedies(&polls, gleaner_library::now());
    let polls: HashMap<i64, _> = polls.into_iter().map(|poll| (poll.feed_id, poll)).collect();
    let folders = library.folders().await.map_err(failed)?;
    let feeds = library.feeds().await.map_err(failed)?;
    let pictures = library.picture_preferences().await.map_err(failed)?;
    let welcome_left = library.setting(WELCOME_LEFT).await.map_err(failed)?.is_some();
    Ok(Overview {
        first_run: !welcome_left && feeds.iter().all(|feed| feed.local),
        folders: folders
            .into_iter()
            .map(|row| Folder { id: row.id, parent_id: row.parent_id, name: row.name, open: row.open })
            .collect(),
        feeds: convert::feeds(feeds, &polls, &mut remedies, &pictures),
        counts: count(&library).await?,
    })
}

#[tauri::command]
pub async fn hear(app: AppHandle, shell: State<'_, Shell>) -> Result<Option<RefreshProgress>, IpcError> {
    if events::heard(&app) {
        crate::follow(&app);
    }
    let files = shell.take_files();
    if !files.is_empty() {
        opml::import(app, files);
    }
    Ok(shell.refresh_progress.lock().unwrap_or_else(PoisonError::into_inner).clone())
}

#[tauri::command]
pub async fn counts(shell: State<'_, Shell>) -> Result<Counts, IpcError> {
    count(&shell.core().await?.library).await
}

#[tauri::command]
pub async fn leave_welcome(shell: State<'_, Shell>) -> Result<(), IpcError> {
    shell.core().await?.library.set_setting(WELCOME_LEFT, "true").await.map_err(convert::library_error)
}

#[tauri::command]
pub async fn undo(app: AppHandle, shell: State<'_, Shell>, args: UndoStep) -> Result<(), IpcError> {
    shell.core().await?.library.undo(args.undo).await.map_err(convert::library_error)?;
    events::library_changed(&app, true, true);
    Ok(())
}

#[tauri::command]
pub async fn rename_feed(app: AppHandle, shell: State<'_, Shell>, args: RenameFeed) -> Result<(), IpcError> {
    shell.core().await?.library.rename_feed(args.feed_id, &args.title).await.map_err(convert::library_error)?;
    events::library_changed(&app, true, false);
    Ok(())
}

#[tauri::command]
pub async fn arrange(app: AppHandle, shell: State<'_, Shell>, args: Arrange) -> Result<UndoStep, IpcError> {
    let Arrange { feeds, folders, parent_id: parent, before_feed, before_folder } = args;
    let wish = Rearrangement { feeds, folders, parent, before_feed, before_folder };
    let done = shell.core().await?.library.arrange(&wish).await.map_err(convert::library_error)?;
    events::library_changed(&app, true, false);
    Ok(UndoStep { undo: done.step })
}

#[tauri::command]
pub async fn unsubscribe(app: AppHandle, shell: State<'_, Shell>, args: Unsubscribe) -> Result<UndoStep, IpcError> {
    let done = shell.core().await?.library.unsubscribe(&args.feed_ids).await.map_err(convert::library_error)?;
    events::library_changed(&app, true, true);
    Ok(UndoStep { undo: done.step })
}

#[tauri::command]
pub async fn create_folder(app: AppHandle, shell: State<'_, Shell>, args: CreateFolder) -> Result<FolderId, IpcError> {
    let folder_id =
        shell.core().await?.library.create_folder(&args.name, args.parent_id).await.map_err(convert::library_error)?;
    events::library_changed(&app, true, false);
    Ok(FolderId { folder_id })
}

#[tauri::command]
pub async fn rename_folder(app: AppHandle, shell: State<'_, Shell>, args: RenameFolder) -> Result<(), IpcError> {
    shell.core().await?.library.rename_folder(args.folder_id, &args.name).await.map_err(convert::library_error)?;
    events::library_changed(&app, true, false);
    Ok(())
}

#[tauri::command]
pub async fn set_folder_open(shell: State<'_, Shell>, args: SetFolderOpen) -> Result<(), IpcError> {
    shell.core().await?.library.set_folder_open(args.folder_id, args.open).await.map_err(convert::library_error)
}

#[tauri::command]
pub async fn delete_folder(app: AppHandle, shell: State<'_, Shell>, args: FolderId) -> Result<UndoStep, IpcError> {
    let done = shell.core().await?.library.delete_folder(args.folder_id).await.map_err(convert::library_error)?;
    events::library_changed(&app, true, true);
    Ok(UndoStep { undo: done.step })
}
