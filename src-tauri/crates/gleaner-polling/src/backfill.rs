//! A feed's history, on the user's wish: the pages behind the one that is polled (RFC 5005 `prev-archive` and `next`, JSON Feed
//! `next_url`, WordPress `?paged=`), one after the other, with a rest between them, up to a limit. What comes in is old, and so it
//! comes in read.

use crate::{
    access,
    decide::{self, Known},
    record,
    rules::{Rules, local},
    runner::{PollError, Poller},
    schedule,
    turn::host,
};
use gleaner_feed::{Context, Parsed};
use gleaner_fetch::{FetchError, FetchErrorKind, Request};
use gleaner_library::{Access, Intent, Millis};
use std::{collections::HashSet, time::Instant};
use tokio_util::sync::CancellationToken;
use url::Url;

/// How far it is, and in the end what came of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Backfill {
    /// Pages that were read.
    pub pages: usize,
    /// Articles that were not there.
    pub items: usize,
    /// `None` while it is under way.
    pub ended: Option<Ended>,
}

/// How a backfill ended. What came until then is kept in each case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// At the feed's own end.
    Whole,
    /// The feed names no older page, and its software counts none.
    NothingOffered,
    /// At the limit of pages.
    Limit,
    /// The user stopped it.
    Cancelled,
    /// The server wants to be left alone until then.
    Wait(Millis),
    /// Another process is polling: nothing was done.
    Elsewhere,
    /// In words.
    Failed(String),
}

impl Poller {
    /// Brings in what a feed published before, at most `pages` pages of it. Cancelling keeps what came until then. Meanwhile the
    /// feeds of other hosts are polled as ever; those of its own host take turns with it, page by page.
    ///
    /// # Errors
    /// When the library cannot be read or written. Trouble on the way ends it and is told in [`Backfill::ended`].
    pub async fn backfill(
        &self,
        feed: i64,
        pages: usize,
        cancel: CancellationToken,
        mut progress: impl FnMut(&Backfill),
    ) -> Result<Backfill, PollError> {
        let mut done = Backfill::default();
        let ended = self.backfill_pages(feed, pages, &cancel, &mut done, &mut progress).await?;
        Ok(Backfill { ended: Some(ended), ..done })
    }

    async fn backfill_pages(
        &self,
        feed: i64,
        pages: usize,
        cancel: &CancellationToken,
        done: &mut Backfill,
        progress: &mut impl FnMut(&Backfill),
    ) -> Result<Ended, PollError> {
        let Some(_lock) = self.lock()? else { return Ok(Ended::Elsewhere) };
        let home = self.library.feed(feed).await?.url;
        let access = self.library.accesses().await?.remove(&feed);
        let rules = self.rules().await?;
        let mut url = match Url::parse(&home) {
            Ok(url) if url.scheme() == "file" => return Ok(Ended::NothingOffered),
            Ok(url) => url,
            Err(error) => return Ok(Ended::Failed(format!("{home} is no web address: {error}"))),
        };
        let mut seen: HashSet<String> = HashSet::new();
        loop {
            if !seen.insert(url.to_string()) {
                return Ok(Ended::Whole);
            }
            if done.pages >= pages {
                return Ok(Ended::Limit);
            }
            let turn = tokio::select! {
                turn = self.turns.of(host(url.as_str())) => turn,
                () = cancel.cancelled() => return Ok(Ended::Cancelled),
            };
            let waiting = self.library.waiting_hosts(self.now(), self.now() + schedule::LATEST).await?;
            if let Some(until) = waiting.get(&host(url.as_str())) {
                return Ok(Ended::Wait(*until));
            }
            let began = Instant::now();
            let page = tokio::select! {
                page = self.page(&url, access.as_ref()) => page,
                () = cancel.cancelled() => return Ok(Ended::Cancelled),
            };
            let (parsed, base) = match page {
                Ok(page) => page,
                Err(Trouble { wait: Some((host, until)), .. }) => {
                    self.library.wait_for_host(&host, until).await?;
                    return Ok(Ended::Wait(until));
                }
                // The page after the last one is often said to be missing.
                Err(_) if done.pages > 0 && is_counted(&url) => return Ok(Ended::Whole),
                Err(Trouble { why, .. }) => return Ok(Ended::Failed(why)),
            };
            // Polling the feed itself at the same moment must not bring in the same articles.
            let turn = match host(&home) == host(url.as_str()) {
                true => turn,
                false => {
                    drop(turn);
                    self.turns.of(host(&home)).await
                }
            };
            let new = self.keep(feed, &parsed, &rules).await?;
            done.pages += 1;
            done.items += new;
            progress(done);
            // A site that does not know pages gives the same one again.
            let ids: Vec<String> = parsed.items.iter().map(|item| item.id.clone()).collect();
            let same_again = is_counted(&url) && ids.iter().all(|id| seen.contains(id));
            seen.extend(ids);
            let Some(next) = following(&parsed, &base).filter(|_| !same_again) else {
                return Ok(if done.pages == 1 { Ended::NothingOffered } else { Ended::Whole });
            };
            tokio::select! {
                () = tokio::time::sleep(record::rest(began.elapsed(), &url)) => {}
                () = cancel.cancelled() => return Ok(Ended::Cancelled),
            }
            drop(turn);
            url = next;
        }
    }

    async fn page(&self, url: &Url, access: Option<&Access>) -> Result<(Parsed, Url), Trouble> {
        let request =
            access::dressed(Request::new(url.clone()), access).await.map_err(|(_, why)| Trouble::told(why))?;
        let mut answer = self.fetcher.fetch(request).await.map_err(|error| Trouble::of_fetch(error, self.now()))?;
        let body = answer.body.take().unwrap_or_default();
        let base = answer.url.clone();
        let parsed = tokio::task::spawn_blocking(move || {
            let context = Context { content_type: answer.content_type.as_deref(), base_url: Some(answer.url.as_str()) };
            gleaner_feed::parse(&body, context)
        });
        let parsed = parsed.await.map_err(|error| Trouble::told(error.to_string()))?;
        Ok((parsed.map_err(|error| Trouble::told(error.to_string()))?, base))
    }

    /// Keeps what is not there. What is there is newer than its archive, and stays.
    async fn keep(&self, feed: i64, parsed: &Parsed, rules: &Rules) -> Result<usize, PollError> {
        let identified = decide::identities(parsed);
        let keys: Vec<&str> = identified.iter().map(|(key, _)| key.as_str()).collect();
        let known = self.library.known_items(feed, &keys, &decide::addresses(&identified)).await?;
        let rules = rules.of(feed, local(self.now())).of_old();
        let intents = decide::intents(identified, &Known::new(known), self.now(), &rules);
        let older = intents.into_iter().filter_map(|intent| match intent {
            Intent::Insert(item) => Some(*item),
            Intent::Update(..) | Intent::Rename(..) | Intent::StillGone(_) => None,
        });
        Ok(self.library.store_older(feed, &older.collect::<Vec<_>>()).await?)
    }
}

/// Why a page did not come.
struct Trouble {
    why: String,
    /// The host that wants to be left alone, and until when (P31).
    wait: Option<(String, Millis)>,
}

impl Trouble {
    fn told(why: String) -> Self {
        Self { why, wait: None }
    }

    fn of_fetch(error: FetchError, now: Millis) -> Self {
        let after = error.retry_after.filter(|_| matches!(error.kind, FetchErrorKind::Http(429 | 503)));
        let until = after.map(|after| now + Millis::try_from(after.as_millis()).unwrap_or(0).min(schedule::LATEST));
        Self { wait: error.url.host_str().map(str::to_owned).zip(until), why: error.message }
    }
}

/// The page behind this one, where the feed names it or its software counts its pages.
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
