//! A dialogue with the protocol in this process, line by line.

use secateurs::protocol::{ServeError, Settings, serve};
use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// The time-out of a reply.
pub const TIMEOUT: Duration = Duration::from_secs(60);

/// A running dialogue; dropping its sender ends the input.
pub struct Dialogue {
    pub input: Option<Sender<Vec<u8>>>,
    pub output: Receiver<String>,
    pub thread: JoinHandle<Result<(), ServeError>>,
}

/// A reader of lines that arrive over a channel.
struct Incoming {
    lines: Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl Read for Incoming {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            self.rest = self.lines.recv().unwrap_or_default();
        }
        let count = self.rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}

/// A writer that sends each line over a channel as it is flushed.
struct Outgoing {
    lines: Sender<String>,
    pending: Vec<u8>,
}

impl Write for Outgoing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pending.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let text = String::from_utf8(std::mem::take(&mut self.pending)).expect("replies are UTF-8");
        assert!(text.ends_with('\n'), "whole lines are flushed: {text:?}");
        for line in text.lines() {
            self.lines.send(line.to_owned()).map_err(|_| io::ErrorKind::BrokenPipe)?;
        }
        Ok(())
    }
}

impl Dialogue {
    /// Starts a dialogue in a game, as with `--game`.
    pub fn new(game: &str) -> Self {
        Self::with(Settings { game: Some(game.into()), ..Settings::default() })
    }

    pub fn with(settings: Settings) -> Self {
        let (input, incoming) = channel();
        let (outgoing, output) = channel();
        let incoming = Incoming { lines: incoming, rest: Vec::new() };
        let outgoing = Outgoing { lines: outgoing, pending: Vec::new() };
        let thread = std::thread::spawn(move || serve(&settings, incoming, outgoing));
        Self { input: Some(input), output, thread }
    }

    pub fn send(&self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Bytes sent after the end of the dialogue are lost, as in a pipe.
    pub fn send_bytes(&self, bytes: &[u8]) {
        if !bytes.is_empty() {
            let _ = self.input.as_ref().unwrap().send(bytes.to_vec());
        }
    }

    pub fn read(&self) -> String {
        self.output.recv_timeout(TIMEOUT).expect("a reply")
    }

    /// Returns the lines up to and including the first one with this prefix.
    pub fn read_to(&self, start: &str) -> Vec<String> {
        let mut lines = vec![self.read()];
        while !lines[lines.len() - 1].starts_with(start) {
            lines.push(self.read());
        }
        lines
    }

    /// Ends the input and returns the remaining output.
    pub fn finish(mut self) -> Vec<String> {
        self.input = None;
        let mut rest = Vec::new();
        loop {
            match self.output.recv_timeout(TIMEOUT) {
                Ok(line) => rest.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("the dialogue does not end; so far {rest:?}"),
            }
        }
        self.thread.join().unwrap().unwrap();
        rest
    }
}
