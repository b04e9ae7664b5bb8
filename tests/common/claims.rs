//! Checks of everything that a search reports of a position against the true values.

use super::Random;
use secateurs::core::position::move_of;
use secateurs::core::score::{self, Score};
use secateurs::core::{
    Bound, Bounds, Heuristics, Limits, Parameters, Position, Progress, Report, Request, StopFlag, Ties,
};
use secateurs::search::{Searcher, Table};
use std::cell::RefCell;
use std::sync::Arc;

/// The totals of what has been checked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Totals {
    pub positions: usize,
    pub reports: usize,
    pub lower: usize,
    pub upper: usize,
    pub exact: usize,
    /// Lines played to the end of the game.
    pub ends: usize,
    /// Sets of best moves.
    pub ties: usize,
    /// Positions whose static lower bound is kept for certain by one move and lost by another.
    pub promises: usize,
}

/// A position and a function that returns the true value of any position for its side to move.
pub struct Case<'a, P: Position> {
    pub name: String,
    pub root: &'a P,
    pub truth: &'a dyn Fn(&P) -> Score,
}

/// Returns a random request: to a depth, to the ends of the game or to a number of nodes; with any threads, lines,
/// moves and ties.
pub fn random_request<P: Position>(pos: &P, random: &mut Random) -> Request {
    let limits = match random.below(4) {
        0 | 1 => Limits::depth(255),
        2 => Limits::depth(1 + random.below(8) as u8),
        _ => {
            let drawn = random.below(300) as u64;
            let nodes = *random.pick(&[0, 1, 2, 5, 20, 50, 200, drawn]);
            Limits { nodes: Some(nodes), ..Limits::default() }
        }
    };
    let mut moves = Vec::new();
    if random.chance(30) {
        moves = legal(pos).into_iter().filter(|_| random.chance(50)).map(|mv| pos.code(mv)).collect();
    }
    let ties = [Ties::First, Ties::First, Ties::All, Ties::Random(random.next())];
    let lines = if random.chance(50) { 1 } else { 2 + random.below(2) };
    let threads = if random.chance(60) { 1 } else { 2 + random.below(2) };
    let aspiration = [None, Some(1), Some(1_000)][moves.len() % 3];
    Request { limits, moves, lines, threads, ties: *random.pick(&ties), aspiration, parameters: Parameters::default() }
}

/// Searches, checks every report and the result, and returns the result.
pub fn check<P, H>(
    case: &Case<'_, P>,
    oracle: &H,
    table: &Arc<Table>,
    request: &Request,
    totals: &mut Totals,
) -> Vec<Report<u16>>
where
    P: Position,
    H: Heuristics<P>,
{
    let reports = RefCell::new(Vec::new());
    let mut searcher = Searcher::new(oracle.clone(), Arc::clone(table));
    let returned = searcher.search(case.root, request, &StopFlag::new(), &mut |reported_now| {
        if let Progress::Line(report) = reported_now {
            reports.borrow_mut().push(report.clone());
        }
    });
    let reports = reports.into_inner();
    assert!(!reports.is_empty(), "{}: a report precedes every result", case.name);
    for report in reports.iter().chain(&returned) {
        case.claim(request, report, totals);
    }
    case.end(request, &returned, totals);
    case.check_move(oracle, request, &returned, totals);
    totals.positions += 1;
    returned
}

impl<P: Position> Case<'_, P> {
    /// Returns the value of a position `ply` plies below the root, as the root sees it.
    fn seen(&self, pos: &P, ply: usize) -> Score {
        let value = score::from_node((self.truth)(pos), ply as Score);
        if pos.turn() == self.root.turn() { value } else { -value }
    }

    /// Returns the codes of the moves that a request admits, with their true values.
    fn values(&self, request: &Request) -> Vec<(u16, Score)> {
        let mut moves = legal(self.root);
        if moves.iter().any(|&mv| request.moves.contains(&self.root.code(mv))) {
            moves.retain(|&mv| request.moves.contains(&self.root.code(mv)));
        }
        moves.into_iter().map(|mv| (self.root.code(mv), self.seen(&self.root.after(mv), 1))).collect()
    }

    /// Checks that every proof is true and every line legal, and that a line with a proven value keeps it.
    fn claim(&self, request: &Request, report: &Report<u16>, totals: &mut Totals) {
        let context = || format!("{}: {request:?}: {report:?}", self.name);
        let values = self.values(request);
        let whole = report.line == 1;
        let line = self.line(report);
        let best = || values.iter().map(|&(_, value)| value).max().unwrap_or_else(|| self.seen(self.root, 0));
        let truth = if whole || line.len() == 1 { best() } else { self.seen(&line[1], 1) };
        let proof = report.proof;
        assert!(!proof.lower() || truth >= report.score, "truth {truth}: {}", context());
        assert!(!proof.upper() || truth <= report.score, "truth {truth}: {}", context());
        if proof.exact() {
            assert!(report.bound == Bound::Exact || !whole || request.ties != Ties::First, "{}", context());
            // The line of a failed aspiration window is that of the iteration before it.
            let holds = report.bound != Bound::Exact
                || line.iter().enumerate().skip(1).all(|(ply, pos)| self.seen(pos, ply) == report.score);
            assert!(holds, "the line does not keep the value: {}", context());
        }
        if let Some(&best) = report.best() {
            assert!(values.iter().any(|&(mv, _)| mv == best), "not one of the requested moves: {}", context());
        }
        assert!(report.wdl.is_none_or(|chances| chances.iter().sum::<u16>() == 1_000), "{}", context());
        assert!(report.ties.is_empty() || report.line == 1 && request.ties != Ties::First, "{}", context());
        totals.reports += 1;
        totals.lower += usize::from(proof.lower() && !proof.exact());
        totals.upper += usize::from(proof.upper() && !proof.exact());
        totals.exact += usize::from(proof.exact());
    }

    /// Returns the positions of a line, the root first, and checks that each move is legal.
    fn line(&self, report: &Report<u16>) -> Vec<P> {
        let mut line = vec![self.root.clone()];
        for &code in &report.pv {
            let pos = &line[line.len() - 1];
            let Some(mv) = move_of(pos, code) else { panic!("{}: {code} is illegal in {report:?}", self.name) };
            line.push(pos.after(mv));
        }
        line
    }

    /// Checks the result: as many lines as requested, each with its own move, the best first. A search to the ends of
    /// the game proves each line. A line with a proven value is played to its end, unless the nodes ran out. Where
    /// positions repeat, that holds for wins and losses, and if one thread alone has used the table.
    fn end(&self, request: &Request, returned: &[Report<u16>], totals: &mut Totals) {
        let context = || format!("{}: {request:?}: {returned:#?}", self.name);
        let mut values = self.values(request);
        assert_eq!(returned.len(), request.lines.min(values.len()).max(1), "{}", context());
        for (index, report) in returned.iter().enumerate() {
            assert_eq!(report.line, index + 1, "{}", context());
            let before = &returned[..index];
            assert!(before.iter().all(|other| other.best() != report.best()), "one move twice: {}", context());
            assert!(before.iter().all(|other| other.score >= report.score), "not by score: {}", context());
            assert_eq!(report.best().is_none(), values.is_empty(), "{}", context());
            let is_shown = !P::CYCLIC || request.threads == 1 && report.score != 0;
            let is_whole = request.limits.nodes.is_none() && is_shown;
            if report.proof.exact() && is_whole {
                let line = self.line(report);
                let end = &line[line.len() - 1];
                assert!(end.is_over() || end.is_drawn(), "line {} is cut short: {}", index + 1, context());
                totals.ends += 1;
            }
        }
        if request.ties != Ties::First && !values.is_empty() && returned[0].proof.exact() {
            let best = returned[0].score;
            let equal: Vec<_> = values.iter().filter(|&&(_, value)| value == best).map(|&(mv, _)| mv).collect();
            let settled = request.limits == Limits::depth(255) || !returned[0].ties.is_empty();
            assert!(!settled || returned[0].ties == equal, "ties {equal:?}: {}", context());
            totals.ties += 1;
        }
        if request.limits == Limits::depth(255) {
            let truths = values.clone();
            values.sort_by_key(|&(_, value)| -value);
            for (report, (_, value)) in returned.iter().zip(values) {
                assert!(report.proof.exact(), "line {} is not proven: {}", report.line, context());
                assert_eq!(report.score, value, "line {} of {truths:?}: {}", report.line, context());
            }
        }
    }

    /// Checks that the move played keeps the static lower bound of the position where static bounds show that some move
    /// does, unless the search expects more of it. Where the search proves more than the static bound, the move played
    /// must be the one that attains it. Both hold however early a search ends.
    fn check_move<H: Heuristics<P>>(
        &self,
        oracle: &H,
        request: &Request,
        returned: &[Report<u16>],
        totals: &mut Totals,
    ) {
        let (values, all) = (self.values(request), legal(self.root).len());
        let [report] = returned else { return };
        if request.lines > 1 || values.len() < all || all == 0 {
            return;
        }
        let lower = oracle.static_bounds(self.root).lower;
        let (best, hoped) = (report.pv[0], report.score > lower);
        let keeps = |score| values.iter().any(|&(mv, value)| mv == best && value >= score);
        if request.ties != Ties::First {
            // The proof is about the move, for it is listed alone as a best one.
            let wrong = report.ties.is_empty() && report.proof.lower() && !keeps(report.score);
            assert!(!wrong, "the move does not have the value: {}: {request:?}: {report:?}", self.name);
            return;
        }
        let shown = hoped && report.proof.lower();
        assert!(
            !shown || keeps(report.score),
            "the move has no part in the proof: {}: {request:?}: {report:?}",
            self.name
        );
        let sure = |pos: &P| {
            let outcome = || Bounds::exactly(pos.outcome().score());
            let known = if pos.is_over() { outcome() } else { oracle.static_bounds(pos) }.from_node(1);
            if pos.turn() == self.root.turn() { known.lower } else { -known.upper }
        };
        let keeps_for_sure =
            |&(code, _): &(u16, Score)| move_of(self.root, code).is_some_and(|mv| sure(&self.root.after(mv)) >= lower);
        if !values.iter().any(keeps_for_sure) {
            return;
        }
        assert!(keeps(lower) || hoped, "{lower} is given away: {}: {request:?}: {report:?}", self.name);
        totals.promises += usize::from(values.iter().any(|&(_, value)| value < lower));
    }
}

pub fn legal<P: Position>(pos: &P) -> Vec<P::Move> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    moves
}
