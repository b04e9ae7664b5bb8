//! Connections that cannot be made, are lost or are left, in every phase.

use super::START;
use super::double::{Client, Double, Peer, house};
use rustix::process::Signal;
use std::net::TcpListener;
use std::time::{Duration, Instant};

/// A phase of a dialogue, and how the server leads to it.
type Phase<'a> = (&'a str, &'a dyn Fn(&mut Peer));

const DEEP: &str = "<8,0,0,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8>";

#[test]
fn a_lost_connection_is_made_again() {
    let double = Double::new();
    let client = double.client(&["--name", "again"]);
    let phases: [(&str, &dyn Fn(Peer)); 7] = [
        ("before the greeting", &|peer| peer.cut()),
        ("within the greeting", &|mut peer| {
            peer.send_bytes(b"kgp 1 0");
            // An incomplete greeting is no other protocol.
            peer.cut();
        }),
        ("during a search", &|mut peer| {
            peer.greet();
            peer.send(&format!("4 state {DEEP}"));
            house(&peer.line(), 4);
            peer.cut();
        }),
        ("after the greeting", &|mut peer| {
            peer.send("kgp 1 0 1");
            peer.lines_to("mode freeplay");
            peer.cut();
        }),
        ("after an answer", &|mut peer| {
            peer.greet();
            peer.send("4 state <3,0,0,1,1,1,1,1,1>");
            peer.lines_to("@4 yield");
            peer.cut();
        }),
        ("without a game", &|mut peer| {
            peer.greet();
            peer.cut();
        }),
        ("within a line", &|mut peer| {
            peer.greet();
            peer.send_bytes(b"8 state <3,0,0,1,1");
            peer.cut();
        }),
    ];
    for (phase, lead) in phases {
        let start = Instant::now();
        let peer = double.accept();
        assert!(start.elapsed() < Duration::from_secs(40), "{phase}");
        lead(peer);
    }
    // The searches of lost connections are over: their moves are not sent here.
    let mut peer = double.accept();
    assert_eq!(peer.greet(), ["set info:name \"again\""]);
    peer.is_silent(4);
    peer.send("goodbye");
    let ran = client.end();
    assert_eq!((ran.code, ran.err.matches("; next attempt in ").count()), (Some(0), 7), "{}", ran.err);
    // The waits grow, and begin again after a game.
    let waits: Vec<_> = ran.err.lines().filter_map(|line| line.rsplit_once(" in ")).map(|(_, wait)| wait).collect();
    assert_eq!(waits, ["1 s", "2 s", "1 s", "2 s", "1 s", "2 s", "4 s"], "{}", ran.err);
}

#[test]
fn a_server_that_is_not_there_is_given_up() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let address = format!("127.0.0.1:{port}");
    for (attempts, shown) in [("1", "1 attempt in a row"), ("2", "2 attempts in a row")] {
        let ran = Client::start(&[&address, "--hash", "1", "--attempts", attempts]).end();
        assert_eq!(ran.code, Some(1));
        let last = format!("error: given up after {shown}: cannot connect to {address}: Connection refused");
        assert!(ran.err.contains(&last), "{}", ran.err);
    }
    let ran = Client::start(&["no-such-host.invalid", "--hash", "1", "--attempts", "1"]).end();
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("cannot connect to no-such-host.invalid:2671: "), "{}", ran.err);
}

#[test]
fn signals_say_goodbye_in_every_phase() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let phases: [Phase<'_>; 4] = [
            ("before the greeting", &|_| ()),
            ("without a game", &|peer| drop(peer.greet())),
            ("during a search", &|peer| {
                peer.greet();
                peer.send(&format!("4 state {DEEP}"));
                house(&peer.line(), 4);
            }),
            ("after an answer", &|peer| {
                peer.greet();
                peer.send("4 state <3,0,0,1,1,1,1,1,1>");
                peer.lines_to("@4 yield");
            }),
        ];
        for (phase, lead) in phases {
            let double = Double::new();
            let client = double.client(&[]);
            let mut peer = double.accept();
            lead(&mut peer);
            let start = Instant::now();
            client.signal(signal);
            let lines = peer.lines_to("goodbye");
            assert!(lines.iter().all(|line| line == "goodbye" || line.starts_with("@4 move ")), "{phase}: {lines:?}");
            assert_eq!(peer.next(), None, "{phase}");
            drop(peer);
            let ran = client.end();
            assert_eq!((ran.code, ran.err.as_str()), (Some(code), ""), "{phase}");
            assert!(start.elapsed() < Duration::from_secs(10), "{phase}: {:?}", start.elapsed());
        }
        // While it waits for the next attempt.
        let double = Double::new();
        let client = double.client(&[]);
        double.accept().cut();
        double.accept().cut();
        let start = Instant::now();
        std::thread::sleep(Duration::from_millis(300));
        client.signal(signal);
        let ran = client.end();
        assert_eq!(ran.code, Some(code), "{}", ran.err);
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    }
}

/// `| head -1` closes the output; the client plays on.
#[test]
fn a_closed_output_ends_no_game() {
    let double = Double::new();
    let program = env!("CARGO_BIN_EXE_secateurs-kgp");
    let script = format!("{program} 127.0.0.1:{} --hash 1 | head -1", double.port());
    let client = Client::of(std::process::Command::new("sh").args(["-c", &script]));
    let mut peer = double.welcome();
    for id in [4, 6, 8] {
        peer.send(&format!("{id} state <3,0,0,1,1,1,1,1,1>"));
        peer.lines_to(&format!("@{id} yield"));
    }
    peer.send("goodbye");
    assert_eq!(peer.line(), "goodbye");
    let ran = client.end();
    assert_eq!(ran.err, "");
    assert!(ran.out.starts_with("connected to ") && ran.out.lines().count() == 1, "{}", ran.out);
}

/// A server that does not read holds up no other part of the client for longer than the time-out of a write.
#[test]
fn a_server_that_greets_late_or_never_is_left() {
    let double = Double::new();
    let client = double.client(&["--attempts", "1"]);
    let mut peer = double.accept();
    let start = Instant::now();
    std::thread::sleep(Duration::from_secs(1));
    peer.greet();
    peer.send(&format!("4 state {START}"));
    house(&peer.line(), 4);
    assert!(start.elapsed() < Duration::from_secs(20));
    peer.send("goodbye");
    assert_eq!(client.end().code, Some(0));
}
