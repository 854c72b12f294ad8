//! `glean backfill`: downloads a feed's older articles.

use crate::{
    args::Backfill,
    cancel::cancel_on_ctrl_c,
    find::find_feed,
    messages::{Failure, OTHER_PROCESS, message},
    output::count,
};
use gleaner_app::App;
use gleaner_library::Library;
use gleaner_polling::{Ended, FeedError};
use indicatif::ProgressBar;
use std::process::ExitCode;

pub async fn run(app: &App, library: &Library, args: Backfill) -> Result<ExitCode, Failure> {
    let feed = find_feed(library, &args.feed).await?;
    cancel_on_ctrl_c(app);
    let bar = ProgressBar::new_spinner();
    let done = gleaner_app::download_older(app, feed.id, args.pages, |so_far| {
        bar.set_message(format!("{}, {}", count(so_far.pages, "page"), count(so_far.items, "article")));
        bar.tick();
    })
    .await;
    bar.finish_and_clear();
    let done = done?;
    if done.ended == Some(Ended::OtherProcess) {
        return Err(OTHER_PROCESS.into());
    }
    println!(
        "{}: {} downloaded from {}, marked as read.",
        feed.shown_title(),
        count(done.items, "older article"),
        count(done.pages, "page")
    );
    let error = match done.ended {
        Some(Ended::Cancelled) => Some("cancelled; articles downloaded so far were kept".to_owned()),
        Some(Ended::FeedChanged) => Some(
            "the address of the feed was changed, or it was unsubscribed; articles downloaded so far were kept"
                .to_owned(),
        ),
        Some(Ended::NothingOffered) => {
            println!("The feed offers no older articles.");
            None
        }
        Some(Ended::Limit) => {
            Some(format!("the limit of {} was reached; --pages N raises it", count(args.pages, "page")))
        }
        Some(Ended::RetryAfter(until)) => Some(message(FeedError::wait(until))),
        Some(Ended::Failed(error)) => Some(message(error)),
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
