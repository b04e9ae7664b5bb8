//! A lock that a panic elsewhere does not spoil.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// What the mutex holds. It must be whole at any time: a thread may have panicked over it.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
