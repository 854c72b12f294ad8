//! Updates libraries of former schemas, with rows in every table, to the newest: every row remains, counts are right, lists and search
//! work. After a kill during the update, the library is the old one or the new one.
#![allow(clippy::unwrap_used)]

use gleaner_library::{CommonWords, Library, LibraryError, ListQuery, Row, SearchOrder, SearchPage, Source, Undoable};
use sqlx::{
    Column as _, ConnectOptions as _, Connection as _, Row as _, SqliteConnection, ValueRef as _, migrate::Migrator,
    sqlite::SqliteConnectOptions,
};
use std::{collections::BTreeMap, path::Path};

static MIGRATIONS: Migrator = sqlx::migrate!("./migrations");

/// Statements that fill a library of each released schema, after those of the schemas before it.
/// Nothing for those that added no table.
const FILLED: [&str; 23] = [
    include_str!("schema/1.sql"),
    include_str!("schema/2.sql"),
    include_str!("schema/3.sql"),
    include_str!("schema/4.sql"),
    include_str!("schema/5.sql"),
    include_str!("schema/6.sql"),
    include_str!("schema/7.sql"),
    include_str!("schema/8.sql"),
    include_str!("schema/9.sql"),
    include_str!("schema/10.sql"),
    include_str!("schema/11.sql"),
    include_str!("schema/12.sql"),
    include_str!("schema/13.sql"),
    "", // 14
    "", // 15
    "", // 16
    "", // 17
    include_str!("schema/18.sql"),
    include_str!("schema/19.sql"),
    include_str!("schema/21.sql"),
    include_str!("schema/22.sql"),
    include_str!("schema/23.sql"),
    include_str!("schema/25.sql"),
];

/// The schema of version 0.1.0, before names and error codes changed.
const FIRST_RELEASED: usize = 12;

async fn connect(folder: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(folder.join("library.sqlite")).create_if_missing(true);
    options.page_size(8192).disable_statement_logging().connect().await.unwrap()
}

/// Creates a library of a schema, as the Gleaner of its time left it: updated from schema to schema, and filled on the way.
async fn make(folder: &Path, schema: usize) {
    let mut old = connect(folder).await;
    for (filled, newest) in FILLED[..schema].iter().zip(1..) {
        let migrations = MIGRATIONS.migrations[..newest].to_vec();
        let migrator = Migrator { migrations: migrations.into(), ..Migrator::DEFAULT };
        migrator.run_direct(None, &mut old, false).await.unwrap();
        sqlx::raw_sql(*filled).execute(&mut old).await.unwrap();
    }
    sqlx::raw_sql("PRAGMA application_id = 1196183122; PRAGMA journal_mode = WAL").execute(&mut old).await.unwrap();
    old.close().await.unwrap();
}

type Rows = BTreeMap<String, (Vec<String>, Vec<Vec<Vec<u8>>>)>;

/// Returns the rows of all tables by the columns that they have, or that `like` has.
async fn rows(folder: &Path, like: Option<&Rows>) -> Rows {
    let mut connection = connect(folder).await;
    let names: Vec<String> = sqlx::query_scalar(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_%' ESCAPE '\\'",
    )
    .fetch_all(&mut connection)
    .await
    .unwrap();
    let mut found = Rows::new();
    for name in names {
        let columns = match like.map(|like| like.get(&name)) {
            Some(None) => continue,
            Some(Some((columns, _))) => columns.clone(),
            None => {
                let columns = sqlx::query_scalar("SELECT name FROM pragma_table_info(?)").bind(&name);
                columns.fetch_all(&mut connection).await.unwrap()
            }
        };
        let casts: Vec<String> = columns.iter().map(|column| format!("CAST({column} AS BLOB)")).collect();
        let sql = format!("SELECT {} FROM {name} ORDER BY {}", casts.join(", "), columns.join(", "));
        let table = sqlx::query(sqlx::AssertSqlSafe(sql)).fetch_all(&mut connection).await.unwrap();
        let value = |row: &sqlx::sqlite::SqliteRow, at: usize| {
            if row.try_get_raw(at).unwrap().is_null() { b"NULL".to_vec() } else { row.get::<Vec<u8>, _>(at) }
        };
        let row = |row: &sqlx::sqlite::SqliteRow| row.columns().iter().map(|c| value(row, c.ordinal())).collect();
        found.insert(name, (columns, table.iter().map(row).collect()));
    }
    connection.close().await.unwrap();
    found
}

/// Stored names that schemas 15 and 16 changed.
const RENAMED: [(&str, &str); 7] = [
    ("rhythm", "posting_frequency"),
    ("wish", "preference"),
    ("bare", "no_validators"),
    ("broken_answer", "invalid_response"),
    ("asked_to_wait", "retry_after"),
    ("secret", "secret_unreadable"),
    (r#"{"order":"rare_first","group":"none"}"#, r#"{"order":"infrequent_first","group":"none"}"#),
];

/// Checks that each former row still exists.
fn nothing_is_lost(before: &Rows, after: &Rows, what: &str) {
    for (table, (columns, rows)) in before {
        // Derived from others.
        if table == "search_queue" {
            continue;
        }
        let (_, found) = after.get(table).unwrap_or_else(|| panic!("{what}: the table {table} is gone"));
        for row in rows {
            let mut renamed = row.clone();
            if ["polls", "poll_log", "views"].contains(&table.as_str()) {
                for value in &mut renamed {
                    if let Some((_, new)) = RENAMED.iter().find(|(old, _)| old.as_bytes() == value) {
                        *value = new.as_bytes().to_vec();
                    }
                }
            }
            // A killed update leaves the old names.
            let is_there = found.contains(row) || found.contains(&renamed);
            assert!(is_there, "{what}: lost from {table} ({columns:?}): {row:?}");
        }
    }
}

/// Returns all articles of a list, by pages of seven.
async fn listed(library: &Library, source: Source) -> Vec<i64> {
    let mut query = ListQuery::newest(source, 7);
    let mut ids = Vec::new();
    loop {
        let (rows, more) = library.lists().page(query).await.unwrap();
        ids.extend(rows.iter().map(|row| row.id));
        query.after = rows.last().map(Row::cursor);
        if !more {
            return ids;
        }
    }
}

/// Checks that it is intact, and that lists, counts, marks, undo and search work.
async fn works(folder: &Path, schema: usize) {
    let what = format!("schema {schema}");
    let library = Library::open(folder).await.unwrap();
    assert_eq!(library.check(false).await.unwrap().findings, [], "{what}");
    let scheduled = usize::from(schema >= 4);
    assert_eq!(listed(&library, Source::All).await.len(), 108 - scheduled - usize::from(schema >= 2), "{what}");
    assert_eq!(listed(&library, Source::Feed(1)).await.len(), 48, "{what}");
    assert_eq!(listed(&library, Source::Feed(2)).await.len(), 60 - scheduled, "{what}");
    assert_eq!(listed(&library, Source::Folder(1)).await.len(), 108 - scheduled, "{what}");
    let (unread, starred) = (listed(&library, Source::Unread).await, listed(&library, Source::Starred).await);
    let counts = library.counts().by_feed().await.unwrap();
    let sum = |number: fn(&gleaner_library::FeedCount) -> i64| counts.iter().map(number).sum::<i64>();
    let doubles = library.duplicates().count_unread(i64::MIN).await.unwrap();
    assert_eq!(
        (sum(|c| c.unread) - doubles, sum(|c| c.starred)),
        (unread.len() as i64, starred.len() as i64),
        "{what}"
    );

    let Undoable { count, step } = library.articles().mark(&[1], Some(true), Some(true)).await.unwrap();
    assert_eq!(count, 1);
    library.undo(step).await.unwrap();
    assert_eq!(
        library.articles().text(1).await.unwrap().content.unwrap().html,
        "<p>Searched for: needle 1</p>",
        "{what}"
    );
    assert_eq!(library.versions().of_article(1).await.unwrap().len(), if schema >= 2 { 2 } else { 0 }, "{what}");

    loop {
        let articles = library.search_index().pending(None, 50).await.unwrap();
        if articles.is_empty() {
            break;
        }
        let words = |article: &gleaner_library::Unindexed| {
            article.indexed(&article.content.as_ref().unwrap().html, &CommonWords::default())
        };
        library.search_index().add(&articles.iter().map(words).collect::<Vec<_>>()).await.unwrap();
    }
    let query = gleaner_query::parse("needle").unwrap();
    let now = chrono::Local::now();
    let (hits, more) = library.search().find(&query, &now, SearchPage::first(SearchOrder::Date, 500)).await.unwrap();
    assert_eq!((hits.len(), more), (108 - scheduled - usize::from(schema >= 2), false), "{what}");
    assert_eq!(library.check(false).await.unwrap().findings, [], "{what}");
    library.close().await.unwrap();
}

#[tokio::test]
async fn updating_from_former_schemas_loses_nothing() {
    assert!(FILLED.len() < MIGRATIONS.migrations.len(), "the newest one is not released: there is no way from it");
    // Of those between two releases, that with accounts.
    for schema in (1..=FIRST_RELEASED).chain([19, FILLED.len()]) {
        let folder = tempfile::tempdir().unwrap();
        make(folder.path(), schema).await;
        let before = rows(folder.path(), None).await;
        let empty: Vec<_> = before.iter().filter(|(_, (_, rows))| rows.is_empty()).map(|(table, _)| table).collect();
        assert!(empty.is_empty(), "tests/schema/{schema}.sql puts nothing into {empty:?}");
        Library::open(folder.path()).await.unwrap().close().await.unwrap();
        let after = rows(folder.path(), Some(&before)).await;
        nothing_is_lost(&before, &after, &format!("schema {schema}"));
        for (old, _) in RENAMED {
            let values = ["polls", "poll_log", "views"].iter().filter_map(|table| after.get(*table));
            let mut values = values.flat_map(|(_, rows)| rows.iter().flatten());
            assert!(values.all(|value| value != old.as_bytes()), "schema {schema}: {old} is still stored");
        }
        works(folder.path(), schema).await;
    }
}

#[tokio::test]
async fn an_update_keeps_the_number_of_versions_and_the_reasons_of_failed_downloads() {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), FIRST_RELEASED).await;
    let mut old = connect(folder.path()).await;
    let change = "INSERT OR REPLACE INTO settings (key, value) VALUES ('versions_kept', '7');
        UPDATE ahead SET next_at = NULL, error = 'what is there is no web page but a PDF'";
    sqlx::raw_sql(change).execute(&mut old).await.unwrap();
    old.close().await.unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    assert_eq!(library.versions().limit(), Some(7));
    library.close().await.unwrap();
    let mut updated = connect(folder.path()).await;
    let codes: Vec<String> =
        sqlx::query_scalar("SELECT DISTINCT error_code FROM ahead").fetch_all(&mut updated).await.unwrap();
    assert_eq!(codes, ["not_a_page"]);
}

#[tokio::test]
async fn stored_feed_errors_get_the_codes_of_today() {
    for (code, detail, new, parameters) in [
        ("http_status", "404", "http_not_found", r#"{"status":"404"}"#),
        ("http_status", "503", "http_status", r#"{"status":"503"}"#),
        ("timeout", "example.com", "timeout", r#"{"host":"example.com"}"#),
        ("tls", "expired", "tls_failed", "{}"),
        ("secret", "", "secret_unreadable", "{}"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        make(folder.path(), FIRST_RELEASED).await;
        let mut old = connect(folder.path()).await;
        let change = sqlx::query("UPDATE polls SET error_code = ?, error_detail = ?").bind(code).bind(detail);
        assert!(change.execute(&mut old).await.unwrap().rows_affected() > 0);
        old.close().await.unwrap();
        Library::open(folder.path()).await.unwrap().close().await.unwrap();
        let mut updated = connect(folder.path()).await;
        let stored = sqlx::query_as("SELECT DISTINCT error_code, error_parameters FROM polls");
        let stored: Vec<(String, String)> = stored.fetch_all(&mut updated).await.unwrap();
        assert_eq!(stored, [(new.to_owned(), parameters.to_owned())], "{code} {detail}");
    }
}

#[tokio::test]
async fn an_update_indexes_articles_again_that_were_scheduled_and_released() {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), FILLED.len()).await;
    let mut old = connect(folder.path()).await;
    // Article 7 was released a day after the others, article 8 before 1970.
    let release = "UPDATE items SET sort_at = iif(id = 7, 88400001, -1) WHERE id IN (7, 8);
        UPDATE states SET sort_at = iif(item_id = 7, 88400001, -1) WHERE item_id IN (7, 8);
        INSERT INTO search_docs (docid, item_id) SELECT -1, 61;
        INSERT INTO search (rowid, text, title, author, tags, facts) VALUES (-1, 'needle 61', 'uberschrift', 'ann', '', char(57345));
        UPDATE states SET sort_at = -999 WHERE item_id = 61; UPDATE items SET sort_at = -999 WHERE id = 61; DELETE FROM search_queue WHERE item_id IN (7, 8, 61)";
    sqlx::raw_sql(release).execute(&mut old).await.unwrap();
    let read = async |connection: &mut SqliteConnection| -> (Vec<i64>, Vec<i64>) {
        let queued = sqlx::query_scalar("SELECT item_id FROM search_queue").fetch_all(&mut *connection).await;
        let indexed = sqlx::query_scalar("SELECT item_id FROM search_docs").fetch_all(connection).await;
        (queued.unwrap(), indexed.unwrap())
    };
    let (mut queued, mut indexed) = read(&mut old).await;
    old.close().await.unwrap();
    Library::open(folder.path()).await.unwrap().close().await.unwrap();
    queued.extend([7, 8]);
    queued.sort_unstable();
    indexed.retain(|item| ![7, 8].contains(item));
    assert_eq!(read(&mut connect(folder.path()).await).await, (queued, indexed));
    works(folder.path(), FILLED.len()).await;
}

#[tokio::test]
async fn an_update_keeps_the_meaning_of_queries() {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), FILLED.len()).await;
    let mut old = connect(folder.path()).await;
    let change = "UPDATE rules SET query = 'title:DO NOT miss' WHERE id = 1; UPDATE saved_searches SET query = 'NOT (a OR «b c»)'";
    sqlx::raw_sql(change).execute(&mut old).await.unwrap();
    old.close().await.unwrap();
    let queries = async |library: &Library| {
        let rules = library.rules().list().await.unwrap().into_iter().map(|rule| rule.query);
        let searches = library.saved_searches().list().await.unwrap().into_iter().map(|search| search.query);
        rules.chain(searches).collect::<Vec<_>>()
    };
    let library = Library::open(folder.path()).await.unwrap();
    let converted = ["title:DO \"NOT\" miss", "\"NOT\" (a OR (\"«b\" \"c»\"))"];
    assert_eq!(queries(&library).await, converted);
    // What is written now is in the present language.
    library.saved_searches().add("Tea", "tea NOT coffee").await.unwrap();
    library.close().await.unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    assert_eq!(queries(&library).await, [&converted[..], &["tea NOT coffee"]].concat());
    library.close().await.unwrap();
}

/// Not a test of its own: the process that the next test kills.
#[tokio::test]
async fn opener() {
    let Some(folder) = std::env::var_os("SCHEMA_OPENER") else { return };
    Library::open(Path::new(&folder)).await.unwrap().close().await.unwrap();
}

#[tokio::test]
async fn a_killed_update_leaves_the_old_or_the_new_library() {
    let rounds = std::env::var("TORTURE").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(15_u32);
    let opener = |folder: &Path| {
        let mut command = std::process::Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "opener"]).env("SCHEMA_OPENER", folder).stdout(std::process::Stdio::null());
        command.spawn().unwrap()
    };
    let schema = FIRST_RELEASED - 1;
    let origin = tempfile::tempdir().unwrap();
    make(origin.path(), schema).await;
    let before = rows(origin.path(), None).await;
    let trial = || {
        let folder = tempfile::tempdir().unwrap();
        std::fs::copy(origin.path().join("library.sqlite"), folder.path().join("library.sqlite")).unwrap();
        folder
    };
    let (whole, begun) = (trial(), std::time::Instant::now());
    assert!(opener(whole.path()).wait().unwrap().success());
    let long = begun.elapsed();
    for round in 0..rounds {
        let folder = trial();
        let (mut child, begun) = (opener(folder.path()), std::time::Instant::now());
        let until = long.mul_f64((f64::from(round) + 0.5) / f64::from(rounds));
        while begun.elapsed() < until && child.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_micros(200)); // pause: what is sought is what a moment does
        }
        let _ended = child.kill();
        child.wait().unwrap();
        let what = format!("killed after {until:?}");
        nothing_is_lost(&before, &rows(folder.path(), Some(&before)).await, &what);
        works(folder.path(), schema).await;
    }
}

#[tokio::test]
async fn refuses_a_newer_library_whose_version_is_only_in_the_log() {
    let folder = tempfile::tempdir().unwrap();
    make(folder.path(), FILLED.len()).await;
    // The process was killed: the file is still the former one.
    let mut newer = connect(folder.path()).await;
    sqlx::raw_sql("PRAGMA user_version = 900").execute(&mut newer).await.unwrap();
    let copy = tempfile::tempdir().unwrap();
    for name in ["library.sqlite", "library.sqlite-wal"] {
        std::fs::copy(folder.path().join(name), copy.path().join(name)).unwrap();
    }
    newer.close().await.unwrap();
    let before = rows(copy.path(), None).await;
    let error = Library::open(copy.path()).await.unwrap_err();
    assert!(matches!(error, LibraryError::Newer { found: 900, .. }), "{error}");
    assert_eq!(rows(copy.path(), None).await, before);
    assert!(gleaner_library::backups(copy.path()).is_empty());
}
