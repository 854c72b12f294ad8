//! Days of the user.

use gleaner_library::{Millis, now_local};

/// Returns the last local midnight.
pub(crate) fn last_midnight() -> Millis {
    use chrono::NaiveTime;
    let now = now_local();
    match now.with_time(NaiveTime::MIN) {
        chrono::LocalResult::Single(midnight) | chrono::LocalResult::Ambiguous(midnight, _) => {
            midnight.timestamp_millis()
        }
        // A change of the clock may skip midnight.
        chrono::LocalResult::None => now.timestamp_millis() - now.timestamp_millis().rem_euclid(86_400_000),
    }
}
