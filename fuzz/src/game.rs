//! The fuzz target of a game's parsers of options, positions and moves, and of its boards.

use super::presentable;
use secateurs::core::{Limits, Options, Progress, Report, Request, Score, StopFlag, score};
use secateurs::engine::Board;
use secateurs::registry::{self, GameRow};
use secateurs::search::Table;
use std::collections::HashSet;
use std::sync::Arc;

/// The node limit of a search.
const NODES: u64 = 50;

/// In a position with more moves only a part of them is played.
const MOVES: usize = 16;

/// Parses the data as a line of options (`Houses=3;Seeds=4`), a line with a position, and moves.
pub fn check(game: &str, data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut lines = text.splitn(3, '\n');
    let mut next = || lines.next().unwrap_or_default();
    let row = registry::find(game).expect("a game of the registry");
    let options = options(row, next());
    match row.parse(&options, next()) {
        Ok(mut board) => {
            play(board.as_mut(), next());
            check_game(row, &options, board.as_ref());
            search(board.as_ref());
        }
        Err(error) => presentable(&error),
    }
}

/// Returns the options, set one by one as a match manager does.
fn options(row: &GameRow, text: &str) -> Options {
    let mut options = row.defaults();
    for option in text.split(';').filter(|option| !option.is_empty()) {
        let before = options.clone();
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        if let Err(error) = row.set(&mut options, name, value) {
            presentable(&error);
            assert_eq!(options, before, "a refusal changes nothing");
        }
    }
    if let Err(error) = row.start(&options) {
        presentable(&error);
    }
    options
}

/// Plays the legal moves; any other text must be refused and change nothing.
fn play(board: &mut dyn Board, moves: &str) {
    let mut played = Vec::new();
    for mv in moves.split_whitespace() {
        let legal = board.moves();
        let before = (board.text(), board.key());
        match board.play(mv) {
            Ok(()) => {
                // A game may accept more notations than it writes.
                let last = board.history().pop().expect("a move was played");
                assert!(
                    legal.contains(&last) && (last == mv || legal.iter().all(|legal| legal != mv)),
                    "{mv} in {before:?}"
                );
                played.push(last);
            }
            Err(error) => {
                assert!(legal.iter().all(|legal| legal != mv), "{mv} in {before:?}");
                presentable(&error);
                assert_eq!(before, (board.text(), board.key()), "a refusal changes nothing");
            }
        }
    }
    assert_eq!(board.history(), played);
}

/// Checks a board against its own text, moves, perft and evaluation.
fn check_game(row: &GameRow, options: &Options, board: &dyn Board) {
    let text = board.text();
    let again = row.parse(options, &text).expect("what is written can be read");
    assert_eq!((again.text(), again.key(), again.turn()), (text, board.key(), board.turn()));
    let drawing = board.draw();
    assert!(drawing.ends_with('\n') && drawing.lines().all(|line| !line.contains(char::is_control)), "{drawing:?}");

    let (moves, codes) = (board.moves(), board.codes());
    assert_eq!(again.moves(), moves);
    assert_eq!((moves.len(), moves.len()), (distinct(&moves), distinct(&codes)));
    assert_eq!(board.outcome().is_some(), moves.is_empty());
    assert!(moves.iter().all(|mv| !mv.is_empty() && !mv.contains(char::is_whitespace)), "{moves:?}");
    for mv in moves.iter().step_by(1 + moves.len() / MOVES) {
        let mut after = board.boxed();
        after.play(mv).expect("what is listed is legal");
        assert_eq!(after.history().last(), Some(mv));
    }

    let stop = StopFlag::new();
    assert_eq!((board.perft(0, &stop), board.perft(1, &stop)), (Some(1), Some(moves.len() as u64)));
    let mut divided = Vec::new();
    assert_eq!(board.divide(1, &stop, &mut |mv, _| divided.push(mv.to_owned())), Some(moves.len() as u64));
    assert_eq!(divided, moves);

    let evaluated = board.static_evaluation();
    assert!(evaluated.bounds.lower <= evaluated.bounds.upper, "{evaluated:?}");
    assert!(evaluated.evaluation.abs() <= score::MAX_EVALUATION, "{evaluated:?}");
    assert_eq!(evaluated.evaluation, board.explain().iter().map(|&(_, value)| value).sum::<Score>());
}

fn distinct<T: Eq + std::hash::Hash>(list: &[T]) -> usize {
    list.iter().collect::<HashSet<_>>().len()
}

/// Searches twice; the second search uses the table that the first one filled.
fn search(board: &dyn Board) {
    let table = Arc::new(Table::new(1).expect("memory for a small table"));
    let request = Request::new(Limits { nodes: Some(NODES), ..Limits::default() });
    for _ in 0..2 {
        let mut engine = board.engine(Arc::clone(&table));
        let lines = engine.search(&request, &StopFlag::new(), &mut |event| {
            if let Progress::Line(report) = event {
                line(board, report);
            }
        });
        line(board, &lines[0]);
    }
}

/// Checks that a report keeps its limits and that every move of its line is legal.
fn line(board: &dyn Board, report: &Report) {
    assert!(report.nodes <= NODES, "{report:?}");
    assert_eq!(report.pv.is_empty(), board.moves().is_empty(), "{report:?}");
    assert_eq!(board.static_evaluation().bounds.hold(report.score), report.score, "{report:?}");
    let mut board = board.boxed();
    for mv in &report.pv {
        board.play(mv).expect("the line is legal");
    }
}
