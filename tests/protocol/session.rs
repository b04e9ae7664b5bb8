//! A session: the game of its dialect, and what a long line costs.

use secateurs::core::{ClockLimits, Error, Limits, Request};
use secateurs::protocol::command::Dialect;
use secateurs::protocol::options::VARIANT;
use secateurs::protocol::session::Session;
use secateurs::registry::STARTPOS;
use std::time::{Duration, Instant};

fn nim_with_many_moves(most: u8) -> Session {
    let heaps = vec!["199"; 16].join(",");
    let option = |name: &str, value: String| (name.to_owned(), value);
    let options = [option("Hash", "1".into()), option("Heaps", heaps), option("MaxTake", most.to_string())];
    Session::new(Some("nim"), &options).unwrap()
}

/// Legal with `MaxTake` 1, too.
fn a_long_line() -> Vec<String> {
    (0..2000).map(|ply| format!("{}-1", 16 - ply % 16)).collect()
}

#[test]
fn the_handshake_selects_the_game_of_its_dialect_unless_one_is_chosen() {
    let hash = [("Hash".to_owned(), "1".to_owned())];
    let session = |game| Session::new(game, &hash).unwrap();
    let game = |session: &mut Session, dialect| {
        let lines = session.handshake(dialect).unwrap();
        let line = lines.iter().find(|line| line.contains(VARIANT)).unwrap();
        assert!(line.contains(&format!("default {} ", session.board().unwrap().game())), "{line}");
        session.board().unwrap().game()
    };
    let mut open = session(None);
    assert_eq!(open.board().unwrap().game(), "kalah");
    open.set_option("Heaps", Some("1,2")).unwrap();
    assert_eq!(game(&mut open, Dialect::Uci), "chess");
    assert_eq!(game(&mut open, Dialect::Ugi), "kalah");
    open.set_position(STARTPOS, "").unwrap();
    assert_eq!(game(&mut open, Dialect::Uci), "kalah", "a position has been set up");
    let mut named = session(None);
    named.set_option(VARIANT, Some("nim")).unwrap();
    for session in [&mut named, &mut session(Some("nim"))] {
        assert_eq!(game(session, Dialect::Uci), "nim");
        assert_eq!(game(session, Dialect::Ugi), "nim");
    }
    assert_eq!(game(&mut session(Some("kalah")), Dialect::Uci), "kalah");
}

#[test]
fn a_long_line_costs_no_more_where_there_are_thousands_of_moves() {
    let moves = a_long_line().join(" ");
    let cost = |most| {
        let times = (0..5).map(|_| {
            let mut session = nim_with_many_moves(most);
            let begin = Instant::now();
            session.set_position(STARTPOS, &moves).unwrap();
            begin.elapsed()
        });
        times.min().unwrap()
    };
    let (few, many) = (cost(1), cost(255));
    assert!(many < 10 * few, "{many:?} with 4,080 legal moves, {few:?} with 16");
}

#[test]
fn a_longer_line_costs_its_new_moves_alone() {
    let moves = a_long_line().join(" ");
    let longer = format!("{moves} 1-1");
    let costs = (0..5).map(|_| {
        let mut session = nim_with_many_moves(255);
        [(&moves, 2000), (&longer, 2001)].map(|(moves, length)| {
            let begin = Instant::now();
            session.set_position(STARTPOS, moves).unwrap();
            let cost = begin.elapsed();
            assert_eq!(session.board().unwrap().history().len(), length);
            cost
        })
    });
    // The shortest of five times: the machine may be busy.
    let [first, second] = costs.reduce(|[a, b], [c, d]| [a.min(c), b.min(d)]).unwrap();
    assert!(second * 5 < first, "{first:?}, then {second:?}");
}

#[test]
fn played_moves_are_reused_only_where_the_line_continues() {
    let option = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let mut session = Session::new(Some("nim"), &[option("Hash", "1"), option("Heaps", "20,20")]).unwrap();
    let text = |session: &Session| session.board().unwrap().text();
    session.set_position(STARTPOS, "1-1 2-1").unwrap();
    // A token that merely begins with the last move is another move.
    session.set_position(STARTPOS, "1-1 2-11").unwrap();
    assert_eq!(text(&session), "19,9 1");
    assert!(session.set_position(STARTPOS, "1-1 2-11 1-5 1-99").is_err());
    assert_eq!(session.board().err(), Some(Error::NoPosition));
    session.set_position(STARTPOS, "1-1 2-11  1-5").unwrap();
    assert_eq!(text(&session), "14,9 2");
    session.set_position("20,19", "1-1 2-11 1-5 1-1").unwrap();
    assert_eq!(text(&session), "13,8 1");
    session.set_position(STARTPOS, "").unwrap();
    session.set_option("Heaps", Some("7,8")).unwrap();
    session.set_position(STARTPOS, "1-1").unwrap();
    assert_eq!(text(&session), "6,8 2");
}

#[test]
fn a_search_on_a_clock_does_not_wait_for_the_book() {
    let mut session = Session::new(Some("connect4"), &[("Hash".into(), "1".into())]).unwrap();
    // Its book takes a fraction of a second to read.
    session.set_option("OwnBook", Some("true")).unwrap();
    let timed = Request::new(Limits { movetime: Some(Duration::from_millis(50)), ..Limits::default() });
    let clock = Request::new(Limits { clock: Some(ClockLimits::default()), ..Limits::default() });
    assert!(!session.is_ready());
    assert_eq!((session.by_the_book(&timed), session.by_the_book(&clock)), (None, None));
    let report = session.by_the_book(&Request::depth(3)).unwrap();
    assert_eq!(session.by_the_book(&timed).unwrap().pv, report.pv);
}
