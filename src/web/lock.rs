//! Locks that outlive a panic.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A poisoned lock only says that a question panicked: what it guards is sound all the same.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
