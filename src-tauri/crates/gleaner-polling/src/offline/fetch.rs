//! Sends one polite request for a page or an image that an article names.

use super::{Retry, retry};
use crate::{FeedError, access, host_queue::host, record, runner::Poller, schedule};
use gleaner_address::is_private_host;
use gleaner_fetch::{Accept, Download, FetchError, FetchErrorKind, Request, Response};
use gleaner_library::{Access, LibraryError, Millis};
use std::{collections::HashMap, sync::Arc, time::Instant};
use tokio::sync::OwnedMutexGuard;
use tokio_util::sync::CancellationToken;
use url::Url;

/// How the feed of an article is requested.
#[derive(Debug, Clone)]
pub(crate) struct Feed {
    /// Its web address; `None` for a file.
    pub url: Option<Url>,
    /// Its connection settings, if it has any.
    pub access: Option<Access>,
    /// Whether its first response came from a private address.
    pub private: bool,
}

impl Feed {
    /// Whether the feed is on the user's own network: by its address, or by where its first response came from.
    pub(crate) fn is_private(&self) -> bool {
        self.private || self.url.as_ref().is_some_and(is_private_host)
    }

    /// Whether something that an article of this feed names may be requested from public addresses only. Only the host of a private feed
    /// may be private: the feed may republish articles of strangers, who must not reach the rest of its network.
    fn is_public_only(&self, url: &Url) -> bool {
        !self.is_private() || self.url.as_ref().is_none_or(|feed| feed.host() != url.host())
    }
}

/// Why a request failed.
#[derive(Debug)]
pub(crate) enum RequestError {
    Library(LibraryError),
    Cancelled,
    /// The server asked to wait, now or before; then no request was sent (`requested`).
    Wait {
        until: Millis,
        requested: bool,
    },
    /// No response, or an error status.
    Fetch(Box<FetchError>),
    /// The feed's login cannot be read, or its proxy is invalid.
    Access(FeedError),
}

impl From<LibraryError> for RequestError {
    fn from(error: LibraryError) -> Self {
        Self::Library(error)
    }
}

impl Poller {
    /// Returns how each feed is requested.
    pub(crate) async fn feed_connections(&self) -> Result<HashMap<i64, Feed>, LibraryError> {
        let mut accesses = self.library.connections().list().await?;
        let private = self.library.polls().private_feeds().await?;
        let feeds = self.library.feeds().list().await?;
        let reached = |feed: gleaner_library::FeedRow| {
            let url = Url::parse(&feed.url).ok().filter(Url::has_host);
            (feed.id, Feed { url, access: accesses.remove(&feed.id), private: private.contains(&feed.id) })
        };
        Ok(feeds.into_iter().map(reached).collect())
    }

    /// Requests something that an article of this feed names. The host is not contacted for a while afterwards.
    pub(crate) async fn get(
        &self,
        url: &Url,
        (accept, at_most): (Accept, u64),
        feed: &Feed,
        cancel: &CancellationToken,
    ) -> Result<Response, RequestError> {
        let request = Request { accept, at_most: Some(at_most), ..Request::new(url.clone()) };
        self.request_for(request, feed, cancel).await
    }

    /// Does the same with a request that was prepared.
    pub(crate) async fn request_for(
        &self,
        request: Request,
        feed: &Feed,
        cancel: &CancellationToken,
    ) -> Result<Response, RequestError> {
        let url = request.url.clone();
        let (request, lock) = self.prepare(request, feed, cancel).await?;
        let began = Instant::now();
        let response = tokio::select! {
            response = self.pacing.fetch(request) => response,
            () = cancel.cancelled() => return Err(RequestError::Cancelled),
        };
        let rest = record::rest(began.elapsed(), &url);
        tokio::spawn(async move {
            tokio::time::sleep(rest).await;
            drop(lock);
        });
        match response {
            Ok(response) => Ok(response),
            Err(error) => Err(self.refused(error).await?),
        }
    }

    /// Requests a file that an article of this feed names. The host is contacted by others again once there is a response, since a
    /// file may take long.
    pub(crate) async fn open(
        &self,
        request: Request,
        feed: &Feed,
        cancel: &CancellationToken,
    ) -> Result<Download, RequestError> {
        let (request, _lock) = self.prepare(request, feed, cancel).await?;
        let download = tokio::select! {
            download = self.pacing.download(request) => download,
            () = cancel.cancelled() => return Err(RequestError::Cancelled),
        };
        match download {
            Ok(download) => Ok(download),
            Err(error) => Err(self.refused(error).await?),
        }
    }

    /// Waits for a request's turn at its host, and applies the feed's connection settings.
    async fn prepare(
        &self,
        request: Request,
        feed: &Feed,
        cancel: &CancellationToken,
    ) -> Result<(Request, Arc<OwnedMutexGuard<()>>), RequestError> {
        let url = &request.url.clone();
        let lock = tokio::select! {
            lock = self.hosts.lock(host(url.as_str())) => lock,
            () = cancel.cancelled() => return Err(RequestError::Cancelled),
        };
        let now = self.now();
        if let Some(until) =
            self.library.hosts().waiting(now, now + schedule::MAX_INTERVAL).await?.get(&host(url.as_str()))
        {
            return Err(RequestError::Wait { until: *until, requested: false });
        }
        // Fragments are not sent.
        let mut page = url.clone();
        page.set_fragment(None);
        let request = Request { url: page, public_only: feed.is_public_only(url), ..request };
        let request = access::authorized(request, feed.access.as_ref()).await.map_err(RequestError::Access)?;
        Ok((request, lock))
    }

    /// Records that a host asked to wait. An error of this computer's own network is not an error of the host.
    async fn refused(&self, error: FetchError) -> Result<RequestError, LibraryError> {
        let now = self.now();
        let retry = retry(&error, 0, now);
        if let (Retry::Wait(until), FetchErrorKind::Waiting) = (&retry, error.kind) {
            return Ok(RequestError::Wait { until: *until, requested: false });
        }
        let wait = record::host_wait(&error, now);
        if let Some((host, until)) = &wait {
            self.library.hosts().wait_until(host, *until).await?;
        }
        match (retry, wait) {
            (Retry::Wait(_), Some((_, until))) => Ok(RequestError::Wait { until, requested: true }),
            _ => Ok(RequestError::Fetch(Box::new(error))),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn feed(url: Option<&str>, private: bool) -> Feed {
        Feed { url: url.map(|url| url.parse().unwrap()), access: None, private }
    }

    #[test]
    fn keeps_articles_of_public_feeds_away_from_private_addresses() {
        let public = feed(Some("https://a.example/feed"), false);
        // The feed's own host too: its name may start to resolve to a private address.
        for url in ["https://a.example/1.png", "https://b.example/1.png", "http://192.168.1.1/1.png"] {
            assert!(public.is_public_only(&url.parse().unwrap()), "{url}");
        }
        assert!(feed(None, false).is_public_only(&"http://192.168.1.1/1.png".parse().unwrap()), "a file");
    }

    #[test]
    fn lets_articles_of_a_private_feed_reach_its_own_host_only() {
        for (url, private) in
            [("http://10.0.0.1/feed", false), ("http://nas.lan/feed", false), ("https://wiki.example/feed", true)]
        {
            let feed = feed(Some(url), private);
            let own: Url = url.parse().unwrap();
            assert!(feed.is_private() && !feed.is_public_only(&own.join("/1.png").unwrap()), "{url}");
            assert!(feed.is_public_only(&"http://192.168.1.1/1.png".parse().unwrap()), "{url}");
        }
    }
}
