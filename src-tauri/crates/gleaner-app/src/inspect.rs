//! The feed inspector.

use crate::{App, convert, error::Result, refresh};
use gleaner_contract::{FeedId, FeedReport, Inspection};
use gleaner_inspect::FlatReport;
use gleaner_library::Millis;

const DAY: Millis = 24 * 60 * 60 * 1000;
const WEEKS: u32 = 53;

pub async fn inspection(app: &App, args: FeedId) -> Result<Inspection> {
    let library = app.core().await?.library;
    library.feeds().get(args.feed_id).await?;
    let kept = library.polls().report(args.feed_id).await?;
    let weeks_from = convert::midnight() + DAY - i64::from(WEEKS) * 7 * DAY;
    Ok(Inspection {
        report: kept.and_then(|(at, json)| Some(convert::report(at, FlatReport::from_stored(&json)?))),
        published: library.articles().publication_dates(args.feed_id).await?,
        weeks_from,
        weeks: library.articles().count_by_week(args.feed_id, weeks_from, WEEKS).await?,
    })
}

pub async fn inspect_feed(app: &App, args: FeedId) -> Result<Option<FeedReport>> {
    Ok(refresh::inspect(app, args.feed_id).await?.map(|(at, report)| convert::report(at, report)))
}
