//! Recovers the readable data of a damaged library.

use crate::{
    Backup, Library, LibraryError, backup,
    check::{Check, Fault},
    file_header::check_header,
    files::{DATABASE, copy_private, write_error},
    replacement::{NewFolder, is_empty, lock_exclusively, replace_library},
};
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection, sqlite::SqliteConnectOptions};
use std::{
    collections::VecDeque,
    io,
    path::{Path, PathBuf},
};

mod first_page;
mod inner_pages;
mod pages;
mod schema;

/// Tables that are derived from others.
const DERIVED: [&str; 6] = ["categories", "counts", "search_common", "search_docs", "search_queue", "_sqlx_migrations"];

/// Maximum number of unreadable ranges of a table before no smaller ones are tried.
const MAX_FAILURES: u32 = 4096;

/// The result of a recovery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recovered {
    /// Number of subscribed feeds.
    pub feeds: i64,
    /// Number of articles.
    pub articles: i64,
    /// Tables with unreadable ranges, and their number; lost texts of articles; notes on lost articles.
    pub lost: Vec<(String, i64)>,
    /// The backup that filled the gaps.
    pub filled_from: Option<Backup>,
    /// Where the damaged library is now.
    pub aside: PathBuf,
}

/// Creates a new library from the readable data of the one in `folder`, completed from the newest backup.
///
/// # Errors
/// [`LibraryError::Locked`] while a process has it open; [`LibraryError::Newer`]; and when the new one cannot be written. Then nothing was
/// changed.
pub async fn recover(folder: &Path) -> Result<Recovered, LibraryError> {
    let _alone = lock_exclusively(folder)?;
    // Data that only a newer Gleaner knows would be missing from the new library.
    if let Err(newer @ LibraryError::Newer { .. }) = check_header(folder, &folder.join(DATABASE)) {
        return Err(newer);
    }
    let new_folder = NewFolder::create(folder)?;
    // Opening may write, so a copy is read.
    let copy = new_folder.join("damaged.sqlite");
    for (from, to) in [("library.sqlite", "damaged.sqlite"), ("library.sqlite-wal", "damaged.sqlite-wal")] {
        match copy_private(&folder.join(from), &new_folder.join(to)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(write_error(&new_folder, &error)),
            _ => {}
        }
    }
    let library = Box::pin(Library::open(&new_folder)).await?;
    // The settings of a new library would hide those of the other, and those of the backup are older.
    let settings = take_settings(&library).await?;
    let mut lost = Vec::new();
    if !is_empty(&copy) {
        lost = schema::repair(&new_folder, &copy).await.map_err(|error| write_error(&new_folder, &error))?;
        let unreadable = inner_pages::rebuild(&copy).map_err(|error| write_error(&new_folder, &error))?;
        if unreadable > 0 {
            lost.push((DATABASE.to_owned(), unreadable.try_into().unwrap_or(i64::MAX)));
        }
    }
    lost.extend(salvage(&new_folder, &copy).await);
    // One damaged text would end an export of all articles.
    let damaged = Check::new(&library.db).delete_damaged_texts().await?;
    // A full disk may have emptied the newest backup as well.
    let mut backups = backup::backups(folder).into_iter().filter(|backup| backup.bytes > 0);
    let filled_from = if lost.is_empty() && damaged == 0 { None } else { backups.next() };
    if let Some(backup) = &filled_from {
        let file = new_folder.join("backup.sqlite");
        copy_private(&backup.path, &file).map_err(|error| write_error(&new_folder, &error))?;
        lost.extend(salvage(&new_folder, &file).await);
    }
    add_settings(&library, settings).await?;
    // They are deleted with their articles.
    let notes: i64 = sqlx::query_scalar("SELECT count(*) FROM notes WHERE item_id NOT IN (SELECT id FROM items)")
        .fetch_one(&library.db.readers)
        .await?;
    if notes > 0 {
        lost.push(("notes".to_owned(), notes));
    }
    // The image files stay in the folder of the library.
    let verified = Check::new(&library.db).run(true, false).await?;
    let texts = [Fault::MissingTexts, Fault::UnreadableTexts];
    let texts = verified.findings.iter().filter(|found| texts.contains(&found.fault)).map(|found| found.count).sum();
    if texts > 0 {
        lost.push(("texts".to_owned(), texts));
    }
    let (feeds, articles) = sqlx::query_as(
        "SELECT (SELECT count(*) FROM feeds WHERE unsubscribed_at IS NULL AND local = 0), (SELECT count(*) FROM items)",
    )
    .fetch_one(&library.db.readers)
    .await?;
    library.close().await?;
    let aside = replace_library(folder, new_folder).await?;
    Ok(Recovered { feeds, articles, lost, filled_from, aside })
}

/// Removes and returns the settings that a new library has.
async fn take_settings(library: &Library) -> Result<Vec<(String, String)>, LibraryError> {
    let mut writer = library.db.writer().await;
    Ok(sqlx::query_as("DELETE FROM settings RETURNING key, value").fetch_all(writer.connection()).await?)
}

/// Adds settings that are missing.
async fn add_settings(library: &Library, settings: Vec<(String, String)>) -> Result<(), LibraryError> {
    for (key, value) in settings {
        let sql = "INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING";
        library.db.execute(sqlx::query(sql).bind(key).bind(value)).await?;
    }
    Ok(())
}

/// Copies the readable data of a file into the new library. Returns the tables with unreadable ranges.
async fn salvage(new_folder: &Path, from: &Path) -> Vec<(String, i64)> {
    let mut lost = Vec::new();
    if is_empty(from) {
        // A crash or a full disk left an empty file.
        return vec![(DATABASE.to_owned(), 1)];
    }
    match tables(new_folder, from).await {
        Ok((mut connection, tables)) => {
            if tables.is_empty() {
                lost.push((DATABASE.to_owned(), 1));
            }
            // Where the last row of a table is unreadable, the highest id of all tables is the limit.
            let mut last = None;
            for table in &tables {
                last = last.max(table.end("max", &mut connection).await);
            }
            for table in tables {
                let mut pieces = table.copy(&mut connection, last.unwrap_or(1 << 24)).await;
                if pieces == 0 && !table.is_whole(&mut connection).await {
                    pieces = 1;
                }
                if pieces > 0 {
                    lost.push((table.name, pieces));
                }
            }
            if let Err(error) = connection.close().await {
                lost.push((error.to_string(), 1));
            }
        }
        Err(error) => lost.push((error.to_string(), 1)),
    }
    lost
}

/// A table that both files have.
struct Table {
    name: String,
    columns: String,
    /// Column that its rows are found by.
    key: Option<String>,
}

/// Opens the new library, and attaches the other file as `old`.
async fn open_both(new_folder: &Path, from: &Path) -> Result<SqliteConnection, sqlx::Error> {
    let options = SqliteConnectOptions::new()
        .filename(new_folder.join(DATABASE))
        .foreign_keys(false)
        // With it, SQLite reads files whose end is missing, and the rest of a damaged schema.
        .pragma("writable_schema", "on");
    let mut connection = options.disable_statement_logging().connect().await?;
    sqlx::query("ATTACH ? AS old").bind(from.to_string_lossy()).execute(&mut connection).await?;
    Ok(connection)
}

/// Opens both files, and returns the tables that both have.
async fn tables(new_folder: &Path, from: &Path) -> Result<(SqliteConnection, Vec<Table>), sqlx::Error> {
    let mut connection = open_both(new_folder, from).await?;
    // Virtual tables and their shadow tables are rebuilt. Only the new library's tables are listed: to list those of the other file, SQLite would
    // prepare a statement on its views once for each table.
    let listed: Vec<(String, String, String)> =
        sqlx::query_as("PRAGMA main.table_list").fetch_all(&mut connection).await?;
    let mut tables = Vec::new();
    for (_, name, kind) in listed {
        if kind != "table" || name.starts_with("sqlite_") || DERIVED.contains(&name.as_str()) {
            continue;
        }
        let columns: Vec<String> = sqlx::query_scalar(
            "SELECT name FROM pragma_table_info(?1, 'main') WHERE name IN (SELECT name FROM pragma_table_info(?1, 'old'))",
        )
        .bind(&name)
        .fetch_all(&mut connection)
        .await?;
        if columns.is_empty() {
            continue;
        }
        let key = sqlx::query_scalar("SELECT name FROM pragma_table_info(?, 'main') WHERE pk = 1 AND type = 'INTEGER'")
            .bind(&name)
            .fetch_optional(&mut connection)
            .await?;
        tables.push(Table { name, columns: columns.join(", "), key });
    }
    Ok((connection, tables))
}

impl Table {
    /// Copies its rows up to the id `last`, without unreadable ones. Returns the number of unreadable ranges.
    async fn copy(&self, connection: &mut SqliteConnection, last: i64) -> i64 {
        let sql = format!(
            "INSERT OR IGNORE INTO main.{name} ({columns}) SELECT {columns} FROM old.{name}",
            name = self.name,
            columns = self.columns
        );
        let Some(key) = &self.key else {
            let done = sqlx::query(sqlx::AssertSqlSafe(sql)).execute(connection).await;
            return i64::from(done.is_err());
        };
        let sql = format!("{sql} WHERE {key} BETWEEN ? AND ?");
        // Unreadable ranges are halved, large ones first, until single rows are left or too many have failed.
        let (mut pieces, mut failures) = (0, 0);
        // The ends may be wrong: SQLite does not always notice that a page is damaged.
        let first = self.end("min", connection).await.unwrap_or(0).min(1);
        let last = self.end("max", connection).await.unwrap_or(last).max(last);
        let mut ranges = VecDeque::from([(first, last)]);
        while let Some((first, last)) = ranges.pop_front() {
            let part = sqlx::query(sqlx::AssertSqlSafe(sql.clone())).bind(first).bind(last);
            if part.execute(&mut *connection).await.is_ok() {
                continue;
            }
            failures += 1;
            if first >= last || failures > MAX_FAILURES {
                pieces += 1;
                continue;
            }
            let middle = first + (last - first) / 2;
            ranges.extend([(first, middle), (middle + 1, last)]);
        }
        pieces
    }

    /// Whether SQLite finds no fault in its pages. Rows of damaged pages may be missing without an error.
    async fn is_whole(&self, connection: &mut SqliteConnection) -> bool {
        let root = sqlx::query_scalar::<_, i64>("SELECT rootpage FROM old.sqlite_schema WHERE name = ?")
            .bind(&self.name)
            .fetch_one(&mut *connection)
            .await;
        let check = sqlx::AssertSqlSafe(format!("PRAGMA old.quick_check('{}')", self.name));
        let faults = sqlx::query_scalar::<_, String>(check).fetch_all(connection).await;
        let (Ok(root), Ok(faults)) = (root, faults) else { return false };
        // Its indexes are created again.
        let own = format!("Tree {root} ");
        !faults.iter().flat_map(|text| text.lines()).any(|line| line.starts_with(&own))
    }

    /// Returns its first or last id; `None` where it is unreadable, or there is none.
    async fn end(&self, of: &str, connection: &mut SqliteConnection) -> Option<i64> {
        let sql = format!("SELECT ifnull({of}({}), 0) FROM old.{}", self.key.as_ref()?, self.name);
        sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_one(connection).await.ok()
    }
}

#[cfg(test)]
mod tests;
