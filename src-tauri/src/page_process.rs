//! The process of a page. It may end at any time: WebKit has a fault, or the system ends it where memory is short.
//! Without its page, a window shows its last picture and does not respond.

use std::{
    cell::RefCell,
    time::{Duration, Instant},
};
use webkit2gtk::{WebProcessTerminationReason, WebView, WebViewExt as _};

/// Ends within this period are likely to have the same cause.
const PERIOD: Duration = Duration::from_secs(60);

/// Calls `ended` when the process of a page has ended by itself, with how often it has within the last minute.
pub fn on_end(page: &WebView, ended: impl Fn(&WebView, usize) + 'static) {
    let ends = RefCell::new(Vec::new());
    page.connect_web_process_terminated(move |page, reason| {
        if reason == WebProcessTerminationReason::TerminatedByApi {
            return;
        }
        tracing::error!(?reason, "the process of a page has ended");
        let times = recent(&mut ends.borrow_mut(), Instant::now());
        ended(page, times);
    });
}

/// Adds an end, and returns how many there were within the period.
fn recent(ends: &mut Vec<Instant>, now: Instant) -> usize {
    ends.retain(|end| now.duration_since(*end) < PERIOD);
    ends.push(now);
    ends.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_the_ends_of_the_last_minute() {
        let (mut ends, start) = (Vec::new(), Instant::now());
        let counted = [0, 10, 59, 60, 200].map(|seconds| recent(&mut ends, start + Duration::from_secs(seconds)));
        assert_eq!(counted, [1, 2, 3, 3, 1]);
    }
}
