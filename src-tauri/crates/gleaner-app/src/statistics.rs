//! Reading statistics.

use crate::{
    App,
    error::{Result, invalid_input},
};
use gleaner_contract::{FeedStatistics, ReadingHour, Statistics, StatisticsQuery};
use gleaner_library::{Millis, now};

const DAY: Millis = 24 * 60 * 60 * 1000;

/// Returns how many articles were opened in the last days.
pub async fn statistics(app: &App, args: StatisticsQuery) -> Result<Statistics> {
    if !(1..=366).contains(&args.days) {
        return Err(invalid_input("statistics cover 1 to 366 days"));
    }
    let from = now() - i64::from(args.days) * DAY;
    let stats = app.core().await?.library.reading_stats().since(from).await?;
    let hour = |(at, articles)| ReadingHour { at, articles };
    let feed = |feed: gleaner_library::FeedStatistics| FeedStatistics {
        feed_id: feed.feed_id,
        subscribed: feed.subscribed,
        articles: feed.articles,
        unread: feed.unread,
        opened: feed.opened,
        starred: feed.starred,
        newest: feed.newest,
    };
    Ok(Statistics {
        from,
        since: stats.since,
        hours: stats.hours.into_iter().map(hour).collect(),
        feeds: stats.feeds.into_iter().map(feed).collect(),
    })
}
