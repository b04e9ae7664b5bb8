//! A server after the published specification, over TCP and WebSocket, which tests lead line by line.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tungstenite::{Message, WebSocket};

/// The time-out of every wait.
pub const TIMEOUT: Duration = Duration::from_secs(60);

/// The listening server.
pub struct Double {
    listener: TcpListener,
}

/// A connection of the client.
pub enum Peer {
    Tcp(BufReader<TcpStream>),
    WebSocket(Box<WebSocket<TcpStream>>),
}

impl Double {
    pub fn new() -> Self {
        Self { listener: TcpListener::bind("127.0.0.1:0").unwrap() }
    }

    pub fn port(&self) -> u16 {
        self.listener.local_addr().unwrap().port()
    }

    /// Starts a client of this server, with `{}` in its address for the port.
    pub fn client_at(&self, address: &str, args: &[&str]) -> Client {
        let address = address.replace("{}", &self.port().to_string());
        Client::start(&[&[address.as_str(), "--hash", "1"], args].concat())
    }

    pub fn client(&self, args: &[&str]) -> Client {
        self.client_at("127.0.0.1:{}", args)
    }

    fn stream(&self) -> TcpStream {
        self.listener.set_nonblocking(true).unwrap();
        let start = Instant::now();
        let stream = loop {
            match self.listener.accept() {
                Ok((stream, _)) => break stream,
                Err(error) if error.kind() == ErrorKind::WouldBlock && start.elapsed() < TIMEOUT => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                Err(error) => panic!("no client: {error}"),
            }
        };
        stream.set_nonblocking(false).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        stream
    }

    /// Accepts the next connection.
    pub fn accept(&self) -> Peer {
        Peer::Tcp(BufReader::new(self.stream()))
    }

    /// Accepts the next connection over WebSocket.
    pub fn accept_websocket(&self) -> Peer {
        Peer::WebSocket(Box::new(tungstenite::accept(self.stream()).unwrap()))
    }

    /// Accepts the next connection, greets it, and confirms its mode.
    pub fn welcome(&self) -> Peer {
        let mut peer = self.accept();
        peer.greet();
        peer
    }

    /// Returns whether no client connects for a time.
    pub fn is_left_alone(&self, time: Duration) -> bool {
        self.listener.set_nonblocking(true).unwrap();
        std::thread::sleep(time);
        self.listener.accept().is_err()
    }
}

impl Peer {
    pub fn stream(&self) -> &TcpStream {
        match self {
            Self::Tcp(reader) => reader.get_ref(),
            Self::WebSocket(socket) => socket.get_ref(),
        }
    }

    /// Sends a line, which may have several commands.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\r\n").as_bytes());
    }

    /// Sends bytes; what a client that has left does not take is lost.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        match self {
            Self::Tcp(reader) => drop(reader.get_mut().write_all(bytes)),
            Self::WebSocket(socket) => {
                let text = std::str::from_utf8(bytes).map(|text| Message::text(text.to_owned()));
                drop(socket.send(text.unwrap_or_else(|_| Message::binary(bytes.to_vec()))));
            }
        }
    }

    /// Returns the next line; `None` at the end of the connection.
    pub fn next(&mut self) -> Option<String> {
        match self {
            Self::Tcp(reader) => {
                let mut line = String::new();
                match reader.read_line(&mut line) {
                    Ok(0) => None,
                    Ok(_) => {
                        assert!(line.len() <= 16_384 && line.ends_with("\r\n"), "{line:?}");
                        Some(line.trim_end().to_owned())
                    }
                    Err(error) if error.kind() == ErrorKind::ConnectionReset => None,
                    Err(error) => panic!("no line: {error}"),
                }
            }
            Self::WebSocket(socket) => loop {
                match socket.read() {
                    Ok(Message::Text(text)) => {
                        assert!(text.ends_with("\r\n") && text.matches('\n').count() == 1, "{text:?}");
                        return Some(text.trim_end().to_owned());
                    }
                    Ok(Message::Close(_)) => {
                        // The answer is flushed by the next read.
                        let _ = socket.flush();
                        return None;
                    }
                    Ok(_) => {}
                    Err(tungstenite::Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => panic!("no line"),
                    Err(_) => return None,
                }
            },
        }
    }

    pub fn line(&mut self) -> String {
        self.next().expect("a line before the end of the connection")
    }

    /// Returns the lines up to and including the first one that ends so.
    pub fn lines_to(&mut self, end: &str) -> Vec<String> {
        let mut lines = vec![self.line()];
        while !lines[lines.len() - 1].ends_with(end) {
            lines.push(self.line());
        }
        lines
    }

    /// Greets the client and confirms its mode; returns what it said of itself.
    pub fn greet(&mut self) -> Vec<String> {
        self.send("kgp 1 0 1");
        let mut lines = self.lines_to("mode freeplay");
        self.send("2 ok");
        lines.pop();
        lines
    }

    /// Checks that the client is alive and that nothing else waits: it answers a ping, and then is silent.
    pub fn is_silent(&mut self, id: u64) {
        self.send(&format!("{id} ping"));
        assert_eq!(self.line(), format!("@{id} pong"));
        self.has_nothing(Duration::from_millis(150));
    }

    /// Checks that nothing comes for a time.
    pub fn has_nothing(&mut self, time: Duration) {
        self.stream().set_read_timeout(Some(time)).unwrap();
        let nothing = match self {
            Self::Tcp(reader) => reader.fill_buf().map(<[u8]>::to_vec).map_err(|error| error.kind()),
            Self::WebSocket(socket) => match socket.read() {
                Ok(message) => Ok(message.into_data().to_vec()),
                Err(tungstenite::Error::Io(error)) => Err(error.kind()),
                Err(error) => panic!("{error}"),
            },
        };
        assert!(matches!(nothing, Err(ErrorKind::WouldBlock | ErrorKind::TimedOut)), "{nothing:?}");
        self.stream().set_read_timeout(Some(TIMEOUT)).unwrap();
    }

    /// Ends the connection without a word.
    pub fn cut(self) {
        self.stream().shutdown(Shutdown::Both).unwrap();
    }
}

/// Returns the house of `@ID move HOUSE`.
pub fn house(line: &str, id: u64) -> String {
    let house = line.strip_prefix(&format!("@{id} move "));
    house.unwrap_or_else(|| panic!("{line:?} is no move for state {id}")).to_owned()
}

/// A client: the program as a user starts it.
pub struct Client {
    child: Option<Child>,
}

/// How a client ended.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Client {
    pub fn start(args: &[&str]) -> Self {
        Self::of(Command::new(env!("CARGO_BIN_EXE_secateurs-kgp")).args(args))
    }

    pub fn of(command: &mut Command) -> Self {
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let command = command.env_remove("SECATEURS_LOG").env_remove("COLUMNS");
        Self { child: Some(command.spawn().unwrap()) }
    }

    pub fn signal(&self, signal: rustix::process::Signal) {
        let id = self.id().cast_signed();
        rustix::process::kill_process(rustix::process::Pid::from_raw(id).unwrap(), signal).unwrap();
    }

    /// Returns the number of the process.
    pub fn id(&self) -> u32 {
        self.child.as_ref().unwrap().id()
    }

    /// Waits for the end.
    pub fn end(mut self) -> Ran {
        let mut child = self.child.take().unwrap();
        let (mut out, mut err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let errors = std::thread::spawn(move || {
            let mut text = String::new();
            err.read_to_string(&mut text).map(|_| text)
        });
        let mut text = String::new();
        out.read_to_string(&mut text).unwrap();
        let code = child.wait().unwrap().code();
        Ran { code, out: text, err: errors.join().unwrap().unwrap() }
    }
}

impl Drop for Client {
    /// A test that fails leaves no client.
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
