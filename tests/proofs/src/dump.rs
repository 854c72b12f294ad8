//! Returns the contents of a library as text: equal libraries have equal text.

use sqlx::{
    Column as _, ConnectOptions as _, Connection as _, Row as _, SqliteConnection, TypeInfo as _, ValueRef as _,
    sqlite::SqliteConnectOptions,
};
use std::{collections::BTreeMap, path::Path};

/// Opens a separate connection to the library in a folder.
///
/// # Errors
/// Returns SQLite's error.
pub async fn connect(folder: &Path) -> sqlx::Result<SqliteConnection> {
    SqliteConnectOptions::new()
        .filename(folder.join("library.sqlite"))
        .busy_timeout(std::time::Duration::from_secs(15))
        .disable_statement_logging()
        .connect()
        .await
}

/// Returns the tables and their columns, without those of indexes.
pub async fn tables(connection: &mut SqliteConnection) -> BTreeMap<String, Vec<String>> {
    let names: Vec<String> = sqlx::query_scalar(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> '_sqlx_migrations'",
    )
    .fetch_all(&mut *connection)
    .await
    .unwrap();
    let mut tables = BTreeMap::new();
    for name in names {
        let columns =
            sqlx::query_scalar("SELECT name FROM pragma_table_info(?)").bind(&name).fetch_all(&mut *connection);
        tables.insert(name.clone(), columns.await.unwrap());
    }
    tables
}

/// Returns the rows of a table as text, sorted.
pub async fn rows(connection: &mut SqliteConnection, table: &str, columns: &[String]) -> Vec<String> {
    let sql = format!("SELECT {} FROM {table}", columns.join(", "));
    let found = sqlx::query(sqlx::AssertSqlSafe(sql)).fetch_all(connection).await.unwrap();
    let mut rows: Vec<String> = found
        .iter()
        .map(|row| {
            let values = row.columns().iter().map(|column| {
                let value = row.try_get_raw(column.ordinal()).unwrap();
                let kind = value.type_info().name().to_owned();
                let said = match kind.as_str() {
                    _ if value.is_null() => "NULL".to_owned(),
                    "INTEGER" => row.get_unchecked::<i64, _>(column.ordinal()).to_string(),
                    "REAL" => row.get_unchecked::<f64, _>(column.ordinal()).to_string(),
                    "TEXT" => format!("{:?}", row.get_unchecked::<String, _>(column.ordinal())),
                    _ => format!("{:02x?}", row.get_unchecked::<Vec<u8>, _>(column.ordinal())),
                };
                format!("{}={said}", column.name())
            });
            values.collect::<Vec<_>>().join(" ")
        })
        .collect();
    rows.sort();
    rows
}

/// Returns all rows of all tables, and the results of the search index.
pub async fn everything(folder: &Path) -> BTreeMap<String, Vec<String>> {
    let mut connection = connect(folder).await.unwrap();
    let mut found = BTreeMap::new();
    for (table, columns) in tables(&mut connection).await {
        found.insert(table.clone(), rows(&mut connection, &table, &columns).await);
    }
    let indexed = sqlx::query_scalar::<_, i64>("SELECT rowid FROM search WHERE search MATCH 'word' ORDER BY rowid");
    let indexed = indexed.fetch_all(&mut connection).await.unwrap();
    found.insert("search".to_owned(), indexed.iter().map(ToString::to_string).collect());
    connection.close().await.unwrap();
    found
}

/// Returns the contents that users see, without ids and times, so that they do not depend on the order of changes.
pub async fn seen(folder: &Path) -> BTreeMap<String, Vec<String>> {
    let mut connection = connect(folder).await.unwrap();
    let mut found = BTreeMap::new();
    for (what, sql) in [
        ("feeds", "SELECT url || ' ' || ifnull(d.name, '-') || ' ' || (unsubscribed_at IS NOT NULL) FROM feeds f LEFT JOIN folders d ON d.id = f.folder_id"),
        ("folders", "SELECT f.name || ' in ' || ifnull(p.name, '-') FROM folders f LEFT JOIN folders p ON p.id = f.parent_id"),
        (
            "items",
            "SELECT f.url || ' ' || i.key || ' ' || i.title || ' ' || ifnull(s.read || s.starred || s.hidden || s.kept, 'held')
             FROM items i JOIN feeds f ON f.id = i.feed_id LEFT JOIN states s ON s.item_id = i.id",
        ),
        ("texts", "SELECT i.key || ' ' || length(b.content) FROM items i JOIN bodies b ON b.item_id = i.id"),
        ("versions", "SELECT i.key || ' ' || v.title FROM versions v JOIN items i ON i.id = v.item_id"),
        ("tags", "SELECT t.name || ' ' || ifnull(i.title, '-') FROM tags t LEFT JOIN item_tags m ON m.tag_id = t.id LEFT JOIN items i ON i.id = m.item_id"),
        ("counts", "SELECT f.url || ' ' || items || ' ' || unread || ' ' || starred FROM counts c JOIN feeds f ON f.id = c.feed_id"),
        ("search", "SELECT i.title FROM search JOIN search_docs d ON d.docid = search.rowid JOIN items i ON i.id = d.item_id WHERE search MATCH 'word'"),
    ] {
        let mut rows: Vec<String> = sqlx::query_scalar(sql).fetch_all(&mut connection).await.unwrap();
        rows.sort();
        found.insert(what.to_owned(), rows);
    }
    connection.close().await.unwrap();
    found
}
