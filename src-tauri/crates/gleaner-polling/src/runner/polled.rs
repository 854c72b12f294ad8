//! The result of polling one feed, before it is stored.

use crate::summary::Summary;
use gleaner_fetch::Held;
use gleaner_library::{Exchange, Incoming, Poll, Stored};
use std::sync::Arc;
use tokio::sync::OwnedMutexGuard;

/// How a request timed out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Timeout {
    /// There was no response at all.
    NoResponse,
    /// The response was not complete in time.
    Incomplete,
}

/// Result of polling one feed, before it is stored.
pub(crate) struct Polled {
    pub(super) incoming: Incoming,
    /// The feed's polling state before, for recording that the result could not be stored.
    pub(super) before: Poll,
    /// Whether a request was sent.
    pub(super) requested: bool,
    pub(super) failed: bool,
    pub(super) offline: bool,
    pub(super) timeout: Option<Timeout>,
    /// Whether the host said that there were too many requests, but not how long to wait.
    pub(super) too_many: bool,
    /// Whether no request was sent because the host did not respond before.
    pub(super) silent: bool,
    /// Whether no request was sent because of its address.
    pub(super) unsupported: bool,
    /// Whether no request was sent because the user unsubscribed from it or changed its address in the meantime. Such a feed is neither
    /// stored nor counted.
    pub(super) unsubscribed: bool,
    /// Keeps the host locked until the result is stored.
    pub(super) _host: Option<Arc<OwnedMutexGuard<()>>>,
    /// The memory taken by documents that were read.
    pub(super) _held: Held,
}

impl Polled {
    pub(super) fn skipped(before: Poll, incoming: Incoming) -> Self {
        Self {
            incoming,
            before,
            requested: false,
            failed: false,
            offline: false,
            timeout: None,
            too_many: false,
            silent: false,
            unsupported: false,
            unsubscribed: false,
            _host: None,
            _held: Held::default(),
        }
    }

    pub(super) fn succeeded(before: Poll, incoming: Incoming, exchange: Option<Exchange>) -> Self {
        Self { requested: true, ..Self::skipped(before, Incoming { exchange, ..incoming }) }
    }

    pub(super) fn failed(before: Poll, incoming: Incoming, exchange: Option<Exchange>) -> Self {
        Self { requested: true, failed: true, ..Self::skipped(before, Incoming { exchange, ..incoming }) }
    }
}

impl Summary {
    /// Counts a feed. `stored` is `None` if its result could not be stored.
    pub(crate) fn add(&mut self, polled: &Polled, stored: Option<Stored>) {
        let exchange = polled.incoming.exchange.as_ref();
        self.requested += usize::from(polled.requested);
        self.skipped += usize::from(!polled.requested);
        self.silent += usize::from(polled.silent);
        self.unsupported += usize::from(polled.unsupported);
        self.bytes += exchange.map_or(0, |exchange| exchange.bytes.unsigned_abs());
        let failed = polled.failed || stored.is_none();
        self.offline += usize::from(polled.offline);
        let stored = stored.unwrap_or_default();
        // A request is counted as one of these four.
        if failed {
            self.failed += 1;
        } else if stored.new + stored.changed > 0 {
            self.updated += 1;
        } else if polled.incoming.not_modified {
            self.not_modified += 1;
        } else if polled.requested {
            self.unchanged += 1;
        }
        self.items_new += stored.new;
        self.items_changed += stored.changed;
        self.notify.extend(stored.notify);
        self.searches.extend(stored.searches);
    }
}
