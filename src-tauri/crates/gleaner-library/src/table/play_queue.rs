//! `play_queue`: the audio and video files to play next, in the user's order. A file that begins to play leaves the queue.

use crate::{
    LibraryError, Refusal, Undoable,
    database::{Database, repository, undo::UndoStep},
    json::json,
};
use futures::future::BoxFuture;
use sqlx::{SqliteConnection, SqliteExecutor};

/// Maximum number of files in the queue.
const MAX_QUEUE: usize = 1000;

/// The id of an article and the address of one of its enclosures.
pub type QueueEntry = (i64, String);

/// A file in the queue.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow)]
pub struct QueuedEpisode {
    /// Id of the article.
    pub item_id: i64,
    /// Id of its feed.
    pub feed_id: i64,
    /// Title of the article.
    pub title: String,
    /// Address of the enclosure.
    pub url: String,
    /// MIME type as the feed gives it.
    pub mime_type: Option<String>,
    /// Duration in seconds, from the player or from the feed.
    pub duration: Option<f64>,
    /// Playback position in seconds.
    pub seconds: f64,
    /// Whether it was played to its end.
    pub finished: bool,
    /// Address of the article's image.
    pub thumbnail: Option<String>,
}

/// Removed files with their positions.
#[derive(Debug)]
struct Removed(Vec<(usize, QueueEntry)>);

async fn entries(reader: impl SqliteExecutor<'_>) -> sqlx::Result<Vec<QueueEntry>> {
    sqlx::query_as("SELECT item_id, url FROM play_queue ORDER BY position").fetch_all(reader).await
}

/// Replaces the queue. Deleted articles are left out.
async fn replace(connection: &mut SqliteConnection, entries: &[QueueEntry]) -> Result<(), LibraryError> {
    if entries.len() > MAX_QUEUE {
        return Err(Refusal::PlayQueueFull.into());
    }
    sqlx::query("DELETE FROM play_queue").execute(&mut *connection).await?;
    sqlx::query(
        "INSERT INTO play_queue (item_id, url, position)
         SELECT i.id, j.value ->> 1, j.key FROM json_each(?) j CROSS JOIN items i ON i.id = j.value ->> 0",
    )
    .bind(json(entries)?)
    .execute(connection)
    .await?;
    Ok(())
}

/// Adds files that are not in the queue to its end, up to its maximum length. Returns their number.
pub(crate) async fn append(connection: &mut SqliteConnection, files: Vec<QueueEntry>) -> Result<usize, LibraryError> {
    let mut queue = entries(&mut *connection).await?;
    let before = queue.len();
    for file in files {
        if queue.len() < MAX_QUEUE && !queue.contains(&file) {
            queue.push(file);
        }
    }
    let added = queue.len() - before;
    if added > 0 {
        replace(connection, &queue).await?;
    }
    Ok(added)
}

repository!(
    /// The play queue.
    PlayQueue
);

impl PlayQueue<'_> {
    /// Returns the queue, in order, without files of unsubscribed feeds.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn list(self) -> Result<Vec<QueuedEpisode>, LibraryError> {
        Ok(sqlx::query_as(
            "SELECT q.item_id, i.feed_id, i.title, q.url, e.mime_type, ifnull(nullif(p.duration, 0), e.duration_seconds) AS duration,
                ifnull(p.seconds, 0.0) AS seconds, ifnull(p.finished, 0) AS finished, i.thumbnail_url AS thumbnail
             FROM play_queue q CROSS JOIN items i ON i.id = q.item_id
             LEFT JOIN enclosures e ON e.item_id = q.item_id
                AND e.position = (SELECT min(position) FROM enclosures WHERE item_id = q.item_id AND url = q.url)
             LEFT JOIN playback p ON p.item_id = q.item_id AND p.url = q.url
             WHERE i.feed_id NOT IN (SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL)
             ORDER BY q.position",
        )
        .fetch_all(&self.db.readers)
        .await?)
    }

    /// Adds the first audio or video file of each article, or the one with this address, at the beginning or the end. A file that
    /// is in the queue already is moved. Returns the number of files.
    ///
    /// # Errors
    /// [`LibraryError::Refused`] when the queue would be too long; when the library cannot be written.
    pub async fn add(self, articles: &[i64], url: Option<&str>, next: bool) -> Result<usize, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let added: Vec<QueueEntry> = sqlx::query_as(
            "SELECT e.item_id, e.url FROM json_each(?1) j CROSS JOIN enclosures e ON e.item_id = j.value
             WHERE e.position = (SELECT min(position) FROM enclosures WHERE item_id = j.value AND (?2 IS NULL OR url = ?2)
                AND (mime_type LIKE 'audio/%' OR mime_type LIKE 'video/%' OR mime_type LIKE '%/%mpegurl%') AND (url LIKE 'http://%' OR url LIKE 'https://%'))
             ORDER BY j.key",
        )
        .bind(json(articles)?)
        .bind(url)
        .fetch_all(&mut *transaction)
        .await?;
        let mut queue = entries(&mut *transaction).await?;
        queue.retain(|entry| !added.contains(entry));
        let at = if next { 0 } else { queue.len() };
        let count = added.len();
        queue.splice(at..at, added);
        replace(&mut transaction, &queue).await?;
        transaction.commit().await?;
        Ok(count)
    }

    /// Moves a file to a position, from 0; beyond the end, to the end.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`] when it is not in the queue; when the library cannot be written.
    pub async fn move_to(self, entry: &QueueEntry, to: usize) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let mut queue = entries(&mut *transaction).await?;
        let at = queue.iter().position(|other| other == entry).ok_or(LibraryError::NotFound("queued file"))?;
        let moved = queue.remove(at);
        queue.insert(to.min(queue.len()), moved);
        replace(&mut transaction, &queue).await?;
        Ok(transaction.commit().await?)
    }

    /// Removes a file, or all of them.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn remove(self, entry: Option<&QueueEntry>) -> Result<Undoable, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let queue = entries(&mut *transaction).await?;
        let (removed, left): (Vec<_>, Vec<_>) =
            queue.into_iter().enumerate().partition(|(_, other)| entry.is_none_or(|entry| entry == other));
        let left: Vec<QueueEntry> = left.into_iter().map(|(_, entry)| entry).collect();
        replace(&mut transaction, &left).await?;
        transaction.commit().await?;
        Ok(self.db.undo.push(removed.len(), Removed(removed)))
    }

    async fn put_back(self, removed: &[(usize, QueueEntry)]) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let mut queue = entries(&mut *transaction).await?;
        for (at, entry) in removed {
            if !queue.contains(entry) {
                queue.insert((*at).min(queue.len()), entry.clone());
            }
        }
        replace(&mut transaction, &queue).await?;
        Ok(transaction.commit().await?)
    }
}

impl UndoStep for Removed {
    fn undo<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<(), LibraryError>> {
        Box::pin(async move { PlayQueue::new(db).put_back(&self.0).await })
    }

    fn articles(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Enclosure, Incoming, Intent, Library, NewItem, NewSubscription};

    async fn with_episodes(folder: &std::path::Path, count: usize) -> Library {
        let library = Library::open(folder).await.unwrap();
        let feed_id = library.subscriptions().add(&NewSubscription::new("https://a.example/feed")).await.unwrap();
        let file =
            |url: String, mime: &str| Enclosure { url, mime_type: Some(mime.to_owned()), ..Enclosure::default() };
        let item = |n: usize| NewItem {
            key: n.to_string(),
            title: n.to_string(),
            enclosures: vec![
                file(format!("https://a.example/{n}.pdf"), "application/pdf"),
                file(format!("https://a.example/{n}.mp3"), "audio/mpeg"),
                file(format!("https://a.example/{n}.mp4"), "video/mp4"),
                file(format!("https://a.example/{n}.m3u8"), "application/x-mpegURL"),
            ],
            ..NewItem::default()
        };
        let intents = (1..=count).map(|n| Intent::Insert(Box::new(item(n)))).collect();
        library.polls().store(&[&Incoming::of_items(feed_id, intents)]).await.unwrap();
        library
    }

    async fn queue(library: &Library) -> Vec<String> {
        let list = library.play_queue().list().await.unwrap();
        list.into_iter().map(|episode| episode.url.replace("https://a.example/", "")).collect()
    }

    #[tokio::test]
    async fn plays_next_and_later_in_the_users_order_and_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let library = with_episodes(folder.path(), 4).await;
        assert_eq!(library.play_queue().add(&[1, 2], None, false).await.unwrap(), 2);
        assert_eq!(library.play_queue().add(&[3, 99], None, true).await.unwrap(), 1, "a missing article is left out");
        assert_eq!(library.play_queue().add(&[4], Some("https://a.example/4.mp4"), false).await.unwrap(), 1);
        assert_eq!(queue(&library).await, ["3.mp3", "1.mp3", "2.mp3", "4.mp4"]);
        assert_eq!(library.play_queue().add(&[4], Some("https://a.example/4.pdf"), false).await.unwrap(), 0);
        assert_eq!(
            library.play_queue().add(&[4], Some("https://a.example/4.m3u8"), false).await.unwrap(),
            1,
            "a stream"
        );
        library.play_queue().remove(Some(&(4, "https://a.example/4.m3u8".to_owned()))).await.unwrap();
        library.play_queue().add(&[2], None, true).await.unwrap();
        assert_eq!(queue(&library).await, ["2.mp3", "3.mp3", "1.mp3", "4.mp4"], "an entry is moved, not repeated");
        library.play_queue().move_to(&(2, "https://a.example/2.mp3".to_owned()), 2).await.unwrap();
        library.play_queue().move_to(&(3, "https://a.example/3.mp3".to_owned()), 99).await.unwrap();
        library.close().await.unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        assert_eq!(queue(&library).await, ["1.mp3", "2.mp3", "4.mp4", "3.mp3"]);
        let missing = library.play_queue().move_to(&(3, "https://a.example/other".to_owned()), 0).await;
        assert!(matches!(missing, Err(LibraryError::NotFound(_))));
    }

    #[tokio::test]
    async fn removed_files_are_put_back_where_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let library = with_episodes(folder.path(), 3).await;
        library.play_queue().add(&[1, 2, 3], None, false).await.unwrap();
        let entry = (2, "https://a.example/2.mp3".to_owned());
        let one = library.play_queue().remove(Some(&entry)).await.unwrap();
        assert_eq!((one.count, queue(&library).await), (1, vec!["1.mp3".to_owned(), "3.mp3".to_owned()]));
        library.undo(one.step).await.unwrap();
        assert_eq!(queue(&library).await, ["1.mp3", "2.mp3", "3.mp3"]);
        let all = library.play_queue().remove(None).await.unwrap();
        assert_eq!((all.count, queue(&library).await.len()), (3, 0));
        library.play_queue().add(&[3], None, false).await.unwrap();
        library.undo(all.step).await.unwrap();
        assert_eq!(queue(&library).await, ["1.mp3", "2.mp3", "3.mp3"], "an entry is not repeated");
    }

    #[tokio::test]
    async fn refuses_more_files_than_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let library = with_episodes(folder.path(), MAX_QUEUE + 1).await;
        let ids: Vec<i64> = (1..).take(MAX_QUEUE).collect();
        library.play_queue().add(&ids, None, false).await.unwrap();
        let full = library.play_queue().add(&[MAX_QUEUE as i64 + 1], None, true).await;
        assert!(matches!(full, Err(LibraryError::Refused(Refusal::PlayQueueFull))));
        assert_eq!(library.play_queue().list().await.unwrap().len(), MAX_QUEUE, "nothing changed");
    }
}
