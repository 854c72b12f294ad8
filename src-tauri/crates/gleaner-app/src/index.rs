//! The search index, updated in the background, never during a refresh.

use crate::{App, error::Result, jobs::Job, numbers::to_number};
use gleaner_contract::Event;
use std::time::{Duration, Instant};

/// Minimum time between two progress events.
const REPORT_EVERY: Duration = Duration::from_millis(500);

/// Indexes new and changed articles whenever there may be any.
pub(crate) async fn follow(app: App) {
    loop {
        app.signals().index.notified().await;
        // Articles of a refresh are indexed at its end.
        app.jobs().idle(Job::Refresh).await;
        if let Err(error) = catch_up(&app).await {
            tracing::warn!(%error, "the search index could not be updated");
        }
    }
}

/// Indexes new and changed articles, for at most about `limit`. With `compact`, the index and the stored texts are compacted in the
/// remaining time.
///
/// # Errors
/// When the library cannot be read or written.
pub async fn update_index(app: &App, limit: Duration, compact: bool) -> Result<()> {
    let library = app.core().await?.library;
    let run = app.jobs().queue(Job::Index).await;
    let begun = Instant::now();
    let go_on = |_| begun.elapsed() < limit && !run.is_cancelled();
    let indexed = if compact {
        gleaner_search::catch_up(&library, go_on).await
    } else {
        gleaner_search::index(&library, go_on).await
    };
    Ok(indexed.map(drop)?)
}

async fn catch_up(app: &App) -> Result<()> {
    let library = app.core().await?.library;
    let run = app.jobs().queue(Job::Index).await;
    let waiting = library.search_index().state().await?.waiting;
    let mut reported = Instant::now();
    let done = gleaner_search::catch_up(&library, |done| {
        if reported.elapsed() >= REPORT_EVERY {
            reported = Instant::now();
            app.emit(Event::IndexProgress((waiting - to_number(done)).max(0)));
        }
        if app.jobs().is_running(Job::Refresh) {
            // The rest is indexed after the refresh.
            app.signals().index.notify_one();
            return false;
        }
        !run.is_cancelled()
    });
    if done.await? > 0 {
        let left = library.search_index().state().await?.waiting;
        app.emit(Event::IndexProgress(left));
        app.signals().collections.notify_one();
    }
    Ok(())
}
