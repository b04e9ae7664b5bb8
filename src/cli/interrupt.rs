//! Ctrl-C: the first asks to come to an end, a later one ends the process.

use crate::core::StopFlag;
use std::sync::{Arc, Mutex, PoisonError};

/// The exit code of a process that Ctrl-C has ended, as shells have it: 128 and the number of the signal.
pub const CODE: u8 = 130;

/// What tells a person that the first Ctrl-C was heard.
type Announcement = Box<dyn Fn() + Send>;

/// Ctrl-C in steps: the first raises `stop`, the second `abort`, the third ends the process.
#[derive(Clone, Default)]
pub struct Interrupt {
    /// What is under way is brought to its end.
    pub stop: StopFlag,
    /// It is broken off.
    pub abort: StopFlag,
    announcement: Shared,
    /// What must not be left behind.
    farewell: Shared,
}

type Shared = Arc<Mutex<Option<Announcement>>>;

impl Interrupt {
    /// Handles Ctrl-C from now on. Where no handler can be set, Ctrl-C ends the process at once.
    #[must_use]
    pub fn listen() -> Self {
        let interrupt = Self::default();
        let Self { stop, abort, announcement, farewell } = interrupt.clone();
        handle(move || {
            if abort.is_raised() {
                say(&farewell);
                std::process::exit(CODE.into());
            }
            if stop.is_raised() {
                abort.raise();
                return;
            }
            stop.raise();
            say(&announcement);
        });
        interrupt
    }

    /// Calls this on the first Ctrl-C, on a thread of its own.
    pub fn announce(&self, announcement: impl Fn() + Send + 'static) {
        *self.announcement.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(announcement));
    }

    /// Calls this before the last Ctrl-C ends the process.
    pub fn at_exit(&self, farewell: impl Fn() + Send + 'static) {
        *self.farewell.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(farewell));
    }
}

fn say(what: &Shared) {
    if let Some(what) = &*what.lock().unwrap_or_else(PoisonError::into_inner) {
        what();
    }
}

/// A flag that the first Ctrl-C raises; the second ends the process with [`CODE`]. Where no handler can be set, the first
/// ends it.
#[must_use]
pub fn flag() -> StopFlag {
    let stop = StopFlag::new();
    let raised = stop.clone();
    handle(move || {
        if raised.is_raised() {
            std::process::exit(CODE.into());
        }
        raised.raise();
    });
    stop
}

/// What Ctrl-C does; `None`: it ends the process.
static HANDLER: Mutex<Option<Handler>> = Mutex::new(None);

type Handler = Box<dyn FnMut() + Send>;

/// Has Ctrl-C end the process with [`CODE`] until something else is to be done, but for a process that ignores it. Before
/// this call, while the system starts the program, Ctrl-C ends it by the signal itself.
pub fn begin() {
    // Where it cannot be set, a subcommand tries again.
    let _ = ctrlc::try_set_handler(interrupted);
}

/// Calls this on each Ctrl-C from now on, on a thread of its own. Where no handler can be set, Ctrl-C ends the process.
pub fn handle(handler: impl FnMut() + Send + 'static) {
    *HANDLER.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(handler));
    match ctrlc::set_handler(interrupted) {
        Ok(()) | Err(ctrlc::Error::MultipleHandlers) => {}
        Err(error) => log::debug!("Ctrl-C is not handled: {error}"),
    }
}

fn interrupted() {
    match &mut *HANDLER.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(handler) => handler(),
        None => std::process::exit(CODE.into()),
    }
}
