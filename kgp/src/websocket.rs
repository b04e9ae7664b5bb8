//! The two ends of a WebSocket (RFC 6455). Each message that we send is one line; a message from the server may contain
//! several lines, and its end ends a line.
//!
//! Both ends share the state of the protocol behind a lock. The reader waits without the lock until there is something
//! to read, and then reads one message without blocking: neither end waits for the other, and at most one message is
//! buffered.

use super::address::Address;
use super::line::{LONGEST_BYTES, Line};
use secateurs::util::lock::lock;
use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex};
use tungstenite::client::client_with_config;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Error, HandshakeError, Message, WebSocket};

/// The maximum size of a message from the server in bytes: some hundred of the longest lines.
const LARGEST: usize = 8 << 20;

type Shared = Arc<Mutex<WebSocket<TcpStream>>>;

/// The reading end.
pub struct WebSocketReader {
    /// The connection, for waiting.
    stream: TcpStream,
    socket: Shared,
    lines: VecDeque<Line>,
    /// Why there are no further lines: the end of the connection, or its error.
    end: Option<io::Result<()>>,
}

/// The sending end.
pub struct WebSocketWriter {
    stream: TcpStream,
    socket: Shared,
}

/// Performs the HTTP handshake.
///
/// # Errors
/// I/O errors of the connection; the server does not speak WebSocket at this path.
pub(super) fn open(address: &Address, stream: TcpStream) -> io::Result<(WebSocketReader, WebSocketWriter)> {
    let config = WebSocketConfig::default().max_message_size(Some(LARGEST)).max_frame_size(Some(LARGEST));
    let greeted = client_with_config(address.to_string(), stream.try_clone()?, Some(config));
    let (socket, _) = greeted.map_err(|error| match error {
        HandshakeError::Failure(Error::Http(response)) => io::Error::other(format!(
            "the server answers {}: {} is no path for WebSocket there",
            response.status(),
            address.path.as_deref().unwrap_or_default()
        )),
        HandshakeError::Failure(error) => io_error(error),
        HandshakeError::Interrupted(_) => io::Error::new(ErrorKind::TimedOut, "the server does not answer by HTTP"),
    })?;
    stream.set_read_timeout(None)?;
    let socket = Arc::new(Mutex::new(socket));
    let reader =
        WebSocketReader { stream: stream.try_clone()?, socket: Arc::clone(&socket), lines: VecDeque::new(), end: None };
    Ok((reader, WebSocketWriter { stream, socket }))
}

fn io_error(error: Error) -> io::Error {
    match error {
        Error::Io(error) => error,
        other => io::Error::new(ErrorKind::InvalidData, other.to_string()),
    }
}

fn would_block(error: &Error) -> bool {
    matches!(error, Error::Io(error) if error.kind() == ErrorKind::WouldBlock)
}

impl WebSocketReader {
    /// Waits for the next line; `None` at the end of the connection.
    pub(super) fn read(&mut self) -> io::Result<Option<Line>> {
        loop {
            if let Some(line) = self.lines.pop_front() {
                return Ok(Some(line));
            }
            if let Some(end) = self.end.take() {
                return end.map(|()| None);
            }
            // The protocol's own buffer may hold messages that arrived with the last one, or with the handshake.
            self.take()?;
            if self.lines.is_empty()
                && self.end.is_none()
                && let Err(error) = self.stream.peek(&mut [0])
                && error.kind() != ErrorKind::Interrupted
            {
                return Err(error);
            }
        }
    }

    /// Reads a message if one has arrived.
    fn take(&mut self) -> io::Result<()> {
        let mut socket = lock(&self.socket);
        // Meanwhile the writer waits for the lock.
        self.stream.set_nonblocking(true)?;
        while self.end.is_none() && self.lines.is_empty() {
            match socket.read() {
                Ok(Message::Text(text)) => self.lines.extend(lines(text.as_bytes())),
                Ok(Message::Binary(bytes)) => self.lines.extend(lines(&bytes)),
                Ok(_) => {}
                Err(error) if would_block(&error) => break,
                Err(Error::ConnectionClosed | Error::AlreadyClosed) => self.end = Some(Ok(())),
                Err(Error::Io(error)) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => self.end = Some(Err(io_error(error))),
            }
        }
        self.stream.set_nonblocking(false)
    }
}

fn lines(bytes: &[u8]) -> impl Iterator<Item = Line> {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    bytes
        .split(|byte| *byte == b'\n')
        .map(|line| if line.len() > LONGEST_BYTES { Line::too_long(line) } else { Line::new(line.to_vec()) })
}

impl WebSocketWriter {
    /// Queues a line with its line end, for [`flush`](Self::flush).
    pub(super) fn queue(&mut self, line: String) -> io::Result<()> {
        match lock(&self.socket).write(Message::text(line)) {
            // The line is queued even if the stream accepts nothing now.
            Err(error) if !would_block(&error) => Err(io_error(error)),
            _ => Ok(()),
        }
    }

    /// Sends what is queued. The stream blocks for at most its write time-out.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        lock(&self.socket).flush().map_err(io_error)
    }

    /// Begins the closing handshake; the reader then reads until the server has answered.
    pub(super) fn finish(&mut self) {
        let mut socket = lock(&self.socket);
        // The connection may have ended already.
        let _ = socket.close(None);
        let _ = socket.flush();
    }

    pub(super) fn close(&mut self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_split_into_lines() {
        let of = |text: &str| lines(text.as_bytes()).collect::<Vec<_>>();
        let whole = |lines: &[&str]| lines.iter().map(|line| Line::Whole((*line).into())).collect::<Vec<_>>();
        assert_eq!(of("ping\r\n"), whole(&["ping"]));
        assert_eq!(of("ping"), whole(&["ping"]));
        assert_eq!(of("a\nb"), whole(&["a", "b"]));
        assert_eq!(of("a\nb\n"), whole(&["a", "b"]));
        assert!(matches!(lines(b"\xff\xfe").next(), Some(Line::Bad(_, "not UTF-8"))));
        assert!(matches!(of(&"x".repeat(LONGEST_BYTES + 1))[..], [Line::Bad(_, "too long")]));
    }
}
