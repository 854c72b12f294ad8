//! `folders`: the tree that feeds stand in. Two folders of one name in one place are one.

use super::{
    Value,
    numbers::{self, Numbered},
    preferences, retention, rules,
};
use crate::{FeedScope, Keep, LOCAL_ACCOUNT, Library, LibraryError, Preferences, Undoable, undo::Undo};
use sqlx::SqliteConnection;
use std::collections::HashMap;

/// A folder.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct FolderRow {
    /// Its number.
    pub id: i64,
    /// `None`: at the top.
    pub parent_id: Option<i64>,
    /// As the user or the list that brought it wrote it.
    pub name: String,
    /// Whether the sidebar shows what is in it.
    pub open: bool,
    /// Among its siblings.
    pub position: i64,
}

/// All folders below one, itself included, bound as the statement's first parameter.
pub(crate) const BELOW: &str =
    "WITH RECURSIVE below (id) AS (SELECT ?1 UNION SELECT f.id FROM folders f JOIN below b ON f.parent_id = b.id)";

/// The names of each folder and those above it, as queries see them. Parents come before their children.
pub fn folder_paths(folders: &[FolderRow]) -> HashMap<i64, String> {
    let mut paths: HashMap<i64, String> = HashMap::new();
    for folder in folders {
        let above = folder.parent_id.and_then(|parent| paths.get(&parent));
        let path = above.map_or_else(|| folder.name.clone(), |above| format!("{above} / {}", folder.name));
        paths.insert(folder.id, path);
    }
    paths
}

impl Library {
    /// All folders, parents before children, siblings in their order.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn folders(&self) -> Result<Vec<FolderRow>, LibraryError> {
        Ok(sqlx::query_as(
            "WITH RECURSIVE tree (id, parent_id, name, open, position, depth) AS (
                 SELECT id, parent_id, name, open, position, 0 FROM folders WHERE parent_id IS NULL
                 UNION ALL
                 SELECT f.id, f.parent_id, f.name, f.open, f.position, t.depth + 1 FROM folders f JOIN tree t ON f.parent_id = t.id)
             SELECT id, parent_id, name, open, position FROM tree ORDER BY depth, position, id",
        )
        .fetch_all(&self.readers)
        .await?)
    }

    pub(crate) async fn folder_exists(&self, id: i64) -> Result<(), LibraryError> {
        let there: Option<i64> =
            sqlx::query_scalar("SELECT id FROM folders WHERE id = ?").bind(id).fetch_optional(&self.readers).await?;
        there.map(|_| ()).ok_or(LibraryError::NotFound("folder"))
    }

    /// Makes a folder, or finds the one of that name in that place.
    ///
    /// # Errors
    /// [`LibraryError::Invalid`] without a name, [`LibraryError::NotFound`] without that parent.
    pub async fn create_folder(&self, name: &str, parent: Option<i64>) -> Result<i64, LibraryError> {
        let name = valid_name(name)?;
        if let Some(parent) = parent {
            self.folder_exists(parent).await?;
        }
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let (id, _) = ensure(&mut transaction, parent, name).await?;
        transaction.commit().await?;
        Ok(id)
    }

    /// Gives a folder another name.
    ///
    /// # Errors
    /// [`LibraryError::Invalid`] when the name is empty or taken in that place.
    pub async fn rename_folder(&self, id: i64, name: &str) -> Result<(), LibraryError> {
        let name = valid_name(name)?;
        self.change_folder("UPDATE OR IGNORE folders SET name = ?2 WHERE id = ?1", id, Value::Text(Some(name))).await
    }

    /// Remembers whether the sidebar shows what is in it.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`].
    pub async fn set_folder_open(&self, id: i64, open: bool) -> Result<(), LibraryError> {
        self.change_folder("UPDATE folders SET open = ?2 WHERE id = ?1", id, Value::Number(Some(i64::from(open)))).await
    }

    async fn change_folder(&self, sql: &'static str, id: i64, value: Value<'_>) -> Result<(), LibraryError> {
        self.folder_exists(id).await?;
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let query = match value {
            Value::Text(text) => sqlx::query(sql).bind(id).bind(text),
            Value::Number(number) => sqlx::query(sql).bind(id).bind(number),
        };
        let done = query.execute(&mut *transaction).await?;
        if done.rows_affected() == 0 {
            return Err(LibraryError::Invalid("there is a folder of that name already".to_owned()));
        }
        Ok(transaction.commit().await?)
    }

    /// Takes a folder away; the feeds and folders in it move one level up, and its rules go with it.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; [`LibraryError::Invalid`] when a folder in it has the name of one above.
    pub async fn delete_folder(&self, id: i64) -> Result<Undoable, LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let folder: FolderRow = sqlx::query_as("SELECT id, parent_id, name, open, position FROM folders WHERE id = ?")
            .bind(id)
            .fetch_optional(&mut *transaction)
            .await?
            .ok_or(LibraryError::NotFound("folder"))?;
        let feeds: Vec<i64> = sqlx::query_scalar("UPDATE feeds SET folder_id = ?2 WHERE folder_id = ?1 RETURNING id")
            .bind(id)
            .bind(folder.parent_id)
            .fetch_all(&mut *transaction)
            .await?;
        let folders: Vec<i64> =
            sqlx::query_scalar("UPDATE OR IGNORE folders SET parent_id = ?2 WHERE parent_id = ?1 RETURNING id")
                .bind(id)
                .bind(folder.parent_id)
                .fetch_all(&mut *transaction)
                .await?;
        let left: i64 = sqlx::query_scalar("SELECT count(*) FROM folders WHERE parent_id = ?")
            .bind(id)
            .fetch_one(&mut *transaction)
            .await?;
        if left > 0 {
            return Err(LibraryError::Invalid(
                "a folder in it has the name of one above: rename that first".to_owned(),
            ));
        }
        let rules = rules::leave_folder(&mut transaction, id).await?;
        let keep = retention::said(&mut transaction, FeedScope::Folder(id)).await?;
        let preferences = preferences::of_folder(&mut transaction, id).await?;
        sqlx::query("DELETE FROM folders WHERE id = ?").bind(id).execute(&mut *transaction).await?;
        preferences::moved(&mut transaction).await?;
        transaction.commit().await?;
        Ok(self.undo.push(1, Undo::DeletedFolder { folder, preferences, keep, feeds, folders, rules }))
    }

    pub(crate) async fn restore_folder(
        &self,
        folder: &FolderRow,
        (preferences, keep): (Preferences, Option<Keep>),
        feeds: &[i64],
        folders: &[i64],
        rules: &[i64],
    ) -> Result<(), LibraryError> {
        let json = |ids: &[i64]| serde_json::to_string(ids).unwrap_or_default();
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        if let Some(parent) = folder.parent_id {
            let sql = "SELECT id FROM folders WHERE id = ?";
            let there: Option<i64> = sqlx::query_scalar(sql).bind(parent).fetch_optional(&mut *transaction).await?;
            there.ok_or(LibraryError::NotFound("folder"))?;
        }
        let id = match find(&mut transaction, folder.parent_id, &folder.name).await? {
            Some(id) => id,
            // Under its own number, so that other steps that speak of it can be taken back too.
            None => make(&mut transaction, folder.id, folder.parent_id, &folder.name).await?,
        };
        if keep.is_some() {
            retention::say(&mut transaction, FeedScope::Folder(id), keep).await?;
        }
        // One of that name that was made since keeps what is said of it.
        let said = preferences::of_folder(&mut transaction, id).await?.or(preferences);
        preferences::say(&mut transaction, FeedScope::Folder(id), said).await?;
        sqlx::query("UPDATE folders SET open = ?, position = ? WHERE id = ?")
            .bind(folder.open)
            .bind(folder.position)
            .bind(id)
            .execute(&mut *transaction)
            .await?;
        for (sql, ids) in [
            ("UPDATE feeds SET folder_id = ?1 WHERE id IN (SELECT value FROM json_each(?2))", feeds),
            // One that this one lies in by now stays where it is.
            (
                "WITH RECURSIVE above (id) AS (SELECT ?1 UNION SELECT f.parent_id FROM folders f JOIN above a ON f.id = a.id)
                 UPDATE folders SET parent_id = ?1 WHERE id IN (SELECT value FROM json_each(?2)) AND id NOT IN (SELECT id FROM above WHERE id IS NOT NULL)",
                folders,
            ),
        ] {
            sqlx::query(sql).bind(id).bind(json(ids)).execute(&mut *transaction).await?;
        }
        rules::enter_folder(&mut transaction, id, rules).await?;
        preferences::moved(&mut transaction).await?;
        Ok(transaction.commit().await?)
    }
}

fn valid_name(name: &str) -> Result<&str, LibraryError> {
    let name = name.trim();
    if name.is_empty() {
        return Err(LibraryError::Invalid("a folder needs a name".to_owned()));
    }
    Ok(name)
}

/// The folder of that name in that place, made where there is none; and whether it was made.
pub(crate) async fn ensure(
    connection: &mut SqliteConnection,
    parent: Option<i64>,
    name: &str,
) -> sqlx::Result<(i64, bool)> {
    if let Some(id) = find(connection, parent, name).await? {
        return Ok((id, false));
    }
    let id = numbers::next(connection, Numbered::Folders).await?;
    Ok((make(connection, id, parent, name).await?, true))
}

async fn find(connection: &mut SqliteConnection, parent: Option<i64>, name: &str) -> sqlx::Result<Option<i64>> {
    sqlx::query_scalar(
        "SELECT id FROM folders WHERE account_id = ?1 AND ifnull(parent_id, 0) = ifnull(?2, 0) AND name = ?3",
    )
    .bind(LOCAL_ACCOUNT)
    .bind(parent)
    .bind(name)
    .fetch_optional(connection)
    .await
}

async fn make(connection: &mut SqliteConnection, id: i64, parent: Option<i64>, name: &str) -> sqlx::Result<i64> {
    sqlx::query(
        "INSERT INTO folders (id, account_id, parent_id, name, position)
         VALUES (?, ?, ?, ?, (SELECT ifnull(max(position), 0) + 1 FROM folders))",
    )
    .bind(id)
    .bind(LOCAL_ACCOUNT)
    .bind(parent)
    .bind(name)
    .execute(connection)
    .await?;
    Ok(id)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Rearrangement;

    #[tokio::test]
    async fn folders_come_back_one_in_the_other_and_in_no_ring() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let outer = library.create_folder("Outer", None).await.unwrap();
        let middle = library.create_folder("Middle", Some(outer)).await.unwrap();
        let inner = library.create_folder("Inner", Some(middle)).await.unwrap();
        let before = library.folders().await.unwrap();
        let one = library.delete_folder(inner).await.unwrap();
        let other = library.delete_folder(middle).await.unwrap();
        assert!(matches!(library.undo(one.step).await, Err(LibraryError::NotFound("folder"))));
        library.undo(other.step).await.unwrap();
        library.undo(one.step).await.unwrap();
        assert_eq!(library.folders().await.unwrap(), before);

        // What was in it is around it by now.
        let step = library.delete_folder(middle).await.unwrap();
        let wish = |folder, parent| Rearrangement { folders: vec![folder], parent, ..Rearrangement::default() };
        library.arrange(&wish(inner, None)).await.unwrap();
        library.arrange(&wish(outer, Some(inner))).await.unwrap();
        library.undo(step.step).await.unwrap();
        let parents = library.folders().await.unwrap().into_iter().map(|folder| (folder.id, folder.parent_id));
        assert_eq!(parents.collect::<Vec<_>>(), [(inner, None), (outer, Some(inner)), (middle, Some(outer))]);
    }
}
