//! A feed's history, on the user's wish: the pages behind the one that is polled (RFC 5005 `prev-archive` and `next`, JSON Feed
//! `next_url`, WordPress `?paged=`), one after the other, with a rest between them, up to a limit. What comes in is old, and so it
//! comes in read.

use crate::{
    access,
    decide::{self, Known},
    record,
    runner::{PollError, Poller},
};
use gleaner_feed::{Context, Parsed};
use gleaner_fetch::Request;
use gleaner_library::{Access, Incoming, Intent, Poll};
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
    /// Why it ended before the feed did, in words: an error, or the limit.
    pub stopped: Option<String>,
    /// It was stopped by the user.
    pub cancelled: bool,
    /// Another process is polling: nothing was done.
    pub elsewhere: bool,
}

impl Poller {
    /// Brings in what a feed published before, at most `pages` pages of it. Cancelling keeps what came until then.
    ///
    /// # Errors
    /// When the library cannot be read or written. Trouble on the way ends it and is told in [`Backfill::stopped`].
    pub async fn backfill(
        &self,
        feed: i64,
        pages: usize,
        cancel: CancellationToken,
        mut progress: impl FnMut(&Backfill),
    ) -> Result<Backfill, PollError> {
        let mut done = Backfill::default();
        let Some(_lock) = self.library.polling_lock()? else {
            return Ok(Backfill { elsewhere: true, ..done });
        };
        let polls = self.library.polls().await?;
        let Some(poll) = polls.into_iter().find(|poll| poll.feed_id == feed) else { return Ok(done) };
        let access = self.library.accesses().await?.remove(&feed);
        let mut next = Url::parse(&poll.url).ok();
        let mut seen: HashSet<String> = HashSet::new();
        while let Some(url) = next.take() {
            if !seen.insert(url.to_string()) {
                break;
            }
            if done.pages >= pages {
                done.stopped = Some(format!("the limit of {pages} pages is reached"));
                break;
            }
            let began = Instant::now();
            let page = tokio::select! {
                page = self.page(&url, access.as_ref()) => page,
                () = cancel.cancelled() => {
                    done.cancelled = true;
                    break;
                }
            };
            let (parsed, base) = match page {
                Ok(page) => page,
                // The page after the last one is often said to be missing.
                Err(_) if done.pages > 0 && is_counted(&url) => break,
                Err(why) => {
                    done.stopped = Some(why);
                    break;
                }
            };
            let new = self.keep(&poll, &parsed).await?;
            done.pages += 1;
            done.items += new;
            progress(&done);
            // A site that does not know pages gives the same one again.
            let ids: Vec<String> = parsed.items.iter().map(|item| item.id.clone()).collect();
            let same_again = is_counted(&url) && ids.iter().all(|id| seen.contains(id));
            seen.extend(ids);
            next = if same_again { None } else { following(&parsed, &base) };
            if next.is_some() {
                tokio::select! {
                    () = tokio::time::sleep(record::rest(began.elapsed(), &url)) => {}
                    () = cancel.cancelled() => {}
                }
            }
        }
        Ok(done)
    }

    async fn page(&self, url: &Url, access: Option<&Access>) -> Result<(Parsed, Url), String> {
        let request = access::dressed(Request::new(url.clone()), access).await.map_err(|(_, why)| why)?;
        let mut answer = self.fetcher.fetch(request).await.map_err(|error| error.message)?;
        let body = answer.body.take().unwrap_or_default();
        let base = answer.url.clone();
        let parsed = tokio::task::spawn_blocking(move || {
            let context = Context { content_type: answer.content_type.as_deref(), base_url: Some(answer.url.as_str()) };
            gleaner_feed::parse(&body, context)
        });
        let parsed = parsed.await.map_err(|error| error.to_string())?.map_err(|error| error.to_string())?;
        Ok((parsed, base))
    }

    /// Keeps what is not there. What is there is newer than its archive, and stays.
    async fn keep(&self, poll: &Poll, parsed: &Parsed) -> Result<usize, PollError> {
        let identified = decide::identities(parsed);
        let keys: Vec<&str> = identified.iter().map(|(key, _)| key.as_str()).collect();
        let known = self.library.known_items(poll.feed_id, &keys, &decide::addresses(&identified)).await?;
        let intents =
            decide::intents(identified, &Known::new(known), self.now()).into_iter().filter_map(|intent| match intent {
                Intent::Insert(mut item) => {
                    item.read = true;
                    Some(Intent::Insert(item))
                }
                Intent::Update(..) | Intent::Rename(..) => None,
            });
        let incoming = Incoming { poll: poll.clone(), intents: intents.collect(), ..Incoming::default() };
        let stored = self.library.store(&[&incoming]).await?;
        Ok(stored.iter().map(|stored| stored.new).sum())
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
