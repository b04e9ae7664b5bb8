//! Threads that take further work: a short search is over before a new thread starts.

use super::background;
use super::lock::{has_ended, lock};
use secateurs::core::StopFlag;
use secateurs::search::thread::builder;
use secateurs::util::forks::tracked;
use std::io;
use std::mem;
use std::process;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// Work for a thread.
type Task = Box<dyn FnOnce() + Send>;

/// The time after which a thread without work ends.
const PATIENCE: Duration = Duration::from_secs(1);

/// The time that a thread stays awake while it waits: to wake a processor that sleeps takes longer than a short search.
pub const AWAKE: Duration = Duration::from_micros(50);

/// The maximum number of threads that wait for work.
const MOST: usize = 4;

/// The threads that wait for work.
static IDLE: Mutex<Vec<Worker>> = Mutex::new(Vec::new());

/// A thread that works at one task after another.
#[derive(Clone)]
struct Worker {
    tasks: Sender<Task>,
    thread: ThreadId,
    /// The flag that stops its work.
    stop: Arc<Mutex<StopFlag>>,
    /// The process of the thread: a forked process has this list of its parent, but not the threads.
    process: u32,
}

/// Starts work on a thread of its own, which ends before Python does, and returns the thread.
///
/// # Errors
/// A thread that cannot be started.
pub fn start(stop: &StopFlag, work: impl FnOnce() + Send + 'static) -> io::Result<ThreadId> {
    let mut task: Task = Box::new(work);
    while let Some(worker) = idle() {
        *lock(&worker.stop) = stop.clone();
        match worker.tasks.send(task) {
            Ok(()) => return Ok(worker.thread),
            // The thread has ended.
            Err(unsent) => task = unsent.0,
        }
    }
    let (tasks, received) = channel();
    let stop = Arc::new(Mutex::new(stop.clone()));
    let own = Arc::clone(&stop);
    let run = tracked(move || {
        task();
        let worker = Worker { tasks, thread: thread::current().id(), stop: own, process: process::id() };
        while let Some(task) = next(&worker, &received) {
            task();
        }
    });
    let handle = builder("secateurs")?.spawn(run)?;
    let thread = handle.thread().id();
    background::register(stop, handle);
    Ok(thread)
}

/// Takes a thread that waits for work. Those of a parent process are leaked: their channels may be locked forever.
fn idle() -> Option<Worker> {
    let mut idle = lock(&IDLE);
    loop {
        let worker = idle.pop()?;
        if worker.process == process::id() {
            return Some(worker);
        }
        mem::forget(worker);
    }
}

/// Waits for the next work of a thread; `None` if it is to end.
fn next(worker: &Worker, tasks: &Receiver<Task>) -> Option<Task> {
    let mut idle = lock(&IDLE);
    // No thread waits after [`end`].
    if has_ended() || idle.len() >= MOST {
        return None;
    }
    idle.push(worker.clone());
    drop(idle);
    let awake = Instant::now();
    while awake.elapsed() < AWAKE {
        if let Ok(task) = tasks.try_recv() {
            return Some(task);
        }
        thread::yield_now();
    }
    if let Ok(task) = tasks.recv_timeout(PATIENCE) {
        return Some(task);
    }
    let mut idle = lock(&IDLE);
    if let Some(place) = idle.iter().position(|other| other.thread == worker.thread) {
        idle.swap_remove(place);
        return None;
    }
    drop(idle);
    // It was taken a moment ago, and work follows.
    tasks.recv().ok()
}

/// Ends the threads that wait for work, after Python has begun to shut down.
pub fn end() {
    while let Some(worker) = idle() {
        let _ = worker.tasks.send(Box::new(|| {}));
    }
}
