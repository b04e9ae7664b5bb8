//! The evaluation: [terms], kings by square, and [patterns](super::patterns) of men, each with a weight for
//! the start of the game and one for its end.

use super::geometry::{Geometry, bits};
use super::patterns::{FILLINGS, PatternNumbers, Regions};
use super::rules::Draughtsboard;
use super::terms;
use super::variant::Variant;
use crate::core::{Linear, Position, Score, Side};

/// The weights of kings on squares, by bit, as their owner sees the board.
const KING_SQUARES: usize = 64;

/// The index of the first king on a square.
const KINGS: usize = terms::COUNT;

/// The index of the first pattern.
const PATTERNS: usize = KINGS + KING_SQUARES;

const STAGES: usize = 2;

/// The number of counts of a rule set: terms, kings by square, patterns.
pub(crate) const fn counts<V: Variant>() -> usize {
    PATTERNS + Regions::<V>::COUNT * FILLINGS
}

/// Calls `add` with the index of each count and with the count, for the side to move.
#[inline(always)]
fn each<V: Variant>(pos: &Draughtsboard<V>, numbers: &PatternNumbers, mut add: impl FnMut(usize, i32)) {
    let (own, other) = (pos.turn(), pos.turn().other());
    terms::counts(pos).into_iter().enumerate().for_each(|(term, count)| add(term, count));
    for (side, sign) in [(own, 1), (other, -1)] {
        let kings = pos.kings(side);
        let seen = if side == Side::First { kings } else { Geometry::<V>::turned(kings) };
        bits(seen).for_each(|bit| add(KINGS + usize::from(bit), sign));
    }
    for (region, &number) in numbers.seen_by::<V>(own).iter().enumerate() {
        add(PATTERNS + region * FILLINGS + usize::from(number), 1);
    }
}

/// Returns the number of pieces on the board, and that at the start of a game.
fn pieces<V: Variant>(pos: &Draughtsboard<V>) -> [i32; 2] {
    let now = (pos.pieces(Side::First) | pos.pieces(Side::Second)).count_ones();
    [now.cast_signed(), 2 * (V::HOME_ROWS * V::WIDTH).cast_signed()]
}

/// Returns the weight with an index of a stage.
#[inline(always)]
fn weight<V: Variant>(index: usize, stage: usize) -> i32 {
    match V::WEIGHTS.get(2 * (STAGES * index + stage)..) {
        Some([low, high, ..]) => i16::from_le_bytes([*low, *high]).into(),
        _ => [100, if V::FLYING { 300 } else { 130 }].get(index).copied().unwrap_or(0),
    }
}

/// Returns the evaluation for the side to move in centi-units: hundredths of a man.
#[inline]
pub(crate) fn evaluate<V: Variant>(pos: &Draughtsboard<V>, numbers: &PatternNumbers) -> Score {
    let mut sums = [0; STAGES];
    each(pos, numbers, |index, count| {
        for (stage, sum) in sums.iter_mut().enumerate() {
            *sum += count * weight::<V>(index, stage);
        }
    });
    tapered(pos, sums)
}

/// Returns the value interpolated between the sums of the stages by the number of pieces left.
fn tapered<V: Variant>(pos: &Draughtsboard<V>, sums: [Score; STAGES]) -> Score {
    let [now, all] = pieces(pos);
    (sums[0] * now + sums[1] * (all - now)) / all
}

const PARTS: [&str; 6] = ["material", "kings", "turn", "mobility", "runaways", "patterns"];

/// The part that each term belongs to.
const PART_OF: [usize; terms::COUNT] = [0, 0, 1, 1, 2, 2, 3, 3, 3, 3, 4, 4];

/// Returns the parts of the evaluation.
pub(crate) fn explain<V: Variant>(pos: &Draughtsboard<V>) -> Vec<(&'static str, Score)> {
    let numbers = PatternNumbers::new(pos);
    let mut sums = [[0; STAGES]; PARTS.len()];
    each(pos, &numbers, |index, count| {
        let part = if index >= PATTERNS { PARTS.len() - 1 } else { PART_OF.get(index).copied().unwrap_or(1) };
        for (stage, sum) in sums[part].iter_mut().enumerate() {
            *sum += count * weight::<V>(index, stage);
        }
    });
    let mut parts = PARTS.into_iter().zip(sums.map(|sums| tapered(pos, sums))).collect::<Vec<_>>();
    // Rounding may differ by a unit from part to part; the parts add up.
    let rest = evaluate(pos, &numbers) - parts.iter().map(|(_, value)| value).sum::<Score>();
    parts[PARTS.len() - 1].1 += rest;
    parts
}

/// Returns the position as a sum of weighted counts.
pub(crate) fn linear<V: Variant>(pos: &Draughtsboard<V>) -> Linear {
    let mut counts = Vec::new();
    each(pos, &PatternNumbers::new(pos), |index, count| {
        if count != 0 {
            counts.push((index as u32, count as i16));
        }
    });
    let [now, all] = pieces(pos).map(|pieces| pieces as f32);
    Linear { counts, stages: vec![now / all, 1.0 - now / all], constant: 0.0 }
}

/// Returns the weights as parameters of [`linear`].
pub(crate) fn parameters<V: Variant>() -> Vec<f64> {
    (0..counts::<V>()).flat_map(|index| [weight::<V>(index, 0), weight::<V>(index, 1)]).map(f64::from).collect()
}

/// Returns the file with these parameters, rounded: numbers of 16 bits, the lower byte first.
pub(crate) fn file(parameters: &[f64]) -> Vec<u8> {
    #[expect(clippy::cast_possible_truncation, reason = "clamped")]
    let rounded = |parameter: &f64| parameter.round().clamp(i16::MIN.into(), i16::MAX.into()) as i16;
    parameters.iter().flat_map(|parameter| rounded(parameter).to_le_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::variant::{Brazilian, English, International, Settings};
    use super::*;
    use crate::core::Position;
    use crate::core::position::legal_moves;
    use crate::util::random::Random;

    /// In random games the numbers of the regions stay correct, and the evaluation is the sum of weighted counts.
    fn sums_are_kept<V: Variant>() {
        let (mut random, parameters) = (Random(3), parameters::<V>());
        for _ in 0..30 {
            let mut pos = Draughtsboard::<V>::start(Settings { limit: 80, joined: true });
            let mut numbers = PatternNumbers::new(&pos);
            while !pos.is_over() && pos.plies() < 40 {
                let moves = legal_moves(&pos);
                let after = pos.after(moves[random.below(moves.len())]);
                numbers = numbers.after(&pos, &after);
                pos = after;
                assert_eq!(numbers, PatternNumbers::new(&pos));
                let value = evaluate(&pos, &numbers);
                let Linear { counts, stages, constant } = linear(&pos);
                let weight = |index: u32, stage: usize| parameters[STAGES * index as usize + stage];
                let term = |&(index, count): &(u32, i16)| {
                    let sum: f64 = (0..STAGES).map(|stage| weight(index, stage) * f64::from(stages[stage])).sum();
                    sum * f64::from(count)
                };
                let sum: f64 = f64::from(constant) + counts.iter().map(term).sum::<f64>();
                assert!((sum - f64::from(value)).abs() < 1.5, "{sum} {value}");
                let explained: Score = explain(&pos).iter().map(|(_, term)| term).sum();
                assert_eq!(explained, value);
            }
        }
    }

    #[test]
    fn the_evaluation_is_a_sum_of_weighted_counts() {
        sums_are_kept::<English>();
        sums_are_kept::<International>();
        sums_are_kept::<Brazilian>();
    }

    #[test]
    fn the_files_of_weights_are_whole_or_missing() {
        fn is_whole<V: Variant>() -> bool {
            [0, file(&parameters::<V>()).len()].contains(&V::WEIGHTS.len()) && V::WEIGHTS.len().is_multiple_of(4)
        }
        assert!(is_whole::<English>() && is_whole::<International>() && is_whole::<Brazilian>());
        assert_eq!(English::WEIGHTS, file(&parameters::<English>()), "what is read is written again");
        assert_eq!(International::WEIGHTS, file(&parameters::<International>()));
    }
}
