//! Undoing changes.

use crate::{App, error::Result};
use gleaner_contract::UndoStep;

/// Undoes a change by the step that it returned.
pub async fn undo(app: &App, args: UndoStep) -> Result<()> {
    app.core().await?.library.undo(args.undo).await?;
    app.library_changed(true, true);
    Ok(())
}
