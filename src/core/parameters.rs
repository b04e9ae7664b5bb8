//! [`Parameters`]: search parameters by name, for experiments: `null_move=255,late_pruning=5`.

use super::score::Score;
use super::tuning::Tuning;
pub use super::tuning::{PARAMETERS, Parameter};
use super::weights::assignments;
use std::fmt;

/// Values of some search parameters; the others are those of the game.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Parameters([Option<Score>; PARAMETERS.len()]);

impl Parameters {
    /// Reads `NAME=VALUE` pairs, separated by commas.
    ///
    /// # Errors
    /// A description of the parameters and their ranges, for an unknown name or a value out of range.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut values = [None; PARAMETERS.len()];
        for found in assignments(text) {
            let (name, value) = found.ok_or_else(expected)?;
            let index = PARAMETERS.iter().position(|row| row.name == name && row.range.contains(&value));
            values[index.ok_or_else(expected)?] = Some(value);
        }
        Ok(Self(values))
    }

    /// Sets a parameter; a value out of range becomes the nearest valid one.
    pub fn set(&mut self, parameter: usize, value: Score) {
        let range = &PARAMETERS[parameter].range;
        self.0[parameter] = Some(value.clamp(*range.start(), *range.end()));
    }

    /// Overwrites a game's parameters with these.
    pub(crate) fn apply(&self, tuning: &mut Tuning) {
        for (row, value) in PARAMETERS.iter().zip(self.0) {
            value.into_iter().for_each(|value| (row.set)(tuning, value));
        }
    }
}

/// Writes the notation of [`Parameters::read`].
impl fmt::Display for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let set = PARAMETERS.iter().zip(self.0).filter_map(|(row, value)| Some(format!("{}={}", row.name, value?)));
        f.write_str(&set.collect::<Vec<_>>().join(","))
    }
}

impl fmt::Debug for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let set = PARAMETERS.iter().zip(self.0).filter_map(|(row, value)| Some((row.name, value?)));
        f.debug_map().entries(set).finish()
    }
}

fn expected() -> String {
    let rows: Vec<_> =
        PARAMETERS.iter().map(|row| format!("{} {} .. {}", row.name, row.range.start(), row.range.end())).collect();
    format!("each NAME=VALUE once, by commas; the names are {}", rows.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_is_set_over_its_whole_range() {
        for row in &PARAMETERS {
            for value in [*row.range.start(), *row.range.end()] {
                let mut tuning = Tuning::default();
                Parameters::read(&format!(" {} = {value} ,", row.name)).unwrap().apply(&mut tuning);
                assert_eq!((row.get)(&tuning), value, "{}", row.name);
                Parameters::default().apply(&mut tuning);
                assert_eq!((row.get)(&tuning), value, "{}", row.name);
            }
        }
    }

    #[test]
    fn errors_list_the_parameters() {
        for text in ["null_move", "null_move=0", "null_move=256", "null=3", "null_move=x"] {
            assert!(Parameters::read(text).unwrap_err().contains("null_move 1 .. 255"), "{text}");
        }
    }
}
