//! Processes the queue of downloads.

use super::{
    Retry,
    fetch::{Feed, RequestError},
    retry,
    text::FullTextError,
    wanted,
};
use crate::{
    FeedError,
    host_queue::host,
    runner::{PollError, Poller},
    schedule,
};
use futures::{StreamExt as _, stream};
use gleaner_content::{image_urls, sanitise_for};
use gleaner_fetch::{Accept, FetchError};
use gleaner_library::{
    Body, Candidate, DownloadJob, DownloadKind, LibraryError, OfflineContent, OfflineSettings, image_type,
};
use parking_lot::Mutex;
use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, atomic::Ordering},
};
use tokio_util::sync::CancellationToken;
use url::Url;

/// Number of hosts that are contacted concurrently.
const HOSTS_AT_ONCE: usize = 4;
/// Number of jobs taken from the queue at a time.
const BATCH: i64 = 64;
/// Maximum number of images per article.
const MAX_IMAGES: usize = 100;
/// Maximum number of failed images that are remembered during a run.
const MAX_FAILED_IMAGES: usize = 10_000;

/// Progress of the downloads, and in the end their result.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DownloadProgress {
    /// Number of full texts downloaded.
    pub texts: usize,
    /// Number of images downloaded.
    pub images: usize,
    /// Number of jobs that failed, whether or not they will be tried again.
    pub failed: usize,
    /// Number of remaining due jobs.
    pub left: usize,
    /// Whether this computer is offline; the rest waits.
    pub offline: bool,
    /// Whether the user cancelled it; what was downloaded until then stays.
    pub cancelled: bool,
    /// Whether the user paused downloads.
    pub paused: bool,
    /// Whether nothing was done because another process is polling.
    pub other_process: bool,
}

const NOT_AN_IMAGE: &str = "the response is not an image of a supported type";
/// Why an image was left out, which is no failure: the user limits the space.
const NO_ROOM: &str = "the space for images is taken up by those of starred articles";

/// Why an image could not be downloaded.
#[derive(Clone)]
enum ImageError {
    Fetch(Arc<FetchError>),
    /// The response is not an image of a supported type.
    NotAnImage,
}

/// The images that failed in this run by feed and address, so that each is requested once for all articles that have it (P45).
#[derive(Default)]
struct FailedImages(Mutex<HashMap<(i64, String), ImageError>>);

impl FailedImages {
    fn get(&self, feed: i64, url: &str) -> Option<ImageError> {
        self.0.lock().get(&(feed, url.to_owned())).cloned()
    }

    fn add(&self, feed: i64, url: &str, error: &ImageError) {
        let mut failed = self.0.lock();
        if failed.len() < MAX_FAILED_IMAGES {
            failed.insert((feed, url.to_owned()), error.clone());
        }
    }
}

/// Result of a job.
enum Done {
    Text,
    /// The number of images stored, and whether others failed.
    Images {
        stored: usize,
        failed: bool,
    },
    Failed,
    /// The server asked to wait, or downloads were cancelled.
    Later,
    Offline,
}

impl Poller {
    /// Returns what to download of an article.
    pub(super) async fn content_for(&self, article: &Candidate) -> Result<OfflineContent, LibraryError> {
        let settings = self.library.downloads().settings().await?;
        let of_feed = article.preference.map_or(settings.all, OfflineContent::of_bits);
        Ok(if article.starred { of_feed.and(settings.starred) } else { of_feed })
    }

    /// Queues the downloads that the preferences request for new articles, and downloads what is due: pages and images. A failed job stays
    /// in the queue with its error.
    ///
    /// # Errors
    /// When the library cannot be read or written, or the disk is full.
    pub async fn download(
        &self,
        cancel: CancellationToken,
        mut progress: impl FnMut(&DownloadProgress),
    ) -> Result<DownloadProgress, PollError> {
        let mut so_far = DownloadProgress::default();
        let settings = self.library.downloads().settings().await?;
        if settings.paused {
            return Ok(DownloadProgress { paused: true, ..so_far });
        }
        let Some(_lock) = self.lock()? else { return Ok(DownloadProgress { other_process: true, ..so_far }) };
        if !self.reconciled.swap(true, Ordering::SeqCst) {
            self.library.images().reconcile(self.now()).await?;
        }
        self.library.images().remove_unused().await?;
        self.library.downloads().reset_far_future(self.now(), self.now() + schedule::MAX_INTERVAL).await?;
        self.queue_wanted(&settings).await?;
        // Running jobs finish, so that no image is left half-written.
        let stop = cancel.child_token();
        let failed_images = FailedImages::default();
        while !stop.is_cancelled() {
            let jobs = self.library.downloads().due(self.now(), BATCH).await?;
            if jobs.is_empty() {
                break;
            }
            let feeds = self.feed_connections().await?;
            so_far.left = jobs.len();
            progress(&so_far);
            let one = |job: DownloadJob| self.work(job, &feeds, (&settings, &failed_images), &stop);
            let hosts = by_host(jobs).into_iter().map(|jobs| Box::pin(stream::iter(jobs).then(one)));
            let mut done = stream::iter(hosts).flatten_unordered(HOSTS_AT_ONCE);
            while let Some(done) = done.next().await {
                so_far.left = so_far.left.saturating_sub(1);
                match done? {
                    Done::Text => so_far.texts += 1,
                    Done::Images { stored, failed } => {
                        so_far.images += stored;
                        so_far.failed += usize::from(failed);
                    }
                    Done::Failed => so_far.failed += 1,
                    Done::Later => {}
                    Done::Offline => {
                        so_far.offline = true;
                        stop.cancel();
                    }
                }
                progress(&so_far);
            }
        }
        Ok(DownloadProgress { cancelled: cancel.is_cancelled(), ..so_far })
    }

    /// Queues the downloads that the preferences request for new articles, without downloading anything. Returns the number of texts and
    /// images queued: 0 if downloads are paused, or if another process is polling, which queues them.
    ///
    /// # Errors
    /// When the library cannot be read or written.
    pub async fn queue_downloads(&self) -> Result<usize, PollError> {
        let settings = self.library.downloads().settings().await?;
        // After a long pause, articles that were read or have become old are no longer wanted.
        if settings.paused {
            return Ok(0);
        }
        let Some(_lock) = self.lock()? else { return Ok(0) };
        self.queue_wanted(&settings).await
    }

    async fn queue_wanted(&self, settings: &OfflineSettings) -> Result<usize, PollError> {
        let mut count = 0;
        while let Some((candidates, decided)) = self.library.downloads().undecided().await? {
            let queued = wanted(&candidates, settings, self.now());
            self.library.downloads().record_decisions(&decided, &queued, self.now()).await?;
            count += queued.len();
        }
        Ok(count)
    }

    async fn work(
        &self,
        job: DownloadJob,
        feeds: &HashMap<i64, Feed>,
        images: (&OfflineSettings, &FailedImages),
        cancel: &CancellationToken,
    ) -> Result<Done, PollError> {
        let Some(feed) = feeds.get(&job.feed).filter(|_| !cancel.is_cancelled()) else { return Ok(Done::Later) };
        match job.what {
            DownloadKind::Text => self.text(&job, feed, cancel).await,
            DownloadKind::Images => self.images(&job, feed, images, cancel).await,
        }
    }

    async fn text(&self, job: &DownloadJob, feed: &Feed, cancel: &CancellationToken) -> Result<Done, PollError> {
        let error = match self.fetch_text(job.item, job.url.as_deref(), feed, cancel).await {
            Ok(()) => return Ok(Done::Text),
            Err(error) => error,
        };
        let next = match &error {
            FullTextError::Cancelled | FullTextError::OtherProcess => return Ok(Done::Later),
            FullTextError::Wait(until) => Retry::Wait(*until),
            FullTextError::Fetch(error) => retry(error, job.tries, self.now()),
            // The keyring may be locked at the moment.
            FullTextError::Access(_) => Retry::Again(self.now() + super::DAY),
            FullTextError::NoText(_) | FullTextError::Task(_) => Retry::GiveUp,
            // The article was deleted in the meantime.
            FullTextError::Library(LibraryError::NotFound(_)) => {
                self.library.downloads().complete(job.item, job.what).await?;
                return Ok(Done::Later);
            }
            FullTextError::Library(_) => Retry::Offline,
        };
        if let FullTextError::Library(error) = error {
            return Err(error.into());
        }
        self.reschedule(job, next, &FeedError::from(error)).await
    }

    /// Stores when a failed job is tried again.
    async fn reschedule(&self, job: &DownloadJob, retry: Retry, error: &FeedError) -> Result<Done, PollError> {
        let (tries, next) = match retry {
            Retry::Offline => return Ok(Done::Offline),
            Retry::Wait(until) => (job.tries, Some(until)),
            Retry::Again(at) => (job.tries + 1, Some(at)),
            Retry::GiveUp => (job.tries + 1, None),
        };
        self.library.downloads().fail(job, tries, next, (error.code.name(), &error.parameters)).await?;
        Ok(if tries == job.tries { Done::Later } else { Done::Failed })
    }

    /// Downloads all images of an article that were not requested yet. One that fails does not stop the others.
    async fn images(
        &self,
        job: &DownloadJob,
        feed: &Feed,
        (settings, failed_images): (&OfflineSettings, &FailedImages),
        cancel: &CancellationToken,
    ) -> Result<Done, PollError> {
        let named = match self.images_of(job, feed).await {
            Err(PollError::Library(LibraryError::NotFound(_))) => Vec::new(),
            named => named?,
        };
        let known = self.library.images().of_article(job.item).await?;
        let known: HashSet<&str> = known.iter().map(|image| image.url.as_str()).collect();
        let (mut stored, mut has_failed) = (0, false);
        // The soonest further attempt, and the hosts that are not contacted again in this round.
        let mut later: Option<(Retry, FeedError)> = None;
        let mut skipped_hosts: HashSet<String> = HashSet::new();
        for name in named.iter().filter(|name| !known.contains(name.as_str())).take(MAX_IMAGES) {
            let Ok(url) = Url::parse(name) else { continue };
            if self.library.images().share(job.item, name).await? {
                continue;
            }
            if skipped_hosts.contains(&host(name)) {
                continue;
            }
            let failed = match failed_images.get(job.feed, name) {
                Some(error) => error,
                None => match self.get(&url, (Accept::Photograph, settings.largest), feed, cancel).await {
                    Ok(response) => {
                        let bytes = response.body.unwrap_or_default();
                        if image_type(&bytes).is_none() {
                            ImageError::NotAnImage
                        } else if self.store_image(job, name, bytes, settings).await? {
                            stored += 1;
                            continue;
                        } else {
                            self.library.images().record_failure(job.item, name, NO_ROOM).await?;
                            continue;
                        }
                    }
                    Err(RequestError::Cancelled) => return Ok(Done::Later),
                    Err(RequestError::Library(error)) => return Err(error.into()),
                    Err(RequestError::Wait { until, .. }) => {
                        skipped_hosts.insert(host(name));
                        sooner(&mut later, Retry::Wait(until), FeedError::wait(until));
                        continue;
                    }
                    Err(RequestError::Access(why)) => {
                        skipped_hosts.insert(host(name));
                        sooner(&mut later, Retry::Again(self.now() + super::DAY), why);
                        continue;
                    }
                    Err(RequestError::Fetch(error)) => ImageError::Fetch(Arc::new(*error)),
                },
            };
            failed_images.add(job.feed, name, &failed);
            let (next, why) = match failed {
                ImageError::NotAnImage => {
                    has_failed = true;
                    self.library.images().record_failure(job.item, name, NOT_AN_IMAGE).await?;
                    continue;
                }
                ImageError::Fetch(error) => (retry(&error, job.tries, self.now()), FeedError::from(&*error)),
            };
            match next {
                Retry::Offline => return Ok(Done::Offline),
                Retry::GiveUp => {
                    has_failed = true;
                    self.library.images().record_failure(job.item, name, &why.to_string()).await?;
                }
                Retry::Wait(_) | Retry::Again(_) => {
                    skipped_hosts.insert(host(name));
                    sooner(&mut later, next, why);
                }
            }
        }
        if let Some((next, why)) = later {
            let later = self.reschedule(job, next, &why).await?;
            has_failed |= matches!(later, Done::Failed);
            return Ok(if stored > 0 || has_failed { Done::Images { stored, failed: has_failed } } else { later });
        }
        self.library.downloads().complete(job.item, job.what).await?;
        Ok(Done::Images { stored, failed: has_failed })
    }

    /// Stores an image if there is room. Returns whether there was.
    async fn store_image(
        &self,
        job: &DownloadJob,
        name: &str,
        bytes: Vec<u8>,
        settings: &OfflineSettings,
    ) -> Result<bool, PollError> {
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if !self.library.images().make_room(size, settings.room, job.item).await? {
            return Ok(false);
        }
        self.library.images().store(job.item, name, bytes, self.now()).await?;
        Ok(true)
    }

    /// Returns the addresses of the images in an article's sanitised texts.
    async fn images_of(&self, job: &DownloadJob, feed: &Feed) -> Result<Vec<String>, PollError> {
        let text = self.library.articles().text(job.item).await?;
        let full = self.library.articles().full_text(job.item).await?;
        let Body { html, base } = text.content.or(text.summary).unwrap_or_default();
        let base = base.or_else(|| job.url.clone()).or_else(|| feed.url.as_ref().map(Url::to_string));
        let feed = feed.url.as_ref().map(Url::to_string);
        let reading = tokio::task::spawn_blocking(move || {
            let mut named = image_urls(&sanitise_for(&html, base.as_deref(), feed.as_deref()));
            if let Some(full) = full {
                named.extend(image_urls(&sanitise_for(&full.body.html, full.body.base.as_deref(), feed.as_deref())));
            }
            named
        });
        let mut seen = HashSet::new();
        let mut named = reading.await?;
        named.retain(|name| seen.insert(name.clone()));
        Ok(named)
    }
}

/// Keeps the sooner of two further attempts.
fn sooner(later: &mut Option<(Retry, FeedError)>, next: Retry, why: FeedError) {
    if later.as_ref().is_none_or(|(before, _)| next.at() < before.at()) {
        *later = Some((next, why));
    }
}

/// Groups jobs by host, so that a slow host delays no other; texts first, since they may name further images.
fn by_host(mut jobs: Vec<DownloadJob>) -> Vec<Vec<DownloadJob>> {
    jobs.sort_by_key(|job| job.what);
    let mut hosts: HashMap<String, Vec<DownloadJob>> = HashMap::new();
    for job in jobs {
        hosts.entry(host(job.url.as_deref().unwrap_or_default())).or_default().push(job);
    }
    hosts.into_values().collect()
}
