//! The threads of a dialogue, and what they send to its loop.

use super::line::read_lines;
use super::task::{self, Output, Task};
use crate::core::error::Error;
use crate::search::thread::builder;
use std::any::Any;
use std::io::{self, BufReader, Read};
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::Builder;

/// The capacity of the event queue; it blocks a faster reader or search.
const WAITING_EVENTS: usize = 16;

/// What the loop of a dialogue receives.
pub(super) enum Event {
    /// A received line, or its error.
    Line(Result<Vec<u8>, Error>),
    End,
    /// An output of the running work.
    Task(Output),
    /// The rules of a game outside the registry have failed.
    Raised(Box<dyn Any + Send>),
}

/// Starts a thread that reads lines and one that executes the tasks in turn. They end when the caller drops both ends,
/// the reader at the next line.
pub(super) fn start_threads(input: impl Read + Send + 'static, tasks: Receiver<Task>) -> io::Result<Receiver<Event>> {
    let (sender, events) = sync_channel(WAITING_EVENTS);
    let lines = sender.clone();
    // A send fails only when the dialogue is over. The worker first: if it cannot start, no input is lost.
    let work = move || {
        let work = || task::work(&tasks, &|output| drop(sender.send(Event::Task(output))));
        if let Err(raised) = panic::catch_unwind(AssertUnwindSafe(work)) {
            let _ = sender.send(Event::Raised(raised));
        }
    };
    builder("task")?.spawn(work)?;
    let read = move || {
        read_lines(BufReader::new(input), &mut |line| lines.send(Event::Line(line)).is_ok());
        let _ = lines.send(Event::End);
    };
    Builder::new().name("input".into()).spawn(read)?;
    Ok(events)
}
