//! `progress`, `playback`: reading positions in articles and playback positions in audio and video. Stored when an article is left,
//! not while it is read; positions at the beginning or the end have no row in `progress`.

use crate::{LibraryError, Refusal, database::repository};
use sqlx::SqliteExecutor;

/// Positions nearer to the beginning or the end, as a part of the article, are not stored.
const EDGE: f64 = 0.02;

/// The playback position in an enclosure.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow)]
pub struct Playback {
    /// Address of the enclosure.
    pub url: String,
    /// Position, in seconds.
    pub seconds: f64,
    /// Duration, in seconds, where it is known.
    pub duration: Option<f64>,
    /// Whether it was played to its end.
    pub finished: bool,
}

repository!(
    /// How far articles were read and recordings were played.
    Progress
);

impl Progress<'_> {
    /// Stores the reading position in an article.
    ///
    /// # Errors
    /// [`LibraryError::Refused`] where that is not between 0 and 1; when the library cannot be written.
    pub async fn set_reading(self, item: i64, position: f64) -> Result<(), LibraryError> {
        if !(0.0..=1.0).contains(&position) {
            return Err(LibraryError::from(Refusal::ReadingPosition));
        }
        let sql = if (EDGE..=1.0 - EDGE).contains(&position) {
            // The article may be deleted by now.
            "INSERT INTO progress (item_id, position, at) SELECT id, ?2, ?3 FROM items WHERE id = ?1
             ON CONFLICT (item_id) DO UPDATE SET position = excluded.position, at = excluded.at"
        } else {
            "DELETE FROM progress WHERE item_id = ?1 AND ?2 IS NOT NULL AND ?3 IS NOT NULL"
        };
        self.db.execute(sqlx::query(sql).bind(item).bind(position).bind(self.db.now())).await
    }

    /// Stores the playback position in an enclosure.
    ///
    /// # Errors
    /// [`LibraryError::Refused`] for an invalid duration; when the library cannot be written.
    pub async fn set_playback(self, item: i64, played: &Playback) -> Result<(), LibraryError> {
        if [Some(played.seconds), played.duration].iter().flatten().any(|length| !length.is_finite() || *length < 0.0) {
            return Err(LibraryError::from(Refusal::Duration));
        }
        self.db.execute(sqlx::query(
            "INSERT INTO playback (item_id, url, seconds, duration, finished, at) SELECT id, ?2, ?3, ?4, ?5, ?6 FROM items WHERE id = ?1
             ON CONFLICT (item_id, url) DO UPDATE SET seconds = excluded.seconds, duration = ifnull(excluded.duration, duration),
                finished = excluded.finished, at = excluded.at",
        )
        .bind(item)
        .bind(&played.url)
        .bind(played.seconds)
        .bind(played.duration)
        .bind(played.finished)
        .bind(self.db.now())).await
    }
}

/// Returns the reading position in an article: 0 its beginning, 1 its end. `None` where it was not begun or was read to its end.
pub(crate) async fn reading<'c>(reader: impl SqliteExecutor<'c>, item: i64) -> sqlx::Result<Option<f64>> {
    sqlx::query_scalar("SELECT position FROM progress WHERE item_id = ?").bind(item).fetch_optional(reader).await
}

/// Returns the playback positions in an article's enclosures.
pub(crate) async fn playback<'c>(reader: impl SqliteExecutor<'c>, item: i64) -> sqlx::Result<Vec<Playback>> {
    let sql = "SELECT url, seconds, duration, finished FROM playback WHERE item_id = ?";
    sqlx::query_as(sql).bind(item).fetch_all(reader).await
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Library;
    use crate::{Incoming, Intent, NewItem, NewSubscription, Poll};

    #[tokio::test]
    async fn keeps_a_reading_position_until_the_end_is_reached() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let url = "https://a.example/feed".to_owned();
        let feed_id =
            library.subscriptions().add(&NewSubscription { url, ..NewSubscription::default() }).await.unwrap();
        let intents = vec![Intent::Insert(Box::new(NewItem { key: "1".to_owned(), ..NewItem::default() }))];
        let poll = Poll { feed_id, ..Poll::default() };
        library.polls().store(&[&Incoming { poll, intents, ..Incoming::default() }]).await.unwrap();
        for (position, kept) in [(0.4, Some(0.4)), (0.7, Some(0.7)), (0.995, None), (0.5, Some(0.5)), (0.0, None)] {
            library.progress().set_reading(1, position).await.unwrap();
            assert_eq!(reading(&library.db.readers, 1).await.unwrap(), kept);
        }
        // A deleted article is no error.
        library.progress().set_reading(99, 0.5).await.unwrap();
        assert!(matches!(library.progress().set_reading(1, f64::NAN).await, Err(LibraryError::Refused(_))));

        let mut played = Playback {
            url: "https://a.example/1.mp3".to_owned(),
            seconds: 61.5,
            duration: Some(600.0),
            finished: false,
        };
        library.progress().set_playback(1, &played).await.unwrap();
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
}
