//! The folders that contain the feeds of accounts, and the names that servers have for folders.

use crate::{FolderRow, LibraryError, Refusal, json::json, table::folders};
use sqlx::SqliteConnection;

/// Creates a top-level folder with a name that none has.
pub(crate) async fn create(connection: &mut SqliteConnection, name: &str) -> Result<i64, LibraryError> {
    for number in 1.. {
        let name = if number == 1 { name.to_owned() } else { format!("{name} ({number})") };
        if let (id, true) = folders::ensure(connection, None, &name).await? {
            return Ok(id);
        }
    }
    Err(LibraryError::NotFound("folder"))
}

/// Whether a folder is that of an account.
pub(crate) async fn is_one(connection: &mut SqliteConnection, folder: i64) -> sqlx::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM servers WHERE folder_id = ? AND removed_at IS NULL)";
    sqlx::query_scalar(sql).bind(folder).fetch_one(connection).await
}

/// Returns the folder that contains an account's feeds. It is created again if the user deleted it.
pub(crate) async fn folder(connection: &mut SqliteConnection, account: i64) -> Result<i64, LibraryError> {
    let sql = "SELECT a.name, s.folder_id FROM servers s JOIN accounts a ON a.id = s.account_id WHERE s.account_id = ?";
    let found: Option<(String, Option<i64>)> =
        sqlx::query_as(sql).bind(account).fetch_optional(&mut *connection).await?;
    let (name, folder) = found.ok_or(LibraryError::NotFound("account"))?;
    if let Some(folder) = folder {
        return Ok(folder);
    }
    let folder = create(connection, &name).await?;
    let sql = "UPDATE servers SET folder_id = ?2 WHERE account_id = ?1";
    sqlx::query(sql).bind(account).bind(folder).execute(connection).await?;
    Ok(folder)
}

/// Returns the names that servers give to folders: the innermost name; `None` for an account's own folder.
pub(crate) fn label(folders: &[FolderRow], folder: Option<i64>, own: Option<i64>) -> Option<String> {
    let folder = folder.filter(|folder| Some(*folder) != own)?;
    folders.iter().find(|row| row.id == folder).map(|row| row.name.clone())
}

/// Returns which of these feeds are not in the folders of their account.
pub(crate) async fn misplaced(connection: &mut SqliteConnection, feeds: &[i64]) -> Result<Vec<i64>, LibraryError> {
    let sql = "WITH RECURSIVE above (feed, account, folder) AS (
             SELECT id, account_id, folder_id FROM feeds WHERE id IN (SELECT value FROM json_each(?))
             UNION SELECT a.feed, a.account, f.parent_id FROM folders f JOIN above a ON f.id = a.folder)
         SELECT a.feed FROM above a LEFT JOIN servers s ON s.folder_id = a.folder AND s.removed_at IS NULL
         GROUP BY a.feed, a.account HAVING ifnull(min(s.account_id), 1) <> a.account OR ifnull(max(s.account_id), 1) <> a.account";
    Ok(sqlx::query_scalar(sql).bind(json(&feeds)?).fetch_all(connection).await?)
}

/// Refuses feeds that are not in the folders of their account, except those in `before`, which were not there before either.
pub(crate) async fn check_places(
    connection: &mut SqliteConnection,
    feeds: &[i64],
    before: &[i64],
) -> Result<(), LibraryError> {
    let misplaced = misplaced(connection, feeds).await?;
    match misplaced.iter().all(|feed| before.contains(feed)) {
        true => Ok(()),
        false => Err(LibraryError::from(Refusal::FolderOfOtherAccount)),
    }
}
