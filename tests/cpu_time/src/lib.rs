//! Asserts that work takes time in proportion to its input.
//!
//! What is measured is the processor's time of this thread, never the time on the clock: a busy machine changes nothing.
//! Two inputs are compared, one four times as long as the other. Linear work takes four times as long, quadratic work sixteen
//! times; the limit is ten. On Windows the work runs and nothing is measured.

use std::time::Duration;

/// How many times longer the long input is.
pub const FACTOR: usize = 4;

/// How many times longer the long input may take.
const LIMIT: u32 = 10;

/// Attempts, the best of which counts: the first runs with cold caches.
const ATTEMPTS: usize = 8;

/// Shorter measurements are useless: the clock of some systems counts in ticks of several milliseconds.
const SHORTEST: Duration = Duration::from_millis(8);

/// Asserts that `work` on the input of length `FACTOR * length` takes at most `LIMIT` times as long as on the one of `length`.
///
/// `make` returns the input of a length, in whatever unit fits.
#[track_caller]
pub fn assert_linear<I>(name: &str, length: usize, make: impl Fn(usize) -> I, mut work: impl FnMut(&I)) {
    let (short, long) = (make(length), make(FACTOR * length));
    let (mut best_short, mut best_long) = (Duration::MAX, Duration::MAX);
    for _ in 0..ATTEMPTS {
        best_short = best_short.min(measure(|| work(&short)));
        best_long = best_long.min(measure(|| work(&long)));
        if best_long <= best_short.max(SHORTEST) * LIMIT {
            return;
        }
    }
    panic!("{name}: {best_short:?} of processor time for {length}, {best_long:?} for {FACTOR} times as much");
}

/// Returns the processor time that `work` takes on this thread; zero where the system does not tell.
fn measure(work: impl FnOnce()) -> Duration {
    let before = thread_time();
    work();
    thread_time().saturating_sub(before)
}

/// Returns the processor time of this thread; zero where the system does not tell.
#[cfg(unix)]
#[must_use]
pub fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let nanoseconds = u32::try_from(time.tv_nsec).unwrap_or_default();
    Duration::new(u64::try_from(time.tv_sec).unwrap_or_default(), nanoseconds)
}

/// Returns the processor time of this thread; zero where the system does not tell.
#[cfg(not(unix))]
#[must_use]
pub fn thread_time() -> Duration {
    Duration::ZERO
}

#[cfg(all(test, unix))]
mod tests {
    use super::assert_linear;
    use std::hint::black_box;

    #[test]
    fn accepts_linear_work() {
        assert_linear(
            "a sum",
            2_000_000,
            |length| length,
            |length| {
                black_box((0..*length).fold(0_usize, |sum, n| black_box(sum ^ n)));
            },
        );
    }

    /// Cubic work, which is 64 times as much: the processor may be twice as slow for one of the measurements.
    #[test]
    #[should_panic(expected = "a sum of sums of sums")]
    fn refuses_work_of_a_higher_degree() {
        assert_linear(
            "a sum of sums of sums",
            100,
            |length| length,
            |length| {
                for _ in 0..*length * *length {
                    black_box((0..*length).fold(0_usize, |sum, n| black_box(sum ^ n)));
                }
            },
        );
    }
}
