//! Connections to a server, over TCP or WebSocket: one thread reads lines, another sends messages.

use super::address::Address;
use super::line::{LONGEST_BYTES, Line};
use super::websocket::{self, WebSocketReader, WebSocketWriter};
use secateurs::protocol::input::read_line;
use std::io::{self, BufReader, ErrorKind, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The time-out for connecting to each address of a host, and for the WebSocket handshake.
const CONNECTING: Duration = Duration::from_secs(10);

/// The time-out for sending.
const SENDING: Duration = Duration::from_secs(10);

/// The time-out for sending once the client leaves.
const LEAVING: Duration = Duration::from_millis(200);

/// The time after which a blocked sender checks again whether the client leaves.
const LOOKING: Duration = Duration::from_millis(50);

/// The reading end. Reading blocks; `Writer::close` ends it.
pub enum Reader {
    /// Over TCP.
    Tcp(BufReader<TcpStream>),
    /// Over WebSocket.
    WebSocket(WebSocketReader),
}

/// The sending end.
pub enum Writer {
    /// Over TCP.
    Tcp(TcpStream),
    /// Over WebSocket.
    WebSocket(WebSocketWriter),
}

/// Connects to a server.
///
/// # Errors
/// The host is unknown or unreachable, or refuses the WebSocket handshake.
pub(crate) fn open(address: &Address) -> io::Result<(Reader, Writer)> {
    let stream = connect(address)?;
    // A pong must not wait for further data.
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(LOOKING))?;
    keep_alive(&stream);
    if address.path.is_some() {
        stream.set_read_timeout(Some(CONNECTING))?;
        let (reader, writer) = websocket::open(address, stream)?;
        return Ok((Reader::WebSocket(reader), Writer::WebSocket(writer)));
    }
    Ok((Reader::Tcp(BufReader::new(stream.try_clone()?)), Writer::Tcp(stream)))
}

/// Tries the addresses of the host in turn; returns the error of the last.
fn connect(address: &Address) -> io::Result<TcpStream> {
    let mut failure = io::Error::new(ErrorKind::NotFound, "the host has no address");
    for place in (address.host.as_str(), address.port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&place, CONNECTING) {
            Ok(stream) => return Ok(stream),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

/// Makes the system detect within two minutes that the server is gone: a live one may be silent for hours.
fn keep_alive(stream: &TcpStream) {
    #[cfg(unix)]
    {
        use rustix::net::sockopt;
        let _ = sockopt::set_socket_keepalive(stream, true);
        #[cfg(target_os = "linux")]
        {
            let _ = sockopt::set_tcp_keepidle(stream, Duration::from_secs(60));
            let _ = sockopt::set_tcp_keepintvl(stream, Duration::from_secs(15));
            let _ = sockopt::set_tcp_keepcnt(stream, 4);
        }
    }
    #[cfg(not(unix))]
    let _ = stream;
}

/// Retries until everything is sent, for as long as the server may take.
fn patiently(leaves: &AtomicBool, mut send: impl FnMut() -> io::Result<bool>) -> io::Result<()> {
    let began = Instant::now();
    loop {
        match send() {
            Ok(true) => return Ok(()),
            Ok(false) => {}
            Err(error)
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted) => {}
            Err(error) => return Err(error),
        }
        let most = if leaves.load(Ordering::Relaxed) { LEAVING } else { SENDING };
        if began.elapsed() >= most {
            return Err(io::Error::new(ErrorKind::TimedOut, format!("the server has read nothing for {most:?}")));
        }
    }
}

impl Reader {
    /// Waits for the next line; `None` at the end of the connection.
    ///
    /// # Errors
    /// I/O errors of the connection; a line that does not end.
    pub(crate) fn read(&mut self) -> io::Result<Option<Line>> {
        match self {
            Self::Tcp(input) => Ok(read_line(input, LONGEST_BYTES)?.and_then(|line| match line.whole {
                // A line that the end of the connection cuts off is not a message.
                true => line.ended.then(|| Line::new(line.bytes)),
                false => Some(Line::too_long(&line.bytes)),
            })),
            Self::WebSocket(input) => input.read(),
        }
    }
}

impl Writer {
    /// Sends a line without its line end.
    ///
    /// # Errors
    /// I/O errors of the connection; a server that does not accept the line within ten seconds, or 0.2 seconds once
    /// `leaves` is true.
    pub(crate) fn send(&mut self, line: &str, leaves: &AtomicBool) -> io::Result<()> {
        let line = format!("{line}\r\n");
        match self {
            Self::Tcp(stream) => {
                let mut rest = line.as_bytes();
                patiently(leaves, || {
                    rest = &rest[stream.write(rest)?..];
                    Ok(rest.is_empty())
                })
            }
            Self::WebSocket(output) => {
                output.queue(line)?;
                patiently(leaves, || output.flush().map(|()| true))
            }
        }
    }

    /// Closes the sending side; what was sent still arrives. The reader continues until the server closes its side.
    pub(crate) fn finish(&mut self) {
        match self {
            // The connection may have ended already.
            Self::Tcp(stream) => drop(stream.shutdown(Shutdown::Write)),
            Self::WebSocket(output) => output.finish(),
        }
    }

    /// Closes the connection, including the reader's end.
    pub(crate) fn close(&mut self) {
        match self {
            Self::Tcp(stream) => drop(stream.shutdown(Shutdown::Both)),
            Self::WebSocket(output) => output.close(),
        }
    }
}
