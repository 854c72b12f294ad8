//! Randomly filled libraries, and their contents read without the archive's code.
#![allow(clippy::unwrap_used, dead_code)]

mod fill;

#[allow(unused_imports)] // Not each test fills a library itself.
pub use fill::{IMAGE, fill};

use gleaner_exchange::archive::{self, ArchiveError, Exported, Imported};
use gleaner_library::Library;
use sqlx::{ConnectOptions as _, Row as _, SqliteConnection, sqlite::SqliteConnectOptions};
use std::{
    io::{Read as _, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
};

/// Tables that an archive contains.
const CONTENT: [&str; 27] = [
    "folders",
    "feeds",
    "items",
    "bodies",
    "enclosures",
    "states",
    "held",
    "stories",
    "tags",
    "item_tags",
    "notes",
    "versions",
    "progress",
    "playback",
    "play_queue",
    "full_texts",
    "transcripts",
    "rules",
    "rule_touches",
    "saved_searches",
    "category_synonyms",
    "retention",
    "opened",
    "tombstones",
    "images",
    "item_images",
    "settings",
];
/// Tables that it does not contain: secrets, data that is downloaded again or derived, and dictionaries, since texts are exported
/// uncompressed.
const OTHER: [&str; 32] = [
    // Accounts belong to one computer, and their servers have the data.
    "accounts",
    "servers",
    "remote_feeds",
    "remote_items",
    "remote_labels",
    "outbox",
    "feed_outbox",
    "server_only_feeds",
    "mark_log",
    "sync_log",
    // Services are logins, as accounts are.
    "share_services",
    "share_queue",
    // Files that can be downloaded again.
    "episodes",
    "numbers",
    "polls",
    "hosts",
    "counts",
    "poll_log",
    // Stored again with the next document.
    "reports",
    "access",
    "secrets_left",
    "search",
    "search_docs",
    "search_queue",
    "ahead",
    "ahead_undecided",
    "categories",
    // Articles pending deletion are exported as tombstones.
    "going",
    "dictionaries",
    // View settings refer to ids of one library.
    "views",
    "_sqlx_migrations",
    "search_%",
];

pub async fn connection(folder: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(folder.join("library.sqlite")).foreign_keys(true);
    options.disable_statement_logging().connect().await.unwrap()
}

/// Returns the contents of a library, with names in place of ids.
pub async fn content(folder: &Path) -> Vec<String> {
    let mut sql = connection(folder).await;
    let tables: Vec<String> =
        sqlx::query_scalar("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'search\\__%' ESCAPE '\\'")
            .fetch_all(&mut sql)
            .await
            .unwrap();
    for table in &tables {
        assert!(
            CONTENT.contains(&table.as_str()) || OTHER.contains(&table.as_str()),
            "say in gleaner-library/src/archive whether {table} goes into an archive"
        );
    }
    let item = |id: &str| {
        format!("(SELECT f.url || ' ' || i.key FROM items i JOIN feeds f ON f.id = i.feed_id WHERE i.id = {id})")
    };
    let mut rows = Vec::new();
    for table in CONTENT {
        let columns: Vec<String> =
            sqlx::query_scalar("SELECT name FROM pragma_table_info(?)").bind(table).fetch_all(&mut sql).await.unwrap();
        let parts: Vec<String> = columns
            .iter()
            // The permission to read a file is not exported.
            .filter(|column| !matches!(column.as_str(), "id" | "picked_file"))
            .map(|column| match column.as_str() {
                "feed_id" => "(SELECT url FROM feeds WHERE id = t.feed_id)".to_owned(),
                "item_id" => item("t.item_id"),
                "story_id" => item("t.story_id"),
                "folder_id" | "parent_id" => format!("(SELECT name FROM folders WHERE id = t.{column})"),
                "tag_id" => "(SELECT key FROM tags WHERE id = t.tag_id)".to_owned(),
                "rule_id" => "(SELECT name || query FROM rules WHERE id = t.rule_id)".to_owned(),
                "scope_id" => "CASE scope WHEN 'feed' THEN (SELECT url FROM feeds WHERE id = scope_id)
                    WHEN 'folder' THEN (SELECT name FROM folders WHERE id = scope_id) ELSE scope_id END"
                    .to_owned(),
                // Removed files leave gaps.
                "position" if table == "play_queue" => {
                    "(SELECT count(*) FROM play_queue p WHERE p.position < t.position)".to_owned()
                }
                column => format!("t.{column}"),
            })
            .map(|part| format!("quote({part})"))
            .collect();
        let own = if table == "settings" {
            "WHERE key NOT IN ('library_id', 'packed_up_to', 'search_drift', 'ahead_seen')"
        } else {
            ""
        };
        let query = format!("SELECT {} AS row FROM {table} t {own}", parts.join(" || '|' || "));
        for row in sqlx::query(sqlx::AssertSqlSafe(query)).fetch_all(&mut sql).await.unwrap() {
            rows.push(format!("{table}: {}", row.get::<String, _>("row")));
        }
    }
    rows.retain(|row| !row.contains("left.example"));
    rows.sort();
    rows
}

/// Returns the columns that have their default value in every row, so that their export is not tested.
pub async fn unfilled_columns(folder: &Path) -> Vec<String> {
    // Not exported: accounts, the bundled feed, icons, errors of images, and the permission to read a file. Versions stored as
    // differences have a separate test.
    const SAME: [&str; 7] = [
        "feeds.account_id",
        "feeds.local",
        "feeds.picked_file",
        "feeds.icon_url",
        "feeds.icon_at",
        "item_images.error",
        "versions.base_at",
    ];
    let mut sql = connection(folder).await;
    let mut same = Vec::new();
    for table in CONTENT {
        let columns: Vec<(String, Option<String>)> =
            sqlx::query_as("SELECT name, dflt_value FROM pragma_table_info(?)")
                .bind(table)
                .fetch_all(&mut sql)
                .await
                .unwrap();
        for (column, default) in columns {
            let name = format!("{table}.{column}");
            let default = default.unwrap_or("NULL".to_owned());
            let query = format!("SELECT count(*) FROM {table} WHERE {column} IS NOT {default}");
            let filled: i64 = sqlx::query_scalar(sqlx::AssertSqlSafe(query)).fetch_one(&mut sql).await.unwrap();
            if filled == 0 && !SAME.contains(&name.as_str()) {
                same.push(name);
            }
        }
    }
    same
}

/// Changes one file of an archive.
pub fn changed(archive: &Path, name: &str, change: impl Fn(Vec<u8>) -> Vec<u8>) {
    let mut from = zip::ZipArchive::new(std::fs::File::open(archive).unwrap()).unwrap();
    let mut to = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let names: Vec<String> = from.file_names().map(|name| name.unwrap().into_owned()).collect();
    for entry in names {
        let mut bytes = Vec::new();
        from.by_name(&entry).unwrap().read_to_end(&mut bytes).unwrap();
        let bytes = if entry == name { change(bytes) } else { bytes };
        to.start_file(entry, zip::write::SimpleFileOptions::default()).unwrap();
        to.write_all(&bytes).unwrap();
    }
    std::fs::write(archive, to.finish().unwrap().into_inner()).unwrap();
}

/// Returns a file of an archive.
pub fn file_of(archive: &Path, name: &str) -> Vec<u8> {
    let mut from = zip::ZipArchive::new(std::fs::File::open(archive).unwrap()).unwrap();
    let mut bytes = Vec::new();
    from.by_name(name).unwrap().read_to_end(&mut bytes).unwrap();
    bytes
}

pub async fn export(library: &Path, file: &Path) -> Exported {
    let library = Arc::new(Library::open(library).await.unwrap());
    archive::export(library, file.to_owned(), |_| true).await.unwrap()
}

pub async fn import(library: &Path, file: &Path) -> Result<Imported, ArchiveError> {
    let library = Arc::new(Library::open(library).await.unwrap());
    let imported = archive::import(library.clone(), file.to_owned(), false, |_| true).await;
    let verified = library.check(false).await.unwrap();
    assert_eq!(verified.findings, []);
    imported
}

/// Creates a library with data of every kind, and its archive.
pub async fn made(seed: u64) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    fill(folder.path(), seed, 5, 40).await;
    let file = folder.path().join("all.zip");
    export(folder.path(), &file).await;
    (folder, file)
}
