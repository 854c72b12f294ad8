//! `episodes`: audio and video files that are downloaded to play them offline. Each is a file in the folder `episodes` of the library,
//! named after its article and address; an incomplete one has an extension. A file without a row is removed by
//! [`Episodes::reconcile`], and a row without its file is queued again, so a kill at any moment loses nothing but a request.
// long: the rows of downloads and their files, which are changed together.

use crate::{
    LibraryError, Millis, Parameters,
    database::repository,
    files::{create_private_folder, private_options, remove_if_present, sync_folder, write_error},
    json::json,
    table::settings::Settings,
};
use serde::{Deserialize, Serialize};
use std::{
    collections::HashSet,
    fs::{self, File},
    io::{self, ErrorKind},
    path::PathBuf,
};

/// Subfolder of the library's folder.
const FOLDER: &str = "episodes";
/// Extension of an incomplete file.
const INCOMPLETE: &str = "part";
/// The setting that holds [`EpisodeSettings`].
const SETTING: &str = "episodes";
const DAY: Millis = 24 * 60 * 60 * 1000;

/// Limits of downloaded episodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EpisodeSettings {
    /// Maximum size of all files in bytes.
    pub max_bytes: u64,
    /// Days after which an episode that was played to its end is removed, unless it is starred; `None`: never.
    pub remove_after_days: Option<u32>,
}

impl Default for EpisodeSettings {
    fn default() -> Self {
        Self { max_bytes: 5_000_000_000, remove_after_days: Some(7) }
    }
}

/// State of a download.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type)]
#[repr(i64)]
pub enum EpisodeState {
    /// Queued, or being downloaded.
    Queued = 0,
    /// Its file is complete.
    Downloaded = 1,
    /// It failed, and is not tried again.
    Failed = 2,
}

/// A download of an episode.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Episode {
    /// Id of the article.
    pub item_id: i64,
    /// Id of its feed.
    pub feed_id: i64,
    /// Title of the article.
    pub title: String,
    /// Address of the enclosure.
    pub url: String,
    /// State of the download.
    pub state: EpisodeState,
    /// Length of its file, complete or not.
    pub bytes: i64,
    /// Length of the complete file, if it is known.
    pub total: Option<i64>,
    /// Strong ETag or Last-Modified of the incomplete file.
    pub validator: Option<Vec<u8>>,
    /// MIME type.
    pub mime_type: Option<String>,
    /// Number of failed attempts.
    pub tries: i64,
    /// Code of the last error.
    pub error: Option<String>,
    /// Parameters of the error.
    #[sqlx(try_from = "String")]
    pub parameters: Parameters,
}

impl Episode {
    /// Returns the name of its file.
    pub fn file_name(&self) -> String {
        name(self.item_id, &self.url)
    }
}

repository!(
    /// Downloaded episodes.
    Episodes
);

const COLUMNS: &str = "e.item_id, i.feed_id, i.title, e.url, e.state, e.bytes, e.total, e.validator, e.mime_type, e.tries, e.error, e.parameters
     FROM episodes e CROSS JOIN items i ON i.id = e.item_id
     WHERE i.feed_id NOT IN (SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL)";

/// Condition for the download `t` of `episodes` that is the newest of its article's.
pub(crate) const LAST_OF_ARTICLE: &str =
    "NOT EXISTS (SELECT 1 FROM episodes o WHERE o.item_id = t.item_id AND (o.at, o.url) > (t.at, t.url))";

/// Name of a file.
fn name(item: i64, url: &str) -> String {
    format!("{item}-{}", &blake3::hash(url.as_bytes()).to_hex()[..16])
}

impl Episodes<'_> {
    fn folder(self) -> PathBuf {
        self.db.folder().join(FOLDER)
    }

    /// Returns the path of an incomplete file, whose folder exists.
    ///
    /// # Errors
    /// When the folder cannot be created.
    pub fn incomplete(self, item: i64, url: &str) -> Result<PathBuf, LibraryError> {
        let folder = self.folder();
        create_private_folder(&folder).map_err(|error| write_error(&folder, &error))?;
        Ok(folder.join(name(item, url)).with_extension(INCOMPLETE))
    }

    /// Opens an incomplete file that has this length, to append to it. What is beyond is removed.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn open(self, item: i64, url: &str, length: u64) -> Result<File, LibraryError> {
        let path = self.incomplete(item, url)?;
        let open = || {
            let file = private_options().append(true).create(true).open(&path)?;
            file.set_len(length)?;
            Ok(file)
        };
        open().map_err(|error| write_error(&path, &error))
    }

    /// Queues the first audio or video file of each article, or the one with this address. Returns the number of files.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn queue(self, articles: &[i64], url: Option<&str>) -> Result<usize, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let done = sqlx::query(
            "INSERT INTO episodes (item_id, url, at, mime_type) SELECT e.item_id, e.url, ?3, e.mime_type
             FROM json_each(?1) j CROSS JOIN enclosures e ON e.item_id = j.value
             WHERE e.position = (SELECT min(position) FROM enclosures WHERE item_id = j.value AND (?2 IS NULL OR url = ?2)
                AND (mime_type LIKE 'audio/%' OR mime_type LIKE 'video/%') AND (url LIKE 'http://%' OR url LIKE 'https://%'))
             ON CONFLICT (item_id, url) DO UPDATE SET state = 0, tries = 0, next_at = 0, error = NULL, parameters = '{}'
                WHERE state = 2 OR next_at > 0",
        )
        .bind(json(articles)?)
        .bind(url)
        .bind(self.db.now())
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(usize::try_from(done.rows_affected()).unwrap_or(0))
    }

    /// Returns all downloads of subscribed feeds, newest first.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn list(self) -> Result<Vec<Episode>, LibraryError> {
        let sql = format!("SELECT {COLUMNS} ORDER BY e.at DESC, e.item_id DESC");
        Ok(sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(&self.db.readers).await?)
    }

    /// Returns the queued downloads that are due, oldest first.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn due(self) -> Result<Vec<Episode>, LibraryError> {
        let sql = format!("SELECT {COLUMNS} AND e.state = 0 AND e.next_at <= ? ORDER BY e.at, e.item_id");
        Ok(sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(self.db.now()).fetch_all(&self.db.readers).await?)
    }

    /// Makes downloads due now that wait beyond `latest`, because the clock was set back since.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn reset_far_future(self, latest: Millis) -> Result<(), LibraryError> {
        self.db
            .execute(sqlx::query("UPDATE episodes SET next_at = 0 WHERE state = 0 AND next_at > ?").bind(latest))
            .await
    }

    /// Returns when the next queued download is due.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn next_at(self) -> Result<Option<Millis>, LibraryError> {
        let sql = "SELECT min(e.next_at) FROM episodes e CROSS JOIN items i ON i.id = e.item_id WHERE e.state = 0 AND i.feed_id NOT IN (SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL)";
        Ok(sqlx::query_scalar(sql).fetch_one(&self.db.readers).await?)
    }

    /// Returns the size of all other files.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn bytes_of_others(self, item: i64, url: &str) -> Result<u64, LibraryError> {
        let sql = "SELECT ifnull(sum(bytes), 0) FROM episodes WHERE item_id <> ? OR url <> ?";
        let bytes: i64 = sqlx::query_scalar(sql).bind(item).bind(url).fetch_one(&self.db.readers).await?;
        Ok(u64::try_from(bytes).unwrap_or(0))
    }

    /// Records how much of a file was received. Returns whether it is still queued.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn received(self, episode: &Episode) -> Result<bool, LibraryError> {
        let sql =
            "UPDATE episodes SET bytes = ?3, total = ?4, validator = ?5 WHERE item_id = ?1 AND url = ?2 AND state = 0";
        let query = sqlx::query(sql)
            .bind(episode.item_id)
            .bind(&episode.url)
            .bind(episode.bytes)
            .bind(episode.total)
            .bind(&episode.validator);
        self.changed(query).await
    }

    async fn changed(
        self,
        query: sqlx::query::Query<'_, sqlx::Sqlite, sqlx::sqlite::SqliteArguments>,
    ) -> Result<bool, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let done = query.execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(done.rows_affected() > 0)
    }

    /// Completes a file that was received and written to the disk. Returns whether it is still wanted.
    ///
    /// # Errors
    /// When the file cannot be renamed or the library not be written.
    pub async fn complete(self, episode: &Episode) -> Result<bool, LibraryError> {
        let folder = self.folder();
        let file = folder.join(name(episode.item_id, &episode.url));
        let rename = || {
            fs::rename(file.with_extension(INCOMPLETE), &file)?;
            sync_folder(&folder)
        };
        rename().map_err(|error| write_error(&file, &error))?;
        let sql = "UPDATE episodes SET state = 1, bytes = ?3, total = ?3, at = ?4, validator = NULL, error = NULL, parameters = '{}'
             WHERE item_id = ?1 AND url = ?2 AND state = 0";
        let query = sqlx::query(sql).bind(episode.item_id).bind(&episode.url).bind(episode.bytes).bind(self.db.now());
        let wanted = self.changed(query).await?;
        if !wanted {
            self.remove_file(episode.item_id, &episode.url)?;
        }
        Ok(wanted)
    }

    /// Records a failed attempt, and the episode's number of tries. `next`: when it is tried again; `None`: not at all.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn fail(
        self,
        episode: &Episode,
        next: Option<Millis>,
        (code, parameters): (&str, &Parameters),
    ) -> Result<(), LibraryError> {
        let sql = "UPDATE episodes SET state = iif(?3 IS NULL, 2, 0), next_at = ifnull(?3, 0), tries = ?6, error = ?4, parameters = ?5
             WHERE item_id = ?1 AND url = ?2 AND state = 0";
        let query = sqlx::query(sql).bind(episode.item_id).bind(&episode.url).bind(next).bind(code);
        self.changed(query.bind(parameters.stored()).bind(episode.tries)).await.map(drop)
    }

    fn remove_file(self, item: i64, url: &str) -> Result<(), LibraryError> {
        let file = self.folder().join(name(item, url));
        for path in [file.with_extension(INCOMPLETE), file] {
            remove_if_present(&path).map_err(|error| write_error(&path, &error))?;
        }
        Ok(())
    }

    /// Cancels or removes the downloads of articles, or the one with this address. Returns their number.
    ///
    /// # Errors
    /// When the library or a file cannot be written.
    pub async fn remove(self, articles: &[i64], url: Option<&str>) -> Result<usize, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let removed: Vec<(i64, String)> = sqlx::query_as(
            "DELETE FROM episodes WHERE item_id IN (SELECT value FROM json_each(?1)) AND (?2 IS NULL OR url = ?2) RETURNING item_id, url",
        )
        .bind(json(articles)?)
        .bind(url)
        .fetch_all(&mut *transaction)
        .await?;
        transaction.commit().await?;
        drop(writer);
        for (item, url) in &removed {
            self.remove_file(*item, url)?;
        }
        Ok(removed.len())
    }

    /// Removes the files that were played to their end some time ago, except those of starred articles. Returns their number.
    ///
    /// # Errors
    /// When the library or a file cannot be written.
    pub async fn remove_played(self) -> Result<usize, LibraryError> {
        let Some(days) = self.settings().await?.remove_after_days else { return Ok(0) };
        let sql =
            "SELECT e.item_id, e.url FROM episodes e CROSS JOIN playback p ON p.item_id = e.item_id AND p.url = e.url
             CROSS JOIN states s ON s.item_id = e.item_id
             WHERE e.state = 1 AND p.finished = 1 AND p.at <= ? AND s.starred = 0";
        let until = self.db.now() - DAY * Millis::from(days);
        let played: Vec<(i64, String)> = sqlx::query_as(sql).bind(until).fetch_all(&self.db.readers).await?;
        let mut count = 0;
        for (item, url) in &played {
            count += self.remove(&[*item], Some(url)).await?;
        }
        Ok(count)
    }

    /// Returns the complete file with this name and its MIME type.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn by_name(self, file: &str) -> Result<Option<(PathBuf, Option<String>)>, LibraryError> {
        let Some(item) = file.split_once('-').and_then(|(item, _)| item.parse::<i64>().ok()) else { return Ok(None) };
        let sql = "SELECT url, mime_type FROM episodes WHERE item_id = ? AND state = 1";
        let files: Vec<(String, Option<String>)> = sqlx::query_as(sql).bind(item).fetch_all(&self.db.readers).await?;
        let found = files.into_iter().find(|(url, _)| name(item, url) == file);
        Ok(found.map(|(_, mime_type)| (self.folder().join(file), mime_type)))
    }

    /// Removes files without a row, and queues downloads without their file again.
    ///
    /// # Errors
    /// When the library or a file cannot be read or written.
    pub async fn reconcile(self) -> Result<(), LibraryError> {
        let sql = "SELECT item_id, url, state FROM episodes";
        let known: Vec<(i64, String, EpisodeState)> = sqlx::query_as(sql).fetch_all(&self.db.readers).await?;
        let folder = self.folder();
        for (item, url, state) in &known {
            if *state == EpisodeState::Downloaded && !folder.join(name(*item, url)).exists() {
                let sql = "UPDATE episodes SET state = 0, bytes = 0 WHERE item_id = ? AND url = ?";
                self.db.execute(sqlx::query(sql).bind(item).bind(url)).await?;
            }
        }
        let names: HashSet<String> = known
            .iter()
            .map(|(item, url, state)| match state {
                EpisodeState::Downloaded => name(*item, url),
                _ => format!("{}.{INCOMPLETE}", name(*item, url)),
            })
            .collect();
        let remove_others = || -> io::Result<()> {
            for file in fs::read_dir(&folder)? {
                let file = file?;
                if !names.contains(&*file.file_name().to_string_lossy()) {
                    remove_if_present(&file.path())?;
                }
            }
            Ok(())
        };
        match remove_others() {
            // Nothing was downloaded yet.
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            done => done.map_err(|error| write_error(&folder, &error)),
        }
    }

    /// Returns the limits.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn settings(self) -> Result<EpisodeSettings, LibraryError> {
        let stored = Settings::new(self.db).get(SETTING).await?;
        Ok(stored.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default())
    }

    /// Sets the limits.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn set_settings(self, settings: EpisodeSettings) -> Result<(), LibraryError> {
        Settings::new(self.db).set(SETTING, &json(&settings)?).await
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Enclosure, Incoming, Intent, Library, Mark, NewItem, NewSubscription, Playback};
    use std::{io::Write as _, path::Path};

    async fn with_episodes(folder: &Path) -> Library {
        let library = Library::open(folder).await.unwrap();
        let feed_id = library.subscriptions().add(&NewSubscription::new("https://a.example/feed")).await.unwrap();
        let file = |n: usize| Enclosure {
            url: format!("https://a.example/{n}.mp3"),
            mime_type: Some("audio/mpeg".to_owned()),
            ..Enclosure::default()
        };
        let item = |n: usize| NewItem { key: n.to_string(), enclosures: vec![file(n)], ..NewItem::default() };
        let intents = (1..=3).map(|n| Intent::Insert(Box::new(item(n)))).collect();
        library.polls().store(&[&Incoming::of_items(feed_id, intents)]).await.unwrap();
        library
    }

    async fn download(library: &Library, item: i64) -> Episode {
        library.episodes().queue(&[item], None).await.unwrap();
        let queued = library.episodes().due().await.unwrap();
        let mut episode = queued.into_iter().find(|episode| episode.item_id == item).unwrap();
        library.episodes().open(item, &episode.url, 0).unwrap().write_all(b"sound").unwrap();
        episode.bytes = 5;
        assert!(library.episodes().complete(&episode).await.unwrap());
        episode
    }

    fn files(folder: &Path) -> usize {
        fs::read_dir(folder.join(FOLDER)).map_or(0, Iterator::count)
    }

    #[tokio::test]
    async fn a_removed_or_missing_file_can_be_downloaded_again() {
        let folder = tempfile::tempdir().unwrap();
        let library = with_episodes(folder.path()).await;
        let episode = download(&library, 1).await;
        let (path, mime) = library.episodes().by_name(&episode.file_name()).await.unwrap().unwrap();
        assert_eq!((fs::read(&path).unwrap(), mime.as_deref()), (b"sound".to_vec(), Some("audio/mpeg")));
        assert_eq!(library.episodes().queue(&[1], None).await.unwrap(), 0, "it is there already");
        fs::remove_file(&path).unwrap();
        library.episodes().reconcile().await.unwrap();
        assert_eq!(library.episodes().due().await.unwrap().len(), 1);
        download(&library, 2).await;
        let page = library.lists().page(crate::ListQuery::newest(crate::Source::Downloads, 5)).await.unwrap();
        assert_eq!(page.0.iter().map(|row| row.id).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(library.episodes().remove(&[1, 2], None).await.unwrap(), 2);
        assert_eq!((library.episodes().list().await.unwrap().len(), files(folder.path())), (0, 0));
    }

    #[tokio::test]
    async fn a_cancelled_download_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let library = with_episodes(folder.path()).await;
        library.episodes().queue(&[1], None).await.unwrap();
        let episode = library.episodes().due().await.unwrap().remove(0);
        assert!(library.episodes().received(&episode).await.unwrap());
        library.episodes().remove(&[1], None).await.unwrap();
        assert!(!library.episodes().received(&episode).await.unwrap());
        library.episodes().open(1, &episode.url, 0).unwrap();
        assert!(!library.episodes().complete(&episode).await.unwrap());
        assert_eq!(files(folder.path()), 0);
        fs::write(folder.path().join(FOLDER).join("9-stray"), "x").unwrap();
        library.episodes().reconcile().await.unwrap();
        assert_eq!(files(folder.path()), 0);
    }

    #[tokio::test]
    async fn removes_played_episodes_but_no_starred_ones() {
        let folder = tempfile::tempdir().unwrap();
        let library = with_episodes(folder.path()).await;
        for item in 1..=3 {
            let episode = download(&library, item).await;
            let played = Playback { url: episode.url, seconds: 5.0, duration: None, finished: item != 3 };
            library.progress().set_playback(item, &played).await.unwrap();
        }
        library.articles().set_marks(&[2], &[(Mark::Starred, true)]).await.unwrap();
        assert_eq!(library.episodes().remove_played().await.unwrap(), 0, "they were played just now");
        let long_ago = "UPDATE playback SET at = at - 8 * 86400000";
        library.db.execute(sqlx::query(long_ago)).await.unwrap();
        let never = EpisodeSettings { remove_after_days: None, ..EpisodeSettings::default() };
        library.episodes().set_settings(never).await.unwrap();
        assert_eq!(library.episodes().remove_played().await.unwrap(), 0);
        library.episodes().set_settings(EpisodeSettings::default()).await.unwrap();
        assert_eq!(library.episodes().remove_played().await.unwrap(), 1);
        let left: Vec<i64> = library.episodes().list().await.unwrap().iter().map(|episode| episode.item_id).collect();
        assert_eq!(left, [3, 2]);
    }

    #[tokio::test]
    async fn a_failed_download_waits_until_it_is_tried_or_queued_again() {
        let folder = tempfile::tempdir().unwrap();
        let library = with_episodes(folder.path()).await;
        library.episodes().queue(&[1, 2], None).await.unwrap();
        let due = library.episodes().due().await.unwrap();
        let error = ("timeout", &Parameters::default());
        library.episodes().fail(&due[0], Some(i64::MAX), error).await.unwrap();
        library.episodes().fail(&due[1], None, error).await.unwrap();
        assert!(library.episodes().due().await.unwrap().is_empty());
        assert_eq!(library.episodes().next_at().await.unwrap(), Some(i64::MAX));
        assert_eq!(library.episodes().queue(&[1, 2], None).await.unwrap(), 2);
        assert_eq!(library.episodes().due().await.unwrap().len(), 2);
    }
}
