//! `notes`: the user's highlights in articles, and notes on them or on whole articles. A highlight is stored as its text with some context
//! and its position (a TextQuoteSelector and the start of a TextPositionSelector of W3C's Web Annotation), not as a place in the HTML. So
//! it is found again when the article changes, and in its full text. A highlight that is not found is kept, too.
//!
//! `states.noted` says whether an article has notes. Retention never expires noted articles; when feeds are merged, notes move to
//! the remaining article. The words of notes and highlights are facts in the search index.

use crate::{
    LibraryError, Millis, Refusal, Undoable,
    database::{Database, repository, undo::UndoStep},
    table::feeds,
};
use futures::future::BoxFuture;
use sqlx::SqliteConnection;

/// Maximum length of a note, in bytes.
const MAX_NOTE: usize = 100_000;
/// Maximum length of a highlight, in bytes.
const MAX_QUOTE: usize = 20_000;
/// Maximum length of the context on each side, in bytes.
const MAX_CONTEXT: usize = 1000;
/// Maximum number of notes of an article.
const MAX_NOTES: i64 = 10_000;
/// Number of colours.
pub(crate) const COLORS: u8 = 4;

/// A highlighted text. White space is one blank each.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Quote {
    /// The text.
    pub exact: String,
    /// The text before it.
    pub prefix: String,
    /// The text after it.
    pub suffix: String,
    /// Number of UTF-16 units of the article's text before it: a hint.
    pub start: i64,
}

/// A stored note.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct NoteRow {
    /// Id.
    pub id: i64,
    /// Id of its article.
    pub item_id: i64,
    /// The highlighted text; `None`: a note on the whole article.
    pub quote: Option<String>,
    /// The text before it.
    pub prefix: String,
    /// The text after it.
    pub suffix: String,
    /// Position in the article's text.
    pub start: i64,
    /// Index of its colour.
    pub color: u8,
    /// The user's text; empty for a mere highlight.
    pub note: String,
    /// When it was created.
    pub created_at: Millis,
    /// When its text last changed.
    pub changed_at: Millis,
}

impl NoteRow {
    /// Returns the highlighted text.
    #[must_use]
    pub fn passage(&self) -> Option<Quote> {
        let exact = self.quote.clone()?;
        Some(Quote { exact, prefix: self.prefix.clone(), suffix: self.suffix.clone(), start: self.start })
    }
}

/// A change of a note, for undoing it.
#[derive(Debug, Clone, PartialEq, Eq)]
enum ChangedNote {
    Added(i64),
    /// Without what was not changed, and when the text was changed before.
    Changed {
        id: i64,
        color: Option<u8>,
        note: Option<String>,
        changed_at: Millis,
    },
    Deleted(Box<NoteRow>),
}

const COLUMNS: &str = "id, item_id, quote, prefix, suffix, start, color, note, created_at, changed_at";

/// Changes the values that are not `NULL`.
const CHANGE: &str = "UPDATE notes SET color = ifnull(?2, color), note = ifnull(?3, note), changed_at = iif(?3 IS NULL, changed_at, ?4) WHERE id = ?1";

/// Returns what is wrong with a highlight, if anything.
pub(crate) fn unfit_quote(exact: &str, prefix: &str, suffix: &str) -> Option<Refusal> {
    if exact.trim().is_empty() {
        return Some(Refusal::HighlightEmpty);
    }
    if exact.len() > MAX_QUOTE {
        return Some(Refusal::HighlightTooLong);
    }
    (prefix.len().max(suffix.len()) > MAX_CONTEXT).then_some(Refusal::ContextTooLong)
}

/// Returns what is wrong with the text of a note, if anything.
pub(crate) fn unfit_note(note: &str) -> Option<Refusal> {
    (note.len() > MAX_NOTE).then_some(Refusal::NoteTooLong)
}

fn refuse(why: Option<Refusal>) -> Result<(), LibraryError> {
    why.map_or(Ok(()), |why| Err(why.into()))
}

fn refuse_color(color: u8) -> Result<(), LibraryError> {
    refuse((color >= COLORS).then_some(Refusal::Color))
}

async fn read(connection: &mut SqliteConnection, id: i64) -> Result<NoteRow, LibraryError> {
    let sql = format!("SELECT {COLUMNS} FROM notes WHERE id = ?");
    let found = sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(id).fetch_optional(connection).await?;
    found.ok_or(LibraryError::NotFound("note"))
}

async fn delete(connection: &mut SqliteConnection, id: i64) -> Result<NoteRow, LibraryError> {
    let row = read(connection, id).await?;
    sqlx::query("DELETE FROM notes WHERE id = ?").bind(id).execute(connection).await?;
    Ok(row)
}

/// With its former id, so that older steps about it can be undone too.
async fn restore_row(connection: &mut SqliteConnection, row: &NoteRow, item: i64) -> Result<(), LibraryError> {
    let done = sqlx::query(
        "INSERT INTO notes (id, item_id, quote, prefix, suffix, start, color, note, created_at, changed_at)
         SELECT ?1, id, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 FROM items WHERE id = ?2 ON CONFLICT (id) DO NOTHING",
    )
    .bind(row.id)
    .bind(item)
    .bind(&row.quote)
    .bind(&row.prefix)
    .bind(&row.suffix)
    .bind(row.start)
    .bind(row.color)
    .bind(&row.note)
    .bind(row.created_at)
    .bind(row.changed_at)
    .execute(connection)
    .await?;
    if done.rows_affected() == 0 { Err(LibraryError::NotFound("article")) } else { Ok(()) }
}

repository!(
    /// Highlights and notes on articles.
    Notes
);

impl Notes<'_> {
    /// Returns the notes of an article: those on the whole of it first, then in the order of their highlights.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn of_article(self, item: i64) -> Result<Vec<NoteRow>, LibraryError> {
        let sql = format!("SELECT {COLUMNS} FROM notes WHERE item_id = ?");
        let mut rows: Vec<NoteRow> =
            sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(item).fetch_all(&self.db.readers).await?;
        rows.sort_by_key(|row| (row.quote.is_some(), row.start, row.created_at, row.id));
        Ok(rows)
    }

    /// Highlights a text in an article, with a note or without, or adds a note on the whole article.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; [`LibraryError::Refused`] if it is empty or too long; when the library cannot be written.
    pub async fn add(
        self,
        item: i64,
        quote: Option<&Quote>,
        color: u8,
        note: &str,
    ) -> Result<(NoteRow, Undoable), LibraryError> {
        let note = note.trim();
        match quote {
            Some(quote) => refuse(unfit_quote(&quote.exact, &quote.prefix, &quote.suffix))?,
            None => refuse(note.is_empty().then_some(Refusal::NoteEmpty))?,
        }
        refuse(unfit_note(note))?;
        refuse_color(color)?;
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let there: i64 = sqlx::query_scalar("SELECT count(*) FROM notes WHERE item_id = ?")
            .bind(item)
            .fetch_one(&mut *transaction)
            .await?;
        refuse((there >= MAX_NOTES).then_some(Refusal::TooManyNotes))?;
        let id: Option<i64> = sqlx::query_scalar(
            "INSERT INTO notes (item_id, quote, prefix, suffix, start, color, note, created_at, changed_at)
             SELECT id, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8 FROM items WHERE id = ?1 RETURNING id",
        )
        .bind(item)
        .bind(quote.map(|quote| quote.exact.trim()))
        .bind(quote.map_or("", |quote| &quote.prefix))
        .bind(quote.map_or("", |quote| &quote.suffix))
        .bind(quote.map_or(0, |quote| quote.start.max(0)))
        .bind(color)
        .bind(note)
        .bind(self.db.now())
        .fetch_optional(&mut *transaction)
        .await?;
        let id = id.ok_or(LibraryError::NotFound("article"))?;
        let row = read(&mut transaction, id).await?;
        transaction.commit().await?;
        Ok((row, self.db.undo.push(1, ChangedNote::Added(id))))
    }

    /// Changes the colour or text of a note; `None` leaves it. An empty note on a whole article is deleted.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; [`LibraryError::Refused`] if it is too long; when the library cannot be written.
    pub async fn change(self, id: i64, color: Option<u8>, note: Option<&str>) -> Result<Undoable, LibraryError> {
        let note = note.map(str::trim);
        refuse(note.and_then(unfit_note))?;
        refuse_color(color.unwrap_or(0))?;
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let before = read(&mut transaction, id).await?;
        let changed = if before.quote.is_none() && note == Some("") {
            ChangedNote::Deleted(Box::new(delete(&mut transaction, id).await?))
        } else {
            sqlx::query(CHANGE).bind(id).bind(color).bind(note).bind(self.db.now()).execute(&mut *transaction).await?;
            let (color, former) = (color.and(Some(before.color)), note.and(Some(before.note)));
            ChangedNote::Changed { id, color, note: former, changed_at: before.changed_at }
        };
        transaction.commit().await?;
        Ok(self.db.undo.push(1, changed))
    }

    /// Deletes a note.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; when the library cannot be written.
    pub async fn delete(self, id: i64) -> Result<Undoable, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let row = delete(&mut transaction, id).await?;
        transaction.commit().await?;
        Ok(self.db.undo.push(1, ChangedNote::Deleted(Box::new(row))))
    }

    async fn restore(self, changed: &ChangedNote) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        match changed {
            ChangedNote::Added(id) => drop(delete(&mut transaction, *id).await?),
            ChangedNote::Deleted(row) => {
                let item = feeds::in_a_subscription(self.db, &mut transaction, row.item_id).await?;
                restore_row(&mut transaction, row, item).await?;
            }
            ChangedNote::Changed { id, color, note, changed_at } => {
                read(&mut transaction, *id).await?;
                sqlx::query(CHANGE).bind(id).bind(color).bind(note).bind(changed_at).execute(&mut *transaction).await?;
            }
        }
        Ok(transaction.commit().await?)
    }

    /// Returns the number of articles with notes in lists.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn count_articles(self) -> Result<i64, LibraryError> {
        let sql = "SELECT count(*) FROM states INDEXED BY states_noted WHERE noted > 0 AND hidden = 0
             AND feed_id NOT IN (SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL)";
        Ok(sqlx::query_scalar(sql).fetch_one(&self.db.readers).await?)
    }

    /// Returns the number of articles of a feed with notes.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn count_articles_of_feed(self, feed: i64) -> Result<i64, LibraryError> {
        let sql =
            "SELECT count(DISTINCT n.item_id) FROM notes n CROSS JOIN items i ON i.id = n.item_id WHERE i.feed_id = ?";
        Ok(sqlx::query_scalar(sql).bind(feed).fetch_one(&self.db.readers).await?)
    }

    /// Returns all articles with notes, by feed, newest first.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn articles(self) -> Result<Vec<i64>, LibraryError> {
        let mut rows: Vec<(i64, Millis, i64)> = sqlx::query_as(
            "SELECT i.feed_id, i.sort_at, i.id FROM (SELECT DISTINCT item_id FROM notes) n CROSS JOIN items i ON i.id = n.item_id
             WHERE i.feed_id NOT IN (SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL)",
        )
        .fetch_all(&self.db.readers)
        .await?;
        rows.sort_by_key(|(feed, sort_at, id)| (*feed, -sort_at, *id));
        Ok(rows.into_iter().map(|(_, _, id)| id).collect())
    }
}

impl UndoStep for ChangedNote {
    fn undo<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<(), LibraryError>> {
        Box::pin(async move { Notes::new(db).restore(self).await })
    }
}

/// Moves notes from merged articles to the remaining ones; `pairs`: from and to. Returns which were moved from where.
pub(crate) async fn move_notes(
    connection: &mut SqliteConnection,
    pairs: &[(i64, i64)],
) -> Result<Vec<(i64, i64)>, LibraryError> {
    let mut moved = Vec::new();
    for (one, other) in pairs {
        let ids: Vec<i64> = sqlx::query_scalar("UPDATE notes SET item_id = ?2 WHERE item_id = ?1 RETURNING id")
            .bind(one)
            .bind(other)
            .fetch_all(&mut *connection)
            .await?;
        moved.extend(ids.into_iter().map(|id| (id, *one)));
    }
    Ok(moved)
}

/// Moves back those that still exist.
pub(crate) async fn move_back(connection: &mut SqliteConnection, moved: &[(i64, i64)]) -> Result<(), LibraryError> {
    for (id, one) in moved {
        sqlx::query("UPDATE notes SET item_id = ?2 WHERE id = ?1 AND EXISTS (SELECT 1 FROM items WHERE id = ?2)")
            .bind(id)
            .bind(one)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
