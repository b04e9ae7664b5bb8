#![allow(clippy::unwrap_used, clippy::panic, reason = "all of it is tests")]

use super::super::settings::{Identity, Settings};
use super::*;
use secateurs::registry::{GAMES, Setup};
use secateurs::search::Table;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

const SMALL: &str = "<3,0,0,1,1,1,1,1,1>";

fn settings() -> Settings {
    Settings {
        address: "localhost".parse().unwrap(),
        identity: Identity { name: Some("me".into()), ..Identity::default() },
        comments: false,
        setup: Setup::new(&GAMES[0]),
        table: Arc::new(Table::new(1).unwrap()),
        threads: 2,
        limits: Limits::depth(2),
        attempts: None,
        log: None,
    }
}

fn receive(session: &mut Session<'_>, text: &str) -> Flow {
    session.receive(Line::Whole(text.into()), Instant::now())
}

fn sent(session: &mut Session<'_>) -> Vec<String> {
    session.take().0.iter().map(ToString::to_string).collect()
}

/// Returns a session that the server has greeted.
fn greeted(settings: &Settings) -> (Session<'_>, Receiver<Event>) {
    let (events, received) = sync_channel(16);
    let mut session = Session::new(settings, events, 0);
    assert_eq!(receive(&mut session, "kgp 1 0 1"), Flow::On);
    assert_eq!(sent(&mut session), ["set info:name \"me\"", "mode freeplay"]);
    (session, received)
}

/// Handles events until all searches are answered, and returns what is sent.
fn answers(session: &mut Session<'_>, events: &Receiver<Event>) -> Vec<String> {
    let mut messages = Vec::new();
    while !(session.searches.is_empty() && session.waiting.is_empty()) {
        match events.recv_timeout(Duration::from_millis(5)) {
            Ok(Event::Found(number, report)) => session.found(number, *report),
            Ok(Event::Done(number, report)) => session.done(number, *report),
            _ => {}
        }
        session.on_time(Instant::now());
        messages.extend(sent(session));
    }
    messages
}

#[test]
fn a_state_is_answered_by_moves_and_yield() {
    let settings = settings();
    let (mut session, events) = greeted(&settings);
    assert_eq!(receive(&mut session, &format!("4 state {SMALL}")), Flow::On);
    let messages = answers(&mut session, &events);
    assert!(messages.len() >= 2 && messages[..messages.len() - 1].iter().all(|line| line.starts_with("@4 move ")));
    assert_eq!(messages[messages.len() - 1], "@4 yield");
    // Later reports of a stopped search are ignored.
    receive(&mut session, &format!("6 state {SMALL}"));
    receive(&mut session, "8@6 stop");
    for _ in 0..20 {
        match events.recv_timeout(Duration::from_millis(10)) {
            Ok(Event::Found(number, report)) => session.found(number, *report),
            Ok(Event::Done(number, report)) => session.done(number, *report),
            _ => {}
        }
        session.on_time(Instant::now());
    }
    assert_eq!((sent(&mut session), session.due()), (Vec::<String>::new(), None));
}

#[test]
fn states_wait_in_order_and_in_bounds() {
    let settings = settings();
    let (mut session, events) = greeted(&settings);
    let most = MOST + MOST_WAITING;
    for id in 0..most {
        receive(&mut session, &format!("{id} state {SMALL}"));
    }
    assert_eq!((session.searches.len(), session.waiting.len()), (MOST, MOST_WAITING));
    assert!(sent(&mut session).is_empty());
    receive(&mut session, &format!("5000 state {SMALL}"));
    let refused = sent(&mut session);
    assert!(refused[0].starts_with("@5000 error \"more than 1016 states at a time"), "{refused:?}");
    assert_eq!(refused[1..], ["@5000 yield"]);
    // Stop the rest to keep the test short.
    for id in 40..most {
        receive(&mut session, &format!("6000@{id} stop"));
    }
    let yields = answers(&mut session, &events).iter().filter(|line| line.ends_with(" yield")).count();
    assert_eq!(yields, 40);
}

#[test]
fn a_state_with_a_move_is_answered_when_the_connection_ends() {
    let settings = Settings { limits: Limits::default(), ..settings() };
    let (mut session, events) = greeted(&settings);
    receive(&mut session, "4 state <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>");
    while sent(&mut session).is_empty() {
        if let Ok(Event::Found(number, report)) = events.recv_timeout(Duration::from_millis(5)) {
            session.found(number, *report);
        }
        session.on_time(Instant::now());
    }
    receive(&mut session, "6 state <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>");
    session.take();
    session.end_all(Instant::now());
    let notices = session.take().1;
    assert!(matches!(&notices[..], [Notice::Answered { id: Some(4), report: Some(_), .. }]), "{notices:?}");
}

#[test]
fn games_are_named_by_the_server() {
    let settings = settings();
    let (mut session, _events) = greeted(&settings);
    for line in ["set game:id \"a\"", "set game:opponent \"b\"", "set game:uri \"c\"", &format!("4 state {SMALL}")] {
        receive(&mut session, line);
    }
    for line in ["set game:id \"\"", "set game:opponent 7", "set game:uri \"\"", &format!("6 state {SMALL}")] {
        receive(&mut session, line);
    }
    let games: Vec<_> = session
        .take()
        .1
        .into_iter()
        .filter_map(|notice| match notice {
            Notice::State { game, board, .. } => Some((game, board)),
            _ => None,
        })
        .collect();
    let tag = |id: Option<&str>, opponent: &str, uri: Option<&str>| GameTag {
        id: id.map(Into::into),
        uri: uri.map(Into::into),
        opponent: Some(opponent.into()),
    };
    let board = format!("{SMALL} s");
    assert_eq!(games, [(tag(Some("a"), "b", Some("c")), board.clone()), (tag(None, "7", None), board)]);
    session.end_all(Instant::now());
}

#[test]
fn the_end_is_goodbye_or_a_refusal() {
    let settings = settings();
    let (mut session, _events) = greeted(&settings);
    assert_eq!(receive(&mut session, "8 goodbye"), Flow::Goodbye);
    let (mut session, _events) = greeted(&settings);
    assert_eq!(receive(&mut session, "error \"no\""), Flow::On);
    assert!(matches!(receive(&mut session, "goodbye"), Flow::Impossible(reason) if reason.ends_with("client: \"no\"")));
    let (mut session, _events) = greeted(&settings);
    for line in ["ok", "error \"no\""] {
        assert_eq!(receive(&mut session, line), Flow::On);
    }
    assert_eq!(receive(&mut session, "goodbye"), Flow::Goodbye);
    let (events, _received) = sync_channel(1);
    let mut session = Session::new(&settings, events, 0);
    assert_eq!(receive(&mut session, " "), Flow::On);
    assert!(matches!(receive(&mut session, "kgp 3 0 0"), Flow::Impossible(reason) if reason.contains("3.0.0")));
    assert!(sent(&mut session)[0].starts_with("error \"unsupported version 3.0.0"));
}

#[test]
fn nothing_is_answered_without_end() {
    let settings = settings();
    let (mut session, _events) = greeted(&settings);
    for line in ["error \"x\"", "ok", "pong", "yield", "goodday", "set a b", "stop", "1@2 stop", "kgp 1 0 1", "\"", "@"]
    {
        assert_eq!(receive(&mut session, line), Flow::On);
    }
    for line in [Line::Bad(Quoted::new("x"), "not UTF-8"), Line::too_long(b"x")] {
        assert_eq!(session.receive(line, Instant::now()), Flow::On);
    }
    assert!(sent(&mut session).is_empty());
    receive(&mut session, "ping");
    receive(&mut session, "7 ping 3");
    assert_eq!(sent(&mut session), ["pong", "@7 pong"]);
}
