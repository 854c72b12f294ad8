//! What polling knows about a feed, and what the user can do about it.

use crate::{
    App, connection,
    error::{
        Result,
        feeds::{poll_error, stored_feed_error},
    },
    feeds::feed_suggestions,
    refresh,
    subscriptions::web_address,
};
use gleaner_contract::{
    self as contract, ChangeFeedAddress, FeedId, FeedInfo, MergeFeeds, RequestedIntervals, SetFeedPlayback, Traffic,
    UndoStep,
};
use gleaner_library::{FeedPlayback, PollLogRow, now};
use gleaner_polling::{Scope, posting_frequency::PostingFrequency, schedule::Reason};

pub async fn feed_info(app: &App, args: FeedId) -> Result<FeedInfo> {
    let library = app.core().await?.library;
    let row = library.feeds().get(args.feed_id).await?;
    let polls = library.polls().list().await?;
    let found = gleaner_polling::suggestions(&polls, now()).remove(&row.id).unwrap_or_default();
    let feeds = library.feeds().list().await?;
    let title = |id| feeds.iter().find(|feed| feed.id == id).map(gleaner_library::FeedRow::shown_title);
    // The bundled feed is never polled.
    let poll = polls.iter().find(|poll| poll.feed_id == row.id).cloned().unwrap_or_default();
    let totals = library.polls().totals(Some(row.id)).await?;
    let frequency = PostingFrequency::remembered(poll.gaps.as_deref().unwrap_or_default(), poll.newest_at);
    let bits = |bits: u32| (0..32).filter(|bit| bits >> bit & 1 == 1).collect();
    Ok(FeedInfo {
        feed_id: row.id,
        title: row.shown_title(),
        suggestions: feed_suggestions(&row, Some(&poll), found, title),
        url: row.url,
        former_url: row.former_url,
        refresh_minutes: poll.refresh_minutes,
        checked: poll.checked_at,
        succeeded: poll.succeeded_at,
        changed: poll.changed_at,
        next: poll.next_at,
        next_reason: poll_reason(poll.next_reason.as_deref()),
        error: poll_error(&poll.failure),
        posting_interval_minutes: frequency.mean().map(|mean| mean / 60_000),
        newest: poll.newest_at,
        requested: RequestedIntervals {
            max_age_seconds: poll.fresh_seconds,
            ttl_minutes: poll.ttl_minutes,
            period_minutes: poll.period_minutes,
            skip_hours: bits(poll.skip_hours),
            skip_days: bits(poll.skip_days.into()),
        },
        requests: totals.requests,
        not_modified: totals.not_modified,
        bytes: totals.bytes,
        bytes_saved: totals.bytes_saved,
        polls: library.polls().log(args.feed_id).await?.into_iter().map(poll_log_entry).collect(),
    })
}

pub async fn traffic(app: &App, (): ()) -> Result<Traffic> {
    let totals = app.core().await?.library.polls().totals(None).await?;
    Ok(Traffic {
        requests: totals.requests,
        not_modified: totals.not_modified,
        bytes: totals.bytes,
        bytes_saved: totals.bytes_saved,
    })
}

/// Changes the address of a feed. Its articles stay.
///
/// # Errors
/// When the address is not valid or belongs to another feed, or the library cannot be written.
pub async fn change_feed_address(app: &App, args: ChangeFeedAddress) -> Result<UndoStep> {
    let url = web_address(&args.url)?;
    let library = app.core().await?.library;
    let done = library.feeds().set_url(args.feed_id, url.as_str()).await?;
    connection::start_moving_passwords(app);
    app.library_changed(true, false);
    refresh::start(app, Scope::Feeds(vec![args.feed_id]));
    Ok(UndoStep { undo: done.step })
}

pub async fn merge_feeds(app: &App, args: MergeFeeds) -> Result<UndoStep> {
    let library = app.core().await?.library;
    let done = library.subscriptions().merge(args.feed_id, args.into).await?;
    app.library_changed(true, true);
    Ok(UndoStep { undo: done.step })
}

pub async fn keep_inactive_feed(app: &App, args: FeedId) -> Result<UndoStep> {
    let library = app.core().await?.library;
    let done = library.feeds().dismiss_inactive(args.feed_id).await?;
    app.library_changed(true, false);
    Ok(UndoStep { undo: done.step })
}

pub async fn has_media(app: &App, args: FeedId) -> Result<bool> {
    Ok(app.core().await?.library.feeds().has_media(args.feed_id).await?)
}

pub async fn set_feed_playback(app: &App, args: SetFeedPlayback) -> Result<()> {
    let gleaner_contract::FeedPlayback { speed_percent, skip_intro, skip_outro } = args.playback;
    let playback = FeedPlayback { playback_speed: speed_percent, skip_intro, skip_outro };
    app.core().await?.library.feeds().set_playback(args.feed_id, playback).await?;
    app.library_changed(true, false);
    Ok(())
}

/// Allows a public feed to use the private network that its host's name now leads to, and checks it.
pub async fn allow_private_network(app: &App, args: FeedId) -> Result<()> {
    app.core().await?.library.polls().allow_private_network(args.feed_id).await?;
    refresh::start(app, Scope::Feeds(vec![args.feed_id]));
    Ok(())
}

pub async fn rediscover_feed(app: &App, args: FeedId) -> Result<()> {
    let core = app.core().await?;
    if core.library.accounts().of_feed(args.feed_id).await?.is_some() {
        return Err(gleaner_library::Refusal::FeedOfServer.into());
    }
    core.poller()?.rediscover(args.feed_id).await?;
    app.library_changed(true, false);
    Ok(())
}

fn poll_log_entry(row: PollLogRow) -> contract::PollLogEntry {
    contract::PollLogEntry {
        at: row.at,
        reason: poll_reason(Some(&row.why)),
        conditional: row.conditional,
        status: row.status,
        error: stored_feed_error(row.code.as_deref(), &row.parameters),
        error_text: row.message,
        redirects: row.hops.map(|hops| hops.lines().map(str::to_owned).collect()).unwrap_or_default(),
        duration_ms: row.took_ms,
        bytes: row.bytes,
        new_articles: row.new_items,
        changed_articles: row.changed,
        next: row.next_at,
        next_reason: poll_reason(row.next_reason.as_deref()),
    }
}

/// Converts a stored reason; `None` for one of another version.
fn poll_reason(name: Option<&str>) -> Option<contract::PollReason> {
    Some(match Reason::named(name?)? {
        Reason::First => contract::PollReason::First,
        Reason::ByHand => contract::PollReason::Hand,
        Reason::Usual => contract::PollReason::Usual,
        Reason::PostingFrequency => contract::PollReason::PostingFrequency,
        Reason::Preference => contract::PollReason::Preference,
        Reason::NoValidators => contract::PollReason::NoValidators,
        Reason::Fresh => contract::PollReason::Fresh,
        Reason::Ttl => contract::PollReason::Ttl,
        Reason::Period => contract::PollReason::Period,
        Reason::Skipped => contract::PollReason::Skipped,
        Reason::Failed => contract::PollReason::Failed,
        Reason::RetryAfter => contract::PollReason::RetryAfter,
        Reason::SilentHost => contract::PollReason::SilentHost,
    })
}
