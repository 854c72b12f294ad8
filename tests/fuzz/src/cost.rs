//! Checks that memory and work are in proportion to the input.

use gleaner_feed::{Context, opml};
use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    time::Duration,
};

/// Maximum memory for each byte of the input.
const PEAK_PER_BYTE: usize = 64;
/// Maximum of all memory that is allocated in total for each byte of the input. This counts copies, and so bounds the work.
const ALLOCATED_PER_BYTE: usize = 1024;
/// Maximum processor time for each byte of the input, in a build without optimisation.
const TIME_PER_BYTE: Duration = Duration::from_micros(20);

/// Returns the memory allowed beyond [`PEAK_PER_BYTE`]: the fixed part of the parser's limits, less for a small document.
fn constant(length: usize) -> usize {
    (32 << 20).min((4 << 20) + length * 512)
}

thread_local! {
    static LIVE: Cell<usize> = const { Cell::new(0) };
    static PEAK: Cell<usize> = const { Cell::new(0) };
    static TOTAL: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, which counts what each thread allocates.
struct Counting;

fn count(allocated: usize, freed: usize) {
    // A thread that is ending no longer has counters.
    let _ = LIVE.try_with(|live| {
        live.set(live.get().wrapping_add(allocated).wrapping_sub(freed));
        PEAK.with(|peak| peak.set(peak.get().max(live.get())));
        TOTAL.with(|total| total.set(total.get().wrapping_add(allocated)));
    });
}

// SAFETY: every call is passed on to the system's allocator unchanged.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(0, layout.size());
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size, layout.size());
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The memory and time that some work took.
#[derive(Debug, Clone, Copy)]
pub struct Cost {
    /// Maximum memory at any time, in bytes.
    pub peak: usize,
    /// All memory that was allocated, in bytes.
    pub total: usize,
    /// Processor time of this thread.
    pub time: Duration,
}

/// Does some work and returns its result and its cost. The memory includes the result.
pub fn measure<T>(work: impl FnOnce() -> T) -> (T, Cost) {
    let (live, total) = (LIVE.get(), TOTAL.get());
    PEAK.set(live);
    let began = gleaner_cpu_time::thread_time();
    let done = work();
    let time = gleaner_cpu_time::thread_time().saturating_sub(began);
    (done, Cost { peak: PEAK.get().wrapping_sub(live), total: TOTAL.get().wrapping_sub(total), time })
}

/// Asserts that reading any bytes, as a feed and as a list, takes memory and work in proportion to their length.
pub fn cost(data: &[u8]) {
    let context = Context { content_type: None, base_url: Some("https://base.example/feed") };
    check("feed", data, measure(|| gleaner_feed::parse(data, context)).1);
    check("list", data, measure(|| opml::read(data)).1);
}

#[track_caller]
fn check(kind: &str, data: &[u8], cost: Cost) {
    let length = data.len();
    let start = String::from_utf8_lossy(&data[..length.min(200)]);
    let allowed = |per_byte: usize| per_byte * length + constant(length);
    assert!(cost.peak <= allowed(PEAK_PER_BYTE), "{kind}, {length} bytes: {cost:?}: {start}");
    assert!(cost.total <= allowed(ALLOCATED_PER_BYTE), "{kind}, {length} bytes: {cost:?}: {start}");
    let seconds = TIME_PER_BYTE.as_secs_f64() * length as f64 + 2.0;
    assert!(cost.time.as_secs_f64() <= seconds, "{kind}, {length} bytes: {cost:?}: {start}");
}
