//! The threads of a dialogue beside its loop: one reads lines, one does the work. Both send events to the loop.

use super::line::{RawLine, read_line};
use super::task::{Output, Task};
use crate::core::StopFlag;
use crate::core::error::{Error, Quoted};
use crate::search::thread::builder;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::Builder;

/// The longest line in bytes; a longer line is refused.
const LONGEST_LINE: usize = 2 << 20;

/// The capacity of the event queue; it blocks a faster reader or search.
const WAITING_EVENTS: usize = 16;

/// An event that the loop waits for.
pub enum Event {
    /// A received line, or its error.
    Line(Result<Vec<u8>, Error>),
    /// The end of the input.
    End,
    /// What the running work writes.
    Output(Output),
    /// The end of the running work.
    Done,
}

/// The loop's ends of the threads.
pub struct Threads {
    /// Takes the tasks.
    pub tasks: Sender<(Task, StopFlag)>,
    /// Returns the events of both threads.
    pub events: Receiver<Event>,
}

/// Starts the threads. Tasks are done in turn. The threads end when the caller drops both ends, the reader with the
/// next line.
///
/// # Errors
/// The system cannot start a thread.
pub fn start(input: impl Read + Send + 'static) -> io::Result<Threads> {
    let (sender, events) = sync_channel(WAITING_EVENTS);
    let (tasks, received) = channel();
    let lines = sender.clone();
    // The worker first: if it cannot start, no input is lost.
    builder("task")?.spawn(move || work(&received, &sender))?;
    Builder::new().name("input".into()).spawn(move || read_lines(BufReader::new(input), &lines))?;
    Ok(Threads { tasks, events })
}

/// Does the tasks until the dialogue is over.
fn work(tasks: &Receiver<(Task, StopFlag)>, events: &SyncSender<Event>) {
    for (task, stop) in tasks {
        // A send fails only when the dialogue is over.
        task.complete(&stop, &|output| drop(events.send(Event::Output(output))));
        let _ = events.send(Event::Done);
    }
}

/// Sends every line of the input, then its end. A read error counts as the end.
fn read_lines(mut input: impl BufRead, events: &SyncSender<Event>) {
    while let Ok(Some(RawLine { bytes, whole, .. })) = read_line(&mut input, LONGEST_LINE) {
        let too_long = || Error::BadCommand(Quoted::bytes(&bytes), format!("a line has at most {LONGEST_LINE} bytes"));
        let line = if whole { Ok(bytes) } else { Err(too_long()) };
        if events.send(Event::Line(line)).is_err() {
            return;
        }
    }
    let _ = events.send(Event::End);
}
