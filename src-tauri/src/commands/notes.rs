//! What the reader marks in articles and writes about them.

use crate::{convert, export::archive_error, shell::Shell};
use gleaner_contract::{
    AddNote, AddedNote, ChangeNote, FeedId, IpcError, Note, NoteId, NotesOf, OpenArticle, UndoStep,
};
use gleaner_exchange::documents;
use gleaner_library::{LibraryError, Undoable};
use std::path::Path;
use tauri::State;

/// The sidebar follows, and so does the index, which has the words of notes.
fn told(shell: &Shell) {
    shell.index_behind.notify_one();
    shell.collections_changed.notify_one();
}

fn step(shell: &Shell, done: Result<Undoable, LibraryError>) -> Result<UndoStep, IpcError> {
    told(shell);
    done.map(|done| UndoStep { undo: done.step }).map_err(convert::library_error)
}

#[tauri::command]
pub async fn notes(shell: State<'_, Shell>, args: OpenArticle) -> Result<Vec<Note>, IpcError> {
    let rows = shell.core().await?.library.notes(args.id).await.map_err(convert::library_error)?;
    Ok(rows.into_iter().map(convert::note).collect())
}

#[tauri::command]
pub async fn add_note(shell: State<'_, Shell>, args: AddNote) -> Result<AddedNote, IpcError> {
    let AddNote { article_id, quote, color, text } = args;
    let quote = quote.map(convert::quote);
    let library = shell.core().await?.library;
    let added = library.add_note(article_id, quote.as_ref(), convert::color(color), &text).await;
    told(&shell);
    added.map(|(row, done)| AddedNote { note: convert::note(row), undo: done.step }).map_err(convert::library_error)
}

#[tauri::command]
pub async fn change_note(shell: State<'_, Shell>, args: ChangeNote) -> Result<UndoStep, IpcError> {
    let library = shell.core().await?.library;
    step(&shell, library.change_note(args.note_id, args.color.map(convert::color), args.text.as_deref()).await)
}

#[tauri::command]
pub async fn delete_note(shell: State<'_, Shell>, args: NoteId) -> Result<UndoStep, IpcError> {
    let library = shell.core().await?.library;
    step(&shell, library.delete_note(args.note_id).await)
}

#[tauri::command]
pub async fn notes_markdown(shell: State<'_, Shell>, args: NotesOf) -> Result<String, IpcError> {
    let library = shell.core().await?.library;
    let written = documents::notes(&library, &args.article_ids, |_| true).await;
    written.map(|(text, _)| text).map_err(|error| archive_error(error, Path::new("")))
}

#[tauri::command]
pub async fn noted_in_feed(shell: State<'_, Shell>, args: FeedId) -> Result<i64, IpcError> {
    shell.core().await?.library.noted_in(args.feed_id).await.map_err(convert::library_error)
}
