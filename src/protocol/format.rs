//! [`Format`]: the lines of a dialogue as its manager expects them, by UCI and UGI or by Hub.

use super::command::Dialect;
use super::options::General;
use super::{hub, reply};
use crate::core::Report;
use crate::engine::Board;

/// How the lines of a dialogue are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    /// The options that determine the fields.
    pub(super) options: General,
    /// The protocol of the manager.
    pub(super) dialect: Dialect,
}

impl Format {
    fn is_hub(&self) -> bool {
        self.dialect == Dialect::Hub
    }

    /// Returns the reply to `isready`.
    pub(super) fn ready(&self) -> &'static str {
        if self.is_hub() { hub::READY } else { reply::READY }
    }

    /// Returns a remark, one line.
    pub(super) fn remark(&self, text: &str) -> String {
        if self.is_hub() { hub::message(text) } else { reply::remark(text) }
    }

    /// Returns the line of a report.
    pub(super) fn info(&self, report: &Report, board: &dyn Board) -> String {
        if self.is_hub() { hub::info(report, board) } else { reply::info(report, &self.options) }
    }

    /// Returns the line of the move that the search begins with; `None` if the protocol has none.
    pub(super) fn current_move(&self, depth: u8, mv: &str, number: usize) -> Option<String> {
        (!self.is_hub()).then(|| reply::current_move(depth, mv, number))
    }

    /// Returns the last lines of a search. They name the expected reply if the protocol and its options admit it:
    /// cutegames, which speaks UGI, accepts two words only.
    pub(super) fn closing(&self, report: &Report, board: &dyn Board) -> String {
        let names_reply = match self.dialect {
            Dialect::Uci => self.options.ponder,
            Dialect::Ugi => false,
            Dialect::Hub => true,
        };
        let reply = expected_reply(board, report).filter(|_| names_reply);
        if self.is_hub() { hub::done(report, board, reply) } else { reply::closing(report, &self.options, reply) }
    }

    /// Returns the last line of a search that failed: a move, or none if there is no legal one.
    pub(super) fn failed(&self, best: Option<&str>, board: &dyn Board) -> String {
        if self.is_hub() { hub::answer(best, board) } else { reply::best_move(best) }
    }

    /// Returns the last line of a search that is refused.
    pub(super) fn no_move(&self) -> String {
        if self.is_hub() { hub::DONE.into() } else { reply::best_move(None) }
    }
}

/// Returns the opponent's reply in the principal variation; `None` if the same side moves again.
fn expected_reply<'a>(board: &dyn Board, report: &'a Report) -> Option<&'a str> {
    let [best, reply, ..] = report.pv.as_slice() else { return None };
    let mut after = board.boxed();
    after.play(best).ok()?;
    (after.turn() != board.turn()).then_some(reply)
}
