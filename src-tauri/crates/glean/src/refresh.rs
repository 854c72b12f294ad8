//! `glean refresh`: checks feeds for new articles.

use crate::{
    args::Refresh,
    commands::{Failure, OTHER_PROCESS, cancel_on_ctrl_c},
    messages::message,
    output::count,
};
use chrono::{DateTime, Local};
use gleaner_app::App;
use gleaner_library::Library;
use gleaner_polling::{FeedError, Scope, Summary};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::process::ExitCode;

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
    /// Number of skipped feeds whose servers did not respond to requests for others.
    silent: usize,
    items_new: usize,
    items_changed: usize,
    bytes: u64,
    seconds: f64,
    cancelled: bool,
}

pub async fn run(app: &App, library: &Library, args: Refresh) -> Result<ExitCode, Failure> {
    cancel_on_ctrl_c(app);
    let bar = if args.json { ProgressBar::hidden() } else { ProgressBar::new(0) };
    bar.set_style(ProgressStyle::with_template("{bar:30} {pos} of {len} feeds, {msg}")?);
    let scope = if args.all { Scope::All } else { Scope::Due };
    let summary = gleaner_app::poll(app, scope, |progress| {
        bar.set_length(progress.total as u64);
        bar.set_position(progress.done as u64);
        bar.set_message(format!("{} new, {} failed", progress.new, progress.failed));
    })
    .await;
    bar.finish_and_clear();
    let summary = summary?;
    if summary.other_process {
        return Err(OTHER_PROCESS.into());
    }
    if args.json {
        println!("{}", serde_json::to_string(&report(&summary))?);
    } else {
        print_summary(&summary);
    }
    let (indexed, cleaned_up) = gleaner_app::finish_refresh(app, &summary).await;
    if let Err(error) = indexed {
        eprintln!("glean: couldn't update the search index: {}", message(error));
    }
    if let Err(error) = cleaned_up {
        eprintln!("glean: couldn't delete expired articles: {}", message(error));
    }
    for (title, error) in feed_errors(library).await? {
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
        silent: summary.silent,
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
        summary.skipped - summary.limited - summary.silent
    );
    if let Some(until) = summary.limited_until.and_then(DateTime::from_timestamp_millis) {
        println!(
            "{} skipped, refreshed too often just now; available again from {}.",
            count(summary.limited, "feed"),
            until.with_timezone(&Local).format("%H:%M")
        );
    }
    if summary.silent > 0 {
        println!("{} skipped, since their servers don't respond.", count(summary.silent, "feed"));
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
        let error = FeedError::stored(poll.failure.error_code.as_deref(), &poll.failure.error_parameters)?;
        let feed = feeds.iter().find(|feed| feed.id == poll.feed_id)?;
        Some((feed.shown_title(), message(error)))
    });
    Ok(errors.collect())
}
