//! Converts the output of an engine process to reports like those of the built-in search.

use crate::results::UNKNOWN;
use secateurs::core::score::INFINITE;
use secateurs::core::{Bound, Report, Score};
use secateurs::engine::Board;
use secateurs_tools::client::{Answer, Info};
use std::iter;
use std::time::Duration;

/// Converts the report of a line, with the legal part of its variation; `None` without a score.
pub fn report(info: &Info, board: &dyn Board, time: Duration) -> Option<Report> {
    Some(scored(info, info.score?.scaled(), board, time))
}

fn scored(info: &Info, score: Score, board: &dyn Board, time: Duration) -> Report {
    Report {
        depth: within(info.depth),
        seldepth: within(info.seldepth),
        line: info.multipv as usize,
        score,
        window: [-INFINITE, INFINITE],
        bound: info.bound,
        proof: info.proof,
        wdl: info.wdl,
        nodes: info.nodes.unwrap_or(0),
        time: info.time.unwrap_or(time),
        hashfull: info.hashfull.unwrap_or(0),
        pv: legal(board, &info.pv),
        ..Report::default()
    }
}

/// Returns the lines of an answer, at least one; the first begins with the best move and the expected reply.
///
/// # Errors
/// The best move is missing, illegal, or not one of the requested moves.
pub fn lines(answer: &Answer, board: &dyn Board, moves: &[String], most: usize) -> Result<Vec<Report>, String> {
    let Some(best) = &answer.best else {
        return Err(format!("it reported no legal move, but {} is legal", board.moves()[0]));
    };
    let codes = board.codes_of(std::slice::from_ref(best)).map_err(|error| error.to_string())?;
    if !moves.is_empty() && !board.codes_of(moves).is_ok_and(|allowed| allowed.contains(&codes[0])) {
        return Err(format!("it answers with {best}, which is not one of {}", moves.join(", ")));
    }
    let answered: Vec<_> = iter::once(best).chain(&answer.ponder).cloned().collect();
    let answered = legal(board, &answered);
    let lines = answer.lines.iter().filter(|line| line.multipv as usize <= most);
    let mut lines: Vec<_> = lines.filter_map(|line| report(line, board, answer.time)).collect();
    if lines.first().is_none_or(|first| first.line != 1) {
        let silent = Info { bound: Bound::Lower, ..Info::default() };
        lines = vec![scored(&silent, UNKNOWN, board, answer.time)];
    }
    lines[0].time = answer.time;
    if !lines[0].pv.starts_with(&answered) {
        lines[0].pv = answered;
    }
    // Skip lines without a legal move.
    lines.retain(|line| !line.pv.is_empty());
    Ok(lines)
}

/// Returns the moves in the game's own notation, up to the first illegal one.
pub fn legal(board: &dyn Board, moves: &[String]) -> Vec<String> {
    let mut after = board.boxed();
    let before = board.history().len();
    for mv in moves {
        if after.play(mv).is_err() {
            break;
        }
    }
    after.history().split_off(before)
}

fn within(plies: Option<u32>) -> u8 {
    plies.map_or(0, |plies| u8::try_from(plies).unwrap_or(u8::MAX))
}
