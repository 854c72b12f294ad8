//! Older articles: what feeds published before the user subscribed.

use crate::{
    App, convert,
    error::{AppError, Result},
    jobs::Job,
};
use gleaner_contract::{BackfillOutcome, BackfillProgress, ErrorCode, Event, FeedId, StartBackfill};
use gleaner_polling::{Backfill, Ended};

/// Starts to download older articles of a feed. The result is sent as an event.
pub async fn backfill(app: &App, args: StartBackfill) -> Result<()> {
    let core = app.core().await?;
    let feed_id = args.feed_id;
    core.library.feeds().get(feed_id).await?;
    let Some(run) = app.jobs().try_start(Job::History(feed_id)) else {
        return Err(AppError::new(ErrorCode::Busy, "older articles of this feed are being downloaded already"));
    };
    let app = app.clone();
    app.clone().spawn(async move {
        let pages = usize::try_from(args.pages).unwrap_or(usize::MAX);
        let mut so_far = Backfill::default();
        app.emit(Event::BackfillProgress(progress(feed_id, &so_far)));
        let done = core.poller.backfill(feed_id, pages, run.token(), |now| {
            app.emit(Event::BackfillProgress(progress(feed_id, now)));
            if now.items > so_far.items {
                app.library_changed(false, true);
            }
            so_far = now.clone();
        });
        let done = done.await;
        let done = done.unwrap_or_else(|error| Backfill { ended: Some(Ended::Failed(error.to_string())), ..so_far });
        drop(run);
        app.emit(Event::BackfillProgress(progress(feed_id, &done)));
    });
    Ok(())
}

/// Stops the download of older articles of a feed.
pub async fn cancel_backfill(app: &App, args: FeedId) -> Result<()> {
    app.jobs().cancel(Job::History(args.feed_id));
    Ok(())
}

fn progress(feed_id: i64, backfill: &Backfill) -> BackfillProgress {
    let ended = backfill.ended.clone().map(|ended| match ended {
        Ended::Complete => BackfillOutcome::Complete,
        Ended::NothingOffered => BackfillOutcome::NothingOffered,
        Ended::Limit => BackfillOutcome::Limit,
        Ended::Cancelled => BackfillOutcome::Cancelled,
        Ended::RetryAfter(until) => BackfillOutcome::RetryAfter { until },
        Ended::OtherProcess => BackfillOutcome::OtherProcess,
        Ended::Failed(message) => BackfillOutcome::Failed { message },
    });
    BackfillProgress { feed_id, pages: convert::count(backfill.pages), articles: convert::count(backfill.items), ended }
}
