//! Receives the results of polls in batches, and stores each batch in one transaction. [`crate::decide`] decided what to store.

use super::{Poller, internal, polled::Polled};
use crate::record;
use gleaner_library::{Incoming, LibraryError, Stored};
use std::time::Duration;
use tokio::sync::mpsc;

/// Maximum number of feeds per transaction.
pub(super) const BATCH: usize = 64;
/// How long a transaction waits for more results: one for 64 feeds costs little more than one for three.
const COLLECT_WITHIN: Duration = Duration::from_millis(20);
/// How often it looks for them.
const CHECK_EVERY: Duration = Duration::from_millis(4);
/// Maximum number of new and changed articles for which it waits, since they take memory.
const MAX_ARTICLES: usize = 500;

/// Receives a batch of results, of at most `outstanding` feeds. Returns whether there are any.
pub(super) async fn receive(
    receiver: &mut mpsc::Receiver<Polled>,
    batch: &mut Vec<Polled>,
    outstanding: usize,
) -> bool {
    receiver.recv_many(batch, BATCH).await;
    let until = tokio::time::Instant::now() + COLLECT_WITHIN;
    let articles = |batch: &[Polled]| batch.iter().map(|polled| polled.incoming.intents.len()).sum::<usize>();
    while (1..BATCH.min(outstanding)).contains(&batch.len())
        && articles(batch) < MAX_ARTICLES
        && tokio::time::Instant::now() < until
    {
        // Waking up for each result would take longer than storing it.
        tokio::time::sleep(CHECK_EVERY).await;
        while batch.len() < BATCH
            && articles(batch) < MAX_ARTICLES
            && let Ok(polled) = receiver.try_recv()
        {
            batch.push(polled);
        }
    }
    !batch.is_empty()
}

impl Poller {
    /// Stores a batch of results. A feed whose result cannot be stored (`None`) keeps its former validators and is recorded as failed. So
    /// its items are received again, and its server is not contacted in a loop.
    pub(crate) async fn store(&self, batch: &[Polled]) -> Result<Vec<Option<Stored>>, LibraryError> {
        let incoming: Vec<&Incoming> = batch.iter().map(|polled| &polled.incoming).collect();
        let mut stored = Vec::with_capacity(batch.len());
        for (polled, result) in batch.iter().zip(self.library.polls().store_each(&incoming).await?) {
            let Err(error) = result else {
                stored.push(result.ok());
                continue;
            };
            let failed =
                record::failed(polled.before.clone(), internal(polled.before.feed_id, &error), None, self.now());
            let failed = Incoming { exchange: polled.incoming.exchange.clone(), ..failed };
            // If even that cannot be stored, the feed stays as it was.
            let _recorded = self.library.polls().store_each(&[&failed]).await?;
            stored.push(None);
        }
        Ok(stored)
    }
}
