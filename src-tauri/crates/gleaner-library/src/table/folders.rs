//! `folders`: the tree of folders. Folders with the same name and parent are the same.

use crate::{
    FeedScope, LOCAL_ACCOUNT, LibraryError, Millis, Preferences, Refusal, RetentionPolicy, Undoable,
    database::{Database, repository, undo::UndoStep},
    table::{
        id_sequences::{self, Numbered},
        preferences, retention_policies, rules,
    },
};
use futures::future::BoxFuture;
use sqlx::{SqliteConnection, SqliteExecutor};
use std::collections::{HashMap, HashSet};

/// A folder.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct FolderRow {
    /// Id.
    pub id: i64,
    /// Id of its parent; `None`: at the top level.
    pub parent_id: Option<i64>,
    /// Name as the user or an imported list wrote it.
    pub name: String,
    /// Whether the sidebar shows its contents.
    pub open: bool,
    /// Position among its siblings.
    pub position: i64,
}

/// A folder, the statement's first parameter, and all its subfolders.
pub(crate) const BELOW: &str =
    "WITH RECURSIVE below (id) AS (SELECT ?1 UNION SELECT f.id FROM folders f JOIN below b ON f.parent_id = b.id)";

/// Returns the path of each folder, as queries see it. Parents come before their children.
pub fn folder_paths(folders: &[FolderRow]) -> HashMap<i64, String> {
    let mut paths: HashMap<i64, String> = HashMap::new();
    for folder in folders {
        let above = folder.parent_id.and_then(|parent| paths.get(&parent));
        let path = above.map_or_else(|| folder.name.clone(), |above| format!("{above} / {}", folder.name));
        paths.insert(folder.id, path);
    }
    paths
}

repository!(
    /// The folders of feeds.
    Folders
);

impl Folders<'_> {
    /// Returns all folders, parents before children, siblings in order, without those that are empty since their account was removed.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn list(self) -> Result<Vec<FolderRow>, LibraryError> {
        let hidden = hidden(&mut *self.db.readers.acquire().await?).await?;
        let mut folders: Vec<FolderRow> = sqlx::query_as(
            "WITH RECURSIVE tree (id, parent_id, name, open, position, depth) AS (
                 SELECT id, parent_id, name, open, position, 0 FROM folders WHERE parent_id IS NULL
                 UNION ALL
                 SELECT f.id, f.parent_id, f.name, f.open, f.position, t.depth + 1 FROM folders f JOIN tree t ON f.parent_id = t.id)
             SELECT id, parent_id, name, open, position FROM tree ORDER BY depth, position, id",
        )
        .fetch_all(&self.db.readers)
        .await?;
        folders.retain(|folder| !hidden.contains(&folder.id));
        Ok(folders)
    }

    pub(crate) async fn check_exists(self, id: i64) -> Result<(), LibraryError> {
        let there = existing(&self.db.readers, Some(id)).await?;
        there.map(|_| ()).ok_or(LibraryError::NotFound("folder"))
    }

    /// Creates a folder, or finds the one with that name and parent.
    ///
    /// # Errors
    /// [`LibraryError::Refused`] without a name, [`LibraryError::NotFound`] without that parent.
    pub async fn create(self, name: &str, parent: Option<i64>) -> Result<i64, LibraryError> {
        let name = valid_name(name)?;
        if let Some(parent) = parent {
            self.check_exists(parent).await?;
        }
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let (id, _) = ensure(&mut transaction, parent, name).await?;
        transaction.commit().await?;
        Ok(id)
    }

    /// Renames a folder. If it is the folder of an account, the account is renamed, too.
    ///
    /// # Errors
    /// [`LibraryError::Refused`] when the name is empty, or another folder in the same place has it.
    pub async fn rename(self, id: i64, name: &str) -> Result<Undoable, LibraryError> {
        let before: Option<String> = sqlx::query_scalar("SELECT name FROM folders WHERE id = ?")
            .bind(id)
            .fetch_optional(&self.db.readers)
            .await?;
        let before = before.ok_or(LibraryError::NotFound("folder"))?;
        let sql = "SELECT a.id, a.name FROM servers s JOIN accounts a ON a.id = s.account_id WHERE s.folder_id = ? AND s.removed_at IS NULL";
        let account: Option<(i64, String)> = sqlx::query_as(sql).bind(id).fetch_optional(&self.db.readers).await?;
        rename(self.db, Names { folder: Some((id, before)), account }, name).await
    }

    /// Stores whether the sidebar shows its contents.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`].
    pub async fn set_open(self, id: i64, open: bool) -> Result<(), LibraryError> {
        self.check_exists(id).await?;
        self.db.execute(sqlx::query("UPDATE folders SET open = ?2 WHERE id = ?1").bind(id).bind(open)).await
    }

    /// Deletes a folder and its rules; its feeds and subfolders move one level up.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; [`LibraryError::Refused`] when a subfolder has the name of a folder one level up.
    pub async fn delete(self, id: i64) -> Result<Undoable, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let deleted = delete(&mut transaction, id, self.db.now()).await?;
        transaction.commit().await?;
        Ok(self.db.undo.push(1, deleted))
    }

    async fn restore(self, deleted: &FolderDeleted) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        restore(&mut transaction, deleted, self.db.now()).await?;
        Ok(transaction.commit().await?)
    }
}

/// The names of a folder and of the account whose feeds are in it.
#[derive(Debug)]
pub(crate) struct Names {
    pub folder: Option<(i64, String)>,
    pub account: Option<(i64, String)>,
}

/// Gives a folder and an account a new name. `before`: their ids and present names.
pub(crate) async fn rename(db: &Database, before: Names, name: &str) -> Result<Undoable, LibraryError> {
    let name = valid_name(name)?;
    let renamed = |of: &Option<(i64, String)>| of.as_ref().map(|(id, _)| (*id, name.to_owned()));
    set_names(db, &Names { folder: renamed(&before.folder), account: renamed(&before.account) }).await?;
    Ok(db.undo.push(1, before))
}

async fn set_names(db: &Database, names: &Names) -> Result<(), LibraryError> {
    let mut writer = db.writer().await;
    let mut transaction = writer.begin().await?;
    if let Some((id, name)) = &names.folder {
        let sql = "SELECT parent_id FROM folders WHERE id = ?";
        let there: Option<Option<i64>> = sqlx::query_scalar(sql).bind(id).fetch_optional(&mut *transaction).await?;
        make_way(&mut transaction, there.ok_or(LibraryError::NotFound("folder"))?, name).await?;
        let sql = "UPDATE OR IGNORE folders SET name = ?2 WHERE id = ?1";
        if sqlx::query(sql).bind(id).bind(name).execute(&mut *transaction).await?.rows_affected() == 0 {
            return Err(LibraryError::from(Refusal::FolderNameTaken));
        }
    }
    if let Some((id, name)) = &names.account {
        sqlx::query("UPDATE accounts SET name = ?2 WHERE id = ?1")
            .bind(id)
            .bind(name)
            .execute(&mut *transaction)
            .await?;
    }
    Ok(transaction.commit().await?)
}

impl UndoStep for Names {
    fn undo<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<(), LibraryError>> {
        Box::pin(set_names(db, self))
    }
}

/// A deleted folder with its settings, and what was in it.
#[derive(Debug, Clone)]
pub(crate) struct FolderDeleted {
    folder: FolderRow,
    preferences: Preferences,
    policy: Option<RetentionPolicy>,
    feeds: Vec<i64>,
    folders: Vec<i64>,
    rules: Vec<(i64, Option<Millis>)>,
}

impl FolderDeleted {
    /// Returns the id that the folder had.
    pub(crate) fn id(&self) -> i64 {
        self.folder.id
    }
}

impl UndoStep for FolderDeleted {
    fn undo<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<(), LibraryError>> {
        Box::pin(async move { Folders::new(db).restore(self).await })
    }
}

/// Deletes a folder and its rules; its feeds and subfolders move one level up.
pub(crate) async fn delete(
    connection: &mut SqliteConnection,
    id: i64,
    now: Millis,
) -> Result<FolderDeleted, LibraryError> {
    let folder: FolderRow = sqlx::query_as("SELECT id, parent_id, name, open, position FROM folders WHERE id = ?")
        .bind(id)
        .fetch_optional(&mut *connection)
        .await?
        .ok_or(LibraryError::NotFound("folder"))?;
    let feeds: Vec<i64> = sqlx::query_scalar("UPDATE feeds SET folder_id = ?2 WHERE folder_id = ?1 RETURNING id")
        .bind(id)
        .bind(folder.parent_id)
        .fetch_all(&mut *connection)
        .await?;
    let folders: Vec<i64> =
        sqlx::query_scalar("UPDATE OR IGNORE folders SET parent_id = ?2 WHERE parent_id = ?1 RETURNING id")
            .bind(id)
            .bind(folder.parent_id)
            .fetch_all(&mut *connection)
            .await?;
    let left: i64 = sqlx::query_scalar("SELECT count(*) FROM folders WHERE parent_id = ?")
        .bind(id)
        .fetch_one(&mut *connection)
        .await?;
    if left > 0 {
        return Err(LibraryError::from(Refusal::SubfolderNameTaken));
    }
    let rules = rules::leave_folder(&mut *connection, id, now).await?;
    let policy = retention_policies::of_scope(&mut *connection, FeedScope::Folder(id)).await?;
    let preferences = preferences::of_folder(&mut *connection, id).await?;
    sqlx::query("DELETE FROM folders WHERE id = ?").bind(id).execute(&mut *connection).await?;
    preferences::after_move(&mut *connection, now).await?;
    Ok(FolderDeleted { folder, preferences, policy, feeds, folders, rules })
}

/// Restores a deleted folder with its settings, and moves back what was in it.
pub(crate) async fn restore(
    connection: &mut SqliteConnection,
    deleted: &FolderDeleted,
    now: Millis,
) -> Result<(), LibraryError> {
    let parent = deleted.folder.parent_id;
    if parent.is_some() && first_existing(&mut *connection, parent.as_slice()).await?.is_none() {
        return Err(LibraryError::NotFound("folder"));
    }
    restore_in(connection, deleted, parent, now).await.map(drop)
}

/// Restores a deleted folder in `parent`, which exists. Returns its id.
pub(crate) async fn restore_in(
    connection: &mut SqliteConnection,
    deleted: &FolderDeleted,
    parent: Option<i64>,
    now: Millis,
) -> Result<i64, LibraryError> {
    let FolderDeleted { folder, preferences, policy, feeds, folders, rules } = deleted;
    let (preferences, policy) = (*preferences, *policy);
    let json = |ids: &[i64]| serde_json::to_string(ids).unwrap_or_default();
    make_way(&mut *connection, parent, &folder.name).await?;
    let id = match find(&mut *connection, parent, &folder.name).await? {
        Some(id) => id,
        // With its former id, so that other steps about it can be undone too.
        None => make(&mut *connection, folder.id, parent, &folder.name).await?,
    };
    if policy.is_some() {
        retention_policies::set_in(&mut *connection, FeedScope::Folder(id), policy).await?;
    }
    // A new folder with that name keeps its preferences.
    let preferences = preferences::of_folder(&mut *connection, id).await?.or(preferences);
    preferences::set_in(&mut *connection, FeedScope::Folder(id), preferences).await?;
    sqlx::query("UPDATE folders SET open = ?, position = ? WHERE id = ?")
        .bind(folder.open)
        .bind(folder.position)
        .bind(id)
        .execute(&mut *connection)
        .await?;
    for (sql, ids) in [
        ("UPDATE feeds SET folder_id = ?1 WHERE id IN (SELECT value FROM json_each(?2))", feeds),
        // A folder that now contains this one stays where it is, and so does one whose name is taken here.
        (
            "WITH RECURSIVE above (id) AS (SELECT ?1 UNION SELECT f.parent_id FROM folders f JOIN above a ON f.id = a.id)
             UPDATE OR IGNORE folders SET parent_id = ?1 WHERE id IN (SELECT value FROM json_each(?2)) AND id NOT IN (SELECT id FROM above WHERE id IS NOT NULL)",
            folders,
        ),
    ] {
        sqlx::query(sql).bind(id).bind(json(ids)).execute(&mut *connection).await?;
    }
    rules::enter_folder(&mut *connection, id, rules).await?;
    preferences::after_move(&mut *connection, now).await?;
    Ok(id)
}

/// Returns a folder if it exists.
pub(crate) async fn existing(reader: impl SqliteExecutor<'_>, id: Option<i64>) -> sqlx::Result<Option<i64>> {
    sqlx::query_scalar("SELECT id FROM folders WHERE id = ?").bind(id).fetch_optional(reader).await
}

/// Returns the folders that a folder is in, the nearest first.
pub(crate) async fn ancestors(connection: &mut SqliteConnection, id: i64) -> sqlx::Result<Vec<i64>> {
    let sql = "WITH RECURSIVE above (id, depth) AS (SELECT parent_id, 1 FROM folders WHERE id = ?
            UNION ALL SELECT f.parent_id, a.depth + 1 FROM folders f JOIN above a ON f.id = a.id)
        SELECT id FROM above WHERE id IS NOT NULL ORDER BY depth";
    sqlx::query_scalar(sql).bind(id).fetch_all(connection).await
}

/// Returns the first of these folders that exists.
pub(crate) async fn first_existing(connection: &mut SqliteConnection, ids: &[i64]) -> sqlx::Result<Option<i64>> {
    let sql = "SELECT f.id FROM json_each(?) e JOIN folders f ON f.id = e.value ORDER BY e.key LIMIT 1";
    let json = serde_json::to_string(ids).unwrap_or_default();
    sqlx::query_scalar(sql).bind(json).fetch_optional(connection).await
}

fn valid_name(name: &str) -> Result<&str, LibraryError> {
    let name = name.trim();
    if name.is_empty() {
        return Err(LibraryError::from(Refusal::FolderName));
    }
    Ok(name)
}

/// Tables of a statement: `gone` has the folders of removed accounts, and `used` has those of them that are not empty. The empty ones are
/// hidden as long as the account can be restored.
macro_rules! gone_and_used {
    () => {
        "gone (id) AS (
             SELECT folder_id FROM servers WHERE folder_id IS NOT NULL AND removed_at IS NOT NULL AND kept = 0
             UNION SELECT f.id FROM folders f JOIN gone g ON f.parent_id = g.id),
         used (id) AS (
             SELECT id FROM gone WHERE EXISTS (SELECT 1 FROM feeds WHERE folder_id = gone.id AND unsubscribed_at IS NULL)
                 OR EXISTS (SELECT 1 FROM rules WHERE folder_id = gone.id)
                 OR EXISTS (SELECT 1 FROM servers WHERE folder_id = gone.id AND (removed_at IS NULL OR kept = 1))
             UNION SELECT f.parent_id FROM folders f JOIN used u ON f.id = u.id WHERE f.parent_id IS NOT NULL)"
    };
}
pub(crate) use gone_and_used;

/// Returns the folders of removed accounts that contain no feed.
async fn hidden(connection: &mut SqliteConnection) -> sqlx::Result<HashSet<i64>> {
    let sql =
        concat!("WITH RECURSIVE ", gone_and_used!(), " SELECT id FROM gone WHERE id NOT IN (SELECT id FROM used)");
    Ok(sqlx::query_scalar(sql).fetch_all(connection).await?.into_iter().collect())
}

/// Renames the hidden folder of a removed account that has this name, so that another one can have it.
pub(crate) async fn make_way(connection: &mut SqliteConnection, parent: Option<i64>, name: &str) -> sqlx::Result<()> {
    let Some(id) = find(connection, parent, name).await? else { return Ok(()) };
    let sql = "SELECT EXISTS (SELECT 1 FROM servers WHERE folder_id = ?)";
    let is_an_accounts: bool = sqlx::query_scalar(sql).bind(id).fetch_one(&mut *connection).await?;
    if !is_an_accounts || !hidden(connection).await?.contains(&id) {
        return Ok(());
    }
    let mut number = 2;
    let free = loop {
        let other = format!("{name} ({number})");
        if find(connection, parent, &other).await?.is_none() {
            break other;
        }
        number += 1;
    };
    sqlx::query("UPDATE folders SET name = ?2 WHERE id = ?1").bind(id).bind(free).execute(connection).await?;
    Ok(())
}

/// Deletes the folders of an account that was removed permanently, with their settings, unless they contain feeds or folders or have rules.
pub(crate) async fn delete_removed(
    connection: &mut SqliteConnection,
    account: i64,
    now: Millis,
) -> Result<(), LibraryError> {
    let sql = "WITH RECURSIVE gone (id, depth) AS (
             SELECT folder_id, 0 FROM servers WHERE account_id = ? AND folder_id IS NOT NULL AND kept = 0
             UNION ALL SELECT f.id, g.depth + 1 FROM folders f JOIN gone g ON f.parent_id = g.id WHERE g.depth < 1000)
         SELECT id FROM gone ORDER BY depth";
    let folders: Vec<i64> = sqlx::query_scalar(sql).bind(account).fetch_all(&mut *connection).await?;
    let sql = "UPDATE servers SET folder_id = NULL WHERE account_id = ?";
    sqlx::query(sql).bind(account).execute(&mut *connection).await?;
    delete_empty(connection, folders, false, now).await
}

/// Deletes those of these folders that are empty and have no rules. With `around`, folders with settings stay, and the folders around the
/// deleted ones are deleted, too, if they become empty.
pub(crate) async fn delete_empty(
    connection: &mut SqliteConnection,
    mut folders: Vec<i64>,
    around: bool,
    now: Millis,
) -> Result<(), LibraryError> {
    while let Some(id) = folders.pop() {
        let sql = "SELECT parent_id FROM folders WHERE id = ?1
             AND NOT EXISTS (SELECT 1 FROM feeds WHERE folder_id = ?1 AND unsubscribed_at IS NULL)
             AND NOT EXISTS (SELECT 1 FROM folders f WHERE f.parent_id = ?1)
             AND NOT EXISTS (SELECT 1 FROM servers WHERE folder_id = ?1)
             AND NOT EXISTS (SELECT 1 FROM rules WHERE folder_id = ?1)";
        let empty: Option<Option<i64>> = sqlx::query_scalar(sql).bind(id).fetch_optional(&mut *connection).await?;
        let Some(parent) = empty else { continue };
        if !around
            || preferences::of_folder(&mut *connection, id).await? == Preferences::default()
                && retention_policies::of_scope(&mut *connection, FeedScope::Folder(id)).await?.is_none()
        {
            delete(&mut *connection, id, now).await?;
            folders.extend(parent.filter(|_| around));
        }
    }
    Ok(())
}

/// Returns the folder with that name and parent, and whether it was created because it was missing.
pub(crate) async fn ensure(
    connection: &mut SqliteConnection,
    parent: Option<i64>,
    name: &str,
) -> sqlx::Result<(i64, bool)> {
    make_way(connection, parent, name).await?;
    if let Some(id) = find(connection, parent, name).await? {
        return Ok((id, false));
    }
    let id = id_sequences::next(connection, Numbered::Folders).await?;
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
    use crate::Library;
    use crate::Rearrangement;

    #[tokio::test]
    async fn restores_nested_folders_without_a_ring() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let outer = library.folders().create("Outer", None).await.unwrap();
        let middle = library.folders().create("Middle", Some(outer)).await.unwrap();
        let inner = library.folders().create("Inner", Some(middle)).await.unwrap();
        let before = library.folders().list().await.unwrap();
        let one = library.folders().delete(inner).await.unwrap();
        let other = library.folders().delete(middle).await.unwrap();
        assert!(matches!(library.undo(one.step).await, Err(LibraryError::NotFound("folder"))));
        library.undo(other.step).await.unwrap();
        library.undo(one.step).await.unwrap();
        assert_eq!(library.folders().list().await.unwrap(), before);

        // A folder that was in it contains it by now.
        let step = library.folders().delete(middle).await.unwrap();
        let change = |folder, parent| Rearrangement { folders: vec![folder], parent, ..Rearrangement::default() };
        library.subscriptions().arrange(&change(inner, None)).await.unwrap();
        library.subscriptions().arrange(&change(outer, Some(inner))).await.unwrap();
        library.undo(step.step).await.unwrap();
        let parents = library.folders().list().await.unwrap().into_iter().map(|folder| (folder.id, folder.parent_id));
        assert_eq!(parents.collect::<Vec<_>>(), [(inner, None), (outer, Some(inner)), (middle, Some(outer))]);
    }

    #[tokio::test]
    async fn restores_a_folder_that_was_created_again_with_its_contents() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let outer = library.folders().create("Outer", None).await.unwrap();
        let inner = library.folders().create("Inner", Some(outer)).await.unwrap();
        let step = library.folders().delete(outer).await.unwrap();
        let again = library.folders().create("Outer", None).await.unwrap();
        let other = library.folders().create("Inner", Some(again)).await.unwrap();
        library.undo(step.step).await.unwrap();
        let parents = library.folders().list().await.unwrap().into_iter().map(|folder| (folder.id, folder.parent_id));
        assert_eq!(parents.collect::<Vec<_>>(), [(again, None), (inner, None), (other, Some(again))]);
    }
}
