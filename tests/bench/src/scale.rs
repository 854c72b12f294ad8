//! Large libraries: `gleaner-bench scale [ARTICLES [FOLDER]]` creates a library (of 100,000 articles by
//! default) in 5,000 feeds and measures each function, compared with plain SQLite in the same run. A named folder
//! is kept, and not filled again where it contains a library.

mod corpus;
mod lists;
mod plain;
mod search;
mod work;

use crate::row;
use corpus::Language;
use gleaner_library::Library;
use plain::Plain;
use sqlx::{Connection as _, SqliteConnection, sqlite::SqliteConnectOptions};
use std::{fs, path::Path, sync::Arc, time::Instant};

/// Maximum number of articles for the comparison with FTS5, whose rate falls with its size, as ours does.
const BARE: usize = 100_000;

pub async fn measure(articles: usize, folder: Option<std::path::PathBuf>) {
    let scratch = tempfile::tempdir().unwrap();
    let folder = folder.unwrap_or_else(|| scratch.path().to_owned());
    let library = Arc::new(Library::open(&folder).await.unwrap());
    let language = Language::new();
    let mut plain = Plain::make(&scratch.path().join("plain.sqlite")).await;
    println!("\n{articles} articles\n\n| what | figure |\n|---|---|");
    if library.feeds().list().await.unwrap().is_empty() {
        let filled = corpus::fill(&library, &mut plain, &language, articles).await;
        let a_second = |took: &corpus::Taken| {
            format!(
                "{:.0}/s, {:.0} a second of CPU",
                articles as f64 / took.wall.as_secs_f64(),
                articles as f64 / took.cpu
            )
        };
        row(
            "rows in by store(), 2,000 at once; plain table",
            &format!("{}; {}", a_second(&filled.storing), a_second(&filled.storing_plain)),
        );
        plain.index().await;
        // First the functions that need no index, which takes long.
        lists::ask(&library, &mut plain, articles).await;
        work::open_and_mark(&library, &mut plain, articles).await;
        row("memory of its own after that", &format!("{:.0} MB", own_megabytes()));
        index(&library, &language, articles, scratch.path()).await;
        sizes(&folder, filled.raw, articles).await;
        search::ask(&library, &language, &folder).await;
        println!("\n| what | figure |\n|---|---|");
        pack(&library, articles).await;
        sizes(&folder, filled.raw, articles).await;
    } else {
        search::ask(&library, &language, &folder).await;
        println!("\n| what | figure |\n|---|---|");
    }
    work::wait(&library, &language).await;
    row("memory of its own after all that", &format!("{:.0} MB", own_megabytes()));
}

async fn index(library: &Arc<Library>, language: &Language, articles: usize, scratch: &Path) {
    let (began, before, mut first) = (Instant::now(), cpu(), None);
    let done = gleaner_search::index(library, |done| {
        if done >= articles.min(BARE) && first.is_none() {
            first = Some((done as f64 / began.elapsed().as_secs_f64(), done as f64 / (cpu() - before)));
        }
        true
    });
    let done = done.await.unwrap() as f64;
    let (rate, per_cpu) = (done / began.elapsed().as_secs_f64(), done / (cpu() - before));
    let (first, first_cpu) = first.unwrap_or((rate, per_cpu));
    let (bare, bare_cpu) = plain::fts5(scratch, language, articles.min(BARE), cpu).await;
    row("indexed a second, all of them; a second of CPU", &format!("{rate:.0}; {per_cpu:.0}"));
    row(
        &format!("the first {} of them; bare FTS5", articles.min(BARE)),
        &format!(
            "{first:.0}, {first_cpu:.0} a second of CPU; {bare:.0}, {bare_cpu:.0}; ratio {:.2}, {:.2}",
            first / bare,
            first_cpu / bare_cpu
        ),
    );
    let (began, before) = (Instant::now(), cpu());
    while library.search_index().merge().await.unwrap() {}
    row("merging the index's parts; CPU", &format!("{:.1}; {:.1} s", began.elapsed().as_secs_f64(), cpu() - before));
}

async fn pack(library: &Arc<Library>, articles: usize) {
    let (began, before) = (Instant::now(), cpu());
    gleaner_search::catch_up(library, |_| true).await.unwrap();
    row(
        "packing texts again a second; a second of CPU",
        &format!("{:.0}; {:.0}", articles as f64 / began.elapsed().as_secs_f64(), articles as f64 / (cpu() - before)),
    );
}

async fn sizes(folder: &Path, raw: usize, articles: usize) {
    let mut file = open(folder).await;
    sqlx::raw_sql("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut file).await.unwrap();
    let parts: Vec<(String, i64)> = sqlx::query_as(
        "SELECT CASE WHEN name LIKE 'search%' THEN 'search' ELSE name END AS part, sum(pgsize) AS bytes
         FROM dbstat WHERE aggregate = TRUE GROUP BY part ORDER BY bytes DESC LIMIT 14",
    )
    .fetch_all(&mut file)
    .await
    .unwrap();
    let free: i64 = sqlx::query_scalar("PRAGMA freelist_count").fetch_one(&mut file).await.unwrap();
    let bytes = fs::metadata(folder.join("library.sqlite")).unwrap().len() as f64 - free as f64 * 8192.0;
    row(
        "library : raw text",
        &format!(
            "{:.0} MB : {:.0} MB = {:.2} (and {:.0} MB of free pages)",
            bytes / 1e6,
            raw as f64 / 1e6,
            bytes / raw as f64,
            free as f64 * 8192e-6
        ),
    );
    let parts = parts.iter().map(|(name, bytes)| format!("{name} {:.0}", *bytes as f64 / articles as f64));
    row("bytes an article", &parts.collect::<Vec<_>>().join(", "));
}

async fn open(folder: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(folder.join("library.sqlite")).pragma("mmap_size", "268435456");
    SqliteConnection::connect_with(&options).await.unwrap()
}

/// Returns the processor time of all threads so far, in seconds.
fn cpu() -> f64 {
    crate::process::cpu(std::process::id()).unwrap()
}

/// Without the mapped pages of the file.
fn own_megabytes() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("RssAnon:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<f64>().unwrap() / 1000.0
}

/// Returns the time since a moment, in milliseconds.
fn milliseconds(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1e3
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
