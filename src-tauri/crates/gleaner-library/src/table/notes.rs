//! `notes`: passages of articles that the reader has marked, and what the reader writes about them or about an article as a whole.
//! A passage is kept as its own words with a little of what stood around it and where it began (a TextQuoteSelector and the beginning
//! of a TextPositionSelector of W3C's Web Annotation), not as a place in the HTML: so it is found again when the article changes, and in
//! its full text. What is not found again is kept all the same.
//!
//! `states.noted` says of each article whether it has any. What is noted is let go of by no rule of retention; of two articles that a merge
//! makes one, the one that stays takes the other's notes over. The words of notes, and of what is marked, are in the search index as facts.

use crate::{Library, LibraryError, Millis, Undoable, now, undo::Undo};
use sqlx::SqliteConnection;

/// So many bytes a note may have.
pub const LONGEST_NOTE: usize = 100_000;
/// So many bytes a passage may have.
pub const LONGEST_QUOTE: usize = 20_000;
/// So many bytes of what stands around a passage are kept, on each side.
pub const LONGEST_CONTEXT: usize = 1000;
/// So many notes an article may have.
pub const MOST: i64 = 10_000;
/// So many colours there are.
pub const COLORS: u8 = 4;

/// A passage of an article. White space is one blank each.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Quote {
    /// Its words.
    pub exact: String,
    /// What stood before it.
    pub prefix: String,
    /// What stood behind it.
    pub suffix: String,
    /// How many UTF-16 units of the article's text stood before it: a hint.
    pub start: i64,
}

/// A note as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct NoteRow {
    /// Its number.
    pub id: i64,
    /// The article that it is on.
    pub item_id: i64,
    /// The words of the passage; `None`: it is on the whole article.
    pub quote: Option<String>,
    /// What stood before the passage.
    pub prefix: String,
    /// What stood behind it.
    pub suffix: String,
    /// Where it began.
    pub start: i64,
    /// Which of the colours, from 0.
    pub color: u8,
    /// The reader's own words; empty where the passage is only marked.
    pub note: String,
    /// When it was made.
    pub created_at: Millis,
    /// When its words were written last.
    pub changed_at: Millis,
}

impl NoteRow {
    /// The passage, where it is on one.
    #[must_use]
    pub fn passage(&self) -> Option<Quote> {
        let exact = self.quote.clone()?;
        Some(Quote { exact, prefix: self.prefix.clone(), suffix: self.suffix.clone(), start: self.start })
    }
}

/// What became of a note, so that it can be taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ChangedNote {
    Added(i64),
    Changed { id: i64, color: u8, note: String, changed_at: Millis },
    Deleted(Box<NoteRow>),
}

const COLUMNS: &str = "id, item_id, quote, prefix, suffix, start, color, note, created_at, changed_at";

/// Says what is wrong with a passage, if anything is.
pub(crate) fn unfit_quote(exact: &str, prefix: &str, suffix: &str) -> Option<&'static str> {
    if exact.trim().is_empty() {
        return Some("a passage has words");
    }
    if exact.len() > LONGEST_QUOTE {
        return Some("a passage has at most 20 kB");
    }
    (prefix.len().max(suffix.len()) > LONGEST_CONTEXT).then_some("what stands around a passage is kept up to 1 kB")
}

/// Says what is wrong with the words of a note, if anything is.
pub(crate) fn unfit_note(note: &str) -> Option<&'static str> {
    (note.len() > LONGEST_NOTE).then_some("a note has at most 100 kB")
}

fn refuse(why: Option<&'static str>) -> Result<(), LibraryError> {
    why.map_or(Ok(()), |why| Err(LibraryError::Invalid(why.to_owned())))
}

fn refuse_color(color: u8) -> Result<(), LibraryError> {
    refuse((color >= COLORS).then_some("there is no such colour"))
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

/// Under its own number, so that older steps that speak of it can be taken back too.
async fn bring_back(connection: &mut SqliteConnection, row: &NoteRow, item: i64) -> Result<(), LibraryError> {
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

impl Library {
    /// The notes of an article in the order in which their passages stood in it, those on the whole of it first.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn notes(&self, item: i64) -> Result<Vec<NoteRow>, LibraryError> {
        let sql = format!("SELECT {COLUMNS} FROM notes WHERE item_id = ?");
        let mut rows: Vec<NoteRow> =
            sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(item).fetch_all(&self.readers).await?;
        rows.sort_by_key(|row| (row.quote.is_some(), row.start, row.created_at, row.id));
        Ok(rows)
    }

    /// Marks a passage of an article, with words of the reader's or without, or writes something about all of it.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; [`LibraryError::Invalid`] where it says nothing or too much; when the library cannot be written.
    pub async fn add_note(
        &self,
        item: i64,
        quote: Option<&Quote>,
        color: u8,
        note: &str,
    ) -> Result<(NoteRow, Undoable), LibraryError> {
        let note = note.trim();
        match quote {
            Some(quote) => refuse(unfit_quote(&quote.exact, &quote.prefix, &quote.suffix))?,
            None => refuse(note.is_empty().then_some("a note on an article has words"))?,
        }
        refuse(unfit_note(note))?;
        refuse_color(color)?;
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let there: i64 = sqlx::query_scalar("SELECT count(*) FROM notes WHERE item_id = ?")
            .bind(item)
            .fetch_one(&mut *transaction)
            .await?;
        refuse((there >= MOST).then_some("an article has at most 10,000 notes"))?;
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
        .bind(now())
        .fetch_optional(&mut *transaction)
        .await?;
        let id = id.ok_or(LibraryError::NotFound("article"))?;
        let row = read(&mut transaction, id).await?;
        transaction.commit().await?;
        Ok((row, self.undo.push(1, Undo::Note(ChangedNote::Added(id)))))
    }

    /// Gives a note another colour or other words; `None` leaves that as it is. A note on a whole article that says nothing any more is none.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; [`LibraryError::Invalid`] where it says too much; when the library cannot be written.
    pub async fn change_note(&self, id: i64, color: Option<u8>, note: Option<&str>) -> Result<Undoable, LibraryError> {
        let note = note.map(str::trim);
        refuse(note.and_then(unfit_note))?;
        refuse_color(color.unwrap_or(0))?;
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let before = read(&mut transaction, id).await?;
        let changed = if before.quote.is_none() && note == Some("") {
            ChangedNote::Deleted(Box::new(delete(&mut transaction, id).await?))
        } else {
            sqlx::query(
                "UPDATE notes SET color = ifnull(?2, color), note = ifnull(?3, note), changed_at = iif(?3 IS NULL, changed_at, ?4) WHERE id = ?1",
            )
            .bind(id)
            .bind(color)
            .bind(note)
            .bind(now())
            .execute(&mut *transaction)
            .await?;
            ChangedNote::Changed { id, color: before.color, note: before.note, changed_at: before.changed_at }
        };
        transaction.commit().await?;
        Ok(self.undo.push(1, Undo::Note(changed)))
    }

    /// Takes a note away.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; when the library cannot be written.
    pub async fn delete_note(&self, id: i64) -> Result<Undoable, LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let row = delete(&mut transaction, id).await?;
        transaction.commit().await?;
        Ok(self.undo.push(1, Undo::Note(ChangedNote::Deleted(Box::new(row)))))
    }

    pub(crate) async fn restore_note(&self, changed: &ChangedNote) -> Result<(), LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        match changed {
            ChangedNote::Added(id) => drop(delete(&mut transaction, *id).await?),
            ChangedNote::Deleted(row) => {
                let item = self.in_a_subscription(&mut transaction, row.item_id).await?;
                bring_back(&mut transaction, row, item).await?;
            }
            ChangedNote::Changed { id, color, note, changed_at } => {
                read(&mut transaction, *id).await?;
                sqlx::query("UPDATE notes SET color = ?2, note = ?3, changed_at = ?4 WHERE id = ?1")
                    .bind(id)
                    .bind(color)
                    .bind(note)
                    .bind(changed_at)
                    .execute(&mut *transaction)
                    .await?;
            }
        }
        Ok(transaction.commit().await?)
    }

    /// How many articles the list of those with notes shows.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn noted_count(&self) -> Result<i64, LibraryError> {
        let sql = "SELECT count(*) FROM states INDEXED BY states_noted WHERE noted > 0 AND hidden = 0
             AND feed_id NOT IN (SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL)";
        Ok(sqlx::query_scalar(sql).fetch_one(&self.readers).await?)
    }

    /// How many articles of a feed have notes, which go when it is left for good.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn noted_in(&self, feed: i64) -> Result<i64, LibraryError> {
        let sql =
            "SELECT count(DISTINCT n.item_id) FROM notes n CROSS JOIN items i ON i.id = n.item_id WHERE i.feed_id = ?";
        Ok(sqlx::query_scalar(sql).bind(feed).fetch_one(&self.readers).await?)
    }

    /// All articles with notes, by feed and then from the newest down.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn noted_items(&self) -> Result<Vec<i64>, LibraryError> {
        let mut rows: Vec<(i64, Millis, i64)> = sqlx::query_as(
            "SELECT i.feed_id, i.sort_at, i.id FROM (SELECT DISTINCT item_id FROM notes) n CROSS JOIN items i ON i.id = n.item_id
             WHERE i.feed_id NOT IN (SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL)",
        )
        .fetch_all(&self.readers)
        .await?;
        rows.sort_by_key(|(feed, sort_at, id)| (*feed, -sort_at, *id));
        Ok(rows.into_iter().map(|(_, _, id)| id).collect())
    }
}

/// The notes of articles that are one now go to the one that stays; `pairs`: the one and the other. Says which went from where.
pub(crate) async fn hand_over(
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

/// Takes that back, of those that are still there.
pub(crate) async fn hand_back(connection: &mut SqliteConnection, moved: &[(i64, i64)]) -> Result<(), LibraryError> {
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
