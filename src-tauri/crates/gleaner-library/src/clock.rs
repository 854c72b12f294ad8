//! The clock that a library reads the time from.

use crate::Millis;
use std::{fmt, sync::Arc};

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
    chrono::Utc::now().timestamp_millis()
}
