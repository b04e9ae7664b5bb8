//! Judgement of Connect Four positions: threats and what they are worth by their row, ranks of moves, exact bounds.

use super::rules::{Column, Grid};
use super::size::Size;
use super::zugzwang;
use crate::core::score::{self, Score};
use crate::core::{Bounds, Evaluation, MoveOrdering, Position, Pruning, Side, Solver, Tuning};

/// A vacant square that completes a four, centi-units.
const THREAT: Score = 40;

/// What is added where the row suits its owner: once the other columns are full the first player comes to the odd rows,
/// the second to the even ones (Allis, "A Knowledge-Based Approach of Connect-Four", 1988).
const PARITY: Score = 100;

/// A stone in the middle column, or in one of the two;
const MIDDLE: Score = 12;

/// and one in a column next to it.
const NEXT: Score = 6;

/// The rank of a move that meets a threat,
const MEET_RANK: i32 = 1 << 20;

/// and that of each square on which a move threatens to win.
const THREAT_RANK: i32 = 1 << 12;

/// What a move is worth to the order of exact search: for each square on which its side threatens to win then; if one of
/// them can be played, or two are one above the other; for each threat in a row that suits its owner, which lasts and so
/// decides later; for each pair of its own, and of the other side's, that may still become four; if it meets a threat; and
/// for each half column from the middle. Found by random steps on sets of positions to be solved in few nodes.
const ORDER: [i32; 8] = [1491, 4096, 1471, -575, 295, -77, 1080, -16];

/// With so many stones on the board the mirror image of a position hardly comes up beside it: looking for it costs more
/// than it saves.
const MIRRORED: u32 = 14;

/// With fewer vacant squares a position is not kept.
const LEAST_VACANT: u32 = 10;

/// The judgement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Connect4Heuristics;

/// The terms of the evaluation for the side to move.
#[inline]
fn terms<S: Size>(pos: &Grid<S>) -> [(&'static str, Score); 3] {
    let (size, stones) = (pos.size(), [pos.own(), pos.opposing()]);
    let (suits, other) = match pos.turn() {
        Side::First => (size.odd_rows(), size.even_rows()),
        Side::Second => (size.even_rows(), size.odd_rows()),
    };
    let lead = |[own, opposing]: [u64; 2]| own.count_ones().cast_signed() - opposing.count_ones().cast_signed();
    let [own, opposing] = pos.threats();
    let (last, middle) = (size.columns() - 1, size.columns() / 2);
    let inner = size.column(middle) | size.column(last - middle);
    let outer = size.column((middle + 1).min(last)) | size.column(last - (middle + 1).min(last));
    [
        ("threats", THREAT * lead([own, opposing])),
        ("parity", PARITY * lead([own & suits, opposing & other])),
        (
            "centre",
            MIDDLE * lead(stones.map(|stones| stones & inner)) + NEXT * lead(stones.map(|stones| stones & outer)),
        ),
    ]
}

/// Whether the mirror image stands for the position.
fn is_turned<S: Size>(pos: &Grid<S>) -> bool {
    pos.mirrored().number() < pos.number()
}

impl<S: Size> Evaluation<Grid<S>> for Connect4Heuristics {
    type State = ();

    #[inline]
    fn evaluate(&self, pos: &Grid<S>) -> Score {
        terms(pos).iter().map(|(_, value)| value).sum()
    }

    fn explain(&self, pos: &Grid<S>) -> Vec<(&'static str, Score)> {
        terms(pos).to_vec()
    }
}

impl<S: Size> MoveOrdering<Grid<S>> for Connect4Heuristics {
    /// What meets a threat first, what allows the other side to win at once last; between them what threatens most, and
    /// the middle before the sides.
    #[inline]
    fn move_score(&self, pos: &Grid<S>, mv: Column) -> i32 {
        let (square, columns) = (pos.landing(mv), pos.size().columns().cast_signed());
        let threats = pos.completing(pos.own() | square).count_ones().cast_signed();
        let [_, opposing] = pos.threats();
        let (meets, allows) = (i32::from(square & opposing != 0), i32::from(square << 1 & opposing != 0));
        let from_middle = (2 * i32::from(mv.0) + 1 - columns).abs();
        THREAT_RANK * threats + MEET_RANK * (meets - allows) - from_middle
    }

    /// Moves that threaten to win with the next stone, or meet such a threat.
    #[inline]
    fn is_noisy(&self, pos: &Grid<S>, mv: Column) -> bool {
        let square = pos.landing(mv);
        let next = pos.placed(square);
        square & pos.threats()[1] != 0 || next.threats()[1] & next.playable() != 0
    }
}

impl<S: Size> Pruning<Grid<S>> for Connect4Heuristics {
    #[inline]
    fn is_exempt(&self, pos: &Grid<S>, mv: Column) -> bool {
        self.is_noisy(pos, mv)
    }

    fn tuning(&self) -> Tuning {
        Tuning { table_depth: 2, leap: 20, ..Tuning::default() }
    }
}

impl<S: Size> Solver<Grid<S>> for Connect4Heuristics {
    /// Who wins with this stone or the next one is told; for the others no win can come sooner than with the second stone
    /// from now, nor after the board is full, nor at all where every line of four has a stone of the other side.
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
        if pos.winning_now() != 0 {
            return exactly(score::win_in(1));
        }
        if pos.safe() == 0 {
            return exactly(if left == 1 { 0 } else { -score::win_in(2) });
        }
        // The next stone of either side cannot win: no win is sooner than with the one after.
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

    /// The side to move wins after an odd number of plies, the other one after an even number, and nobody on a full board.
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
            if safe & pos.size().column(column) != 0 {
                out.push(Column(column as u8));
            }
        }
    }

    #[inline]
    fn child_score(&self, pos: &Grid<S>, mv: Column, after: &Grid<S>) -> i32 {
        let (size, square, [_, threats]) = (pos.size(), pos.landing(mv), after.threats());
        let suits = if pos.turn() == Side::First { size.odd_rows() } else { size.even_rows() };
        let count = |squares: u64| squares.count_ones().cast_signed();
        let features = [
            count(threats),
            i32::from(threats & after.playable() != 0),
            i32::from(threats & (threats << 1) != 0),
            count(threats & suits),
            after.pairs(after.opposing()),
            after.pairs(after.own()),
            i32::from(square & pos.threats()[1] != 0),
            (2 * i32::from(mv.0) + 1 - size.columns().cast_signed()).abs(),
        ];
        features.iter().zip(ORDER).map(|(feature, weight)| feature * weight).sum()
    }

    /// Early in the game, where both come up, a position and its mirror image are one.
    #[inline]
    fn table_key(&self, pos: &Grid<S>) -> u64 {
        if pos.stones() < MIRRORED && is_turned(pos) { pos.mirrored().key() } else { pos.key() }
    }

    #[inline]
    fn table_code(&self, pos: &Grid<S>, code: Option<u16>) -> Option<u16> {
        let turn = |code: u16| pos.size().mirrored(1 << (code & 63)).trailing_zeros() as u16;
        if pos.stones() < MIRRORED && is_turned(pos) { code.map(turn) } else { code }
    }
}
