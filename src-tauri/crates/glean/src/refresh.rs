//! `glean refresh`: polls.

use crate::{args::Refresh, live::Failure};
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

/// So long what came in is put into the search index afterwards: the rest is done by the next search, or by the window.
const INDEXING: Duration = Duration::from_millis(250);
/// Of more articles than this too little would be done in that time.
const WORTH_INDEXING: usize = 1500;

/// `glean refresh --json`: a public contract.
#[derive(Serialize)]
struct Report {
    feeds: usize,
    asked: usize,
    not_modified: usize,
    updated: usize,
    failed: usize,
    skipped: usize,
    /// Those of the skipped that were refreshed by hand too often just now.
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
            // Without a signal to wait for, Ctrl-C simply ends the process: nothing is lost by that either.
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
    if summary.elsewhere {
        return Err("another Gleaner is refreshing this library just now; try again when it is done".into());
    }
    if args.json {
        println!("{}", serde_json::to_string(&report(&summary))?);
    } else {
        print_words(&summary);
    }
    if (1..=WORTH_INDEXING).contains(&(summary.items_new + summary.items_changed)) {
        let began = Instant::now();
        if let Err(error) = gleaner_search::catch_up(&library, |_| began.elapsed() < INDEXING).await {
            eprintln!("glean: the search index could not be brought up to date: {error}");
        }
    }
    // What the reader does not wish to keep goes, as it does where the window polls.
    if !summary.cancelled
        && let Err(error) = library.tidy(now(), || !cancel.is_cancelled(), |_| {}).await
    {
        eprintln!("glean: what is more than is to be kept could not be let go of: {error}");
    }
    for (title, why) in troubles(&library).await? {
        eprintln!("glean: {title}: {why}");
    }
    Ok(if summary.failed > 0 || summary.cancelled { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn report(summary: &Summary) -> Report {
    Report {
        feeds: summary.feeds,
        asked: summary.asked,
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

fn print_words(summary: &Summary) {
    println!(
        "{} of {} feeds asked in {:.1} s: {} articles new, {} changed; {} feeds had nothing new, {} failed, {} were left alone as their servers asked.",
        summary.asked,
        summary.feeds,
        summary.seconds,
        summary.items_new,
        summary.items_changed,
        summary.not_modified,
        summary.failed,
        summary.skipped - summary.limited
    );
    if let Some(until) = summary.limited_until.and_then(DateTime::from_timestamp_millis) {
        println!(
            "{} feeds were refreshed by hand often enough just now; the first may be again at {}.",
            summary.limited,
            until.with_timezone(&Local).format("%H:%M")
        );
    }
    if summary.cancelled {
        println!("Stopped before the end; what came until then is kept.");
    }
}

/// The feeds that are in trouble, by name.
async fn troubles(library: &Library) -> Result<Vec<(String, String)>, Failure> {
    let polls = library.polls().await?;
    let feeds = library.feeds().await?;
    let troubled = polls.into_iter().filter_map(|poll| {
        let why = poll.failure.error_message?;
        let feed = feeds.iter().find(|feed| feed.id == poll.feed_id)?;
        Some((feed.shown_title(), why))
    });
    Ok(troubled.collect())
}
