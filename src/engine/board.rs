//! [`Board`]: a type-erased position with the moves that led to it; [`Engine`]: a search from it. Positions are text,
//! moves are text or codes.

use super::{MoveOrder, Plies, TreeNode};
use crate::core::picture::Perspective;
#[cfg(not(target_family = "wasm"))]
use crate::core::solution::{Claim, Uncertified};
use crate::core::solution::{Solution, SolveRequest};
use crate::core::tree::Room;
use crate::core::{
    Bounds, Error, Inputs, Limits, Linear, MissingOption, NetworkShape, NodeCounts, Options, Outcome, Picture,
    Progress, Report, Request, Score, SearchTree, Side, StopFlag, Style, Tuning, Weight, score,
};
use crate::search::Table;
use crate::search::entry::{Entry, Exact};
use std::rc::Rc;
use std::sync::Arc;

/// A position of a game, with the moves that led to it.
pub trait Board: Play + Text + Analysis + Send + Sync {
    /// Returns a copy.
    fn boxed(&self) -> Box<dyn Board>;
}

/// The rules, for referees and managers.
pub trait Play {
    /// Returns the name of the game.
    fn game(&self) -> &'static str;
    /// Returns the options of the game.
    fn options(&self) -> &Options;
    /// Returns the side to move.
    fn turn(&self) -> Side;
    /// Returns the legal moves, in the game's order. They need not be empty if the game [is over](Self::outcome): a
    /// manager may play on.
    fn moves(&self) -> Vec<String>;
    /// Returns the codes of the legal moves, in the same order.
    fn codes(&self) -> Vec<u16>;
    /// Returns the codes of these moves, each once.
    ///
    /// # Errors
    /// [`Error::IllegalMove`], which names the first illegal move.
    fn codes_of(&self, moves: &[String]) -> Result<Vec<u16>, Error>;
    /// Returns the boards after the legal moves, in the game's order.
    fn children(&self) -> Vec<Box<dyn Board>>;
    /// Returns the positions after at most `plies` moves from this one; `None` if these are more than `most`.
    fn plies(&self, plies: u8, most: usize) -> Option<Box<dyn Plies>>;
    /// Plays a move.
    ///
    /// # Errors
    /// [`Error::IllegalMove`], which names the move; the board is then unchanged.
    fn play(&mut self, mv: &str) -> Result<(), Error>;
    /// Plays the legal move with a code, and returns whether there is one; if not, the board is unchanged.
    fn play_code(&mut self, code: u16) -> bool;
    /// Returns the result for the side to move if the game is over by its rules. There may be legal moves after a
    /// repetition, after a draw by the clock, or in a position that neither side can win.
    fn outcome(&self) -> Option<Outcome>;
    /// Returns the result for the side to move with best play by both sides, if the endgame databases of the options
    /// show it, and for a win or a loss the plies to the end. Databases ignore clocks and repetitions, so
    /// not every value holds: a draw does; a margin does if no earlier position can recur; a win or a loss does if it
    /// comes before the clock, or a shorter one that a later move may start, runs out, and no position that may recur
    /// has occurred twice. `None` if the value need not hold, for a win or a loss of unknown length, and if the game is
    /// over.
    fn database_outcome(&self) -> Option<(Outcome, Option<Score>)>;
    /// Returns the hash of everything that still affects play, except the settled score.
    fn key(&self) -> u64;
    /// Returns the moves played since the board was set up.
    fn history(&self) -> Vec<String>;
}

/// Text for users: positions, boards, values in the units of the game.
pub trait Text {
    /// Returns the name of the game for readers; see [`Notation::title`](crate::core::Notation::title).
    fn title(&self) -> String;
    /// Returns the position as text, which the game reads back.
    fn text(&self) -> String;
    /// Returns the position that was set up, before the moves, as text.
    fn start(&self) -> String;
    /// Describes what the game ignores in the text of a position; see
    /// [`Notation::passed_over`](crate::core::Notation::passed_over).
    fn passed_over(&self, text: &str) -> Option<String>;
    /// Returns an option that is not set but that other programs need to play from the position that was set up; see
    /// [`Records::missing_option`](crate::core::Records::missing_option).
    fn missing_option(&self) -> Option<MissingOption>;
    /// Returns a move in standard algebraic notation (SAN); `None` for an illegal move and in games without it.
    fn san(&self, mv: &str) -> Option<String>;
    /// Draws the board in several lines, each ended by a newline.
    fn draw(&self) -> String;
    /// Draws the board for a terminal, with the last move highlighted; see
    /// [`Pictures::show`](crate::core::Pictures::show).
    fn show(&self, style: Style) -> String;
    /// Describes the board as shapes, with the spots of the last move.
    fn picture(&self, perspective: Perspective) -> Picture;
    /// Returns the spots of a legal move in the picture of this board; none for any other text.
    fn spots(&self, picture: &Picture, mv: &str) -> Vec<usize>;
    /// Returns the names of the two players.
    fn sides(&self) -> [&'static str; 2];
    /// Returns the unit of a margin, singular and plural; see [`Pictures::UNITS`](crate::core::Pictures::UNITS).
    fn units(&self) -> Option<[&'static str; 2]>;
    /// Returns a remark on the last move's special effect; see [`Pictures::remark`](crate::core::Pictures::remark).
    fn remark(&self) -> Option<String>;
    /// Returns a value for the side to move as players count it; see [`Pictures::count`](crate::core::Pictures::count).
    fn count(&self, score: Score) -> i64;
    /// Returns the lower and the upper bound of a value, counted in the same way; `None` for a bound that excludes
    /// nothing, or no more than the outcome: a win or loss in any number of plies.
    fn count_ends(&self, bounds: Bounds) -> [Option<i64>; 2] {
        let is_counted = |score: &Score| bounds.is_exact() || score.abs() != score::win_in(score::MAX_DISTANCE);
        bounds.ends().map(|end| end.filter(is_counted).map(|score| self.count(score)))
    }
    /// Returns the key of the position in an opening book; see [`Records::book_key`](crate::core::Records::book_key).
    fn book_key(&self) -> Vec<u8>;
    /// Returns a key that it shares with symmetric positions; see
    /// [`Records::symmetric_key`](crate::core::Records::symmetric_key).
    fn symmetric_key(&self) -> Vec<u8>;
}

/// Static knowledge of a position, and searches from it.
pub trait Analysis {
    /// Returns the terms of the static evaluation, centi-units for the side to move.
    fn explain(&self) -> Vec<(&'static str, Score)>;
    /// Returns the weights of the evaluation; none if it is not linear. See
    /// [`Evaluation::weights`](crate::core::Evaluation::weights).
    fn weights(&self) -> Vec<Weight>;
    /// Returns the features of the position for the side to move, one for each weight.
    fn features(&self) -> Vec<i32>;
    /// Returns the position as a sum of weighted counts; see [`Evaluation::linear`](crate::core::Evaluation::linear).
    fn linear(&self) -> Option<Linear>;
    /// Returns the parameters of this sum; see [`Evaluation::parameters`](crate::core::Evaluation::parameters).
    fn parameters(&self) -> Vec<f64>;
    /// Returns the source file that would hold these parameters; see
    /// [`Evaluation::source`](crate::core::Evaluation::source).
    fn source(&self, parameters: &[f64]) -> Option<Vec<u8>>;
    /// Returns the shape of a network for the game; see [`Evaluation::shape`](crate::core::Evaluation::shape).
    fn shape(&self) -> Option<NetworkShape>;
    /// Returns what a network sees of the position.
    fn inputs(&self) -> Option<Inputs>;
    /// Returns the search parameters of the game.
    fn tuning(&self) -> Tuning;
    /// Returns whether a static evaluation is meaningful: the side to move is not in check, and its best move, which
    /// has this code, is not [noisy](crate::core::MoveOrdering::is_noisy).
    fn is_quiet(&self, best: u16) -> bool;
    /// Returns the part of the value that no move can change any more, centi-units for the side to move.
    fn settled(&self) -> Score;
    /// Returns the evaluation of the position without any search.
    fn static_evaluation(&self) -> StaticEvaluation;
    /// Counts the lines of exactly `depth` moves (plies); `None` if stopped.
    fn perft(&self, depth: u8, stop: &StopFlag) -> Option<u64>;
    /// Counts these lines and calls `found` with the count after each first move; at depth 0 there is none. `None` if
    /// stopped.
    fn divide(&self, depth: u8, stop: &StopFlag, found: &mut dyn FnMut(&str, u64)) -> Option<u64>;
    /// Sets up a search from this board, after its line of play. The table may be shared with other engines.
    fn engine(&self, table: Arc<Table>) -> Box<dyn Engine>;
    /// Returns the key and the table entry of the position with this exact value, without the settled score, for
    /// `Table::preload_exact`; `None` if the position is not looked up.
    fn exact_entry(&self, value: Score) -> Option<(u64, Exact)>;
    /// Returns a recorded tree of this board's engine with its moves as text. If the flag is raised meanwhile, the tree
    /// has only the windows of the root.
    fn named(&self, tree: &SearchTree<u16>, stop: &StopFlag) -> SearchTree;
    /// Returns the tree below this position, down to `depth` plies, with the moves in this order.
    fn tree(&self, depth: u8, order: MoveOrder) -> Rc<dyn TreeNode>;
}

/// The static knowledge of a position, centi-units for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StaticEvaluation {
    /// The static evaluation.
    pub evaluation: Score,
    /// The part of the value that no move can change any more.
    pub settled: Score,
    /// The bounds that the rules or the databases guarantee.
    pub bounds: Bounds,
    /// Whether the databases contain the position.
    pub is_recorded: bool,
}

/// A search from a board. Calls block; the engine itself does no input or output.
pub trait Engine: Send {
    /// Returns its table.
    fn table(&self) -> &Table;

    /// Searches until a limit is reached, the flag is raised, or deeper iterations cannot change the result. Reports
    /// every window to `progress`, including failed aspiration windows. Returns one report per requested line, the best
    /// first, and at least one. Its line begins with a legal move however early the search ended, and is empty only if
    /// there is none.
    fn search(&mut self, request: &Request, stop: &StopFlag, progress: &mut dyn FnMut(Progress<'_>)) -> Vec<Report>;

    /// Returns the key and the table entry that correspond to a report of a search over all moves of the board's
    /// position.
    fn root_entry(&self, report: &Report) -> (u64, Entry);

    /// Searches with one thread, for one line, and records the tree of the last iteration reported. Its moves are
    /// codes, which [`Analysis::named`] converts: that takes as long as playing all of them.
    fn record(
        &mut self,
        request: &Request,
        room: Room,
        stop: &StopFlag,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> (Vec<Report>, SearchTree<u16>);

    /// Searches with one thread, for one line, and [counts](NodeCounts) nodes by type.
    fn count(&mut self, request: &Request, stop: &StopFlag) -> (Vec<Report>, NodeCounts);

    /// Searches for the exact value until it is known, a limit is reached or the flag is raised, and reports new bounds
    /// to `progress`.
    fn solve(&mut self, request: &SolveRequest, stop: &StopFlag, progress: &mut dyn FnMut(&Solution)) -> Solution;

    /// Searches for the exact value, then emits a proof of it that rests on the rules alone. The claim about the
    /// board's position comes first, every other claim after all claims that rest on it; each position appears once,
    /// finished positions do not appear. The limits apply to the search and to the proof separately. A browser, which
    /// has no files for certificates, does without it.
    ///
    /// # Errors
    /// Why there is no such proof; no claim has been emitted then.
    #[cfg(not(target_family = "wasm"))]
    fn certify(
        &mut self,
        request: &SolveRequest,
        stop: &StopFlag,
        on_claim: &mut dyn FnMut(&Claim),
    ) -> Result<(), Uncertified>;
}

impl<'a> dyn Board + 'a {
    /// Searches the position with a new engine and a table of 16 MiB, and returns the last report. Without a limit the
    /// search does not end.
    ///
    /// # Errors
    /// [`Error::TableTooLarge`] if the memory is not available.
    pub fn analyse(&self, limits: Limits) -> Result<Report, Error> {
        let mut engine = self.engine(Arc::new(Table::new(16)?));
        Ok(engine.search(&Request::new(limits), &StopFlag::new(), &mut |_| {}).swap_remove(0))
    }

    /// Returns a move in the form that people read: standard algebraic notation, if the game has it. Programs use the
    /// move itself.
    pub fn readable(&self, mv: &str) -> String {
        self.san(mv).unwrap_or_else(|| mv.into())
    }

    /// Returns a line of play in the form that people read.
    pub fn readable_line(&self, line: &[String]) -> Vec<String> {
        let mut board = self.boxed();
        let mut readable = Vec::with_capacity(line.len());
        for mv in line {
            readable.push(board.readable(mv));
            if board.play(mv).is_err() {
                break;
            }
        }
        readable.extend_from_slice(&line[readable.len()..]);
        readable
    }
}
