//! The values of one class in mapped files: outcomes, five in a byte, and distances, a byte each.
//!
//! Both files begin with four numbers of 64 bits, the lower byte first: won, drawn and lost positions, and the longest
//! distance to the end of the game in plies (0 in a file of outcomes).

use super::database::TableFile;
use super::material::{Class, Material};
use crate::core::score::{self, INFINITE, win_in};
use crate::core::{Bounds, Error, Score};
use crate::store::mapped::Mapped;
use std::path::Path;

/// The size of the numbers at the beginning, bytes.
const HEAD: usize = 32;

/// The number of outcomes in a byte: 3^5 = 243.
const IN_BYTE: usize = 5;

const POWERS: [u8; IN_BYTE] = [1, 3, 9, 27, 81];

/// The longest distance that a file can hold, plies.
pub(crate) const MOST_PLIES: u8 = 253;

/// The level of a draw, in the builder and in the file of distances.
pub(crate) const DRAWN: u8 = 0;

/// The level of an index without a position.
pub(crate) const HOLE: u8 = 255;

/// The value of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The side to move wins.
    Win,
    /// Neither side can win.
    Draw,
    /// The side to move loses.
    Loss,
    /// The game ends in this number of plies with best play: a win of the side to move if it is odd, a loss if even.
    Distance(u8),
}

impl Value {
    /// Returns the value of a level: 0 is a draw, another one is one more than the distance.
    #[inline]
    pub(crate) const fn of_level(level: u8) -> Self {
        match level {
            DRAWN | HOLE => Self::Draw,
            _ => Self::Distance(level - 1),
        }
    }

    /// Returns the value without its distance.
    #[inline]
    #[must_use]
    pub const fn outcome(self) -> Self {
        match self {
            Self::Distance(plies) if plies % 2 == 1 => Self::Win,
            Self::Distance(_) => Self::Loss,
            _ => self,
        }
    }

    /// Returns the value as bounds. A win of unknown distance is at least the smallest score of a win.
    #[inline]
    pub(crate) fn bounds(self) -> Bounds {
        let won = win_in(score::MAX_DISTANCE);
        match self {
            Self::Win => Bounds { lower: won, upper: INFINITE },
            Self::Draw => Bounds::exactly(0),
            Self::Loss => Bounds { lower: -INFINITE, upper: -won },
            Self::Distance(plies) => {
                let score = win_in(Score::from(plies));
                Bounds::exactly(if plies % 2 == 1 { score } else { -score })
            }
        }
    }
}

/// The numbers at the beginning of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Won, drawn and lost positions.
    pub outcomes: [u64; 3],
    /// The longest distance to the end, plies; 0 if distances are not known.
    pub longest: u64,
}

impl Counts {
    /// Returns the counts of levels; `has_distances` if they are distances to the end of the game.
    pub fn from_levels(levels: impl Iterator<Item = u8>, has_distances: bool) -> Self {
        let (mut outcomes, mut longest) = ([0; 3], 0);
        for level in levels.filter(|&level| level != HOLE) {
            match Value::of_level(level).outcome() {
                Value::Win => outcomes[0] += 1,
                Value::Draw => outcomes[1] += 1,
                _ => outcomes[2] += 1,
            }
            if has_distances {
                longest = longest.max(level.saturating_sub(1).into());
            }
        }
        Self { outcomes, longest }
    }

    fn bytes(self) -> [u8; HEAD] {
        let [wins, draws, losses] = self.outcomes;
        let mut bytes = [0; HEAD];
        bytes.as_chunks_mut().0.copy_from_slice(&[wins, draws, losses, self.longest].map(u64::to_le_bytes));
        bytes
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let numbers = bytes.get(..HEAD)?.as_chunks().0;
        let [wins, draws, losses, longest] = numbers.first_chunk().copied()?.map(u64::from_le_bytes);
        Some(Self { outcomes: [wins, draws, losses], longest })
    }
}

/// What a file stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableKind {
    /// Wins, draws and losses.
    Outcomes,
    /// Distances to the end of the game.
    Distances,
}

impl TableKind {
    pub(crate) const ALL: [Self; 2] = [Self::Outcomes, Self::Distances];

    pub(crate) fn file<P: Material>(self, class: Class) -> TableFile {
        let (game, name, indices) = (P::GAME, P::name(class), P::indices(class));
        let (ending, kind, bytes) = match self {
            Self::Outcomes => ("", "outcomes", indices.div_ceil(IN_BYTE)),
            Self::Distances => ("-distances", "distances", indices),
        };
        TableFile {
            name: format!("{game}-{name}{ending}.sde"),
            subject: format!("{game} {kind} {name}"),
            payload: (HEAD + bytes) as u64,
        }
    }

    /// Writes the file of a class.
    ///
    /// # Errors
    /// [`Error::File`].
    pub fn save<P: Material>(self, folder: &Path, class: Class, counts: Counts, levels: &[u8]) -> Result<(), Error> {
        let counts = if self == Self::Outcomes { Counts { longest: 0, ..counts } } else { counts };
        self.file::<P>(class).save(folder, |out| {
            out.write_all(&counts.bytes())?;
            match self {
                Self::Distances => out.write_all(levels),
                Self::Outcomes => levels.chunks(IN_BYTE).try_for_each(|levels| out.write_all(&[packed(levels)])),
            }
        })
    }
}

/// Returns the outcomes of up to five levels as digits of base 3: 0 is a draw, 1 a win, 2 a loss.
fn packed(levels: &[u8]) -> u8 {
    let digit = |level| match Value::of_level(level).outcome() {
        Value::Win => 1,
        Value::Draw => 0,
        _ => 2,
    };
    levels.iter().zip(POWERS).map(|(&level, power)| power * digit(level)).sum()
}

#[derive(Debug)]
struct Stored {
    file: Mapped,
    counts: Counts,
}

impl Stored {
    fn open<P: Material>(kind: TableKind, folder: &Path, class: Class) -> Result<Self, Error> {
        let file = kind.file::<P>(class).open(folder)?;
        let counts = Counts::read(&file.bytes()[file.start()..]).unwrap_or_default();
        Ok(Self { file, counts })
    }

    #[inline]
    fn byte(&self, at: usize) -> u8 {
        self.file.bytes().get(self.file.start() + HEAD + at).copied().unwrap_or(0)
    }
}

/// The files of a class.
#[derive(Debug)]
pub struct ClassTable {
    outcomes: Stored,
    distances: Option<Stored>,
}

impl ClassTable {
    /// Opens the files of a class and verifies them. A class may have no distances.
    pub(crate) fn open<P: Material>(folder: &Path, class: Class) -> Result<Self, Error> {
        let outcomes = Stored::open::<P>(TableKind::Outcomes, folder, class)?;
        let has_distances = folder.join(TableKind::Distances.file::<P>(class).name).exists();
        let distances =
            if has_distances { Some(Stored::open::<P>(TableKind::Distances, folder, class)?) } else { None };
        Ok(Self { outcomes, distances })
    }

    pub(crate) const fn has_distances(&self) -> bool {
        self.distances.is_some()
    }

    /// Returns the counts of the class.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.distances.as_ref().map_or(self.outcomes.counts, |distances| distances.counts)
    }

    /// Returns the value at an index, with its distance if known.
    #[inline]
    #[must_use]
    pub fn value(&self, index: usize) -> Value {
        self.distances.as_ref().map_or_else(|| self.outcome(index), |stored| Value::of_level(stored.byte(index)))
    }

    /// Returns the value at an index in the file of a kind; in that of the outcomes if there is no file of distances.
    pub(crate) fn stored(&self, kind: TableKind, index: usize) -> Value {
        match kind {
            TableKind::Outcomes => self.outcome(index),
            TableKind::Distances => self.value(index),
        }
    }

    /// Returns the outcome at an index.
    #[inline]
    #[must_use]
    pub fn outcome(&self, index: usize) -> Value {
        let digits = self.outcomes.byte(index / IN_BYTE);
        match digits / POWERS[index % IN_BYTE] % 3 {
            0 => Value::Draw,
            1 => Value::Win,
            _ => Value::Loss,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_outcomes_fit_a_byte() {
        let levels = [1, 2, 0, HOLE, 254];
        assert_eq!(packed(&levels), 2 + 3 + 81);
        assert_eq!(packed(&[255, 0, 0, 3, 3]), 2 * 27 + 2 * 81);
    }

    #[test]
    fn values_are_bounds() {
        let won = Value::Win.bounds();
        assert!(won.lower > score::MAX_EVALUATION && won.upper == INFINITE && Value::Loss.bounds() == won.reversed());
        assert_eq!(Value::of_level(2).bounds(), Bounds::exactly(score::WIN - 1));
        assert_eq!(Value::of_level(1).bounds(), Bounds::exactly(-score::WIN));
        assert_eq!(Value::of_level(DRAWN).bounds(), Bounds::exactly(0));
        assert_eq!([2, 3].map(|plies| Value::Distance(plies).outcome()), [Value::Loss, Value::Win]);
    }

    #[test]
    fn counts_are_read_back() {
        let counts = Counts::from_levels([0, 1, 2, 2, 7, HOLE].into_iter(), true);
        assert_eq!(counts, Counts { outcomes: [2, 1, 2], longest: 6 });
        assert_eq!(Counts::read(&counts.bytes()), Some(counts));
        assert_eq!(Counts::read(&[0; HEAD - 1]), None);
        assert_eq!(Counts::from_levels([2].into_iter(), false).longest, 0);
    }
}
