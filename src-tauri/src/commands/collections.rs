//! What the reader makes of articles: saved searches, tags, places; and what categories mean to them.

use super::articles::marked;
use crate::{collections, convert, shell::Shell};
use gleaner_contract::{
    Categories, ChangeSearch, Collections, DeleteSearch, DeleteTag, Facet, IpcError, KeepPlayback, KeepProgress,
    Marked, MoveSearch, RenameTag, SaveSearch, SearchId, SetSynonym, Synonym, TagArticles, UndoStep,
};
use gleaner_library::{LibraryError, Playback, Undoable};
use tauri::State;

/// The sidebar follows, and so does the index where tags are words.
fn step(shell: &Shell, done: Result<Undoable, LibraryError>) -> Result<UndoStep, IpcError> {
    shell.index_behind.notify_one();
    shell.collections_changed.notify_one();
    done.map(|done| UndoStep { undo: done.step }).map_err(convert::library_error)
}

#[tauri::command]
pub async fn collections(shell: State<'_, Shell>) -> Result<Collections, IpcError> {
    let library = shell.core().await?.library;
    shell.collections_changed.notify_one();
    collections::read(&shell, &library).await
}

#[tauri::command]
pub async fn save_search(shell: State<'_, Shell>, args: SaveSearch) -> Result<SearchId, IpcError> {
    let library = shell.core().await?.library;
    let search_id = library.save_search(&args.name, &args.query).await.map_err(convert::library_error)?;
    shell.collections_changed.notify_one();
    Ok(SearchId { search_id })
}

#[tauri::command]
pub async fn change_saved_search(shell: State<'_, Shell>, args: ChangeSearch) -> Result<UndoStep, IpcError> {
    let library = shell.core().await?.library;
    step(&shell, library.change_saved_search(args.search_id, args.name.as_deref(), args.query.as_deref()).await)
}

#[tauri::command]
pub async fn move_saved_search(shell: State<'_, Shell>, args: MoveSearch) -> Result<(), IpcError> {
    let library = shell.core().await?.library;
    let to = usize::try_from(args.to).unwrap_or(usize::MAX);
    library.move_saved_search(args.search_id, to).await.map_err(convert::library_error)?;
    shell.collections_changed.notify_one();
    Ok(())
}

#[tauri::command]
pub async fn delete_saved_search(shell: State<'_, Shell>, args: DeleteSearch) -> Result<UndoStep, IpcError> {
    let library = shell.core().await?.library;
    step(&shell, library.delete_saved_search(args.search_id).await)
}

#[tauri::command]
pub async fn tag(shell: State<'_, Shell>, args: TagArticles) -> Result<Marked, IpcError> {
    let done = shell.core().await?.library.tag(&args.ids, &args.name, args.on).await;
    shell.index_behind.notify_one();
    shell.collections_changed.notify_one();
    done.map(marked).map_err(convert::library_error)
}

#[tauri::command]
pub async fn rename_tag(shell: State<'_, Shell>, args: RenameTag) -> Result<UndoStep, IpcError> {
    let library = shell.core().await?.library;
    step(&shell, library.rename_tag(args.tag_id, &args.name).await)
}

#[tauri::command]
pub async fn delete_tag(shell: State<'_, Shell>, args: DeleteTag) -> Result<UndoStep, IpcError> {
    let library = shell.core().await?.library;
    step(&shell, library.delete_tag(args.tag_id).await)
}

#[tauri::command]
pub async fn keep_progress(shell: State<'_, Shell>, args: KeepProgress) -> Result<(), IpcError> {
    shell.core().await?.library.set_progress(args.id, args.position).await.map_err(convert::library_error)
}

#[tauri::command]
pub async fn keep_playback(shell: State<'_, Shell>, args: KeepPlayback) -> Result<(), IpcError> {
    let gleaner_contract::Playback { url, seconds, duration, finished } = args.playback;
    let played = Playback { url, seconds, duration, finished };
    shell.core().await?.library.set_playback(args.id, &played).await.map_err(convert::library_error)
}

#[tauri::command]
pub async fn categories(shell: State<'_, Shell>) -> Result<Categories, IpcError> {
    let library = shell.core().await?.library;
    let facets = library.facets().await.map_err(convert::library_error)?;
    let synonyms = library.category_synonyms().await.map_err(convert::library_error)?;
    Ok(Categories {
        facets: facets
            .into_iter()
            .map(|facet| Facet { key: facet.key, name: facet.name, articles: facet.articles })
            .collect(),
        synonyms: synonyms.into_iter().map(|row| Synonym { key: row.key, means: row.means }).collect(),
    })
}

#[tauri::command]
pub async fn set_category_synonym(shell: State<'_, Shell>, args: SetSynonym) -> Result<UndoStep, IpcError> {
    let library = shell.core().await?.library;
    step(&shell, library.set_category_synonym(&args.category, args.means.as_deref()).await)
}
