//! [`Engine`]: a search set up over a board, and its one implementation for every game.

use crate::core::solution::{Claim, Solution, SolveRequest, Uncertified};
use crate::core::tree::{Room, SearchTree};
use crate::core::{Game, MoveOf, NodeCounts, Position, Progress, Report, Request, StopFlag};
use crate::search::Searcher;
use crate::search::entry::Entry;

/// A search set up over a board. It blocks, and does no input or output of its own.
pub trait Engine: Send {
    /// Searches until a limit is reached or the flag is raised, and tells each iteration on the way.
    /// Returns a report for each line asked for, the best first, never none: the first holds the move to play, a legal
    /// one however early the search was stopped.
    fn search(&mut self, request: &Request, stop: &StopFlag, progress: &mut dyn FnMut(Progress<'_>)) -> Vec<Report>;

    /// What a report of a search over all moves says of the board's position, as its table would keep it: the key and the
    /// entry.
    fn root_entry(&self, report: &Report) -> (u64, Entry);

    /// The same by one thread, for one line, with the tree of the last iteration that the report tells of.
    fn record(
        &mut self,
        request: &Request,
        room: Room,
        stop: &StopFlag,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> (Vec<Report>, SearchTree);

    /// The same by one thread, for one line, with the [counts](crate::search::trace::NodeCounter) of what was done.
    fn count(&mut self, request: &Request, stop: &StopFlag) -> (Vec<Report>, NodeCounts);

    /// Searches for the exact value until it is known, a limit is reached or the flag is raised, and tells what is known
    /// on the way.
    fn solve(&mut self, request: &SolveRequest, stop: &StopFlag, progress: &mut dyn FnMut(&Solution)) -> Solution;

    /// Searches for the exact value, then tells a proof of it that rests on the rules alone: the claim about the board's
    /// position first, every other after all those that rest on it, each position once, finished ones not at all. The
    /// limits count for the search and for the proof, each.
    ///
    /// # Errors
    /// Why there is no such proof; nothing has been told then.
    fn certify(
        &mut self,
        task: &SolveRequest,
        stop: &StopFlag,
        on_claim: &mut dyn FnMut(&Claim),
    ) -> Result<(), Uncertified>;
}

/// The one implementation of [`Engine`].
pub(super) struct GameEngine<G: Game> {
    pub(super) game: G,
    pub(super) root: G::Position,
    pub(super) searcher: Searcher<G::Position, G::Heuristics>,
}

impl<G: Game> Engine for GameEngine<G> {
    fn search(&mut self, request: &Request, stop: &StopFlag, progress: &mut dyn FnMut(Progress<'_>)) -> Vec<Report> {
        let Self { game, root, searcher } = self;
        let lines = searcher.search(root, request, stop, &mut |event| report(game, root, event, progress));
        lines.iter().map(|report| in_text(game, root, report)).collect()
    }

    fn root_entry(&self, report: &Report) -> (u64, Entry) {
        let Self { game, root, searcher } = self;
        let best = report.best().and_then(|best| game.read_move(root, best));
        searcher.root_entry(root, &report.with_moves(best.into_iter().collect(), Vec::new()))
    }

    fn record(
        &mut self,
        request: &Request,
        room: Room,
        stop: &StopFlag,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> (Vec<Report>, SearchTree) {
        let Self { game, root, searcher } = self;
        let (lines, tree) =
            searcher.record(root, request, room, stop, &mut |event| report(game, root, event, progress));
        let lines = lines.iter().map(|report| in_text(game, root, report)).collect();
        (lines, tree.renamed(root, |pos, mv| game.write_move(pos, mv)))
    }

    fn count(&mut self, request: &Request, stop: &StopFlag) -> (Vec<Report>, NodeCounts) {
        let Self { game, root, searcher } = self;
        let (lines, counts) = searcher.count(root, request, stop);
        (lines.iter().map(|report| in_text(game, root, report)).collect(), counts)
    }

    fn solve(&mut self, task: &SolveRequest, stop: &StopFlag, progress: &mut dyn FnMut(&Solution)) -> Solution {
        let Self { game, root, searcher } = self;
        let in_text = |solution: &Solution<MoveOf<G>>| {
            let moves = solution.moves.iter().map(|&(mv, bounds)| (game.write_move(root, mv), bounds));
            solution.with_moves(line_in_text(game, root, &solution.pv), moves.collect())
        };
        in_text(&searcher.solve(root, task, stop, &mut |solution| progress(&in_text(solution))))
    }

    fn certify(
        &mut self,
        task: &SolveRequest,
        stop: &StopFlag,
        on_claim: &mut dyn FnMut(&Claim),
    ) -> Result<(), Uncertified> {
        let Self { game, root, searcher } = self;
        searcher.certify(root, task, stop, &|pos| game.write(pos), &mut |Claim { position, bounds, moves }| {
            let moves = moves.iter().map(|&mv| game.write_move(position, mv)).collect();
            on_claim(&Claim { position: game.write(position), bounds: *bounds, moves });
        })
    }
}

/// Tells what a search says with its moves in the game's notation.
fn report<G: Game>(
    game: &G,
    root: &G::Position,
    event: Progress<'_, MoveOf<G>>,
    progress: &mut dyn FnMut(Progress<'_>),
) {
    match event {
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
