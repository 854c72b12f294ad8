//! Locks mutexes, also after a panic.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex. A panic elsewhere while it was held leaves plain values, so it does not matter here.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
