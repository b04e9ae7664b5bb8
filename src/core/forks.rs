//! Forks of the process, and the threads whose starts and ends they wait for.
//!
//! While a thread starts or ends it holds a lock of the standard library, by which threads register for the message of a
//! stack overflow. If the process is forked meanwhile, by Python for instance, no other thread can ever start in the
//! forked process.

use std::cell::Cell;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The number of tracked threads that are starting or ending.
static PASSAGES: Mutex<usize> = Mutex::new(0);

thread_local! {
    /// Set at the end of a thread's work. Dropped when the standard library has unregistered the thread.
    static ENDING: Cell<Option<Passage>> = const { Cell::new(None) };
}

/// The start or the end of a thread, until it is dropped.
struct Passage;

impl Passage {
    fn begin() -> Self {
        *passages() += 1;
        Self
    }
}

impl Drop for Passage {
    fn drop(&mut self) {
        *passages() -= 1;
    }
}

/// Marks the end of a thread's work when it is dropped, also by a panic.
struct Work;

impl Drop for Work {
    fn drop(&mut self) {
        ENDING.set(Some(Passage::begin()));
    }
}

fn passages() -> MutexGuard<'static, usize> {
    PASSAGES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the work of a thread that is started with it at once. A fork waits for the start and the end of this thread:
/// see [`without_passages`]. Boxed, so that the start of a thread is compiled once for all kinds of work.
pub fn tracked<'work, R>(work: impl FnOnce() -> R + Send + 'work) -> Box<dyn FnOnce() -> R + Send + 'work> {
    let starting = Passage::begin();
    Box::new(move || {
        let _work = Work;
        drop(starting);
        work()
    })
}

/// Returns a guard while which no tracked thread starts or ends; `None` if one does now.
#[must_use]
pub fn without_passages() -> Option<MutexGuard<'static, usize>> {
    Some(passages()).filter(|passages| **passages == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::resume_unwind;
    use std::thread::{self, Builder};

    /// Waits for a moment without starts and ends, of which other tests have some.
    fn quiet() -> bool {
        (0..10_000).any(|_| {
            thread::yield_now();
            without_passages().is_some()
        })
    }

    #[test]
    fn threads_that_have_started_or_ended_do_not_hold_a_fork_up() {
        let work = tracked(|| 7);
        assert!(without_passages().is_none(), "it is about to start");
        assert_eq!(Builder::new().spawn(work).unwrap().join().unwrap(), 7);
        assert!(quiet());
        drop(tracked(|| ()));
        let failing = Builder::new().spawn(tracked(|| resume_unwind(Box::new(0)))).unwrap();
        assert!(failing.join().is_err());
        assert!(quiet());
        let (sender, receiver) = std::sync::mpsc::channel::<()>();
        let thread = Builder::new().spawn(tracked(move || receiver.recv())).unwrap();
        assert!(quiet(), "it works");
        drop(sender);
        assert!(thread.join().unwrap().is_err());
    }
}
