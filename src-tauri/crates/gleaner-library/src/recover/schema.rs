//! Repairs the schema of a damaged library. If it no longer says where a table is, the table is read from the page that it has in a new
//! library, provided that all tables that can be found are in the same pages as there.

use super::{first_page, open_both};
use crate::{file_header::schema_version, files::DATABASE};
use sqlx::{AssertSqlSafe, Connection as _, SqliteConnection};
use std::{io, path::Path};

/// Repairs the schema of `copy`, a damaged library, if it can't be read. Returns what was damaged.
///
/// # Errors
/// When the copy cannot be written.
pub(super) async fn repair(new_folder: &Path, copy: &Path) -> io::Result<Vec<(String, i64)>> {
    if is_readable(new_folder, copy).await.unwrap_or(false) {
        return Ok(Vec::new());
    }
    let version = schema_version(copy);
    first_page::rebuild(copy)?;
    let mut lost = vec![(DATABASE.to_owned(), 1)];
    if let Err(error) = complete(new_folder, copy, version).await {
        lost.push((error.to_string(), 1));
    }
    Ok(lost)
}

/// Whether all rows of the schema can be read, and SQLite understands them.
async fn is_readable(new_folder: &Path, copy: &Path) -> Result<bool, sqlx::Error> {
    let mut connection = open_both(new_folder, copy).await?;
    let stored: Result<i64, _> = sqlx::query_scalar("SELECT count(*) FROM old.sqlite_schema WHERE type = 'table'")
        .fetch_one(&mut connection)
        .await;
    let known: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM pragma_table_list WHERE schema = 'old' AND type <> 'view' AND name NOT IN ('sqlite_schema', 'sqlite_master')",
    )
    .fetch_one(&mut connection)
    .await?;
    connection.close().await?;
    Ok(stored.is_ok_and(|stored| stored == known && stored > 0))
}

/// Adds tables that the schema has lost, and the definitions of those that it has. `version` is that of the header.
async fn complete(new_folder: &Path, copy: &Path, version: Option<i64>) -> Result<(), sqlx::Error> {
    let mut connection = open_both(new_folder, copy).await?;
    if is_current(&mut connection, version).await? {
        // Restored and recovered libraries have their tables in another order than new ones.
        let restored = new_folder.join("restored.sqlite");
        sqlx::query("VACUUM main INTO ?").bind(restored.to_string_lossy()).execute(&mut connection).await?;
        sqlx::query("ATTACH ? AS restored").bind(restored.to_string_lossy()).execute(&mut connection).await?;
        for like in ["main", "restored"] {
            if complete_like(&mut connection, like).await? {
                break;
            }
        }
    }
    connection.close().await
}

/// Whether the damaged library has the schema of this version. `version` is that of its header, if it can be read.
async fn is_current(connection: &mut SqliteConnection, version: Option<i64>) -> Result<bool, sqlx::Error> {
    let current: i64 = sqlx::query_scalar("PRAGMA main.user_version").fetch_one(&mut *connection).await?;
    if let Some(version) = version {
        return Ok(version == current);
    }
    let sql =
        "SELECT (SELECT max(version) FROM old._sqlx_migrations) = (SELECT max(version) FROM main._sqlx_migrations)";
    Ok(sqlx::query_scalar::<_, bool>(sql).fetch_one(connection).await.unwrap_or(false))
}

/// Completes the schema like that of another database of the connection, if the known tables of both are in the same pages.
async fn complete_like(connection: &mut SqliteConnection, like: &str) -> Result<bool, sqlx::Error> {
    let sql = format!(
        "SELECT count(*), count(*) FILTER (WHERE o.rootpage = n.rootpage)
         FROM old.sqlite_schema o JOIN {like}.sqlite_schema n ON n.name = o.name AND n.type = o.type WHERE n.rootpage > 0"
    );
    let (both, same): (i64, i64) = sqlx::query_as(AssertSqlSafe(sql)).fetch_one(&mut *connection).await?;
    if both == 0 || same < both {
        return Ok(false);
    }
    let sql = format!(
        "UPDATE old.sqlite_schema AS o SET sql = n.sql FROM {like}.sqlite_schema n
             WHERE n.name = o.name AND n.type = 'table' AND o.type = 'table';
         INSERT INTO old.sqlite_schema (type, name, tbl_name, rootpage, sql)
             SELECT type, name, tbl_name, rootpage, sql FROM {like}.sqlite_schema
             WHERE (type = 'table' AND rootpage > 0 AND name NOT LIKE 'sqlite_%' OR type = 'index' AND sql IS NULL)
                 AND name NOT IN (SELECT name FROM old.sqlite_schema) ORDER BY rowid"
    );
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection).await?;
    Ok(true)
}
