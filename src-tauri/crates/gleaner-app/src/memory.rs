//! Limits how much freed memory the allocator keeps.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod glibc {
    use std::ffi::c_int;

    /// In bytes. glibc raises its threshold to the size of the largest block that was ever freed, up to 32 MB. Then the documents of
    /// one refresh leave holes that nothing else fits into.
    const THRESHOLD: c_int = 128 << 10;

    /// Number of heaps. glibc makes up to eight for each core, and each keeps what its threads freed.
    const ARENAS: c_int = 2;

    /// Blocks above the threshold are returned to the system when they are freed, smaller ones when that much is free at the end of the
    /// heap.
    #[allow(unsafe_code)]
    pub fn limit() {
        let parameters =
            [(libc::M_MMAP_THRESHOLD, THRESHOLD), (libc::M_TRIM_THRESHOLD, THRESHOLD), (libc::M_ARENA_MAX, ARENAS)];
        for (parameter, value) in parameters {
            // SAFETY: `mallopt` locks the heap and takes two integers.
            if unsafe { libc::mallopt(parameter, value) } == 0 {
                tracing::warn!(parameter, "the allocator does not know a parameter");
            }
        }
    }
}

/// Makes the allocator return large blocks to the system when they are freed. Call it before other threads start. Only glibc needs this;
/// see `mallopt(3)`.
pub fn limit() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    glibc::limit();
}
