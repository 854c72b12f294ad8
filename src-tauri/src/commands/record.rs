//! What polling knows of a feed, and what can be done about it.

use crate::{convert, events, refresh, shell::Shell};
use gleaner_contract::{ChangeFeedAddress, FeedId, FeedRecord, IpcError, MergeFeeds, PollWishes, Traffic, UndoStep};
use gleaner_library::now;
use gleaner_polling::{Scope, rhythm::Rhythm};
use tauri::{AppHandle, State};

#[tauri::command]
pub async fn feed_record(shell: State<'_, Shell>, args: FeedId) -> Result<FeedRecord, IpcError> {
    let library = shell.core().await?.library;
    let failed = convert::library_error;
    let row = library.feed(args.feed_id).await.map_err(failed)?;
    let polls = library.polls().await.map_err(failed)?;
    let found = gleaner_polling::remedies(&polls, now()).remove(&row.id).unwrap_or_default();
    let feeds = library.feeds().await.map_err(failed)?;
    let title = |id| feeds.iter().find(|feed| feed.id == id).map(gleaner_library::FeedRow::shown_title);
    // The bundled feed is never polled.
    let poll = polls.iter().find(|poll| poll.feed_id == row.id).cloned().unwrap_or_default();
    let totals = library.poll_totals(Some(row.id)).await.map_err(failed)?;
    let rhythm = Rhythm::remembered(poll.rhythm.as_deref().unwrap_or_default(), poll.newest_at);
    let bits = |bits: u32| (0..32).filter(|bit| bits >> bit & 1 == 1).collect();
    Ok(FeedRecord {
        feed_id: row.id,
        title: row.shown_title(),
        remedies: convert::remedies_of(&row, Some(&poll), found, title),
        url: row.url,
        former_url: row.former_url,
        refresh_minutes: poll.refresh_minutes,
        checked: poll.checked_at,
        succeeded: poll.succeeded_at,
        changed: poll.changed_at,
        next: poll.next_at,
        next_reason: convert::reason(poll.next_reason.as_deref()),
        trouble: convert::failure(&poll.failure),
        rhythm_minutes: rhythm.mean().map(|mean| mean / 60_000),
        newest: poll.newest_at,
        asks: PollWishes {
            fresh_seconds: poll.fresh_seconds,
            ttl_minutes: poll.ttl_minutes,
            period_minutes: poll.period_minutes,
            skip_hours: bits(poll.skip_hours),
            skip_days: bits(poll.skip_days.into()),
        },
        requests: totals.requests,
        not_modified: totals.not_modified,
        bytes: totals.bytes,
        bytes_saved: totals.bytes_saved,
        polls: library.poll_log(args.feed_id).await.map_err(failed)?.into_iter().map(convert::poll_line).collect(),
    })
}

#[tauri::command]
pub async fn traffic(shell: State<'_, Shell>) -> Result<Traffic, IpcError> {
    let totals = shell.core().await?.library.poll_totals(None).await.map_err(convert::library_error)?;
    Ok(Traffic {
        requests: totals.requests,
        not_modified: totals.not_modified,
        bytes: totals.bytes,
        bytes_saved: totals.bytes_saved,
    })
}

#[tauri::command]
pub async fn change_feed_address(
    app: AppHandle,
    shell: State<'_, Shell>,
    args: ChangeFeedAddress,
) -> Result<UndoStep, IpcError> {
    let url = super::subscribe::web_address(&args.url)?;
    let library = shell.core().await?.library;
    let done = library.change_feed_url(args.feed_id, url.as_str()).await.map_err(convert::library_error)?;
    events::library_changed(&app, true, false);
    refresh::start(app, Scope::Feeds(vec![args.feed_id]));
    Ok(UndoStep { undo: done.step })
}

#[tauri::command]
pub async fn merge_feeds(app: AppHandle, shell: State<'_, Shell>, args: MergeFeeds) -> Result<UndoStep, IpcError> {
    let library = shell.core().await?.library;
    let done = library.merge_feeds(args.feed_id, args.into).await.map_err(convert::library_error)?;
    events::library_changed(&app, true, true);
    Ok(UndoStep { undo: done.step })
}

#[tauri::command]
pub async fn keep_silent_feed(app: AppHandle, shell: State<'_, Shell>, args: FeedId) -> Result<UndoStep, IpcError> {
    let library = shell.core().await?.library;
    let done = library.keep_silent(args.feed_id).await.map_err(convert::library_error)?;
    events::library_changed(&app, true, false);
    Ok(UndoStep { undo: done.step })
}

#[tauri::command]
pub async fn look_for_feed(app: AppHandle, shell: State<'_, Shell>, args: FeedId) -> Result<(), IpcError> {
    shell.core().await?.poller.look(args.feed_id).await.map_err(convert::look_error)?;
    events::library_changed(&app, true, false);
    Ok(())
}
