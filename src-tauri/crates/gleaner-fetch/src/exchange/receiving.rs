//! Receives and decodes the body of a response.

use super::Exchange;
use crate::body::{Body, BodyError, STEP};
use crate::explain::Phase;
use crate::header_values::{end_of_identity, joined, length};
use crate::memory::{self, Held, Share};
use crate::{Accept, FetchCause, FetchError};
use reqwest::header::CONTENT_ENCODING;

/// Length in bytes of the pieces that are decoded one after the other.
const PIECE: usize = 8 << 10;

/// A body that was received.
pub(super) struct Received {
    pub(super) body: Vec<u8>,
    /// Whether it is complete and undamaged.
    pub(super) is_whole: bool,
    /// Number of bytes that were transferred.
    pub(super) wire_bytes: u64,
    pub(super) held: Held,
}

impl Exchange<'_> {
    /// Reads the body. Of a feed that is cut off, or whose compression is damaged, it is what was received, if that contains items and
    /// the request does not ask for all of it.
    pub(super) async fn read(&self, response: reqwest::Response) -> Result<Received, FetchError> {
        let limit = self.shared.limits.body.min(self.request.at_most.unwrap_or(u64::MAX));
        let coding = joined(response.headers(), &CONTENT_ENCODING);
        let body = Body::new(&coding, length(response.headers()), limit);
        let mut body = body.map_err(|error| self.body_error(error, limit))?;
        if matches!(self.request.accept, Accept::Feed | Accept::Page) {
            body = body.document();
        }
        let mut share = memory::process().share();
        let mut wire_bytes = 0;
        let result = self.receive(response, limit, (&mut body, &mut wire_bytes, &mut share)).await;
        let is_whole = result.is_ok();
        if let Err(error) = result {
            let is_incomplete = matches!(*error.cause, FetchCause::DamagedCompression | FetchCause::ConnectionLost);
            let may_be_part = self.request.accept == Accept::Feed && !self.request.whole;
            if !(is_incomplete && may_be_part && body.has_item()) {
                return Err(error);
            }
        }
        let body = body.into_bytes();
        let held = share.keep(body.len());
        Ok(Received { body, is_whole, wire_bytes, held })
    }

    /// Receives and decodes a body of at most `limit` bytes, and counts the bytes that were transferred.
    async fn receive(
        &self,
        mut response: reqwest::Response,
        limit: u64,
        (body, wire_bytes, share): (&mut Body, &mut u64, &mut Share),
    ) -> Result<(), FetchError> {
        let failed = |error| self.body_error(error, limit);
        let end = end_of_identity(response.headers());
        loop {
            let received = match end {
                Some(end) if end == *wire_bytes => Ok(None),
                _ => response.chunk().await,
            };
            let received = match received {
                Err(_) if body.is_complete_document() => Ok(None),
                received => received,
            };
            match received {
                Ok(Some(mut chunk)) => {
                    let room = end.map_or(u64::MAX, |end| end.saturating_sub(*wire_bytes));
                    chunk.truncate(usize::try_from(room).unwrap_or(usize::MAX));
                    *wire_bytes += chunk.len() as u64;
                    // The decoded body is longer than this, unless the stream is damaged or hostile.
                    if *wire_bytes > limit {
                        return Err(failed(BodyError::TooLarge));
                    }
                    for mut piece in chunk.chunks(PIECE) {
                        let mut more = true;
                        while more {
                            // Only its first bytes show whether a document is a compressed file.
                            if body.is_nested() {
                                share.grow_beyond(self.waits).await;
                            }
                            share.grow(body.memory() + 2 * STEP, self.waits).await;
                            more = body.push(&mut piece).map_err(failed)?;
                            // Decoding takes long without waiting for anything, and must not delay limits and cancellation.
                            tokio::task::coop::consume_budget().await;
                        }
                    }
                }
                Ok(None) if end.is_some_and(|end| *wire_bytes < end) && !body.is_complete_document() => {
                    return Err(self.error(FetchCause::ConnectionLost));
                }
                Ok(None) => return body.finish().map_err(failed),
                Err(error) => return Err(self.explain(&error, Phase::Body).await),
            }
        }
    }

    fn body_error(&self, error: BodyError, limit: u64) -> FetchError {
        self.error(match error {
            BodyError::TooLarge => FetchCause::TooLarge { limit },
            BodyError::Corrupt => FetchCause::DamagedCompression,
        })
    }
}
