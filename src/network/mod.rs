//! Efficiently updatable neural networks (NNUE; Nasu 2018): an evaluation learned from games, for any game that names
//! its [features](crate::core::Features).
//!
//! ```text
//! features of the side to move -> H sums --\  squared and clipped
//!                                           > ------------------- -> one output for each bucket
//! features of its opponent     -> H sums --/
//! ```
//!
//! Both perspectives have the same weights. A position has few of the features and a move changes few of those, so the
//! sums, the [accumulator](Accumulator), are updated move by move. The output is a weighted sum of the squares of the
//! sums, which are clipped to 0..=1 before (SCReLU); its weights depend on the [bucket](crate::core::Features::bucket).
//!
//! Weights are integers: the features' in 255ths ([`UNIT`]), the output's in 64ths ([`OUTPUT_UNIT`]). All paths compute
//! the same numbers.
//!
//! - [`accumulator`]: the sums; `kernels`: their loops, compiled for the processors that are met;
//! - [`mod@file`]: networks in files; [`built_in`]: those that come with the program;
//! - [`model`]: the output and its gradient in floating-point numbers, for training; [`adam`]: steps down a gradient;
//! - [`with_network`]: heuristics whose evaluation a network can replace.

pub mod accumulator;
pub mod adam;
pub mod built_in;
pub mod file;
mod kernels;
pub mod model;
#[cfg(test)]
pub(crate) mod testing;
pub mod with_network;

pub use accumulator::Accumulator;
pub use built_in::BuiltIn;
pub use file::NetworkFile;
pub use with_network::{WithNetwork, eval_file};

use crate::core::{Error, Features, NetworkShape, Position, Score, Side, score};
use kernels::Row;
use std::path::Path;

/// The number that stands for 1 in the accumulator.
pub const UNIT: i32 = 255;

/// The number that stands for 1 among the weights of the output.
pub const OUTPUT_UNIT: i32 = 64;

/// A network with `H` hidden neurons for each perspective.
#[derive(Debug)]
pub struct Network<const H: usize> {
    /// The weights of each feature.
    features: Vec<Row<H>>,
    bias: Row<H>,
    outputs: Vec<Output<H>>,
    /// The score, centi-units, of an output of 1.
    scale: i32,
}

/// The output of a bucket.
#[derive(Debug)]
struct Output<const H: usize> {
    /// The weights for the side to move, and for its opponent.
    weights: [Row<H>; 2],
    /// In units of `UNIT * OUTPUT_UNIT`.
    bias: i32,
}

impl<const H: usize> Network<H> {
    /// Opens the network of a game with this shape, of `H` hidden neurons.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::BadFile`] for a file of something else, and for a network of another shape.
    pub fn open(path: &Path, game: &str, wanted: NetworkShape) -> Result<Self, Error> {
        NetworkFile::open(path, Some(game))?.network(path, wanted)
    }

    /// Creates a network from the contents of a file with `H` hidden neurons.
    pub(crate) fn new(file: &NetworkFile) -> Self {
        let features = file.shape.features;
        let (rows, _) = file.weights.as_chunks::<H>();
        let row = |index: usize| Row(rows.get(index).copied().unwrap_or([0; H]));
        let output = |(bucket, &bias): (usize, &i32)| {
            let first = features + 1 + 2 * bucket;
            Output { weights: [row(first), row(first + 1)], bias }
        };
        Self {
            features: (0..features).map(row).collect(),
            bias: row(features),
            outputs: file.biases.iter().enumerate().map(output).collect(),
            scale: file.scale,
        }
    }

    /// Returns the evaluation of a position, centi-units for the side to move, with sums computed anew.
    #[must_use]
    pub fn value<P: Position>(&self, game: &impl Features<P>, pos: &P) -> Score {
        self.evaluate(&Accumulator::new(self, game, pos), pos.turn(), game.bucket(pos))
    }

    /// Returns the evaluation, centi-units for the side to move.
    #[inline]
    #[must_use]
    pub fn evaluate(&self, accumulator: &Accumulator<H>, turn: Side, bucket: usize) -> Score {
        let [own, other] = [turn, turn.other()].map(|side| accumulator.of(side));
        let output = &self.outputs[bucket];
        let sum = kernels::activated(own, &output.weights[0]) + kernels::activated(other, &output.weights[1]);
        // The squares are in units of `UNIT` twice.
        let output = i64::from(sum / UNIT) + i64::from(output.bias);
        let value = output * i64::from(self.scale) / i64::from(UNIT * OUTPUT_UNIT);
        value.clamp(-i64::from(score::MAX_EVALUATION), score::MAX_EVALUATION.into()) as Score
    }
}
