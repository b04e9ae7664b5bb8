//! What comes in while a game is played: lines, and Ctrl-C.

use crate::cli::interrupt;
use crate::core::StopFlag;
use crate::protocol::line::{self, RawLine};
use std::io::{self, IsTerminal};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

/// The longest line, bytes.
pub const LONGEST: usize = 4_096;

/// So many lines are read ahead.
const AHEAD: usize = 64;

/// Something to be answered.
pub enum Event {
    /// A line.
    Line(RawLine),
    /// Ctrl-C, while nothing was thought about.
    Interrupt,
    /// There are no more lines.
    End,
    /// The input has failed.
    Failed(io::Error),
}

/// Lines from standard input, read beside the game so that Ctrl-C is heard at any time.
pub struct Input {
    events: Receiver<Event>,
    thinking: Thinking,
    /// Whether a person types them.
    pub is_terminal: bool,
}

/// What is being thought about, if anything.
type Thinking = Arc<Mutex<Option<StopFlag>>>;

impl Input {
    /// Begins to read and to listen. Where no handler can be set, Ctrl-C ends the process.
    #[must_use]
    pub fn open() -> Self {
        let (sender, events) = sync_channel(AHEAD);
        let thinking = Thinking::default();
        let (lines, at) = (sender.clone(), Arc::clone(&thinking));
        interrupt::handle(move || interrupt(&at, &lines));
        let reader = std::thread::Builder::new().name("input".into()).spawn(move || read(&sender));
        if let Err(error) = reader {
            log::error!("nothing can be read: {error}");
        }
        Self { events, thinking, is_terminal: io::stdin().is_terminal() }
    }

    /// Waits for the next event.
    #[must_use]
    pub fn next(&self) -> Event {
        self.events.recv().unwrap_or(Event::End)
    }

    /// Does something that Ctrl-C ends; tells whether it did.
    pub fn interruptible<T>(&self, work: impl FnOnce(&StopFlag) -> T) -> (T, bool) {
        let stop = StopFlag::new();
        *self.thinking.lock().unwrap_or_else(PoisonError::into_inner) = Some(stop.clone());
        let done = work(&stop);
        *self.thinking.lock().unwrap_or_else(PoisonError::into_inner) = None;
        (done, stop.is_raised())
    }
}

/// The first Ctrl-C ends what is thought about, another one the process.
fn interrupt(thinking: &Thinking, events: &SyncSender<Event>) {
    match &*thinking.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(stop) if stop.is_raised() => std::process::exit(interrupt::CODE.into()),
        Some(stop) => stop.raise(),
        // Where so many lines wait nobody is at the prompt.
        None => drop(events.try_send(Event::Interrupt)),
    }
}

fn read(events: &SyncSender<Event>) {
    let mut input = io::stdin().lock();
    loop {
        let event = match line::read_line(&mut input, LONGEST) {
            Ok(Some(line)) => Event::Line(line),
            Ok(None) => Event::End,
            Err(error) => Event::Failed(error),
        };
        let last = !matches!(event, Event::Line(_));
        if events.send(event).is_err() || last {
            return;
        }
    }
}
