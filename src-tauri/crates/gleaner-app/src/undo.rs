//! Undoing changes.

use crate::{App, error::Result, numbers::to_number};
use gleaner_contract::{ImportUndone, UndoStep, Undone};

/// Undoes a change by the step that it returned.
pub async fn undo(app: &App, args: UndoStep) -> Result<Undone> {
    let undone = app.core().await?.library.undo(args.undo).await?;
    app.library_changed(true, true);
    Ok(Undone { lost_feeds: undone.lost_feeds })
}

/// Undoes an import by the step that its summary named. Returns the step that redoes it.
pub async fn undo_import(app: &App, args: UndoStep) -> Result<ImportUndone> {
    let undone = app.core().await?.library.subscriptions().undo_import(args.undo).await?;
    app.library_changed(true, true);
    Ok(ImportUndone {
        redo: undone.redo.step,
        feeds: to_number(undone.feeds),
        folders: to_number(undone.folders),
        kept: undone.kept,
    })
}
