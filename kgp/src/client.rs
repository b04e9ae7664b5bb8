//! The loop of a client: it connects, plays, and connects again after a connection is lost.
//!
//! One thread connects and reads lines, one thread per state searches, and only this loop sends. It never waits for the
//! others, so it answers a `ping` and follows a `stop` at once.

use super::address::Address;
use super::connection::{self, Writer};
use super::event::Event;
use super::line::Line;
use super::message::Message;
use super::notice::Notice;
use super::session::{Flow, Session};
use super::settings::Settings;
use secateurs::core::Error;
use secateurs::protocol::log::ProtocolLog;
use secateurs::util::counted::counted;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// The time that a server has for its greeting, as in the reference implementation.
const GREETING: Duration = Duration::from_secs(20);

/// The time that the server has to close its side of the connection after `goodbye`.
const PARTING: Duration = Duration::from_millis(500);

/// The capacity of the event queue; it blocks the reader of a faster server.
const WAITING_EVENTS: usize = 64;

/// The longest wait between two attempts to connect.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// Returns the waits between attempts to connect: exponential back-off up to the longest.
fn waits() -> impl Iterator<Item = Duration> {
    std::iter::successors(Some(Duration::from_secs(1)), |&wait| Some((2 * wait).min(LONGEST_WAIT)))
}

/// How a client ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The server said `goodbye`.
    Goodbye,
    /// The user called `Leaver::leave`.
    Left,
}

/// Why a client could not begin or continue.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The log cannot be created; nothing was sent.
    #[error(transparent)]
    Log(#[from] Error),
    /// The server speaks another protocol or version, or refuses this client.
    #[error("{0}")]
    Impossible(String),
    /// The last attempt to connect has failed too: the number of attempts, the reason.
    #[error("given up after {0} in a row: {1}")]
    GivenUp(String, String),
    /// The system cannot start a thread.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
}

/// Ends a client from another thread.
#[derive(Clone)]
pub struct Leaver {
    leaves: Arc<AtomicBool>,
    sender: SyncSender<Event>,
}

impl Leaver {
    /// Makes the client say `goodbye` and end.
    pub(crate) fn leave(&self) {
        self.leaves.store(true, Ordering::Relaxed);
        // If the queue is full, the client wakes up without this event.
        let _ = self.sender.try_send(Event::Leave);
    }
}

/// A client.
pub struct Client {
    settings: Settings,
    log: ProtocolLog,
    leaves: Arc<AtomicBool>,
    sender: SyncSender<Event>,
    events: Receiver<Event>,
}

/// How a connection ended.
enum Outcome {
    Ended(End),
    Impossible(String),
    /// It was lost or never made: the reason, and whether it was of any use.
    Lost(String, bool),
}

impl Client {
    /// Prepares a client; nothing is sent yet.
    ///
    /// # Errors
    /// The log cannot be created.
    pub(crate) fn new(settings: Settings) -> Result<Self, Error> {
        let log = ProtocolLog::new(settings.log.as_deref())?;
        let (sender, events) = sync_channel(WAITING_EVENTS);
        Ok(Self { settings, log, leaves: Arc::default(), sender, events })
    }

    pub(crate) fn leaver(&self) -> Leaver {
        Leaver { leaves: Arc::clone(&self.leaves), sender: self.sender.clone() }
    }

    /// Plays until the server says `goodbye` or the user leaves. `notify` is called on this thread and should not wait.
    ///
    /// # Errors
    /// [`Fault`].
    pub(crate) fn run(mut self, notify: &mut dyn FnMut(&Notice)) -> Result<End, Fault> {
        let (mut waits, mut failed) = (waits(), 0_u32);
        for number in 0.. {
            let outcome = self.connection(number, notify)?;
            notify(&Notice::Ended);
            let (reason, was_useful) = match outcome {
                Outcome::Ended(end) => return Ok(end),
                Outcome::Impossible(reason) => return Err(Fault::Impossible(reason)),
                Outcome::Lost(reason, was_useful) => (reason, was_useful),
            };
            if was_useful {
                (waits, failed) = (self::waits(), 0);
            } else {
                failed = failed.saturating_add(1);
            }
            if self.settings.attempts.is_some_and(|most| failed >= most) {
                return Err(Fault::GivenUp(counted(failed, "attempt"), reason));
            }
            let wait = waits.next().unwrap_or(LONGEST_WAIT);
            notify(&Notice::Waits { reason, wait });
            if self.wait(wait) {
                return Ok(End::Left);
            }
        }
        Ok(End::Left)
    }

    /// Waits. Returns whether the user leaves.
    fn wait(&self, time: Duration) -> bool {
        let until = Instant::now() + time;
        loop {
            if self.leaves.load(Ordering::Relaxed) {
                return true;
            }
            match next(&self.events, Some(until)) {
                // The last events of the previous connection.
                Ok(_) => {}
                Err(_) => return false,
            }
        }
    }

    /// Runs one connection from beginning to end.
    fn connection(&mut self, number: u64, notify: &mut dyn FnMut(&Notice)) -> Result<Outcome, Fault> {
        let (address, events) = (self.settings.address.clone(), self.sender.clone());
        let thread = Builder::new().name("connection".into()).spawn(move || read(number, &address, &events));
        thread.map_err(Fault::Thread)?;
        let mut writer = match self.opened(number) {
            Ok(writer) => writer,
            Err(outcome) => return Ok(outcome),
        };
        let mut session = Session::new(&self.settings, self.sender.clone(), number << 32);
        let mut dialogue = Dialogue { log: &mut self.log, leaves: &self.leaves, writer: &mut writer, notify };
        let outcome = dialogue.hold(number, &mut session, &self.events);
        session.end_all(Instant::now());
        session.take().1.iter().for_each(|notice| (dialogue.notify)(notice));
        if !matches!(outcome, Outcome::Lost(..)) {
            let sent = dialogue.send(&Message::new("goodbye"));
            writer.finish();
            let until = Instant::now() + if sent.is_ok() { PARTING } else { Duration::ZERO };
            while let Ok(event) = next(&self.events, Some(until)) {
                if matches!(event, Event::End(of, _) if of == number) {
                    break;
                }
            }
        }
        writer.close();
        Ok(outcome)
    }

    /// Waits until the connection is made. If the user leaves, it may just have been made: the server of such a
    /// connection gets its `goodbye` too.
    fn opened(&self, number: u64) -> Result<Writer, Outcome> {
        let mut until = None;
        loop {
            let leaves = self.leaves.load(Ordering::Relaxed);
            if leaves && until.is_none() {
                until = Some(Instant::now() + PARTING);
            }
            match next(&self.events, until) {
                Ok(Event::Open(of, writer)) if of == number => return Ok(writer),
                Ok(Event::End(of, _)) if of == number && leaves => return Err(Outcome::Ended(End::Left)),
                Ok(Event::End(of, result)) if of == number => {
                    let reason = result.err().map_or_else(|| "it ended".into(), |error| error.to_string());
                    let address = &self.settings.address;
                    return Err(Outcome::Lost(format!("cannot connect to {address}: {reason}"), false));
                }
                Err(_) => return Err(Outcome::Ended(End::Left)),
                // The last events of the previous connection.
                Ok(Event::Open(_, mut writer)) => writer.close(),
                Ok(_) => {}
            }
        }
    }
}

/// Waits for the next event, at most until a time.
fn next(events: &Receiver<Event>, until: Option<Instant>) -> Result<Event, RecvTimeoutError> {
    match until {
        None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
        Some(until) => events.recv_timeout(until.saturating_duration_since(Instant::now())),
    }
}

/// Connects, and sends every line from the server as an event.
fn read(number: u64, address: &Address, events: &SyncSender<Event>) {
    let mut reader = match connection::open(address) {
        Ok((reader, writer)) => {
            if events.send(Event::Open(number, writer)).is_err() {
                return;
            }
            reader
        }
        Err(error) => return drop(events.send(Event::End(number, Err(error)))),
    };
    loop {
        let event = match reader.read() {
            Ok(Some(line)) => Event::Line(number, line),
            Ok(None) => Event::End(number, Ok(())),
            Err(error) => Event::End(number, Err(error)),
        };
        let is_last = matches!(event, Event::End(..));
        if events.send(event).is_err() || is_last {
            return;
        }
    }
}

/// The output of a connection.
struct Dialogue<'a> {
    log: &'a mut ProtocolLog,
    leaves: &'a AtomicBool,
    writer: &'a mut Writer,
    notify: &'a mut dyn FnMut(&Notice),
}

impl Dialogue<'_> {
    /// Executes events until the connection is over.
    fn hold(&mut self, number: u64, session: &mut Session<'_>, events: &Receiver<Event>) -> Outcome {
        let greeting = Instant::now() + GREETING;
        loop {
            let greeting = Some(greeting).filter(|_| !session.is_greeted());
            let until = [session.due(), greeting].into_iter().flatten().min();
            if self.leaves.load(Ordering::Relaxed) {
                return Outcome::Ended(End::Left);
            }
            let event = next(events, until);
            if self.leaves.load(Ordering::Relaxed) {
                return Outcome::Ended(End::Left);
            }
            let now = Instant::now();
            let flow = match event {
                Ok(Event::Line(of, line)) if of == number => self.receive(session, line, now),
                Ok(Event::End(of, result)) if of == number => {
                    let reason = result.err().map_or_else(|| "the server closed it".into(), |error| error.to_string());
                    return Outcome::Lost(format!("the connection is lost: {reason}"), session.has_played());
                }
                Ok(Event::Found(of, report)) => {
                    session.found(of, *report);
                    Flow::On
                }
                Ok(Event::Done(of, report)) => {
                    session.done(of, *report);
                    Flow::On
                }
                Ok(_) => Flow::On,
                Err(_) if greeting.is_some_and(|greeting| greeting <= now) => {
                    return Outcome::Lost("the server does not greet this client with kgp".into(), false);
                }
                Err(_) => Flow::On,
            };
            session.on_time(now);
            let (messages, notices) = session.take();
            for message in &messages {
                if let Err(error) = self.send(message) {
                    if self.leaves.load(Ordering::Relaxed) {
                        return Outcome::Ended(End::Left);
                    }
                    return Outcome::Lost(format!("the connection is lost: {error}"), session.has_played());
                }
            }
            notices.iter().for_each(|notice| (self.notify)(notice));
            match flow {
                Flow::On => {}
                Flow::Goodbye => return Outcome::Ended(End::Goodbye),
                Flow::Impossible(reason) => return Outcome::Impossible(reason),
            }
        }
    }

    fn receive(&mut self, session: &mut Session<'_>, line: Line, now: Instant) -> Flow {
        match &line {
            Line::Whole(text) => self.log.received(text.as_bytes()),
            Line::Bad(start, _) => self.log.received(start.to_string().as_bytes()),
        }
        session.receive(line, now)
    }

    fn send(&mut self, message: &Message) -> io::Result<()> {
        let line = message.to_string();
        // Users share logs; a token is a secret.
        let is_secret = line.starts_with("set auth:");
        self.log.sent(if is_secret { "set auth:token ..." } else { &line });
        self.writer.send(&line, self.leaves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_to_a_minute() {
        let waits: Vec<_> = waits().map(|wait| wait.as_secs()).take(9).collect();
        assert_eq!(waits, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
    }
}
