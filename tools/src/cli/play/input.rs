//! The input of a game: lines, and Ctrl-C.

use crate::cli::input_lines::utf8;
use crate::cli::interrupt;
use secateurs::core::StopFlag;
use secateurs::protocol::input::{RawLine, read_line};
use secateurs::util::lock::lock;
use std::io::{self, BufReader, IsTerminal};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};

/// The maximum length of a line in bytes.
pub(crate) const LONGEST: usize = 4_096;

/// The number of lines that are read ahead.
const AHEAD: usize = 64;

/// An input event.
pub enum Event {
    /// A line.
    Line(RawLine),
    /// Ctrl-C while no search is running.
    Interrupt,
    /// The end of the input.
    End,
    /// A read error.
    Failed(io::Error),
}

/// Lines from standard input, read on another thread so that Ctrl-C works at any time.
pub struct Input {
    events: Receiver<Event>,
    thinking: Thinking,
    /// Whether standard input is a terminal.
    pub is_terminal: bool,
}

/// The stop flag of the running search, if any.
type Thinking = Arc<Mutex<Option<StopFlag>>>;

impl Input {
    /// Starts reading and handling Ctrl-C. If no handler can be set, Ctrl-C ends the process.
    ///
    /// # Errors
    /// The system refuses the thread that reads.
    pub(crate) fn open() -> io::Result<Self> {
        let (sender, events) = sync_channel(AHEAD);
        let thinking = Thinking::default();
        let (lines, at) = (sender.clone(), Arc::clone(&thinking));
        interrupt::handle(move || interrupt(&at, &lines));
        std::thread::Builder::new().name("input".into()).spawn(move || read(&sender))?;
        Ok(Self { events, thinking, is_terminal: io::stdin().is_terminal() })
    }

    /// Waits for the next event.
    pub(crate) fn next(&self) -> Event {
        self.events.recv().unwrap_or(Event::End)
    }

    /// Runs work that Ctrl-C stops; returns whether it did.
    pub(crate) fn interruptible<T>(&self, work: impl FnOnce(&StopFlag) -> T) -> (T, bool) {
        let stop = StopFlag::new();
        *lock(&self.thinking) = Some(stop.clone());
        let done = work(&stop);
        *lock(&self.thinking) = None;
        (done, stop.is_raised())
    }
}

/// Stops the running search at the first Ctrl-C, and ends the process at the second.
fn interrupt(thinking: &Thinking, events: &SyncSender<Event>) {
    match &*lock(thinking) {
        Some(stop) if stop.is_raised() => std::process::exit(interrupt::CODE.into()),
        Some(stop) => stop.raise(),
        // If the queue is full, nothing waits at the prompt, so the event may be dropped.
        None => drop(events.try_send(Event::Interrupt)),
    }
}

fn read(events: &SyncSender<Event>) {
    let mut input = match utf8(Box::new(BufReader::new(io::stdin()))) {
        Ok(input) => input,
        Err(error) => return drop(events.send(Event::Failed(error))),
    };
    loop {
        let event = match read_line(&mut input, LONGEST) {
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
