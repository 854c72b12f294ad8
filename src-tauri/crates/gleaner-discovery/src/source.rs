//! The source of documents for discovery.

use gleaner_address::without_login;
use gleaner_fetch::{FetchCause, FetchError, Fetcher, Request, Response};
use std::future::Future;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// A source of documents: the network, or memory in tests.
pub trait Source: Sync {
    /// Fetches a document.
    fn get(&self, request: Request) -> impl Future<Output = Result<Response, FetchError>> + Send;
}

impl Source for Fetcher {
    async fn get(&self, request: Request) -> Result<Response, FetchError> {
        self.fetch(request).await
    }
}

/// Maximum time of all requests together. Candidates that were not fetched in this time are offered only if the page itself names them.
const MAX_TIME: Duration = Duration::from_secs(120);

/// A source whose requests all fail from a certain time on.
pub(crate) struct Timed<'a, S> {
    pub(crate) source: &'a S,
    pub(crate) until: Instant,
}

impl<'a, S> Timed<'a, S> {
    pub(crate) fn new(source: &'a S) -> Self {
        Self { source, until: Instant::now() + MAX_TIME }
    }
}

impl<S: Source> Source for Timed<'_, S> {
    async fn get(&self, request: Request) -> Result<Response, FetchError> {
        let url = without_login(&request.url);
        match timeout_at(self.until, self.source.get(request)).await {
            Ok(result) => result,
            Err(_) => Err(FetchError::new(FetchCause::IncompleteResponse { limit: MAX_TIME }, &url)),
        }
    }
}
