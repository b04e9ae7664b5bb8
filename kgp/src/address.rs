//! Addresses of servers: `HOST`, `HOST:PORT` for TCP, `ws://HOST:PORT/PATH` for WebSocket.

use secateurs::core::Error;
use secateurs::core::error::Quoted;
use std::fmt;
use std::str::FromStr;

/// The default port of the protocol over TCP.
pub(crate) const PORT: u16 = 2671;

/// The default port of `ws://`, as of HTTP.
const HTTP: u16 = 80;

/// The address of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The host name or IP address, without brackets.
    pub host: String,
    /// The port, at least 1.
    pub port: u16,
    /// The path of the URL, from its first slash; `None` for TCP.
    pub path: Option<String>,
}

impl FromStr for Address {
    type Err = Error;

    /// Parses an address. An IPv6 address must be in brackets if a port follows.
    ///
    /// # Errors
    /// [`Error::BadOptions`] with the address and what is wrong with it.
    fn from_str(text: &str) -> Result<Self, Error> {
        let bad = |reason: String| Error::BadOptions(format!("bad address {}: {reason}", Quoted::new(text)));
        let (scheme, rest) = text.split_once("://").map_or((None, text), |(scheme, rest)| (Some(scheme), rest));
        let (place, path) = match scheme.map(str::to_ascii_lowercase).as_deref() {
            None => (rest, None),
            Some("ws") => {
                let (place, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
                let slash = if path.starts_with('/') { "" } else { "/" };
                (place, Some(format!("{slash}{path}")))
            }
            Some("wss") => {
                return Err(bad("this program has no TLS: put a proxy in between, and name it with ws://".into()));
            }
            Some(_) => return Err(bad("an address is HOST, HOST:PORT or ws://HOST:PORT/PATH".into())),
        };
        let (host, port) = match (place.strip_prefix('['), place.matches(':').count()) {
            (Some(inside), _) => {
                let (host, after) = inside.split_once(']').ok_or_else(|| bad("there is no ]".into()))?;
                let port = after.strip_prefix(':');
                if port.is_none() && !after.is_empty() {
                    return Err(bad(format!("{} stands behind the ]", Quoted::part(after))));
                }
                (host, port)
            }
            (None, 1) => place.split_once(':').map_or((place, None), |(host, port)| (host, Some(port))),
            (None, _) => (place, None),
        };
        if host.is_empty() || host.contains(|c: char| c.is_whitespace() || c.is_control() || "/@#?\\[]<>\"".contains(c))
        {
            return Err(bad(format!("{} is not a host name", Quoted::part(host))));
        }
        if path
            .as_deref()
            .is_some_and(|path| path.contains(|c: char| !c.is_ascii_graphic() || "#\"<>\\^`{|}".contains(c)))
        {
            return Err(bad("a URL has no such characters in its path".into()));
        }
        let default = if path.is_some() { HTTP } else { PORT };
        let port = port.map_or(Some(default), |port| port.parse().ok().filter(|&port| port > 0));
        let port = port.ok_or_else(|| bad("a port is a number from 1 to 65535".into()))?;
        Ok(Self { host: host.into(), port, path })
    }
}

impl Address {
    /// Returns the host and the port, such as `localhost:2671` or `[::1]:2671`.
    pub(crate) fn place(&self) -> String {
        let Self { host, port, .. } = self;
        if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") }
    }

    /// Returns whether the host is this machine.
    pub(crate) fn is_local(&self) -> bool {
        let is_loopback = |address: std::net::IpAddr| address.is_loopback();
        self.host.eq_ignore_ascii_case("localhost") || self.host.parse().is_ok_and(is_loopback)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.path {
            None => f.write_str(&self.place()),
            Some(path) => write!(f, "ws://{}{path}", self.place()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        for (text, shown) in [
            ("localhost", "localhost:2671"),
            ("localhost:80", "localhost:80"),
            ("kalah.example", "kalah.example:2671"),
            ("127.0.0.1:1", "127.0.0.1:1"),
            ("::1", "[::1]:2671"),
            ("[::1]", "[::1]:2671"),
            ("[fe80::2]:65535", "[fe80::2]:65535"),
            ("ws://localhost:8080/socket", "ws://localhost:8080/socket"),
            ("WS://kalah.example", "ws://kalah.example:80/"),
            ("ws://[::1]:8080", "ws://[::1]:8080/"),
            ("ws://h?x=1", "ws://h:80/?x=1"),
        ] {
            let address: Address = text.parse().unwrap();
            assert_eq!(address.to_string(), shown);
            assert_eq!(shown.parse::<Address>().unwrap(), address);
        }
        for (text, local) in [("localhost", true), ("127.0.0.2", true), ("::1", true), ("kalah.example", false)] {
            assert_eq!(text.parse::<Address>().unwrap().is_local(), local, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, reason) in [
            ("", "\"\" is not a host name"),
            (":2671", "is not a host name"),
            ("a b", "\"a b\" is not a host name"),
            ("user@host", "is not a host name"),
            ("localhost:0", "a port is a number from 1 to 65535"),
            ("localhost:65536", "a port is"),
            ("localhost:", "a port is"),
            ("localhost:+1x", "a port is"),
            ("[::1", "there is no ]"),
            ("[::1]x", "\"x\" stands behind the ]"),
            ("http://localhost", "an address is HOST, HOST:PORT or ws://"),
            ("wss://localhost", "has no TLS"),
            ("ws:///socket", "is not a host name"),
            ("ws://h/a b", "no such characters"),
        ] {
            let error = text.parse::<Address>().unwrap_err().to_string();
            assert!(error.starts_with("bad address") && error.contains(reason), "{text}: {error}");
        }
    }
}
