//! Terms: counts of features of the board. Samuel's program of 1959 played by such terms, and learned their weights;
//! the evaluation of checkers can do so too.

use super::geometry::{Direction, Geometry, bits};
use super::rules::Draughtsboard;
use super::variant::Variant;
use crate::core::{Position, Score, Side};

/// The number of terms.
pub(crate) const COUNT: usize = 15;

/// The names. Every term counts for the side to move, less the same for the opponent, except `turn` and `opposition`.
///
/// - `man`, `king`: pieces;
/// - `only_king`: 1 for the only side with a king; `last_kings`: 1 for the side with more kings against one without
///   men;
/// - `turn`: always 1, the advantage of moving;
/// - `opposition`: 1 if the side to move "has the move", otherwise -1. It does if the number of all pieces on every
///   second row, its own first row included, is odd;
/// - `steps`, `safe_steps`: the squares that men can step to, and those of them where nothing can capture on the next
///   move;
/// - `king_steps`: the same safe squares next to kings; `trapped_kings`: kings without one;
/// - `runaways`: men with no opposing piece before them, as far as they could be met; `runaway_rows`: the rows that
///   these men have passed;
/// - `back_row`: men on their own first row; `centre`: pieces in the middle of the board; `advance`: the rows that the
///   men have passed.
pub(crate) const NAMES: [&str; COUNT] = [
    "man",
    "king",
    "only_king",
    "last_kings",
    "turn",
    "opposition",
    "steps",
    "safe_steps",
    "king_steps",
    "trapped_kings",
    "runaways",
    "runaway_rows",
    "back_row",
    "centre",
    "advance",
];

const MAN: usize = 0;
const KING: usize = 1;
const ONLY_KING: usize = 2;
const LAST_KINGS: usize = 3;
const TURN: usize = 4;
const OPPOSITION: usize = 5;
const STEPS: usize = 6;
const SAFE_STEPS: usize = 7;
const KING_STEPS: usize = 8;
const TRAPPED_KINGS: usize = 9;
const RUNAWAYS: usize = 10;
const RUNAWAY_ROWS: usize = 11;
const BACK_ROW: usize = 12;
const CENTRE: usize = 13;
const ADVANCE: usize = 14;

/// Returns the terms, in the order of their [names](NAMES), for the side to move.
pub(crate) fn counts<V: Variant>(pos: &Draughtsboard<V>) -> [i32; COUNT] {
    let turn = pos.turn();
    let (own, other) = (of_side(pos, turn), of_side(pos, turn.other()));
    let mut counts = std::array::from_fn(|term| own[term] - other[term]);
    let [men, kings, other_men, other_kings] = [own[MAN], own[KING], other[MAN], other[KING]];
    counts[ONLY_KING] = i32::from(kings > 0) - i32::from(other_kings > 0);
    counts[LAST_KINGS] = i32::from(other_men == 0 && kings > other_kings) - i32::from(men == 0 && other_kings > kings);
    counts[TURN] = 1;
    let all = pos.pieces(turn) | pos.pieces(turn.other());
    counts[OPPOSITION] = if (all & Rows::<V>::EVEN[turn.index()]).count_ones() % 2 == 1 { 1 } else { -1 };
    counts
}

/// Returns the value of each term by its weight.
pub(crate) fn values<V: Variant>(pos: &Draughtsboard<V>, weights: &[Score; COUNT]) -> [Score; COUNT] {
    let counts = counts(pos);
    std::array::from_fn(|term| weights[term] * counts[term])
}

/// Returns the terms of a side that are counted for each side separately.
fn of_side<V: Variant>(pos: &Draughtsboard<V>, side: Side) -> [i32; COUNT] {
    let (men, kings, vacant) = (pos.men(side), pos.kings(side), pos.vacant());
    let mut counts = [0; COUNT];
    (counts[MAN], counts[KING]) = (count(men), count(kings));
    let open = vacant & !attacked(pos, side);
    // A piece that steps towards another one leaves the square behind it vacant.
    let safe = |pieces, direction: Direction| {
        let facing = Geometry::<V>::step(capturers(pos, side.other(), direction.opposite()), direction.opposite());
        Geometry::<V>::step(pieces, direction) & open & !facing
    };
    for direction in Draughtsboard::<V>::ahead(side) {
        counts[STEPS] += count(Geometry::<V>::step(men, direction) & vacant);
        counts[SAFE_STEPS] += count(safe(men, direction));
    }
    let mut free = 0;
    for direction in Direction::ALL {
        let steps = safe(kings, direction);
        counts[KING_STEPS] += count(steps);
        free |= Geometry::<V>::step(steps, direction.opposite());
    }
    counts[TRAPPED_KINGS] = count(kings & !free);
    let runaways = runaways(pos, side);
    (counts[RUNAWAYS], counts[RUNAWAY_ROWS]) = (count(runaways), passed::<V>(runaways, side));
    counts[BACK_ROW] = count(men & Geometry::<V>::CROWNING[side.other().index()]);
    counts[CENTRE] = count((men | kings) & Rows::<V>::CENTRE);
    counts[ADVANCE] = passed::<V>(men, side);
    counts
}

/// Returns the vacant squares where the opponent of this side could capture a piece, except by a king from afar.
fn attacked<V: Variant>(pos: &Draughtsboard<V>, side: Side) -> u64 {
    let vacant = pos.vacant();
    let mut attacked = 0;
    for direction in Direction::ALL {
        let over = Geometry::<V>::step(capturers(pos, side.other(), direction), direction);
        attacked |= over & Geometry::<V>::step(vacant, direction.opposite());
    }
    attacked
}

/// Returns the pieces of a side that capture in a direction.
fn capturers<V: Variant>(pos: &Draughtsboard<V>, side: Side, direction: Direction) -> u64 {
    let is_ahead = V::FLYING || direction.is_ahead(side);
    if is_ahead { pos.pieces(side) } else { pos.kings(side) }
}

/// Returns the men of a side with no opposing piece in the triangle before them.
fn runaways<V: Variant>(pos: &Draughtsboard<V>, side: Side) -> u64 {
    let (mut seen, [near, far]) = (pos.pieces(side.other()), Draughtsboard::<V>::ahead(side.other()));
    for _ in 0..Geometry::<V>::ROWS - 1 {
        seen |= Geometry::<V>::step(seen, near) | Geometry::<V>::step(seen, far);
    }
    pos.men(side) & !seen
}

/// Returns the sum of the rows that the pieces have passed, as a side counts them.
fn passed<V: Variant>(pieces: u64, side: Side) -> i32 {
    let pieces = if side == Side::First { pieces } else { Geometry::<V>::turned(pieces) };
    let mut rows = 0;
    for bit in bits(pieces) {
        rows += (Geometry::<V>::index(bit.into()) / V::WIDTH).cast_signed();
    }
    rows
}

fn count(squares: u64) -> i32 {
    squares.count_ones().cast_signed()
}

/// Sets of rows of a rule set.
struct Rows<V>(std::marker::PhantomData<V>);

impl<V: Variant> Rows<V> {
    /// Every second row from the home of either side.
    const EVEN: [u64; 2] = {
        let (mut rows, mut row) = ([0; 2], 0);
        while row < Geometry::<V>::ROWS {
            rows[(row % 2) as usize] |= Geometry::<V>::row(row);
            row += 1;
        }
        rows
    };

    /// The middle of the board: the four rows in the middle without the squares on the edge and next to it.
    const CENTRE: u64 = {
        let (mut squares, mut row) = (0, Geometry::<V>::ROWS / 2 - 2);
        while row < Geometry::<V>::ROWS / 2 + 2 {
            let mut place = 1;
            while place < V::WIDTH - 1 {
                squares |= 1 << Geometry::<V>::bit(row * V::WIDTH + place);
                place += 1;
            }
            row += 1;
        }
        squares
    };
}

#[cfg(test)]
mod tests {
    use super::super::text;
    use super::super::variant::{English, International, RuleSettings};
    use super::*;

    const SETTINGS: RuleSettings = RuleSettings { limit: 80, joined: false };

    fn check<V: Variant>(position: &str, expected: &[(&str, i32)]) {
        let pos = text::parse::<V>(position, SETTINGS).unwrap();
        let found = counts(&pos);
        assert!(expected.iter().all(|(name, _)| NAMES.contains(name)));
        for (name, count) in NAMES.into_iter().zip(found) {
            let expected = expected.iter().find(|(expected, _)| *expected == name).map_or(0, |&(_, count)| count);
            assert_eq!(count, expected, "{name} of {position}: {found:?}");
        }
    }

    #[test]
    fn men_are_counted_with_their_steps() {
        // Black's man has passed three rows, White's two. 22x15 could answer Black's step to 18, and 15x22 White's step
        // to 18. The step to 17 is safe.
        check::<English>("B:W22:B15", &[("turn", 1), ("opposition", -1), ("centre", 0), ("advance", 1)]);
        check::<English>("W:W22:B15", &[("turn", 1), ("opposition", -1), ("centre", 0), ("advance", -1)]);
        // Black on its first row, one step into the corner and one to 7; White's man on 29 has one step.
        let expected = [("turn", 1), ("opposition", 1), ("steps", 1), ("safe_steps", 1), ("advance", 0)];
        check::<English>("B:W29:B3", &[&expected[..], &[("runaways", 0)]].concat());
    }

    #[test]
    fn kings_are_trapped_by_pieces_that_guard_their_squares() {
        // The king on 29 has one step, to 25, where 22x29 would answer; the opponent's king has three that are safe.
        let expected = [("turn", 1), ("opposition", -1), ("king_steps", -3), ("trapped_kings", 1), ("centre", -1)];
        check::<English>("W:WK29:BK22", &expected);
    }

    #[test]
    fn runaways_have_passed_what_could_stop_them() {
        // The man on 2 can meet that on 16, but nothing that on 35.
        let expected = [("turn", 1), ("opposition", -1), ("runaways", -1), ("runaway_rows", -6)];
        check::<International>("W:W16,47:B2,35", &expected);
    }
}
