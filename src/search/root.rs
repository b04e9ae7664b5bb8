//! The root of a search, for one thread: it deepens, searches the moves in aspiration windows, and reports. Moves are
//! codes.

use super::alpha_beta::Subtrees;
use super::best_line::{BestLine, RootLine, Window};
use super::multipv::{choose, rank};
use super::pace::Pace;
use super::root_moves::{RootMove, RootMoves};
use super::trace::Entered;
use super::value::Value;
use super::worker::Aborted;
use crate::core::report::Bound;
use crate::core::score::{self, INFINITE, MAX_PLY, Score};
use crate::core::tree::SearchKind;
use crate::core::{Limits, Progress, Proof, Report, Request, Ties};
use std::time::Duration;

/// The time from which root moves are reported; earlier they would be noise.
const LONG: Duration = Duration::from_secs(3);

type OnProgress<'s> = dyn FnMut(Progress<'_, u16>) + 's;

pub(super) struct RootSearch<'s, 'a> {
    search: &'s mut dyn Subtrees<'a>,
    moves: RootMoves,
    /// Takes the events of the search; `None` in threads that only help.
    progress: Option<&'s mut OnProgress<'s>>,
    /// The line last reported for each of the best moves that get one.
    reported: Vec<Vec<u16>>,
}

impl<'s, 'a> RootSearch<'s, 'a> {
    pub(super) fn new(search: &'s mut dyn Subtrees<'a>, moves: RootMoves, lines: usize) -> Self {
        let lines = lines.min(moves.list.len()).max(1);
        Self { search, moves, progress: None, reported: vec![Vec::new(); lines] }
    }

    pub(super) fn reporting_to(self, progress: &'s mut OnProgress<'s>) -> Self {
        Self { progress: Some(progress), ..self }
    }

    /// Deepens until the search ends, and returns the last report of each line (iterative deepening: Slate and Atkin
    /// 1977).
    pub(super) fn deepen(mut self, request: &Request, depths: Depths) -> Vec<Report<u16>> {
        if self.moves.list.is_empty() {
            return vec![self.report(0, &RootLine::at_end(&self.moves))];
        }
        let count = self.reported.len();
        // Read now: a shallow iteration replaces the entry of an earlier search.
        let proven = self.search.proven_bounds();
        // A legal move to play and report if the search is stopped before its first iteration ends.
        let mut lines: Vec<_> = (0..count).map(|line| RootLine::first_guess(&self.moves, line)).collect();
        let mut pace = Pace::default();
        for depth in depths.iter() {
            let worker = self.search.worker();
            if depth > 1 && !worker.budget.allows_iteration(pace.factor()) {
                break;
            }
            if let Some(trace) = &mut worker.trace {
                trace.iteration(depth);
            }
            worker.tally.seldepth = 0;
            let mut found = Vec::new();
            let finished = (0..count).try_for_each(|line| self.aspire(depth, line, &mut found));
            // With several lines an iteration counts only if all are complete.
            if found.len() == count && (count == 1 || finished.is_ok()) {
                lines = found;
                rank(&mut self.moves, &mut lines);
                if count > 1 {
                    for (line, found) in lines.iter().enumerate() {
                        self.report(line, found);
                    }
                }
            }
            if let Err(Aborted) = finished {
                self.search.reset();
                break;
            }
            let (first, best, worker) = (&self.moves.list[0], lines[0].value, self.search.worker());
            pace.update(first.code, best.score, first.nodes as f64 / worker.tally.nodes.max(1) as f64);
            let is_settled = lines.iter().all(|found| found.is_settled);
            // A capture at the horizon may lead to a longer win than the one that is searched for.
            let is_within = |plies| score::distance(best.score).is_none_or(|distance| distance <= plies);
            let is_won = best.score > 0 && best.proof.lower() && request.limits.mate_plies().is_some_and(is_within);
            if is_settled || is_won || (worker.budget.is_clocked() && self.moves.list.len() == 1) {
                break;
            }
        }
        if let Ties::Random(seed) = request.ties {
            choose(&self.moves, &mut lines, seed ^ self.moves.facts.key);
        }
        if let [first] = &mut lines[..]
            && (request.ties == Ties::First || first.ties.is_empty())
        {
            first.keep_bounds(self.search, &self.moves, proven);
        }
        for found in &mut lines {
            found.complete_pv(self.search);
        }
        // The last report of every line is the one returned.
        let last = |(line, found): (usize, &RootLine)| {
            if found.pv == self.reported[line] { self.describe(line, found) } else { self.report(line, found) }
        };
        let reports: Vec<_> = lines.iter().enumerate().map(last).collect();
        let Report { depth, score, nodes, fails_low, fails_high, .. } = &reports[0];
        log::debug!("depth {depth} score {score} nodes {nodes} fails low {fails_low} high {fails_high}");
        reports
    }

    /// Deepens as helper thread `number` until the search ends, to fill the shared table. Where threads do not defer
    /// moves to each other, every second one is a ply ahead.
    pub(super) fn help(mut self, number: usize, depths: Depths) {
        let ahead = if self.search.worker().tuning.depends_on_order() { number % 2 } else { 0 };
        let mut found = Vec::new();
        for depth in depths.iter().skip(ahead) {
            for line in 0..self.reported.len() {
                if self.aspire(depth, line, &mut found).is_err() {
                    return;
                }
            }
        }
    }

    /// Searches a line of an iteration with aspiration windows around its last value, widening the side that failed,
    /// until the value is inside. The last result becomes the last of `found`.
    fn aspire(&mut self, depth: u8, line: usize, found: &mut Vec<RootLine>) -> Result<(), Aborted> {
        let guess = self.moves.list[line].score;
        let width = self.search.worker().tuning.aspiration;
        let (mut below, mut above) = (width, width);
        let is_narrow = depth > 1 && !score::is_decisive(guess);
        loop {
            let alpha = if is_narrow && guess - below > -score::MAX_EVALUATION { guess - below } else { -INFINITE };
            let beta = if is_narrow && guess + above < score::MAX_EVALUATION { guess + above } else { INFINITE };
            let (result, is_aborted) = match self.search_moves(Window { depth, line, alpha, beta }) {
                Ok(result) => (result, false),
                Err(so_far) => (so_far.ok_or(Aborted)?, true),
            };
            let (score, bound) = (result.value.score, result.bound);
            log::trace!("depth {depth}: {bound:?} {score} of {alpha}..{beta}");
            found.truncate(line);
            found.push(result);
            let (tally, result) = (&mut self.search.worker().tally, &mut found[line]);
            match bound {
                _ if is_aborted => {}
                Bound::Upper => {
                    tally.fails_low += 1;
                    below = widened(below, guess - score);
                }
                Bound::Lower => {
                    tally.fails_high += 1;
                    above = widened(above, score - guess);
                }
                Bound::Exact => {
                    result.extend_pv(self.search);
                    self.moves.list[line].pv.clone_from(&result.pv);
                    self.moves.list[line].score = score;
                }
            }
            if self.progress.is_some() && self.reported.len() == 1 {
                self.report(line, result);
            }
            match bound {
                _ if is_aborted => return Err(Aborted),
                Bound::Exact => return Ok(()),
                _ => {}
            }
        }
    }

    /// Searches the moves of a line in order, until one ends the window. If the search is aborted, returns the result
    /// so far, if there is a reliable one.
    fn search_moves(&mut self, window: Window) -> Result<RootLine, Option<RootLine>> {
        let Window { depth, line, alpha, beta } = window;
        let node = Entered { turn: self.moves.facts.turn, ply: 0, depth: depth.into(), window: [alpha, beta] };
        if let Some(trace) = &mut self.search.worker().trace {
            trace.enter(&node, &|| self.moves.facts.static_value);
        }
        let mut best = BestLine::new(&self.moves, window);
        for index in line..self.moves.list.len() {
            let RootMove { code, .. } = self.moves.list[index];
            self.report_move(depth, code, index - line + 1);
            let (before, alpha) = (self.search.worker().tally.nodes, best.next_alpha());
            let Ok(value) = self.search_move(window, index, alpha, best.enough) else {
                let so_far = best.so_far(&self.moves);
                if let Some(trace) = &mut self.search.worker().trace {
                    trace.stopped(so_far.as_ref().map(|found| found.value));
                }
                return Err(so_far);
            };
            let worker = self.search.worker();
            self.moves.list[index].nodes += worker.tally.nodes - before;
            if value.score > alpha {
                self.moves.list[index].pv = worker.line(code, 1);
            }
            if best.add(&mut self.moves, index, value) {
                break;
            }
        }
        Ok(best.conclude(self.search, &mut self.moves))
    }

    /// Searches a move: the first one of the window up to beta, another one with a null window above `alpha`, reduced
    /// if it is a late one, and again if it raises alpha without reaching `enough`.
    fn search_move(&mut self, window: Window, index: usize, alpha: Score, enough: Score) -> Result<Value, Aborted> {
        let RootMove { code, place, .. } = self.moves.list[index];
        let (search, tried) = (&mut *self.search, index - window.line);
        let depth = i32::from(window.depth) - 1;
        if tried > 0 {
            let null_window = [alpha, alpha + 1];
            let reduction = if self.moves.seeks_ties { 0 } else { search.reduction(place, tried, depth + 1) };
            search.worker().trace_move(code, if reduction > 0 { SearchKind::Reduced } else { SearchKind::Null });
            let mut value = search.search(place, null_window, depth - reduction)?;
            if reduction > 0 && value.score > alpha {
                search.worker().trace_move(code, SearchKind::Null);
                value = search.search(place, null_window, depth)?;
            }
            if value.score <= alpha || value.score >= enough {
                return Ok(value);
            }
        }
        search.worker().trace_move(code, SearchKind::Full);
        search.search(place, [alpha, window.beta], depth)
    }

    fn report(&mut self, line: usize, found: &RootLine) -> Report<u16> {
        let report = self.describe(line, found);
        self.reported[line].clone_from(&found.pv);
        if let Some(progress) = &mut self.progress {
            progress(Progress::Line(&report));
        }
        report
    }

    /// Reports the move that is searched next, once the search has lasted for some time.
    fn report_move(&mut self, depth: u8, code: u16, number: usize) {
        if let Some(progress) = &mut self.progress
            && self.search.worker().budget.elapsed() >= LONG
        {
            progress(Progress::Move { depth, mv: &code, number });
        }
    }

    fn describe(&mut self, line: usize, found: &RootLine) -> Report<u16> {
        let Value { score, mut proof } = found.value;
        let mut ties = found.ties.clone();
        ties.sort_unstable_by_key(|tie| tie.place);
        let wdl = found.value.wdl(|| self.search.wdl(score));
        if self.moves.facts.is_ended {
            // Play after the end of the game proves nothing about its value.
            proof = Proof::NONE;
            ties.iter_mut().for_each(|tie| tie.proof = Proof::NONE);
        }
        let worker = self.search.worker();
        Report {
            depth: found.depth,
            seldepth: u8::try_from(worker.tally.seldepth).unwrap_or(MAX_PLY).max(found.depth),
            line: line + 1,
            score,
            window: found.window,
            bound: found.bound,
            proof,
            wdl,
            nodes: worker.budget.nodes(worker.tally.nodes),
            time: worker.budget.elapsed(),
            hashfull: worker.table.hashfull(),
            fails_low: worker.tally.fails_low,
            fails_high: worker.tally.fails_high,
            pv: found.pv.clone(),
            ties: ties.iter().map(|tie| tie.code).collect(),
            tie_proofs: ties.iter().map(|tie| tie.proof).collect(),
        }
    }
}

/// Returns the next half-width after a fail: twice as wide, and beyond the value that failed.
fn widened(width: Score, miss: Score) -> Score {
    (2 * width).max(miss + width)
}

#[derive(Clone, Copy)]
pub(super) struct Depths {
    last: u8,
    /// The iteration that the last depth follows directly.
    leap: Option<u8>,
}

impl Depths {
    /// Returns the depths within the limits. If the value of the game is searched (a depth of [`MAX_PLY`] and no other
    /// limit), the last depth follows iteration `leap` directly.
    pub(super) fn new(limits: &Limits, leap: Option<u8>) -> Self {
        let mate = limits.mate_plies().map_or(MAX_PLY, |plies| u8::try_from(plies).unwrap_or(MAX_PLY));
        let for_value = *limits == Limits::depth(MAX_PLY);
        Self { last: limits.depth.unwrap_or(MAX_PLY).min(mate), leap: leap.filter(|_| for_value) }
    }

    fn iter(self) -> impl Iterator<Item = u8> {
        (1..=self.last).filter(move |&depth| self.leap.is_none_or(|leap| depth <= leap) || depth == self.last)
    }
}
