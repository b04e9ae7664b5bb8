//! Servers that send what they should not: nothing panics, hangs or is answered without end.

use super::START;
use super::double::{Double, Peer, house};
use std::time::Duration;

/// Checks that the client still plays.
fn plays(peer: &mut Peer, id: u64) {
    peer.send(&format!("{id} state <3,0,0,1,1,1,1,1,1>"));
    let lines = peer.lines_to(&format!("@{id} yield"));
    house(&lines[0], id);
}

#[test]
fn lines_that_are_no_messages_are_passed_over() {
    let double = Double::new();
    let client = double.client(&[]);
    let mut peer = double.welcome();
    let longest = format!("set info:comment \"{}\"", "x".repeat(16_384 - 19));
    let mut bad: Vec<Vec<u8>> = [
        "",
        "   ",
        "\t\r",
        "gibberish",
        "state",
        "@",
        "@@ state",
        "4@ stop",
        "99999999999999999999 ping",
        "set",
        "set info:name",
        "set \"unclosed",
        "set a \"b\\",
        "ok ok ok",
        "pong",
        "move 3",
        "@4 yield",
        "mode freeplay",
        "kgp 1 0 1",
        "kgp 2 0 0",
        "problem <3,0,0,1,1,1,1,1,1> 1",
        "stop",
        "4@5 stop stop",
        "set time:mode <1,2>",
        "set unknown:option 1.5",
        "\u{1f980} ping",
        "PING",
        "pi\u{0}ng",
        &longest,
    ]
    .map(|line| line.as_bytes().to_vec())
    .to_vec();
    bad.push(vec![0xff, 0xfe, b'p', b'i', b'n', b'g']);
    bad.push(b"\x80\x81\x82".to_vec());
    bad.push(vec![b'x'; 16_385]);
    bad.push(vec![b'x'; 100_000]);
    bad.push([b"4 ping ", &vec![b'1'; 1_000_000][..]].concat());
    bad.push([b"state ", &b"<1,".repeat(5_000)[..]].concat());
    bad.push("ö".repeat(16_385).into_bytes());
    for (number, line) in (0..).map(|number| 2 * number).zip(bad) {
        peer.send_bytes(&[&line[..], b"\r\n"].concat());
        // `state` without a board is the only one that is answered.
        if line == b"state" {
            assert!(peer.line().starts_with("error \"a state has one board"));
            assert_eq!(peer.line(), "yield");
        }
        peer.send(&format!("{} ping", 1000 + number));
        let said = peer.line();
        assert_eq!(
            said,
            format!("@{} pong", 1000 + number),
            "{:?}",
            String::from_utf8_lossy(&line[..line.len().min(80)])
        );
    }
    plays(&mut peer, 5000);
    peer.is_silent(5002);
    peer.send("goodbye");
    let ran = client.end();
    assert_eq!((ran.code, ran.err.lines().count()), (Some(0), 1), "{}", ran.err);
    assert!(ran.err.contains("warning: a state has one board"), "{}", ran.err);
}

#[test]
fn states_that_cannot_be_played_are_reported_and_yielded() {
    let double = Double::new();
    let client = double.client(&[]);
    let mut peer = double.welcome();
    let large = format!("<12,0,0{}>", ",13".repeat(24));
    let wide = format!("<13,0,0{}>", ",1".repeat(26));
    let boards = [
        ("<3,0,0,1,1,1,1,1>", "3 houses a side take 9 numbers, not 8"),
        ("<3,0,0,1,1,1,1,1,1,1>", "3 houses a side take 9 numbers, not 10"),
        ("<3>", "take 9 numbers, not 1"),
        ("<0,0,0>", "0 houses a side"),
        (&wide, "13 houses a side; 1 to 12 are possible"),
        (&large, "312 seeds in all; at most 288"),
        ("<3,0,0,1,1,1,1,1,99999999999999999999>", "is no number from 0 to 288"),
        ("<3,9,3,0,0,0,1,1,1>", "there is no move"),
        ("<3,9,3,1,1,1,0,0,0>", "there is no move"),
        ("<3,0,0,0,0,0,0,0,0>", "there is no move"),
    ];
    for (id, (board, reason)) in (1..).map(|number| 2 * number).zip(boards) {
        peer.send(&format!("{id} state {board}"));
        let error = peer.line();
        assert!(error.starts_with(&format!("@{id} error \"")) && error.contains(reason), "{board}: {error}");
        assert_eq!(peer.line(), format!("@{id} yield"));
    }
    for (id, arguments) in [(100, "3"), (102, "\"<3,0,0,1,1,1,1,1,1>\""), (104, "<3,0,0,1,1,1,1,1,1> 2")] {
        peer.send(&format!("{id} state {arguments}"));
        assert_eq!(peer.line(), format!("@{id} error \"a state has one board, <...>\""));
        assert_eq!(peer.line(), format!("@{id} yield"));
    }
    plays(&mut peer, 200);
    peer.send("goodbye");
    let ran = client.end();
    assert_eq!((ran.code, ran.err.matches("warning: ").count()), (Some(0), 13), "{}", ran.err);
}

#[test]
fn errors_of_the_server_are_shown() {
    let double = Double::new();
    let client = double.client(&[]);
    let mut peer = double.welcome();
    peer.send("4@3 error \"No state\\nassociated\"");
    peer.send("6 error 17 x");
    plays(&mut peer, 8);
    peer.send("goodbye");
    let ran = client.end();
    let shown = "warning: the server reports \"No state\\nassociated\"\nwarning: the server reports \"17 x\"\n";
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), shown));
    // Before it plays, an error with goodbye is a refusal: the same would happen again.
    let client = double.client(&[]);
    let mut peer = double.accept();
    peer.send("kgp 1 0 1");
    peer.lines_to("mode freeplay");
    peer.send("error \"Unsupported activity\"");
    peer.send("goodbye");
    let ran = client.end();
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("error: the server refuses this client: \"Unsupported activity\""), "{}", ran.err);
    assert!(double.is_left_alone(Duration::from_millis(1500)));
}

#[test]
fn a_server_of_another_protocol_is_named() {
    for (first, named) in [
        (&b"HTTP/1.1 400 Bad Request\r\n"[..], "HTTP/1.1"),
        (b"220 mail.example ESMTP\r\n", "220 mail.example"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", "SSH-2.0"),
        (b"ping\r\n", "the server begins with \"ping\""),
        (b"kgp\r\n", "\"kgp\" names no version"),
        (b"kgp one\r\n", "\"kgp one\" names no version"),
        (b"kgp 1 0\r\n", "\"kgp 1 0\" names no version"),
        (b"\x15\x03\x01\x00\x02\x02\x0a", "is not the name of a command"),
        (b"\xff\xfd\x18\xff\xfd\x20\r\n", "not UTF-8"),
        (&[b'x'; 100_000], "too long"),
    ] {
        let double = Double::new();
        let client = double.client(&[]);
        let mut peer = double.accept();
        peer.send_bytes(first);
        peer.send_bytes(b"\n");
        let ran = client.end();
        assert_eq!(ran.code, Some(1), "{named}: {}", ran.err);
        let what = "error: the server does not speak the Kalah Game Protocol: ";
        assert!(ran.err.starts_with(what) && ran.err.contains(named), "{named}: {}", ran.err);
        assert!(ran.err.len() < 400 && ran.err.lines().count() == 1, "{}", ran.err);
    }
}

/// A server that sends more than a client can do.
#[test]
fn floods_are_answered_in_bounds() {
    let double = Double::new();
    let client = double.client(&["--depth", "3"]);
    let mut peer = double.welcome();
    let pings: String = (0..5_000).map(|number| format!("{} ping\r\n", 2 * number + 10)).collect();
    peer.send_bytes(pings.as_bytes());
    for number in 0..5_000 {
        assert_eq!(peer.line(), format!("@{} pong", 2 * number + 10));
    }
    let states: String = (0..500).map(|number| format!("{} state {START}\r\n", 2 * number + 20_000)).collect();
    peer.send_bytes(states.as_bytes());
    let mut yielded = 0;
    while yielded < 500 {
        yielded += usize::from(peer.line().ends_with(" yield"));
    }
    peer.send_bytes("error \"x\"\r\n".repeat(5_000).as_bytes());
    peer.is_silent(40_000);
    peer.send("goodbye");
    let ran = client.end();
    assert!(ran.code == Some(0) && ran.out.ends_with("500 answers\n"), "{ran:?}");
    assert_eq!(ran.err.lines().count(), 101);
}
