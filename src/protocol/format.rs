//! How the lines of a search are written: for UCI and UGI, or for Hub.

use super::options::General;
use super::{hub, reply};
use crate::core::Report;
use crate::engine::Board;

/// How the lines of a search are written.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The options that determine the fields.
    pub options: General,
    /// Whether the last line names the expected reply.
    pub names_reply: bool,
    /// Whether the manager speaks the Hub protocol.
    pub is_hub: bool,
}

impl Format {
    /// Returns the line of a report.
    #[must_use]
    pub fn info(&self, report: &Report, board: &dyn Board) -> String {
        if self.is_hub { hub::info(report, board) } else { reply::info(report, &self.options) }
    }

    /// Returns the line of the move that the search begins with; `None` if the protocol has none.
    #[must_use]
    pub fn current_move(&self, depth: u8, mv: &str, number: usize) -> Option<String> {
        (!self.is_hub).then(|| reply::current_move(depth, mv, number))
    }

    /// Returns the last lines of a search.
    #[must_use]
    pub fn closing(&self, report: &Report, board: &dyn Board) -> String {
        let reply = expected_reply(board, report).filter(|_| self.names_reply);
        if self.is_hub { hub::done(report, board, reply) } else { reply::closing(report, &self.options, reply) }
    }

    /// Returns the last line of a search that failed: a move, or none if there is no legal one.
    #[must_use]
    pub fn failed(&self, best: Option<&str>, board: &dyn Board) -> String {
        if self.is_hub { hub::answer(best, board) } else { reply::best_move(best) }
    }

    /// Returns a remark, one line.
    #[must_use]
    pub fn remark(&self, text: &str) -> String {
        if self.is_hub { hub::message(text) } else { reply::remark(text) }
    }
}

/// Returns the opponent's reply in the principal variation; `None` if the same side moves again.
fn expected_reply<'a>(board: &dyn Board, report: &'a Report) -> Option<&'a str> {
    let [best, reply, ..] = report.pv.as_slice() else { return None };
    let mut after = board.boxed();
    after.play(best).ok()?;
    (after.turn() != board.turn()).then_some(reply)
}
