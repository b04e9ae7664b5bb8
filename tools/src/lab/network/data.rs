//! The positions that a network is trained on.

use crate::lab::curve;
use crate::lab::positions::parts::{check_parts, is_held_out};
use crate::lab::positions::replay::{Labelled, replay};
use crate::lab::positions::targets::{Blend, Recorded, targets};
use crc32fast::Hasher;
use secateurs::core::{Error, NetworkShape, StopFlag};
use secateurs::network::model::{self, Example};
use secateurs::registry::{STARTPOS, Setup};
use secateurs::util::random::{GOLDEN, Random, mixed};
use std::path::PathBuf;

/// The number of positions by which the scale of the scores is found.
const FOR_SCALE: usize = 200_000;

/// The number of steps in an epoch, at most, by which the default of a batch is chosen: fewer learn little
/// (`docs/learning.md`).
const STEPS: usize = 1_024;

/// The range of the default number of positions in a step.
const BATCH: [usize; 2] = [32, 2_048];

/// Positions as a network sees them.
#[derive(Debug, Default)]
pub struct Data {
    /// The features of all positions.
    features: Vec<u16>,
    positions: Vec<Labels>,
    /// The expected result of each position for the side to move, from 0 to 1.
    targets: Vec<f32>,
}

/// The labels of a position, and the place of its features.
#[derive(Clone, Copy, Debug)]
struct Labels {
    start: usize,
    /// The numbers of features from the perspective of the side to move and of its opponent.
    counts: [u16; 2],
    bucket: u8,
    recorded: Recorded,
    /// The part of the score that is settled, to which the network adds the rest.
    settled: i16,
}

impl Data {
    /// Returns the number of positions.
    pub(crate) fn len(&self) -> usize {
        self.positions.len()
    }

    /// Sets the targets. A score of `scale` centi-units makes the odds of a win e to 1.
    pub(super) fn set_targets(&mut self, blend: Blend, scale: f32) {
        self.targets = targets(self.positions.iter().map(|position| position.recorded), blend, scale);
    }

    /// Returns a position with its target.
    #[inline]
    pub(super) fn example(&self, index: usize, scale: f32) -> Example<'_> {
        let Labels { start, counts: [own, other], bucket, settled, .. } = self.positions[index];
        let middle = start + usize::from(own);
        Example {
            features: [&self.features[start..middle], &self.features[middle..middle + usize::from(other)]],
            bucket: bucket.into(),
            settled: f32::from(settled) / scale,
            target: self.targets[index],
        }
    }

    /// Returns the score, centi-units, that makes the odds of a win e to 1 in these positions.
    ///
    /// # Errors
    /// [`Error::BadOptions`] if the results do not depend on the scores.
    pub(super) fn scale(&self) -> Result<f32, Error> {
        let observe = |labels: &Labels| (labels.recorded.score.into(), labels.recorded.points().into());
        let each = self.len().div_ceil(FOR_SCALE).max(1);
        let observed: Vec<_> = self.positions.iter().step_by(each).map(observe).collect();
        Ok(curve::scale(&observed)? as f32)
    }

    /// Adds the last position to a checksum.
    fn sum_last(&self, sum: &mut Hasher) {
        let Some(labels) = self.positions.last() else { return };
        let Labels { start, counts: [own, _], bucket, recorded, settled } = *labels;
        let Recorded { game, turn, result, score } = recorded;
        self.features[start..].iter().for_each(|feature| sum.update(&feature.to_le_bytes()));
        [own, score.cast_unsigned(), settled.cast_unsigned()].iter().for_each(|part| sum.update(&part.to_le_bytes()));
        sum.update(&[bucket, turn.index() as u8, result]);
        sum.update(&game.to_le_bytes());
    }

    fn push(&mut self, position: &Labelled<'_>) {
        let Some(inputs) = position.board.inputs() else { return };
        // Features are distinct numbers of 16 bits.
        let counts = inputs.features.each_ref().map(|features| features.len() as u16);
        let start = self.features.len();
        inputs.features.iter().for_each(|features| self.features.extend(features));
        let settled = inputs.settled.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        let (bucket, recorded) = (inputs.bucket as u8, position.recorded);
        self.positions.push(Labels { start, counts, bucket, recorded, settled });
    }
}

/// The positions that a network of a game is trained on, and those of the games that are held out.
#[derive(Debug)]
pub struct TrainingSet {
    /// The shape of the network.
    pub shape: NetworkShape,
    /// The score, centi-units, that makes the odds of a win e to 1.
    pub scale: f32,
    training: Data,
    held: Data,
    seed: u64,
    /// The checksum of all positions in their order.
    pub(super) checksum: u32,
}

impl TrainingSet {
    /// Reads the positions of files, of which the share `held_out` of the games is held out. `progress` is called with
    /// the number of positions so far. `None` if the flag was raised meanwhile.
    ///
    /// # Errors
    /// [`Error::BadOptions`] for a game without features, without positions, and for results that do not depend on
    /// scores; [`Error::File`], [`Error::BadFile`].
    pub fn load(
        setup: &Setup,
        paths: &[PathBuf],
        blend: Blend,
        (held_out, seed): (f64, u64),
        stop: &StopFlag,
        progress: &mut dyn FnMut(usize),
    ) -> Result<Option<Self>, Error> {
        let (name, shape) = (setup.row().name, setup.board(STARTPOS)?.shape());
        let shape = shape.ok_or_else(|| Error::BadOptions(format!("{name} has no features for a network to see")))?;
        let (mut parts, mut sum) = ([Data::default(), Data::default()], Hasher::new());
        replay(setup, paths, stop, &mut |position| {
            let held = usize::from(is_held_out(position.opening, held_out, seed));
            parts[held].push(&position);
            parts[held].sum_last(&mut sum);
            let count = parts[0].len() + parts[1].len();
            if count % 1_000 == 0 {
                progress(count);
            }
        })?;
        if stop.is_raised() {
            return Ok(None);
        }
        check_parts([parts[0].len(), parts[1].len()])?;
        let scale = parts[0].scale()?;
        parts.iter_mut().for_each(|part| part.set_targets(blend, scale));
        let [training, held] = parts;
        Ok(Some(Self { shape, scale, training, held, seed, checksum: sum.finalize() }))
    }

    /// Returns the number of positions to train on, and of those held out.
    pub fn positions(&self) -> [usize; 2] {
        [self.training.len(), self.held.len()]
    }

    /// Returns the number of positions in a step where none is given: a power of two.
    pub fn batch(&self) -> usize {
        (self.training.len() / STEPS + 1).next_power_of_two().clamp(BATCH[0], BATCH[1])
    }

    /// Returns the initial weights in the order of [`model`].
    pub fn initial_weights(&self) -> Vec<f32> {
        model::random(self.shape, self.seed)
    }

    /// Returns the order of the positions in an epoch, counted from 0.
    pub fn order(&self, epoch: usize) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.training.len() as u32).collect();
        Random(mixed(self.seed ^ (epoch as u64).wrapping_mul(GOLDEN))).shuffle(&mut order);
        order
    }

    /// Returns positions to train on, or those that are held out, by their numbers.
    pub fn examples(&self, held_out: bool, positions: &[u32]) -> Vec<Example<'_>> {
        let data = if held_out { &self.held } else { &self.training };
        positions.iter().map(|&index| data.example(index as usize, self.scale)).collect()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use secateurs::core::Side;

    /// Random positions for a network of a shape.
    pub(crate) fn random(shape: NetworkShape, count: usize) -> Data {
        let (mut data, random) = (Data::default(), &mut Random(9));
        for _ in 0..count {
            let counts = [1 + random.below(4) as u16, 1 + random.below(4) as u16];
            let start = data.features.len();
            data.features.extend((0..counts[0] + counts[1]).map(|_| random.below(shape.features) as u16));
            let (bucket, result) = (random.below(shape.buckets) as u8, random.below(3) as u8);
            let [score, settled] = [600, 200].map(|range| random.below(range) as i16 - range as i16 / 2);
            let recorded = Recorded { game: 0, turn: Side::First, result, score };
            data.positions.push(Labels { start, counts, bucket, recorded, settled });
        }
        data.set_targets(Blend { result: 0.3, lambda: 0.6 }, 150.0);
        data
    }

    #[test]
    fn positions_keep_their_features_apart() {
        let data = random(NetworkShape { features: 50, hidden: 32, buckets: 3 }, 20);
        let seen = (0..data.len()).map(|index| data.example(index, 150.0));
        assert_eq!(seen.map(|seen| seen.features.concat()).collect::<Vec<_>>().concat(), data.features);
    }
}
