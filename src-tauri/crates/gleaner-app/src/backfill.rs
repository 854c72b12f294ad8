//! Older articles: what feeds published before the user subscribed.

use crate::{
    App,
    error::{AppError, Result},
    jobs::Job,
    numbers::to_number,
};
use gleaner_contract::{BackfillOutcome, BackfillProgress, ErrorCode, Event, FeedId, StartBackfill};
use gleaner_library::{Library, Refusal};
use gleaner_polling::{Backfill, Ended, secrets};

/// Starts to download older articles of a feed. The result is sent as an event.
pub async fn backfill(app: &App, args: StartBackfill) -> Result<()> {
    let feed_id = args.feed_id;
    let library = app.core().await?.library;
    library.feeds().get(feed_id).await?;
    check_polled(&library, feed_id).await?;
    if app.jobs().is_running(Job::Backfill(feed_id)) {
        return Err(busy());
    }
    secrets::ask_again();
    let app = app.clone();
    app.clone().spawn(async move {
        let pages = usize::try_from(args.pages).unwrap_or(usize::MAX);
        let mut so_far = Backfill::default();
        app.emit(Event::BackfillProgress(progress(feed_id, &so_far)));
        let done = download_older(&app, feed_id, pages, |now| {
            app.emit(Event::BackfillProgress(progress(feed_id, now)));
            if now.items > so_far.items {
                app.library_changed(false, true);
            }
            so_far = now.clone();
        });
        let result = match done.await {
            Ok(done) => progress(feed_id, &done),
            Err(error) => {
                tracing::error!(feed_id, %error, "downloading older articles failed");
                BackfillProgress {
                    ended: Some(BackfillOutcome::Failed { error: error.ipc }),
                    ..progress(feed_id, &so_far)
                }
            }
        };
        app.emit(Event::BackfillProgress(result));
    });
    Ok(())
}

/// Downloads at most `pages` pages of older articles of a feed.
///
/// # Errors
/// `busy` if they are being downloaded already; when the library cannot be read or written.
pub async fn download_older(
    app: &App,
    feed_id: i64,
    pages: usize,
    progress: impl FnMut(&Backfill),
) -> Result<Backfill> {
    check_polled(&app.core().await?.library, feed_id).await?;
    let run = app.jobs().try_start(Job::Backfill(feed_id)).ok_or_else(busy)?;
    Ok(app.core().await?.poller()?.backfill(feed_id, pages, run.token(), progress).await?)
}

/// Refuses feeds that a server fetches.
async fn check_polled(library: &Library, feed_id: i64) -> Result<()> {
    match library.accounts().of_feed(feed_id).await? {
        Some(_) => Err(Refusal::FeedOfServer.into()),
        None => Ok(()),
    }
}

fn busy() -> AppError {
    AppError::new(ErrorCode::Busy, "older articles of this feed are being downloaded already")
}

/// Stops the download of older articles of a feed.
pub async fn cancel_backfill(app: &App, args: FeedId) -> Result<()> {
    app.jobs().cancel(Job::Backfill(args.feed_id));
    Ok(())
}

fn progress(feed_id: i64, backfill: &Backfill) -> BackfillProgress {
    let ended = backfill.ended.clone().map(|ended| match ended {
        Ended::Complete => BackfillOutcome::Complete,
        Ended::NothingOffered => BackfillOutcome::NothingOffered,
        Ended::Limit => BackfillOutcome::Limit,
        Ended::Cancelled => BackfillOutcome::Cancelled,
        Ended::FeedChanged => BackfillOutcome::FeedChanged,
        Ended::RetryAfter(until) => BackfillOutcome::RetryAfter { until },
        Ended::OtherProcess => BackfillOutcome::OtherProcess,
        Ended::Failed(error) => BackfillOutcome::Failed { error: AppError::from(error).ipc },
    });
    BackfillProgress { feed_id, pages: to_number(backfill.pages), articles: to_number(backfill.items), ended }
}
