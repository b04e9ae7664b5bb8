//! [`Board`]: a position of some game with the moves that led to it, of no type of its own. Moves and positions are text.

use super::{Engine, MoveOrder, TreeNode};
use crate::core::{Bounds, Error, Options, Outcome, Score, Side, StopFlag, Style, Weight};
use crate::search::Table;
use std::rc::Rc;
use std::sync::Arc;

/// A position of some game, with the moves that led to it.
pub trait Board: Play + Text + Analysis + Send + Sync {
    /// A copy.
    fn boxed(&self) -> Box<dyn Board>;
}

/// The rules: what a referee or a manager needs.
pub trait Play {
    /// The name of the game.
    fn game(&self) -> &'static str;
    /// The options that the game was made of.
    fn options(&self) -> &Options;
    /// The side to move.
    fn turn(&self) -> Side;
    /// The legal moves, in the game's own order. There may be some in a game that [is over](Self::outcome): a manager may
    /// play on.
    fn moves(&self) -> Vec<String>;
    /// The codes of the legal moves, in the same order.
    fn codes(&self) -> Vec<u16>;
    /// The codes of these moves, each once.
    ///
    /// # Errors
    /// [`Error::IllegalMove`], which names the first that is not legal.
    fn codes_of(&self, moves: &[String]) -> Result<Vec<u16>, Error>;
    /// Plays a move.
    ///
    /// # Errors
    /// [`Error::IllegalMove`], which names it; the board is unchanged then.
    fn play(&mut self, mv: &str) -> Result<(), Error>;
    /// The result for the side to move, once the game is over by its rules. Legal moves may be left then: of a draw by
    /// repetition, by the clock, or by a position in which nobody can win.
    fn outcome(&self) -> Option<Outcome>;
    /// The hash of what still matters.
    fn key(&self) -> u64;
    /// The moves played since the board was set up.
    fn history(&self) -> Vec<String>;
}

/// What people read: positions, boards, values in the units of the game.
pub trait Text {
    /// The position as text, which the game reads back.
    fn text(&self) -> String;
    /// The position that was set up, before these moves, as text.
    fn start(&self) -> String;
    /// A board for people, several lines, each ended.
    fn draw(&self) -> String;
    /// The board as a terminal shows it, with the last move marked; see [`Game::show`](crate::core::Game::show).
    fn show(&self, style: Style) -> String;
    /// What the two players are called.
    fn sides(&self) -> [&'static str; 2];
    /// One unit of a margin and several of them; see [`Game::units`](crate::core::Game::units).
    fn units(&self) -> Option<[&'static str; 2]>;
    /// What the last move has done beside what every move does; see [`Game::remark`](crate::core::Game::remark).
    fn remark(&self) -> Option<String>;
    /// A value for the side to move as people count it in this game; see [`Game::count`](crate::core::Game::count).
    fn count(&self, score: Score) -> i64;
    /// The lower and the upper bound of a value, counted likewise; `None` for one that says nothing.
    fn count_ends(&self, bounds: Bounds) -> [Option<i64>; 2] {
        bounds.ends().map(|end| end.map(|score| self.count(score)))
    }
    /// What an opening book knows the position by; see [`Game::book_key`](crate::core::Game::book_key).
    fn book_key(&self) -> String;
}

/// What is known of a position, and the searches that find out more.
pub trait Analysis {
    /// The static evaluation by term, centi-units for the side to move.
    fn explain(&self) -> Vec<(&'static str, Score)>;
    /// The weights of the evaluation; none where it is not linear in them. See [`Evaluation::weights`](crate::core::Evaluation::weights).
    fn weights(&self) -> Vec<Weight>;
    /// The features of the position for the side to move, one for each weight.
    fn features(&self) -> Vec<i32>;
    /// What the game says of the position without any search.
    fn static_evaluation(&self) -> StaticEvaluation;
    /// Counts the lines of exactly `depth` moves (plies); `None` if stopped.
    fn perft(&self, depth: u8, stop: &StopFlag) -> Option<u64>;
    /// The same, divided by first move; at depth 0 there is none.
    fn divide(&self, depth: u8, stop: &StopFlag) -> Option<Vec<(String, u64)>>;
    /// Sets up a search over this board's line; the table is shared with whoever else holds it.
    fn engine(&self, table: Arc<Table>) -> Box<dyn Engine>;
    /// The tree below this position, down to `depth` plies, with the moves in this order.
    fn tree(&self, depth: u8, order: MoveOrder) -> Rc<dyn TreeNode>;
}

/// A position as the game judges it, centi-units for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StaticEvaluation {
    /// The static evaluation.
    pub evaluation: Score,
    /// The part of the value that no play can change any more.
    pub settled: Score,
    /// What the rules guarantee.
    pub bounds: Bounds,
}
