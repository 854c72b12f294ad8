//! Tags.

use crate::{App, collections::step, error::Result, lists::marked};
use gleaner_contract::{DeleteTag, Marked, RenameTag, TagArticles, UndoStep};

/// Adds a tag to articles, or removes it.
///
/// # Errors
/// The name is not valid, or the library cannot be written.
pub async fn tag_articles(app: &App, args: TagArticles) -> Result<Marked> {
    let done = app.core().await?.library.tags().set(&args.ids, &args.name, args.on).await;
    app.signals().index.notify_one();
    app.marks_changed();
    Ok(marked(done?))
}

pub async fn rename_tag(app: &App, args: RenameTag) -> Result<UndoStep> {
    let library = app.core().await?.library;
    step(app, library.tags().rename(args.tag_id, &args.name).await)
}

pub async fn delete_tag(app: &App, args: DeleteTag) -> Result<UndoStep> {
    let library = app.core().await?.library;
    step(app, library.tags().delete(args.tag_id).await)
}
