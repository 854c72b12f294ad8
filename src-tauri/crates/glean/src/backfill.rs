//! `glean backfill`: what a feed published before it was subscribed to.

use crate::{args::Backfill, live::Failure, why};
use gleaner_fetch::{Fetcher, Limits};
use gleaner_library::Library;
use gleaner_polling::Poller;
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
    if done.elsewhere {
        return Err("another Gleaner is refreshing this library just now; try again when it is done".into());
    }
    println!("{}: {} older articles from {} pages, marked as read.", feed.shown_title(), done.items, done.pages);
    if done.cancelled {
        println!("Stopped before the end; what came until then is kept.");
    }
    match done.stopped {
        Some(why) => {
            eprintln!("glean: {why}");
            Ok(ExitCode::from(1))
        }
        None => Ok(ExitCode::SUCCESS),
    }
}
