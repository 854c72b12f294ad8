//! `glean stats`: what the library holds.

use crate::{args::Stats, live::Failure};
use gleaner_library::Library;
use serde::Serialize;
use std::process::ExitCode;

/// `glean stats --json`: a public contract.
#[derive(Serialize)]
struct Report {
    library: String,
    feeds: usize,
    folders: usize,
    articles: i64,
    unread: i64,
    starred: i64,
    library_bytes: u64,
    /// Articles that can be searched.
    indexed: i64,
    /// Articles that the search index has not seen as they are now.
    index_waiting: i64,
    /// Feeds in trouble.
    failing: usize,
    requests: i64,
    not_modified: i64,
    bytes_received: i64,
    /// Bytes that "not modified" spared.
    bytes_saved: i64,
}

pub async fn run(library: &Library, args: &Stats) -> Result<ExitCode, Failure> {
    let counts = library.feed_counts().await?;
    let polling = library.poll_totals(None).await?;
    let index = library.index_state().await?;
    let report = Report {
        library: library.folder().display().to_string(),
        feeds: library.feeds().await?.len(),
        folders: library.folders().await?.len(),
        articles: counts.iter().map(|feed| feed.items).sum(),
        unread: counts.iter().map(|feed| feed.unread).sum(),
        starred: counts.iter().map(|feed| feed.starred).sum(),
        library_bytes: library.bytes_on_disk(),
        indexed: index.indexed,
        index_waiting: index.waiting,
        failing: library.polls().await?.iter().filter(|poll| poll.failure.error_code.is_some()).count(),
        requests: polling.requests,
        not_modified: polling.not_modified,
        bytes_received: polling.bytes,
        bytes_saved: polling.bytes_saved,
    };
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    } else {
        println!("Library   {}, {:.1} MB", report.library, report.library_bytes as f64 / 1e6);
        println!("Feeds     {} in {} folders, {} in trouble", report.feeds, report.folders, report.failing);
        println!("Articles  {}, {} unread, {} starred", report.articles, report.unread, report.starred);
        println!("Search    {} articles in the index, {} waiting", report.indexed, report.index_waiting);
        println!(
            "Polling   {} requests, {} answered \"not modified\", {:.1} MB received, {:.1} MB spared",
            report.requests,
            report.not_modified,
            report.bytes_received as f64 / 1e6,
            report.bytes_saved as f64 / 1e6
        );
    }
    Ok(ExitCode::SUCCESS)
}
