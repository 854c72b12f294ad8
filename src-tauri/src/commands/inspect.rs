//! The feed inspector, and what was read.

use crate::{convert, refresh, shell::Shell};
use gleaner_contract::{
    AskStatistics, ErrorCode, FeedId, FeedReport, FeedStatistics, Inspection, IpcError, OpenedHour, Statistics,
};
use gleaner_inspect::Told;
use gleaner_library::{Millis, now};
use tauri::{AppHandle, State};

const DAY: Millis = 24 * 60 * 60 * 1000;
const WEEKS: u32 = 53;

#[tauri::command]
pub async fn inspection(shell: State<'_, Shell>, args: FeedId) -> Result<Inspection, IpcError> {
    let library = shell.core().await?.library;
    let failed = convert::library_error;
    library.feed(args.feed_id).await.map_err(failed)?;
    let kept = library.report(args.feed_id).await.map_err(failed)?;
    let weeks_from = convert::midnight() + DAY - i64::from(WEEKS) * 7 * DAY;
    Ok(Inspection {
        report: kept.and_then(|(at, json)| Some(convert::report(at, Told::kept(&json)?))),
        postings: library.postings(args.feed_id).await.map_err(failed)?,
        weeks_from,
        weeks: library.items_by_week(args.feed_id, weeks_from, WEEKS).await.map_err(failed)?,
    })
}

#[tauri::command]
pub async fn inspect_feed(app: AppHandle, args: FeedId) -> Result<Option<FeedReport>, IpcError> {
    Ok(refresh::inspect(&app, args.feed_id).await?.map(|(at, told)| convert::report(at, told)))
}

#[tauri::command]
pub async fn statistics(shell: State<'_, Shell>, args: AskStatistics) -> Result<Statistics, IpcError> {
    if !(1..=366).contains(&args.days) {
        let message = "statistics are of 1 to 366 days".to_owned();
        return Err(IpcError { code: ErrorCode::InvalidInput, detail: None, message });
    }
    let from = now() - i64::from(args.days) * DAY;
    let told = shell.core().await?.library.statistics(from).await.map_err(convert::library_error)?;
    let hour = |(at, articles)| OpenedHour { at, articles };
    let feed = |feed: gleaner_library::FeedStatistics| FeedStatistics {
        feed_id: feed.feed_id,
        articles: feed.articles,
        unread: feed.unread,
        opened: feed.opened,
        starred: feed.starred,
        newest: feed.newest,
    };
    Ok(Statistics {
        from,
        since: told.since,
        hours: told.hours.into_iter().map(hour).collect(),
        feeds: told.feeds.into_iter().map(feed).collect(),
    })
}
