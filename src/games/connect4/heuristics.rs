//! Heuristics of Connect Four: threats and their value by row, move ordering, exact bounds.

use super::rules::{Column, Grid};
use super::size::Size;
use super::squares::Squares;
use super::{live, order, zugzwang};
use crate::core::chances::WinModel;
use crate::core::score::{self, Score};
use crate::core::{Bounds, Evaluation, MoveOrdering, Position, Pruning, Side, Solver, Tuning};

/// The value in centi-units of a vacant square that completes a four.
const THREAT: Score = 40;

/// The bonus of a threat in a row that favours its owner: once the other columns are full, the first player gets the
/// odd rows, the second the even ones (Allis, "A Knowledge-Based Approach of Connect-Four", 1988).
const PARITY: Score = 100;

/// The value of a stone in the middle column, or in one of the two.
const MIDDLE: Score = 12;

/// The value of a stone in a column next to it.
const NEXT: Score = 6;

/// The chances of a win by the score and the share of the squares that are occupied. Fitted by `benches/wdl.py` on 7 x
/// 6.
const CHANCES: WinModel = WinModel { even_lead: [0.175, 0.327], scale: [1.164, -0.181] };

/// The score of a move that meets a threat.
const MEET_RANK: i32 = 1 << 20;

/// The score of each square on which a move threatens to win.
const THREAT_RANK: i32 = 1 << 12;

/// The number of stones from which mirror images are no longer merged: both images of a position hardly ever occur in
/// one search then, and the test costs more than it saves.
const MIRRORED: u32 = 14;

/// The minimum number of vacant squares of a position stored in the table of exact search.
const LEAST_VACANT: u32 = 6;

/// The heuristics of Connect Four.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Connect4Heuristics;

/// Returns the terms of the evaluation for the side to move.
#[inline]
fn terms<S: Size>(pos: &Grid<S>) -> [(&'static str, Score); 3] {
    let size = pos.size();
    let (suits, other) = match pos.turn() {
        Side::First => (size.odd_rows(), size.even_rows()),
        Side::Second => (size.even_rows(), size.odd_rows()),
    };
    let lead = |[own, opposing]: [S::Set; 2]| own.count_ones().cast_signed() - opposing.count_ones().cast_signed();
    let [own, opposing] = pos.threats();
    let (last, middle) = (size.columns() - 1, size.columns() / 2);
    let inner = size.column(middle) | size.column(last - middle);
    let outer = size.column((middle + 1).min(last)) | size.column(last - (middle + 1).min(last));
    let within = |columns: S::Set| lead([pos.own() & columns, pos.opposing() & columns]);
    [
        ("threats", THREAT * lead([own, opposing])),
        ("parity", PARITY * lead([own & suits, opposing & other])),
        ("centre", MIDDLE * within(inner) + NEXT * within(outer)),
    ]
}

impl<S: Size> Evaluation<Grid<S>> for Connect4Heuristics {
    type State = ();

    #[inline]
    fn evaluate(&self, pos: &Grid<S>) -> Score {
        let [threats, parity, centre] = terms(pos);
        threats.1 + parity.1 + centre.1
    }

    fn wdl(&self, pos: &Grid<S>, score: Score) -> Option<[u16; 3]> {
        let share = f64::from(pos.occupied().count_ones()) / f64::from(pos.size().squares());
        Some(CHANCES.wdl(score, share))
    }

    fn explain(&self, pos: &Grid<S>) -> Vec<(&'static str, Score)> {
        terms(pos).to_vec()
    }
}

impl<S: Size> MoveOrdering<Grid<S>> for Connect4Heuristics {
    /// Moves that meet a threat come first, moves that allow an immediate win last; between them, more threats come
    /// first, then central columns.
    #[inline]
    fn move_score(&self, pos: &Grid<S>, mv: Column) -> i32 {
        let square = pos.landing(mv);
        let threats = pos.completing(pos.own() | square).count_ones().cast_signed();
        let [_, opposing] = pos.threats();
        let (meets, allows) = (i32::from(square.meets(opposing)), i32::from((square << 1).meets(opposing)));
        THREAT_RANK * threats + MEET_RANK * (meets - allows) - pos.size().distance_from_middle(mv.0.into())
    }

    /// Moves that threaten to win with the next stone, or meet such a threat, are noisy.
    #[inline]
    fn is_noisy(&self, pos: &Grid<S>, mv: Column) -> bool {
        let square = pos.landing(mv);
        let next = pos.placed(square);
        square.meets(pos.threats()[1]) || next.threats()[1].meets(next.playable())
    }
}

impl<S: Size> Pruning<Grid<S>> for Connect4Heuristics {
    #[inline]
    fn is_exempt(&self, pos: &Grid<S>, mv: Column) -> bool {
        self.is_noisy(pos, mv)
    }

    /// Killers and history order moves worse than threats and columns do.
    fn tuning(&self) -> Tuning {
        Tuning { history: false, table_depth: 2, leap: Some(20), ..Tuning::default() }
    }
}

impl<S: Size> Solver<Grid<S>> for Connect4Heuristics {
    /// Decides wins with this stone or the next. Otherwise no win comes sooner than with the second stone from now, and
    /// none after the board is full.
    #[inline]
    fn bounds(&self, pos: &Grid<S>) -> Bounds {
        let exactly = |score| Bounds { lower: score, upper: score };
        if pos.is_won() {
            return exactly(-score::WIN);
        }
        let left = pos.left();
        if left == 0 {
            return exactly(0);
        }
        if !pos.winning_now().is_empty() {
            return exactly(score::win_in(1));
        }
        if pos.safe().is_empty() {
            return exactly(if left == 1 { 0 } else { -score::win_in(2) });
        }
        // The next stone of either side cannot win, so the earliest win is with the stone after it.
        let soonest = |plies: u32| if left < plies { 0 } else { score::win_in(plies.cast_signed()) };
        Bounds { lower: -soonest(4), upper: soonest(3) }
    }

    #[inline]
    fn use_table(&self, pos: &Grid<S>) -> bool {
        pos.left() >= LEAST_VACANT
    }

    #[inline]
    fn expensive_bounds(&self, pos: &Grid<S>, alpha: Score) -> Bounds {
        Bounds { lower: -score::INFINITE, upper: zugzwang::upper_bound(pos, alpha) }
    }

    /// The side to move wins after an odd number of plies, the other side after an even number; a full board is a draw.
    #[inline]
    fn least_possible(&self, pos: &Grid<S>, at_least: Score) -> Score {
        let left = pos.left().cast_signed();
        if at_least > 0 {
            let plies = (score::WIN - at_least).min(left);
            score::WIN - plies + i32::from(plies % 2 == 0)
        } else {
            let plies = (score::WIN + at_least + 1) & !1;
            if at_least == 0 || plies > left { 0 } else { plies - score::WIN }
        }
    }

    #[inline]
    fn candidates(&self, pos: &Grid<S>, out: &mut Vec<Column>) {
        let safe = pos.safe();
        for index in 0..pos.size().columns() {
            let column = pos.size().outwards(index);
            if safe.meets(pos.size().column(column)) {
                out.push(Column(column as u8));
            }
        }
    }

    #[inline]
    fn child_score(&self, pos: &Grid<S>, mv: Column, after: &Grid<S>) -> i32 {
        order::score(pos, mv, after)
    }

    /// Early in the game, where both occur, a position and its mirror image share a key.
    #[inline]
    fn table_key(&self, pos: &Grid<S>) -> u64 {
        if is_turned(pos) { pos.mirrored().key() } else { pos.key() }
    }

    #[inline]
    fn looks_up_children(&self, pos: &Grid<S>) -> bool {
        pos.left() > LEAST_VACANT
    }

    #[inline]
    fn forced_move(&self, pos: &Grid<S>) -> Option<Column> {
        let safe = pos.safe();
        safe.is_power_of_two().then(|| pos.column_of(safe))
    }

    /// Positions that agree in what decides the rest of the game share a key.
    #[inline]
    fn exact_key(&self, pos: &Grid<S>) -> u64 {
        if is_turned(pos) { live::key(&pos.mirrored()) } else { live::key(pos) }
    }

    #[inline]
    fn table_code(&self, pos: &Grid<S>, code: Option<u16>) -> Option<u16> {
        let square = |code: u16| S::Set::bit(u32::from(code) % S::Set::BITS);
        let turn = |code| pos.size().mirrored(square(code)).trailing_zeros() as u16;
        if is_turned(pos) { code.map(turn) } else { code }
    }
}

/// Returns whether the mirror image represents the position in tables.
#[inline]
pub(super) fn is_turned<S: Size>(pos: &Grid<S>) -> bool {
    pos.stones() < MIRRORED && live::is_turned(pos)
}
