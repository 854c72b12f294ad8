//! Polls feeds: hosts concurrently, the feeds of one host one after the other.

use super::{
    Poller,
    polled::{Polled, Timeout},
    round::Round,
};
use crate::{host_queue::host, record, schedule, still_polled::StillPolled};
use futures::{StreamExt as _, stream};
use gleaner_library::{Millis, Poll};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// Number of hosts that are contacted concurrently.
const HOSTS_AT_ONCE: usize = 32;
/// Pause between two hosts in a scheduled refresh: after the computer has slept, all feeds are due at once (P27).
const BETWEEN_HOSTS: Duration = Duration::from_millis(25);

/// The state of a host, from its responses to earlier polls of a refresh.
#[derive(Default)]
struct HostState {
    /// Until when it asked to wait.
    waits_until: Option<Millis>,
    /// Number of requests without any response.
    no_response: usize,
    /// Number of all time-outs.
    timeouts: usize,
    /// Number of the last responses in a row that said that there were too many requests.
    too_many: usize,
}

impl Poller {
    /// Polls feeds by host, and sends the results.
    pub(super) async fn poll_hosts(
        self,
        by_host: Vec<Vec<Poll>>,
        round: Round,
        still_polled: StillPolled,
        sender: mpsc::Sender<Polled>,
        cancel: CancellationToken,
    ) {
        let spread = stream::iter(by_host).then(|feeds| async {
            if !round.by_hand && feeds.iter().any(|poll| poll.checked_at.is_some()) {
                tokio::time::sleep(BETWEEN_HOSTS).await;
            }
            feeds
        });
        // Boxed: the future is several kilobytes long, and is moved before it runs.
        let hosts = spread.for_each_concurrent(HOSTS_AT_ONCE, |feeds| {
            Box::pin(self.poll_host(feeds, &round, &still_polled, sender.clone()))
        });
        tokio::select! {
            () = hosts => {}
            () = cancel.cancelled() => {}
        }
    }

    /// Polls the feeds of one host one after the other. The limiter puts a pause between them (P44).
    async fn poll_host(
        &self,
        feeds: Vec<Poll>,
        round: &Round,
        still_polled: &StillPolled,
        sender: mpsc::Sender<Polled>,
    ) {
        let Some(first) = feeds.first() else { return };
        let own_host = host(&first.url);
        let lock = self.hosts.lock(own_host.clone()).await;
        let mut state = HostState::default();
        for (earlier, poll) in feeds.into_iter().enumerate() {
            let mut polled = if still_polled.contains(&poll, earlier > 0, &self.library).await {
                self.poll_unless_host_waits(poll, &state, round).await
            } else {
                let before = poll.clone();
                Polled { unsubscribed: true, ..Polled::skipped(before, record::skipped(poll, None, false)) }
            };
            state.too_many = if polled.too_many { state.too_many + 1 } else { 0 };
            if schedule::limits_host(state.too_many) {
                // Any further request is one too many, and may make the server stricter (P32).
                let until = schedule::host_waits_until(Duration::ZERO, self.now());
                self.contacted.wait(&own_host, until, self.now()).await;
                polled.incoming.wait = Some((own_host.clone(), until));
            }
            // The request may also have come from a feed that redirects to this host.
            let own_wait = polled.incoming.wait.as_ref().filter(|(host, _)| *host == own_host);
            state.waits_until = state.waits_until.or(own_wait.map(|(_, until)| *until));
            state.no_response += usize::from(polled.timeout == Some(Timeout::NoResponse));
            state.timeouts += usize::from(polled.timeout.is_some());
            if sender.send(Polled { _host: Some(lock.clone()), ..polled }).await.is_err() {
                return;
            }
        }
    }

    /// Polls a feed unless its host has just asked to wait, or does not respond.
    async fn poll_unless_host_waits(&self, poll: Poll, state: &HostState, round: &Round) -> Polled {
        let before = poll.clone();
        if state.waits_until.is_some() {
            // The other feeds of the host wait as well (P31).
            return Polled::skipped(before, record::skipped(poll, state.waits_until, round.by_hand));
        }
        if schedule::is_silent(state.no_response, state.timeouts) {
            // Its other feeds would hold up the refresh (P49).
            let incoming = record::not_requested(poll, round.by_hand, self.now());
            return Polled { silent: true, ..Polled::skipped(before, incoming) };
        }
        self.poll(poll, round).await
    }
}
