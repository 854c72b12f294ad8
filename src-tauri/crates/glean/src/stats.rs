//! `glean stats`: numbers of feeds and articles, and the size of the library.

use crate::{
    args::Stats,
    messages::Failure,
    output::{count, size},
};
use gleaner_library::Library;
use serde::Serialize;
use std::process::ExitCode;

/// Output of `glean stats --json`; a public contract.
#[derive(Serialize)]
struct Report {
    library: String,
    feeds: usize,
    folders: usize,
    articles: i64,
    unread: i64,
    starred: i64,
    library_bytes: u64,
    /// Number of articles in the search index.
    indexed: i64,
    /// Number of new or changed articles that are not indexed yet.
    index_waiting: i64,
    /// Number of feeds with an error.
    failing: usize,
    requests: i64,
    not_modified: i64,
    bytes_received: i64,
    /// Bytes not downloaded thanks to "not modified" responses.
    bytes_saved: i64,
}

pub async fn run(library: &Library, args: &Stats) -> Result<ExitCode, Failure> {
    let counts = library.counts().by_feed().await?;
    let polling = library.polls().totals(None).await?;
    let index = library.search_index().state().await?;
    let report = Report {
        library: library.folder().display().to_string(),
        feeds: library.feeds().list().await?.len(),
        folders: library.folders().list().await?.len(),
        articles: counts.iter().map(|feed| feed.items).sum(),
        unread: counts.iter().map(|feed| feed.unread).sum(),
        starred: counts.iter().map(|feed| feed.starred).sum(),
        library_bytes: library.bytes_on_disk(),
        indexed: index.indexed,
        index_waiting: index.waiting,
        failing: library.polls().list().await?.iter().filter(|poll| poll.failure.error_code.is_some()).count(),
        requests: polling.requests,
        not_modified: polling.not_modified,
        bytes_received: polling.bytes,
        bytes_saved: polling.bytes_saved,
    };
    if args.json {
        crate::output::json(&report)?;
    } else {
        println!("Library   {}, {}", report.library, size(report.library_bytes));
        println!("Feeds     {} in {}, {} with errors", report.feeds, count(report.folders, "folder"), report.failing);
        println!("Articles  {}, {} unread, {} starred", report.articles, report.unread, report.starred);
        println!("Search    {} in the index, {} waiting", count(report.indexed, "article"), report.index_waiting);
        println!(
            "Polling   {}, {} not modified, {} received, {} saved",
            count(report.requests, "request"),
            report.not_modified,
            size(report.bytes_received),
            size(report.bytes_saved)
        );
    }
    Ok(ExitCode::SUCCESS)
}
