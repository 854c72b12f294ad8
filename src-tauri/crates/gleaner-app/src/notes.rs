//! Highlights and notes.

use crate::{App, collections::step, error::Result};
use gleaner_contract::{
    self as contract, AddNote, AddedNote, ArticleId, ChangeNote, FeedId, Note, NoteId, NotesForArticles, UndoStep,
};
use gleaner_exchange::documents;

pub async fn notes(app: &App, args: ArticleId) -> Result<Vec<Note>> {
    let rows = app.core().await?.library.notes().of_article(args.id).await?;
    Ok(rows.into_iter().map(note).collect())
}

pub async fn add_note(app: &App, args: AddNote) -> Result<AddedNote> {
    let AddNote { article_id, quote, color, text } = args;
    let quote = quote.map(self::quote);
    let library = app.core().await?.library;
    let added = library.notes().add(article_id, quote.as_ref(), color_number(color), &text).await;
    let (row, done) = added?;
    let undo = step(app, Ok(done))?.undo;
    Ok(AddedNote { note: note(row), undo })
}

pub async fn change_note(app: &App, args: ChangeNote) -> Result<UndoStep> {
    let library = app.core().await?.library;
    step(app, library.notes().change(args.note_id, args.color.map(color_number), args.text.as_deref()).await)
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

fn color_number(color: contract::NoteColor) -> u8 {
    match color {
        contract::NoteColor::Yellow => 0,
        contract::NoteColor::Green => 1,
        contract::NoteColor::Blue => 2,
        contract::NoteColor::Pink => 3,
    }
}

fn quote(quote: contract::Quote) -> gleaner_library::Quote {
    let contract::Quote { exact, prefix, suffix, start } = quote;
    gleaner_library::Quote { exact, prefix, suffix, start: start.into() }
}

fn note(row: gleaner_library::NoteRow) -> contract::Note {
    let passage = row.passage().map(|quote| contract::Quote {
        exact: quote.exact,
        prefix: quote.prefix,
        suffix: quote.suffix,
        start: u32::try_from(quote.start).unwrap_or(0),
    });
    let color = match row.color {
        0 => contract::NoteColor::Yellow,
        1 => contract::NoteColor::Green,
        2 => contract::NoteColor::Blue,
        _ => contract::NoteColor::Pink,
    };
    contract::Note {
        id: row.id,
        quote: passage,
        color,
        text: row.note,
        created: row.created_at,
        changed: row.changed_at,
    }
}
