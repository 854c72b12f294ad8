//! `progress`, `playback`: reading positions in articles and playback positions in audio and video. Stored when an article is left,
//! not while it is read; positions at the beginning or the end have no row in `progress`.

use crate::{
    LibraryError, Refusal, Undoable,
    database::{Database, repository, undo::UndoStep},
    json::{from_json, json},
};
use futures::future::BoxFuture;
use serde::Deserialize;
use sqlx::{
    Decode, Sqlite, SqliteExecutor, Type,
    error::BoxDynError,
    sqlite::{SqliteTypeInfo, SqliteValueRef},
};

/// Positions nearer to the beginning or the end, as a part of the article, are not stored.
const EDGE: f64 = 0.02;

/// Part of an enclosure's duration, in percent, after which it can be played to its end. Durations in feeds are not exact.
const END_PERCENT: f64 = 90.0;

/// Condition for the started enclosure `t` of `playback` that was played last of its article's.
pub(crate) const LAST_STARTED: &str = "t.finished = 0 AND t.seconds > 0 AND NOT EXISTS (SELECT 1 FROM playback o
    WHERE o.item_id = t.item_id AND o.finished = 0 AND o.seconds > 0 AND (o.at, o.url) > (t.at, t.url))";

/// Returns the SQL expression of how far the article `item` of `items` was played, in JSON, as [`Played`] reads it; NULL if it was not
/// played. If there are several enclosures, a started one is used, as in the list of started episodes, or else the one that was played
/// last.
pub(crate) fn played(item: &str) -> String {
    format!(
        "(SELECT json_object('seconds', CAST(p.seconds AS INTEGER), 'duration', CAST(ifnull(nullif(p.duration, 0),
            (SELECT max(e.duration_seconds) FROM enclosures e WHERE e.item_id = p.item_id AND e.url = p.url)) AS INTEGER),
            'finished', json(iif(p.finished, 'true', 'false')))
          FROM playback p WHERE p.item_id = {item}.id AND (p.finished OR p.seconds > 0) AND NOT EXISTS (SELECT 1 FROM playback o
            WHERE o.item_id = p.item_id AND (o.finished OR o.seconds > 0) AND (NOT o.finished, o.at, o.url) > (NOT p.finished, p.at, p.url)))"
    )
}

/// How far an article's audio or video was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Played {
    /// Position, in seconds.
    pub seconds: i64,
    /// Duration in seconds, if it is known.
    pub duration: Option<i64>,
    /// Whether it was played to its end.
    pub finished: bool,
}

impl Type<Sqlite> for Played {
    fn type_info() -> SqliteTypeInfo {
        <str as Type<Sqlite>>::type_info()
    }
}

impl<'r> Decode<'r, Sqlite> for Played {
    fn decode(value: SqliteValueRef<'r>) -> Result<Self, BoxDynError> {
        Ok(from_json(<&str as Decode<Sqlite>>::decode(value)?)?)
    }
}

/// The playback position in an enclosure.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow)]
pub struct Playback {
    /// Address of the enclosure.
    pub url: String,
    /// Position, in seconds.
    pub seconds: f64,
    /// Duration in seconds, if it is known.
    pub duration: Option<f64>,
    /// Whether it was played to its end.
    pub finished: bool,
}

/// Enclosures that were marked as played.
#[derive(Debug)]
struct Finished {
    item: i64,
    urls: Vec<String>,
}

repository!(
    /// How far articles were read and recordings were played.
    Progress
);

impl Progress<'_> {
    /// Stores the reading position in an article.
    ///
    /// # Errors
    /// [`LibraryError::Refused`] if that is not between 0 and 1; when the library cannot be written.
    pub async fn set_reading(self, item: i64, position: f64) -> Result<(), LibraryError> {
        if !(0.0..=1.0).contains(&position) {
            return Err(LibraryError::from(Refusal::ReadingPosition));
        }
        let sql = if (EDGE..=1.0 - EDGE).contains(&position) {
            // The article may have been deleted.
            "INSERT INTO progress (item_id, position, at) SELECT id, ?2, ?3 FROM items WHERE id = ?1
             ON CONFLICT (item_id) DO UPDATE SET position = excluded.position, at = excluded.at"
        } else {
            "DELETE FROM progress WHERE item_id = ?1 AND ?2 IS NOT NULL AND ?3 IS NOT NULL"
        };
        self.db.execute(sqlx::query(sql).bind(item).bind(position).bind(self.db.now())).await
    }

    /// Stores the playback position in an enclosure. Returns whether the enclosure has changed between started and not started. A duration
    /// of 0, or one that is shorter than the position, counts as unknown: players report the played length if they do not know that of the
    /// file. An enclosure is not finished while the position is far from the end of its known duration, minus the part that its feed skips.
    ///
    /// # Errors
    /// [`LibraryError::Refused`] for an invalid duration; when the library cannot be written.
    pub async fn set_playback(self, item: i64, played: &Playback) -> Result<bool, LibraryError> {
        if [Some(played.seconds), played.duration].iter().flatten().any(|length| !length.is_finite() || *length < 0.0) {
            return Err(LibraryError::from(Refusal::Duration));
        }
        let duration = played.duration.filter(|duration| *duration > 0.0 && *duration + 1.0 >= played.seconds);
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let end: Option<f64> = sqlx::query_scalar(
            "SELECT coalesce(?3, (SELECT nullif(duration, 0) FROM playback WHERE item_id = ?1 AND url = ?2),
                (SELECT max(duration_seconds) FROM enclosures WHERE item_id = ?1 AND url = ?2))
                - (SELECT f.skip_outro FROM items i JOIN feeds f ON f.id = i.feed_id WHERE i.id = ?1)",
        )
        .bind(item)
        .bind(&played.url)
        .bind(duration)
        .fetch_one(&mut *transaction)
        .await?;
        let finished = played.finished && end.is_none_or(|end| 100.0 * played.seconds >= END_PERCENT * end);
        let before: Option<bool> =
            sqlx::query_scalar("SELECT finished = 0 AND seconds > 0 FROM playback WHERE item_id = ? AND url = ?")
                .bind(item)
                .bind(&played.url)
                .fetch_optional(&mut *transaction)
                .await?;
        sqlx::query(
            "INSERT INTO playback (item_id, url, seconds, duration, finished, at) SELECT id, ?2, ?3, ?4, ?5, ?6 FROM items WHERE id = ?1
             ON CONFLICT (item_id, url) DO UPDATE SET seconds = excluded.seconds, duration = ifnull(excluded.duration, nullif(duration, 0)),
                finished = excluded.finished, at = excluded.at",
        )
        .bind(item)
        .bind(&played.url)
        .bind(played.seconds)
        .bind(duration)
        .bind(finished)
        .bind(self.db.now())
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(before.unwrap_or(false) != (!finished && played.seconds > 0.0))
    }

    /// Returns how far an article's audio or video was played; `None` if it was not played.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn played(self, item: i64) -> Result<Option<Played>, LibraryError> {
        let sql = format!("SELECT {} FROM items i WHERE i.id = ?", played("i"));
        let found = sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).bind(item).fetch_optional(&self.db.readers).await?;
        Ok(found.flatten())
    }

    /// Marks the started enclosures of an article as played to the end.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn finish(self, item: i64) -> Result<Undoable, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let urls: Vec<String> = sqlx::query_scalar(
            "UPDATE playback SET finished = 1 WHERE item_id = ? AND finished = 0 AND seconds > 0 RETURNING url",
        )
        .bind(item)
        .fetch_all(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(self.db.undo.push(usize::from(!urls.is_empty()), Finished { item, urls }))
    }

    /// Returns the number of articles in the list of started episodes.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn count_started(self) -> Result<i64, LibraryError> {
        let sql = "SELECT count(DISTINCT t.item_id) FROM playback t INDEXED BY playback_started
             CROSS JOIN states s ON s.item_id = t.item_id
             WHERE t.finished = 0 AND t.seconds > 0 AND s.hidden = 0
             AND s.feed_id NOT IN (SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL)";
        Ok(sqlx::query_scalar(sql).fetch_one(&self.db.readers).await?)
    }
}

/// Returns the reading position in an article: 0 its beginning, 1 its end. `None` if it was not begun or was read to its end.
pub(crate) async fn reading<'c>(reader: impl SqliteExecutor<'c>, item: i64) -> sqlx::Result<Option<f64>> {
    sqlx::query_scalar("SELECT position FROM progress WHERE item_id = ?").bind(item).fetch_optional(reader).await
}

/// Returns the playback positions in an article's enclosures.
pub(crate) async fn playback<'c>(reader: impl SqliteExecutor<'c>, item: i64) -> sqlx::Result<Vec<Playback>> {
    let sql = "SELECT url, seconds, duration, finished FROM playback WHERE item_id = ?";
    sqlx::query_as(sql).bind(item).fetch_all(reader).await
}

impl UndoStep for Finished {
    fn undo<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<(), LibraryError>> {
        Box::pin(async move {
            let sql = "UPDATE playback SET finished = 0 WHERE item_id = ? AND url IN (SELECT value FROM json_each(?))";
            db.execute(sqlx::query(sql).bind(self.item).bind(json(&self.urls)?)).await
        })
    }

    fn articles(&self) -> usize {
        1
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Library;
    use crate::{Enclosure, Incoming, Intent, ListQuery, MarkScope, NewItem, NewSubscription, Order, Source};

    #[tokio::test]
    async fn keeps_a_reading_position_until_the_end_is_reached() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let feed_id = library.subscriptions().add(&NewSubscription::new("https://a.example/feed")).await.unwrap();
        let intents = vec![Intent::Insert(Box::new(NewItem { key: "1".to_owned(), ..NewItem::default() }))];
        library.polls().store(&[&Incoming::of_items(feed_id, intents)]).await.unwrap();
        for (position, kept) in [(0.4, Some(0.4)), (0.7, Some(0.7)), (0.995, None), (0.5, Some(0.5)), (0.0, None)] {
            library.progress().set_reading(1, position).await.unwrap();
            assert_eq!(reading(&library.db.readers, 1).await.unwrap(), kept);
        }
        // A deleted article is not an error.
        library.progress().set_reading(99, 0.5).await.unwrap();
        assert!(matches!(library.progress().set_reading(1, f64::NAN).await, Err(LibraryError::Refused(_))));

        let mut played = Playback {
            url: "https://a.example/1.mp3".to_owned(),
            seconds: 61.5,
            duration: Some(600.0),
            finished: false,
        };
        assert!(library.progress().set_playback(1, &played).await.unwrap(), "it is started");
        assert!(!library.progress().set_playback(1, &played).await.unwrap(), "it was started before");
        library.progress().set_playback(99, &played).await.unwrap();
        assert_eq!(playback(&library.db.readers, 1).await.unwrap(), std::slice::from_ref(&played));
        library
            .progress()
            .set_playback(1, &Playback { seconds: 600.0, duration: None, finished: true, ..played.clone() })
            .await
            .unwrap();
        (played.seconds, played.finished) = (600.0, true);
        assert_eq!(playback(&library.db.readers, 1).await.unwrap(), [played.clone()]);
        assert!(library.progress().set_playback(1, &Playback { seconds: f64::INFINITY, ..played }).await.is_err());
    }

    async fn with_episodes(folder: &std::path::Path, count: i64) -> Library {
        let library = Library::open(folder).await.unwrap();
        let feed_id = library.subscriptions().add(&NewSubscription::new("https://a.example/feed")).await.unwrap();
        let item = |n: i64| NewItem {
            key: n.to_string(),
            media: Some("audio".to_owned()),
            enclosures: vec![Enclosure {
                url: file(n).url,
                mime_type: Some("audio/mpeg".to_owned()),
                duration_seconds: Some(600.0),
                ..Enclosure::default()
            }],
            ..NewItem::default()
        };
        let intents = (1..=count).map(|n| Intent::Insert(Box::new(item(n)))).collect();
        library.polls().store(&[&Incoming::of_items(feed_id, intents)]).await.unwrap();
        library
    }

    fn file(item: i64) -> Playback {
        Playback { url: format!("https://a.example/{item}.mp3"), seconds: 60.0, duration: None, finished: false }
    }

    /// Plays an enclosure at a moment.
    async fn play(library: &Library, item: i64, played: &Playback, at: i64) {
        library.progress().set_playback(item, played).await.unwrap();
        let sql = "UPDATE playback SET at = ? WHERE item_id = ? AND url = ?";
        library.db.execute(sqlx::query(sql).bind(at).bind(item).bind(&played.url)).await.unwrap();
    }

    /// Returns the ids of the started episodes, page by page.
    async fn started(library: &Library, limit: u32) -> Vec<i64> {
        let (mut ids, mut query) = (Vec::new(), ListQuery::newest(Source::Listening, limit));
        loop {
            let (rows, more) = library.lists().page(query).await.unwrap();
            ids.extend(rows.iter().map(|row| row.id));
            query.after = rows.last().map(crate::Row::cursor);
            if !more {
                return ids;
            }
        }
    }

    #[tokio::test]
    async fn an_implausible_end_does_not_finish_an_enclosure() {
        let folder = tempfile::tempdir().unwrap();
        let library = with_episodes(folder.path(), 3).await;
        let stored = async |item: i64, played: Playback| {
            library.progress().set_playback(item, &played).await.unwrap();
            let now = playback(&library.db.readers, item).await.unwrap().remove(0);
            (now.seconds, now.duration, now.finished)
        };
        // The feed says 600 seconds.
        let at = |item: i64, seconds: f64, duration: Option<f64>| Playback {
            seconds,
            duration,
            finished: true,
            ..file(item)
        };
        assert_eq!(stored(1, at(1, 4.0, Some(0.0))).await, (4.0, None, false));
        assert_eq!(stored(1, at(1, 37.0, Some(20.0))).await, (37.0, None, false));
        assert_eq!(started(&library, 5).await, [1]);
        assert_eq!(stored(1, at(1, 590.0, None)).await, (590.0, None, true));
        // The player knows better than the feed.
        assert_eq!(stored(2, at(2, 300.0, Some(300.2))).await, (300.0, Some(300.2), true));
        assert_eq!(stored(2, at(2, 100.0, Some(0.0))).await, (100.0, Some(300.2), false));
        // The last part is skipped.
        library.db.execute(sqlx::query("UPDATE feeds SET skip_outro = 200")).await.unwrap();
        assert_eq!(stored(3, at(3, 400.0, Some(600.0))).await, (400.0, Some(600.0), true));
        // An earlier version stored a duration of 0.
        library
            .db
            .execute(sqlx::query("UPDATE playback SET duration = 0, finished = 0 WHERE item_id = 1"))
            .await
            .unwrap();
        let (rows, _) = library.lists().page(ListQuery::newest(Source::Listening, 5)).await.unwrap();
        let mut shown: Vec<_> = rows.iter().map(|row| (row.id, row.played.unwrap().duration)).collect();
        shown.sort_unstable();
        assert_eq!(shown, [(1, Some(600)), (2, Some(300))]);
        assert_eq!(stored(1, at(1, 40.0, None)).await, (40.0, None, false));
    }

    #[tokio::test]
    async fn lists_started_episodes_by_when_they_were_last_played() {
        let folder = tempfile::tempdir().unwrap();
        let library = with_episodes(folder.path(), 6).await;
        for (item, at) in [(2, 50), (5, 10), (3, 30), (1, 30)] {
            play(&library, item, &file(item), at).await;
        }
        play(&library, 4, &Playback { seconds: 600.0, finished: true, ..file(4) }, 90).await;
        play(&library, 6, &Playback { seconds: 0.0, ..file(6) }, 90).await;
        for limit in [1, 2, 10] {
            assert_eq!(started(&library, limit).await, [2, 3, 1, 5]);
        }
        assert_eq!(library.progress().count_started().await.unwrap(), 4);

        // An article is listed once, by the enclosure that was played last.
        play(&library, 5, &Playback { url: "https://a.example/5.mp4".to_owned(), seconds: 7.5, ..file(5) }, 60).await;
        assert_eq!(started(&library, 2).await, [5, 2, 3, 1]);
        let (rows, _) = library.lists().page(ListQuery::newest(Source::Listening, 2)).await.unwrap();
        let shown: Vec<_> = rows.iter().map(|row| (row.sort_at, row.played)).collect();
        assert_eq!(shown, [(60, Some(started_at(7, None))), (50, Some(started_at(60, Some(600))))]);
        assert_eq!(library.progress().count_started().await.unwrap(), 4);

        // Other orders do not apply.
        let by_feed = ListQuery { order: Order::ByFeed, ..ListQuery::newest(Source::Listening, 10) };
        assert_eq!(library.lists().page(by_feed).await.unwrap().0.len(), 4);
        let above = MarkScope::Below(rows_at(&library, 1).await);
        library.articles().mark_list_read(Source::Listening, Order::Newest, above, None).await.unwrap();
        let unread = ListQuery { unread_only: true, ..ListQuery::newest(Source::Listening, 10) };
        let (rows, _) = library.lists().page(unread).await.unwrap();
        assert_eq!(rows.iter().map(|row| row.id).collect::<Vec<_>>(), [5, 2]);
    }

    fn started_at(seconds: i64, duration: Option<i64>) -> Played {
        Played { seconds, duration, finished: false }
    }

    /// Returns how far each article was played, by its id.
    fn played_of(rows: &[crate::Row]) -> Vec<(i64, Option<Played>)> {
        let mut all: Vec<_> = rows.iter().map(|row| (row.id, row.played)).collect();
        all.sort_unstable_by_key(|(id, _)| *id);
        all
    }

    #[tokio::test]
    async fn every_list_knows_how_far_an_episode_was_played() {
        let folder = tempfile::tempdir().unwrap();
        let library = with_episodes(folder.path(), 6).await;
        // 5 and 6 have no episode, only recordings in their texts.
        library.db.execute(sqlx::query("UPDATE items SET media = NULL WHERE id > 4")).await.unwrap();
        play(&library, 1, &file(1), 10).await;
        play(&library, 2, &Playback { seconds: 600.0, finished: true, ..file(2) }, 20).await;
        play(&library, 3, &Playback { seconds: 0.0, ..file(3) }, 30).await;
        play(&library, 5, &file(5), 40).await;
        let whole = Played { finished: true, ..started_at(600, Some(600)) };
        let expected = [
            (1, Some(started_at(60, Some(600)))),
            (2, Some(whole)),
            (3, None),
            (4, None),
            // Articles without an episode show their reading time.
            (5, None),
            (6, None),
        ];
        library.articles().set_marks(&[1, 2, 3, 4, 5, 6], &[(crate::Mark::Starred, true)]).await.unwrap();
        let orders = [Order::Newest, Order::Oldest, Order::ByFeed, Order::Longest, Order::Title, Order::Author];
        for source in [Source::All, Source::Unread, Source::Starred, Source::Feed(1), Source::Since(0)] {
            for order in orders {
                let query = ListQuery { order, ..ListQuery::newest(source, 10) };
                assert_eq!(played_of(&library.lists().page(query).await.unwrap().0), expected, "{source:?} {order:?}");
            }
        }
        let long = ListQuery { order: Order::Longest, ..ListQuery::newest(Source::All, 10) };
        assert_eq!(played_of(&library.lists().by_length(&long, 10).await.unwrap()), expected);
        let (rows, _) = library.lists().page(ListQuery::newest(Source::Listening, 10)).await.unwrap();
        assert_eq!(played_of(&rows), [expected[0], (5, Some(started_at(60, Some(600))))]);
        library.episodes().queue(&[2, 4], None).await.unwrap();
        let (rows, _) = library.lists().page(ListQuery::newest(Source::Downloads, 10)).await.unwrap();
        assert_eq!(played_of(&rows), [expected[1], expected[3]]);
    }

    #[tokio::test]
    async fn of_several_files_a_started_one_comes_before_a_finished_one() {
        let folder = tempfile::tempdir().unwrap();
        let library = with_episodes(folder.path(), 1).await;
        let bonus = Playback { url: "https://a.example/bonus.mp3".to_owned(), ..file(1) };
        let now = async || {
            let (rows, _) = library.lists().page(ListQuery::newest(Source::All, 10)).await.unwrap();
            assert_eq!(rows[0].played, library.progress().played(1).await.unwrap());
            rows[0].played
        };
        assert_eq!(now().await, None);
        play(&library, 1, &file(1), 10).await;
        play(&library, 1, &Playback { seconds: 30.0, duration: Some(30.0), finished: true, ..bonus.clone() }, 20).await;
        assert_eq!(now().await, Some(started_at(60, Some(600))), "the bonus was finished later");
        let step = library.progress().finish(1).await.unwrap().step;
        assert_eq!(now().await, Some(Played { finished: true, ..started_at(30, Some(30)) }), "it was played last");
        library.undo(step).await.unwrap();
        play(&library, 1, &Playback { seconds: 5.0, ..bonus }, 30).await;
        assert_eq!(now().await, Some(started_at(5, Some(30))));
        assert_eq!(library.progress().played(99).await.unwrap(), None);
    }

    async fn rows_at(library: &Library, index: usize) -> crate::Cursor {
        let (rows, _) = library.lists().page(ListQuery::newest(Source::Listening, 10)).await.unwrap();
        rows[index].cursor()
    }

    #[tokio::test]
    async fn an_episode_marked_as_played_is_no_longer_started() {
        let folder = tempfile::tempdir().unwrap();
        let library = with_episodes(folder.path(), 2).await;
        play(&library, 1, &file(1), 10).await;
        play(&library, 2, &file(2), 20).await;
        let done = library.progress().finish(2).await.unwrap();
        assert_eq!(started(&library, 5).await, [1]);
        library.undo(done.step).await.unwrap();
        assert_eq!(started(&library, 5).await, [2, 1]);
        library.articles().set_marks(&[2], &[(crate::Mark::Hidden, true)]).await.unwrap();
        assert_eq!((started(&library, 5).await, library.progress().count_started().await.unwrap()), (vec![1], 1));
    }
}
