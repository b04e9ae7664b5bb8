//! [`Engine`]: a search set up over a board, and its only implementation.

use crate::core::position::{legal_moves, move_of, moves_of};
#[cfg(not(target_family = "wasm"))]
use crate::core::solution::{Claim, Uncertified};
use crate::core::solution::{Solution, SolveRequest};
use crate::core::tree::{Room, SearchTree};
use crate::core::{Game, MoveOf, NodeCounts, Notation, Position, Progress, Report, Request, StopFlag};
use crate::search::Searcher;
use crate::search::entry::Entry;

/// A search set up over a board. Calls block; the engine itself does no input or output.
pub trait Engine: Send {
    /// Searches until a limit is reached or the flag is raised, and reports every iteration to `progress`. Returns one
    /// report per requested line, the best first, and at least one. The first report always has a legal move to play,
    /// however early the search was stopped.
    fn search(&mut self, request: &Request, stop: &StopFlag, progress: &mut dyn FnMut(Progress<'_>)) -> Vec<Report>;

    /// Returns the key and the table entry that correspond to a report of a search over all moves of the board's
    /// position.
    fn root_entry(&self, report: &Report) -> (u64, Entry);

    /// Searches with one thread, for one line, and records the tree of the last iteration reported. Its moves are
    /// codes, which [`Analysis::named`](super::Analysis::named) converts: that takes as long as playing all of them.
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
        task: &SolveRequest,
        stop: &StopFlag,
        on_claim: &mut dyn FnMut(&Claim),
    ) -> Result<(), Uncertified>;
}

type SearcherOf<G> = Searcher<<G as Game>::Position, <G as Game>::Heuristics>;

pub(super) struct GameEngine<G: Notation> {
    pub(super) game: G,
    pub(super) root: G::Position,
    pub(super) searcher: SearcherOf<G>,
}

impl<G: Notation> GameEngine<G> {
    /// Runs a search, with the moves of its reports in the game's notation. Returns the last reports, and the other
    /// result of the search. The moves of the last reports are written only once: that takes time in a game in Python.
    fn in_text<T>(
        &mut self,
        progress: &mut dyn FnMut(Progress<'_>),
        search: impl FnOnce(&mut SearcherOf<G>, &G::Position, &mut dyn FnMut(Progress<'_, u16>)) -> T,
    ) -> (Vec<Report>, T) {
        let Self { game, root, searcher } = self;
        let mut reports = Vec::new();
        let found = search(searcher, root, &mut |event| match event {
            Progress::Line(report) => progress(Progress::Line(&report_in_text(game, root, report))),
            Progress::Move { depth, mv, number } => {
                if let Some(mv) = move_of(root, *mv) {
                    progress(Progress::Move { depth, mv: &game.write_move(root, mv), number });
                }
            }
            Progress::Result(found) => {
                reports = found.iter().map(|report| report_in_text(game, root, report)).collect();
                progress(Progress::Result(&reports));
            }
        });
        (reports, found)
    }
}

impl<G: Notation> Engine for GameEngine<G> {
    fn search(&mut self, request: &Request, stop: &StopFlag, progress: &mut dyn FnMut(Progress<'_>)) -> Vec<Report> {
        self.in_text(progress, |searcher, root, progress| searcher.search(root, request, stop, progress)).0
    }

    fn root_entry(&self, report: &Report) -> (u64, Entry) {
        let Self { game, root, searcher } = self;
        let best = report.best().and_then(|best| game.read_move(root, best));
        searcher.root_entry(root, &report.with_moves(best.map(|mv| root.code(mv)).into_iter().collect(), Vec::new()))
    }

    fn record(
        &mut self,
        request: &Request,
        room: Room,
        stop: &StopFlag,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> (Vec<Report>, SearchTree<u16>) {
        self.in_text(progress, |searcher, root, progress| searcher.record(root, request, room, stop, progress).1)
    }

    fn count(&mut self, request: &Request, stop: &StopFlag) -> (Vec<Report>, NodeCounts) {
        self.in_text(&mut |_| {}, |searcher, root, progress| searcher.count(root, request, stop, progress).1)
    }

    fn solve(&mut self, task: &SolveRequest, stop: &StopFlag, progress: &mut dyn FnMut(&Solution)) -> Solution {
        let Self { game, root, searcher } = self;
        let in_text = |solution: &Solution<MoveOf<G>>| {
            let moves = solution.moves.iter().map(|&(mv, bounds)| (game.write_move(root, mv), bounds));
            solution.with_moves(line_in_text(game, root, &solution.pv), moves.collect())
        };
        in_text(&searcher.solve(root, task, stop, &mut |solution| progress(&in_text(solution))))
    }

    #[cfg(not(target_family = "wasm"))]
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

fn report_in_text<G: Notation>(game: &G, root: &G::Position, report: &Report<u16>) -> Report {
    let mut ties = Vec::new();
    if !report.ties.is_empty() {
        // Both are in the game's order, and there may be thousands.
        let mut next = report.ties.iter().peekable();
        let mut moves = legal_moves(root);
        moves.retain(|&mv| next.next_if(|&&code| code == root.code(mv)).is_some());
        ties = moves.into_iter().map(|mv| game.write_move(root, mv)).collect();
    }
    report.with_moves(line_in_text(game, root, &moves_of(root, &report.pv)), ties)
}

fn line_in_text<G: Notation>(game: &G, root: &G::Position, line: &[MoveOf<G>]) -> Vec<String> {
    let mut pos = root.clone();
    let in_text = line.iter().map(|&mv| {
        let text = game.write_move(&pos, mv);
        pos.play(mv);
        text
    });
    in_text.collect()
}
