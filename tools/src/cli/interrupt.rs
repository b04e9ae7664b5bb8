//! Ctrl-C: the first asks the work to stop, a later one ends the process.

use secateurs::core::StopFlag;
use secateurs::util::lock::lock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// The exit code after Ctrl-C, as in shells: 128 plus the number of the signal.
pub(crate) const CODE: u8 = 130;

/// A callback on Ctrl-C.
type Announcement = Box<dyn Fn() + Send>;

/// Ctrl-C in steps: the first raises `stop`, the second `abort`, the third ends the process.
#[derive(Clone, Default)]
pub struct Interrupt {
    /// The running work should be completed.
    pub stop: StopFlag,
    /// The running work should be aborted.
    pub abort: StopFlag,
    announcement: Shared,
    /// The cleanup before the process ends.
    cleanup: Shared,
}

type Shared = Arc<Mutex<Option<Announcement>>>;

impl Interrupt {
    /// Handles Ctrl-C from now on. If no handler can be set, Ctrl-C ends the process at once.
    pub fn listen() -> Self {
        let interrupt = Self::default();
        let Self { stop, abort, announcement, cleanup } = interrupt.clone();
        handle(move || {
            if abort.is_raised() {
                call(&cleanup);
                std::process::exit(CODE.into());
            }
            if stop.is_raised() {
                abort.raise();
                return;
            }
            stop.raise();
            call(&announcement);
        });
        interrupt
    }

    /// Sets a callback for the first Ctrl-C; it runs on its own thread.
    pub fn announce(&self, announcement: impl Fn() + Send + 'static) {
        *lock(&self.announcement) = Some(Box::new(announcement));
    }

    /// Sets a callback for the last Ctrl-C, before the process ends, and for `SIGTERM` and `SIGHUP`, which end it too.
    pub fn at_exit(&self, cleanup: impl Fn() + Send + 'static) {
        *lock(&self.cleanup) = Some(Box::new(cleanup));
        #[cfg(unix)]
        terminate(&self.cleanup);
    }
}

/// Calls this on the first `SIGTERM` or `SIGHUP` and ends the process, with 128 and the number of the signal as shells
/// do.
#[cfg(unix)]
fn terminate(cleanup: &Shared) {
    use signal_hook::consts::{SIGHUP, SIGTERM};
    let cleanup = Arc::clone(cleanup);
    let (ready, wait) = std::sync::mpsc::channel::<()>();
    // The thread sets the handlers: without it the signals end the process as they did.
    let listener = std::thread::Builder::new().name("signals".into()).spawn(move || {
        let signals = signal_hook::iterator::Signals::new([SIGTERM, SIGHUP]);
        drop(ready);
        match signals {
            Ok(mut signals) => {
                if let Some(signal) = signals.forever().next() {
                    call(&cleanup);
                    std::process::exit(128 + signal);
                }
            }
            Err(error) => log::debug!("SIGTERM is not handled: {error}"),
        }
    });
    match listener {
        // Ends when the handlers are set.
        Ok(_) => drop(wait.recv()),
        Err(error) => log::debug!("SIGTERM is not handled: {error}"),
    }
}

fn call(callback: &Shared) {
    if let Some(callback) = &*lock(callback) {
        callback();
    }
}

/// Returns a flag that the first Ctrl-C raises; the second ends the process with [`CODE`]. If no handler can be set,
/// the first ends it.
pub(crate) fn flag() -> StopFlag {
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

/// The action on Ctrl-C; `None`: end the process.
static HANDLER: Mutex<Option<Handler>> = Mutex::new(None);

type Handler = Box<dyn FnMut() + Send>;

/// Whether Ctrl-C ends the process for want of a thread that would call the handler.
static IS_FATAL: AtomicBool = AtomicBool::new(false);

/// Makes Ctrl-C end the process with `CODE` until another handler is set, unless the process ignores the signal.
/// Before this call, during the start of the program, the signal itself ends it.
pub fn begin() {
    // If it cannot be set, a subcommand tries again.
    if let Err(ctrlc::Error::System(_)) = ctrlc::try_set_handler(interrupted) {
        end_on_interrupt();
    }
}

/// Makes a write beyond the limit of file sizes (`ulimit -f`) an error, as on a full disk, instead of the end of the
/// process.
pub(crate) fn ignore_file_size_signal() {
    #[cfg(unix)]
    if let Err(error) = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default()) {
        log::debug!("SIGXFSZ is not handled: {error}");
    }
}

/// Sets the handler of every Ctrl-C from now on; it runs on its own thread. If no handler can be set, Ctrl-C ends the
/// process.
pub(crate) fn handle(handler: impl FnMut() + Send + 'static) {
    *lock(&HANDLER) = Some(Box::new(handler));
    if IS_FATAL.load(Ordering::Relaxed) {
        return;
    }
    match ctrlc::set_handler(interrupted) {
        Ok(()) | Err(ctrlc::Error::MultipleHandlers) => {}
        Err(error) => {
            log::debug!("Ctrl-C is not handled: {error}");
            end_on_interrupt();
        }
    }
}

/// Makes Ctrl-C end the process although the library that handles it has caught the signal: the system refused its
/// thread.
fn end_on_interrupt() {
    IS_FATAL.store(true, Ordering::Relaxed);
    #[cfg(unix)]
    {
        let always = Arc::new(AtomicBool::new(true));
        if let Err(error) = signal_hook::flag::register_conditional_default(signal_hook::consts::SIGINT, always) {
            log::debug!("Ctrl-C does not end the process: {error}");
        }
    }
}

fn interrupted() {
    match &mut *lock(&HANDLER) {
        Some(handler) => handler(),
        None => std::process::exit(CODE.into()),
    }
}
