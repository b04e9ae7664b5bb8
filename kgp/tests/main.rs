//! The client of the Kalah Game Protocol, against a server after the specification.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "all of it is tests"
)]

#[path = "../../tests/common/mod.rs"]
mod common;
mod connections;
mod double;
mod faults;
mod games;
mod websocket;

use double::{Client, Double, house};
use std::time::{Duration, Instant};

const START: &str = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>";

#[test]
fn the_client_says_who_it_is() {
    let double = Double::new();
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let args = ["--name", "a \"b\" \\ ö", "--authors", "c, d", "--description", "e", "--token", "secret"];
    let client = double.client(&[&args[..], &["--protocol-log", log.to_str().unwrap()]].concat());
    let mut peer = double.accept();
    let said = peer.greet();
    assert_eq!(
        said,
        [
            "set info:name \"a \\\"b\\\" \\\\ ö\"",
            "set info:authors \"c, d\"",
            "set info:description \"e\"",
            "set auth:token \"secret\""
        ]
    );
    peer.send("4 set info:name \"Double \\\"2\\\"\"");
    peer.send("6 goodbye");
    assert_eq!((peer.line().as_str(), peer.next()), ("goodbye", None));
    let ran = client.end();
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    let first = format!("connected to 127.0.0.1:{}, version 1.0.1 of the protocol", double.port());
    assert_eq!(ran.out, format!("{first}\nthe server is \"Double \\\"2\\\"\"\n0 answers\n"));
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains("> kgp 1 0 1\n") && log.contains("< mode freeplay\n") && log.contains("< goodbye\n"), "{log}");
    assert!(log.contains("< set auth:token ...\n") && !log.contains("secret"), "{log}");
}

#[test]
fn later_versions_are_spoken_with_if_they_are_compatible() {
    for (version, plays) in
        [("1 0 0", true), ("1 7 3", true), ("7 kgp 1 1 0", true), ("2 0 0", false), ("0 9 9", false)]
    {
        let double = Double::new();
        let client = double.client(&[]);
        let mut peer = double.accept();
        peer.send(&if version.contains("kgp") { version.to_owned() } else { format!("kgp {version}") });
        if plays {
            assert_eq!(peer.lines_to("mode freeplay"), ["set info:name \"Secateurs\"", "mode freeplay"]);
            peer.send("goodbye");
            assert_eq!(client.end().code, Some(0));
        } else {
            assert!(peer.line().starts_with("error \"unsupported version"));
            assert_eq!((peer.line().as_str(), peer.next()), ("goodbye", None));
            let ran = client.end();
            assert_eq!(ran.code, Some(1));
            assert!(ran.err.contains(&version.replace(' ', ".")) && !ran.err.contains("next attempt"), "{}", ran.err);
        }
    }
}

#[test]
fn a_complete_search_yields() {
    let double = Double::new();
    let client = double.client(&["--depth", "9", "--comment"]);
    let mut peer = double.welcome();
    for (id, board) in [
        (4, START),
        (6, "<12,0,0,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12,12>"),
        (8, "<1,3,4,1,2>"),
        (10, "<12,200,60,0,0,0,1,0,0,0,0,0,0,0,2,0,1,0,0,0,0,0,0,0,0,0,24>"),
        // Proven without a limit.
        (12, "<3,0,0,1,1,1,1,1,1>"),
    ] {
        peer.send(&format!("{id} state {board}"));
        let lines = peer.lines_to(&format!("@{id} yield"));
        assert!(lines.len() >= 3 && lines.len() % 2 == 1, "{lines:?}");
        let mut moves = Vec::new();
        for pair in lines[..lines.len() - 1].chunks(2) {
            assert!(pair[0].starts_with("set info:comment \"score ") && pair[0].contains("depth "), "{pair:?}");
            moves.push(house(&pair[1], id));
        }
        let legal = secateurs::registry::GAMES[0].parse(&secateurs::registry::GAMES[0].defaults(), board).unwrap();
        assert!(moves.iter().all(|mv| legal.moves().contains(mv)), "{moves:?} in {board}");
        assert!(moves.windows(2).all(|pair| pair[0] != pair[1]), "{moves:?}");
    }
    peer.is_silent(14);
    peer.send("goodbye");
    let ran = client.end();
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(ran.out.lines().filter(|line| line.ends_with(" s, yielded")).count(), 5, "{}", ran.out);
    assert!(ran.out.ends_with("5 answers\n"), "{}", ran.out);
}

/// A ping is answered while searches run, and after `stop` no move follows.
#[test]
fn pings_and_stops_are_followed_during_a_search() {
    let double = Double::new();
    let client = double.client(&["--threads", "2"]);
    let mut peer = double.welcome();
    let mut slowest = Duration::ZERO;
    for round in 0..10_u64 {
        let id = 100 * (round + 1);
        peer.send(&format!("{id} state <8,0,0,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8>"));
        house(&peer.line(), id);
        for ping in 1..=3 {
            std::thread::sleep(Duration::from_millis(20));
            let start = Instant::now();
            peer.send(&format!("{} ping", id + ping));
            let lines = peer.lines_to(&format!("@{} pong", id + ping));
            slowest = slowest.max(start.elapsed());
            lines[..lines.len() - 1].iter().for_each(|line| drop(house(line, id)));
        }
        peer.send(&format!("{}@{id} stop", id + 4));
        // What was sent before the stop came comes before the pong.
        peer.send(&format!("{} ping", id + 6));
        let lines = peer.lines_to("pong");
        lines[..lines.len() - 1].iter().for_each(|line| drop(house(line, id)));
        peer.has_nothing(Duration::from_millis(50));
    }
    println!("slowest pong: {slowest:?}");
    assert!(slowest < Duration::from_secs(5), "{slowest:?}");
    peer.send("goodbye");
    let ran = client.end();
    assert_eq!(ran.out.matches(" s, stopped\n").count(), 10, "{}", ran.out);
}

#[test]
fn several_states_are_searched_at_a_time() {
    let double = Double::new();
    let client = double.client(&[]);
    let mut peer = double.welcome();
    let deep = "<8,0,0,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8>";
    // The last two wait for one of the others to end.
    let ids: Vec<u64> = (1..=18).map(|number| 2 * number).collect();
    ids.iter().for_each(|id| peer.send(&format!("{id} state {deep}")));
    let mut moved = std::collections::BTreeSet::new();
    while moved.len() < 16 {
        let line = peer.line();
        moved.insert(line[1..].split_once(" move ").unwrap().0.parse::<u64>().unwrap());
    }
    assert_eq!(moved.iter().copied().collect::<Vec<_>>(), ids[..16]);
    // The same number again is not answered twice.
    peer.send(&format!("6 state {deep}"));
    // A stop for a state that waits, and one for a state that does not exist.
    peer.send("100@36 stop");
    peer.send("102@4711 stop");
    peer.send("104@2 stop");
    while moved.len() < 17 {
        let line = peer.line();
        moved.insert(line[1..].split_once(" move ").unwrap().0.parse::<u64>().unwrap());
    }
    assert_eq!(moved.last(), Some(&34));
    // Without a reference all are meant.
    peer.send("106 stop");
    peer.send("108 ping");
    let lines = peer.lines_to("@108 pong");
    assert!(lines.iter().all(|line| !line.contains("yield") && !line.starts_with("@36 ")), "{lines:?}");
    peer.is_silent(110);
    // A state without a number is answered without a reference.
    peer.send("state <3,0,0,1,1,1,1,1,1>");
    let lines = peer.lines_to("yield");
    assert!(lines[0].starts_with("move ") && lines[lines.len() - 1] == "yield", "{lines:?}");
    peer.send("goodbye");
    assert_eq!(client.end().code, Some(0));
}

#[test]
fn the_time_of_the_server_is_a_limit() {
    let double = Double::new();
    let client = double.client(&[]);
    let mut peer = double.welcome();
    let deep = "<8,0,0,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8>";
    for (id, settings) in [
        (4, &["set time:mode relative", "set time:clock 1"][..]),
        (6, &["set time:clock 0"]),
        (8, &["set time:mode \"absolute\"", "set time:clock 2", "set time:opclock 1"]),
        (10, &["set time:mode sometimes", "set time:clock -3", "set time:clock \"x\"", "set time:clock 1"]),
    ] {
        settings.iter().for_each(|line| peer.send(line));
        let start = Instant::now();
        peer.send(&format!("{id} state {deep}"));
        peer.lines_to(&format!("@{id} yield"));
        assert!(start.elapsed() < Duration::from_secs(10), "{settings:?}");
    }
    peer.send("goodbye");
    assert_eq!(client.end().code, Some(0));
}

#[test]
fn the_environment_names_the_server_of_a_tournament() {
    let double = Double::new();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_secateurs-kgp"));
    let command = command.args(["--hash", "1"]).env("KGP_HOST", "127.0.0.1");
    let client = Client::of(command.env("KGP_PORT", double.port().to_string()));
    let mut peer = double.welcome();
    peer.send("goodbye");
    assert_eq!(client.end().code, Some(0));
}

#[test]
fn bad_arguments_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("other");
    std::fs::write(&other, "no games").unwrap();
    let other = other.to_str().unwrap();
    for (args, named) in [
        (&["localhost:0"][..], "bad address \"localhost:0\": a port is a number from 1 to 65535"),
        (&["wss://localhost/socket"], "this program has no TLS"),
        (&["http://localhost"], "bad address \"http://localhost\""),
        (&[], "no HOST, and KGP_HOST is not set"),
        (&["localhost", "--game", "nim"], "the game of the protocol is kalah, not nim"),
        (&["localhost", "--option", "Capture=empty"], "captures are standard in the protocol, not \"empty\""),
        (&["localhost", "--option", "Sedes=3"], "unknown option \"Sedes\" of kalah; did you mean Seeds?"),
        (&["localhost", "--name", ""], "--name"),
        (&["localhost", "--name", "a\nb"], "it has control characters"),
        (&["localhost", "--token", &"\"".repeat(9_000)], "a message has at most 16384 characters"),
        (&["localhost", "--hash", "999999999"], "Hash 999999999 MiB refused"),
        (&["localhost", "--threads", "0"], "--threads"),
        (&["localhost", "--movetime", "0"], "--movetime"),
        (&["localhost", "--attempts", "-1"], "-1"),
        (&["localhost", "--record", other], "does not start with a game in PGN and is left unchanged"),
        (&["localhost", "--record", "src"], "is not a regular file"),
        (&["localhost", "--record", "no/such/folder/games.pgn"], "cannot open \"no/such/folder/games.pgn\""),
        (&["localhost", "--protocol-log", "no/such/folder/log"], "cannot write \"no/such/folder/log\""),
        (&["localhost", "--record", "a", "--protocol-log", "a"], "--record and --protocol-log name the same file"),
    ] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_secateurs-kgp"));
        let ran = Client::of(command.args(args).env_remove("KGP_HOST").env_remove("KGP_PORT")).end();
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?}: {}", ran.err);
        assert!(ran.err.contains(named) && !ran.err.contains("panicked"), "{args:?}: {}", ran.err);
    }
    assert_eq!(std::fs::read_to_string(other).unwrap(), "no games");
}
