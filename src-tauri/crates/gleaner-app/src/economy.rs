//! Downloads less while the connection is metered or the computer runs on battery. What the user asks for is always downloaded.

use gleaner_contract::DownloadsWait;
use parking_lot::Mutex;
use std::time::{Duration, Instant};

/// Minimum time between two automatic refreshes that save data or power: the radio or the disk wakes up once for all feeds.
const SAVING_EVERY: Duration = Duration::from_secs(30 * 60);

/// What the system reports about this computer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Economy {
    /// The network connection is paid by volume.
    pub metered: bool,
    /// The computer runs on battery.
    pub battery: bool,
}

impl Economy {
    /// Returns why automatic downloads wait, if they do.
    pub(crate) fn wait(self) -> Option<DownloadsWait> {
        match self {
            Self { metered: true, .. } => Some(DownloadsWait::Metered),
            Self { battery: true, .. } => Some(DownloadsWait::Battery),
            _ => None,
        }
    }

    /// Returns how long an automatic refresh still waits, given the time since the last one (`None`: there was none).
    fn refresh_in(self, since_last: Option<Duration>) -> Duration {
        match self.wait() {
            Some(_) => since_last.map_or(Duration::ZERO, |since| SAVING_EVERY.saturating_sub(since)),
            None => Duration::ZERO,
        }
    }
}

/// The state of the computer, and what was done in this state.
#[derive(Default)]
pub(crate) struct Saving {
    economy: Mutex<Economy>,
    /// The last automatic refresh.
    refreshed: Mutex<Option<Instant>>,
    /// The user has started the waiting downloads.
    asked: Mutex<bool>,
}

impl Saving {
    pub(crate) fn economy(&self) -> Economy {
        *self.economy.lock()
    }

    /// Records what the system reports. Returns what it reported before.
    pub(crate) fn set(&self, economy: Economy) -> Economy {
        std::mem::replace(&mut *self.economy.lock(), economy)
    }

    /// Records that the user wants the waiting downloads.
    pub(crate) fn ask(&self) {
        *self.asked.lock() = true;
    }

    /// Whether to download now: neither data nor power has to be saved, or the user has asked since the last call.
    pub(crate) fn may_download(&self) -> bool {
        std::mem::take(&mut *self.asked.lock()) || self.economy().wait().is_none()
    }

    /// Returns how long to wait before an automatic refresh. Zero records that one begins.
    pub(crate) fn refresh_in(&self) -> Duration {
        let mut refreshed = self.refreshed.lock();
        let wait = self.economy().refresh_in(refreshed.map(|last| last.elapsed()));
        if wait.is_zero() {
            *refreshed = Some(Instant::now());
        }
        wait
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn automatic_refreshes_are_half_an_hour_apart_while_saving() {
        let (metered, battery) = (Economy { metered: true, battery: false }, Economy { metered: false, battery: true });
        for saving in [metered, battery] {
            assert_eq!(saving.refresh_in(None), Duration::ZERO, "the first refresh");
            assert_eq!(saving.refresh_in(Some(10 * MINUTE)), 20 * MINUTE);
            assert_eq!(saving.refresh_in(Some(40 * MINUTE)), Duration::ZERO);
        }
        assert_eq!(Economy::default().refresh_in(Some(MINUTE)), Duration::ZERO);
    }

    #[test]
    fn downloads_wait_unless_the_user_asks() {
        let saving = Saving::default();
        assert!(saving.may_download());
        *saving.economy.lock() = Economy { metered: true, battery: true };
        assert!(!saving.may_download());
        assert_eq!(saving.economy().wait(), Some(DownloadsWait::Metered), "the connection costs money");
        saving.ask();
        assert!(saving.may_download());
        assert!(!saving.may_download(), "only once");
    }
}
