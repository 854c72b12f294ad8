//! `ahead`: the queue of downloads for offline reading, and failed ones. Preferences (`download_settings.rs`), rules and users fill
//! it; `gleaner-polling` decides what a preference means and works through the queue.

use crate::{LibraryError, Millis, database::repository, parameters::Parameters};
use sqlx::{SqliteConnection, SqliteExecutor};

/// What to download.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DownloadKind {
    /// The full text, from the article's page.
    Text,
    /// The images in its texts.
    Images,
}

impl DownloadKind {
    /// Returns the stored form.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Images => "pictures",
        }
    }

    fn named(name: &str) -> Self {
        if name == "text" { Self::Text } else { Self::Images }
    }
}

/// A download.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DownloadJob {
    /// Id of the article.
    pub item: i64,
    /// The content to download.
    pub what: DownloadKind,
    /// Number of failed attempts.
    pub tries: i64,
    /// Id of the article's feed.
    pub feed: i64,
    /// Address of the article's page.
    pub url: Option<String>,
}

/// Progress of downloads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, sqlx::FromRow)]
pub struct DownloadState {
    /// Downloads in the queue.
    pub waiting: i64,
    /// Failed downloads.
    pub failed: i64,
    /// Stored full texts.
    pub texts: i64,
    /// Stored images.
    pub images: i64,
    /// Size of the stored images, in bytes.
    pub bytes: i64,
}

const DUE: &str =
    "SELECT a.item_id, a.what, a.tries, i.feed_id, i.url FROM ahead a CROSS JOIN items i ON i.id = a.item_id
    WHERE a.next_at <= ? AND i.feed_id NOT IN (SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL)
    ORDER BY a.next_at LIMIT ?";

const NEXT: &str = "SELECT a.next_at FROM ahead a CROSS JOIN items i ON i.id = a.item_id WHERE a.next_at IS NOT NULL
    AND i.feed_id NOT IN (SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL) ORDER BY a.next_at LIMIT 1";

repository!(
    /// The downloads for offline reading.
    Downloads
);

impl Downloads<'_> {
    /// Queues downloads for a rule or the user, regardless of the preferences. Failed ones are tried again.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn queue(self, jobs: &[(i64, DownloadKind)], now: Millis) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        queue(&mut transaction, jobs, false, now).await?;
        Ok(transaction.commit().await?)
    }

    /// Returns the downloads that are due at `now`, the longest waiting first.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn due(self, now: Millis, limit: i64) -> Result<Vec<DownloadJob>, LibraryError> {
        let rows: Vec<(i64, String, i64, i64, Option<String>)> =
            sqlx::query_as(DUE).bind(now).bind(limit).fetch_all(&self.db.readers).await?;
        let job = |(item, what, tries, feed, url): (i64, String, i64, i64, Option<String>)| DownloadJob {
            item,
            what: DownloadKind::named(&what),
            tries,
            feed,
            url,
        };
        Ok(rows.into_iter().map(job).collect())
    }

    /// Makes downloads due now that wait beyond `latest`, because the clock was set back since.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn reset_far_future(self, now: Millis, latest: Millis) -> Result<(), LibraryError> {
        self.db.execute(sqlx::query("UPDATE ahead SET next_at = ?1 WHERE next_at > ?2").bind(now).bind(latest)).await
    }

    /// Returns when the next download is due.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn next_at(self) -> Result<Option<Millis>, LibraryError> {
        Ok(sqlx::query_scalar(NEXT).fetch_optional(&self.db.readers).await?)
    }

    /// Removes a finished download from the queue.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn complete(self, item: i64, what: DownloadKind) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        done(&mut transaction, item, what).await?;
        Ok(transaction.commit().await?)
    }

    /// Records a failed download: it is tried again at `next`, or never with `None`. `error` is the code and the
    /// parameters of its error.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn fail(
        self,
        job: &DownloadJob,
        tries: i64,
        next: Option<Millis>,
        error: (&str, &Parameters),
    ) -> Result<(), LibraryError> {
        self.db
            .execute(
                sqlx::query(
                    "UPDATE ahead SET tries = ?3, next_at = ?4, error = NULL, error_code = ?5, error_parameters = ?6
                     WHERE item_id = ?1 AND what = ?2",
                )
                .bind(job.item)
                .bind(job.what.name())
                .bind(tries)
                .bind(next)
                .bind(error.0)
                .bind(error.1.stored()),
            )
            .await
    }

    /// Returns the progress of downloads.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn state(self) -> Result<DownloadState, LibraryError> {
        Ok(sqlx::query_as(
            "SELECT (SELECT count(*) FROM ahead WHERE next_at IS NOT NULL) AS waiting,
                (SELECT count(*) FROM ahead WHERE next_at IS NULL) AS failed,
                (SELECT count(*) FROM full_texts) AS texts, (SELECT count(*) FROM images WHERE there = 1) AS images,
                (SELECT ifnull(sum(bytes), 0) FROM images WHERE there = 1) AS bytes",
        )
        .fetch_one(&self.db.readers)
        .await?)
    }
}

/// Returns why the full text of an article failed for good: the code of the error, empty in rows of versions before schema 16, and its
/// parameters.
pub(crate) async fn text_error<'c>(
    reader: impl SqliteExecutor<'c>,
    item: i64,
) -> sqlx::Result<Option<(String, Parameters)>> {
    let sql = "SELECT ifnull(error_code, ''), error_parameters FROM ahead WHERE item_id = ? AND what = 'text' AND next_at IS NULL";
    let found: Option<(String, String)> = sqlx::query_as(sql).bind(item).fetch_optional(reader).await?;
    Ok(found.map(|(code, parameters)| (code, parameters.into())))
}

pub(crate) async fn done(connection: &mut SqliteConnection, item: i64, what: DownloadKind) -> sqlx::Result<()> {
    let sql = "DELETE FROM ahead WHERE item_id = ? AND what = ?";
    sqlx::query(sql).bind(item).bind(what.name()).execute(connection).await?;
    Ok(())
}

pub(crate) async fn queue(
    connection: &mut SqliteConnection,
    jobs: &[(i64, DownloadKind)],
    requested: bool,
    now: Millis,
) -> sqlx::Result<()> {
    let sql = "INSERT INTO ahead (item_id, what, wished, next_at) SELECT id, ?2, ?3, ?4 FROM items WHERE id = ?1
        ON CONFLICT (item_id, what) DO UPDATE SET wished = min(wished, ?3), tries = 0, next_at = ?4, error = NULL, error_code = NULL
            WHERE next_at IS NULL OR wished > ?3";
    for (item, what) in jobs {
        sqlx::query(sql).bind(item).bind(what.name()).bind(requested).bind(now).execute(&mut *connection).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::download_settings::CANDIDATES;
    use crate::{Enclosure, FeedScope, Incoming, Intent, Library, NewItem, NewSubscription, Preferences};

    #[tokio::test]
    async fn nothing_is_due_of_an_unsubscribed_feed() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let feed = library.subscriptions().add(&NewSubscription::new("https://a.example/feed")).await.unwrap();
        let url = "https://a.example/1.mp3".to_owned();
        let file = Enclosure { url, mime_type: Some("audio/mpeg".to_owned()), ..Enclosure::default() };
        let item = NewItem { key: "1".to_owned(), enclosures: vec![file], ..NewItem::default() };
        let incoming = Incoming::of_items(feed, vec![Intent::Insert(Box::new(item))]);
        library.polls().store(&[&incoming]).await.unwrap();
        library.preferences().set(FeedScope::Feed(feed), Preferences::default()).await.unwrap();
        library.downloads().queue(&[(1, DownloadKind::Images)], 5).await.unwrap();
        library.episodes().queue(&[1], None).await.unwrap();
        let next = async || {
            let polls = library.polls().next_at().await.unwrap().is_some();
            (polls, library.downloads().next_at().await.unwrap(), library.episodes().next_at().await.unwrap())
        };
        assert_eq!(next().await, (true, Some(5), Some(0)));
        let step = library.feeds().unsubscribe(&[feed]).await.unwrap();
        assert_eq!(next().await, (false, None, None));
        library.undo(step.step).await.unwrap();
        assert_eq!(next().await, (true, Some(5), Some(0)));
    }

    #[tokio::test]
    async fn reads_the_queue_by_its_index_and_articles_by_id() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        for sql in [
            DUE.to_owned(),
            format!("{CANDIDATES} > 5 AND i.id <= 2005"),
            format!("{CANDIDATES} = 5"),
            NEXT.to_owned(),
            "SELECT count(*) FROM ahead WHERE next_at IS NULL".to_owned(),
            "SELECT digest FROM images WHERE there = 0".to_owned(),
            "SELECT digest FROM item_images WHERE url = 'u' AND digest IS NOT NULL".to_owned(),
            "SELECT 1 FROM item_images WHERE digest = x'00' AND digest IS NOT NULL".to_owned(),
        ] {
            let explain = sqlx::AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}"));
            let steps: Vec<(i64, i64, i64, String)> =
                sqlx::query_as(explain).fetch_all(&library.db.readers).await.unwrap();
            let plan: Vec<String> = steps.into_iter().map(|(_, _, _, step)| step).collect();
            let walks = |step: &String| {
                // Feeds and folders are few; an index with only the queried rows may be scanned as a whole.
                step.starts_with("SCAN") && ![" feeds", " inside", "INDEX"].iter().any(|few| step.contains(few))
            };
            assert!(!plan.iter().any(|step| walks(step) || step.contains("TEMP B-TREE")), "{sql}: {plan:#?}");
        }
    }
}
