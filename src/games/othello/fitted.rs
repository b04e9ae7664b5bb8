//! The evaluation on 8 x 8: [patterns](super::patterns) and a few terms, each with a weight for each stage of the game,
//! fitted to games of self-play.
//!
//! The file of weights has the terms first, numbers of 16 bits with the lower byte first, then the patterns, a byte
//! each in units of eight centi-units. A pattern's mirror images share a weight.

use super::evaluation::{corners, frontier};
use super::patterns::{PATTERNS, PLACES, PatternNumbers, mirrored, pattern_of};
use super::rules::Discs;
use crate::core::{Linear, Position, Score};
use std::sync::LazyLock;

const STAGES: usize = 3;

/// The vacant squares at the first stage and before it; each later stage has [`SPAN`] fewer. Weights change linearly
/// from stage to stage.
const FIRST: i32 = 48;
const SPAN: i32 = 22;

const TERMS: usize = 8;

/// The terms in centi-units before they are fitted: turn, parity, then moves, moves to corners and discs next to vacant
/// squares, each of the side to move and of the opponent.
const GUESSED: [Score; TERMS] = [0, 0, 90, -90, 600, -600, -25, 25];

/// The unit of the weights of patterns in centi-units.
const GRAIN: i32 = 8;

/// The number added to each weight of a pattern in the table, so that none is negative.
const LIFT: i32 = 128;

const FILE: &[u8] = include_bytes!("weights/othello.bin");

/// The bytes of the terms.
const HEAD: usize = 2 * TERMS * STAGES;

/// The parameter of each way to fill each pattern, and the weights.
struct Tables {
    /// The weights of the terms in centi-units for each stage.
    terms: [[i32; STAGES]; TERMS],
    /// The index of the first filling of the pattern of each place.
    first: [usize; PLACES],
    /// The index of the parameter of each filling of each pattern.
    parameter: Vec<u32>,
    /// The weights of each filling, one of 16 bits for each stage.
    weights: Vec<u64>,
    /// The number of parameters for a stage.
    count: usize,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let (mut starts, mut parameter, mut count) = ([0; PATTERNS.len()], Vec::new(), TERMS);
    for (pattern, start) in PATTERNS.into_iter().zip(&mut starts) {
        *start = parameter.len();
        for (filling, least) in mirrored(pattern).into_iter().enumerate() {
            let shared = if least == filling { count as u32 } else { parameter[*start + least] };
            count += usize::from(least == filling);
            parameter.push(shared);
        }
    }
    let lanes = |&parameter: &u32| {
        (0..STAGES).map(|stage| ((byte(parameter as usize, stage) + LIFT) as u64) << (16 * stage)).sum()
    };
    let weights = parameter.iter().map(lanes).collect();
    let first = std::array::from_fn(|place| starts[pattern_of(place)]);
    let terms = std::array::from_fn(|term| std::array::from_fn(|stage| term_weight(term, stage)));
    Tables { terms, first, parameter, weights, count }
});

/// Returns the weight of a pattern in the file, in units of [`GRAIN`].
fn byte(parameter: usize, stage: usize) -> i32 {
    FILE.get(HEAD + (parameter - TERMS) * STAGES + stage).map_or(0, |byte| byte.cast_signed().into())
}

/// Returns the weight of a term in the file in centi-units.
fn term_weight(term: usize, stage: usize) -> i32 {
    match FILE.get(2 * (term * STAGES + stage)..) {
        Some([low, high, ..]) => i16::from_le_bytes([*low, *high]).into(),
        _ => GUESSED[term],
    }
}

/// Returns the terms for the side to move.
#[inline]
fn terms(pos: &Discs) -> [i32; TERMS] {
    let count = |set: u64| set.count_ones().cast_signed();
    let (vacant, corners) = (pos.vacant(), corners(pos.size().board()));
    let (frontier, [own, other]) = (frontier(vacant), [pos.mobile(), pos.opposing_mobile()]);
    [
        1,
        count(vacant) & 1,
        count(own),
        count(other),
        count(own & corners),
        count(other & corners),
        count(pos.own() & frontier),
        count(pos.opposing() & frontier),
    ]
}

/// Returns the share of each stage in the value, in parts of [`SPAN`].
#[inline]
fn shares(pos: &Discs) -> [i32; STAGES] {
    let last = FIRST - (STAGES as i32 - 1) * SPAN;
    let vacant = pos.vacant().count_ones().cast_signed().clamp(last, FIRST);
    let mut shares = [0; STAGES];
    for (stage, share) in shares.iter_mut().enumerate() {
        *share = (SPAN - (vacant - FIRST + stage as i32 * SPAN).abs()).max(0);
    }
    shares
}

/// Returns the sums of the terms and of the patterns, for each stage.
#[inline]
fn sums(pos: &Discs, numbers: &PatternNumbers) -> [[i32; STAGES]; 2] {
    let tables = &*TABLES;
    let mut lanes = 0;
    let numbers = numbers.seen_by(pos.turn());
    for place in 0..PLACES {
        lanes += tables.weights[tables.first[place] + usize::from(numbers[place])];
    }
    let (terms, mut sums) = (terms(pos), [[0; STAGES]; 2]);
    for stage in 0..STAGES {
        for term in 0..TERMS {
            sums[0][stage] += terms[term] * tables.terms[term][stage];
        }
        sums[1][stage] = GRAIN * ((lanes >> (16 * stage) & 0xffff) as i32 - LIFT * PLACES as i32);
    }
    sums
}

/// Returns the value interpolated between the sums of the stages.
#[inline]
fn blended(sums: &[[i32; STAGES]], shares: [i32; STAGES]) -> Score {
    let mut total = 0;
    for sums in sums {
        for stage in 0..STAGES {
            total += sums[stage] * shares[stage];
        }
    }
    total / SPAN
}

/// Returns the evaluation for the side to move in centi-units: hundredths of a disc.
#[inline]
pub(crate) fn evaluate(pos: &Discs, numbers: &PatternNumbers) -> Score {
    blended(&sums(pos, numbers), shares(pos))
}

/// Returns the parts of the evaluation.
pub(crate) fn explain(pos: &Discs) -> Vec<(&'static str, Score)> {
    let numbers = PatternNumbers::new(pos);
    let terms = blended(&sums(pos, &numbers)[..1], shares(pos));
    vec![("mobility", terms), ("patterns", evaluate(pos, &numbers) - terms)]
}

/// Returns the position as a sum of weighted counts.
pub(crate) fn linear(pos: &Discs) -> Linear {
    let terms = terms(pos).into_iter().zip(0..).map(|(count, index)| (index, count as i16));
    let mut counts: Vec<_> = terms.filter(|(_, count)| *count != 0).collect();
    let numbers = PatternNumbers::new(pos);
    for (number, first) in numbers.seen_by(pos.turn()).iter().zip(TABLES.first) {
        counts.push((TABLES.parameter[first + usize::from(*number)], 1));
    }
    let stages = shares(pos).iter().map(|&share| share as f32 / SPAN as f32).collect();
    Linear { counts, stages, constant: 0.0 }
}

/// Returns the weights as parameters of [`linear`].
pub(crate) fn parameters() -> Vec<f64> {
    let weight = |index: usize, stage| {
        if index < TERMS { term_weight(index, stage) } else { GRAIN * byte(index, stage) }
    };
    (0..TABLES.count).flat_map(|index| (0..STAGES).map(move |stage| weight(index, stage).into())).collect()
}

/// Returns the file with these parameters, rounded.
pub(crate) fn file(parameters: &[f64]) -> Vec<u8> {
    #[expect(clippy::cast_possible_truncation, reason = "clamped")]
    let rounded = |weight: f64, most: i16| weight.round().clamp((-most).into(), most.into()) as i16;
    let (terms, patterns) = parameters.split_at(parameters.len().min(TERMS * STAGES));
    let terms = terms.iter().flat_map(|&weight| rounded(weight, i16::MAX).to_le_bytes());
    terms.chain(patterns.iter().map(|weight| rounded(weight / f64::from(GRAIN), i8::MAX.into()) as u8)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::patterns::fillings;
    use super::super::rules::Size;
    use super::*;
    use crate::core::position::legal_moves;
    use crate::util::random::Random;

    #[test]
    fn the_file_of_weights_is_whole() {
        assert_eq!(FILE.len(), HEAD + (TABLES.count - TERMS) * STAGES);
        assert_eq!(FILE, file(&parameters()), "what is read is written again");
        let all: usize = PATTERNS.into_iter().map(fillings).sum();
        assert_eq!(TABLES.weights.len(), all);
    }

    #[test]
    fn the_evaluation_is_a_sum_of_weighted_counts() {
        let (mut random, parameters) = (Random(3), parameters());
        for _ in 0..30 {
            let mut pos = Discs::start(Size::Eight);
            while !pos.is_over() {
                let moves = legal_moves(&pos);
                pos = pos.after(moves[random.below(moves.len())]);
                let value = evaluate(&pos, &PatternNumbers::new(&pos));
                let Linear { counts, stages, .. } = linear(&pos);
                let mut sum = 0.0;
                for (index, count) in counts {
                    for (stage, share) in stages.iter().enumerate() {
                        sum += f64::from(count) * f64::from(*share) * parameters[STAGES * index as usize + stage];
                    }
                }
                assert!((sum - f64::from(value)).abs() < 1.5, "{sum} {value}");
                assert_eq!(explain(&pos).iter().map(|(_, part)| part).sum::<Score>(), value);
            }
        }
    }
}
