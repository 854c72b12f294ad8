//! `states`: what the reader, or a rule of theirs, has made of an item: read, starred, hidden, kept. Apart from `items`, so that no
//! feed can touch it. Every item has a row here from the moment it comes in, which for one that is `held` is when it is let go.
//! `hidden` is 1 for what is in no list and no count but where hidden ones are asked for, and 2 for what retention lets go.

use super::{search::from_json, stories};
use crate::{
    ArrangedQuery, Library, LibraryError, ListQuery, MarkScope, Place, Source, Undoable, list, now, undo::Undo,
};
use sqlx::SqliteConnection;

/// A mark of the reader's on an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// Read; on all articles of a story at once.
    Read,
    /// With a star.
    Starred,
    /// In no list.
    Hidden,
    /// No rule of retention lets it go.
    Kept,
}

/// Items that were given a mark, or had it taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Marked {
    pub mark: Mark,
    pub on: bool,
    pub items: Vec<i64>,
}

/// Sets a mark where it is not set so already, and says where. `which` is a query for their numbers in which ?3
/// stands for `items`, a JSON list.
async fn set(
    connection: &mut SqliteConnection,
    mark: Mark,
    on: bool,
    which: &str,
    items: &str,
) -> Result<Marked, LibraryError> {
    let what = match mark {
        Mark::Read => "read = ?1, read_at = iif(?1, ?2, NULL)",
        Mark::Starred => "starred = ?1, starred_at = iif(?1, ?2, NULL)",
        Mark::Hidden => "hidden = ?1",
        Mark::Kept => "kept = ?1",
    };
    let unless = match mark {
        Mark::Read => "read <> ?1",
        Mark::Starred => "starred <> ?1",
        // What is to go is hidden already; what is hidden no more stays, though it was to go.
        Mark::Hidden => "hidden <> ?1 AND (hidden < 2 OR ?1 = 0)",
        Mark::Kept => "kept <> ?1",
    };
    // Told in one row before: handing a hundred thousand over one by one would take as long as marking them.
    let sql = format!("SELECT json_group_array(item_id) FROM states WHERE item_id IN ({which}) AND {unless}");
    let at = now();
    let changing: String =
        sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).bind(on).bind(at).bind(items).fetch_one(&mut *connection).await?;
    let items: Vec<i64> = from_json(&changing)?;
    if !items.is_empty() {
        let sql = format!("UPDATE states SET {what} WHERE item_id IN (SELECT value FROM json_each(?3))");
        let update = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(on).bind(at).bind(&changing);
        update.execute(&mut *connection).await?;
        if mark == Mark::Hidden && !on {
            let sql = "DELETE FROM going WHERE item_id IN (SELECT value FROM json_each(?))";
            sqlx::query(sql).bind(&changing).execute(connection).await?;
        }
    }
    Ok(Marked { mark, on, items })
}

/// Takes marks back.
pub(crate) async fn unmark_in(connection: &mut SqliteConnection, marks: &[Marked]) -> Result<(), LibraryError> {
    for marked in marks.iter().rev() {
        let items = json(&marked.items)?;
        set(connection, marked.mark, !marked.on, "SELECT value FROM json_each(?3)", &items).await?;
    }
    Ok(())
}

/// Marks the others of the stories of these items read.
pub(crate) async fn read_twins(connection: &mut SqliteConnection, ids: &[i64]) -> Result<(), LibraryError> {
    set(connection, Mark::Read, true, stories::TWINS, &json(ids)?).await?;
    Ok(())
}

pub(crate) fn json(ids: &[i64]) -> Result<String, LibraryError> {
    serde_json::to_string(ids).map_err(|error| LibraryError::Invalid(error.to_string()))
}

impl Library {
    /// Marks items read or unread, starred or not; `None` leaves that as it is.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn mark(&self, ids: &[i64], read: Option<bool>, starred: Option<bool>) -> Result<Undoable, LibraryError> {
        let marks = [(Mark::Read, read), (Mark::Starred, starred)];
        let marks: Vec<(Mark, bool)> = marks.into_iter().filter_map(|(mark, on)| Some((mark, on?))).collect();
        self.set_marks(ids, &marks).await
    }

    /// How many articles the list of hidden ones shows.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn hidden_count(&self) -> Result<i64, LibraryError> {
        let sql = "SELECT count(*) FROM states WHERE hidden = 1 AND feed_id NOT IN (SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL)";
        Ok(sqlx::query_scalar(sql).fetch_one(&self.readers).await?)
    }

    /// Sets marks of items, or takes them.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn set_marks(&self, ids: &[i64], marks: &[(Mark, bool)]) -> Result<Undoable, LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let mut done = Vec::new();
        for (mark, on) in marks {
            done.push(self.mark_in(&mut transaction, *mark, *on, ids).await?);
        }
        transaction.commit().await?;
        let count = done.iter().map(|marked| marked.items.len()).max().unwrap_or(0);
        Ok(self.undo.push(count, Undo::Marked(done)))
    }

    /// Sets a mark of items, and of the others of their stories where it is one of stories.
    pub(crate) async fn mark_in(
        &self,
        connection: &mut SqliteConnection,
        mark: Mark,
        on: bool,
        ids: &[i64],
    ) -> Result<Marked, LibraryError> {
        let ids = json(ids)?;
        let mut marked = set(connection, mark, on, "SELECT value FROM json_each(?3)", &ids).await?;
        if mark == Mark::Read && self.stories_are_one() {
            marked.items.extend(set(connection, mark, on, stories::TWINS, &ids).await?.items);
        }
        Ok(marked)
    }

    /// Takes marks back, all of them or none.
    pub(crate) async fn unmark(&self, marks: &[Marked]) -> Result<(), LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        unmark_in(&mut transaction, marks).await?;
        Ok(transaction.commit().await?)
    }

    /// Marks a list, or the part of it above or below a row, read. Items that came after `received_before` stay unread:
    /// nobody has seen them.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn mark_list_read(
        &self,
        source: Source,
        oldest_first: bool,
        scope: MarkScope,
        received_before: Option<i64>,
    ) -> Result<Undoable, LibraryError> {
        let query = ListQuery { source, unread_only: true, oldest_first, after: None, before: None, limit: 0 };
        let sql = list::mark_sql(&query, scope);
        let mut statement = sqlx::query_scalar::<_, String>(sqlx::AssertSqlSafe(sql)).bind(received_before);
        if let MarkScope::Above(cursor) | MarkScope::Below(cursor) = scope {
            statement = statement.bind(cursor.sort_at).bind(cursor.id);
        }
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let unread = statement.fetch_one(&mut *transaction).await?;
        let marked = self.read_in(&mut transaction, &unread).await?;
        transaction.commit().await?;
        Ok(self.undo.push(marked.items.len(), Undo::Marked(vec![marked])))
    }

    /// Marks what comes before (`above`) or after a place of a list read, as [`Library::mark_list_read`] does.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn mark_arranged_read(
        &self,
        query: ArrangedQuery,
        place: Place,
        above: bool,
        received_before: Option<i64>,
    ) -> Result<Undoable, LibraryError> {
        let beside = list::beside(self, &ArrangedQuery { unread_only: true, ..query }, place, above).await?;
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let sql = "SELECT json_group_array(value) FROM json_each(?1)
             WHERE ?2 IS NULL OR (SELECT received_at FROM items WHERE id = value) <= ?2";
        let statement = sqlx::query_scalar::<_, String>(sql).bind(beside).bind(received_before);
        let unread = statement.fetch_one(&mut *transaction).await?;
        let marked = self.read_in(&mut transaction, &unread).await?;
        transaction.commit().await?;
        Ok(self.undo.push(marked.items.len(), Undo::Marked(vec![marked])))
    }

    /// Marks these read, a list of numbers in JSON, with the others of their stories.
    async fn read_in(&self, transaction: &mut SqliteConnection, unread: &str) -> Result<Marked, LibraryError> {
        let mut items =
            set(&mut *transaction, Mark::Read, true, "SELECT value FROM json_each(?3)", unread).await?.items;
        if self.stories_are_one() {
            items.extend(set(transaction, Mark::Read, true, stories::TWINS, &json(&items)?).await?.items);
        }
        Ok(Marked { mark: Mark::Read, on: true, items })
    }
}
