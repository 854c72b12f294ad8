//! `held`: articles dated in the future that are held back until their date, where the user wishes so. They are in `items` with
//! all that is theirs, so that they are known again and change with their feed, but have no row in `states` and so are in no list,
//! no count and no story until they are due. Then they come in as of their date.

use super::{preferences::TOLD_OF, rule_touches::said, rules::Action, settings, stories};
use crate::{Library, LibraryError, Millis, NewItem, Stored, now};
use sqlx::SqliteConnection;
use std::sync::atomic::Ordering;

/// The setting that holds articles back: "true".
pub(crate) const SETTING: &str = "hold_future";

/// What is to be let go.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Which {
    All,
    /// What is due at this moment.
    Due(Millis),
    One(i64),
}

impl Library {
    /// Whether articles dated in the future are held back until their date.
    pub fn holds_future(&self) -> bool {
        self.hold_future.load(Ordering::Relaxed)
    }

    /// Holds articles dated in the future back from now on, or lets all go that are held.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn set_hold_future(&self, hold: bool) -> Result<(), LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        settings::set(&mut transaction, SETTING, if hold { "true" } else { "false" }).await?;
        if !hold {
            release(&mut transaction, Which::All, now(), self.stories_are_one()).await?;
        }
        transaction.commit().await?;
        // Before anything else is stored: that is held as is wished now.
        self.hold_future.store(hold, Ordering::Relaxed);
        Ok(())
    }

    /// Lets articles go whose date has come; all of them where none are to be held.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn release_held(&self, now: Millis) -> Result<Stored, LibraryError> {
        let which = if self.holds_future() { Which::Due(now) } else { Which::All };
        let next = self.next_held_at().await?;
        if next.is_none_or(|next| matches!(which, Which::Due(now) if next > now)) {
            return Ok(Stored::default());
        }
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let released = release(&mut transaction, which, now, self.stories_are_one()).await?;
        transaction.commit().await?;
        Ok(released)
    }

    /// When the next article's date comes.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn next_held_at(&self) -> Result<Option<Millis>, LibraryError> {
        Ok(sqlx::query_scalar("SELECT min(until) FROM held").fetch_one(&self.readers).await?)
    }
}

/// Until when an article that comes is held.
pub(crate) fn until(item: &NewItem, hold: bool) -> Option<Millis> {
    // What comes in read is old, whatever its date says.
    item.due_at.filter(|_| hold && !item.read)
}

/// Holds an article that has just come.
pub(crate) async fn hold(connection: &mut SqliteConnection, item: i64, until: Millis) -> sqlx::Result<()> {
    sqlx::query("INSERT INTO held (item_id, until) VALUES (?, ?)").bind(item).bind(until).execute(connection).await?;
    Ok(())
}

/// An article has another date now. Says whether it is held.
pub(crate) async fn date_changed(connection: &mut SqliteConnection, item: i64, until: Millis) -> sqlx::Result<bool> {
    let held =
        sqlx::query("UPDATE held SET until = ?2 WHERE item_id = ?1").bind(item).bind(until).execute(connection).await?;
    Ok(held.rows_affected() > 0)
}

/// They come in now, at the place in lists that their date gives them, as rules made them when they came; read, where their story
/// was read elsewhere.
pub(crate) async fn release(
    connection: &mut SqliteConnection,
    which: Which,
    now: Millis,
    one_story: bool,
) -> sqlx::Result<Stored> {
    let (condition, value) = match which {
        Which::All => ("?1 = ?1", 0),
        Which::Due(moment) => ("until <= ?1", moment),
        Which::One(item) => ("item_id = ?1", item),
    };
    // Nobody has seen them, so "all that has come by then is read" must not mean them: they are received now.
    let sql = format!(
        "UPDATE items SET received_at = ?2, sort_at = min(?2, (SELECT until FROM held WHERE item_id = id))
         WHERE id IN (SELECT item_id FROM held WHERE {condition})"
    );
    sqlx::query(sqlx::AssertSqlSafe(sql)).bind(value).bind(now).execute(&mut *connection).await?;
    let elsewhere = if one_story { stories::READ_ELSEWHERE } else { "0" };
    let [read, star, hide, keep, notify] =
        [Action::Read, Action::Star, Action::Hide, Action::Keep, Action::Notify].map(|action| said(&action));
    let sql = format!(
        "INSERT INTO states (item_id, feed_id, sort_at, read, read_at, starred, starred_at, hidden, kept)
         SELECT id, feed_id, sort_at, {read} OR {elsewhere}, iif({read} OR {elsewhere}, ?2, NULL), {star}, iif({star}, ?2, NULL), {hide}, {keep}
         FROM items WHERE id IN (SELECT item_id FROM held WHERE {condition})"
    );
    let released = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(value).bind(now).execute(&mut *connection).await?;
    let sql = format!(
        "SELECT id FROM items WHERE id IN (SELECT item_id FROM held WHERE {condition}) AND ({notify} OR feed_id IN ({TOLD_OF})
            AND EXISTS (SELECT 1 FROM states s WHERE s.item_id = items.id AND s.read = 0 AND s.hidden = 0))"
    );
    let notify = sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).bind(value).fetch_all(&mut *connection).await?;
    let sql = format!("DELETE FROM held WHERE {condition}");
    sqlx::query(sqlx::AssertSqlSafe(sql)).bind(value).execute(connection).await?;
    let new = usize::try_from(released.rows_affected()).unwrap_or(usize::MAX);
    Ok(Stored { new, changed: 0, notify })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Incoming, Intent, NewSubscription, Poll};

    #[tokio::test]
    async fn what_is_held_is_let_go_with_the_wish_or_neither() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let url = "https://a.example/feed".to_owned();
        let feed_id = library.subscribe(&NewSubscription { url, ..NewSubscription::default() }).await.unwrap();
        library.set_hold_future(true).await.unwrap();
        let item = NewItem { key: "later".to_owned(), due_at: Some(i64::MAX / 2), ..NewItem::default() };
        let (poll, intents) = (Poll { feed_id, ..Poll::default() }, vec![Intent::Insert(Box::new(item))]);
        library.store(&[&Incoming { poll, intents, ..Incoming::default() }]).await.unwrap();
        let run = async |sql: &'static str| {
            let mut writer = library.writer().await;
            sqlx::raw_sql(sql).execute(writer.connection()).await.unwrap();
        };
        run("CREATE TRIGGER fails BEFORE DELETE ON held BEGIN SELECT RAISE(ABORT, 'no'); END").await;
        library.set_hold_future(false).await.unwrap_err();
        assert_eq!(library.setting(SETTING).await.unwrap().as_deref(), Some("true"));
        assert!(library.holds_future() && library.item(1).await.is_err());
        run("DROP TRIGGER fails").await;
        library.set_hold_future(false).await.unwrap();
        assert!(!library.holds_future() && library.item(1).await.is_ok());
    }
}
