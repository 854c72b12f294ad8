//! Reads a copy of another program's database: the original may be in use, and recovering a log after a crash writes to the database. It
//! may have any version, and be damaged or malicious, so only plain tables are read, and values of any type are accepted.

use super::{Article, ImportError, OtherFile, copy, raw};
use futures::TryStreamExt as _;
use gleaner_feed::Enclosure;
use gleaner_library::{Marks, Millis};
use sqlx::{
    ConnectOptions as _, Row as _, SqliteConnection, ValueRef as _,
    sqlite::{SqliteConnectOptions, SqliteRow},
};
use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet, HashMap},
    io,
    path::Path,
};
use tempfile::TempDir;

/// An open copy of a database.
#[derive(Debug)]
pub(super) struct Database {
    connection: SqliteConnection,
    pub(super) program: &'static str,
    /// Plain tables and their columns, in lower case.
    tables: BTreeMap<String, BTreeSet<String>>,
    _folder: TempDir,
}

/// How to read a program's articles.
#[derive(Debug)]
pub(super) struct Query {
    /// SQL with `rowid` as the first column; `?1` is the last `rowid` read, `?2` the number of rows.
    pub sql: String,
    /// Turns a row into an article; `None` if it has nothing to import.
    pub article: fn(&Cells<'_>, &Query) -> Option<Article>,
    /// Labels of articles from tables without a suitable index.
    pub words: HashMap<String, Vec<String>>,
    /// The `rowid` of the last row read.
    pub last: i64,
}

/// How to recognise a program's database.
pub(super) struct Form {
    pub program: &'static str,
    /// Tables that only this program's database has together.
    pub tables: &'static [&'static str],
    /// Columns that must exist.
    pub needs: &'static [(&'static str, &'static [&'static str])],
}

/// Maximum length of a text, in bytes.
const MAX_TEXT: usize = 16 << 20;
/// Maximum size of the articles in memory, in bytes.
const MAX_BATCH: usize = 32 << 20;
/// Maximum number of feeds.
pub(super) const MAX_FEEDS: usize = 200_000;

/// Opens a copy of a database, if it belongs to one of these programs.
pub(super) async fn connect(path: &Path, forms: &[&Form]) -> Result<Database, ImportError> {
    let owned = path.to_owned();
    let copying = tokio::task::spawn_blocking(move || copy::copy(&owned));
    let (folder, file) = copying.await.map_err(|error| ImportError::unreadable(path)(io::Error::other(error)))??;
    let not_sqlite = |error: sqlx::Error| ImportError::from(OtherFile::DamagedDatabase(error.to_string()));
    let mut connection = SqliteConnectOptions::new()
        .filename(&file)
        .pragma("trusted_schema", "off")
        .pragma("cell_size_check", "on")
        .pragma("query_only", "on")
        .disable_statement_logging()
        .connect()
        .await
        .map_err(not_sqlite)?;
    let columns: Vec<(String, String)> = sqlx::query_as(
        "SELECT lower(l.name), lower(c.name) FROM pragma_table_list l JOIN pragma_table_info(l.name) c
         WHERE l.schema = 'main' AND l.type = 'table' AND substr(l.name, 1, 7) <> 'sqlite_' LIMIT 10000",
    )
    .fetch_all(&mut connection)
    .await
    .map_err(not_sqlite)?;
    let mut tables: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (table, column) in columns {
        tables.entry(table).or_default().insert(column);
    }
    let has = |table: &&str| tables.contains_key(*table);
    let Some(form) = forms.iter().find(|form| form.tables.iter().all(has)) else {
        return Err(someone_elses(&tables).into());
    };
    for (table, columns) in form.needs {
        if let Some(column) = columns.iter().find(|column| !tables.get(*table).is_some_and(|t| t.contains(**column))) {
            let missing = format!("its table {table} has no {column}");
            return Err(ImportError::AnotherForm { program: form.program, missing });
        }
    }
    Ok(Database { connection, program: form.program, tables, _folder: folder })
}

fn someone_elses(tables: &BTreeMap<String, BTreeSet<String>>) -> OtherFile {
    if tables.contains_key("search_docs") && tables.contains_key("states") {
        return OtherFile::Library;
    }
    let some: Vec<&str> = tables.keys().take(5).map(String::as_str).collect();
    OtherFile::UnknownDatabase(some.join(", "))
}

impl Database {
    /// Returns a table's column, or NULL if this version lacks it.
    pub(super) fn column(&self, table: &str, column: &str) -> String {
        if self.has(table, column) { format!("{table}.{column}") } else { "NULL".to_owned() }
    }

    pub(super) fn has(&self, table: &str, column: &str) -> bool {
        self.tables.get(table).is_some_and(|columns| columns.contains(column))
    }

    fn damaged(&self, error: &sqlx::Error) -> ImportError {
        ImportError::Damaged { program: self.program, why: error.to_string() }
    }

    /// Runs a query without parameters and converts each row with `read`.
    pub(super) async fn all<T>(
        &mut self,
        sql: String,
        most: usize,
        mut read: impl FnMut(&Cells<'_>) -> Option<T>,
    ) -> Result<Vec<T>, ImportError> {
        let mut found = Vec::new();
        let program = self.program;
        let failed = |error: sqlx::Error| ImportError::Damaged { program, why: error.to_string() };
        let mut rows = sqlx::query(sqlx::AssertSqlSafe(sql)).fetch(&mut self.connection);
        while let Some(row) = rows.try_next().await.map_err(failed)? {
            if found.len() >= most {
                return Err(ImportError::TooMany { limit: most });
            }
            found.extend(read(&Cells::of(&row)));
        }
        Ok(found)
    }

    /// Runs a query for pairs of owner and word, and groups the words by owner.
    pub(super) async fn words(&mut self, sql: String) -> Result<HashMap<String, Vec<String>>, ImportError> {
        let mut words: HashMap<String, Vec<String>> = HashMap::new();
        for (owner, word) in self.all(sql, 20_000_000, |row| Some((row.text(0)?, row.text(1)?))).await? {
            words.entry(owner).or_default().push(word);
        }
        Ok(words)
    }

    /// Returns the next articles.
    pub(super) async fn articles(&mut self, query: &mut Query, most: usize) -> Result<Vec<Article>, ImportError> {
        let mut articles = Vec::new();
        // Rows without an article are skipped.
        loop {
            let mut bytes = 0;
            let (mut last, mut any) = (query.last, false);
            let mut failure = None;
            {
                let mut rows = sqlx::query(sqlx::AssertSqlSafe(query.sql.clone()))
                    .bind(query.last)
                    .bind(i64::try_from(most).unwrap_or(i64::MAX))
                    .fetch(&mut self.connection);
                loop {
                    match rows.try_next().await {
                        Ok(Some(row)) => {
                            let cells = Cells::of(&row);
                            (last, any) = (cells.number(0).unwrap_or(i64::MAX), true);
                            articles.extend((query.article)(&cells, query));
                            bytes += cells.bytes.get();
                            if bytes > MAX_BATCH {
                                break;
                            }
                        }
                        Ok(None) => break,
                        Err(error) => {
                            failure = Some(error);
                            break;
                        }
                    }
                }
            }
            if any && last <= query.last {
                // Rows whose ids do not increase would be read forever.
                return Err(ImportError::Damaged { program: self.program, why: "its rows have no ids".to_owned() });
            }
            query.last = last;
            match failure {
                // The articles before it are returned first; the next call fails.
                _ if !articles.is_empty() => return Ok(articles),
                Some(error) if !any => return Err(self.damaged(&error)),
                None if !any => return Ok(articles),
                _ => {}
            }
        }
    }
}

/// A row whose values are converted to the required types, since SQLite stores any type in any column.
pub(super) struct Cells<'a> {
    row: &'a SqliteRow,
    /// Size of the texts read, in bytes.
    bytes: Cell<usize>,
}

impl<'a> Cells<'a> {
    fn of(row: &'a SqliteRow) -> Self {
        Self { row, bytes: Cell::new(0) }
    }

    fn is_null(&self, at: usize) -> bool {
        self.row.try_get_raw(at).map_or(true, |value| value.is_null())
    }

    /// Returns text, with invalid UTF-8 replaced; `None` for NULL and for texts that are too long.
    pub(super) fn text(&self, at: usize) -> Option<String> {
        if self.is_null(at) {
            return None;
        }
        // A borrowed value could not be read as a number afterwards.
        let bytes = self.row.try_get_unchecked::<Vec<u8>, _>(at).ok()?;
        self.bytes.set(self.bytes.get() + bytes.len());
        (bytes.len() <= MAX_TEXT).then(|| String::from_utf8_lossy(&bytes).into_owned()).filter(|text| !text.is_empty())
    }

    pub(super) fn number(&self, at: usize) -> Option<i64> {
        if self.is_null(at) { None } else { self.row.try_get_unchecked::<i64, _>(at).ok() }
    }

    pub(super) fn is(&self, at: usize) -> bool {
        self.number(at).is_some_and(|number| number != 0)
    }

    /// Returns seconds since 1970 as milliseconds, with their fraction.
    pub(super) fn seconds(&self, at: usize) -> Option<Millis> {
        if self.is_null(at) {
            return None;
        }
        let seconds = self.row.try_get_unchecked::<f64, _>(at).ok()?;
        (seconds.is_finite() && seconds > 0.0 && seconds < 1e11).then(|| (seconds * 1000.0).round() as Millis)
    }

    /// Reads enclosures that a query joined by U+001F: of each the type, the length and the address, joined by U+001E.
    pub(super) fn enclosures(&self, at: usize) -> Vec<Enclosure> {
        let enclosure = |text: &String| {
            let mut parts = text.splitn(3, '\u{1e}');
            let (mime_type, length, url) = (parts.next()?, parts.next()?, parts.next()?);
            raw::enclosure(Some(url.to_owned()), Some(mime_type.to_owned()), length.parse().ok())
        };
        self.words(at).iter().filter_map(enclosure).collect()
    }

    /// Splits words that a query joined by U+001F.
    pub(super) fn words(&self, at: usize) -> Vec<String> {
        let text = self.text(at).unwrap_or_default();
        text.split('\u{1f}').filter(|word| !word.is_empty()).map(str::to_owned).collect()
    }
}

/// Converts a column that says whether an article was read.
pub(super) fn marks(read: Option<bool>, starred: bool, hidden: bool, tags: Vec<String>) -> Marks {
    Marks { read, starred, hidden, tags }
}

/// Returns the names of the folders around one, outermost first. Cycles end.
pub(super) fn path(folders: &HashMap<String, (Option<String>, String)>, mut at: Option<String>) -> Vec<String> {
    let mut path = Vec::new();
    while let Some((parent, name)) = at.as_deref().and_then(|at| folders.get(at)) {
        if path.len() >= 16 {
            break;
        }
        path.insert(0, name.clone());
        at.clone_from(parent);
    }
    path
}
