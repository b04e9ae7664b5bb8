//! Networks in files: a [container](crate::store::container) with the shape as its subject, and the weights.
//!
//! The subject is JSON. The contents are the weights of each feature, the biases of the hidden neurons, then for each
//! bucket the output weights for the side to move and for its opponent; then the bias of each bucket in 32 bits. A
//! weight from -127 to 127 is one byte; any other is the byte -128 and 16 bits, which compresses better than 16 bits
//! for each. Numbers are little-endian.

use super::Network;
use crate::core::{Error, NetworkShape};
use crate::store::container::{Draft, Format};
use crate::util::counted::counted;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::Write;
use std::path::Path;

const FORMAT: Format = Format { letters: b"SNN", version: 2, foreign: "is not a network" };

/// The byte before a weight of 16 bits.
const LONG: i8 = i8::MIN;

/// The contents of a file: a network of any shape.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkFile {
    /// The name of the game.
    pub game: String,
    /// The numbers of features, neurons and buckets.
    pub shape: NetworkShape,
    /// The score, centi-units, of an output of 1.
    pub scale: i32,
    /// How the network was made.
    pub origin: String,
    /// The weights in the order of the file.
    pub weights: Vec<i16>,
    /// The bias of each bucket.
    pub biases: Vec<i32>,
}

#[derive(Serialize, Deserialize)]
struct NetworkSubject {
    game: String,
    features: usize,
    hidden: usize,
    buckets: usize,
    scale: i32,
    origin: String,
}

impl NetworkSubject {
    /// Refuses the network of another game.
    fn check_game(&self, path: &Path, game: Option<&str>) -> Result<(), Error> {
        match game.filter(|&game| game != self.game) {
            Some(game) => Err(Error::bad_file(path, format!("is a network of {}, not of {game}", self.game))),
            None => Ok(()),
        }
    }
}

/// Returns the number of 16-bit weights; `None` if it is too large for any file.
fn count(shape: NetworkShape) -> Option<usize> {
    let rows = shape.buckets.checked_mul(2)?.checked_add(shape.features)?.checked_add(1)?;
    rows.checked_mul(shape.hidden)
}

/// Splits off a weight.
fn split_weight(bytes: &[u8]) -> Option<(i16, &[u8])> {
    let (&byte, rest) = bytes.split_first()?;
    match byte.cast_signed() {
        LONG => rest.split_first_chunk().map(|(weight, rest)| (i16::from_le_bytes(*weight), rest)),
        byte => Some((byte.into(), rest)),
    }
}

impl NetworkFile {
    /// Reads the network of a game; `None`: of any game.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::BadFile`] for a file that is damaged, is no network, or is one of another game.
    pub fn open(path: &Path, game: Option<&str>) -> Result<Self, Error> {
        crate::store::regular::check(path)?;
        let bytes = fs::read(path).map_err(|error| Error::file("read", path, &error))?;
        Self::read(path, &bytes, game)
    }

    /// Reads the network of a game from the bytes of a file.
    ///
    /// # Errors
    /// [`Error::BadFile`], as [`open`](Self::open).
    pub fn read(path: &Path, bytes: &[u8], game: Option<&str>) -> Result<Self, Error> {
        let bad = |reason: &str| Error::bad_file(path, reason);
        let (subject, mut rest) = FORMAT.read_whole(path, bytes)?;
        let subject: NetworkSubject = serde_json::from_slice(&subject).map_err(|_| bad("has no shape of a network"))?;
        subject.check_game(path, game)?;
        let shape = NetworkShape { features: subject.features, hidden: subject.hidden, buckets: subject.buckets };
        if [shape.features, shape.hidden, shape.buckets].contains(&0) {
            return Err(bad("has no shape of a network"));
        }
        let wrong = || bad("has not the number of weights of its shape");
        let count = count(shape).filter(|&count| count <= rest.len()).ok_or_else(wrong)?;
        let mut weights = Vec::with_capacity(count);
        while weights.len() < count {
            let (weight, others) = split_weight(rest).ok_or_else(wrong)?;
            weights.push(weight);
            rest = others;
        }
        if rest.len() != 4 * shape.buckets {
            return Err(wrong());
        }
        Ok(Self {
            game: subject.game,
            shape,
            scale: subject.scale,
            origin: subject.origin,
            weights,
            biases: rest.as_chunks().0.iter().map(|&bytes| i32::from_le_bytes(bytes)).collect(),
        })
    }

    /// Returns the network of a game with this shape.
    ///
    /// # Errors
    /// [`Error::BadFile`] for a network of another shape, or of another number of hidden neurons.
    pub(crate) fn network<const H: usize>(&self, path: &Path, wanted: NetworkShape) -> Result<Network<H>, Error> {
        if self.shape != wanted {
            let text = |shape: NetworkShape| {
                let [features, hidden, buckets] =
                    [(shape.features, "feature"), (shape.hidden, "hidden neuron"), (shape.buckets, "bucket")]
                        .map(|(count, noun)| counted(count, noun));
                format!("{features}, {hidden} and {buckets}")
            };
            let reason = format!("is a network of {} where one of {} is needed", text(self.shape), text(wanted));
            return Err(Error::bad_file(path, reason));
        }
        Ok(Network::new(self))
    }

    /// Writes the network as a whole.
    ///
    /// # Errors
    /// [`Error::File`]; an older file is then unchanged.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        let NetworkShape { features, hidden, buckets } = self.shape;
        let (game, origin) = (self.game.clone(), self.origin.clone());
        let subject = NetworkSubject { game, features, hidden, buckets, scale: self.scale, origin };
        let write = || {
            let mut out = Draft::create(path, &FORMAT, &serde_json::to_vec(&subject)?)?;
            for &weight in &self.weights {
                match i8::try_from(weight) {
                    Ok(byte) if byte != LONG => out.write_all(&byte.to_le_bytes())?,
                    _ => {
                        out.write_all(&LONG.to_le_bytes())?;
                        out.write_all(&weight.to_le_bytes())?;
                    }
                }
            }
            for bias in &self.biases {
                out.write_all(&bias.to_le_bytes())?;
            }
            Draft::commit(out)
        };
        write().map_err(|error| Error::file("write", path, &error))
    }

    /// Checks that a network of a game can be written to a file: what it replaces is one of this game, is damaged or
    /// empty, or does not exist.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::BadFile`] for a file of another kind or game.
    pub fn check_replaced(path: &Path, game: &str) -> Result<(), Error> {
        let there =
            FORMAT.check_replaced(path)?.and_then(|subject| serde_json::from_slice::<NetworkSubject>(&subject).ok());
        there.map_or(Ok(()), |there| there.check_game(path, Some(game)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network() -> NetworkFile {
        let shape = NetworkShape { features: 3, hidden: 64, buckets: 2 };
        let weights = (0..8 * 64).map(|index| index * 7 - 999).collect();
        NetworkFile {
            game: "nim".into(),
            shape,
            scale: 220,
            origin: "a test".into(),
            weights,
            biases: vec![-70_000, 5],
        }
    }

    #[test]
    fn networks_are_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("net");
        network().write(&path).unwrap();
        assert_eq!(NetworkFile::open(&path, Some("nim")), Ok(network()));
        assert_eq!(NetworkFile::open(&path, None), Ok(network()));
        let other = NetworkFile::open(&path, Some("chess")).unwrap_err().to_string();
        assert!(other.ends_with("is a network of nim, not of chess"), "{other}");
        assert_eq!(NetworkFile::check_replaced(&path, "nim"), Ok(()));
        let other = NetworkFile::check_replaced(&path, "chess").unwrap_err().to_string();
        assert!(other.ends_with("is a network of nim, not of chess"), "{other}");
        assert!(NetworkFile::check_replaced(&folder.path().join("no/net"), "nim").is_err());
        let whole = fs::read(&path).unwrap();
        let reason = |bytes: &[u8]| NetworkFile::read(&path, bytes, Some("nim")).unwrap_err().to_string();
        for place in (0..whole.len()).step_by(13) {
            let mut bytes = whole.clone();
            bytes[place] ^= 0x10;
            assert!(reason(&bytes).contains(" is "), "{place}");
        }
        assert!(reason(b"a text").ends_with("is not a network"));
        let wanted = NetworkShape { features: 1, hidden: 64, buckets: 1 };
        let other = network().network::<64>(&path, wanted).err().unwrap().to_string();
        assert!(
            other.ends_with("2 buckets where one of 1 feature, 64 hidden neurons and 1 bucket is needed"),
            "{other}"
        );
        let weights = [-32768, -129, -128, -127, 0, 127, 128, 32767];
        let long = NetworkFile { weights: weights.into_iter().cycle().take(8 * 64).collect(), ..network() };
        long.write(&path).unwrap();
        assert_eq!(NetworkFile::open(&path, None), Ok(long));
        let mut short = network();
        short.weights.pop();
        short.write(&path).unwrap();
        assert!(reason(&fs::read(&path).unwrap()).ends_with("has not the number of weights of its shape"));
        let shape = NetworkShape { features: usize::MAX, hidden: 0, buckets: 1 };
        NetworkFile { shape, weights: Vec::new(), biases: vec![0], ..network() }.write(&path).unwrap();
        assert!(reason(&fs::read(&path).unwrap()).ends_with("has no shape of a network"));
    }
}
