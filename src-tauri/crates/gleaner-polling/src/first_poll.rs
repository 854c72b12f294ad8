//! Stores the document that a search for feeds fetched as the first poll of a new feed, so that subscribing needs only one request (P01).

use crate::{
    record,
    runner::{PollError, Poller},
    schedule::Reason,
    summary::Summary,
};
use gleaner_fetch::Response;

impl Poller {
    /// Stores a response as the first poll of a feed: its articles, its validators, the log, and the time of the next poll. Does nothing
    /// for a feed that was polled before. Needs no lock: items that another process polls in the meantime are recognised when storing.
    ///
    /// # Errors
    /// When the library cannot be read or written.
    pub async fn first_poll(&self, feed: i64, response: Response) -> Result<Summary, PollError> {
        let polls = self.library.polls().list().await?;
        let before = polls.into_iter().find(|poll| poll.feed_id == feed && poll.checked_at.is_none());
        let Some(before) = before else { return Ok(Summary::default()) };
        let mut poll = before.clone();
        poll.private = Some(response.private);
        let exchange = record::exchange(Reason::First.name().to_owned(), &response);
        let round = self.round(true, None).await?;
        let polled = self.read_response(before, poll, response, Some(exchange), &round).await;
        let stored = self.store(std::slice::from_ref(&polled)).await?.pop().flatten();
        let mut summary = Summary { feeds: 1, ..Summary::default() };
        summary.add(&polled, stored);
        Ok(summary)
    }
}
