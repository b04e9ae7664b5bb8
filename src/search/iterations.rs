//! Iterative deepening (Slate and Atkin 1977): the depths, the reports, and when to stop.

use super::pace::Pace;
use super::root::{Root, RootEvent, RootResult, RootTask};
use super::standing::{choose, rank};
use super::subtrees::Subtrees;
use super::value::Value;
use super::worker::Aborted;
use crate::core::report::Bound;
use crate::core::score::MAX_PLY;
use crate::core::{Bounds, Limits, Progress, Proof, Report, Request, Ties};
use std::time::Duration;

/// The time from which root moves are reported; earlier they would be noise.
const LONG: Duration = Duration::from_secs(3);

/// Deepens until the search ends, as thread `number`. Where threads do not defer moves to each other, every second one is
/// a ply ahead.
pub(super) fn help(search: &mut dyn Subtrees<'_>, number: usize, mut root: Root, lines: usize, depths: Depths) {
    let ahead = if search.worker().tuning.depends_on_order() { number % 2 } else { 0 };
    for depth in depths.iter().skip(ahead) {
        for line in 0..lines.clamp(1, root.moves.len()) {
            if root.aspire(search, RootTask { depth, line }, &mut |_, _| {}).is_err() {
                return;
            }
        }
    }
}

/// Deepens, reports, and returns the last report of each line.
pub(super) fn lead(
    search: &mut dyn Subtrees<'_>,
    mut root: Root,
    request: &Request,
    depths: Depths,
    progress: &mut dyn FnMut(Progress<'_, u16>),
) -> Vec<Report<u16>> {
    if root.moves.is_empty() {
        let last = report(search, 0, 0, &root.at_end());
        progress(Progress::Line(&last));
        return vec![last];
    }
    let count = request.lines.clamp(1, root.moves.len());
    // Read now: a shallow iteration replaces the entry of an earlier search.
    let proven = search.proven();
    // A legal move to play and report if the search is stopped before its first iteration ends.
    let mut lines: Vec<_> = (0..count).map(|line| (0, root.first_guess(line))).collect();
    let (mut reported, mut pace) = (vec![Vec::new(); count], Pace::default());
    for depth in depths.iter() {
        if depth > 1 && !search.worker().budget.allows_iteration(pace.factor()) {
            break;
        }
        let worker = search.worker();
        if let Some(trace) = &mut worker.trace {
            trace.iteration(depth);
        }
        worker.tally.seldepth = 0;
        let mut found = Vec::new();
        let finished = (0..count).try_for_each(|line| {
            root.aspire(search, RootTask { depth, line }, &mut |search, news| match news {
                RootEvent::Window(task, news) => {
                    if count == 1 {
                        reported[0].clone_from(&news.pv);
                        progress(Progress::Line(&report(search, depth, 0, &news)));
                    }
                    found.truncate(task.line);
                    found.push((depth, news));
                }
                RootEvent::Move { depth, code, number } => {
                    if search.worker().budget.elapsed() >= LONG {
                        progress(Progress::Move { depth, mv: &code, number });
                    }
                }
            })
        });
        // With several lines an iteration counts only if all are complete.
        if found.len() == count && (count == 1 || finished.is_ok()) {
            lines = found;
            rank(&mut root, &mut lines);
            if count > 1 {
                for (line, (_, found)) in lines.iter().enumerate() {
                    reported[line].clone_from(&found.pv);
                    progress(Progress::Line(&report(search, depth, line, found)));
                }
            }
        }
        if let Err(Aborted) = finished {
            search.clear();
            break;
        }
        let first = &root.moves[0];
        pace.update(first.code, lines[0].1.value.score, first.nodes as f64 / search.worker().tally.nodes.max(1) as f64);
        let settled = lines.iter().all(|(_, found)| found.settled);
        let best = lines[0].1.value;
        let won = request.limits.mate.is_some() && best.score > 0 && best.proof.lower();
        if settled || won || (search.worker().budget.is_clocked() && root.moves.len() == 1) {
            break;
        }
    }
    if let Ties::Random(seed) = request.ties {
        choose(&root, &mut lines, seed ^ root.facts.key);
    }
    if let [(_, first)] = &mut lines[..]
        && (request.ties == Ties::First || first.ties.is_empty())
        && root.is_of_position(0)
    {
        hold(search, &root, proven, first);
        if first.unshown && request.ties != Ties::First {
            // The value is that of the position. Whether it is that of the move is not known.
            first.value.proof = Proof::NONE;
        }
    }
    for (_, found) in &mut lines {
        search.complete(found.value, &mut found.pv);
    }
    // The last report of every line is the one returned.
    let numbered = lines.iter().enumerate();
    let reports: Vec<_> = numbered.map(|(line, (depth, found))| report(search, *depth, line, found)).collect();
    for last in reports.iter().filter(|last| last.pv != reported[last.line - 1]) {
        progress(Progress::Line(last));
    }
    let Report { depth, score, nodes, fails_low, fails_high, .. } = &reports[0];
    log::debug!("depth {depth} score {score} nodes {nodes} fails low {fails_low} high {fails_high}");
    reports
}

/// Replaces a move that may give away what is proven of the position, by an earlier search or by the rules, if another
/// move is known to keep it. A guess above the proven upper bound shows nothing.
fn hold(search: &mut dyn Subtrees<'_>, root: &Root, proven: Bounds, first: &mut RootResult) {
    let best = first.pv[0];
    let shown = if first.value.score > proven.upper { Value::guess(proven.upper) } else { first.value };
    if shown.shows_less(proven.lower)
        && let Some(code) = search.holding(proven.lower, best, false)
    {
        (first.value, first.bound) = (Value { score: proven.lower, proof: Proof::LOWER }, Bound::Lower);
        first.unshown = false;
        if code != best {
            first.pv = vec![code];
        }
    } else if first.unshown
        && let Some(code) = search.holding(root.facts.known.lower, best, true)
    {
        first.unshown = false;
        if code != best {
            first.pv = vec![code];
        }
    }
}

/// The depths of the iterations.
#[derive(Clone, Copy)]
pub(super) struct Depths {
    last: u8,
    leap: u8,
}

impl Depths {
    /// Returns the depths within the limits. If the value of the game is searched (a depth of [`MAX_PLY`] and no other
    /// limit), the last depth follows iteration `leap` directly.
    pub(super) fn new(limits: &Limits, leap: u8) -> Self {
        let mate =
            limits.mate.map_or(MAX_PLY, |moves| u8::try_from(2 * u32::from(moves.max(1)) - 1).unwrap_or(MAX_PLY));
        let for_value = *limits == Limits::depth(MAX_PLY);
        Self { last: limits.depth.unwrap_or(MAX_PLY).min(mate), leap: if for_value { leap } else { MAX_PLY } }
    }

    fn iter(self) -> impl Iterator<Item = u8> {
        (1..=self.last).filter(move |&depth| depth <= self.leap || depth == self.last)
    }
}

fn report(search: &mut dyn Subtrees<'_>, depth: u8, line: usize, found: &RootResult) -> Report<u16> {
    let mut ties = found.ties.clone();
    ties.sort_unstable_by_key(|tie| tie.place);
    let wdl = wdl(found.value, || search.wdl(found.value.score));
    let worker = search.worker();
    Report {
        depth,
        seldepth: u8::try_from(worker.tally.seldepth).unwrap_or(MAX_PLY).max(depth),
        line: line + 1,
        score: found.value.score,
        window: found.window,
        bound: found.bound,
        proof: found.value.proof,
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

/// Returns the chances of a win, a draw and a loss: the game's guess, limited by the proof.
fn wdl(value: Value, guess: impl FnOnce() -> Option<[u16; 3]>) -> Option<[u16; 3]> {
    let Value { score, proof } = value;
    let (not_lost, not_won) = (score >= 0 && proof.lower(), score <= 0 && proof.upper());
    if score > 0 && not_lost {
        Some([1000, 0, 0])
    } else if score < 0 && not_won {
        Some([0, 0, 1000])
    } else if not_lost && not_won {
        Some([0, 1000, 0])
    } else {
        guess().map(|[win, draw, loss]| match (not_lost, not_won) {
            (true, _) => [win, draw + loss, 0],
            (_, true) => [0, draw + win, loss],
            _ => [win, draw, loss],
        })
    }
}
