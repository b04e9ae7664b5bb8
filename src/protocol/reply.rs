//! Formats reports, options and boards as lines.

use super::command::Query;
use super::options::General;
use super::writer::{Writer, expected_reply};
use crate::core::error::harmless;
use crate::core::report::{Bound, Report};
use crate::core::score::{self, Score};
use crate::core::solution::{Solution, Valued};
use crate::core::{Bounds, OptionKind, OptionRow, Outcome, SearchTree};
use crate::engine::Board;
use std::fmt::Write;

/// Writes lines in UCI and UGI.
pub(super) struct UciWriter {
    /// The options that determine the fields.
    pub(super) options: General,
    /// Whether `bestmove` names the expected reply: cutegames, which speaks UGI, accepts two words only.
    pub(super) names_reply: bool,
}

impl Writer for UciWriter {
    fn ready(&self) -> &'static str {
        READY
    }

    fn remark(&self, text: &str) -> String {
        remark(text)
    }

    fn info(&self, report: &Report, _: &dyn Board) -> String {
        info(report, &self.options)
    }

    fn current_move(&self, depth: u8, mv: &str, number: usize) -> Option<String> {
        Some(format!("info depth {depth} currmove {mv} currmovenumber {number}"))
    }

    fn closing(&self, report: &Report, board: &dyn Board) -> String {
        closing(report, &self.options, expected_reply(board, report).filter(|_| self.names_reply))
    }

    fn failed(&self, best: Option<&str>, _: &dyn Board) -> String {
        best_move(best)
    }

    fn no_move(&self) -> String {
        best_move(None)
    }
}

/// Returns `info depth ... pv ...`, one line.
#[must_use]
pub fn info(report: &Report, options: &General) -> String {
    let mut line = format!("info depth {} seldepth {}", report.depth, report.seldepth);
    if options.lines > 1 {
        let _ = write!(line, " multipv {}", report.line);
    }
    let bound = match report.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let _ = write!(line, " score {}{bound}", score(report.score));
    if let Some([win, draw, loss]) = report.wdl.filter(|_| options.wdl) {
        let _ = write!(line, " wdl {win} {draw} {loss}");
    }
    // `proven` follows the score: at that place cutechess, fastchess and python-chess skip unknown words.
    if let Some(proven) = report.proof.name() {
        let _ = write!(line, " proven {proven}");
    }
    let (nodes, nps, hashfull, time) = (report.nodes, report.nps(), report.hashfull, report.time.as_millis());
    let _ = write!(line, " nodes {nodes} nps {nps} hashfull {hashfull} time {time}");
    if !report.pv.is_empty() {
        line.push_str(" pv ");
        line.push_str(&report.pv.join(" "));
    }
    line
}

/// Returns `cp N` in hundredths of a unit, or `mate N` in full moves.
pub(super) fn score(value: Score) -> String {
    score::mate(value).map_or_else(|| format!("cp {value}"), |moves| format!("mate {moves}"))
}

/// Returns the end of a search: `bestmove M`, `bestmove (none)` if there is no legal move, or `bestmove M ponder R`
/// with a reply. A line `info string equal M ...` with the equal best moves precedes it if they are requested and
/// known.
fn closing(report: &Report, options: &General, reply: Option<&str>) -> String {
    let mut text = String::new();
    if options.equal && !report.ties.is_empty() {
        let _ = writeln!(text, "info string equal {}", report.ties.join(" "));
    }
    text += &best_move(report.best().map(String::as_str));
    if let Some(reply) = reply {
        let _ = write!(text, " ponder {reply}");
    }
    text
}

/// Returns `bestmove M`, or `bestmove (none)`.
fn best_move(best: Option<&str>) -> String {
    format!("bestmove {}", best.unwrap_or("(none)"))
}

/// Returns `info string solve lower L upper U nodes N time MS hashfull H`, the bounds proved so far.
pub(super) fn known(solution: &Solution, board: &dyn Board) -> String {
    let (nodes, time, hashfull) = (solution.nodes, solution.time.as_millis(), solution.hashfull);
    remark(&format!("solve {} nodes {nodes} time {time} hashfull {hashfull}", bounds(solution.bounds, board)))
}

/// Returns the end of an exact search: `solved value V proven P outcome O lower L upper U nodes N time MS`, then
/// `incomplete` if something requested is missing and, if requested and known, `moves M ...`, `values M L U ...` and
/// `pv M ...`.
pub(super) fn solved(solution: &Solution, valued: Valued, board: &dyn Board) -> String {
    let value = or_none(solution.proof().bound(board.count_ends(solution.bounds)));
    let proven = solution.proof().name().unwrap_or(NONE);
    let (outcome, bounds) = (solution.bounds.outcome().unwrap_or(NONE), bounds(solution.bounds, board));
    let (nodes, time) = (solution.nodes, solution.time.as_millis());
    let mut line = format!("solved value {value} proven {proven} outcome {outcome} {bounds} nodes {nodes} time {time}");
    if !solution.complete {
        line.push_str(" incomplete");
    }
    let best: Vec<_> = solution.best_moves().map(String::as_str).collect();
    if !best.is_empty() {
        let _ = write!(line, " moves {}", best.join(" "));
    }
    if valued == Valued::All && !solution.moves.is_empty() {
        line.push_str(" values");
        for (mv, of_move) in &solution.moves {
            let [lower, upper] = board.count_ends(*of_move).map(or_none);
            let _ = write!(line, " {mv} {lower} {upper}");
        }
    }
    if !solution.pv.is_empty() {
        let _ = write!(line, " pv {}", solution.pv.join(" "));
    }
    line
}

/// The text for an unknown value.
const NONE: &str = "none";

fn bounds(bounds: Bounds, board: &dyn Board) -> String {
    let [lower, upper] = board.count_ends(bounds).map(or_none);
    format!("lower {lower} upper {upper}")
}

fn or_none(value: Option<i64>) -> String {
    value.map_or_else(|| NONE.to_owned(), |value| value.to_string())
}

/// Returns the end of a tree: `tree depth D recorded N nodes N`.
pub(super) fn tree(tree: &SearchTree) -> String {
    let recorded = tree.nodes.iter().filter(|node| node.ply > 0).count();
    format!("tree depth {} recorded {recorded} nodes {}", tree.depth, tree.entered)
}

/// Returns `info string ...`, one line.
pub(super) fn remark(text: &str) -> String {
    format!("info string {text}")
}

/// The reply to `isready`.
pub(crate) const READY: &str = "readyok";

/// Returns `option name ... type ...`.
pub(super) fn option(row: &OptionRow) -> String {
    let (kind, more) = match row.kind {
        OptionKind::Check { .. } => ("check", String::new()),
        OptionKind::Spin { min, max, .. } => ("spin", format!(" min {min} max {max}")),
        OptionKind::Combo { choices, .. } => ("combo", choices.iter().map(|choice| format!(" var {choice}")).collect()),
        OptionKind::Text { .. } | OptionKind::File | OptionKind::Folder => ("string", String::new()),
    };
    let default = Some(row.default_value().to_string()).filter(|text| !text.is_empty());
    format!("option name {} type {kind} default {}{more}", row.name, default.as_deref().unwrap_or("<empty>"))
}

/// Returns the reply to a `query`.
pub(super) fn response(query: &Query, board: &dyn Board) -> String {
    let answer = match query {
        Query::P1Turn => (board.turn().index() == 0).to_string(),
        Query::GameOver => board.outcome().is_some().to_string(),
        Query::Result => result(board).to_owned(),
        Query::IsLegal(mv) => board.codes_of(std::slice::from_ref(mv)).is_ok().to_string(),
    };
    format!("response {answer}")
}

/// Returns the reply to `query result`.
pub(super) fn result(board: &dyn Board) -> &'static str {
    let Some(outcome) = board.outcome() else { return "none" };
    match outcome.of_first(board.turn()) {
        Outcome::Win | Outcome::Margin(1..) => "p1win",
        Outcome::Loss | Outcome::Margin(..=-1) => "p2win",
        Outcome::Draw | Outcome::Margin(0) => "draw",
    }
}

/// Returns the board, its text, its key, and the result of a finished game, without a final line feed.
pub(super) fn board(board: &dyn Board) -> String {
    let mut text = board.draw();
    let _ = write!(text, "position {}\nkey {:016x}", harmless(&board.text()), board.key());
    if let Some(outcome) = board.outcome() {
        let margin = match outcome {
            Outcome::Margin(units) => format!(", the side to move {units:+}"),
            _ => String::new(),
        };
        let _ = write!(text, "\nresult {}{margin}", result(board));
    }
    text
}

/// Returns the static evaluation by term, in units for the side to move.
pub fn evaluation(board: &dyn Board) -> String {
    let terms = board.explain();
    let total = terms.iter().map(|&(_, value)| value).sum();
    let rows = terms.into_iter().chain([("total", total)]);
    rows.map(|(name, value): (_, Score)| format!("{name:<12} {:>+8.2}", f64::from(value) / f64::from(score::UNIT)))
        .collect::<Vec<_>>()
        .join("\n")
}

pub(crate) const HELP: &str = "\
position startpos [moves M ...]   set up the game's start, then play moves
position fen TEXT [moves M ...]   set up a position (the word fen may be left out)
go depth N | nodes N | movetime MS | mate N | infinite
go wtime MS btime MS [winc MS binc MS movestogo N]   (or p1time, p2time, p1inc, p2inc)
go ... searchmoves M ...          search these moves only
go ponder ...                     search in the opponent's time; answer after ponderhit or stop
go perft N                        count the lines of N moves, divided by move
solve [nodes N] [movetime MS] [moves none|best|all] [nopv] [guess V]   search for the exact value of the position
tree [depth N | nodes N | movetime MS] [plies N] [limit N]   show the tree of a search
ponderhit                         the move pondered on was played: the clock runs
stop                              end the search and answer
d                                 show the board
moves                             list the legal moves
eval                              show the evaluation by term
setoption name N value V          set an option; uci lists them
savehash FILE, loadhash FILE      keep the table in a file, add what a file holds
bench                             search a fixed set of positions of every game
uci, ugi, hub                     handshakes of tournament managers
isready, ucinewgame, uginewgame, debug on|off, query p1turn|gameover|result|islegal M
quit                              leave";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{Options, Proof};
    use crate::protocol::options::OPTIONS;
    use std::time::Duration;

    fn report() -> Report {
        Report {
            depth: 7,
            seldepth: 12,
            line: 2,
            score: 150,
            window: [100, 150],
            bound: Bound::Lower,
            proof: Proof::LOWER,
            wdl: Some([700, 250, 50]),
            nodes: 1000,
            time: Duration::from_millis(10),
            hashfull: 3,
            fails_low: 0,
            fails_high: 1,
            pv: vec!["3".into(), "2".into()],
            ties: vec!["3".into(), "5".into()],
            tie_proofs: vec![Proof::LOWER, Proof::NONE],
        }
    }

    #[test]
    fn lines_have_the_fields_that_are_on() {
        let least = General::new(&Options::new(OPTIONS), 1);
        let all = General { lines: 2, wdl: true, equal: true, ..least };
        let rest = "nodes 1000 nps 100000 hashfull 3 time 10 pv 3 2";
        let line = format!("info depth 7 seldepth 12 score cp 150 lowerbound proven lower {rest}");
        assert_eq!(info(&report(), &least), line);
        let line =
            format!("info depth 7 seldepth 12 multipv 2 score cp 150 lowerbound wdl 700 250 50 proven lower {rest}");
        assert_eq!(info(&report(), &all), line);
        let bare = Report { bound: Bound::Exact, proof: Proof::NONE, wdl: None, pv: vec![], ..report() };
        let line = "info depth 7 seldepth 12 multipv 2 score cp 150 nodes 1000 nps 100000 hashfull 3 time 10";
        assert_eq!(info(&bare, &all), line);
        assert_eq!(closing(&report(), &least, None), "bestmove 3");
        assert_eq!(closing(&report(), &all, Some("2")), "info string equal 3 5\nbestmove 3 ponder 2");
        assert_eq!(closing(&Report { ties: vec![], ..bare }, &all, None), "bestmove (none)");
        let writer = UciWriter { options: least, names_reply: false };
        assert_eq!(writer.current_move(9, "4", 2).unwrap(), "info depth 9 currmove 4 currmovenumber 2");
    }
}
