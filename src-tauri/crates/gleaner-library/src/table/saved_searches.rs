//! `saved_searches`: queries that the reader keeps under a name, in an order of theirs: feeds made of a search. Two names that differ
//! in case or white space only are one. How many unread articles one finds is counted up to [`COUNTED`], by the index, when it is asked.

use super::tags::tag_key;
use crate::{Library, LibraryError, Undoable, undo::Undo};
use chrono::{DateTime, TimeZone};
use gleaner_query::Expr;
use sqlx::SqliteConnection;

/// So far unread articles of a saved search are counted.
pub const COUNTED: u32 = 999;

/// A search that is kept.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct SavedSearch {
    /// Its number.
    pub id: i64,
    /// As the reader calls it.
    pub name: String,
    /// In the language of queries (gleaner-query).
    pub query: String,
}

/// What was changed of a saved search, as it was before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChangedSearch {
    id: i64,
    name: Option<String>,
    query: Option<String>,
}

/// A saved search that is gone, and where it stood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DeletedSearch {
    search: SavedSearch,
    position: i64,
}

/// How many unread articles a query finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UnreadFound {
    /// [`COUNTED`] at most.
    pub unread: u32,
    /// There are more.
    pub more: bool,
}

fn tidied(name: &str) -> Result<String, LibraryError> {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        return Err(LibraryError::Invalid("a saved search needs a name".to_owned()));
    }
    Ok(name)
}

/// A query that cannot be read would be one that never finds anything; one that asks for nothing finds everything, and is no search.
fn understood(query: &str) -> Result<Expr, LibraryError> {
    match gleaner_query::parse(query) {
        Ok(Expr::All) => Err(LibraryError::Invalid("a saved search needs something to look for".to_owned())),
        Ok(query) => Ok(query),
        Err(error) => Err(LibraryError::Invalid(error.to_string())),
    }
}

async fn all(connection: impl sqlx::SqliteExecutor<'_>) -> sqlx::Result<Vec<SavedSearch>> {
    sqlx::query_as("SELECT id, name, query FROM saved_searches ORDER BY position, id").fetch_all(connection).await
}

/// Refuses a name that another one has.
async fn refuse_double(connection: &mut SqliteConnection, name: &str, but: Option<i64>) -> Result<(), LibraryError> {
    let key = tag_key(name);
    match all(connection).await?.into_iter().find(|other| Some(other.id) != but && tag_key(&other.name) == key) {
        Some(other) => Err(LibraryError::Invalid(format!("there is a saved search of this name: {}", other.name))),
        None => Ok(()),
    }
}

async fn put_in_order(connection: &mut SqliteConnection, ids: &[i64]) -> Result<(), LibraryError> {
    let json = super::states::json(ids)?;
    sqlx::query(
        "UPDATE saved_searches SET position = (SELECT j.key FROM json_each(?1) j WHERE j.value = saved_searches.id) WHERE id IN (SELECT value FROM json_each(?1))",
    )
    .bind(json)
    .execute(connection)
    .await?;
    Ok(())
}

impl Library {
    /// The saved searches, in the reader's order.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn saved_searches(&self) -> Result<Vec<SavedSearch>, LibraryError> {
        Ok(all(&self.readers).await?)
    }

    /// The saved search of this name.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; when the library cannot be read.
    pub async fn saved_search(&self, name: &str) -> Result<SavedSearch, LibraryError> {
        let key = tag_key(name);
        let found = self.saved_searches().await?.into_iter().find(|search| tag_key(&search.name) == key);
        found.ok_or(LibraryError::NotFound("saved search"))
    }

    /// Keeps a search, as the last one, and gives its number.
    ///
    /// # Errors
    /// [`LibraryError::Invalid`] without a name, with one that another has, or where the query cannot be read or asks for nothing; when
    /// the library cannot be written.
    pub async fn save_search(&self, name: &str, query: &str) -> Result<i64, LibraryError> {
        let name = tidied(name)?;
        understood(query)?;
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        refuse_double(&mut transaction, &name, None).await?;
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

    /// Gives a saved search another name or query; `None` leaves that as it is.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; [`LibraryError::Invalid`] as in [`Library::save_search`]; when the library cannot be written.
    pub async fn change_saved_search(
        &self,
        id: i64,
        name: Option<&str>,
        query: Option<&str>,
    ) -> Result<Undoable, LibraryError> {
        let name = name.map(tidied).transpose()?;
        query.map(understood).transpose()?;
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let before = all(&mut *transaction).await?.into_iter().find(|search| search.id == id);
        let before = before.ok_or(LibraryError::NotFound("saved search"))?;
        if let Some(name) = &name {
            refuse_double(&mut transaction, name, Some(id)).await?;
        }
        sqlx::query("UPDATE saved_searches SET name = ifnull(?2, name), query = ifnull(?3, query) WHERE id = ?1")
            .bind(id)
            .bind(&name)
            .bind(query.map(str::trim))
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        let changed = ChangedSearch { id, name: name.and(Some(before.name)), query: query.and(Some(before.query)) };
        Ok(self.undo.push(1, Undo::ChangedSearch(changed)))
    }

    /// Puts a saved search at a place among the others: 0 is the first; beyond the last, the last.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; when the library cannot be written.
    pub async fn move_saved_search(&self, id: i64, to: usize) -> Result<(), LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let mut ids: Vec<i64> = all(&mut *transaction).await?.into_iter().map(|search| search.id).collect();
        let at = ids.iter().position(|other| *other == id).ok_or(LibraryError::NotFound("saved search"))?;
        ids.remove(at);
        ids.insert(to.min(ids.len()), id);
        put_in_order(&mut transaction, &ids).await?;
        Ok(transaction.commit().await?)
    }

    /// Keeps a search no longer.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; when the library cannot be written.
    pub async fn delete_saved_search(&self, id: i64) -> Result<Undoable, LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let gone: Option<(String, String, i64)> =
            sqlx::query_as("DELETE FROM saved_searches WHERE id = ? RETURNING name, query, position")
                .bind(id)
                .fetch_optional(&mut *transaction)
                .await?;
        let (name, query, position) = gone.ok_or(LibraryError::NotFound("saved search"))?;
        transaction.commit().await?;
        let deleted = DeletedSearch { search: SavedSearch { id, name, query }, position };
        Ok(self.undo.push(1, Undo::DeletedSearch(deleted)))
    }

    /// How many unread articles each saved search finds, with its number. Takes as long as a search each, and holds up nobody.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn count_saved_searches<Zone: TimeZone>(
        &self,
        now: &DateTime<Zone>,
    ) -> Result<Vec<(i64, UnreadFound)>, LibraryError> {
        let mut counts = Vec::new();
        for search in self.saved_searches().await? {
            // One that a former version understood and this one does not finds nothing; opening it says why.
            let Ok(query) = gleaner_query::parse(&search.query) else { continue };
            counts.push((search.id, self.count_unread(&query, now, COUNTED).await?));
        }
        Ok(counts)
    }

    pub(crate) async fn restore_search(&self, before: &ChangedSearch) -> Result<(), LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        if let Some(name) = &before.name {
            refuse_double(&mut transaction, name, Some(before.id)).await?;
        }
        let sql = "UPDATE saved_searches SET name = ifnull(?2, name), query = ifnull(?3, query) WHERE id = ?1";
        let done =
            sqlx::query(sql).bind(before.id).bind(&before.name).bind(&before.query).execute(&mut *transaction).await?;
        if done.rows_affected() == 0 {
            return Err(LibraryError::NotFound("saved search"));
        }
        Ok(transaction.commit().await?)
    }

    pub(crate) async fn bring_back_search(&self, gone: &DeletedSearch) -> Result<(), LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        refuse_double(&mut transaction, &gone.search.name, None).await?;
        // Under its own number, so that older steps that speak of it can be taken back too.
        sqlx::query("INSERT INTO saved_searches (id, name, query, position) VALUES (?, ?, ?, ?)")
            .bind(gone.search.id)
            .bind(&gone.search.name)
            .bind(&gone.search.query)
            .bind(gone.position)
            .execute(&mut *transaction)
            .await?;
        Ok(transaction.commit().await?)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    async fn names(library: &Library) -> Vec<String> {
        library.saved_searches().await.unwrap().into_iter().map(|search| search.name).collect()
    }

    #[tokio::test]
    async fn a_search_is_kept_changed_moved_and_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let first = library.save_search("  Long  reads ", " words:>2000 is:unread ").await.unwrap();
        library.save_search("Rust", "rust").await.unwrap();
        let third = library.save_search("Go", "go").await.unwrap();
        for (name, query) in [("", "x"), ("long READS", "x"), ("x", "is:unred"), ("x", " - ")] {
            assert!(matches!(library.save_search(name, query).await, Err(LibraryError::Invalid(_))), "{name}: {query}");
        }
        let found = library.saved_search("LONG reads").await.unwrap();
        assert_eq!(
            (found.id, found.name.as_str(), found.query.as_str()),
            (first, "Long reads", "words:>2000 is:unread")
        );
        library.move_saved_search(third, 0).await.unwrap();
        assert_eq!(names(&library).await, ["Go", "Long reads", "Rust"]);
        library.move_saved_search(third, 9).await.unwrap();
        assert_eq!(names(&library).await, ["Long reads", "Rust", "Go"]);
        assert!(matches!(library.change_saved_search(first, Some("go"), None).await, Err(LibraryError::Invalid(_))));
        let changed = library.change_saved_search(first, Some("LONG READS"), Some("words:>3000")).await.unwrap();
        let gone = library.delete_saved_search(first).await.unwrap();
        assert_eq!(names(&library).await, ["Rust", "Go"]);
        assert!(matches!(library.delete_saved_search(first).await, Err(LibraryError::NotFound(_))));
        library.undo(gone.step).await.unwrap();
        assert_eq!(names(&library).await, ["LONG READS", "Rust", "Go"]);
        library.undo(changed.step).await.unwrap();
        assert_eq!(library.saved_search("long reads").await.unwrap(), found);

        // A step takes back what it changed and nothing else, and makes no two of one name.
        let renamed = library.change_saved_search(first, Some("Essays"), None).await.unwrap();
        library.change_saved_search(first, None, Some("words:>4000")).await.unwrap();
        let taken = library.save_search("Long reads", "long").await.unwrap();
        assert!(matches!(library.undo(renamed.step).await, Err(LibraryError::Invalid(_))));
        library.delete_saved_search(taken).await.unwrap();
        library.undo(renamed.step).await.unwrap();
        assert_eq!(library.saved_search("long reads").await.unwrap().query, "words:>4000");
        let gone = library.delete_saved_search(first).await.unwrap();
        let taken = library.save_search("Long Reads", "long").await.unwrap();
        assert!(matches!(library.undo(gone.step).await, Err(LibraryError::Invalid(_))));
        library.delete_saved_search(taken).await.unwrap();
        library.undo(gone.step).await.unwrap();
        assert_eq!(library.saved_search("long reads").await.unwrap().id, first);
    }
}
