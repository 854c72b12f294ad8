//! `saved_searches`: queries that the user saved under a name, in the user's order. Names that differ only in case or white space
//! are the same. The unread articles of each are counted up to [`crate::MAX_COUNTED`], by the index, on request.

use crate::{
    LibraryError, MAX_COUNTED, Refusal, Undoable, UnreadFound,
    database::{Database, repository, undo::UndoStep},
    names::checked_name,
    search::Search,
    table::tags::tag_key,
};
use chrono::{DateTime, TimeZone};
use futures::future::BoxFuture;
use gleaner_query::Expr;
use sqlx::SqliteConnection;

/// A saved search.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct SavedSearch {
    /// Id.
    pub id: i64,
    /// Name.
    pub name: String,
    /// Query (gleaner-query).
    pub query: String,
    /// Whether the reader is notified of new articles that match.
    pub notify: bool,
}

/// The new values of a saved search; `None` leaves the value.
#[derive(Debug, Clone, Copy, Default)]
pub struct SearchChange<'a> {
    /// Name.
    pub name: Option<&'a str>,
    /// Query.
    pub query: Option<&'a str>,
    /// Whether the reader is notified of new articles that match.
    pub notify: Option<bool>,
}

/// The changed values of a saved search, as they were before.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ChangedSearch {
    id: i64,
    name: Option<String>,
    query: Option<String>,
    notify: Option<bool>,
}

/// A deleted saved search and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
struct DeletedSearch {
    search: SavedSearch,
    position: i64,
}

/// Changes the values that are not `NULL`.
const CHANGE: &str = "UPDATE saved_searches SET name = ifnull(?2, name), query = ifnull(?3, query), notify = ifnull(?4, notify) WHERE id = ?1";

/// Refuses an unreadable query, which would never find anything, and an empty one, which finds everything.
fn parsed(query: &str) -> Result<Expr, LibraryError> {
    match gleaner_query::parse(query) {
        Ok(Expr::All) => Err(LibraryError::from(Refusal::SearchQuery)),
        Ok(query) => Ok(query),
        Err(error) => Err(Refusal::Query(error).into()),
    }
}

async fn all(connection: impl sqlx::SqliteExecutor<'_>) -> sqlx::Result<Vec<SavedSearch>> {
    sqlx::query_as("SELECT id, name, query, notify FROM saved_searches ORDER BY position, id")
        .fetch_all(connection)
        .await
}

/// Refuses a name that another one has.
async fn refuse_duplicate(connection: &mut SqliteConnection, name: &str, but: Option<i64>) -> Result<(), LibraryError> {
    let key = tag_key(name);
    match all(connection).await?.into_iter().find(|other| Some(other.id) != but && tag_key(&other.name) == key) {
        Some(other) => Err(LibraryError::from(Refusal::SearchNameTaken(other.name))),
        None => Ok(()),
    }
}

async fn set_order(connection: &mut SqliteConnection, ids: &[i64]) -> Result<(), LibraryError> {
    let json = crate::json::json(ids)?;
    sqlx::query(
        "UPDATE saved_searches SET position = (SELECT j.key FROM json_each(?1) j WHERE j.value = saved_searches.id) WHERE id IN (SELECT value FROM json_each(?1))",
    )
    .bind(json)
    .execute(connection)
    .await?;
    Ok(())
}

repository!(
    /// The saved searches.
    SavedSearches
);

impl SavedSearches<'_> {
    /// Returns the saved searches, in order.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn list(self) -> Result<Vec<SavedSearch>, LibraryError> {
        Ok(all(&self.db.readers).await?)
    }

    /// Returns the saved search with this name.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; when the library cannot be read.
    pub async fn find_by_name(self, name: &str) -> Result<SavedSearch, LibraryError> {
        let key = tag_key(name);
        let found = self.list().await?.into_iter().find(|search| tag_key(&search.name) == key);
        found.ok_or(LibraryError::NotFound("saved search"))
    }

    /// Adds a saved search as the last one, and returns its id.
    ///
    /// # Errors [`LibraryError::Refused`] without a name, with one that is taken, or if the query is unreadable or empty; when the library
    /// cannot be written.
    pub async fn add(self, name: &str, query: &str) -> Result<i64, LibraryError> {
        let name = checked_name(name, Refusal::SearchName)?;
        parsed(query)?;
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        refuse_duplicate(&mut transaction, &name, None).await?;
        let id = sqlx::query_scalar(
            "INSERT INTO saved_searches (name, query, position) VALUES (?, ?, (SELECT ifnull(max(position), -1) + 1 FROM saved_searches))
             RETURNING id",
        )
        .bind(name)
        .bind(query.trim())
        .fetch_one(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(id)
    }

    /// Changes the values of a saved search.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; [`LibraryError::Refused`] as in [`Self::add`]; when the library cannot be written.
    pub async fn change(self, id: i64, change: SearchChange<'_>) -> Result<Undoable, LibraryError> {
        let SearchChange { name, query, notify } = change;
        let name = name.map(|name| checked_name(name, Refusal::SearchName)).transpose()?;
        query.map(parsed).transpose()?;
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let before = all(&mut *transaction).await?.into_iter().find(|search| search.id == id);
        let before = before.ok_or(LibraryError::NotFound("saved search"))?;
        if let Some(name) = &name {
            refuse_duplicate(&mut transaction, name, Some(id)).await?;
        }
        sqlx::query(CHANGE)
            .bind(id)
            .bind(&name)
            .bind(query.map(str::trim))
            .bind(notify)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        let changed = ChangedSearch {
            id,
            name: name.and(Some(before.name)),
            query: query.and(Some(before.query)),
            notify: notify.and(Some(before.notify)),
        };
        Ok(self.db.undo.push(1, changed))
    }

    /// Moves a saved search to a position, from 0; beyond the end, to the end.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; when the library cannot be written.
    pub async fn move_to(self, id: i64, to: usize) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let mut ids: Vec<i64> = all(&mut *transaction).await?.into_iter().map(|search| search.id).collect();
        let at = ids.iter().position(|other| *other == id).ok_or(LibraryError::NotFound("saved search"))?;
        ids.remove(at);
        ids.insert(to.min(ids.len()), id);
        set_order(&mut transaction, &ids).await?;
        Ok(transaction.commit().await?)
    }

    /// Deletes a saved search.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; when the library cannot be written.
    pub async fn delete(self, id: i64) -> Result<Undoable, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let gone: Option<(String, String, bool, i64)> =
            sqlx::query_as("DELETE FROM saved_searches WHERE id = ? RETURNING name, query, notify, position")
                .bind(id)
                .fetch_optional(&mut *transaction)
                .await?;
        let (name, query, notify, position) = gone.ok_or(LibraryError::NotFound("saved search"))?;
        transaction.commit().await?;
        let deleted = DeletedSearch { search: SavedSearch { id, name, query, notify }, position };
        Ok(self.db.undo.push(1, deleted))
    }

    /// Returns the number of unread articles of each saved search. Takes as long as a search for each.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn count_unread<Zone: TimeZone>(
        self,
        now: &DateTime<Zone>,
    ) -> Result<Vec<(i64, UnreadFound)>, LibraryError> {
        let mut counts = Vec::new();
        for search in self.list().await? {
            // A query that only another version understands finds nothing; opening it says why.
            let Ok(query) = gleaner_query::parse(&search.query) else { continue };
            counts.push((search.id, Search::new(self.db).count_unread(&query, now, MAX_COUNTED).await?));
        }
        Ok(counts)
    }

    async fn restore_search(self, before: &ChangedSearch) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        if let Some(name) = &before.name {
            refuse_duplicate(&mut transaction, name, Some(before.id)).await?;
        }
        let done = sqlx::query(CHANGE)
            .bind(before.id)
            .bind(&before.name)
            .bind(&before.query)
            .bind(before.notify)
            .execute(&mut *transaction)
            .await?;
        if done.rows_affected() == 0 {
            return Err(LibraryError::NotFound("saved search"));
        }
        Ok(transaction.commit().await?)
    }

    async fn restore_deleted(self, gone: &DeletedSearch) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        refuse_duplicate(&mut transaction, &gone.search.name, None).await?;
        // With its former id, so that older steps about it can be undone too.
        sqlx::query("INSERT INTO saved_searches (id, name, query, notify, position) VALUES (?, ?, ?, ?, ?)")
            .bind(gone.search.id)
            .bind(&gone.search.name)
            .bind(&gone.search.query)
            .bind(gone.search.notify)
            .bind(gone.position)
            .execute(&mut *transaction)
            .await?;
        Ok(transaction.commit().await?)
    }
}

impl UndoStep for ChangedSearch {
    fn undo<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<(), LibraryError>> {
        Box::pin(async move { SavedSearches::new(db).restore_search(self).await })
    }
}

impl UndoStep for DeletedSearch {
    fn undo<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<(), LibraryError>> {
        Box::pin(async move { SavedSearches::new(db).restore_deleted(self).await })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Library;

    async fn names(library: &Library) -> Vec<String> {
        library.saved_searches().list().await.unwrap().into_iter().map(|search| search.name).collect()
    }

    fn named(name: &str) -> SearchChange<'_> {
        SearchChange { name: Some(name), ..SearchChange::default() }
    }

    #[tokio::test]
    async fn a_saved_search_can_be_added_changed_moved_and_restored() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let first = library.saved_searches().add("  Long  reads ", " words:>2000 is:unread ").await.unwrap();
        library.saved_searches().add("Rust", "rust").await.unwrap();
        let third = library.saved_searches().add("Go", "go").await.unwrap();
        for (name, query) in [("", "x"), ("long READS", "x"), ("x", "is:unred"), ("x", " - ")] {
            assert!(
                matches!(library.saved_searches().add(name, query).await, Err(LibraryError::Refused(_))),
                "{name}: {query}"
            );
        }
        let found = library.saved_searches().find_by_name("LONG reads").await.unwrap();
        assert_eq!(
            (found.id, found.name.as_str(), found.query.as_str()),
            (first, "Long reads", "words:>2000 is:unread")
        );
        library.saved_searches().move_to(third, 0).await.unwrap();
        assert_eq!(names(&library).await, ["Go", "Long reads", "Rust"]);
        library.saved_searches().move_to(third, 9).await.unwrap();
        assert_eq!(names(&library).await, ["Long reads", "Rust", "Go"]);
        assert!(matches!(library.saved_searches().change(first, named("go")).await, Err(LibraryError::Refused(_))));
        let changed = library
            .saved_searches()
            .change(first, SearchChange { name: Some("LONG READS"), query: Some("words:>3000"), notify: Some(true) })
            .await
            .unwrap();
        let gone = library.saved_searches().delete(first).await.unwrap();
        assert_eq!(names(&library).await, ["Rust", "Go"]);
        assert!(matches!(library.saved_searches().delete(first).await, Err(LibraryError::NotFound(_))));
        library.undo(gone.step).await.unwrap();
        assert_eq!(names(&library).await, ["LONG READS", "Rust", "Go"]);
        assert!(library.saved_searches().find_by_name("long reads").await.unwrap().notify);
        library.undo(changed.step).await.unwrap();
        assert_eq!(library.saved_searches().find_by_name("long reads").await.unwrap(), found);

        // A step undoes only its own changes, and never causes two searches with one name.
        let renamed = library.saved_searches().change(first, named("Essays")).await.unwrap();
        library
            .saved_searches()
            .change(first, SearchChange { query: Some("words:>4000"), ..SearchChange::default() })
            .await
            .unwrap();
        let taken = library.saved_searches().add("Long reads", "long").await.unwrap();
        assert!(matches!(library.undo(renamed.step).await, Err(LibraryError::Refused(_))));
        library.saved_searches().delete(taken).await.unwrap();
        library.undo(renamed.step).await.unwrap();
        assert_eq!(library.saved_searches().find_by_name("long reads").await.unwrap().query, "words:>4000");
        let gone = library.saved_searches().delete(first).await.unwrap();
        let taken = library.saved_searches().add("Long Reads", "long").await.unwrap();
        assert!(matches!(library.undo(gone.step).await, Err(LibraryError::Refused(_))));
        library.saved_searches().delete(taken).await.unwrap();
        library.undo(gone.step).await.unwrap();
        assert_eq!(library.saved_searches().find_by_name("long reads").await.unwrap().id, first);
    }
}
