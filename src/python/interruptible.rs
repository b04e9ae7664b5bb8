//! Long work on a thread of its own, with the GIL released and Ctrl-C working.

use super::lock::lock;
use super::logs::{self, Records};
use super::{background, game};
use crate::core::StopFlag;
use crate::search::STACK;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use std::cell::RefCell;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// How often Python's signal handlers get their turn: what Ctrl-C waits for, beside the search's own poll.
pub const POLL: Duration = Duration::from_millis(10);

/// So many searches may stand inside each other: a method of a game in Python may search itself.
const NESTED: usize = 16;

thread_local! { static AROUND: RefCell<Option<Nesting>> = const { RefCell::new(None) } }

/// How long work goes on in Python after an exception, until it is interrupted there,
pub const GRACE: Duration = Duration::from_millis(20);

/// and until the exception is raised all the same; the work then ends in the background.
pub const PATIENCE: Duration = Duration::from_millis(150);

/// Work that stands inside other work, and what stops it.
#[derive(Clone)]
pub struct Nesting {
    /// Tells it from other work.
    number: u64,
    /// So much work, with what is around it.
    depth: usize,
    stop: StopFlag,
    /// An exception has ended the work.
    abandoned: Arc<AtomicBool>,
    /// A handler of our own log records began it.
    silent: bool,
    /// Its log records, which whoever waits for it emits.
    records: Records,
}

/// Which work waits for which other one, by their numbers, once for each thread that waits: the players of a match do its work,
/// and several of them may wait at a time.
static WAITS: Mutex<Vec<(u64, u64)>> = Mutex::new(Vec::new());

/// The work of this thread waits for another one, until this is dropped.
pub struct Waiting(Option<(u64, u64)>);

impl Drop for Waiting {
    fn drop(&mut self) {
        let mut waits = lock(&WAITS);
        if let Some(index) = self.0.and_then(|own| waits.iter().position(|wait| *wait == own)) {
            waits.swap_remove(index);
        }
    }
}

impl Nesting {
    /// Of work that this thread begins.
    ///
    /// # Errors
    /// `RuntimeError` if there is too much around it: then there would be no end; or if Python is shutting down.
    pub fn begun(stop: &StopFlag) -> PyResult<Self> {
        if background::has_ended() {
            return Err(PyRuntimeError::new_err("Python is shutting down"));
        }
        let around = AROUND.with_borrow(|around| around.as_ref().map_or(0, |around| around.depth));
        if around >= NESTED {
            let message = format!(
                "{NESTED} searches are under way inside each other: a method of a game searches a position whose search calls \
                 that method"
            );
            return Err(PyRuntimeError::new_err(message));
        }
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        Ok(Self {
            number: NUMBER.fetch_add(1, Ordering::Relaxed),
            depth: around + 1,
            stop: stop.clone(),
            abandoned: Arc::default(),
            silent: logs::is_silent(),
            records: Records::default(),
        })
    }

    /// Tells the work from other work.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Ends the work.
    pub fn stop(&self) {
        self.stop.raise();
    }

    /// Ends the work after an exception: what it has begun itself and waits for is interrupted too.
    pub fn abandon(&self) {
        self.abandoned.store(true, Ordering::Relaxed);
        self.stop();
    }

    /// Its log records, to be emitted by a thread that waits for it.
    pub fn its_records(&self) -> &Records {
        &self.records
    }

    /// Notes that this thread waits for some work.
    ///
    /// # Errors
    /// `RuntimeError` if that waits for the work of this thread: neither would end.
    pub fn wait_for(number: u64) -> PyResult<Waiting> {
        let Some(own) = AROUND.with_borrow(|around| around.as_ref().map(|around| around.number)) else {
            return Ok(Waiting(None));
        };
        let mut waits = lock(&WAITS);
        // What is waited for so, each work once.
        let (mut awaited, mut at) = (vec![number], 0);
        while let Some(&work) = awaited.get(at) {
            for &(waiting, other) in waits.iter() {
                if waiting == work && !awaited.contains(&other) {
                    awaited.push(other);
                }
            }
            at += 1;
        }
        if awaited.contains(&own) {
            let message = "a search cannot be waited for inside itself: a method of its game, or what calls it, waits for its end";
            return Err(PyRuntimeError::new_err(message));
        }
        waits.push((own, number));
        Ok(Waiting(Some((own, number))))
    }

    /// Where the log records of this thread are kept; `None`: they are emitted at once.
    pub fn records() -> Option<Records> {
        AROUND.with_borrow(|around| around.as_ref().map(|around| around.records.clone()))
    }

    /// What makes a thread do a part of this work.
    pub fn start_handler(&self) -> impl Fn() + Send + Sync + use<> {
        let nesting = self.clone();
        move || nesting.clone().enter()
    }

    /// The work that this thread does.
    pub fn around() -> Option<Self> {
        AROUND.with_borrow(Clone::clone)
    }

    /// The thread does this work from now on.
    pub fn enter(self) {
        AROUND.set(Some(self));
    }

    /// The thread has done its work.
    pub fn leave() {
        AROUND.set(None);
    }

    /// Whether a handler of our own log records began the work that this thread does.
    pub fn is_silent() -> bool {
        AROUND.with_borrow(|around| around.as_ref().is_some_and(|around| around.silent))
    }

    /// Whether an exception has ended the work that this thread does.
    fn is_abandoned() -> bool {
        AROUND.with_borrow(|around| around.as_ref().is_some_and(|around| around.abandoned.load(Ordering::Relaxed)))
    }

    /// Whether the work that this thread does was stopped: then what it has begun itself and waits for must end too.
    pub fn is_stopped() -> bool {
        AROUND.with_borrow(|around| around.as_ref().is_some_and(|around| around.stop.is_raised()))
    }
}

/// Runs `work` without the GIL while the calling thread waits for it and lets signal handlers run. If one raises
/// (Ctrl-C: `KeyboardInterrupt`), the flag goes up, the work ends as it would by any other stop, and the exception
/// is returned in its place. A method of a game in Python that goes on is interrupted by a `KeyboardInterrupt` of its own;
/// one that does not follow is abandoned. Python runs handlers on its main thread only, so only calls from there are
/// interrupted.
///
/// # Errors
/// What a signal handler raised, or a handler of log records; what a game in Python raised; a thread that cannot be started; that of [`Nesting::begun`].
pub fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    stop: &StopFlag,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    attended(py, stop, work, interrupted)
}

/// The same, with something else done each time while the calling thread waits: what it raises ends the work.
///
/// # Errors
/// What `poll` raised, or a handler of log records; a thread that cannot be started; that of [`Nesting::begun`].
pub fn attended<T: Send + 'static>(
    py: Python<'_>,
    stop: &StopFlag,
    work: impl FnOnce() -> T + Send + 'static,
    mut poll: impl FnMut() -> Option<PyErr> + Send,
) -> PyResult<T> {
    let nesting = Nesting::begun(stop)?;
    let (working, own) = (background::working(stop), nesting.clone());
    let _waiting = Nesting::wait_for(nesting.number)?;
    // Attached again only to poll: the worker may want the GIL for a log record, also while it is being stopped.
    py.detach(|| {
        let (done, ended) = mpsc::channel();
        let worker = Builder::new().name("secateur".into()).stack_size(STACK).spawn(move || {
            let _working = working;
            own.enter();
            // Not received if it was abandoned.
            let _ = done.send(work());
        });
        let worker = worker.map_err(unstarted)?;
        let mut raised: Option<(PyErr, Instant)> = None;
        let found = loop {
            match ended.recv_timeout(POLL) {
                Err(RecvTimeoutError::Timeout) => {}
                found => break found,
            }
            let emitted = nesting.records.emit();
            if Nesting::is_stopped() {
                stop.raise();
            }
            if let Some((error, since)) = raised.take() {
                logs::later(emitted);
                if since.elapsed() > GRACE && background::interrupt(worker.thread().id()) && since.elapsed() > PATIENCE
                {
                    background::keep(stop.clone(), worker);
                    return Err(error);
                }
                raised = Some((error, since));
                continue;
            }
            let outer = Nesting::is_abandoned().then(|| PyKeyboardInterrupt::new_err(()));
            if let Some(error) = outer.or(emitted.err()).or_else(&mut poll) {
                nesting.abandon();
                raised = Some((error, Instant::now()));
            }
        };
        let joined = worker.join().or_else(game::raised);
        let emitted = nesting.records.emit();
        match (raised, found) {
            (Some((error, _)), _) => {
                logs::later(emitted);
                Err(error)
            }
            (None, Ok(done)) => emitted.map(|()| done),
            // It has failed.
            (None, Err(_)) => Err(joined.err().unwrap_or_else(|| PyRuntimeError::new_err("the work failed"))),
        }
    })
}

/// The error for a thread that cannot be started.
pub fn unstarted(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("a thread cannot be started: {error}"))
}

/// Lets Python's signal handlers run; what one raised. Python cannot be attached to while it shuts down; then there is
/// nobody left to interrupt.
pub fn interrupted() -> Option<PyErr> {
    Python::try_attach(|py| py.check_signals()).and_then(Result::err)
}
