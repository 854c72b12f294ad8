//! Highlights and notes.

use crate::{App, collections::step, convert, error::Result};
use gleaner_contract::{AddNote, AddedNote, ArticleId, ChangeNote, FeedId, Note, NoteId, NotesForArticles, UndoStep};
use gleaner_exchange::documents;

pub async fn notes(app: &App, args: ArticleId) -> Result<Vec<Note>> {
    let rows = app.core().await?.library.notes().of_article(args.id).await?;
    Ok(rows.into_iter().map(convert::note).collect())
}

pub async fn add_note(app: &App, args: AddNote) -> Result<AddedNote> {
    let AddNote { article_id, quote, color, text } = args;
    let quote = quote.map(convert::quote);
    let library = app.core().await?.library;
    let added = library.notes().add(article_id, quote.as_ref(), convert::color(color), &text).await;
    let (row, done) = added?;
    let undo = step(app, Ok(done))?.undo;
    Ok(AddedNote { note: convert::note(row), undo })
}

pub async fn change_note(app: &App, args: ChangeNote) -> Result<UndoStep> {
    let library = app.core().await?.library;
    step(app, library.notes().change(args.note_id, args.color.map(convert::color), args.text.as_deref()).await)
}

pub async fn delete_note(app: &App, args: NoteId) -> Result<UndoStep> {
    let library = app.core().await?.library;
    step(app, library.notes().delete(args.note_id).await)
}

pub async fn notes_markdown(app: &App, args: NotesForArticles) -> Result<String> {
    let library = app.core().await?.library;
    let written = documents::notes(&library, &args.article_ids, |_| true).await;
    let (text, _) = written?;
    Ok(text)
}

pub async fn count_notes_in_feed(app: &App, args: FeedId) -> Result<i64> {
    Ok(app.core().await?.library.notes().count_articles_of_feed(args.feed_id).await?)
}
