//! `opened`: the number of unread articles of each feed that the user opened in each hour. `states.read_at` does not show this: it is also
//! set for articles that are marked as read without opening them. These are only numbers, and they stay on this computer.

use crate::{LibraryError, Millis, database::repository, json::json};
use sqlx::SqliteConnection;

const HOUR: Millis = 60 * 60 * 1000;

/// Statistics of a feed in a span of time.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct FeedStatistics {
    /// Id of the feed.
    pub feed_id: i64,
    /// When the user subscribed to it.
    pub subscribed: Millis,
    /// Number of articles dated in the span.
    pub articles: i64,
    /// Number of unread ones among them.
    pub unread: i64,
    /// Number of articles that were opened while unread.
    pub opened: i64,
    /// Number of starred articles of all times.
    pub starred: i64,
    /// Date of its newest article.
    pub newest: Option<Millis>,
}

/// Reading statistics of a span of time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Statistics {
    /// When counting began; `None` if nothing was opened yet.
    pub since: Option<Millis>,
    /// Start of each hour and the number of articles opened in it, the first hour first.
    pub hours: Vec<(Millis, i64)>,
    /// All subscribed feeds.
    pub feeds: Vec<FeedStatistics>,
}

repository!(
    /// Numbers of articles that were opened.
    ReadingStats
);

impl ReadingStats<'_> {
    /// Counts the opening of an unread article of a feed.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn record_opened(self, feed: i64, now: Millis) -> Result<(), LibraryError> {
        self.db
            .execute(
                sqlx::query(
                    "INSERT INTO opened (hour, feed_id, articles) SELECT ?1, id, 1 FROM feeds WHERE id = ?2
             ON CONFLICT DO UPDATE SET articles = articles + 1",
                )
                .bind(now.div_euclid(HOUR))
                .bind(feed),
            )
            .await
    }

    /// Returns the statistics since a moment.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn since(self, since: Millis) -> Result<Statistics, LibraryError> {
        let hour = since.div_euclid(HOUR);
        let first: Option<i64> = sqlx::query_scalar("SELECT min(hour) FROM opened").fetch_one(&self.db.readers).await?;
        let hours: Vec<(i64, i64)> =
            sqlx::query_as("SELECT hour, sum(articles) FROM opened WHERE hour >= ? GROUP BY hour")
                .bind(hour)
                .fetch_all(&self.db.readers)
                .await?;
        let feeds = sqlx::query_as(
            "SELECT f.id AS feed_id, f.added_at AS subscribed, c.starred,
                (SELECT count(*) FROM items i WHERE i.feed_id = f.id AND i.sort_at >= ?1) AS articles,
                (SELECT count(*) FROM states s WHERE s.feed_id = f.id AND s.sort_at >= ?1 AND s.read = 0 AND s.hidden = 0) AS unread,
                (SELECT max(i.sort_at) FROM items i WHERE i.feed_id = f.id) AS newest,
                (SELECT ifnull(sum(o.articles), 0) FROM opened o WHERE o.feed_id = f.id AND o.hour >= ?2) AS opened
             FROM feeds f JOIN counts c ON c.feed_id = f.id WHERE f.unsubscribed_at IS NULL AND f.local = 0",
        )
        .bind(since)
        .bind(hour)
        .fetch_all(&self.db.readers)
        .await?;
        let hours = hours.into_iter().map(|(hour, articles)| (hour * HOUR, articles)).collect();
        Ok(Statistics { since: first.map(|hour| hour * HOUR), hours, feeds })
    }
}

/// Moves the statistics of one feed to another. Returns hours and numbers of articles.
pub(crate) async fn move_counts(
    connection: &mut SqliteConnection,
    from: i64,
    to: i64,
) -> Result<Vec<(i64, i64)>, LibraryError> {
    let gone: Vec<(i64, i64)> = sqlx::query_as("DELETE FROM opened WHERE feed_id = ? RETURNING hour, articles")
        .bind(from)
        .fetch_all(&mut *connection)
        .await?;
    add(connection, to, &gone, 1).await?;
    Ok(gone)
}

/// Moves them back.
pub(crate) async fn move_back(
    connection: &mut SqliteConnection,
    opened: &[(i64, i64)],
    from: i64,
    to: i64,
) -> Result<(), LibraryError> {
    add(connection, from, opened, -1).await?;
    sqlx::query("DELETE FROM opened WHERE feed_id = ? AND articles <= 0").bind(from).execute(&mut *connection).await?;
    add(connection, to, opened, 1).await
}

async fn add(
    connection: &mut SqliteConnection,
    feed: i64,
    opened: &[(i64, i64)],
    sign: i64,
) -> Result<(), LibraryError> {
    let json = json(opened)?;
    sqlx::query(
        "INSERT INTO opened (hour, feed_id, articles) SELECT value ->> '$[0]', ?1, (value ->> '$[1]') * ?3 FROM json_each(?2) WHERE TRUE
         ON CONFLICT DO UPDATE SET articles = articles + excluded.articles",
    )
    .bind(feed)
    .bind(json)
    .bind(sign)
    .execute(connection)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Library;
    use crate::{Incoming, Intent, NewItem, NewSubscription};

    const NOW: Millis = 1_700_000_000_000;
    const DAY: Millis = 24 * HOUR;

    async fn library(folder: &std::path::Path) -> (Library, [i64; 2]) {
        let library = Library::open(folder).await.unwrap();
        let mut feeds = [0; 2];
        for (at, feed) in feeds.iter_mut().enumerate() {
            *feed =
                library.subscriptions().add(&NewSubscription::new(format!("https://{at}.example/feed"))).await.unwrap();
            let item = |number: i64| {
                let (key, sort_at) = (format!("{at} {number}"), NOW - number * DAY);
                Intent::Insert(Box::new(NewItem { key, sort_at, digest: vec![0; 16], ..NewItem::default() }))
            };
            let incoming = Incoming::of_items(*feed, (0..10).map(item).collect());
            library.polls().store(&[&incoming]).await.unwrap();
        }
        (library, feeds)
    }

    #[tokio::test]
    async fn counts_opened_articles_by_hour_and_feed() {
        let folder = tempfile::tempdir().unwrap();
        let (library, [one, other]) = library(folder.path()).await;
        assert_eq!(library.reading_stats().since(0).await.unwrap().since, None);
        for (feed, at) in [(one, NOW), (one, NOW + 1), (other, NOW + 2), (one, NOW - 20 * DAY), (77, NOW)] {
            library.reading_stats().record_opened(feed, at).await.unwrap();
        }
        let ids: Vec<i64> = sqlx::query_scalar("SELECT id FROM items WHERE feed_id = ? ORDER BY id")
            .bind(one)
            .fetch_all(&library.db.readers)
            .await
            .unwrap();
        library.articles().mark(&ids[..4], Some(true), None).await.unwrap();
        library.articles().mark(&ids[..1], None, Some(true)).await.unwrap();
        library.db.execute(sqlx::query("UPDATE feeds SET added_at = ?1 - id").bind(NOW)).await.unwrap();
        let listed = library.reading_stats().since(NOW - 7 * DAY).await.unwrap();
        assert_eq!(listed.since, Some((NOW - 20 * DAY) / HOUR * HOUR));
        assert_eq!(listed.hours, [(NOW / HOUR * HOUR, 3)], "nothing is counted for a feed that is not there");
        let feed = |feed_id, unread, opened, starred| FeedStatistics {
            feed_id,
            subscribed: NOW - feed_id,
            articles: 8,
            unread,
            opened,
            starred,
            newest: Some(NOW),
        };
        assert_eq!(listed.feeds, [feed(one, 4, 2, 1), feed(other, 8, 1, 0)]);
    }

    #[tokio::test]
    async fn merging_moves_reading_statistics_and_undo_moves_them_back() {
        let folder = tempfile::tempdir().unwrap();
        let (library, [one, other]) = library(folder.path()).await;
        for (feed, at) in [(one, NOW), (other, NOW), (one, NOW - 2 * HOUR)] {
            library.reading_stats().record_opened(feed, at).await.unwrap();
        }
        let opened = async || {
            let listed = library.reading_stats().since(0).await.unwrap();
            (listed.hours, listed.feeds.iter().map(|feed| (feed.feed_id, feed.opened)).collect::<Vec<_>>())
        };
        let before = opened().await;
        let step = library.subscriptions().merge(one, other).await.unwrap().step;
        let merged = opened().await;
        assert_eq!((&merged.0, merged.1), (&before.0, vec![(other, 3)]));
        library.undo(step).await.unwrap();
        assert_eq!(opened().await, before);
    }
}
