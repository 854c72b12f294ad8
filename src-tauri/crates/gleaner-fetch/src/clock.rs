//! The system's clock. It may be before 1970, at which `Utc::now` and rustls panic.

use chrono::{DateTime, Utc};
use rustls::{pki_types::UnixTime, time_provider::TimeProvider};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Returns the present moment.
pub(crate) fn now_utc() -> DateTime<Utc> {
    SystemTime::now().into()
}

/// The clock by which certificates are valid.
#[derive(Debug)]
pub(crate) struct TlsClock;

impl TimeProvider for TlsClock {
    fn current_time(&self) -> Option<UnixTime> {
        Some(UnixTime::since_unix_epoch(since_1970(SystemTime::now())))
    }
}

/// Returns the time since 1970, which is zero before.
fn since_1970(time: SystemTime) -> Duration {
    time.duration_since(UNIX_EPOCH).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tls_reads_a_clock_before_1970_as_1970() {
        let second = Duration::from_secs(1);
        assert_eq!(since_1970(UNIX_EPOCH.checked_sub(second).unwrap()), Duration::ZERO);
        assert_eq!(since_1970(UNIX_EPOCH.checked_add(second).unwrap()), second);
    }
}
