//! Forks of the process, which wait until no thread is starting or ending.
//!
//! A thread that starts or ends holds a lock of the standard library, under which it registers for the message on a
//! stack overflow. If the process is forked meanwhile, by Python for instance, the child can never start another
//! thread.

use super::lock::lock;
use std::cell::Cell;
use std::sync::{Mutex, MutexGuard};

/// The number of tracked threads that are starting or ending.
static PASSAGES: Mutex<usize> = Mutex::new(0);

thread_local! {
    /// Set at the end of a thread's work. Dropped when the standard library has unregistered the thread.
    static ENDING: Cell<Option<Passage>> = const { Cell::new(None) };
}

/// A thread that is starting or ending, counted until it is dropped.
struct Passage;

impl Passage {
    fn begin() -> Self {
        *lock(&PASSAGES) += 1;
        Self
    }
}

impl Drop for Passage {
    fn drop(&mut self) {
        *lock(&PASSAGES) -= 1;
    }
}

/// Marks the end of a thread's work when it is dropped, even by a panic.
struct Work;

impl Drop for Work {
    fn drop(&mut self) {
        ENDING.set(Some(Passage::begin()));
    }
}

/// Wraps the work of a thread that the caller starts at once. A fork waits for the start and the end of this thread:
/// see [`without_passages`]. The result is boxed, so that the start of a thread is compiled once for all kinds of work.
pub fn tracked<'work, R>(work: impl FnOnce() -> R + Send + 'work) -> Box<dyn FnOnce() -> R + Send + 'work> {
    let starting = Passage::begin();
    Box::new(move || {
        let _work = Work;
        drop(starting);
        work()
    })
}

/// Returns a guard that keeps tracked threads from starting and ending; `None` if one is doing so now.
#[must_use]
pub fn without_passages() -> Option<MutexGuard<'static, usize>> {
    Some(lock(&PASSAGES)).filter(|passages| **passages == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::resume_unwind;
    use std::thread::{self, Builder};
    use std::time::Duration;

    /// Waits for a moment in which no thread of another test starts or ends.
    fn quiet() -> bool {
        (0..10_000).any(|_| {
            thread::sleep(Duration::from_millis(1));
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
