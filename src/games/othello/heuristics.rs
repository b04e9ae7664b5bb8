//! The heuristics of Othello: evaluation, move ordering, bounds, search parameters.

use super::bits::{odd, squares};
use super::endgame;
use super::evaluation::{corners, frontier, terms};
use super::fitted;
use super::patterns::PatternNumbers;
use super::rules::{Disc, Discs, Size, mixed};
use super::stability;
use super::symmetry::{image_of, least};
use crate::core::chances::WinModel;
use crate::core::score::{self, Score, UNIT};
use crate::core::{Bounds, Evaluation, Linear, MoveOrdering, Position, Pruning, SmallTable, Solver, Tuning};

/// The heuristics of Othello.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OthelloHeuristics;

/// The chances of a win by the score and the share of the squares that are taken. Fitted by `benches/wdl.py` on 8 x 8.
const CHANCES: WinModel = WinModel { even_lead: [0.569, 0.087], scale: [4.635, -3.753] };

/// The score of a move to a corner.
const CORNER: i32 = 1 << 15;

/// The reduction of a move's score for each move that it leaves the opponent.
const REPLY: i32 = 1 << 10;

/// The number of discs up to which tables merge a position with its images. Later, images seldom meet.
const EARLY: u32 = 12;

impl Evaluation<Discs> for OthelloHeuristics {
    type State = PatternNumbers;

    fn evaluate(&self, pos: &Discs) -> Score {
        self.evaluate_with(pos, &self.refresh(pos))
    }

    #[inline]
    fn refresh(&self, pos: &Discs) -> PatternNumbers {
        if pos.size() == Size::Eight { PatternNumbers::new(pos) } else { PatternNumbers::default() }
    }

    #[inline]
    fn update(&self, numbers: &PatternNumbers, pos: &Discs, mv: Disc, after: &Discs) -> PatternNumbers {
        if pos.size() == Size::Eight { numbers.after(pos, mv, after) } else { PatternNumbers::default() }
    }

    /// Within the largest lead possible on the board.
    #[inline]
    fn evaluate_with(&self, pos: &Discs, numbers: &PatternNumbers) -> Score {
        let sum = if pos.size() == Size::Eight {
            fitted::evaluate(pos, numbers)
        } else {
            terms(pos).iter().map(|(_, value)| value).sum()
        };
        sum.clamp(-most(pos), most(pos))
    }

    fn wdl(&self, pos: &Discs, score: Score) -> Option<[u16; 3]> {
        let [vacant, all] = [pos.vacant(), pos.size().board()].map(|squares| f64::from(squares.count_ones()));
        Some(CHANCES.wdl(score, 1.0 - vacant / all))
    }

    fn explain(&self, pos: &Discs) -> Vec<(&'static str, Score)> {
        let mut parts = if pos.size() == Size::Eight { fitted::explain(pos) } else { terms(pos).to_vec() };
        let sum: Score = parts.iter().map(|(_, value)| value).sum();
        parts.push(("limit", sum.clamp(-most(pos), most(pos)) - sum));
        parts
    }

    fn linear(&self, pos: &Discs) -> Option<Linear> {
        (pos.size() == Size::Eight).then(|| fitted::linear(pos))
    }

    fn parameters(&self) -> Vec<f64> {
        fitted::parameters()
    }

    fn source(&self, parameters: &[f64]) -> Option<Vec<u8>> {
        Some(fitted::file(parameters))
    }
}

/// Returns the value of a position by a full-width search, one or two moves deep, and the evaluation.
fn shallow(pos: &Discs, numbers: &PatternNumbers, depth: u32, alpha: Score, beta: Score) -> Score {
    if depth == 0 {
        return OthelloHeuristics.evaluate_with(pos, numbers);
    }
    if pos.is_over() {
        return pos.outcome().score();
    }
    if pos.mobile() == 0 {
        return -shallow(&pos.after(Disc::PASS), numbers, depth, -beta, -alpha);
    }
    let mut best = -score::INFINITE;
    for square in squares(pos.mobile()) {
        let mv = Disc(square as u8);
        let after = pos.after(mv);
        let numbers = OthelloHeuristics.update(numbers, pos, mv, &after);
        best = best.max(-shallow(&after, &numbers, depth - 1, -beta, -alpha.max(best)));
        if best >= beta {
            break;
        }
    }
    best
}

/// Whether tables merge the position with its images.
fn is_early(pos: &Discs) -> bool {
    (pos.own() | pos.opposing()).count_ones() <= EARLY
}

/// Returns the discs of the side to move and of its opponent in the image of the position that represents it in tables.
pub(super) fn representative(pos: &Discs) -> [u64; 2] {
    if is_early(pos) { least(pos.own(), pos.opposing()).0 } else { [pos.own(), pos.opposing()] }
}

/// Returns the depth of the search that orders the moves of exact search, by the number of vacant squares after them.
fn ordering_depth(vacant: u32) -> u32 {
    match vacant {
        0..13 => 0,
        13..16 => 1,
        _ => 2,
    }
}

/// Returns the largest lead on the board in centi-units.
fn most(pos: &Discs) -> Score {
    UNIT * pos.size().board().count_ones().cast_signed()
}

impl MoveOrdering<Discs> for OthelloHeuristics {
    /// Corners first, then by the number of the opponent's replies.
    #[inline]
    fn move_score(&self, pos: &Discs, mv: Disc) -> i32 {
        let after = pos.after(mv);
        let replies = after.mobile().count_ones().cast_signed();
        CORNER * i32::from(mv.bit() & corners(pos.size().board()) != 0) - REPLY * replies
    }
}

impl Pruning<Discs> for OthelloHeuristics {
    /// Measured on 8 x 8 (docs/strength.md).
    fn tuning(&self) -> Tuning {
        Tuning {
            aspiration: 3 * UNIT,
            guess_depth: 4,
            table_depth: 2,
            history: false,
            late_reduction: Some(3),
            late_reduction_base: 50,
            late_reduction_growth: 40,
            reverse_futility: 6,
            reverse_futility_margin: 2 * UNIT,
            ..Tuning::default()
        }
    }
}

impl Solver<Discs> for OthelloHeuristics {
    #[inline]
    fn bounds(&self, pos: &Discs) -> Bounds {
        Bounds { lower: -most(pos), upper: most(pos) }
    }

    /// Stable discs stay with their owner. They are counted only if the lead in question is large.
    #[inline]
    fn expensive_bounds(&self, pos: &Discs, alpha: Score) -> Bounds {
        let mut bounds = self.bounds(pos);
        let sure = |own, other| 2 * UNIT * stability::count(own, other, pos.size()).cast_signed();
        let least = 2 * UNIT * (pos.vacant().count_ones().cast_signed() - 10);
        if alpha >= least {
            bounds.upper -= sure(pos.opposing(), pos.own());
        }
        if alpha < -least {
            bounds.lower += sure(pos.own(), pos.opposing());
        }
        bounds
    }

    /// All leads are even, because the number of squares is, and the vacant ones count for the winner.
    #[inline]
    fn least_possible(&self, _pos: &Discs, at_least: Score) -> Score {
        (at_least + 2 * UNIT - 1).div_euclid(2 * UNIT) * 2 * UNIT
    }

    /// A search of one or two plies, then the opponent's moves, discs that give it moves later, stable discs, and
    /// squares in quarters with an odd number of vacant ones.
    #[inline]
    fn child_score(&self, pos: &Discs, mv: Disc, after: &Discs) -> i32 {
        let count = |set: u64| set.count_ones().cast_signed();
        let (vacant, board) = (after.vacant(), pos.size().board());
        let (corners, own) = (corners(board), after.opposing());
        let depth = ordering_depth(vacant.count_ones());
        let numbers = self.refresh(after);
        let value = shallow(after, &numbers, depth, -score::INFINITE, score::INFINITE);
        128 * (count(mv.bit() & corners) - count(after.mobile()) - count(after.mobile() & corners))
            - 24 * count(own & frontier(vacant))
            + 40 * count(stability::stable(own, after.own(), board))
            + 32 * i32::from(odd(pos.vacant()) & mv.bit() != 0)
            - value
    }

    #[inline]
    fn use_table(&self, pos: &Discs) -> bool {
        pos.vacant().count_ones() > endgame::MOST
    }

    #[inline]
    fn solve_small(&self, pos: &Discs, alpha: Score, table: &mut impl SmallTable) -> Option<Score> {
        if pos.vacant().count_ones() > endgame::MOST {
            return None;
        }
        let alpha = alpha.div_euclid(UNIT);
        endgame::solve(pos.own(), pos.opposing(), pos.size().board(), alpha, table).map(|value| UNIT * value)
    }

    #[inline]
    fn looks_up_children(&self, pos: &Discs) -> bool {
        pos.vacant().count_ones() > endgame::MOST + 1
    }

    /// A pass, or the only square.
    #[inline]
    fn forced_move(&self, pos: &Discs) -> Option<Disc> {
        match pos.mobile() {
            0 => (!pos.is_over()).then_some(Disc::PASS),
            mobile => mobile.is_power_of_two().then(|| Disc(mobile.trailing_zeros() as u8)),
        }
    }

    /// The position as the side to move sees it; with few discs, the lowest of its images.
    #[inline]
    fn table_key(&self, pos: &Discs) -> u64 {
        let [own, opposing] = representative(pos);
        mixed(own, opposing, pos.size() as u64)
    }

    #[inline]
    fn table_code(&self, pos: &Discs, code: Option<u16>) -> Option<u16> {
        if !is_early(pos) || code == Some(Disc::PASS.0.into()) {
            return code;
        }
        let (_, symmetry) = least(pos.own(), pos.opposing());
        code.map(|code| image_of(code.into(), symmetry) as u16)
    }
}
