//! `glean backfill`: what a feed published before it was subscribed to.

use crate::{args::Backfill, live::Failure, why};
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
        // Without a signal to wait for, Ctrl-C simply ends the process: nothing is lost by that either.
        if tokio::signal::ctrl_c().await.is_ok() {
            stop.cancel();
        }
    });
    let bar = ProgressBar::new_spinner();
    let done = poller
        .backfill(feed.id, args.pages, cancel, |so_far| {
            bar.set_message(format!("{} pages, {} articles", so_far.pages, so_far.items));
            bar.tick();
        })
        .await;
    bar.finish_and_clear();
    let done = done?;
    if done.ended == Some(Ended::Elsewhere) {
        return Err("another Gleaner is refreshing this library just now; try again when it is done".into());
    }
    println!("{}: {} older articles from {} pages, marked as read.", feed.shown_title(), done.items, done.pages);
    let why = match done.ended {
        Some(Ended::Cancelled) => {
            println!("Stopped before the end; what came until then is kept.");
            None
        }
        Some(Ended::NothingOffered) => {
            println!("The feed offers no older articles than those that it holds.");
            None
        }
        Some(Ended::Limit) => Some(format!("the limit of {} pages is reached", args.pages)),
        Some(Ended::Wait(until)) => {
            let until = chrono::DateTime::from_timestamp_millis(until).map(|until| until.to_rfc3339());
            Some(format!("its server wants to be left alone until {}", until.unwrap_or_default()))
        }
        Some(Ended::Failed(why)) => Some(why),
        Some(Ended::Whole | Ended::Elsewhere) | None => None,
    };
    match why {
        Some(why) => {
            eprintln!("glean: {why}");
            Ok(ExitCode::from(1))
        }
        None => Ok(ExitCode::SUCCESS),
    }
}
