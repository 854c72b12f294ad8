//! Records which servers keep a connection open, so that the next request uses it. Servers may close such connections at any moment, even
//! while a request is being sent (RFC 9112, section 9.3.1). This is not an error of the server, so the request is sent again.

use crate::header_values::length;
use crate::{FetchCause, FetchError};
use reqwest::header::{CONNECTION, HeaderValue};
use reqwest::{Response, StatusCode, Version};
use std::collections::HashMap;
use std::time::{Duration, Instant};
use tokio::time::timeout;
use url::Url;

/// Idle time of a connection. Shorter than the usual server timeouts, to avoid writing to a connection that is being
/// closed.
pub(crate) const IDLE: Duration = Duration::from_secs(20);
/// Maximum length, in bytes, of an unused body that is read so that the connection can be reused.
const MAX_DRAINED: u64 = 64 << 10;
const DRAIN_TIMEOUT: Duration = Duration::from_millis(250);

/// When servers last responded and kept their connection open, by origin.
#[derive(Debug, Default)]
pub(crate) struct OpenConnections(HashMap<String, Instant>);

impl OpenConnections {
    pub(crate) fn record(&mut self, url: &Url) {
        self.0.retain(|_, since| since.elapsed() < IDLE);
        self.0.insert(url.origin().ascii_serialization(), Instant::now());
    }

    /// Returns whether the next request uses an open connection, and forgets that connection.
    pub(crate) fn take(&mut self, url: &Url) -> bool {
        let since = self.0.remove(&url.origin().ascii_serialization());
        since.is_some_and(|since| since.elapsed() < IDLE)
    }
}

/// Whether the server keeps the connection open after a response (RFC 9112, section 9.3).
pub(crate) fn stays_open(response: &Response) -> bool {
    let close = |value: &HeaderValue| value.to_str().is_ok_and(|value| value.to_ascii_lowercase().contains("close"));
    let is_open = response.version() >= Version::HTTP_11 && response.status() != StatusCode::REQUEST_TIMEOUT;
    is_open && !response.headers().get_all(CONNECTION).iter().any(close)
}

/// Whether the result of a request on an open connection means only that the server has closed it.
pub(crate) fn was_closed(result: &Result<Response, FetchError>) -> bool {
    match result {
        // The messages that servers send on a connection that was idle for too long.
        Ok(response) => response.status() == StatusCode::REQUEST_TIMEOUT,
        Err(error) => {
            matches!(*error.cause, FetchCause::EmptyResponse | FetchCause::HeadersLost | FetchCause::ConnectionReset)
        }
    }
}

/// Reads an unused body.
pub(crate) async fn drain(mut response: Response) {
    if length(response.headers()).is_none_or(|length| length > MAX_DRAINED) {
        return;
    }
    let rest = async { while let Ok(Some(_)) = response.chunk().await {} };
    // On timeout the connection is dropped, which only costs a new connection later.
    let _ = timeout(DRAIN_TIMEOUT, rest).await;
}
