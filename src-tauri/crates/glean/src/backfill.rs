//! `glean backfill`: downloads a feed's older articles.

use crate::{args::Backfill, commands::Failure, output::count, why};
use gleaner_fetch::{Fetcher, Limits};
use gleaner_library::Library;
use gleaner_polling::{Ended, Poller};
use indicatif::ProgressBar;
use std::{process::ExitCode, sync::Arc};
use tokio_util::sync::CancellationToken;

pub async fn run(library: Arc<Library>, args: Backfill) -> Result<ExitCode, Failure> {
    let feed = why::find(&library, &args.feed).await?;
    let poller = Poller::new(library, Fetcher::new(Limits::default())?);
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    tokio::spawn(async move {
        // Without the handler, Ctrl-C kills the process, which loses no data either.
        if tokio::signal::ctrl_c().await.is_ok() {
            stop.cancel();
        }
    });
    let bar = ProgressBar::new_spinner();
    let done = poller
        .backfill(feed.id, args.pages, cancel, |so_far| {
            bar.set_message(format!("{}, {}", count(so_far.pages, "page"), count(so_far.items, "article")));
            bar.tick();
        })
        .await;
    bar.finish_and_clear();
    let done = done?;
    if done.ended == Some(Ended::OtherProcess) {
        return Err("another Gleaner process is refreshing this library; try again when it has finished".into());
    }
    println!(
        "{}: {} downloaded from {}, marked as read.",
        feed.shown_title(),
        count(done.items, "older article"),
        count(done.pages, "page")
    );
    let error = match done.ended {
        Some(Ended::Cancelled) => {
            println!("Cancelled. Articles downloaded so far were kept.");
            None
        }
        Some(Ended::NothingOffered) => {
            println!("The feed offers no older articles.");
            None
        }
        Some(Ended::Limit) => Some(format!("the limit of {} pages was reached", args.pages)),
        Some(Ended::RetryAfter(until)) => {
            let until = chrono::DateTime::from_timestamp_millis(until).map(|until| until.to_rfc3339());
            Some(format!("the server asked to wait until {}", until.unwrap_or_default()))
        }
        Some(Ended::Failed(why)) => Some(why),
        Some(Ended::Complete | Ended::OtherProcess) | None => None,
    };
    match error {
        Some(error) => {
            eprintln!("glean: {error}");
            Ok(ExitCode::from(1))
        }
        None => Ok(ExitCode::SUCCESS),
    }
}
