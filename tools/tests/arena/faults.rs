//! Faults of the engines, and time.

use super::{ENGINE, nodes, ours, play, script, tournament};
use secateurs::core::StopFlag;
use secateurs::protocol::command::Dialect;
use secateurs::registry::Setup;
use secateurs_tools::arena::clock::Control;
use secateurs_tools::arena::openings::Source;
use secateurs_tools::arena::record::{Ending, Winner};
use secateurs_tools::arena::{Contestant, Stopped};
use secateurs_tools::client::{GameSpec, Spec};
use std::time::Duration;

#[test]
fn every_fault_is_reported_and_loses_the_game() {
    let timed = Control { movetime: Some(Duration::from_millis(50)), ..Control::default() };
    for (go, control, ending, detail) in [
        ("echo bestmove 9", nodes(1), Ending::IllegalMove, "\"9\" in \"<4,"),
        ("echo bestmove '(none)'", nodes(1), Ending::WrongClaim, "no legal move, but"),
        ("echo bestmove", nodes(1), Ending::Disconnection, "names no move"),
        ("exit 3", nodes(1), Ending::Crash, "3"),
        ("kill -9 $$", nodes(1), Ending::Crash, "9"),
        ("exec 1>&-", nodes(1), Ending::Disconnection, "closed its output"),
        ("true", nodes(1), Ending::Hang, "no bestmove"),
        ("printf 'bestmove 1'", nodes(1), Ending::Hang, "the last line of its output has no end: \"bestmove 1\""),
        ("sleep 0.2; echo bestmove 1", timed, Ending::Time, "50ms left"),
    ] {
        let tournament = tournament(vec![ours("good", 50), script("bad", go, control)], 2);
        let (records, standings) = play(&tournament);
        assert_eq!(records.len(), 4, "{go}");
        for record in &records {
            assert_eq!(record.ending, ending, "{go}: {record:?}");
            assert!(record.detail.contains(detail), "{go}: {}", record.detail);
            let winner = if record.players[0] == "good" { Winner::First } else { Winner::Second };
            assert_eq!(record.result, winner, "{go}");
        }
        assert_eq!((standings.faults(1, ending), standings.faults(0, ending)), (4, 0), "{go}");
    }
}

#[test]
fn an_engine_that_cannot_be_started_ends_the_match() {
    let spec = Spec { name: "nobody".into(), ..Spec::new(Dialect::Ugi, "./no-such-engine") };
    let nobody = Contestant::new(spec, nodes(1));
    let tournament = tournament(vec![ours("a", 1), nobody], 1);
    let stopped = tournament.play(None, &[], &StopFlag::new(), &mut |_, _| {}).unwrap_err();
    assert!(
        matches!(&stopped.why, Stopped::Engine(name, why) if name == "nobody" && why.contains("no-such-engine")),
        "{stopped}"
    );
}

/// A loss on time reports the clock, the last output of the engine and the load of the machine.
#[test]
fn a_loss_on_time_reports_clock_output_and_load() {
    let timed = Control { movetime: Some(Duration::from_millis(50)), ..Control::default() };
    let dialogue = "echo info depth 3 score cp 5 nodes 7; sleep 0.3; echo bestmove 1";
    let (records, _) = play(&tournament(vec![ours("good", 50), script("slow", dialogue, timed.clone())], 1));
    for record in records {
        assert_eq!(record.ending, Ending::Time);
        for part in [
            "ms for a move, 50ms left and 20ms of margin; its last output after ",
            "\"info depth 3 score cp 5 nodes 7\"; load ",
            " on ",
            "; the longest stall of the referee itself: ",
        ] {
            assert!(record.detail.contains(part), "{part} in {}", record.detail);
        }
    }
    let mut hangs = tournament(vec![ours("good", 50), script("hangs", "echo info string so far; sleep 5", timed)], 1);
    hangs.timeouts.hang = Duration::from_millis(200);
    for record in play(&hangs).0 {
        assert!(record.detail.starts_with("no bestmove 200ms after stop; its last output after "), "{}", record.detail);
        assert!(record.detail.contains("\"info string so far\"; load "), "{}", record.detail);
    }
}

/// An engine's own margin replaces that of the match.
#[test]
fn an_engine_margin_replaces_that_of_the_match() {
    let timed = |margin| Control { movetime: Some(Duration::from_millis(20)), margin, ..Control::default() };
    let slow = |margin| script("slow", "sleep 0.1; echo bestmove 9", timed(margin));
    let ended = |contestant, of_match| {
        let mut tournament = tournament(vec![contestant, ours("good", 50)], 1);
        tournament.timeouts.margin = of_match;
        let (records, _) = play(&tournament);
        records.iter().map(|record| record.ending).collect::<Vec<_>>()
    };
    let (short, long) = (Duration::ZERO, Duration::from_secs(60));
    assert_eq!(ended(slow(None), short), [Ending::Time; 2]);
    assert_eq!(ended(slow(Some(long)), short), [Ending::IllegalMove; 2], "its margin is longer");
    assert_eq!(ended(slow(None), long), [Ending::IllegalMove; 2]);
    assert_eq!(ended(slow(Some(short)), long), [Ending::Time; 2], "its margin is shorter");
}

/// A mover's clock runs for all moves of its turn.
#[test]
fn extra_turns_run_on_the_clock_of_the_mover() {
    let clock = |base: &str| Control { clock: Some(base.parse().unwrap()), ..Control::default() };
    let slow = script("slow", "sleep 0.05; echo bestmove 1", clock("60"));
    let mut tournament = tournament(vec![slow, ours("quick", 5)], 1);
    // House 1 of four holds four seeds: the last one falls into the store, and house 1 is empty.
    tournament.openings = Source::Lines {
        openings: secateurs_tools::arena::openings::read(&tournament.setup, "<4,0,0,4,2,2,2,3,3,3,3> s").unwrap(),
        shuffled: false,
        start: 1,
    };
    let (records, _) = play(&tournament);
    assert_eq!(records[0].ending, Ending::IllegalMove);
    assert_eq!(records[0].moves.len(), 2, "the same engine plays the extra turn");
    assert_eq!(records[0].result, Winner::Second);
}

/// An engine may answer in any notation that the game reads; the opponent and the record get the game's own.
#[test]
fn moves_are_passed_on_in_the_notation_of_the_game() {
    let mut reply = Spec::new(Dialect::Ugi, ENGINE);
    reply.name = "quick".into();
    reply.game = Some(GameSpec { variant: "chess".into(), options: Vec::new() });
    let mut tournament =
        tournament(vec![script("san", "echo bestmove Nf3", nodes(1)), Contestant::new(reply, nodes(3))], 1);
    tournament.setup = Setup::new(secateurs::registry::find("chess").unwrap());
    tournament.openings = Source::Lines {
        openings: secateurs_tools::arena::openings::read(&tournament.setup, "startpos").unwrap(),
        shuffled: false,
        start: 1,
    };
    let (records, _) = play(&tournament);
    let moves: Vec<_> = records[0].moves.iter().map(|mv| mv.mv.as_str()).collect();
    assert_eq!((moves[0], moves[2]), ("g1f3", "Nf3"), "the second one is illegal");
    assert_eq!((records[0].ending, records[0].result), (Ending::IllegalMove, Winner::Second));
}
