//! Downloads episodes to play them offline. An interrupted download is resumed with `Range` and `If-Range`, also after a kill, and failed
//! ones are tried again like other downloads.

use crate::{
    FeedError, FeedErrorCode,
    host_queue::host,
    offline::{
        Retry, again,
        fetch::{Feed, RequestError},
        other_than_page, retry,
    },
    runner::{PollError, Poller},
    schedule,
};
use futures::{StreamExt as _, stream};
use gleaner_fetch::{Accept, Download, FetchError, FetchErrorKind, Request, Resume};
use gleaner_library::{Episode, LibraryError, Millis, Parameters};
use std::{
    collections::{HashMap, HashSet},
    fs::File,
    io::Write as _,
};
use tokio_util::sync::CancellationToken;
use url::Url;

/// Number of hosts that episodes are downloaded from concurrently.
const AT_ONCE: usize = 2;
/// Number of bytes that are written to the file at a time.
const PIECE: usize = 1 << 20;
/// Number of bytes between two records of how much was received.
const RECORD_EVERY: i64 = 4 << 20;
const DAY: Millis = 24 * 60 * 60 * 1000;

/// How much of an episode was received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EpisodeProgress {
    /// Id of the article.
    pub item_id: i64,
    /// Address of the enclosure.
    pub url: String,
    /// Number of bytes.
    pub bytes: i64,
    /// Length of the whole file, if it is known.
    pub total: Option<i64>,
    /// Whether it was downloaded or failed. The library has the result.
    pub ended: bool,
}

impl EpisodeProgress {
    fn of(episode: &Episode, ended: bool) -> Self {
        let (url, bytes, total) = (episode.url.clone(), episode.bytes, episode.total);
        Self { item_id: episode.item_id, url, bytes, total, ended }
    }
}

/// Result of downloading the queued episodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EpisodesDone {
    /// Number of downloaded episodes.
    pub downloaded: usize,
    /// Number of episodes that failed, whether or not they are tried again.
    pub failed: usize,
    /// Whether this computer is offline; the rest waits.
    pub offline: bool,
    /// Whether it was cancelled; the rest waits.
    pub cancelled: bool,
    /// Whether nothing was done because another process is polling.
    pub other_process: bool,
}

/// Result of one attempt.
enum Attempt {
    Done,
    /// It was removed from the queue, or all downloads are stopped.
    Stopped,
    Offline,
    Failed,
}

/// Why an attempt failed, and when there is another one.
struct Failed {
    next: Option<Millis>,
    error: FeedError,
    /// Whether it counts towards the number of attempts after which a download is abandoned: not if it only had to wait.
    counts: bool,
}

impl Failed {
    fn of(code: FeedErrorCode, next: Option<Millis>) -> Self {
        Self { next, error: FeedError { code, parameters: Parameters::default() }, counts: true }
    }
}

impl Poller {
    /// Downloads the queued episodes, one per host at a time. `only`: those of these articles.
    ///
    /// # Errors
    /// When the library cannot be read or written. A download that fails stays in the queue with its error.
    pub async fn download_episodes(
        &self,
        only: Option<&HashSet<i64>>,
        cancel: CancellationToken,
        progress: impl Fn(&EpisodeProgress),
    ) -> Result<EpisodesDone, PollError> {
        let mut done = EpisodesDone::default();
        let Some(_lock) = self.lock()? else { return Ok(EpisodesDone { other_process: true, ..done }) };
        let stop = cancel.child_token();
        self.library.episodes().reset_far_future(self.now() + schedule::MAX_INTERVAL).await?;
        loop {
            let mut due = self.library.episodes().due().await?;
            due.retain(|episode| only.is_none_or(|only| only.contains(&episode.item_id)));
            if due.is_empty() || stop.is_cancelled() {
                return Ok(EpisodesDone { cancelled: cancel.is_cancelled(), ..done });
            }
            let feeds = self.feed_connections().await?;
            let mut hosts: HashMap<String, Vec<Episode>> = HashMap::new();
            for episode in due {
                hosts.entry(host(&episode.url)).or_default().push(episode);
            }
            let one = |episode: Episode| self.attempt(episode, &feeds, &stop, &progress);
            let hosts = hosts.into_values().map(|episodes| Box::pin(stream::iter(episodes).then(one)));
            let mut attempts = stream::iter(hosts).flatten_unordered(AT_ONCE);
            while let Some(attempt) = attempts.next().await {
                match attempt? {
                    Attempt::Done => done.downloaded += 1,
                    Attempt::Failed => done.failed += 1,
                    Attempt::Stopped => {}
                    Attempt::Offline => {
                        done.offline = true;
                        stop.cancel();
                    }
                }
            }
        }
    }

    async fn attempt(
        &self,
        mut episode: Episode,
        feeds: &HashMap<i64, Feed>,
        stop: &CancellationToken,
        progress: &impl Fn(&EpisodeProgress),
    ) -> Result<Attempt, PollError> {
        let Some(feed) = feeds.get(&episode.feed_id).filter(|_| !stop.is_cancelled()) else {
            return Ok(Attempt::Stopped);
        };
        let attempt = match self.receive(&mut episode, feed, stop, progress).await {
            Ok(attempt) => attempt,
            Err(Problem::Poll(PollError::Library(LibraryError::DiskFull))) => {
                self.make_room(&mut episode).await?;
                self.failed(&mut episode, Failed::of(FeedErrorCode::DiskFull, None)).await?
            }
            Err(Problem::Poll(error)) => return Err(error),
            Err(Problem::Failed(failed)) => self.failed(&mut episode, failed).await?,
        };
        if matches!(attempt, Attempt::Done | Attempt::Failed) {
            progress(&EpisodeProgress::of(&episode, true));
        }
        Ok(attempt)
    }

    async fn failed(&self, episode: &mut Episode, failed: Failed) -> Result<Attempt, PollError> {
        let Failed { next, error, counts } = failed;
        episode.tries += i64::from(counts);
        self.library.episodes().fail(episode, next, (error.code.name(), &error.parameters)).await?;
        Ok(Attempt::Failed)
    }

    async fn receive(
        &self,
        episode: &mut Episode,
        feed: &Feed,
        stop: &CancellationToken,
        progress: &impl Fn(&EpisodeProgress),
    ) -> Result<Attempt, Problem> {
        let episodes = self.library.episodes();
        let path = episodes.incomplete(episode.item_id, &episode.url)?;
        let there = tokio::fs::metadata(&path).await.map_or(0, |file| file.len());
        let resume = episode.validator.clone().filter(|_| there > 0);
        let resume = resume.map(|validator| Resume { from: there, validator });
        let Ok(url) = Url::parse(&episode.url) else {
            return Err(Failed::of(FeedErrorCode::InvalidAddress, None).into());
        };
        let request = Request { accept: Accept::Media, resume, ..Request::new(url) };
        let download = match self.open(request, feed, stop).await {
            Ok(download) => download,
            Err(RequestError::Cancelled) => return Ok(Attempt::Stopped),
            Err(RequestError::Library(error)) => return Err(error.into()),
            Err(RequestError::Wait { until, .. }) => {
                return Err(Failed { next: Some(until), error: FeedError::wait(until), counts: false }.into());
            }
            Err(RequestError::Access(error)) => {
                return Err(Failed { next: Some(self.now() + DAY), error, counts: false }.into());
            }
            // The stored part is no longer the beginning of the file, or it is all of it.
            Err(RequestError::Fetch(error)) if there > 0 && matches!(error.kind, FetchErrorKind::Http(206 | 416)) => {
                self.start_over(episode).await?;
                return Err(Failed { next: Some(self.now()), error: FeedError::from(&*error), counts: true }.into());
            }
            Err(RequestError::Fetch(error)) => return self.after_error(episode, &error),
        };
        self.write(episode, download, stop, progress).await
    }

    /// Cuts the end off a file that filled the disk, so that the library can be written. The rest is there to be resumed.
    async fn make_room(&self, episode: &mut Episode) -> Result<(), PollError> {
        let episodes = self.library.episodes();
        let path = episodes.incomplete(episode.item_id, &episode.url)?;
        let Ok(file) = tokio::fs::metadata(&path).await else { return Ok(()) };
        let left = file.len().saturating_sub(RECORD_EVERY.unsigned_abs());
        drop(episodes.open(episode.item_id, &episode.url, left)?);
        episode.bytes = number(left);
        episodes.received(episode).await?;
        Ok(())
    }

    /// Forgets the received beginning of a file.
    async fn start_over(&self, episode: &mut Episode) -> Result<(), PollError> {
        let episodes = self.library.episodes();
        drop(episodes.open(episode.item_id, &episode.url, 0)?);
        (episode.bytes, episode.total, episode.validator) = (0, None, None);
        episodes.received(episode).await?;
        Ok(())
    }

    /// Writes what is received to the file, to its end.
    async fn write(
        &self,
        episode: &mut Episode,
        mut download: Download,
        stop: &CancellationToken,
        progress: &impl Fn(&EpisodeProgress),
    ) -> Result<Attempt, Problem> {
        let episodes = self.library.episodes();
        let room = self.room_for(episode).await?;
        let file = episodes.open(episode.item_id, &episode.url, download.from)?;
        let from = number(download.from);
        episode.bytes = from;
        // A part may come without the length of the whole (`bytes 5-9/*`), which an earlier response stated for the same validator.
        episode.total = download.total.map(number).or(episode.total.filter(|_| from > 0));
        // The validator of a part is that of the whole file.
        if download.from == 0 || download.validator.is_some() {
            episode.validator = download.validator.take();
        }
        let mut file = Writing { file, buffer: Vec::new() };
        let (mut recorded, mut received) = (None, false);
        loop {
            if episode.bytes.max(episode.total.unwrap_or(0)) > room {
                self.start_over(episode).await?;
                return Err(Failed::of(FeedErrorCode::EpisodesFull, None).into());
            }
            if recorded.is_none_or(|bytes| episode.bytes - bytes >= RECORD_EVERY) {
                if !episodes.received(episode).await? {
                    // It was removed, but the file was open.
                    episodes.remove(&[episode.item_id], Some(&episode.url)).await?;
                    return Ok(Attempt::Stopped);
                }
                recorded = Some(episode.bytes);
            }
            progress(&EpisodeProgress::of(episode, false));
            let chunk = tokio::select! {
                chunk = download.chunk() => chunk,
                () = stop.cancelled() => {
                    file.flush().await?;
                    episodes.received(episode).await?;
                    return Ok(Attempt::Stopped);
                }
            };
            match chunk {
                // The page of a login, of a network's portal or of an error, with status 200.
                Ok(Some(bytes)) if !received && is_page(&download, &bytes) => {
                    self.start_over(episode).await?;
                    return Err(Failed::of(FeedErrorCode::NotMedia, again(episode.tries, self.now())).into());
                }
                Ok(Some(bytes)) => {
                    received = true;
                    file.append(&bytes).await?;
                    episode.bytes += number(bytes.len() as u64);
                }
                Ok(None) => return self.complete(episode, file, from).await,
                Err(error) => {
                    file.flush().await?;
                    episodes.received(episode).await?;
                    forget_tries(episode, from);
                    return self.after_error(episode, &error);
                }
            }
        }
    }

    /// Returns the space left for this episode next to the others, in bytes.
    async fn room_for(&self, episode: &Episode) -> Result<i64, LibraryError> {
        let episodes = self.library.episodes();
        let limit = episodes.settings().await?.max_bytes;
        let others = episodes.bytes_of_others(episode.item_id, &episode.url).await?;
        Ok(number(limit.saturating_sub(others)))
    }

    /// Completes a download whose connection ended, if all of the file was received.
    async fn complete(&self, episode: &mut Episode, mut file: Writing, from: i64) -> Result<Attempt, Problem> {
        let episodes = self.library.episodes();
        // A server may send less than was requested (RFC 9110, section 14.2), and some send nothing if they have an error.
        if episode.bytes == 0 || episode.total.is_some_and(|total| total != episode.bytes) {
            file.flush().await?;
            match episode.total {
                Some(total) if total < episode.bytes => self.start_over(episode).await?,
                _ => {
                    episodes.received(episode).await?;
                    forget_tries(episode, from);
                }
            }
            return Err(Failed::of(FeedErrorCode::ConnectionLost, again(episode.tries, self.now())).into());
        }
        file.finish().await?;
        match episodes.complete(episode).await? {
            true => Ok(Attempt::Done),
            false => Ok(Attempt::Stopped),
        }
    }

    /// Returns what a failed request means for the download.
    fn after_error(&self, episode: &Episode, error: &FetchError) -> Result<Attempt, Problem> {
        match retry(error, episode.tries, self.now()) {
            Retry::Offline => Ok(Attempt::Offline),
            retry => {
                let counts = !matches!(retry, Retry::Wait(_));
                Err(Failed { next: retry.at(), error: FeedError::from(error), counts }.into())
            }
        }
    }
}

/// Returns a number of bytes as the library stores it.
fn number(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

/// Resets the failed attempts when the file has grown: a long download may be interrupted often. `from`: where this attempt resumed it.
fn forget_tries(episode: &mut Episode, from: i64) {
    // A download that begins again each time makes no progress.
    if from > 0 && episode.bytes - from >= number(PIECE as u64) {
        episode.tries = 0;
    }
}

/// Whether a download is a web page in place of the file, by its first bytes and its header.
fn is_page(download: &Download, first: &[u8]) -> bool {
    // The rest of a file has any bytes, and servers give a wrong type to files.
    let markup = first.strip_prefix(b"\xef\xbb\xbf").unwrap_or(first).trim_ascii_start().starts_with(b"<");
    download.from == 0 && markup && other_than_page(download.content_type.as_deref(), first).is_none()
}

/// Why a download did not end.
enum Problem {
    Failed(Failed),
    Poll(PollError),
}

impl From<Failed> for Problem {
    fn from(failed: Failed) -> Self {
        Self::Failed(failed)
    }
}

impl From<PollError> for Problem {
    fn from(error: PollError) -> Self {
        Self::Poll(error)
    }
}

impl From<LibraryError> for Problem {
    fn from(error: LibraryError) -> Self {
        Self::Poll(error.into())
    }
}

/// A file that is written in large pieces, on another thread than the other tasks.
struct Writing {
    file: File,
    buffer: Vec<u8>,
}

impl Writing {
    async fn append(&mut self, bytes: &[u8]) -> Result<(), PollError> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= PIECE { self.flush().await } else { Ok(()) }
    }

    async fn flush(&mut self) -> Result<(), PollError> {
        let bytes = std::mem::take(&mut self.buffer);
        self.blocking(move |mut file| file.write_all(&bytes)).await
    }

    /// Writes the file to the disk.
    async fn finish(mut self) -> Result<(), PollError> {
        self.flush().await?;
        self.blocking(|file| file.sync_all()).await
    }

    async fn blocking(&self, work: impl FnOnce(File) -> std::io::Result<()> + Send + 'static) -> Result<(), PollError> {
        let file = self.file.try_clone().map_err(unwritable)?;
        tokio::task::spawn_blocking(move || work(file)).await?.map_err(unwritable)?;
        Ok(())
    }
}

fn unwritable(error: std::io::Error) -> LibraryError {
    match error.kind() {
        std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => LibraryError::DiskFull,
        _ => LibraryError::Invalid(error.to_string()),
    }
}
