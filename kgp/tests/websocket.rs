//! The protocol over WebSocket.

use super::START;
use super::double::{Double, Peer, house};
use std::io::{Read, Write};
use std::time::{Duration, Instant};
use tungstenite::Message;

fn socket(peer: &mut Peer) -> &mut tungstenite::WebSocket<std::net::TcpStream> {
    match peer {
        Peer::WebSocket(socket) => socket,
        Peer::Tcp(_) => panic!("a connection over TCP"),
    }
}

#[test]
fn games_are_played_over_websocket() {
    let double = Double::new();
    let client = double.client_at("ws://127.0.0.1:{}/socket", &["--comment"]);
    let mut peer = double.accept_websocket();
    assert_eq!(peer.greet(), ["set info:name \"Secateurs\""]);
    // Several commands in a message, with and without line ends, and in two kinds of messages.
    peer.send("4 ping\r\n6 ping\r\n");
    assert_eq!([peer.line(), peer.line()], ["@4 pong", "@6 pong"]);
    socket(&mut peer).send(Message::text("8 ping")).unwrap();
    assert_eq!(peer.line(), "@8 pong");
    socket(&mut peer).send(Message::binary(b"10 ping\n12 ping".to_vec())).unwrap();
    assert_eq!([peer.line(), peer.line()], ["@10 pong", "@12 pong"]);
    socket(&mut peer).send(Message::Ping(vec![1, 2, 3].into())).unwrap();
    assert!(matches!(socket(&mut peer).read(), Ok(Message::Pong(data)) if data[..] == [1, 2, 3]));
    // A search, a ping, a stop.
    peer.send("14 state <8,0,0,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8>");
    assert!(peer.line().starts_with("set info:comment "));
    house(&peer.line(), 14);
    peer.send("16 ping");
    peer.lines_to("@16 pong");
    peer.send("18@14 stop");
    peer.send("20 ping");
    peer.lines_to("@20 pong");
    peer.has_nothing(Duration::from_millis(100));
    // Garbage.
    for bad in [&b"\xff\xfe\n"[..], b"", b"\n\n\n", &[b'x'; 100_000]] {
        socket(&mut peer).send(Message::binary(bad.to_vec())).unwrap();
        socket(&mut peer).send(Message::text("22 ping\r\n")).unwrap();
        assert_eq!(peer.line(), "@22 pong");
    }
    peer.send("24 state <3,0,0,1,1,1,1,1,1>");
    peer.lines_to("@24 yield");
    peer.send("goodbye");
    assert_eq!((peer.line().as_str(), peer.next()), ("goodbye", None));
    let ran = client.end();
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    let first = format!("connected to ws://127.0.0.1:{}/socket, version 1.0.1", double.port());
    assert!(ran.out.starts_with(&first), "{}", ran.out);
}

/// Greets the client and asks for a move, after which the waits between connections are short.
fn play(peer: &mut Peer) {
    peer.greet();
    peer.send(&format!("4 state {START}"));
    house(&peer.line(), 4);
}

#[test]
fn a_lost_websocket_is_made_again() {
    let double = Double::new();
    let client = double.client_at("ws://127.0.0.1:{}", &[]);
    // No HTTP at all.
    double.accept().cut();
    // Cut off during a search.
    let mut peer = double.accept_websocket();
    play(&mut peer);
    peer.cut();
    // Closed as the protocol of WebSocket has it.
    let mut peer = double.accept_websocket();
    play(&mut peer);
    socket(&mut peer).close(None).unwrap();
    while peer.next().is_some() {}
    drop(peer);
    // Frames that are none.
    let mut peer = double.accept_websocket();
    play(&mut peer);
    peer.stream().write_all(&[0xff; 64]).unwrap();
    while peer.next().is_some() {}
    drop(peer);
    // A text that is not UTF-8.
    let mut peer = double.accept_websocket();
    play(&mut peer);
    peer.stream().write_all(&[0x81, 2, 0xff, 0xfe]).unwrap();
    while peer.next().is_some() {}
    drop(peer);
    let mut peer = double.accept_websocket();
    peer.greet();
    peer.send("goodbye");
    let ran = client.end();
    assert_eq!((ran.code, ran.err.matches("next attempt").count()), (Some(0), 5), "{}", ran.err);
}

#[test]
fn a_server_without_websocket_is_named() {
    for (answer, named) in [
        ("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "the server answers 404 Not Found: /socket is no path"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "the server answers 200 OK"),
        ("1 kgp 1 0 1\r\n\r\n", "cannot connect to ws://127.0.0.1:"),
    ] {
        let double = Double::new();
        let client = double.client_at("ws://127.0.0.1:{}/socket", &["--attempts", "1"]);
        let mut peer = double.accept();
        let Peer::Tcp(reader) = &mut peer else { panic!("TCP") };
        let mut request = Vec::new();
        while !request.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            reader.read_exact(&mut byte).unwrap();
            request.push(byte[0]);
        }
        let request = String::from_utf8(request).unwrap();
        assert!(request.starts_with("GET /socket HTTP/1.1\r\n"), "{request}");
        assert!(request.contains(&format!("Host: 127.0.0.1:{}\r\n", double.port())), "{request}");
        peer.send_bytes(answer.as_bytes());
        let ran = client.end();
        assert_eq!(ran.code, Some(1));
        assert!(ran.err.contains(named), "{}", ran.err);
    }
}

#[test]
fn signals_close_the_websocket() {
    let double = Double::new();
    let client = double.client_at("ws://127.0.0.1:{}", &[]);
    let mut peer = double.accept_websocket();
    peer.greet();
    peer.send(&format!("4 state {START}"));
    house(&peer.line(), 4);
    client.signal(rustix::process::Signal::TERM);
    peer.lines_to("goodbye");
    assert_eq!(peer.next(), None);
    drop(peer);
    assert_eq!(client.end().code, Some(143));
}

/// Small messages without end are answered as they come, and do not make the client grow. Where the server has stopped
/// reading, the client still follows a signal.
#[test]
#[cfg(target_os = "linux")]
fn floods_are_answered_in_bounds_over_both_transports() {
    for address in ["127.0.0.1:{}", "ws://127.0.0.1:{}"] {
        let double = Double::new();
        let client = double.client_at(address, &[]);
        let mut peer = if address.starts_with("ws") { double.accept_websocket() } else { double.accept() };
        peer.greet();
        let mut reader = peer.stream().try_clone().unwrap();
        // The first answers come while the server still sends.
        let answered = std::thread::spawn(move || {
            reader.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
            reader.read_exact(&mut [0; 1 << 16]).is_ok()
        });
        let began = Instant::now();
        while !answered.is_finished() && began.elapsed() < Duration::from_secs(20) {
            flood(&mut peer);
        }
        assert!(answered.join().unwrap(), "no answers");
        // Now nobody reads, and the client takes no more.
        peer.stream().set_write_timeout(Some(Duration::from_millis(500))).unwrap();
        while flood(&mut peer) {}
        let status = std::fs::read_to_string(format!("/proc/{}/status", client.id())).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
        assert!(peak < 150_000, "{address}: {peak} KiB");
        let began = Instant::now();
        client.signal(rustix::process::Signal::TERM);
        assert_eq!(client.end().code, Some(143));
        assert!(began.elapsed() < Duration::from_millis(700), "{address}: {:?}", began.elapsed());
    }
}

/// Sends a thousand small messages; returns whether the client takes them.
fn flood(peer: &mut Peer) -> bool {
    match peer {
        Peer::Tcp(reader) => reader.get_mut().write_all("7 ping\r\n".repeat(1_000).as_bytes()).is_ok(),
        Peer::WebSocket(socket) => {
            (0..1_000).all(|_| socket.write(Message::text("7 ping")).is_ok()) && socket.flush().is_ok()
        }
    }
}
