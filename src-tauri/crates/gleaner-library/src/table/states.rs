//! `states`: the state of each article: read, starred, hidden, kept, set by the user or a rule. Separate from `items`, so that no
//! feed can change it. Every article has a row from the moment it is received; a scheduled one from its release. `hidden` is 1 for
//! articles that only the list of hidden ones shows, and 2 for those pending deletion.

use crate::{
    LibraryError, ListQuery, MarkScope, Millis, Order, Source, Undoable,
    database::{Database, undo::UndoStep},
    json::{from_json, json},
    list,
    table::{
        duplicates,
        items::Articles,
        mark_log::{self, Cause, MarkChange},
    },
};
use futures::future::BoxFuture;
use sqlx::SqliteConnection;

/// Selects those of the articles `?2`, a JSON list of ids, that were received up to `?1`.
const RECEIVED_BEFORE: &str = "SELECT json_group_array(value) FROM json_each(?2)
    WHERE ?1 IS NULL OR (SELECT received_at FROM items WHERE id = value) <= ?1";

/// A mark on an article.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// Read; also set on duplicates.
    Read,
    /// Starred.
    Starred,
    /// Hidden from lists.
    Hidden,
    /// Never deleted by retention.
    Kept,
}

/// Articles whose mark was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Marked {
    pub mark: Mark,
    pub on: bool,
    pub items: Vec<i64>,
}

/// Sets or removes a mark on the articles where it differs, and returns these. `which` is a query for ids in which ?3 stands for `items`, a
/// JSON list.
async fn set(
    connection: &mut SqliteConnection,
    mark: Mark,
    which: &str,
    items: &str,
    change: MarkChange,
) -> Result<Marked, LibraryError> {
    let MarkChange { on, at, .. } = change;
    let what = match mark {
        Mark::Read => "read = ?1, read_at = iif(?1, ?2, NULL)",
        Mark::Starred => "starred = ?1, starred_at = iif(?1, ?2, NULL)",
        Mark::Hidden => "hidden = ?1",
        Mark::Kept => "kept = ?1",
    };
    let unless = match mark {
        Mark::Read => "read <> ?1",
        Mark::Starred => "starred <> ?1",
        // Expired articles are hidden already; hiding is undone for them too.
        Mark::Hidden => "hidden <> ?1 AND (hidden < 2 OR ?1 = 0)",
        Mark::Kept => "kept <> ?1",
    };
    // One row for all: a hundred thousand rows would take as long to read as to mark.
    let sql = format!("SELECT json_group_array(item_id) FROM states WHERE item_id IN ({which}) AND {unless}");
    let changing: String =
        sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).bind(on).bind(at).bind(items).fetch_one(&mut *connection).await?;
    let items: Vec<i64> = from_json(&changing)?;
    if !items.is_empty() {
        let sql = format!("UPDATE states SET {what} WHERE item_id IN (SELECT value FROM json_each(?3))");
        let update = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(on).bind(at).bind(&changing);
        update.execute(&mut *connection).await?;
        if mark == Mark::Hidden && !on {
            let sql = "DELETE FROM going WHERE item_id IN (SELECT value FROM json_each(?))";
            sqlx::query(sql).bind(&changing).execute(&mut *connection).await?;
        }
        match mark {
            Mark::Read => mark_log::record(connection, &changing, "read", change).await?,
            Mark::Starred => mark_log::record(connection, &changing, "starred", change).await?,
            Mark::Hidden | Mark::Kept => {}
        }
    }
    Ok(Marked { mark, on, items })
}

/// Undoes marks, and returns the changes.
pub(crate) async fn unmark_in(
    connection: &mut SqliteConnection,
    marks: &[Marked],
    now: Millis,
) -> Result<Vec<Marked>, LibraryError> {
    let mut undone = Vec::with_capacity(marks.len());
    for Marked { mark, on, items } in marks.iter().rev() {
        let items = json(items)?;
        let change = MarkChange { on: !on, at: now, cause: Cause::Undo };
        undone.push(set(connection, *mark, "SELECT value FROM json_each(?3)", &items, change).await?);
    }
    Ok(undone)
}

/// Marks the duplicates of these articles read.
pub(crate) async fn mark_duplicates_read(
    connection: &mut SqliteConnection,
    ids: &[i64],
    now: Millis,
) -> Result<(), LibraryError> {
    let change = MarkChange::on(now, Cause::Duplicate);
    set(connection, Mark::Read, duplicates::OTHERS_OF_GROUP, &json(ids)?, change).await?;
    Ok(())
}

/// Sets a mark of items, and of their duplicates if the mark also applies to those.
pub(crate) async fn mark_in(
    db: &Database,
    connection: &mut SqliteConnection,
    mark: Mark,
    ids: &[i64],
    change: MarkChange,
) -> Result<Marked, LibraryError> {
    let ids = json(ids)?;
    let mut marked = set(connection, mark, "SELECT value FROM json_each(?3)", &ids, change).await?;
    if mark == Mark::Read && db.combines_duplicates() {
        let change = MarkChange { cause: Cause::Duplicate, ..change };
        let others = set(connection, mark, duplicates::OTHERS_OF_GROUP, &ids, change).await?;
        marked.items.extend(others.items);
    }
    Ok(marked)
}

/// The marks that a step set.
#[derive(Debug)]
struct MarksSet(Vec<Marked>);

impl UndoStep for MarksSet {
    fn undo<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<(), LibraryError>> {
        Box::pin(async move { Articles::new(db).unmark(&self.0).await })
    }

    fn articles(&self) -> usize {
        self.0.iter().map(|marked| marked.items.len()).sum()
    }
}

/// Remembers marks as a step that can be undone.
pub(crate) fn remember(db: &Database, count: usize, marks: Vec<Marked>) -> Undoable {
    db.undo.push(count, MarksSet(marks))
}

impl Articles<'_> {
    /// Marks articles read or unread, starred or not; `None` leaves it.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn mark(self, ids: &[i64], read: Option<bool>, starred: Option<bool>) -> Result<Undoable, LibraryError> {
        let marks = [(Mark::Read, read), (Mark::Starred, starred)];
        let marks: Vec<(Mark, bool)> = marks.into_iter().filter_map(|(mark, on)| Some((mark, on?))).collect();
        self.set_marks(ids, &marks).await
    }

    /// Returns the number of articles in the list of hidden ones.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn count_hidden(self) -> Result<i64, LibraryError> {
        let sql = "SELECT count(*) FROM states WHERE hidden = 1 AND feed_id NOT IN (SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL)";
        Ok(sqlx::query_scalar(sql).fetch_one(&self.db.readers).await?)
    }

    /// Sets or removes marks of articles.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn set_marks(self, ids: &[i64], marks: &[(Mark, bool)]) -> Result<Undoable, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let mut done = Vec::new();
        for (mark, on) in marks {
            let change = MarkChange { on: *on, at: self.db.now(), cause: Cause::Here };
            done.push(mark_in(self.db, &mut transaction, *mark, ids, change).await?);
        }
        transaction.commit().await?;
        let count = done.iter().map(|marked| marked.items.len()).max().unwrap_or(0);
        Ok(self.db.undo.push(count, MarksSet(done)))
    }

    /// Undoes marks, all of them or none.
    async fn unmark(self, marks: &[Marked]) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        unmark_in(&mut transaction, marks, self.db.now()).await?;
        Ok(transaction.commit().await?)
    }

    /// Marks a list, or the part of it above or below a row, read. Articles received after `received_before` stay unread: the
    /// user has not seen them.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn mark_list_read(
        self,
        source: Source,
        order: Order,
        scope: MarkScope,
        received_before: Option<i64>,
    ) -> Result<Undoable, LibraryError> {
        let query = ListQuery { unread_only: true, order, ..ListQuery::newest(source, 0) };
        let (above, row) = match scope {
            MarkScope::All => (false, None),
            MarkScope::Above(row) => (true, Some(row)),
            MarkScope::Below(row) => (false, Some(row)),
        };
        let unread = match row {
            Some(row) if !query.by_date() => {
                let beyond = list::ids_beyond(self.db, &query, row, above).await?;
                sqlx::query_scalar::<_, String>(RECEIVED_BEFORE).bind(received_before).bind(beyond)
            }
            row => {
                let sql = sqlx::AssertSqlSafe(list::mark_sql(&query, scope, self.db.combines_duplicates()));
                let statement = sqlx::query_scalar::<_, String>(sql).bind(received_before);
                row.into_iter().fold(statement, |statement, row| statement.bind(row.sort_at).bind(row.id))
            }
        };
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let unread = unread.fetch_one(&mut *transaction).await?;
        let (marked, count) = self.read_in(&mut transaction, &unread).await?;
        transaction.commit().await?;
        Ok(self.db.undo.push(count, MarksSet(vec![marked])))
    }

    /// Marks these articles, a JSON list of ids, and their duplicates as read. Also returns by how many the number of unread rows in lists
    /// falls: duplicates count as one.
    async fn read_in(self, transaction: &mut SqliteConnection, unread: &str) -> Result<(Marked, usize), LibraryError> {
        let (these, now) = ("SELECT value FROM json_each(?3)", self.db.now());
        let mut items =
            set(&mut *transaction, Mark::Read, these, unread, MarkChange::on(now, Cause::Here)).await?.items;
        let mut count = items.len();
        if self.db.combines_duplicates() {
            count = duplicates::count_groups(&mut *transaction, &json(&items)?).await?;
            let (others, of) = (duplicates::OTHERS_OF_GROUP, json(&items)?);
            let change = MarkChange::on(now, Cause::Duplicate);
            items.extend(set(transaction, Mark::Read, others, &of, change).await?.items);
        }
        Ok((Marked { mark: Mark::Read, on: true, items }, count))
    }
}
