//! Types are erased here, twice and no more: [`Board`] (a position with its history) and [`Engine`] (a search
//! set up over it), each a trait with one generic implementation.

use crate::core::solution::{Claim, Solution, Task, Uncertified};
use crate::core::tree::{Room, Tree};
use crate::core::{Bounds, Error, Game, Heuristics, MoveOf, Options, Outcome, Position, Weight};
use crate::core::{Progress, Report, Request, Score, Side, StopFlag, Style};
use crate::search::entry::Entry;
use crate::search::reference::budget::Budget;
use crate::search::reference::horizon::{Horizon, Order};
use crate::search::reference::plausibility::{self, Category};
use crate::search::reference::procedure::{self, Found, Procedure, Settings};
use crate::search::reference::tree::Counts;
use crate::search::{Searcher, Table, perft};
use std::sync::Arc;

/// A position of some game, with the moves that led to it. Moves and positions are text.
pub trait Board: Send + Sync {
    /// The name of the game.
    fn game(&self) -> &'static str;
    /// The options that the game was made of.
    fn options(&self) -> &Options;
    /// The side to move.
    fn turn(&self) -> Side;
    /// The legal moves, in the game's own order; none when the game is over.
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
    /// The result for the side to move, once there is no legal move.
    fn outcome(&self) -> Option<Outcome>;
    /// The position as text, which the game reads back.
    fn text(&self) -> String;
    /// A board for people, several lines, each ended.
    fn draw(&self) -> String;
    /// The board as a terminal shows it, with the last move marked; see [`Game::show`].
    fn show(&self, style: Style) -> String;
    /// What the two players are called.
    fn sides(&self) -> [&'static str; 2];
    /// One unit of a margin and several of them; see [`Game::units`].
    fn units(&self) -> Option<[&'static str; 2]>;
    /// What the last move has done beside what every move does; see [`Game::remark`].
    fn remark(&self) -> Option<String>;
    /// The hash of what still matters.
    fn key(&self) -> u64;
    /// What an opening book knows the position by; see [`Game::book_key`].
    fn book_key(&self) -> String;
    /// The moves played since the board was set up.
    fn history(&self) -> Vec<String>;
    /// The position that was set up, before these moves, as text.
    fn start(&self) -> String;
    /// The static evaluation by term, centi-units for the side to move.
    fn explain(&self) -> Vec<(&'static str, Score)>;
    /// The weights of the evaluation; none where it is not linear in them. See [`Heuristics::weights`].
    fn weights(&self) -> Vec<Weight>;
    /// The features of the position for the side to move, one for each weight.
    fn features(&self) -> Vec<i32>;
    /// What the game says of the position without any search.
    fn judgement(&self) -> Judgement;
    /// A value for the side to move as people count it in this game; see [`Game::count`].
    fn count(&self, score: Score) -> i64;
    /// The lower and the upper bound of a value, counted likewise; `None` for one that says nothing.
    fn count_ends(&self, bounds: Bounds) -> [Option<i64>; 2] {
        bounds.ends().map(|end| end.map(|score| self.count(score)))
    }
    /// Counts the lines of exactly `depth` moves (plies); `None` if stopped.
    fn perft(&self, depth: u8, stop: &StopFlag) -> Option<u64>;
    /// The same, divided by first move; at depth 0 there is none.
    fn divide(&self, depth: u8, stop: &StopFlag) -> Option<Vec<(String, u64)>>;
    /// Sets up a search over this board's line; the table is shared with whoever else holds it.
    fn engine(&self, table: Arc<Table>) -> Box<dyn Engine>;
    /// Runs a [procedure of the literature](mod@crate::search::reference) from here, so many plies deep, with the moves in
    /// this order.
    fn refer(&self, procedure: Procedure, settings: &Settings, depth: u8, order: Order, budget: Budget) -> Found;
    /// How plausible each legal move is before any search, in the same order: by its category.
    fn categories(&self) -> Vec<Category>;
    /// A copy.
    fn boxed(&self) -> Box<dyn Board>;
}

/// A position as the game judges it, centi-units for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The static evaluation.
    pub evaluation: Score,
    /// The part of the value that no play can change any more.
    pub banked: Score,
    /// What the rules guarantee.
    pub bounds: Bounds,
}

/// A search set up over a board. It blocks, and does no input or output of its own.
pub trait Engine: Send {
    /// Searches until a limit is reached or the flag is raised, and tells each iteration on the way.
    /// Returns a report for each line asked for, the best first, never none: the first holds the move to play, a legal
    /// one however early the search was stopped.
    fn search(&mut self, request: &Request, stop: &StopFlag, progress: &mut dyn FnMut(Progress<'_>)) -> Vec<Report>;

    /// What a report of a search over all moves says of the board's position, as its table would keep it: the key and the
    /// entry.
    fn told(&self, report: &Report) -> (u64, Entry);

    /// The same by one thread, for one line, with the tree of the last iteration that the report tells of.
    fn record(
        &mut self,
        request: &Request,
        room: Room,
        stop: &StopFlag,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> (Vec<Report>, Tree);

    /// The same by one thread, for one line, with the [counts](crate::search::trace::Census) of what was done.
    fn count(&mut self, request: &Request, stop: &StopFlag) -> (Vec<Report>, Counts);

    /// Searches for the exact value until it is known, a limit is reached or the flag is raised, and tells what is known
    /// on the way.
    fn solve(&mut self, task: &Task, stop: &StopFlag, progress: &mut dyn FnMut(&Solution)) -> Solution;

    /// Searches for the exact value, then tells a proof of it that rests on the rules alone: the claim about the board's
    /// position first, every other after all those that rest on it, each position once, finished ones not at all. The
    /// limits count for the search and for the proof, each.
    ///
    /// # Errors
    /// Why there is no such proof; nothing has been told then.
    fn certify(&mut self, task: &Task, stop: &StopFlag, tell: &mut dyn FnMut(&Claim)) -> Result<(), Uncertified>;
}

/// The one implementation of [`Board`]. Copies share the rules and the line so far: a copy costs no more than a position.
pub struct GameBoard<G: Game> {
    rules: Arc<Rules<G>>,
    here: Arc<Place<G>>,
}

/// A game, and the options that it was made of: they salt the shared table, so that no two sets of rules or
/// evaluations read each other's entries.
struct Rules<G: Game> {
    game: G,
    options: Options,
    salt: u64,
}

/// A position of a line, with the move that led to it and where that was played; without one the line begins here.
struct Place<G: Game> {
    pos: G::Position,
    reached: Option<(MoveOf<G>, Arc<Self>)>,
}

impl<G: Game> Drop for Place<G> {
    /// One place after the other: a line may be longer than the stack is deep.
    fn drop(&mut self) {
        let mut next = self.reached.take();
        while let Some((_, place)) = next {
            next = Arc::into_inner(place).and_then(|mut place| place.reached.take());
        }
    }
}

impl<G: Game> Clone for GameBoard<G> {
    fn clone(&self) -> Self {
        Self { rules: Arc::clone(&self.rules), here: Arc::clone(&self.here) }
    }
}

impl<G: Game> GameBoard<G> {
    /// A board with no history; the options are those that `game` was made of.
    pub fn new(game: G, options: &Options, start: G::Position) -> Self {
        let rules = Rules { game, options: options.clone(), salt: salt(G::NAME, options) };
        Self { rules: Arc::new(rules), here: Arc::new(Place { pos: start, reached: None }) }
    }

    /// The positions of the line that no other board shares, the last one first.
    #[cfg(feature = "python")]
    pub(crate) fn unshared(&self) -> impl Iterator<Item = &G::Position> {
        let mut next = Some(&self.here);
        std::iter::from_fn(move || {
            let place = next.take().filter(|place| Arc::strong_count(place) == 1)?;
            next = place.reached.as_ref().map(|(_, before)| before);
            Some(&place.pos)
        })
    }

    fn position(&self) -> &G::Position {
        &self.here.pos
    }

    /// The places of the line, the last one first.
    fn line(&self) -> impl Iterator<Item = &Place<G>> {
        std::iter::successors(Some(&*self.here), |place| place.reached.as_ref().map(|(_, before)| &**before))
    }

    fn legal(&self) -> Vec<MoveOf<G>> {
        let mut moves = Vec::new();
        self.position().moves(&mut moves);
        moves
    }

    /// The legal move that a text names.
    fn find(&self, text: &str) -> Result<MoveOf<G>, Error> {
        let pos = self.position();
        let found = self.legal().into_iter().find(|&legal| self.rules.game.names(pos, legal, text));
        found.ok_or_else(|| Error::illegal_move(text, &self.text(), &self.moves()))
    }
}

impl<G: Game> Board for GameBoard<G> {
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn options(&self) -> &Options {
        &self.rules.options
    }

    fn turn(&self) -> Side {
        self.position().turn()
    }

    fn moves(&self) -> Vec<String> {
        self.legal().into_iter().map(|mv| self.rules.game.write_move(self.position(), mv)).collect()
    }

    fn codes(&self) -> Vec<u16> {
        self.legal().into_iter().map(|mv| self.position().code(mv)).collect()
    }

    fn codes_of(&self, moves: &[String]) -> Result<Vec<u16>, Error> {
        let (pos, mut found) = (self.position(), Vec::new());
        for mv in moves {
            let code = pos.code(self.find(mv)?);
            if !found.contains(&code) {
                found.push(code);
            }
        }
        Ok(found)
    }

    fn play(&mut self, mv: &str) -> Result<(), Error> {
        let mv = self.find(mv)?;
        self.here = Arc::new(Place { pos: self.position().after(mv), reached: Some((mv, Arc::clone(&self.here))) });
        Ok(())
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position().is_over().then(|| self.position().outcome())
    }

    fn text(&self) -> String {
        self.rules.game.write(self.position())
    }

    fn draw(&self) -> String {
        self.rules.game.draw(self.position())
    }

    fn show(&self, style: Style) -> String {
        let last = self.here.reached.as_ref().map(|(mv, before)| (&before.pos, *mv));
        self.rules.game.show(self.position(), last, style)
    }

    fn sides(&self) -> [&'static str; 2] {
        self.rules.game.sides()
    }

    fn units(&self) -> Option<[&'static str; 2]> {
        self.rules.game.units()
    }

    fn remark(&self) -> Option<String> {
        self.here.reached.as_ref().and_then(|(mv, before)| self.rules.game.remark(&before.pos, *mv))
    }

    fn key(&self) -> u64 {
        self.position().key()
    }

    fn book_key(&self) -> String {
        self.rules.game.book_key(self.position())
    }

    fn history(&self) -> Vec<String> {
        let played = self.line().filter_map(|place| place.reached.as_ref());
        let mut moves: Vec<_> = played.map(|(mv, before)| self.rules.game.write_move(&before.pos, *mv)).collect();
        moves.reverse();
        moves
    }

    fn start(&self) -> String {
        self.line().last().map_or_else(|| self.text(), |first| self.rules.game.write(&first.pos))
    }

    fn explain(&self) -> Vec<(&'static str, Score)> {
        self.rules.game.heuristics().explain(self.position())
    }

    fn weights(&self) -> Vec<Weight> {
        self.rules.game.heuristics().weights()
    }

    fn features(&self) -> Vec<i32> {
        self.rules.game.heuristics().features(self.position())
    }

    fn judgement(&self) -> Judgement {
        let (judge, pos) = (self.rules.game.heuristics(), self.position());
        Judgement { evaluation: judge.evaluate(pos), banked: judge.banked(pos), bounds: judge.known(pos) }
    }

    fn count(&self, score: Score) -> i64 {
        self.rules.game.count(self.position(), score)
    }

    fn perft(&self, depth: u8, stop: &StopFlag) -> Option<u64> {
        perft::perft(self.position(), depth, stop)
    }

    fn divide(&self, depth: u8, stop: &StopFlag) -> Option<Vec<(String, u64)>> {
        let pos = self.position();
        let divided = perft::divide(pos, depth, stop)?;
        Some(divided.into_iter().map(|(mv, count)| (self.rules.game.write_move(pos, mv), count)).collect())
    }

    fn engine(&self, table: Arc<Table>) -> Box<dyn Engine> {
        let searcher = Searcher::new(self.rules.game.heuristics(), table).salted(self.rules.salt);
        Box::new(GameEngine { game: self.rules.game.clone(), root: self.position().clone(), searcher })
    }

    fn refer(&self, procedure: Procedure, settings: &Settings, depth: u8, order: Order, budget: Budget) -> Found {
        let tree = Horizon { heuristics: self.rules.game.heuristics(), pos: self.position().clone(), depth, order };
        procedure::run(&tree, procedure, settings, budget)
    }

    fn categories(&self) -> Vec<Category> {
        plausibility::categories(&self.rules.game.heuristics(), self.position(), &self.legal())
    }

    fn boxed(&self) -> Box<dyn Board> {
        Box::new(self.clone())
    }
}

/// The one implementation of [`Engine`].
struct GameEngine<G: Game> {
    game: G,
    root: G::Position,
    searcher: Searcher<G::Position, G::Heuristics>,
}

impl<G: Game> Engine for GameEngine<G> {
    fn search(&mut self, request: &Request, stop: &StopFlag, progress: &mut dyn FnMut(Progress<'_>)) -> Vec<Report> {
        let Self { game, root, searcher } = self;
        let lines = searcher.search(root, request, stop, &mut |told| tell(game, root, told, progress));
        lines.iter().map(|report| in_text(game, root, report)).collect()
    }

    fn told(&self, report: &Report) -> (u64, Entry) {
        let Self { game, root, searcher } = self;
        let mut moves = Vec::new();
        root.moves(&mut moves);
        let best = report.best().and_then(|best| moves.into_iter().find(|&mv| game.names(root, mv, best)));
        searcher.told(root, &report.with_moves(best.into_iter().collect(), Vec::new()))
    }

    fn record(
        &mut self,
        request: &Request,
        room: Room,
        stop: &StopFlag,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> (Vec<Report>, Tree) {
        let Self { game, root, searcher } = self;
        let (lines, tree) = searcher.record(root, request, room, stop, &mut |told| tell(game, root, told, progress));
        let lines = lines.iter().map(|report| in_text(game, root, report)).collect();
        (lines, tree.renamed(root, |pos, mv| game.write_move(pos, mv)))
    }

    fn count(&mut self, request: &Request, stop: &StopFlag) -> (Vec<Report>, Counts) {
        let Self { game, root, searcher } = self;
        let (lines, counts) = searcher.count(root, request, stop);
        (lines.iter().map(|report| in_text(game, root, report)).collect(), counts)
    }

    fn solve(&mut self, task: &Task, stop: &StopFlag, progress: &mut dyn FnMut(&Solution)) -> Solution {
        let Self { game, root, searcher } = self;
        let in_text = |solution: &Solution<MoveOf<G>>| {
            let moves = solution.moves.iter().map(|&(mv, bounds)| (game.write_move(root, mv), bounds));
            solution.with_moves(line_in_text(game, root, &solution.pv), moves.collect())
        };
        in_text(&searcher.solve(root, task, stop, &mut |solution| progress(&in_text(solution))))
    }

    fn certify(&mut self, task: &Task, stop: &StopFlag, tell: &mut dyn FnMut(&Claim)) -> Result<(), Uncertified> {
        let Self { game, root, searcher } = self;
        searcher.certify(root, task, stop, &|pos| game.write(pos), &mut |Claim { position, bounds, moves }| {
            let moves = moves.iter().map(|&mv| game.write_move(position, mv)).collect();
            tell(&Claim { position: game.write(position), bounds: *bounds, moves });
        })
    }
}

/// Tells what a search says with its moves in the game's notation.
fn tell<G: Game>(game: &G, root: &G::Position, told: Progress<'_, MoveOf<G>>, progress: &mut dyn FnMut(Progress<'_>)) {
    match told {
        Progress::Line(report) => progress(Progress::Line(&in_text(game, root, report))),
        Progress::Move { depth, mv, number } => {
            progress(Progress::Move { depth, mv: &game.write_move(root, *mv), number });
        }
    }
}

/// The report with its moves in the game's notation.
fn in_text<G: Game>(game: &G, root: &G::Position, report: &Report<MoveOf<G>>) -> Report {
    let ties = report.ties.iter().map(|&mv| game.write_move(root, mv));
    report.with_moves(line_in_text(game, root, &report.pv), ties.collect())
}

/// A line of moves in the game's notation.
fn line_in_text<G: Game>(game: &G, root: &G::Position, line: &[MoveOf<G>]) -> Vec<String> {
    let mut pos = root.clone();
    let in_text = line.iter().map(|&mv| {
        let text = game.write_move(&pos, mv);
        pos = pos.after(mv);
        text
    });
    in_text.collect()
}

/// FNV-1a over the game's name and the option values that its values depend on.
fn salt(name: &str, options: &Options) -> u64 {
    let mut text = name.to_owned();
    for (row, value) in options.shaping() {
        text.push_str(&format!(";{}={value}", row.name));
    }
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
