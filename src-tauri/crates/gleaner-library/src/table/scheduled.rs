//! `held`: articles dated in the future that are scheduled for their date, if the user wants that. They are in `items`, so that they are
//! recognised and updated with their feed. Until they are released at their date they have no row in `states`, and so are in no list, count
//! or duplicate group.

use crate::{
    LibraryError, Millis, NewItem, Stored,
    database::repository,
    table::{
        duplicates,
        preferences::NOTIFIED_FEEDS,
        rules::{Action, was_applied},
        settings,
    },
};
use sqlx::SqliteConnection;
use std::sync::atomic::Ordering;

/// The setting that schedules articles: "true".
pub(crate) const SETTING: &str = "hold_future";

/// Which articles to release.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Which {
    All,
    /// Articles that are due now.
    Due(Millis),
    One(i64),
}

repository!(
    /// Articles dated in the future.
    Scheduled
);

impl Scheduled<'_> {
    /// Returns whether articles dated in the future are scheduled.
    pub fn is_enabled(self) -> bool {
        self.db.schedules_future()
    }

    /// Schedules articles dated in the future from now on, or releases all scheduled ones.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn set_enabled(self, enabled: bool) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        settings::set(&mut transaction, SETTING, if enabled { "true" } else { "false" }).await?;
        if !enabled {
            release(&mut transaction, Which::All, self.db.now(), self.db.combines_duplicates()).await?;
        }
        transaction.commit().await?;
        // Inside the write transaction, before anything else is stored.
        self.db.schedule_future.store(enabled, Ordering::Relaxed);
        Ok(())
    }

    /// Releases the articles that are due, or all of them if articles are not scheduled any more.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn release_due(self, now: Millis) -> Result<Stored, LibraryError> {
        let which = if self.db.schedules_future() { Which::Due(now) } else { Which::All };
        let next = self.next_at().await?;
        if next.is_none_or(|next| matches!(which, Which::Due(now) if next > now)) {
            return Ok(Stored::default());
        }
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let released = release(&mut transaction, which, now, self.db.combines_duplicates()).await?;
        transaction.commit().await?;
        Ok(released)
    }

    /// Returns when the next article is due.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn next_at(self) -> Result<Option<Millis>, LibraryError> {
        Ok(sqlx::query_scalar("SELECT min(until) FROM held").fetch_one(&self.db.readers).await?)
    }
}

/// Returns the date for which a new article is scheduled, if articles dated in the future are (`schedules`).
pub(crate) fn until(item: &NewItem, schedules: bool) -> Option<Millis> {
    // An article that is stored as read is old, whatever its date.
    item.due_at.filter(|_| schedules && !item.read)
}

/// Schedules a new article.
pub(crate) async fn schedule(connection: &mut SqliteConnection, item: i64, until: Millis) -> sqlx::Result<()> {
    sqlx::query("INSERT INTO held (item_id, until) VALUES (?, ?)").bind(item).bind(until).execute(connection).await?;
    Ok(())
}

/// Changes the date of an article. Returns whether it is scheduled.
pub(crate) async fn date_changed(connection: &mut SqliteConnection, item: i64, until: Millis) -> sqlx::Result<bool> {
    let scheduled =
        sqlx::query("UPDATE held SET until = ?2 WHERE item_id = ?1").bind(item).bind(until).execute(connection).await?;
    Ok(scheduled.rows_affected() > 0)
}

/// Releases articles: they get their position in lists by their date, and the state that rules gave them. They are read if a duplicate was
/// read.
pub(crate) async fn release(
    connection: &mut SqliteConnection,
    which: Which,
    now: Millis,
    combine: bool,
) -> sqlx::Result<Stored> {
    let (condition, value) = match which {
        Which::All => ("?1 = ?1", 0),
        Which::Due(moment) => ("until <= ?1", moment),
        Which::One(item) => ("item_id = ?1", item),
    };
    // They are received now: marking everything received before as read must not include them.
    let sql = format!(
        "UPDATE items SET received_at = ?2, sort_at = min(?2, (SELECT until FROM held WHERE item_id = id))
         WHERE id IN (SELECT item_id FROM held WHERE {condition})"
    );
    sqlx::query(sqlx::AssertSqlSafe(sql)).bind(value).bind(now).execute(&mut *connection).await?;
    let read_as_duplicate = if combine { duplicates::DUPLICATE_WAS_READ } else { "0" };
    let [read, star, hide, keep, notify] =
        [Action::Read, Action::Star, Action::Hide, Action::Keep, Action::Notify].map(|action| was_applied(&action));
    let sql = format!(
        "INSERT INTO states (item_id, feed_id, sort_at, read, read_at, starred, starred_at, hidden, kept)
         SELECT id, feed_id, sort_at, {read} OR {read_as_duplicate}, iif({read} OR {read_as_duplicate}, ?2, NULL), {star}, iif({star}, ?2, NULL), {hide}, {keep}
         FROM items WHERE id IN (SELECT item_id FROM held WHERE {condition})"
    );
    let released = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(value).bind(now).execute(&mut *connection).await?;
    let sql = format!(
        "SELECT id FROM items WHERE id IN (SELECT item_id FROM held WHERE {condition}) AND ({notify} OR feed_id IN ({NOTIFIED_FEEDS})
            AND EXISTS (SELECT 1 FROM states s WHERE s.item_id = items.id AND s.read = 0 AND s.hidden = 0))"
    );
    let notify = sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).bind(value).fetch_all(&mut *connection).await?;
    // The row numbers of the search index follow the dates, so they are indexed again. With a new stamp, since they may be being indexed.
    for sql in [
        "INSERT INTO search_queue (item_id, stamp) SELECT item_id, random() FROM held WHERE {condition}
         ON CONFLICT (item_id) DO UPDATE SET stamp = excluded.stamp",
        "DELETE FROM search WHERE rowid IN (SELECT docid FROM search_docs WHERE item_id IN (SELECT item_id FROM held WHERE {condition}))",
        "DELETE FROM search_docs WHERE item_id IN (SELECT item_id FROM held WHERE {condition})",
    ] {
        let sql = sql.replace("{condition}", condition);
        sqlx::query(sqlx::AssertSqlSafe(sql)).bind(value).execute(&mut *connection).await?;
    }
    let sql = format!("DELETE FROM held WHERE {condition}");
    sqlx::query(sqlx::AssertSqlSafe(sql)).bind(value).execute(connection).await?;
    let new = usize::try_from(released.rows_affected()).unwrap_or(usize::MAX);
    Ok(Stored { new, notify, ..Stored::default() })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Library;
    use crate::{Incoming, Intent, NewSubscription};

    #[tokio::test]
    async fn scheduled_articles_and_the_setting_change_together() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let feed_id = library.subscriptions().add(&NewSubscription::new("https://a.example/feed")).await.unwrap();
        library.scheduled().set_enabled(true).await.unwrap();
        let item = NewItem { key: "later".to_owned(), due_at: Some(i64::MAX / 2), ..NewItem::default() };
        let incoming = Incoming::of_items(feed_id, vec![Intent::Insert(Box::new(item))]);
        library.polls().store(&[&incoming]).await.unwrap();
        let run = async |sql: &'static str| {
            let mut writer = library.db.writer().await;
            sqlx::raw_sql(sql).execute(writer.connection()).await.unwrap();
        };
        run("CREATE TRIGGER fails BEFORE DELETE ON held BEGIN SELECT RAISE(ABORT, 'no'); END").await;
        library.scheduled().set_enabled(false).await.unwrap_err();
        assert_eq!(library.settings().get(SETTING).await.unwrap().as_deref(), Some("true"));
        assert!(library.scheduled().is_enabled() && library.articles().get(1).await.is_err());
        run("DROP TRIGGER fails").await;
        library.scheduled().set_enabled(false).await.unwrap();
        assert!(!library.scheduled().is_enabled() && library.articles().get(1).await.is_ok());
    }
}
