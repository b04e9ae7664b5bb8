//! The state of a training between two epochs, in a file.

use super::train::{EPSILON, Epoch, WEIGHT_DECAY};
use secateurs::core::Error;
use secateurs::network::adam::Adam;
use secateurs::store::container::{Draft, Format};
use secateurs::store::regular;
use secateurs::util::difference::{as_options, difference};
use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::{fs, io};

const FORMAT: Format = Format { letters: b"SNT", version: 1, foreign: "is not a checkpoint of `train`" };

/// What a training depends on.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct Training {
    pub(super) game: String,
    pub(super) shape: [usize; 3],
    /// The checksum of the positions.
    pub(super) positions: u32,
    pub(super) plan: Value,
}

impl Training {
    /// Describes how the training of a file differs.
    fn difference(&self, there: &Self) -> Option<String> {
        if there.game != self.game {
            return Some(format!("is the checkpoint of a network of {}, not of {}", there.game, self.game));
        }
        if (there.positions, there.shape) != (self.positions, self.shape) {
            return Some("is the checkpoint of a training on other games".into());
        }
        let difference = difference(&as_options(&there.plan).into(), &as_options(&self.plan).into());
        difference.map(|difference| format!("is the checkpoint of another training: its {difference}"))
    }
}

/// The subject of the file and its state.
#[derive(serde::Serialize, serde::Deserialize)]
struct Subject {
    training: Training,
    epochs: Vec<Epoch>,
    steps: u32,
}

/// Reads the state of a training, and the epochs that are done; `None` if there is no file.
///
/// # Errors
/// [`Error::File`]; [`Error::BadFile`] for a file of something else, that is damaged, or of another training, whose
/// difference is named.
pub(super) fn read(path: &Path, training: &Training, count: usize) -> Result<Option<(Adam, Vec<Epoch>)>, Error> {
    regular::check(path)?;
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        read => read.map_err(|error| Error::file("read", path, &error))?,
    };
    let (subject, contents) = FORMAT.read_whole(path, &bytes)?;
    let bad = |reason: String| Error::bad_file(path, reason);
    let foreign = |_| bad("is a checkpoint of another version of Secateurs".into());
    let subject: Subject = serde_json::from_slice(&subject).map_err(foreign)?;
    if let Some(difference) = training.difference(&subject.training) {
        return Err(bad(difference));
    }
    let numbers: Vec<f64> = contents.as_chunks().0.iter().map(|&bytes| f64::from_le_bytes(bytes)).collect();
    if numbers.len() != 3 * count {
        return Err(bad("has not the number of weights of its network".into()));
    }
    let part = |index: usize| numbers[index * count..][..count].to_vec();
    let steps = subject.steps;
    let (epsilon, weight_decay) = (EPSILON, WEIGHT_DECAY);
    let adam = Adam { parameters: part(0), means: part(1), squares: part(2), steps, epsilon, weight_decay };
    Ok(Some((adam, subject.epochs)))
}

/// Checks that a checkpoint can be written to a file.
///
/// # Errors
/// [`Error::File`]; [`Error::BadFile`] for a file of another kind.
pub(super) fn check_replaced(path: &Path) -> Result<(), Error> {
    FORMAT.check_replaced(path).map(drop)
}

/// Writes the state; an older file is replaced as a whole, or is unchanged.
///
/// # Errors
/// [`Error::File`].
pub(super) fn write(path: &Path, training: &Training, epochs: &[Epoch], adam: &Adam) -> Result<(), Error> {
    let subject = Subject { training: training.clone(), epochs: epochs.to_vec(), steps: adam.steps };
    let write = || {
        let mut out = Draft::create(path, &FORMAT, &serde_json::to_vec(&subject)?)?;
        for number in adam.parameters.iter().chain(&adam.means).chain(&adam.squares) {
            out.write_all(&number.to_le_bytes())?;
        }
        Draft::commit(out)
    };
    write().map_err(|error| Error::file("write", path, &error))
}
