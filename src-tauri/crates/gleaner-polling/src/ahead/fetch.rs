//! One polite request for a page or a picture.

use super::{Then, then};
use crate::{access, record, runner::Poller, schedule, turn::host};
use gleaner_fetch::{Accept, Answer, FetchError, Request, is_private_host};
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

impl Feed {
    /// Whether it is of the user's own network by what its address says. Any other has no business there, though its host's name lead
    /// there today.
    pub(crate) fn is_inside(&self) -> bool {
        self.url.as_ref().is_some_and(is_inside)
    }
}

/// The names that networks give themselves, and the public network to nobody (RFC 6762, appendix G; RFC 8375).
const INSIDE: [&str; 9] =
    [".local", ".lan", ".internal", ".intranet", ".private", ".home", ".corp", ".home.arpa", ".localdomain"];

/// Whether an address is of the user's own network by its letters: no look-up is trusted with that.
pub(crate) fn is_inside(url: &Url) -> bool {
    is_private_host(url)
        || url
            .domain()
            .map(|name| name.trim_end_matches('.'))
            .is_some_and(|name| !name.contains('.') || INSIDE.iter().any(|zone| name.ends_with(zone)))
}

/// Why something did not come.
#[derive(Debug)]
pub(crate) enum Trouble {
    Library(LibraryError),
    Cancelled,
    /// Its server wants to be left alone until then: it says so to this request, or has said so before, and was not asked.
    Wait {
        until: Millis,
        asked: bool,
    },
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
            return Err(Trouble::Wait { until: *until, asked: false });
        }
        // Without a fragment, which is the reader's own.
        let mut page = url.clone();
        page.set_fragment(None);
        // A feed of the private network may republish strangers: what they name there is not asked for either.
        let elsewhere = feed.url.as_ref().is_none_or(|feed| feed.host() != url.host());
        let request = Request { url: page, public_only: request.public_only || elsewhere, ..request };
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
                    return Err(Trouble::Wait { until, asked: true });
                }
                Err(Trouble::Fetch(Box::new(error)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_is_inside_says_so_itself() {
        let inside = |url: &str| Feed { url: Some(Url::parse(url).unwrap()), access: None }.is_inside();
        for url in ["http://10.0.0.1/f", "http://[::1]/f", "http://localhost:80/", "http://NAS.lan/f", "http://nas./f"]
        {
            assert!(inside(url), "{url}");
        }
        for url in ["http://nas.home.arpa/f", "http://printer.local/f", "http://git.corp/f"] {
            assert!(inside(url), "{url}");
        }
        for url in ["https://a.example/f", "https://lan.example/f", "https://plan.example.lan.org/", "http://9.9.9.9/f"]
        {
            assert!(!inside(url), "{url}");
        }
        assert!(!Feed { url: None, access: None }.is_inside(), "a file");
    }
}
