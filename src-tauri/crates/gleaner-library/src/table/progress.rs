//! `progress`, `playback`: how far an article was read, and how far its sound or film was played. Written when one is left, not while it
//! is read; what is at its beginning or its end has no row in `progress`.

use crate::{Library, LibraryError, now};

/// Nearer to the beginning or the end than this part of an article there is nothing to come back to.
const EDGE: f64 = 0.02;

/// How far an enclosure was played.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow)]
pub struct Playback {
    /// The enclosure's.
    pub url: String,
    /// From its beginning.
    pub seconds: f64,
    /// Its whole length, where that is known.
    pub duration: Option<f64>,
    /// It was heard to its end.
    pub finished: bool,
}

impl Library {
    /// How far an article was read: 0 its beginning, 1 its end. `None` where it was not begun or was read to its end.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn progress(&self, item: i64) -> Result<Option<f64>, LibraryError> {
        let sql = "SELECT position FROM progress WHERE item_id = ?";
        Ok(sqlx::query_scalar(sql).bind(item).fetch_optional(&self.readers).await?)
    }

    /// Keeps how far an article was read.
    ///
    /// # Errors
    /// [`LibraryError::Invalid`] where that is not between 0 and 1; when the library cannot be written.
    pub async fn set_progress(&self, item: i64, position: f64) -> Result<(), LibraryError> {
        if !(0.0..=1.0).contains(&position) {
            return Err(LibraryError::Invalid(format!("a place in an article is between 0 and 1, not {position}")));
        }
        let sql = if (EDGE..=1.0 - EDGE).contains(&position) {
            // An article may be gone by now.
            "INSERT INTO progress (item_id, position, at) SELECT id, ?2, ?3 FROM items WHERE id = ?1
             ON CONFLICT (item_id) DO UPDATE SET position = excluded.position, at = excluded.at"
        } else {
            "DELETE FROM progress WHERE item_id = ?1 AND ?2 IS NOT NULL AND ?3 IS NOT NULL"
        };
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        sqlx::query(sql).bind(item).bind(position).bind(now()).execute(&mut *transaction).await?;
        Ok(transaction.commit().await?)
    }

    /// How far each of an article's enclosures was played, of those that were.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn playback(&self, item: i64) -> Result<Vec<Playback>, LibraryError> {
        let sql = "SELECT url, seconds, duration, finished FROM playback WHERE item_id = ?";
        Ok(sqlx::query_as(sql).bind(item).fetch_all(&self.readers).await?)
    }

    /// Keeps how far an enclosure was played.
    ///
    /// # Errors
    /// [`LibraryError::Invalid`] where a length is none; when the library cannot be written.
    pub async fn set_playback(&self, item: i64, played: &Playback) -> Result<(), LibraryError> {
        if [Some(played.seconds), played.duration].iter().flatten().any(|length| !length.is_finite() || *length < 0.0) {
            return Err(LibraryError::Invalid("a length of time is a number of seconds".to_owned()));
        }
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        sqlx::query(
            "INSERT INTO playback (item_id, url, seconds, duration, finished, at) SELECT id, ?2, ?3, ?4, ?5, ?6 FROM items WHERE id = ?1
             ON CONFLICT (item_id, url) DO UPDATE SET seconds = excluded.seconds, duration = ifnull(excluded.duration, duration),
                finished = excluded.finished, at = excluded.at",
        )
        .bind(item)
        .bind(&played.url)
        .bind(played.seconds)
        .bind(played.duration)
        .bind(played.finished)
        .bind(now())
        .execute(&mut *transaction)
        .await?;
        Ok(transaction.commit().await?)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Incoming, Intent, NewItem, NewSubscription, Poll};

    #[tokio::test]
    async fn a_place_is_kept_until_the_end_is_reached() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let url = "https://a.example/feed".to_owned();
        let feed_id = library.subscribe(&NewSubscription { url, ..NewSubscription::default() }).await.unwrap();
        let intents = vec![Intent::Insert(Box::new(NewItem { key: "1".to_owned(), ..NewItem::default() }))];
        let poll = Poll { feed_id, ..Poll::default() };
        library.store(&[&Incoming { poll, intents, ..Incoming::default() }]).await.unwrap();
        for (position, kept) in [(0.4, Some(0.4)), (0.7, Some(0.7)), (0.995, None), (0.5, Some(0.5)), (0.0, None)] {
            library.set_progress(1, position).await.unwrap();
            assert_eq!(library.progress(1).await.unwrap(), kept);
        }
        // One that is gone is no trouble.
        library.set_progress(99, 0.5).await.unwrap();
        assert!(matches!(library.set_progress(1, f64::NAN).await, Err(LibraryError::Invalid(_))));

        let mut played = Playback {
            url: "https://a.example/1.mp3".to_owned(),
            seconds: 61.5,
            duration: Some(600.0),
            finished: false,
        };
        library.set_playback(1, &played).await.unwrap();
        library.set_playback(99, &played).await.unwrap();
        assert_eq!(library.playback(1).await.unwrap(), std::slice::from_ref(&played));
        library
            .set_playback(1, &Playback { seconds: 600.0, duration: None, finished: true, ..played.clone() })
            .await
            .unwrap();
        (played.seconds, played.finished) = (600.0, true);
        assert_eq!(library.playback(1).await.unwrap(), [played.clone()]);
        assert!(library.set_playback(1, &Playback { seconds: f64::INFINITY, ..played }).await.is_err());
    }
}
