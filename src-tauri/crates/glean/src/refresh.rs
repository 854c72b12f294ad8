//! `glean refresh`: checks feeds for new articles.

use crate::{args::Refresh, commands::Failure, output::count};
use chrono::{DateTime, Local};
use gleaner_fetch::{Fetcher, Limits};
use gleaner_library::{Library, now};
use gleaner_polling::{Poller, Scope, Summary};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::{
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};
use tokio_util::sync::CancellationToken;

/// Maximum time for indexing new articles after a refresh; the next search or the window indexes the rest.
const INDEXING: Duration = Duration::from_millis(250);
/// Maximum number of new articles for which that time is useful.
const WORTH_INDEXING: usize = 1500;

/// Output of `glean refresh --json`; a public contract.
#[derive(Serialize)]
struct Report {
    feeds: usize,
    asked: usize,
    not_modified: usize,
    updated: usize,
    failed: usize,
    skipped: usize,
    /// Number of skipped feeds that were refreshed manually too often.
    limited: usize,
    items_new: usize,
    items_changed: usize,
    bytes: u64,
    seconds: f64,
    cancelled: bool,
}

pub async fn run(library: Arc<Library>, args: Refresh) -> Result<ExitCode, Failure> {
    let poller = Poller::new(library.clone(), Fetcher::new(Limits::default())?);
    let cancel = CancellationToken::new();
    tokio::spawn({
        let cancel = cancel.clone();
        async move {
            // Without the handler, Ctrl-C kills the process, which loses no data either.
            if tokio::signal::ctrl_c().await.is_ok() {
                cancel.cancel();
            }
        }
    });
    let bar = if args.json { ProgressBar::hidden() } else { ProgressBar::new(0) };
    bar.set_style(ProgressStyle::with_template("{bar:30} {pos} of {len} feeds, {msg}")?);
    let scope = if args.all { Scope::All } else { Scope::Due };
    let summary = poller
        .refresh(scope, cancel.clone(), |progress| {
            bar.set_length(progress.total as u64);
            bar.set_position(progress.done as u64);
            bar.set_message(format!("{} new, {} failed", progress.new, progress.failed));
        })
        .await;
    bar.finish_and_clear();
    let summary = summary?;
    if summary.other_process {
        return Err("another Gleaner process is refreshing this library; try again when it has finished".into());
    }
    if args.json {
        println!("{}", serde_json::to_string(&report(&summary))?);
    } else {
        print_summary(&summary);
    }
    if (1..=WORTH_INDEXING).contains(&(summary.items_new + summary.items_changed)) {
        let began = Instant::now();
        if let Err(error) = gleaner_search::catch_up(&library, |_| began.elapsed() < INDEXING).await {
            eprintln!("glean: couldn't update the search index: {error}");
        }
    }
    // The window applies the retention policies after a refresh, too.
    if !summary.cancelled
        && let Err(error) = library.retention().clean_up(now(), || !cancel.is_cancelled(), |_| {}).await
    {
        eprintln!("glean: couldn't delete expired articles: {error}");
    }
    for (title, error) in feed_errors(&library).await? {
        eprintln!("glean: {title}: {error}");
    }
    Ok(if summary.failed > 0 || summary.cancelled { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn report(summary: &Summary) -> Report {
    Report {
        feeds: summary.feeds,
        asked: summary.requested,
        not_modified: summary.not_modified,
        updated: summary.updated,
        failed: summary.failed,
        skipped: summary.skipped,
        limited: summary.limited,
        items_new: summary.items_new,
        items_changed: summary.items_changed,
        bytes: summary.bytes,
        seconds: summary.seconds,
        cancelled: summary.cancelled,
    }
}

fn print_summary(summary: &Summary) {
    println!(
        "{} of {} checked in {:.1} s: {}, {} changed; feeds: {} not modified, {} failed, {} skipped at the request of their servers.",
        summary.requested,
        count(summary.feeds, "feed"),
        summary.seconds,
        count(summary.items_new, "new article"),
        summary.items_changed,
        summary.not_modified,
        summary.failed,
        summary.skipped - summary.limited
    );
    if let Some(until) = summary.limited_until.and_then(DateTime::from_timestamp_millis) {
        println!(
            "{} skipped, refreshed too often just now; available again from {}.",
            count(summary.limited, "feed"),
            until.with_timezone(&Local).format("%H:%M")
        );
    }
    if summary.cancelled {
        println!("Cancelled. Articles downloaded so far were kept.");
    }
}

/// Returns the titles and error messages of all feeds with errors.
async fn feed_errors(library: &Library) -> Result<Vec<(String, String)>, Failure> {
    let polls = library.polls().list().await?;
    let feeds = library.feeds().list().await?;
    let errors = polls.into_iter().filter_map(|poll| {
        let error = poll.failure.error_message?;
        let feed = feeds.iter().find(|feed| feed.id == poll.feed_id)?;
        Some((feed.shown_title(), error))
    });
    Ok(errors.collect())
}
