//! Counts requests and received bytes.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts the requests of a fetcher.
#[derive(Debug, Default)]
pub struct RequestCounter {
    requests: AtomicU64,
    bytes: AtomicU64,
}

impl RequestCounter {
    /// Returns the number of requests so far, including redirects if the response says how many were followed.
    pub fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// Returns the bytes received so far in bodies of responses, as transferred.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    pub(crate) fn sent(&self, requests: u64) {
        self.requests.fetch_add(requests, Ordering::Relaxed);
    }

    pub(crate) fn received(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }
}
