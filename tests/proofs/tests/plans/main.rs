//! Checks that every statement of the library uses an index: none scans a table that grows with the library, such as articles, states or
//! texts, and none sorts a list. The test checks all statements in the library's source and all that `tour` runs, with their triggers, as
//! SQLite plans them without statistics and with those of a large library.
#![allow(clippy::unwrap_used)]

mod media;
mod sharing;
mod source;
mod tour;

use gleaner_library::{Library, ListQuery, Source};
use gleaner_proofs::{dump, statements};
use regex::Regex;
use source::{Written, tidied, written};
use sqlx::{AssertSqlSafe, Connection as _, SqliteConnection};
use std::collections::BTreeSet;

/// Tables that stay small; no statement may scan one of the others.
const SMALL: &[&str] = &[
    "accounts",
    "servers",
    "share_services",
    "play_queue",
    "episodes",
    "remote_feeds",
    "feed_outbox",
    "server_only_feeds",
    "folders",
    "feeds",
    "polls",
    "hosts",
    "settings",
    "counts",
    "access",
    "secrets_left",
    "tags",
    "saved_searches",
    "rules",
    "category_synonyms",
    "retention",
    "dictionaries",
    "search_common",
    "views",
];

/// Files whose purpose is to read everything, with the reason.
const WHOLE: &[(&str, &str)] = &[
    ("check.rs", "a check reads everything, when the user starts it"),
    ("check/invariants.rs", "a check reads everything, when the user starts it"),
    ("recover.rs", "saves all that can be read of a damaged library"),
    ("archive/export.rs", "an archive contains everything"),
    ("archive/records.rs", "an archive contains everything, in the order of ids"),
    ("archive/records/articles.rs", "an archive contains everything, in the order of ids"),
    ("archive/records/marks.rs", "an archive contains everything, in the order of ids"),
    ("archive/records/preferences.rs", "an archive contains everything, in the order of ids"),
    ("archive/import.rs", "imports everything of an archive in batches"),
    ("archive/import/articles.rs", "imports everything of an archive in batches"),
    ("archive/import/playback.rs", "imports everything of an archive in batches"),
];

/// Statements that may scan or sort, by their beginning or a part of them, with the reason.
const ALLOWED: &[(&str, &str)] = &[
    ("held WHERE ?1 = ?1", "shows all scheduled articles at once"),
    (
        "SELECT (SELECT count(*) FROM search_docs), (SELECT count(*) FROM search_queue)",
        "counts for the progress of indexing",
    ),
    ("SELECT EXISTS (SELECT 1 FROM outbox)", "reads one row of each"),
    ("count(*) - count(error_code) AS to_send", "counts the articles that services do not have yet"),
    ("count(*) AS changes FROM outbox", "counts the changes that servers do not have yet"),
    ("FROM poll_log WHERE feed_id = ?", "the last few requests of one feed"),
    ("(SELECT 1 FROM search_docs LIMIT ?)", "checks whether there are a few thousand"),
    ("FROM search_words", "reads all words of the index once, to find the common ones"),
    ("FROM json_each(?1) j CROSS JOIN enclosures e", "the files of the selected articles, in their order"),
    ("bm25(search", "ranks the newest matches, up to the limit"),
    (
        "FROM states s INDEXED BY states_",
        "articles with a rare mark, each looked up and sorted by its row number in the index",
    ),
    ("JOIN states i ON i.item_id = b.item_id WHERE a.item_id = ?1", "the few articles of one duplicate group"),
    (
        "SELECT count(*) AS articles FROM stories s JOIN states t",
        "reads all duplicate groups, which contain few articles",
    ),
    ("SELECT t.id, t.name FROM item_tags m JOIN tags t", "the tags of one article"),
    ("(SELECT DISTINCT item_id FROM notes) n", "all notes, when they are exported"),
    ("count(DISTINCT n.item_id) FROM notes n", "reads the notes on a feed when it is unsubscribed"),
    ("SELECT m.tag_id, count(*) AS items", "counts tagged articles"),
    ("DELETE FROM ahead WHERE wished = 1 AND what = ?1", "downloads of a preference, when it is removed"),
    ("ahead_undecided", "new articles, each read once"),
    ("(SELECT count(*) FROM ahead WHERE next_at IS NOT NULL) AS waiting", "counts for the progress of downloads"),
    (
        "count(DISTINCT t.item_id) FROM playback t INDEXED BY playback_started",
        "counts the started episodes along an index of them alone",
    ),
    (
        "SELECT json_group_array(t.item_id) FROM playback t INDEXED BY playback_started",
        "the started episodes along an index of them alone",
    ),
    ("FROM going", "all articles pending deletion"),
    ("FROM images", "totals of stored images"),
    ("FROM item_images WHERE digest IS NOT NULL", "the images to remove first at the storage limit"),
    ("AS has_images FROM items i", "the beginning of statements that are checked with their conditions"),
    ("OVER (ORDER BY i.sort_at DESC, i.id DESC) AS total", "sums up the articles of one feed"),
    ("SELECT key, name FROM categories", "the names of all categories"),
    ("AS touched FROM rules", "the few rules"),
    ("FROM rule_touches t JOIN rules r ON r.id = t.rule_id WHERE t.item_id = ?", "the rules applied to one article"),
];

/// Statements that are assembled at run time and not run by `tour`, with the test that checks them.
const CHECKED_BY_OTHERS: &[(&str, &str)] = &[
    ("old.sqlite_schema", "the few entries of a damaged schema: the tests of recovering"),
    ("old._sqlx_migrations", "the version of a damaged library: the tests of recovering"),
    ("INTO readable (was, text)", "the few texts that are not UTF-8: the tests of checking"),
    ("FROM readable WHERE was = {was}", "the few texts that are not UTF-8: the tests of checking"),
];

fn reason(list: &[(&'static str, &'static str)], sql: &str) -> Option<&'static str> {
    list.iter().find(|(part, _)| sql.contains(part)).map(|(part, _)| *part)
}

/// The library's tables, with a pattern that finds each in a statement and its alias.
struct Tables(Vec<(String, Regex)>);

impl Tables {
    async fn of(connection: &mut SqliteConnection) -> Self {
        let names = dump::tables(connection).await.into_keys();
        let found = |name: &str| Regex::new(&format!(r"\b{name}\b(?:(?: AS)? (\w+))?")).unwrap();
        Self(names.map(|name| (name.clone(), found(&name))).collect())
    }

    /// Returns the names in a statement of tables that grow with the library.
    fn large(&self, sql: &str) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for (table, regex) in self.0.iter().filter(|(table, _)| !SMALL.contains(&table.as_str())) {
            for found in regex.captures_iter(sql) {
                names.insert(table.clone());
                names.extend(found.get(1).map(|name| name.as_str().to_owned()));
            }
        }
        names
    }
}

/// Returns what is wrong with the plan of a statement.
fn wrong(sql: &str, plan: &[String], tables: &Tables) -> Vec<String> {
    let large = tables.large(sql);
    let is_wrong = |line: &&String| {
        let mut words = line.split(' ');
        let (verb, name) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        if line.starts_with(FOR_EACH_ROW) {
            return sql.starts_with("UPDATE");
        }
        if line.contains("VIRTUAL TABLE") {
            return verb == "SCAN" && name == "search" && line.ends_with(" 0:");
        }
        if line.starts_with("USE TEMP B-TREE FOR") {
            return line.contains("ORDER BY") && !large.is_empty();
        }
        // A page is a short walk along an index. The indexes of `states` contain only articles with the mark.
        let walks = line.contains(" INDEX ") && (sql.contains("LIMIT") || line.contains(" INDEX states_"));
        large.contains(name) && (verb == "SCAN" && !walks || line.contains(" AUTOMATIC "))
    };
    plan.iter().filter(is_wrong).cloned().collect()
}

/// Marks a list (`json_each`) that is read once for each row of a table.
const FOR_EACH_ROW: &str = "FOR EACH ROW: ";

/// Returns the plan of a statement; `None` if the text is only part of a statement.
async fn plan(connection: &mut SqliteConnection, sql: &str) -> Option<Vec<String>> {
    let explained = format!("EXPLAIN QUERY PLAN {sql}");
    let rows: Result<Vec<(i64, i64, i64, String)>, _> =
        sqlx::query_as(AssertSqlSafe(explained)).persistent(false).fetch_all(connection).await;
    let rows = rows.ok()?;
    let is_inner = |at: usize| {
        let outer = |row: &(i64, i64, i64, String)| row.1 == rows[at].1 && row.3.starts_with('S');
        rows[at].3.starts_with("SCAN j VIRTUAL TABLE") && rows[..at].iter().any(outer)
    };
    let line = |at: usize| format!("{}{}", if is_inner(at) { FOR_EACH_ROW } else { "" }, rows[at].3);
    Some((0..rows.len()).map(line).collect())
}

/// Multiplies the statistics of `tour`'s small library to those of a large one.
async fn large(connection: &mut SqliteConnection) {
    sqlx::raw_sql("ANALYZE").execute(&mut *connection).await.unwrap();
    let rows: Vec<(i64, String)> =
        sqlx::query_as("SELECT rowid, stat FROM sqlite_stat1").fetch_all(&mut *connection).await.unwrap();
    for (row, stat) in rows {
        let mut numbers: Vec<String> = stat.split(' ').map(str::to_owned).collect();
        for number in numbers.iter_mut().filter(|number| *number != "1") {
            if let Ok(value) = number.parse::<u64>() {
                *number = (value * 3000).to_string();
            }
        }
        let sql = "UPDATE sqlite_stat1 SET stat = ? WHERE rowid = ?";
        sqlx::query(sql).bind(numbers.join(" ")).bind(row).execute(&mut *connection).await.unwrap();
    }
    sqlx::raw_sql("ANALYZE sqlite_schema").execute(connection).await.unwrap();
}

/// Otherwise each page of a list would take twice as long, and SQLite might run another plan than the one that is checked here.
#[tokio::test]
async fn statements_are_prepared_once_whatever_their_parameters() {
    statements::record();
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    for limit in 1..4 {
        for unread_only in [false, true] {
            let query = ListQuery { unread_only, ..ListQuery::newest(Source::All, limit) };
            library.lists().page(query).await.unwrap();
        }
        library.search_index().pending(None, limit as usize).await.unwrap();
    }
    library.close().await.unwrap();
    let has_limit = |list: BTreeSet<String>| list.into_iter().filter(|sql| sql.contains("LIMIT ?")).collect::<Vec<_>>();
    assert!(has_limit(statements::run()).len() >= 3);
    assert_eq!(has_limit(statements::prepared_again()), Vec::<String>::new());
}

#[tokio::test]
async fn every_statement_has_its_index() {
    statements::record();
    let folder = tempfile::tempdir().unwrap();
    tour::take(folder.path()).await;
    let run: Vec<String> = statements::run().iter().map(|sql| tidied(sql)).collect();
    let written = written();
    let forgotten = |list: &[&Written]| -> Vec<String> {
        list.iter().map(|written| format!("{}: {}", written.file, written.sql)).collect()
    };

    let mut connection = dump::connect(folder.path()).await.unwrap();
    statements::explain_triggers(&mut connection).await;
    let tables = Tables::of(&mut connection).await;
    let migrations: String = sqlx::migrate!("../../src-tauri/crates/gleaner-library/migrations")
        .iter()
        .map(|migration| tidied(migration.sql.as_str()) + " ")
        .collect();
    // SQLite runs a pragma even if it is only explained.
    let ours = |sql: &&String| {
        !sql.starts_with("PRAGMA") && !sql.contains("/*proof*/") && !migrations.contains(sql.trim_end_matches(';'))
    };
    let mut all: BTreeSet<String> = run.iter().filter(ours).cloned().collect();
    let mut not_run = Vec::new();
    for written in written.iter().filter(|written| !run.iter().any(|sql| written.is_in(sql))) {
        if written.is_intact() && plan(&mut connection, &written.sql).await.is_some() {
            all.insert(written.sql.clone());
        } else if reason(CHECKED_BY_OTHERS, &written.sql).is_none()
            && !WHOLE.iter().any(|(file, _)| *file == written.file)
        {
            not_run.push(written);
        }
    }
    assert!(not_run.is_empty(), "tests/plans/tour.rs runs none of these: {:#?}", forgotten(&not_run));

    let whole: Vec<&Written> = written.iter().filter(|w| WHOLE.iter().any(|(file, _)| *file == w.file)).collect();
    let mut used = BTreeSet::new();
    let mut found = BTreeSet::new();
    for statistics in [false, true] {
        if statistics {
            large(&mut connection).await;
        }
        for sql in all.iter().filter(|sql| !whole.iter().any(|written| written.is_in(sql))) {
            let Some(plan) = plan(&mut connection, sql).await else { continue };
            let wrong = wrong(sql, &plan, &tables);
            if wrong.is_empty() {
                continue;
            }
            match reason(ALLOWED, sql) {
                Some(allowed) => drop(used.insert(allowed)),
                None => drop(found.insert(format!("{sql}\n    {}", wrong.join("\n    ")))),
            }
        }
    }
    connection.close().await.unwrap();
    let found: Vec<String> = found.into_iter().collect();
    assert!(found.is_empty(), "{} statements without an index:\n{}", found.len(), found.join("\n"));
    let unused: Vec<_> = ALLOWED.iter().filter(|(part, _)| !used.contains(part)).collect();
    assert!(unused.is_empty(), "these exceptions are no longer needed: {unused:#?}");
    assert!(all.len() > 150, "{} statements", all.len());
}
