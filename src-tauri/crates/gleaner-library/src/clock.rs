//! The clock that a library reads the time from.

use crate::Millis;
use chrono::{DateTime, Local, TimeDelta, Utc};
use std::{
    fmt,
    sync::Arc,
    time::{SystemTime, UNIX_EPOCH},
};

/// Returns the present moment. A library is opened with one, so that tests can set the time.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Millis + Send + Sync>);

impl Clock {
    /// The system's clock.
    #[must_use]
    pub fn system() -> Self {
        Self::new(now)
    }

    /// A clock that shows what `now` returns.
    pub fn new(now: impl Fn() -> Millis + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// The present moment.
    #[must_use]
    pub fn now(&self) -> Millis {
        (self.0)()
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::system()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}

/// Returns the present moment by the system's clock.
#[must_use]
pub fn now() -> Millis {
    now_utc().timestamp_millis()
}

/// Returns the present moment in UTC. Unlike `Utc::now`, it does not panic if the system's clock is before 1970.
#[must_use]
pub fn now_utc() -> DateTime<Utc> {
    utc(SystemTime::now())
}

/// Returns the present moment in the time zone of the computer, like [`now_utc`].
#[must_use]
pub fn now_local() -> DateTime<Local> {
    now_utc().with_timezone(&Local)
}

/// Returns a time of the system or of a file in UTC; one that is out of range becomes the first or last time.
pub(crate) fn utc(time: SystemTime) -> DateTime<Utc> {
    let (since, is_before) = match time.duration_since(UNIX_EPOCH) {
        Ok(since) => (since, false),
        Err(error) => (error.duration(), true),
    };
    let since = TimeDelta::from_std(since).unwrap_or(TimeDelta::MAX);
    if is_before {
        DateTime::UNIX_EPOCH.checked_sub_signed(since).unwrap_or(DateTime::<Utc>::MIN_UTC)
    } else {
        DateTime::UNIX_EPOCH.checked_add_signed(since).unwrap_or(DateTime::<Utc>::MAX_UTC)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_time_before_1970_and_one_out_of_range_are_times() {
        let at = |time: Option<SystemTime>| utc(time.unwrap()).timestamp_millis();
        assert_eq!(at(UNIX_EPOCH.checked_add(Duration::from_millis(1500))), 1500);
        assert_eq!(at(UNIX_EPOCH.checked_sub(Duration::from_millis(1500))), -1500);
        let far = Duration::from_secs(u64::try_from(i64::MAX / 4).unwrap());
        assert_eq!(at(UNIX_EPOCH.checked_sub(far)), DateTime::<Utc>::MIN_UTC.timestamp_millis());
        assert_eq!(at(UNIX_EPOCH.checked_add(far)), DateTime::<Utc>::MAX_UTC.timestamp_millis());
    }
}
