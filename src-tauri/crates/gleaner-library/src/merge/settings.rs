//! Copies the user's settings of a feed to the feed that it is merged into, if that one has no value of its own.

use crate::{LibraryError, Millis, json::json, table::preferences};
use sqlx::SqliteConnection;

/// Columns of `feeds` that the user sets, each with its value when nothing is set.
const COLUMNS: [(&str, &str); 11] = [
    ("custom_title", "NULL"),
    ("refresh_minutes", "NULL"),
    ("ahead", "NULL"),
    ("full_text_when", "NULL"),
    ("full_text_first", "0"),
    ("load_images", "NULL"),
    ("notify", "NULL"),
    ("playback_speed", "NULL"),
    ("skip_intro", "0"),
    ("skip_outro", "0"),
    ("kept_silent", "NULL"),
];

/// The settings that were copied.
#[derive(Debug, Clone, Default)]
pub(super) struct FeedSettings {
    columns: Vec<usize>,
    retention: bool,
}

impl FeedSettings {
    /// Copies the settings of a feed that another feed does not have. A retention policy is copied only if it keeps everything: a merge
    /// must not make articles expire.
    pub(super) async fn carry(
        connection: &mut SqliteConnection,
        from: i64,
        into: i64,
        now: Millis,
    ) -> Result<Self, LibraryError> {
        let mut columns = Vec::new();
        for (at, (column, unset)) in COLUMNS.iter().enumerate() {
            let sql = format!(
                "UPDATE feeds SET {column} = o.{column} FROM feeds o
                 WHERE feeds.id = ?2 AND o.id = ?1 AND feeds.{column} IS {unset} AND o.{column} IS NOT {unset}"
            );
            let query = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(from).bind(into);
            columns.extend((query.execute(&mut *connection).await?.rows_affected() > 0).then_some(at));
        }
        let sql = "INSERT OR IGNORE INTO retention (scope, scope_id, keep_unread) SELECT scope, ?2, keep_unread FROM retention
             WHERE scope = 'feed' AND scope_id = ?1 AND days IS NULL AND articles IS NULL AND bytes IS NULL";
        let query = sqlx::query(sql).bind(from).bind(into);
        let retention = query.execute(&mut *connection).await?.rows_affected() > 0;
        preferences::update_next_polls_of(connection, &json(&[into])?, now).await?;
        Ok(Self { columns, retention })
    }

    /// Removes the copies that the user has not changed since.
    pub(super) async fn part(
        &self,
        connection: &mut SqliteConnection,
        from: i64,
        into: i64,
        now: Millis,
    ) -> Result<(), LibraryError> {
        for (column, unset) in self.columns.iter().filter_map(|at| COLUMNS.get(*at)) {
            let sql = format!(
                "UPDATE feeds SET {column} = {unset} WHERE id = ?2 AND {column} IS (SELECT {column} FROM feeds WHERE id = ?1)"
            );
            sqlx::query(sqlx::AssertSqlSafe(sql)).bind(from).bind(into).execute(&mut *connection).await?;
        }
        if self.retention {
            let sql = "DELETE FROM retention WHERE scope = 'feed' AND scope_id = ? AND days IS NULL AND articles IS NULL AND bytes IS NULL";
            sqlx::query(sql).bind(into).execute(&mut *connection).await?;
        }
        Ok(preferences::update_next_polls_of(connection, &json(&[into])?, now).await?)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::{FeedPlayback, FeedScope, Library, NewSubscription, Preferences, RetentionPolicy};

    #[tokio::test]
    async fn settings_are_kept_where_the_other_feed_has_none() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let mut feeds = Vec::new();
        for name in ["one", "other"] {
            let new = NewSubscription::new(format!("https://a.example/{name}"));
            feeds.push(library.subscriptions().add(&new).await.unwrap());
        }
        let (one, other) = (feeds[0], feeds[1]);
        library.feeds().rename(one, "Plums").await.unwrap();
        let set = |minutes, images| Preferences {
            refresh_minutes: minutes,
            load_images: images,
            full_text_first: Some(false),
            notify: Some(true),
            ..Preferences::default()
        };
        let of = async |feed| {
            let row = library.feeds().get(feed).await.unwrap();
            let preferences = library.preferences().get(FeedScope::Feed(feed)).await.unwrap().own;
            let retention = library.retention().get(FeedScope::Feed(feed)).await.unwrap().0;
            (row.custom_title, row.playback, preferences, retention)
        };
        let keep = async |policy| {
            library.retention().set(FeedScope::Feed(one), Some(policy), library.now(), |_| true).await.unwrap();
        };
        library.preferences().set(FeedScope::Feed(one), set(Some(0), Some(true))).await.unwrap();
        let own = Preferences { load_images: Some(false), ..Preferences::default() };
        library.preferences().set(FeedScope::Feed(other), own).await.unwrap();
        let playback = FeedPlayback { playback_speed: Some(150), skip_intro: 20, skip_outro: 0 };
        library.feeds().set_playback(one, playback).await.unwrap();
        keep(RetentionPolicy::EVERYTHING).await;
        let before = (of(one).await, of(other).await);
        let due = async || {
            library.polls().list().await.unwrap().into_iter().find(|poll| poll.feed_id == other).unwrap().next_at
        };
        assert!(due().await.is_some());

        let step = library.subscriptions().merge(one, other).await.unwrap().step;
        let merged = (Some("Plums".to_owned()), playback, set(Some(0), Some(false)), Some(RetentionPolicy::EVERYTHING));
        assert_eq!(of(other).await, merged);
        assert_eq!(due().await, None, "it is never updated automatically");
        library.undo(step).await.unwrap();
        assert_eq!((of(one).await, of(other).await), before);
        assert!(due().await.is_some());

        keep(RetentionPolicy { days: Some(3), ..RetentionPolicy::EVERYTHING }).await;
        library.subscriptions().merge(one, other).await.unwrap();
        assert_eq!(of(other).await.3, None, "no article expires by a merge");
    }
}
