//! The output of an engine process as reports of our own search.

use super::uci_session::Trouble;
use crate::client::{Answer, Info};
use crate::core::Report;
use crate::core::score::INFINITE;
use crate::engine::Board;
use std::time::Duration;

/// What it says of a line; `None` where it names no score. Of its variation as much as is legal.
pub fn report(info: &Info, board: &dyn Board, time: Duration) -> Option<Report> {
    let score = info.score?.scaled();
    Some(Report {
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
        fails_low: 0,
        fails_high: 0,
        pv: legal(board, &info.pv),
        ties: Vec::new(),
        tie_proofs: Vec::new(),
    })
}

/// The lines of an answer, the best one first, which begins with the move that it names; never none.
///
/// # Errors
/// The move is not legal, there is none, or it is none of the moves that were asked for.
pub fn lines(answer: &Answer, board: &dyn Board, moves: &[String], most: usize) -> Result<Vec<Report>, Trouble> {
    let Some(best) = &answer.best else {
        return Err(Trouble::Engine(format!("it says that there is no move, where {} is one", board.moves()[0])));
    };
    let codes = board.codes_of(std::slice::from_ref(best)).map_err(|error| Trouble::Engine(error.to_string()))?;
    if !moves.is_empty() && !board.codes_of(moves).is_ok_and(|asked| asked.contains(&codes[0])) {
        return Err(Trouble::Engine(format!("it answers with {best}, and was asked for {}", moves.join(", "))));
    }
    let best = legal(board, std::slice::from_ref(best));
    let lines = answer.lines.iter().filter(|line| line.multipv as usize <= most);
    let mut lines: Vec<_> = lines.filter_map(|line| report(line, board, answer.time)).collect();
    if lines.first().is_none_or(|first| first.line != 1) {
        // It plays without a word.
        let silent = Info { score: Some(crate::client::Score::Cp(0)), ..Info::default() };
        lines.splice(.., report(&silent, board, answer.time));
    }
    lines[0].time = answer.time;
    if lines[0].pv.first() != best.first() {
        lines[0].pv = best;
    }
    // A line without a move is none.
    lines.retain(|line| !line.pv.is_empty());
    Ok(lines)
}

/// The moves in the game's own notation, up to the first that is not legal.
fn legal(board: &dyn Board, moves: &[String]) -> Vec<String> {
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
