//! Scoped work for threads that the host lends, with the interface of scoped threads of std. A thread of WebAssembly is
//! a worker of the page, which only the page can start.

use super::lock::{lock, wait};
use std::collections::VecDeque;
use std::io;
use std::marker::PhantomData;
use std::sync::{Arc, Condvar, Mutex};
use std::thread::Builder;

type LentWork<'scope> = Box<dyn FnOnce() + Send + 'scope>;

static LENT: Lent =
    Lent { state: Mutex::new(LentState { threads: 0, waiting: VecDeque::new() }), arrived: Condvar::new() };

/// The threads that the host has lent, and the work that none of them has taken yet.
struct Lent {
    state: Mutex<LentState>,
    arrived: Condvar,
}

struct LentState {
    threads: usize,
    waiting: VecDeque<LentWork<'static>>,
}

/// Lends the calling thread to all searches of this memory, and calls `ready` before the first. It does not come back.
pub fn lend(ready: impl FnOnce()) -> ! {
    lock(&LENT.state).threads += 1;
    ready();
    loop {
        work();
    }
}

/// Waits for work and does it.
fn work() {
    let mut state = lock(&LENT.state);
    let work = loop {
        match state.waiting.pop_front() {
            Some(work) => break work,
            None => state = wait(&LENT.arrived, state),
        }
    };
    drop(state);
    work();
}

/// A scope of [`scope`].
pub(crate) struct Scope<'scope, 'env: 'scope> {
    running: Arc<Running>,
    /// As in std, neither lifetime may be replaced by a longer or a shorter one.
    lifetimes: PhantomData<(&'scope mut &'scope (), &'env mut &'env ())>,
}

/// The work of a scope that has not ended.
#[derive(Default)]
struct Running {
    count: Mutex<usize>,
    ended: Condvar,
}

/// Ends a piece of work when it is dropped, even by a panic.
struct End(Arc<Running>);

impl Drop for End {
    fn drop(&mut self) {
        *lock(&self.0.count) -= 1;
        self.0.ended.notify_all();
    }
}

/// Waits for the work of a scope when it is dropped, even by a panic.
struct Waiting(Arc<Running>);

impl Drop for Waiting {
    fn drop(&mut self) {
        let mut count = lock(&self.0.count);
        while *count > 0 {
            count = wait(&self.0.ended, count);
        }
    }
}

/// Calls `f` with a scope, and waits for all work of the scope.
pub(crate) fn scope<'env, T>(f: impl for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> T) -> T {
    let scope = Scope { running: Arc::default(), lifetimes: PhantomData };
    let _waiting = Waiting(Arc::clone(&scope.running));
    f(&scope)
}

/// Leaves work of a scope to a lent thread; fails if there is none.
pub(crate) fn spawn<'scope>(
    _builder: Builder,
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() + Send + 'scope,
) -> io::Result<()> {
    let mut state = lock(&LENT.state);
    if state.threads == 0 {
        return Err(io::ErrorKind::Unsupported.into());
    }
    *lock(&scope.running.count) += 1;
    let end = End(Arc::clone(&scope.running));
    let work: LentWork<'scope> = Box::new(move || {
        let _end = end;
        work();
    });
    // SAFETY: only the lifetime changes. The queue is never dropped, so the work is called; `scope` does not return
    // before `End` is dropped, which comes after the work and all that it has borrowed.
    #[allow(unsafe_code)]
    let work = unsafe { std::mem::transmute::<LentWork<'scope>, LentWork<'static>>(work) };
    state.waiting.push_back(work);
    LENT.arrived.notify_one();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    #[test]
    fn a_scope_waits_for_work_that_borrows() {
        assert!(scope(|scope| spawn(Builder::new(), scope, || ())).is_err());
        lock(&LENT.state).threads += 2;
        let threads = [(); 2].map(|()| Builder::new().spawn(|| (0..3).for_each(|_| work())).unwrap());
        for _ in 0..2 {
            let sum = AtomicUsize::new(0);
            scope(|scope| {
                let sum = &sum;
                let add = move |number| _ = sum.fetch_add(number, Ordering::Relaxed);
                spawn(Builder::new(), scope, move || add(1)).unwrap();
                spawn(Builder::new(), scope, move || {
                    thread::yield_now();
                    spawn(Builder::new(), scope, move || add(2)).unwrap();
                    add(4);
                })
                .unwrap();
            });
            assert_eq!(sum.into_inner(), 7);
        }
        for thread in threads {
            thread.join().unwrap();
        }
    }
}
