//! Working the queue of what is fetched ahead.

use super::{
    Then,
    fetch::{Feed, Trouble},
    text::FullTextError,
    then, wanted,
};
use crate::{
    runner::{PollError, Poller},
    schedule,
    turn::host,
};
use futures::{StreamExt as _, stream};
use gleaner_content::{picture_urls, sanitise};
use gleaner_fetch::Accept;
use gleaner_library::{
    AheadJob, AheadSettings, AheadWhat, AheadWish, Body, Candidate, LibraryError, Millis, image_type,
};
use std::{
    collections::{HashMap, HashSet},
    sync::atomic::Ordering,
};
use tokio_util::sync::CancellationToken;
use url::Url;

/// Hosts of articles that are worked on side by side.
const HOSTS_AT_ONCE: usize = 4;
/// So many jobs are taken from the queue at a time.
const BATCH: i64 = 64;
/// Pictures of one article.
const PICTURES: usize = 100;

/// How far it is, and in the end what came of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ahead {
    /// Full texts that came.
    pub texts: usize,
    /// Pictures that came.
    pub pictures: usize,
    /// Articles of which something did not come: it is tried again, or given up.
    pub failed: usize,
    /// Texts and articles' pictures that are still to be fetched now.
    pub left: usize,
    /// This machine is off the network: the rest waits.
    pub offline: bool,
    /// The user stopped it; what came until then is kept.
    pub cancelled: bool,
    /// The user wishes that nothing is fetched for now.
    pub paused: bool,
    /// Another process is polling: nothing was done.
    pub elsewhere: bool,
}

/// What became of a job.
enum Done {
    Text,
    Pictures(usize),
    Failed,
    /// Its server is left alone, or it was stopped.
    Later,
    Offline,
}

impl Poller {
    /// What is wished of an article.
    pub(super) async fn wish_for(&self, article: &Candidate) -> Result<AheadWish, LibraryError> {
        let settings = self.library.ahead_settings().await?;
        let of_feed = article.wish.map_or(settings.all, AheadWish::of_bits);
        Ok(if article.starred { of_feed.and(settings.starred) } else { of_feed })
    }

    /// Puts into the queue what the wishes ask for of the articles that are new, and fetches what is due: pages and pictures. What fails
    /// stays in the queue with its reason.
    ///
    /// # Errors
    /// When the library cannot be read or written, or the disk is full.
    pub async fn ahead(&self, cancel: CancellationToken, mut progress: impl FnMut(&Ahead)) -> Result<Ahead, PollError> {
        let mut so_far = Ahead::default();
        let settings = self.library.ahead_settings().await?;
        if settings.paused {
            return Ok(Ahead { paused: true, ..so_far });
        }
        let Some(_lock) = self.lock()? else { return Ok(Ahead { elsewhere: true, ..so_far }) };
        if !self.reconciled.swap(true, Ordering::SeqCst) {
            self.library.reconcile_images(self.now()).await?;
        }
        self.library.clear_images().await?;
        self.library.ahead_after_all(self.now(), self.now() + schedule::LATEST).await?;
        while let Some((candidates, decided)) = self.library.undecided().await? {
            let queued = wanted(&candidates, &settings, self.now());
            self.library.decided_ahead(&decided, &queued, self.now()).await?;
        }
        // What is under way ends by itself: a picture that is being written is not left half-way.
        let stop = cancel.child_token();
        while !stop.is_cancelled() {
            let jobs = self.library.ahead_due(self.now(), BATCH).await?;
            if jobs.is_empty() {
                break;
            }
            let feeds = self.feeds_reached().await?;
            so_far.left = jobs.len();
            progress(&so_far);
            let one = |job: AheadJob| self.work(job, &feeds, &settings, &stop);
            let hosts = by_host(jobs).into_iter().map(|jobs| Box::pin(stream::iter(jobs).then(one)));
            let mut done = stream::iter(hosts).flatten_unordered(HOSTS_AT_ONCE);
            while let Some(done) = done.next().await {
                so_far.left = so_far.left.saturating_sub(1);
                match done? {
                    Done::Text => so_far.texts += 1,
                    Done::Pictures(count) => so_far.pictures += count,
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
        Ok(Ahead { cancelled: cancel.is_cancelled(), ..so_far })
    }

    async fn work(
        &self,
        job: AheadJob,
        feeds: &HashMap<i64, Feed>,
        settings: &AheadSettings,
        cancel: &CancellationToken,
    ) -> Result<Done, PollError> {
        let Some(feed) = feeds.get(&job.feed).filter(|_| !cancel.is_cancelled()) else { return Ok(Done::Later) };
        match job.what {
            AheadWhat::Text => self.text(&job, feed, cancel).await,
            AheadWhat::Pictures => self.pictures(&job, feed, settings, cancel).await,
        }
    }

    async fn text(&self, job: &AheadJob, feed: &Feed, cancel: &CancellationToken) -> Result<Done, PollError> {
        let error = match self.fetch_text(job.item, job.url.as_deref(), feed, cancel).await {
            Ok(()) => return Ok(Done::Text),
            Err(error) => error,
        };
        let then = match &error {
            FullTextError::Cancelled | FullTextError::Elsewhere => return Ok(Done::Later),
            FullTextError::Wait(until) => Then::Wait(*until),
            FullTextError::Fetch(error) => then(error, job.tries, self.now()),
            // The keyring may be locked for now.
            FullTextError::Access(_) => Then::Again(self.now() + super::DAY),
            FullTextError::NoText(_) | FullTextError::Task(_) => Then::GiveUp,
            // Gone meanwhile, and its place in the queue with it.
            FullTextError::Library(LibraryError::NotFound(_)) => {
                self.library.ahead_done(job.item, job.what).await?;
                return Ok(Done::Later);
            }
            FullTextError::Library(_) => Then::Offline,
        };
        if let FullTextError::Library(error) = error {
            return Err(error.into());
        }
        self.becomes(job, then, &error.to_string()).await
    }

    /// Keeps what becomes of a job that came to nothing.
    async fn becomes(&self, job: &AheadJob, then: Then, why: &str) -> Result<Done, PollError> {
        let (tries, next) = match then {
            Then::Offline => return Ok(Done::Offline),
            Then::Wait(until) => (job.tries, Some(until)),
            Then::Again(at) => (job.tries + 1, Some(at)),
            Then::GiveUp => (job.tries + 1, None),
        };
        self.library.ahead_failed(job, tries, next, why).await?;
        Ok(if tries == job.tries { Done::Later } else { Done::Failed })
    }

    /// All pictures of an article that were not asked for yet. One that is not to be had keeps no other from coming.
    async fn pictures(
        &self,
        job: &AheadJob,
        feed: &Feed,
        settings: &AheadSettings,
        cancel: &CancellationToken,
    ) -> Result<Done, PollError> {
        let named = match self.pictures_of(job, feed).await {
            Err(PollError::Library(LibraryError::NotFound(_))) => Vec::new(),
            named => named?,
        };
        let known = self.library.item_images(job.item).await?;
        let known: HashSet<&str> = known.iter().map(|image| image.url.as_str()).collect();
        let mut came = 0;
        // What is tried again, the soonest first, and the hosts that are not asked again in this round.
        let mut later: Option<(Then, String)> = None;
        let mut passed_over: HashSet<String> = HashSet::new();
        for name in named.iter().filter(|name| !known.contains(name.as_str())).take(PICTURES) {
            let Ok(url) = Url::parse(name) else { continue };
            if self.library.share_image(job.item, name).await? {
                continue;
            }
            if passed_over.contains(&host(name)) {
                continue;
            }
            let (then, why) = match self.get(&url, (Accept::Photograph, settings.largest), feed, cancel).await {
                Ok(answer) => match self.keep_picture(job, name, answer.body.unwrap_or_default(), settings).await? {
                    Ok(()) => {
                        came += 1;
                        continue;
                    }
                    Err(why) => (Then::GiveUp, why),
                },
                Err(Trouble::Cancelled) => return Ok(Done::Later),
                Err(Trouble::Library(error)) => return Err(error.into()),
                Err(Trouble::Wait { until, .. }) => (Then::Wait(until), "its server wants to be left alone".to_owned()),
                Err(Trouble::Access(why)) => (Then::Again(self.now() + super::DAY), why),
                Err(Trouble::Fetch(error)) => (then(&error, job.tries, self.now()), error.to_string()),
            };
            match then {
                Then::Offline => return Ok(Done::Offline),
                Then::GiveUp => self.library.no_image(job.item, name, &why).await?,
                Then::Wait(_) | Then::Again(_) => {
                    passed_over.insert(host(name));
                    let sooner = later.as_ref().is_none_or(|(before, _)| moment(&then) < moment(before));
                    if sooner {
                        later = Some((then, why));
                    }
                }
            }
        }
        if let Some((then, why)) = later {
            let failed = self.becomes(job, then, &why).await?;
            return Ok(if came > 0 { Done::Pictures(came) } else { failed });
        }
        self.library.ahead_done(job.item, job.what).await?;
        Ok(Done::Pictures(came))
    }

    /// Keeps a picture, where it is one and there is room; or says in words why not.
    async fn keep_picture(
        &self,
        job: &AheadJob,
        name: &str,
        bytes: Vec<u8>,
        settings: &AheadSettings,
    ) -> Result<Result<(), String>, PollError> {
        if image_type(&bytes).is_none() {
            return Ok(Err("what is there is no picture of a kind that is kept".to_owned()));
        }
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if !self.library.make_room(size, settings.room, job.item).await? {
            return Ok(Err("the room for pictures is taken by those of starred articles".to_owned()));
        }
        self.library.keep_image(job.item, name, bytes, self.now()).await?;
        Ok(Ok(()))
    }

    /// The addresses of the pictures in an article's texts, as they are shown.
    async fn pictures_of(&self, job: &AheadJob, feed: &Feed) -> Result<Vec<String>, PollError> {
        let text = self.library.article_text(job.item).await?;
        let full = self.library.full_text(job.item).await?;
        let Body { html, base } = text.content.or(text.summary).unwrap_or_default();
        let base = base.or_else(|| job.url.clone()).or_else(|| feed.url.as_ref().map(Url::to_string));
        let reading = tokio::task::spawn_blocking(move || {
            let mut named = picture_urls(&sanitise(&html, base.as_deref()));
            if let Some(full) = full {
                named.extend(picture_urls(&sanitise(&full.body.html, full.body.base.as_deref())));
            }
            named
        });
        let mut seen = HashSet::new();
        let mut named = reading.await?;
        named.retain(|name| seen.insert(name.clone()));
        Ok(named)
    }
}

fn moment(then: &Then) -> Millis {
    match then {
        Then::Wait(at) | Then::Again(at) => *at,
        Then::GiveUp | Then::Offline => Millis::MAX,
    }
}

/// One list a host, so that a slow one keeps no other waiting; of each article the text first, which may have pictures of its own.
fn by_host(mut jobs: Vec<AheadJob>) -> Vec<Vec<AheadJob>> {
    jobs.sort_by_key(|job| job.what);
    let mut hosts: HashMap<String, Vec<AheadJob>> = HashMap::new();
    for job in jobs {
        hosts.entry(host(job.url.as_deref().unwrap_or_default())).or_default().push(job);
    }
    hosts.into_values().collect()
}
