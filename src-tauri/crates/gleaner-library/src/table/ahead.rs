//! `ahead`: the queue of what is fetched before anybody asks for it, and what of it failed. Wishes fill it (see `wishes.rs`), rules and
//! people do; `gleaner-polling` decides what a wish means and works the queue.

use crate::{Library, LibraryError, Millis};
use sqlx::SqliteConnection;

/// What is fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AheadWhat {
    /// The full text, from the article's own page.
    Text,
    /// The pictures of its texts.
    Pictures,
}

impl AheadWhat {
    /// As it is kept.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Pictures => "pictures",
        }
    }

    fn named(name: &str) -> Self {
        if name == "text" { Self::Text } else { Self::Pictures }
    }
}

/// Something to fetch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AheadJob {
    /// The article.
    pub item: i64,
    /// What of it.
    pub what: AheadWhat,
    /// How often it was tried in vain.
    pub tries: i64,
    /// The article's feed.
    pub feed: i64,
    /// The article's page.
    pub url: Option<String>,
}

/// How far it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, sqlx::FromRow)]
pub struct AheadState {
    /// Waiting in the queue: articles' texts and articles' pictures, each counted for itself.
    pub waiting: i64,
    /// Given up.
    pub failed: i64,
    /// Full texts that are there.
    pub texts: i64,
    /// Pictures that are there.
    pub pictures: i64,
    /// Bytes of these pictures.
    pub bytes: i64,
}

const DUE: &str =
    "SELECT a.item_id, a.what, a.tries, i.feed_id, i.url FROM ahead a CROSS JOIN items i ON i.id = a.item_id
    WHERE a.next_at <= ? AND i.feed_id NOT IN (SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL)
    ORDER BY a.next_at LIMIT ?";

impl Library {
    /// Asks for these whatever is wished of their feeds: the door for rules and for people. What was given up is tried anew.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn queue_ahead(&self, jobs: &[(i64, AheadWhat)], now: Millis) -> Result<(), LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        queue(&mut transaction, jobs, false, now).await?;
        Ok(transaction.commit().await?)
    }

    /// What is due at `now`, longest waiting first.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn ahead_due(&self, now: Millis, limit: i64) -> Result<Vec<AheadJob>, LibraryError> {
        let rows: Vec<(i64, String, i64, i64, Option<String>)> =
            sqlx::query_as(DUE).bind(now).bind(limit).fetch_all(&self.readers).await?;
        let job = |(item, what, tries, feed, url): (i64, String, i64, i64, Option<String>)| AheadJob {
            item,
            what: AheadWhat::named(&what),
            tries,
            feed,
            url,
        };
        Ok(rows.into_iter().map(job).collect())
    }

    /// What waits for longer than anything ever is to wait does so by a clock that was set back since: it is due now.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn ahead_after_all(&self, now: Millis, latest: Millis) -> Result<(), LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        sqlx::query("UPDATE ahead SET next_at = ?1 WHERE next_at > ?2")
            .bind(now)
            .bind(latest)
            .execute(&mut *transaction)
            .await?;
        Ok(transaction.commit().await?)
    }

    /// When something is due next.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn next_ahead_at(&self) -> Result<Option<Millis>, LibraryError> {
        let sql = "SELECT min(next_at) FROM ahead WHERE next_at IS NOT NULL";
        Ok(sqlx::query_scalar(sql).fetch_one(&self.readers).await?)
    }

    /// A job is done, and leaves the queue.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn ahead_done(&self, item: i64, what: AheadWhat) -> Result<(), LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        done(&mut transaction, item, what).await?;
        Ok(transaction.commit().await?)
    }

    /// A job came to nothing: it is tried again at `next`, or with `None` no more. `why` is in words for a person.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn ahead_failed(
        &self,
        job: &AheadJob,
        tries: i64,
        next: Option<Millis>,
        why: &str,
    ) -> Result<(), LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        sqlx::query("UPDATE ahead SET tries = ?3, next_at = ?4, error = ?5 WHERE item_id = ?1 AND what = ?2")
            .bind(job.item)
            .bind(job.what.name())
            .bind(tries)
            .bind(next)
            .bind(why)
            .execute(&mut *transaction)
            .await?;
        Ok(transaction.commit().await?)
    }

    /// Why the full text of an article did not come, where it was given up.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn ahead_trouble(&self, item: i64) -> Result<Option<String>, LibraryError> {
        let sql = "SELECT error FROM ahead WHERE item_id = ? AND what = 'text' AND next_at IS NULL";
        Ok(sqlx::query_scalar(sql).bind(item).fetch_optional(&self.readers).await?.flatten())
    }

    /// How far it is.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn ahead_state(&self) -> Result<AheadState, LibraryError> {
        Ok(sqlx::query_as(
            "SELECT (SELECT count(*) FROM ahead WHERE next_at IS NOT NULL) AS waiting,
                (SELECT count(*) FROM ahead WHERE next_at IS NULL) AS failed,
                (SELECT count(*) FROM full_texts) AS texts, (SELECT count(*) FROM images WHERE there = 1) AS pictures,
                (SELECT ifnull(sum(bytes), 0) FROM images WHERE there = 1) AS bytes",
        )
        .fetch_one(&self.readers)
        .await?)
    }
}

pub(crate) async fn done(connection: &mut SqliteConnection, item: i64, what: AheadWhat) -> sqlx::Result<()> {
    let sql = "DELETE FROM ahead WHERE item_id = ? AND what = ?";
    sqlx::query(sql).bind(item).bind(what.name()).execute(connection).await?;
    Ok(())
}

pub(crate) async fn queue(
    connection: &mut SqliteConnection,
    jobs: &[(i64, AheadWhat)],
    wished: bool,
    now: Millis,
) -> sqlx::Result<()> {
    let sql = "INSERT INTO ahead (item_id, what, wished, next_at) SELECT id, ?2, ?3, ?4 FROM items WHERE id = ?1
        ON CONFLICT (item_id, what) DO UPDATE SET wished = min(wished, ?3), tries = 0, next_at = ?4, error = NULL
            WHERE next_at IS NULL OR wished > ?3";
    for (item, what) in jobs {
        sqlx::query(sql).bind(item).bind(what.name()).bind(wished).bind(now).execute(&mut *connection).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::wishes::CANDIDATES;

    #[tokio::test]
    async fn the_queue_is_read_along_its_index_and_articles_by_their_numbers() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        for sql in [
            DUE.to_owned(),
            format!("{CANDIDATES} > 5 AND i.id <= 2005"),
            format!("{CANDIDATES} = 5"),
            "SELECT min(next_at) FROM ahead WHERE next_at IS NOT NULL".to_owned(),
            "SELECT count(*) FROM ahead WHERE next_at IS NULL".to_owned(),
            "SELECT digest FROM images WHERE there = 0".to_owned(),
            "SELECT digest FROM item_images WHERE url = 'u' AND digest IS NOT NULL".to_owned(),
            "SELECT 1 FROM item_images WHERE digest = x'00' AND digest IS NOT NULL".to_owned(),
        ] {
            let explain = sqlx::AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}"));
            let steps: Vec<(i64, i64, i64, String)> =
                sqlx::query_as(explain).fetch_all(&library.readers).await.unwrap();
            let plan: Vec<String> = steps.into_iter().map(|(_, _, _, step)| step).collect();
            let walks = |step: &String| {
                // Feeds and folders (`inside` one another) are few; an index that holds only what is asked for is walked from end to end.
                step.starts_with("SCAN") && ![" feeds", " inside", "INDEX"].iter().any(|few| step.contains(few))
            };
            assert!(!plan.iter().any(|step| walks(step) || step.contains("TEMP B-TREE")), "{sql}: {plan:#?}");
        }
    }
}
