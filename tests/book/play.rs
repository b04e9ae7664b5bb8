//! Play by the book, with and without the protocol.

use super::{books, start};
use crate::common::Random;
use secateurs::book::Book;
use secateurs::core::solution::SolveRequest;
use secateurs::core::{Limits, Proof, Request, Score, StopFlag, Ties, score};
use secateurs::protocol::{Settings, serve};
use secateurs::search::Table;
use std::sync::Arc;

#[test]
fn playing_by_the_book_stays_in_it_and_keeps_the_value() {
    let mut random = Random(3);
    for (row, contents) in books() {
        let book = Book::built_in(row).unwrap();
        let plies = contents.plies(&*contents.start().unwrap()).unwrap();
        assert!(plies >= 1);
        for game in 0..40 {
            let mut board = contents.start().unwrap();
            let (first, side) = (book.report(&*board, Ties::First).unwrap(), game % 2);
            let mut at_least = if side == 0 { first.score } else { -first.score };
            // The last ply is left out: a book that ended early may lack a part of it.
            for ply in 0..plies {
                if board.outcome().is_some() {
                    break;
                }
                let report = book.report(&*board, Ties::Random(game as u64)).unwrap();
                let mine = board.turn().index() == side;
                let value = score::from_node(if mine { report.score } else { -report.score }, ply as Score);
                assert!(value >= at_least, "{}", board.text());
                at_least = value;
                assert!(report.proof == Proof::EXACT && report.ties.contains(&report.pv[0]));
                let moves = board.moves();
                let mv = if mine { report.pv[0].clone() } else { random.pick(&moves).clone() };
                board.play(&mv).unwrap();
            }
        }
    }
}

/// Returns the replies to a script.
fn said(script: &'static str) -> Vec<String> {
    let mut out = Vec::new();
    serve(&Settings::default(), script.as_bytes(), &mut out).unwrap();
    String::from_utf8(out).unwrap().lines().map(ToOwned::to_owned).collect()
}

#[test]
fn a_dialogue_uses_the_book_with_own_book() {
    const ON: &str = "setoption name Seeds value 3\nposition startpos\nsetoption name OwnBook value true\n";
    let by_the_book = |rest: &str| {
        let lines = said(Box::leak(format!("{ON}{rest}").into_boxed_str()));
        let last = lines.last().unwrap();
        assert!(last.starts_with("bestmove ") && lines.len() >= 2, "{rest}: {lines:?}");
        lines.iter().any(|line| line.contains(" proven exact nodes 0 "))
    };
    for go in [
        "go depth 3",
        "isready\ngo movetime 50",
        "isready\ngo wtime 1000 btime 1000",
        "go nodes 5",
        "go ponder depth 3\nponderhit",
        "go mate 1",
    ] {
        assert!(by_the_book(go), "{go}");
    }
    for go in [
        "go depth 3 searchmoves 5",
        "go infinite\nstop",
        "go infinite depth 3\nstop",
        "setoption name MultiPV value 2\ngo depth 3",
        "setoption name RandomMoves value 1000\ngo depth 3",
        "setoption name OwnBook value false\ngo depth 3",
        "position <6,0,0,3,3,3,3,3,3,3,3,3,3,3,4> s\ngo depth 3",
        "setoption name UCI_Variant value nim\ngo depth 3",
    ] {
        assert!(!by_the_book(go), "{go}");
    }
    assert!(by_the_book(
        "setoption name UCI_Variant value nim\nsetoption name UCI_Variant value kalah\nposition startpos\ngo depth 3"
    ));
    for (game, moves) in [("connect4", "4 4"), ("cfour", "P@d1 P@d2")] {
        let board = format!("setoption name UCI_Variant value {game}\nposition startpos moves {moves}\n");
        assert!(by_the_book(&format!("{board}go depth 3")), "{game}");
    }
    let lines = said(
        "setoption name Seeds value 3\nposition startpos moves 1\nsetoption name OwnBook value true\nsetoption name EqualMoves value true\nsetoption name UCI_ShowWDL value true\ngo depth 1\n",
    );
    assert!(lines[0].contains("score cp 1400 wdl 1000 0 0 proven exact"), "{lines:?}");
    assert!(lines[1].starts_with("info string equal ") && lines[2].starts_with("bestmove "), "{lines:?}");
}

#[test]
fn searches_outside_the_protocol_and_solve_do_not_probe_the_book() {
    let board = start(&[("Seeds", "3")]);
    let table = Arc::new(Table::new(1).unwrap());
    let lines = board.engine(table.clone()).search(&Request::depth(2), &StopFlag::new(), &mut |_| {});
    assert!(lines[0].nodes > 0 && !lines[0].proof.exact());
    let task = SolveRequest { limits: Limits { nodes: Some(1_000), ..Limits::default() }, ..SolveRequest::default() };
    let found = board.engine(table).solve(&task, &StopFlag::new(), &mut |_| {});
    assert!(found.nodes > 0 && !found.is_solved());
    let lines =
        said("setoption name Seeds value 3\nposition startpos\nsetoption name OwnBook value true\nsolve nodes 50\n");
    assert!(lines.last().unwrap().starts_with("solved value none "), "{lines:?}");
}
