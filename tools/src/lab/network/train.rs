//! [`Trainer`]: passes over the positions of self-play, each a step of a network.

use super::checkpoint::{self, Training};
use super::data::TrainingSet;
use crate::lab::positions::targets::Blend;
use crate::numbers::{part, real, share};
use clap::builder::RangedU64ValueParser;
use secateurs::core::{Error, NetworkShape, StopFlag};
use secateurs::network::adam::{Adam, cosine, summed};
use secateurs::network::model::{self, add_gradient};
use secateurs::network::{NetworkFile, OUTPUT_UNIT, UNIT};
use secateurs::registry::Setup;
use secateurs::util::counted::counted;
use secateurs::util::lock::lock;
use secateurs::util::parallel::{cores, for_each};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The parts of a batch, whose gradients are summed in order: the network does not depend on the number of threads.
const PARTS: usize = 4;

/// The share of the first learning rate that is left at the end.
const LAST_RATE: f64 = 0.01;

/// The root mean square of a gradient below which a parameter moves less.
pub(super) const EPSILON: f64 = 1e-8;

/// The share by which a weight decays in a step of rate 1.
pub(super) const WEIGHT_DECAY: f64 = 0.01;

/// The limit of weights, but not of the biases of the output: their products with activations, in the units of the
/// network, fit into 16 bits.
const LIMIT: f64 = 1.98;

/// The settings of a training, and the arguments for them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, clap::Args)]
pub struct TrainPlan {
    /// Passes over the positions.
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub epochs: usize,
    /// Positions in a step [default: 2048 from a million positions on, fewer for fewer, at least 32]
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub batch: Option<usize>,
    /// Learning rate at the start; it falls along a cosine.
    #[arg(long, value_name = "RATE", default_value_t = 0.001, value_parser = real("a number above 0, at most 1", |rate| rate > 0.0 && rate <= 1.0))]
    pub rate: f64,
    /// Share of the result in what is learned; the rest is from the scores of the searches.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    pub blend: f64,
    /// Share of the next position's target in that rest, as in TD(lambda); 0: only the score of a position's own search.
    #[arg(long, value_name = "SHARE", default_value_t = 0.6, value_parser = share)]
    pub lambda: f64,
    /// Share of the games that is held out, to see whether the network has learned more than its games.
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = part)]
    pub held_out: f64,
    /// Seed of everything random.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Threads; the network does not depend on their number [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    #[serde(skip)]
    pub threads: Option<u16>,
}

/// What an epoch has reached.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Epoch {
    /// The number of the epoch, from 1 on.
    pub epoch: usize,
    /// The mean squared error of the expected result during the epoch.
    pub training: f64,
    /// The same for the positions that are held out, after it; `None` without such positions.
    pub held_out: Option<f64>,
    /// The positions trained on in a second.
    pub speed: f64,
}

/// A network in training.
#[derive(Debug)]
pub struct Trainer {
    setup: Setup,
    plan: TrainPlan,
    data: TrainingSet,
    adam: Adam,
    /// Its parameters, as the gradient is computed with them.
    weights: Vec<f32>,
    /// The number of positions in a step.
    batch: usize,
    /// By what a checkpoint is recognised.
    subject: Training,
    /// The epochs that are done.
    pub epochs: Vec<Epoch>,
}

impl Trainer {
    /// Reads the positions of files, and the checkpoint if there is one. `progress` is called with the number of
    /// positions so far. `None` if the flag was raised meanwhile.
    ///
    /// # Errors
    /// [`Error::BadOptions`] for a game without features, without positions, and for results that do not depend on
    /// scores; [`Error::File`], [`Error::BadFile`].
    pub fn new(
        setup: Setup,
        paths: &[PathBuf],
        mut plan: TrainPlan,
        saved: Option<&Path>,
        stop: &StopFlag,
        progress: &mut dyn FnMut(usize),
    ) -> Result<Option<Self>, Error> {
        if let Some(path) = saved {
            checkpoint::check_replaced(path)?;
        }
        let blend = Blend { result: plan.blend, lambda: plan.lambda };
        let data = TrainingSet::load(&setup, paths, blend, (plan.held_out, plan.seed), stop, progress)?;
        let Some(data) = data else { return Ok(None) };
        let shape = data.shape;
        let batch = *plan.batch.get_or_insert(data.batch());
        let subject = Training {
            game: setup.row().name.into(),
            shape: [shape.features, shape.hidden, shape.buckets],
            positions: data.checksum,
            plan: json!(plan),
        };
        let count = model::count(shape);
        let initial = data.initial_weights().into_iter().map(f64::from).collect();
        let mut trainer = Self {
            adam: Adam { weight_decay: WEIGHT_DECAY, ..Adam::new(initial, EPSILON) },
            weights: Vec::new(),
            epochs: Vec::new(),
            setup,
            plan,
            data,
            batch,
            subject,
        };
        if let Some(path) = saved
            && let Some((adam, epochs)) = checkpoint::read(path, &trainer.subject, count)?
        {
            (trainer.adam, trainer.epochs) = (adam, epochs);
        }
        trainer.round();
        Ok(Some(trainer))
    }

    /// Returns the positions.
    pub(crate) fn data(&self) -> &TrainingSet {
        &self.data
    }

    /// Returns the settings.
    pub(crate) fn plan(&self) -> &TrainPlan {
        &self.plan
    }

    /// Trains for an epoch, and saves the state. Returns `None` if the flag was raised before its end: it is then to be
    /// trained from its start. `progress` is called with the number of positions done.
    ///
    /// # Errors
    /// [`Error::File`] if the checkpoint cannot be written.
    pub(crate) fn epoch(
        &mut self,
        saved: Option<&Path>,
        stop: &StopFlag,
        progress: &mut dyn FnMut(usize),
    ) -> Result<Option<Epoch>, Error> {
        let number = self.epochs.len();
        let start = Instant::now();
        let order = self.data.order(number);
        let batches = order.len().div_ceil(self.batch);
        let mut gradients = vec![vec![0.0; self.weights.len()]; PARTS];
        let (mut squares, before) = (0.0, self.adam.clone());
        for (index, batch) in order.chunks(self.batch).enumerate() {
            if stop.is_raised() {
                self.adam = before;
                self.round();
                return Ok(None);
            }
            let done = (number * batches + index) as f64 / (self.plan.epochs * batches) as f64;
            squares += self.step(batch, done, &mut gradients);
            progress(index * self.batch + batch.len());
        }
        let held: Vec<u32> = (0..self.data.positions()[1] as u32).collect();
        let held_out = (!held.is_empty()).then(|| self.errors(true, &held, None) / held.len() as f64);
        let speed = order.len() as f64 / start.elapsed().as_secs_f64();
        let epoch = Epoch { epoch: number + 1, training: squares / order.len() as f64, held_out, speed };
        self.epochs.push(epoch);
        if let Some(path) = saved {
            checkpoint::write(path, &self.subject, &self.epochs, &self.adam)?;
        }
        Ok(Some(epoch))
    }

    /// Makes a step; `done` is the share of the training that is done. Returns the sum of the squared errors.
    fn step(&mut self, batch: &[u32], done: f64, gradients: &mut [Vec<f32>]) -> f64 {
        let squares = self.errors(false, batch, Some(gradients));
        let gradient = summed(gradients, 1.0 / batch.len() as f64);
        let rate = cosine([self.plan.rate, self.plan.rate * LAST_RATE], done);
        self.adam.step(rate, &gradient);
        let limited = gradient.len() - self.data.shape.buckets;
        self.adam.parameters[..limited].iter_mut().for_each(|weight| *weight = weight.clamp(-LIMIT, LIMIT));
        self.round();
        squares
    }

    /// Sets the weights to the parameters.
    fn round(&mut self) {
        self.weights.clear();
        self.weights.extend(self.adam.parameters.iter().map(|&parameter| parameter as f32));
    }

    /// Returns the sum of the squared errors, and sets the gradients of the parts.
    fn errors(&self, held_out: bool, positions: &[u32], gradients: Option<&mut [Vec<f32>]>) -> f64 {
        let place = |part: usize| positions.len() * part / PARTS;
        let gradients: Vec<_> = match gradients {
            Some(gradients) => gradients.iter_mut().map(Some).collect(),
            None => (0..PARTS).map(|_| None).collect(),
        };
        let parts: Vec<_> = gradients.into_iter().map(|gradient| Mutex::new((gradient, 0.0))).collect();
        let work = |part: usize| {
            let (gradient, squares) = &mut *lock(&parts[part]);
            let gradient = gradient.as_mut().map(|gradient| {
                gradient.fill(0.0);
                &mut gradient[..]
            });
            let positions = &positions[place(part)..place(part + 1)];
            let found =
                add_gradient(&self.weights, self.data.shape, &self.data.examples(held_out, positions), gradient);
            *squares = found.unwrap_or_default();
            Ok(())
        };
        // It fails only with its work, and nothing raises the flag.
        let threads = self.plan.threads.map_or_else(cores, usize::from);
        let _ = for_each(threads, PARTS, &StopFlag::new(), work);
        parts.into_iter().map(|part| part.into_inner().unwrap_or_else(PoisonError::into_inner).1).sum()
    }

    /// Returns the network in whole numbers.
    pub(crate) fn network(&self) -> NetworkFile {
        let shape @ NetworkShape { hidden, buckets, features } = self.data.shape;
        let (rows, biases) = self.weights.split_at((features + 1 + 2 * buckets) * hidden);
        let outputs = (features + 1) * hidden;
        let unit = |index: usize| if index < outputs { UNIT } else { OUTPUT_UNIT };
        let positions = counted(self.data.positions().iter().sum::<usize>(), "position");
        let epochs = counted(self.epochs.len(), "epoch");
        NetworkFile {
            game: self.setup.row().name.into(),
            shape,
            scale: self.data.scale.round() as i32,
            origin: format!("{epochs} of {positions}; {}", json!(self.plan)),
            weights: rows
                .iter()
                .enumerate()
                .map(|(index, weight)| (weight * unit(index) as f32).round() as i16)
                .collect(),
            biases: biases.iter().map(|bias| (bias * (UNIT * OUTPUT_UNIT) as f32).round() as i32).collect(),
        }
    }
}
