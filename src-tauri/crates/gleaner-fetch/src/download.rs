//! The response to a request for a file, whose body is read in pieces and not kept in memory.

use crate::body::{Body, STEP};
use crate::clients::Shared;
use crate::explain::{self, Phase};
use crate::header_values::{is_whole, joined, length, validator};
use crate::{FetchCause, FetchError, Request, RequestCounter};
use reqwest::header::{CONTENT_ENCODING, CONTENT_RANGE, CONTENT_TYPE, ETAG, HeaderMap, LAST_MODIFIED};
use reqwest::{Response, StatusCode};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::timeout;
use url::Url;

/// Number of bytes per second that a server must send on average, in each [`crate::Limits::whole`] of waiting for it. Otherwise it could keep a
/// download open for days, and others would wait for that. Slow mobile connections send more, also if two downloads share them.
const MIN_SPEED: u64 = 100;

/// A file that is being received.
pub struct Download {
    shared: Arc<Shared>,
    response: Response,
    url: Url,
    counter: Option<Arc<RequestCounter>>,
    decoding: Option<Decoding>,
    began: Instant,
    speed: Speed,
    /// Position of the first received byte in the file: 0 unless the server sends the requested rest.
    pub from: u64,
    /// Length of the whole file in bytes, if the server states it.
    pub total: Option<u64>,
    /// Strong ETag, else Last-Modified: what [`crate::Resume`] needs.
    pub validator: Option<Vec<u8>>,
    /// MIME type as the server sent it.
    pub content_type: Option<String>,
}

/// How long a download waited for the server since the last check of its speed, and how many bytes it received in that time.
#[derive(Default)]
struct Speed {
    waited: Duration,
    received: u64,
}

impl Speed {
    /// Adds bytes and how long they took. After each `window` of waiting, returns whether the server was too slow.
    fn is_too_low(&mut self, received: u64, waited: Duration, window: Duration) -> bool {
        self.received += received;
        self.waited += waited;
        if self.waited < window {
            return false;
        }
        let Self { waited, received } = std::mem::take(self);
        received < MIN_SPEED * waited.as_secs()
    }
}

/// A file that the server compresses although it was requested without compression.
struct Decoding {
    body: Body,
    /// The last bytes from the network, and how many of them were decoded.
    received: Vec<u8>,
    decoded: usize,
    /// Whether there may be more output without further bytes.
    more: bool,
}

impl Decoding {
    /// Returns `None` for a file without a coding: some servers send `identity`, a charset, or the name of a transfer coding.
    fn new(coding: &str) -> Result<Option<Self>, FetchCause> {
        // The file itself may have any length.
        let body = Body::new(coding, None, u64::MAX).ok().filter(|body| !body.is_nested());
        let body = body.ok_or(FetchCause::DamagedCompression)?;
        Ok(body.is_coded().then(|| Self { body, received: Vec::new(), decoded: 0, more: false }))
    }

    /// Returns the next decoded bytes, a few kilobytes; `None` if more must be received first.
    fn next(&mut self) -> Result<Option<Vec<u8>>, FetchCause> {
        while self.more || self.decoded < self.received.len() {
            let mut rest = self.received.get(self.decoded..).unwrap_or_default();
            // A body that is not compressed, although its header says so, is passed on as it is.
            rest = rest.get(..STEP).unwrap_or(rest);
            let before = rest.len();
            self.more = self.body.push(&mut rest).map_err(|_| FetchCause::DamagedCompression)?;
            self.decoded += before - rest.len();
            let decoded = self.body.take();
            if !decoded.is_empty() {
                return Ok(Some(decoded));
            }
        }
        Ok(None)
    }
}

impl Download {
    pub(crate) fn new(
        shared: Arc<Shared>,
        response: Response,
        request: &Request,
        url: Url,
        counter: Option<Arc<RequestCounter>>,
    ) -> Result<Self, FetchError> {
        let headers = response.headers();
        let text = |name| headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        let decoding = Decoding::new(&joined(headers, &CONTENT_ENCODING));
        let decoding = decoding.map_err(|cause| FetchError::new(cause, &url))?;
        // The first bytes of the compressed file are not those of the decoded one, so it cannot be continued.
        if decoding.is_some() && response.status() == StatusCode::PARTIAL_CONTENT {
            return Err(FetchError::new(FetchCause::Status { status: 206 }, &url));
        }
        let (from, total) = if response.status() == StatusCode::PARTIAL_CONTENT {
            // Some servers send the whole file as a part, although no part was requested.
            let is_requested = |from| request.resume.as_ref().map_or(is_whole(headers), |resume| from == resume.from);
            match text(CONTENT_RANGE).as_deref().and_then(content_range) {
                Some((from, total)) if is_requested(from) => (from, total),
                // Another part.
                _ => return Err(FetchError::new(FetchCause::Status { status: 206 }, &url)),
            }
        } else {
            (0, length(headers).filter(|_| decoding.is_none()))
        };
        let content_type = text(CONTENT_TYPE);
        // Length and positions are those of the compressed file.
        let validator = strong_validator(headers).filter(|_| decoding.is_none());
        let (began, speed) = (Instant::now(), Speed::default());
        Ok(Self { shared, response, url, counter, decoding, began, speed, from, total, validator, content_type })
    }

    /// Returns the next bytes; `None` at the end.
    ///
    /// # Errors
    /// [`FetchError`] when the connection is lost, silent for too long, or too slow.
    pub async fn chunk(&mut self) -> Result<Option<Vec<u8>>, FetchError> {
        loop {
            let Some(decoding) = &mut self.decoding else { return self.receive().await };
            if let Some(decoded) = decoding.next().map_err(|cause| FetchError::new(cause, &self.url))? {
                return Ok(Some(decoded));
            }
            if let Some(bytes) = self.receive().await? {
                self.decoding = self.decoding.take().map(|last| Decoding { received: bytes, decoded: 0, ..last });
                continue;
            }
            let Some(mut ended) = self.decoding.take() else { return Ok(None) };
            let damaged = |_| FetchError::new(FetchCause::DamagedCompression, &self.url);
            ended.body.finish().map_err(damaged)?;
            let rest = ended.body.into_bytes();
            return Ok(Some(rest).filter(|rest| !rest.is_empty()));
        }
    }

    async fn receive(&mut self) -> Result<Option<Vec<u8>>, FetchError> {
        let limit = self.shared.limits.first_byte;
        let began = Instant::now();
        let chunk = match timeout(limit, self.response.chunk()).await {
            Ok(Ok(chunk)) => chunk.map(|bytes| bytes.to_vec()),
            Ok(Err(error)) => {
                let offline =
                    explain::may_be_offline(&error, &self.url, None) && self.shared.connectivity.is_offline().await;
                let connect = self.shared.limits.connect;
                // The connection exists, so that no proxy failed to make it.
                return Err(explain::explain(&error, Phase::Body, connect, &self.url, None, offline));
            }
            Err(_) => return Err(FetchError::new(FetchCause::NoResponse { limit }, &self.url)),
        };
        let length = chunk.as_ref().map_or(0, |bytes| bytes.len() as u64);
        if let Some(counter) = &self.counter {
            counter.received(length);
        }
        // If the clock continues while the computer sleeps, the wait seems longer than it can be.
        let waited = began.elapsed().min(limit);
        if self.speed.is_too_low(length, waited, self.shared.limits.whole) && chunk.is_some() {
            let limit = self.began.elapsed();
            return Err(FetchError::new(FetchCause::IncompleteResponse { limit }, &self.url));
        }
        Ok(chunk)
    }
}

/// Parses `Content-Range` (RFC 9110, section 14.4): the first position and the whole length, if it is known.
fn content_range(value: &str) -> Option<(u64, Option<u64>)> {
    let (range, total) = value.trim().strip_prefix("bytes ")?.split_once('/')?;
    let (from, _) = range.split_once('-')?;
    Some((from.trim().parse().ok()?, total.trim().parse().ok()))
}

/// Returns a validator that `If-Range` may contain (RFC 9110, section 13.1.5): a weak ETag is not one.
fn strong_validator(headers: &HeaderMap) -> Option<Vec<u8>> {
    let etag = validator(headers, &ETAG).filter(|etag| !etag.starts_with(b"W/"));
    etag.or_else(|| validator(headers, &LAST_MODIFIED))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_sends_a_byte_at_a_time_is_too_slow() {
        let (second, minute) = (Duration::from_secs(1), Duration::from_secs(60));
        let checks = |bytes: u64| {
            let mut speed = Speed::default();
            (1..=180).filter(|_| speed.is_too_low(bytes, second, minute)).count()
        };
        assert_eq!((checks(1), checks(99), checks(100), checks(1_000)), (3, 3, 0, 0));
        // Bytes received earlier do not make up for it.
        let mut speed = Speed::default();
        assert!(!speed.is_too_low(1 << 20, minute, minute) && speed.is_too_low(1, minute, minute));
    }

    #[test]
    fn reads_content_range() {
        for (value, range) in [
            ("bytes 5-9/10", Some((5, Some(10)))),
            ("bytes 5-9/*", Some((5, None))),
            (" bytes 0-0/1 ", Some((0, Some(1)))),
            ("bytes */10", None),
            ("items 5-9/10", None),
            ("", None),
        ] {
            assert_eq!(content_range(value), range, "{value}");
        }
    }
}
