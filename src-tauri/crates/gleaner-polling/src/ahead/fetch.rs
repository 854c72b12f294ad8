//! One polite request for a page or a picture.

use super::{Then, then};
use crate::{access, record, runner::Poller, schedule, turn::host};
use gleaner_fetch::{Accept, Answer, FetchError, Request};
use gleaner_library::{Access, LibraryError, Millis};
use std::{collections::HashMap, time::Instant};
use tokio_util::sync::CancellationToken;
use url::Url;

/// How the feed of an article is reached.
#[derive(Debug, Clone)]
pub(crate) struct Feed {
    /// Where it is fetched, where that is a web address.
    pub url: Option<Url>,
    /// How, where that is out of the ordinary.
    pub access: Option<Access>,
}

/// Why something did not come.
#[derive(Debug)]
pub(crate) enum Trouble {
    Library(LibraryError),
    Cancelled,
    /// Its server wants to be left alone until then.
    Wait(Millis),
    /// No answer, or one that is an error.
    Fetch(Box<FetchError>),
    /// The feed's login cannot be read, or its proxy is none; in words.
    Access(String),
}

impl From<LibraryError> for Trouble {
    fn from(error: LibraryError) -> Self {
        Self::Library(error)
    }
}

impl Poller {
    /// Of all feeds.
    pub(crate) async fn feeds_reached(&self) -> Result<HashMap<i64, Feed>, LibraryError> {
        let mut accesses = self.library.accesses().await?;
        let feeds = self.library.feeds().await?;
        let reached = |feed: gleaner_library::FeedRow| {
            let url = Url::parse(&feed.url).ok().filter(Url::has_host);
            (feed.id, Feed { url, access: accesses.remove(&feed.id) })
        };
        Ok(feeds.into_iter().map(reached).collect())
    }

    /// Asks for something that an article of this feed names. Its host has a rest afterwards, before anything here asks it again.
    pub(crate) async fn get(
        &self,
        url: &Url,
        (accept, at_most): (Accept, u64),
        feed: &Feed,
        cancel: &CancellationToken,
    ) -> Result<Answer, Trouble> {
        let request = Request { accept, at_most: Some(at_most), ..Request::new(url.clone()) };
        self.ask_beside(request, feed, cancel).await
    }

    /// The same for what is asked for in another way.
    pub(crate) async fn ask_beside(
        &self,
        request: Request,
        feed: &Feed,
        cancel: &CancellationToken,
    ) -> Result<Answer, Trouble> {
        let url = &request.url.clone();
        let turn = tokio::select! {
            turn = self.turns.of(host(url.as_str())) => turn,
            () = cancel.cancelled() => return Err(Trouble::Cancelled),
        };
        let now = self.now();
        if let Some(until) = self.library.waiting_hosts(now, now + schedule::LATEST).await?.get(&host(url.as_str())) {
            return Err(Trouble::Wait(*until));
        }
        // Without a fragment, which is the reader's own.
        let mut page = url.clone();
        page.set_fragment(None);
        // A feed of the private network may republish strangers: what they name there is not asked for either.
        let public_only = feed.url.as_ref().is_none_or(|feed| feed.host() != url.host());
        let request = Request { url: page, public_only, ..request };
        let request = access::dressed(request, feed.access.as_ref()).await.map_err(|(_, why)| Trouble::Access(why))?;
        let began = Instant::now();
        let answer = tokio::select! {
            answer = self.fetcher.fetch(request) => answer,
            () = cancel.cancelled() => return Err(Trouble::Cancelled),
        };
        let rest = record::rest(began.elapsed(), url);
        tokio::spawn(async move {
            tokio::time::sleep(rest).await;
            drop(turn);
        });
        match answer {
            Ok(answer) => Ok(answer),
            Err(error) => {
                if let (Then::Wait(until), Some(host)) = (then(&error, 0, now), error.url.host_str()) {
                    self.library.wait_for_host(host, until).await?;
                    return Err(Trouble::Wait(until));
                }
                Err(Trouble::Fetch(Box::new(error)))
            }
        }
    }
}
