//! Downloads a feed's history when the user asks: the pages before the polled one (RFC 5005 `prev-archive` and `next`, JSON Feed `next_url`,
//! WordPress `?paged=`), one after the other, with pauses, up to a limit. The articles are old, so they are stored as read.

use crate::{
    FeedError, FeedErrorCode, access, decide,
    host_queue::host,
    record,
    rules::{Rules, local},
    runner::{PollError, Poller},
    schedule,
};
use gleaner_feed::{Context, Parsed};
use gleaner_fetch::{FetchError, Request};
use gleaner_identity::Known;
use gleaner_library::{Access, Intent, Millis};
use std::{collections::HashSet, time::Instant};
use tokio_util::sync::CancellationToken;
use url::Url;

/// Progress of a backfill, and in the end its result.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Backfill {
    /// Number of pages read.
    pub pages: usize,
    /// Number of new articles.
    pub items: usize,
    /// How it ended; `None` while it is running.
    pub ended: Option<Ended>,
}

/// How a backfill ended. Articles stored until then stay in each case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// It reached the feed's oldest page.
    Complete,
    /// The feed offers no older pages.
    NothingOffered,
    /// It reached the limit of pages.
    Limit,
    /// The user cancelled it.
    Cancelled,
    /// The feed got another address, or is no longer polled here.
    FeedChanged,
    /// The server asked to wait until then.
    RetryAfter(Millis),
    /// Nothing was done because another process is polling.
    OtherProcess,
    /// A page could not be downloaded.
    Failed(FeedError),
}

impl Poller {
    /// Downloads a feed's history, at most `pages` pages of it. Cancelling keeps the articles stored until then. In the meantime, feeds of
    /// other hosts are polled; those of the same host alternate with it, page by page.
    ///
    /// # Errors
    /// When the library cannot be read or written. Any other error ends the backfill and is in [`Backfill::ended`].
    pub async fn backfill(
        &self,
        feed: i64,
        pages: usize,
        cancel: CancellationToken,
        mut progress: impl FnMut(&Backfill),
    ) -> Result<Backfill, PollError> {
        let mut done = Backfill::default();
        let Some(_lock) = self.lock()? else { return Ok(Backfill { ended: Some(Ended::OtherProcess), ..done }) };
        let ended = match self.source(feed).await? {
            Ok(source) => self.backfill_pages(&source, pages, &cancel, &mut done, &mut progress).await?,
            Err(ended) => ended,
        };
        Ok(Backfill { ended: Some(ended), ..done })
    }

    /// Reads a feed; `Err` if it has no history to download.
    async fn source(&self, feed: i64) -> Result<Result<Source, Ended>, PollError> {
        let stored_url = self.library.feeds().get(feed).await?.url;
        let url = match Url::parse(&stored_url) {
            Ok(url) if url.scheme() == "file" => return Ok(Err(Ended::NothingOffered)),
            Ok(url) => url,
            Err(_) => return Ok(Err(Ended::Failed(FeedErrorCode::InvalidAddress.into()))),
        };
        let known_private = self.library.polls().private_feeds().await?.contains(&feed);
        Ok(Ok(Source {
            feed,
            stored_url,
            access: self.library.connections().list().await?.remove(&feed),
            is_private: known_private || gleaner_address::is_private_host(&url),
            rules: self.rules().await?,
            url,
        }))
    }

    async fn backfill_pages(
        &self,
        source: &Source,
        pages: usize,
        cancel: &CancellationToken,
        done: &mut Backfill,
        progress: &mut impl FnMut(&Backfill),
    ) -> Result<Ended, PollError> {
        let mut url = source.url.clone();
        let (mut visited, mut items) = (HashSet::new(), HashSet::new());
        loop {
            if !visited.insert(url.clone()) {
                return Ok(Ended::Complete);
            }
            if done.pages >= pages {
                return Ok(Ended::Limit);
            }
            let lock = tokio::select! {
                lock = self.hosts.lock(host(url.as_str())) => lock,
                () = cancel.cancelled() => return Ok(Ended::Cancelled),
            };
            // It may have changed while other requests to the host were sent.
            if self.library.polls().address(source.feed).await?.as_ref() != Some(&source.stored_url) {
                return Ok(Ended::FeedChanged);
            }
            let waiting = self.library.hosts().waiting(self.now(), self.now() + schedule::MAX_INTERVAL).await?;
            if let Some(until) = waiting.get(&host(url.as_str())) {
                return Ok(Ended::RetryAfter(*until));
            }
            let began = Instant::now();
            let page = tokio::select! {
                page = self.page(source, &url) => page,
                () = cancel.cancelled() => return Ok(Ended::Cancelled),
            };
            let (parsed, base) = match page {
                Ok(page) => page,
                Err(error) => return self.end_after(error, &url, done.pages).await,
            };
            // The feed's own host stays locked while its articles are stored: polling it would find the same ones.
            let lock = if source.is_own_host(&url) {
                lock
            } else {
                drop(lock);
                self.hosts.lock(host(source.url.as_str())).await
            };
            done.items += self.store_page(source, &parsed).await?;
            done.pages += 1;
            progress(done);
            // A site without pages returns the same one again.
            let ids: Vec<String> = parsed.items.iter().map(|item| item.id.clone()).collect();
            let same_again = is_counted(&url) && ids.iter().all(|id| items.contains(id));
            items.extend(ids);
            let Some(next) = following(&parsed, &base).filter(|_| !same_again) else {
                return Ok(if done.pages == 1 { Ended::NothingOffered } else { Ended::Complete });
            };
            tokio::select! {
                () = tokio::time::sleep(record::rest(began.elapsed(), &url)) => {}
                () = cancel.cancelled() => return Ok(Ended::Cancelled),
            }
            drop(lock);
            url = next;
        }
    }

    /// Returns how a backfill ends with a page that could not be downloaded, after that number of others.
    async fn end_after(&self, error: PageError, url: &Url, pages: usize) -> Result<Ended, PollError> {
        if let Some((host, until)) = error.wait {
            self.library.hosts().wait_until(&host, until).await?;
            return Ok(Ended::RetryAfter(until));
        }
        // Servers often report the page after the last one as missing.
        if pages > 0 && is_counted(url) && !error.is_refusal() && !error.is_cut_off() {
            return Ok(Ended::Complete);
        }
        Ok(Ended::Failed(error.error))
    }

    async fn page(&self, source: &Source, url: &Url) -> Result<(Parsed, Url), PageError> {
        // Pages that the feed names count as part of its own network only if they are on its own host.
        let public_only = !(source.is_private && source.is_own_host(url));
        // What a page lacks would never be requested again.
        let request = Request { public_only, whole: true, ..Request::new(url.clone()) };
        let request = access::authorized(request, source.access.as_ref()).await.map_err(PageError::other)?;
        let mut response = self.pacing.fetch(request).await.map_err(|error| PageError::of_fetch(error, self.now()))?;
        let body = response.body.take().unwrap_or_default();
        let base = response.url.clone();
        let parsed = tokio::task::spawn_blocking(move || {
            let context =
                Context { content_type: response.content_type.as_deref(), base_url: Some(response.url.as_str()) };
            gleaner_feed::parse(&body, context)
        });
        let parsed = parsed.await.map_err(|_| PageError::other(FeedErrorCode::Internal.into()))?;
        Ok((parsed.map_err(|error| PageError::other((&error).into()))?, base))
    }

    /// Stores the articles that are new. Known ones are newer in the library than in the archive, and stay.
    async fn store_page(&self, source: &Source, parsed: &Parsed) -> Result<usize, PollError> {
        let feed = source.feed;
        let rules = source.rules.of(feed, local(self.now())).of_old().at(Some(source.url.clone()));
        let identified = decide::identities(parsed);
        let keys: Vec<&str> = identified.iter().map(|item| item.key.as_str()).collect();
        let since = Some(self.library.polls().next_item().await?);
        let known = self.library.polls().known_items(feed, &keys, &decide::addresses(&identified)).await?;
        let keys: Vec<String> = keys.into_iter().map(str::to_owned).collect();
        let intents = decide::intents(identified, &Known::new(known), self.now(), &rules);
        let older = intents.into_iter().filter_map(|intent| match intent {
            Intent::Insert(item) => Some(*item),
            Intent::Update(..) | Intent::Rename(..) | Intent::StillGone(_) => None,
        });
        let older: Vec<_> = older.collect();
        Ok(self.library.polls().store_older(feed, &source.stored_url, &older, &keys, since).await?)
    }
}

/// A feed whose history is downloaded.
struct Source {
    feed: i64,
    /// Its address in the library.
    stored_url: String,
    url: Url,
    access: Option<Access>,
    is_private: bool,
    rules: Rules,
}

impl Source {
    fn is_own_host(&self, page: &Url) -> bool {
        host(self.url.as_str()) == host(page.as_str())
    }
}

/// Why a page could not be downloaded.
struct PageError {
    error: FeedError,
    /// The host that asked to wait, and until when (P31).
    wait: Option<(String, Millis)>,
}

impl PageError {
    fn other(error: FeedError) -> Self {
        Self { error, wait: None }
    }

    /// Whether the page was not requested, since it is on a private network and the feed is not.
    fn is_refusal(&self) -> bool {
        matches!(self.error.code, FeedErrorCode::PrivateAddress | FeedErrorCode::RedirectToPrivateAddress)
    }

    /// Whether the response was cut off or damaged, which tells nothing about the page.
    fn is_cut_off(&self) -> bool {
        matches!(self.error.code, FeedErrorCode::ConnectionLost | FeedErrorCode::DamagedCompression)
    }

    fn of_fetch(error: FetchError, now: Millis) -> Self {
        let until = error.retry_after.map(|after| now + schedule::millis(after, schedule::MAX_INTERVAL));
        let waited_before = || error.url.host_str().map(str::to_owned).zip(until);
        Self { wait: record::host_wait(&error, now).or_else(waited_before), error: FeedError::from(&error) }
    }
}

/// Returns the address of the next older page, if the feed names it or its software numbers its pages.
fn following(parsed: &Parsed, url: &Url) -> Option<Url> {
    if let Some(next) = &parsed.feed.next_url {
        return Url::parse(next).ok();
    }
    let software = parsed.feed.generator.as_ref()?;
    let named =
        |text: &Option<String>| text.as_deref().is_some_and(|text| text.to_ascii_lowercase().contains("wordpress"));
    if !(named(&software.name) || named(&software.url)) || parsed.items.is_empty() {
        return None;
    }
    let page =
        url.query_pairs().find(|(name, _)| name == PAGED).map_or(Some(1), |(_, page)| page.parse::<u32>().ok())?;
    let others: Vec<(String, String)> = url
        .query_pairs()
        .filter(|(name, _)| name != PAGED)
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect();
    let mut next = url.clone();
    next.query_pairs_mut().clear().extend_pairs(others).append_pair(PAGED, &(page + 1).to_string());
    Some(next)
}

const PAGED: &str = "paged";

fn is_counted(url: &Url) -> bool {
    url.query_pairs().any(|(name, _)| name == PAGED)
}
