//! [`Writer`]: the lines of a dialogue as its manager expects them. [`reply`](super::reply) writes them in UCI and UGI,
//! [`hub`](super::hub) in the Hub protocol.

use crate::core::Report;
use crate::engine::Board;

pub(super) trait Writer: Send + Sync {
    /// Returns the reply to `isready`.
    fn ready(&self) -> &'static str;

    /// Returns a remark in one line.
    fn remark(&self, text: &str) -> String;

    /// Returns the line of a report.
    fn info(&self, report: &Report, board: &dyn Board) -> String;

    /// Returns the line for the move that the search is about to try; `None` if the protocol has none.
    fn current_move(&self, depth: u8, mv: &str, number: usize) -> Option<String>;

    /// Returns the last lines of a search.
    fn closing(&self, report: &Report, board: &dyn Board) -> String;

    /// Returns the last line of a failed search: a move, or none if there is no legal one.
    fn failed(&self, best: Option<&str>, board: &dyn Board) -> String;

    /// Returns the last line of a rejected search.
    fn no_move(&self) -> String;
}

/// Returns the opponent's reply in the principal variation; `None` if the same side moves again.
pub(super) fn expected_reply<'a>(board: &dyn Board, report: &'a Report) -> Option<&'a str> {
    let [best, reply, ..] = report.pv.as_slice() else { return None };
    let mut after = board.boxed();
    after.play(best).ok()?;
    (after.turn() != board.turn()).then_some(reply)
}
