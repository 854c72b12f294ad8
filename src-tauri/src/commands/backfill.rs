//! What feeds published before they were subscribed to.

use crate::{convert, events, shell::Shell};
use gleaner_contract::{BackfillEnd, BackfillProgress, ErrorCode, FeedId, IpcError, StartBackfill};
use gleaner_polling::{Backfill, Ended};
use tauri::{AppHandle, Manager as _, State};
use tokio_util::sync::CancellationToken;

#[tauri::command]
pub async fn backfill(app: AppHandle, shell: State<'_, Shell>, args: StartBackfill) -> Result<(), IpcError> {
    let core = shell.core().await?;
    let feed_id = args.feed_id;
    core.library.feed(feed_id).await.map_err(convert::library_error)?;
    let cancel = CancellationToken::new();
    {
        let mut running = shell.backfills();
        if running.contains_key(&feed_id) {
            let message = "older articles of this feed are being fetched already".to_owned();
            return Err(IpcError { code: ErrorCode::Busy, message, detail: None });
        }
        running.insert(feed_id, cancel.clone());
    }
    tauri::async_runtime::spawn(async move {
        let pages = usize::try_from(args.pages).unwrap_or(usize::MAX);
        let mut so_far = Backfill::default();
        events::emit(&app, "backfill_progress", progress(feed_id, &so_far));
        let done = core.poller.backfill(feed_id, pages, cancel, |now| {
            events::emit(&app, "backfill_progress", progress(feed_id, now));
            if now.items > so_far.items {
                events::library_changed(&app, false, true);
            }
            so_far = now.clone();
        });
        let done = done.await;
        let done = done.unwrap_or_else(|error| Backfill { ended: Some(Ended::Failed(error.to_string())), ..so_far });
        app.state::<Shell>().backfills().remove(&feed_id);
        events::emit(&app, "backfill_progress", progress(feed_id, &done));
    });
    Ok(())
}

#[tauri::command]
pub async fn cancel_backfill(shell: State<'_, Shell>, args: FeedId) -> Result<(), IpcError> {
    if let Some(running) = shell.backfills().get(&args.feed_id) {
        running.cancel();
    }
    Ok(())
}

fn progress(feed_id: i64, backfill: &Backfill) -> BackfillProgress {
    let ended = backfill.ended.clone().map(|ended| match ended {
        Ended::Whole => BackfillEnd::Whole,
        Ended::NothingOffered => BackfillEnd::NothingOffered,
        Ended::Limit => BackfillEnd::Limit,
        Ended::Cancelled => BackfillEnd::Cancelled,
        Ended::Wait(until) => BackfillEnd::Wait { until },
        Ended::Elsewhere => BackfillEnd::Elsewhere,
        Ended::Failed(message) => BackfillEnd::Failed { message },
    });
    BackfillProgress { feed_id, pages: convert::count(backfill.pages), articles: convert::count(backfill.items), ended }
}
