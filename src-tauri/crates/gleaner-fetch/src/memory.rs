//! A budget for the bodies that are in memory at once, and for parsing them.
//!
//! Small bodies are free. A larger one takes what it needs from a pool while it grows. If the pool is empty, one body at a time may grow to
//! the limit of a body. So each is received in the end, and bodies that wait for each other cannot block all of them. Waiting does not
//! count as the time of the server.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bytes of each body that are free.
const FREE: usize = 256 << 10;
/// Bytes of all bodies together, beyond the free ones.
const POOL: usize = 16 << 20;
/// Bytes that a body takes from the pool at a time.
const UNIT: usize = 64 << 10;
/// Bytes that documents take together while they are parsed, and their items until these are stored. One document at a time may take more.
const READING: usize = 32 << 20;
/// Estimated memory for parsing a document, per byte of the document.
const READING_PER_BYTE: usize = 16;

static PROCESS: LazyLock<Budget> = LazyLock::new(|| Budget::new(POOL));

/// The budget of a process.
#[derive(Debug, Clone)]
pub(crate) struct Budget {
    pool: Arc<Semaphore>,
    /// The right to grow beyond the pool.
    beyond: Arc<Semaphore>,
    reading: Arc<Semaphore>,
    /// The permit of the one document that may take more than the rest of the budget.
    read_beyond: Arc<Semaphore>,
}

impl Budget {
    fn new(pool: usize) -> Self {
        Self {
            pool: Arc::new(Semaphore::new(pool / UNIT)),
            beyond: Arc::new(Semaphore::new(1)),
            reading: Arc::new(Semaphore::new(READING / UNIT)),
            read_beyond: Arc::new(Semaphore::new(1)),
        }
    }

    /// Returns the share of a new body, which is empty.
    pub(crate) fn share(&self) -> Share {
        Share { budget: self.clone(), held: Permits::default() }
    }
}

/// Waits until a document of this length, in bytes, may be read. A document that needs all of the budget is read alone.
pub async fn to_read(length: usize) -> Reading {
    PROCESS.to_read(length).await
}

impl Budget {
    async fn to_read(&self, length: usize) -> Reading {
        let units = units(length.saturating_mul(READING_PER_BYTE).clamp(1, READING));
        // The semaphore is never closed.
        let held = Permits { units: self.reading.clone().acquire_many_owned(units).await.ok(), beyond: None };
        Reading { budget: self.clone(), held }
    }
}

/// The share of a document that is being read.
#[derive(Debug)]
pub struct Reading {
    budget: Budget,
    held: Permits,
}

impl Reading {
    /// Adjusts the memory to the size of the parsed document, in bytes: returns the excess, or waits until it may take more. The memory is
    /// held until the result is stored.
    pub async fn keep(mut self, memory: usize) -> Held {
        let more = self.held.adjust(memory);
        if more > 0 {
            tokio::select! {
                biased;
                Ok(units) = self.budget.reading.clone().acquire_many_owned(more) => self.held.take(units),
                // One document can always continue, so documents that wait for each other cannot block all.
                beyond = self.budget.read_beyond.clone().acquire_owned() => self.held.beyond = beyond.ok(),
            }
        }
        Held { _permits: Some(Arc::new(self.held)) }
    }
}

/// Returns the budget of this process.
pub(crate) fn process() -> &'static Budget {
    &PROCESS
}

/// Memory that is in use; it is returned when the last copy is dropped.
#[derive(Debug, Clone, Default)]
pub struct Held {
    _permits: Option<Arc<Permits>>,
}

#[derive(Debug, Default)]
struct Permits {
    units: Option<OwnedSemaphorePermit>,
    beyond: Option<OwnedSemaphorePermit>,
}

impl Permits {
    /// Returns the excess beyond this many bytes to the pool. Returns the number of units that are missing.
    fn adjust(&mut self, bytes: usize) -> u32 {
        let taken = self.units.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        if let Some(units) = &mut self.units {
            drop(units.split(taken.saturating_sub(bytes.div_ceil(UNIT))));
        }
        units(bytes).saturating_sub(u32::try_from(taken).unwrap_or(u32::MAX))
    }

    fn take(&mut self, more: OwnedSemaphorePermit) {
        match &mut self.units {
            Some(taken) => taken.merge(more),
            None => self.units = Some(more),
        }
    }
}

/// The share of a body that is being received.
#[derive(Debug)]
pub(crate) struct Share {
    budget: Budget,
    held: Permits,
}

impl Share {
    /// Waits until the body may have this length.
    pub(crate) async fn grow(&mut self, length: usize, waits: &Waits) {
        let wanted = units(length.saturating_sub(FREE));
        let taken = self.held.units.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let more = wanted.saturating_sub(u32::try_from(taken).unwrap_or(u32::MAX));
        if more == 0 || self.held.beyond.is_some() {
            return;
        }
        if let Ok(units) = self.budget.pool.clone().try_acquire_many_owned(more) {
            self.held.take(units);
            return;
        }
        let _waiting = waits.begin();
        tokio::select! {
            biased;
            Ok(units) = self.budget.pool.clone().acquire_many_owned(more) => self.held.take(units),
            () = self.beyond() => {}
        }
    }

    /// Waits until the body may have any length.
    pub(crate) async fn grow_beyond(&mut self, waits: &Waits) {
        if self.held.beyond.is_none() {
            let _waiting = waits.begin();
            self.beyond().await;
        }
    }

    async fn beyond(&mut self) {
        self.held.beyond = self.budget.beyond.clone().acquire_owned().await.ok();
        // Its previous share is part of that now.
        self.held.units = None;
    }

    /// Returns the memory that a complete body of this length does not need.
    pub(crate) fn keep(mut self, length: usize) -> Held {
        self.held.adjust(length.saturating_sub(FREE));
        Held { _permits: Some(Arc::new(self.held)) }
    }
}

fn units(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX)
}

/// How long an exchange waited for memory. Its time limits are for the server only.
#[derive(Debug)]
pub(crate) struct Waits {
    start: Instant,
    /// When the current wait began, in milliseconds since `start`, plus 1; 0 for none.
    since: AtomicU64,
    /// Milliseconds of the waits before.
    total: AtomicU64,
}

impl Waits {
    pub(crate) fn new() -> Self {
        Self { start: Instant::now(), since: AtomicU64::new(0), total: AtomicU64::new(0) }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX - 1)
    }

    fn begin(&self) -> impl Drop + '_ {
        self.since.store(self.now() + 1, Ordering::Relaxed);
        Waiting(self)
    }

    /// Returns how long it has waited until now.
    pub(crate) fn total(&self) -> Duration {
        let waiting = match self.since.load(Ordering::Relaxed) {
            0 => 0,
            since => (self.now() + 1).saturating_sub(since),
        };
        Duration::from_millis(self.total.load(Ordering::Relaxed) + waiting)
    }
}

struct Waiting<'a>(&'a Waits);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let total = u64::try_from(self.0.total().as_millis()).unwrap_or(u64::MAX);
        self.0.total.store(total, Ordering::Relaxed);
        self.0.since.store(0, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a share grows without waiting for another.
    async fn grows(share: &mut Share, length: usize) -> bool {
        let waits = Waits::new();
        tokio::select! {
            biased;
            () = share.grow(length, &waits) => true,
            () = std::future::ready(()) => false,
        }
    }

    #[tokio::test]
    async fn one_body_grows_beyond_a_pool_that_others_have_emptied() {
        let budget = Budget::new(4 * UNIT);
        let [mut a, mut b, mut c] = [budget.share(), budget.share(), budget.share()];
        assert!(grows(&mut a, FREE + 2 * UNIT).await && grows(&mut b, FREE + 2 * UNIT).await);
        assert!(grows(&mut c, FREE).await, "a small body is free");
        assert!(grows(&mut a, FREE + 100 * UNIT).await, "one of them may have any length");
        assert!(grows(&mut b, FREE + 4 * UNIT).await, "and leaves the pool to the others");
        assert!(!grows(&mut c, FREE + 1).await && !grows(&mut b, FREE + 5 * UNIT).await);
        drop(a);
        assert!(grows(&mut b, FREE + 100 * UNIT).await);
        assert!(grows(&mut c, FREE + 4 * UNIT).await);
        drop(b);
        assert!(grows(&mut c, FREE + 100 * UNIT).await);
    }

    #[tokio::test]
    async fn a_complete_body_keeps_what_it_needs() {
        let budget = Budget::new(4 * UNIT);
        let mut body = budget.share();
        assert!(grows(&mut body, FREE + 4 * UNIT).await);
        let held = body.keep(FREE + UNIT);
        assert_eq!(budget.pool.available_permits(), 3);
        drop(held.clone());
        assert_eq!(budget.pool.available_permits(), 3);
        drop(held);
        assert_eq!(budget.pool.available_permits(), 4);
    }

    /// Whether the parsed data may be held without waiting for another document.
    async fn kept(reading: Reading, memory: usize) -> Option<Held> {
        tokio::select! {
            biased;
            held = reading.keep(memory) => Some(held),
            () = std::future::ready(()) => None,
        }
    }

    #[tokio::test]
    async fn a_document_larger_than_the_budget_is_read_alone() {
        let budget = Budget::new(UNIT);
        let large = budget.to_read(READING * 3).await;
        assert_eq!(budget.reading.available_permits(), 0);
        drop(large);
        let _small = budget.to_read(1).await;
        assert_eq!(budget.reading.available_permits(), READING / UNIT - 1);
    }

    #[tokio::test]
    async fn what_was_read_takes_its_share_until_it_is_stored() {
        let budget = Budget::new(UNIT);
        let small = kept(budget.to_read(READING / READING_PER_BYTE / 2).await, UNIT).await.unwrap();
        assert_eq!(budget.reading.available_permits(), READING / UNIT - 1, "the rest is given back");
        let large = kept(budget.to_read(1).await, READING - UNIT).await.unwrap();
        assert_eq!(budget.reading.available_permits(), 0);
        drop((small, large));
        let half = kept(budget.to_read(1).await, READING / 2).await.unwrap();
        let beyond = kept(budget.to_read(1).await, 10 * READING).await.unwrap();
        assert!(kept(budget.to_read(1).await, READING).await.is_none(), "only one goes beyond the budget");
        drop(beyond);
        let _next = kept(budget.to_read(1).await, READING).await.unwrap();
        drop(half);
    }

    #[test]
    fn counts_waits() {
        let waits = Waits::new();
        assert_eq!(waits.total(), Duration::ZERO);
        waits.total.store(3000, Ordering::Relaxed);
        drop(waits.begin());
        assert!(waits.total() >= Duration::from_secs(3));
        assert_eq!(waits.since.load(Ordering::Relaxed), 0);
    }
}
