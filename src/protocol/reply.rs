//! From reports, options and boards to lines.

use crate::core::report::{Bound, Report};
use crate::core::score::{self, Score};
use crate::core::{OptionKind, OptionRow, Outcome, Side};
use crate::engine::Board;
use std::fmt::Write;

/// `info depth ... pv ...`, one line.
#[must_use]
pub fn info(report: &Report) -> String {
    let bound = match report.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let mut line = format!(
        "info depth {} score {}{bound} nodes {} nps {} hashfull {} time {}",
        report.depth,
        score(report.score),
        report.nodes,
        report.nps(),
        report.hashfull,
        report.time.as_millis(),
    );
    if !report.pv.is_empty() {
        line.push_str(" pv ");
        line.push_str(&report.pv.join(" "));
    }
    line
}

/// `cp N` in centi-units, or `mate N` in full moves.
#[must_use]
pub fn score(value: Score) -> String {
    score::mate(value).map_or_else(|| format!("cp {value}"), |moves| format!("mate {moves}"))
}

/// `bestmove M`, or `bestmove (none)` where there is no legal move.
#[must_use]
pub fn best_move(report: &Report) -> String {
    format!("bestmove {}", report.best().map_or("(none)", String::as_str))
}

/// `info string ...`, one line whatever the text.
#[must_use]
pub fn remark(text: &str) -> String {
    format!("info string {text}")
}

/// The answer to `isready`.
pub const READY: &str = "readyok";

/// `option name ... type ...`.
#[must_use]
pub fn option(row: &OptionRow) -> String {
    let name = row.name;
    match row.kind {
        OptionKind::Check { default } => format!("option name {name} type check default {default}"),
        OptionKind::Spin { default, min, max } => {
            format!("option name {name} type spin default {default} min {min} max {max}")
        }
        OptionKind::Combo { default, choices } => {
            let choices: String = choices.iter().map(|choice| format!(" var {choice}")).collect();
            format!("option name {name} type combo default {default}{choices}")
        }
        OptionKind::Text { default } => {
            format!("option name {name} type string default {}", if default.is_empty() { "<empty>" } else { default })
        }
    }
}

/// The answer to `query result`.
#[must_use]
pub fn result(board: &dyn Board) -> &'static str {
    let Some(outcome) = board.outcome() else { return "none" };
    let outcome = if board.turn() == Side::First { outcome } else { outcome.reversed() };
    match outcome {
        Outcome::Win | Outcome::Margin(1..) => "p1win",
        Outcome::Loss | Outcome::Margin(..=-1) => "p2win",
        Outcome::Draw | Outcome::Margin(0) => "draw",
    }
}

/// The board, its text, its key, and the result of a finished game; lines without the last line's end.
#[must_use]
pub fn board(board: &dyn Board) -> String {
    let mut text = board.draw();
    let _ = write!(text, "position {}\nkey {:016x}", board.text(), board.key());
    if let Some(outcome) = board.outcome() {
        let margin = match outcome {
            Outcome::Margin(units) => format!(", the side to move {units:+}"),
            _ => String::new(),
        };
        let _ = write!(text, "\nresult {}{margin}", result(board));
    }
    text
}

/// The evaluation by term, units for the side to move.
#[must_use]
pub fn evaluation(board: &dyn Board) -> String {
    let terms = board.explain();
    let total = terms.iter().map(|&(_, value)| value).sum();
    let rows = terms.into_iter().chain([("total", total)]);
    rows.map(|(name, value): (_, Score)| format!("{name:<12} {:>+8.2}", f64::from(value) / f64::from(score::UNIT)))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Perft divided by first move, and the sum.
#[must_use]
pub fn perft(divided: &[(String, u64)], depth: u8) -> String {
    let mut text: String = divided.iter().map(|(mv, count)| format!("{mv}: {count}\n")).collect();
    let total = if depth == 0 { 1 } else { divided.iter().map(|&(_, count)| count).sum::<u64>() };
    let _ = write!(text, "\nperft {depth}: {total}");
    text
}

/// What can be typed.
pub const HELP: &str = "\
position startpos [moves M ...]   set up the game's start, then play moves
position fen TEXT [moves M ...]   set up a position (the word fen may be left out)
go depth N | nodes N | movetime MS | infinite
go wtime MS btime MS [winc MS binc MS movestogo N]   (or p1time, p2time, p1inc, p2inc)
go perft N                        count the lines of N moves, divided by move
stop                              end the search and answer
d                                 show the board
moves                             list the legal moves
eval                              show the evaluation by term
setoption name N value V          set an option; uci lists them
savehash FILE, loadhash FILE      keep the table in a file, add what a file holds
bench                             search a fixed set of positions of every game
uci, ugi                          handshakes of tournament managers
isready, ucinewgame, uginewgame, debug on|off, query p1turn|gameover|result|islegal M
quit                              leave";
