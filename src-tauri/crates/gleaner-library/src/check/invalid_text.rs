//! Finds texts that are not UTF-8. SQLite does not notice such damage, but queries for the text fail.

use crate::LibraryError;
use futures::TryStreamExt as _;
use sqlx::{AssertSqlSafe, Row as _, SqliteConnection};

/// Returns the number of texts that are not UTF-8. `repair` replaces what is invalid in them by U+FFFD.
pub(super) async fn check(connection: &mut SqliteConnection, repair: bool) -> Result<i64, LibraryError> {
    let mut found = 0;
    let tables: Vec<(String, String)> = sqlx::query_as(
        "SELECT t.name, group_concat(c.name) FROM pragma_table_list t JOIN pragma_table_info(t.name) c
         WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND c.type = 'TEXT' GROUP BY t.name",
    )
    .fetch_all(&mut *connection)
    .await?;
    for (table, columns) in tables {
        let columns: Vec<&str> = columns.split(',').collect();
        for (column, texts) in columns.iter().zip(invalid(connection, &table, &columns).await?) {
            found += i64::try_from(texts.len()).unwrap_or(i64::MAX);
            if repair && !texts.is_empty() {
                replace(connection, &table, column, texts).await?;
            }
        }
    }
    Ok(found)
}

/// Returns the invalid texts of each column of a table.
async fn invalid(
    connection: &mut SqliteConnection,
    table: &str,
    columns: &[&str],
) -> Result<Vec<Vec<Vec<u8>>>, LibraryError> {
    // Most texts are ASCII and stay in SQLite.
    let is_other = |column: &&str| format!("typeof({column}) = 'text' AND {column} GLOB '*[^ -~]*'");
    let others: Vec<String> = columns.iter().map(is_other).collect();
    let read =
        columns.iter().zip(&others).map(|(name, is_other)| format!("iif({is_other}, CAST({name} AS BLOB), NULL)"));
    let sql = format!("SELECT {} FROM {table} WHERE {}", read.collect::<Vec<_>>().join(", "), others.join(" OR "));
    let mut rows = sqlx::query(AssertSqlSafe(sql)).fetch(connection);
    let mut invalid = vec![Vec::new(); columns.len()];
    while let Some(row) = rows.try_next().await? {
        for (at, found) in invalid.iter_mut().enumerate() {
            found.extend(row.try_get::<Option<Vec<u8>>, _>(at)?.filter(|text| str::from_utf8(text).is_err()));
        }
    }
    Ok(invalid)
}

/// Replaces texts of a column by their readable parts. A text that has to be unique stays as it is if another row has the result.
async fn replace(
    connection: &mut SqliteConnection,
    table: &str,
    column: &str,
    texts: Vec<Vec<u8>>,
) -> Result<(), LibraryError> {
    sqlx::raw_sql("CREATE TEMP TABLE readable (was BLOB PRIMARY KEY, text TEXT NOT NULL)")
        .execute(&mut *connection)
        .await?;
    for was in texts {
        let text = String::from_utf8_lossy(&was).into_owned();
        let sql = "INSERT OR IGNORE INTO readable (was, text) VALUES (?, ?)";
        sqlx::query(sql).bind(was).bind(text).execute(&mut *connection).await?;
    }
    let was = format!("CAST({column} AS BLOB)");
    let sql = format!(
        "UPDATE OR IGNORE {table} SET {column} = (SELECT text FROM readable WHERE was = {was})
         WHERE typeof({column}) = 'text' AND {was} IN (SELECT was FROM readable)"
    );
    let updated = sqlx::query(AssertSqlSafe(sql)).execute(&mut *connection).await;
    sqlx::raw_sql("DROP TABLE readable").execute(connection).await?;
    updated?;
    Ok(())
}
