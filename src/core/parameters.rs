//! [`Parameters`]: search parameters by name, for experiments: `null_move=255,late_pruning=5`.

use super::score::{MAX_EVALUATION, Score};
use super::tuning::Tuning;
use super::weights::assignments;
use std::fmt;
use std::ops::RangeInclusive;

/// A search parameter: a field of [`Tuning`], which documents its unit.
pub struct Parameter {
    /// The name of the field.
    pub name: &'static str,
    /// The valid values.
    pub range: RangeInclusive<Score>,
    /// Returns its value.
    pub get: fn(&Tuning) -> Score,
    set: fn(&mut Tuning, Score),
}

/// The value of a least remaining depth that disables a step.
const NEVER: u8 = u8::MAX;

macro_rules! parameters {
    ($($field:ident: $range:expr $(=> $never:ident)?),* $(,)?) => {
        /// The search parameters.
        pub static PARAMETERS: [Parameter; [$(stringify!($field)),*].len()] = [$(Parameter {
            name: stringify!($field),
            range: $range,
            get: |tuning| tuning.$field$(.unwrap_or($never))?.into(),
            // The range lies within that of the type.
            set: |tuning, value| {
                let number = value.try_into();
                $(let number = number.map(|depth| Some(depth).filter(|&depth| depth != $never));)?
                tuning.$field = number.unwrap_or(tuning.$field);
            },
        }),*];
    };
}

parameters! {
    aspiration: 1..=MAX_EVALUATION,
    enhanced_cutoffs: 0..=255 => NEVER,
    quiescence: 0..=255,
    delta_margin: 0..=2_000,
    hashless_reduction: 1..=255 => NEVER,
    late_reduction: 1..=255 => NEVER,
    late_reduction_base: 0..=1_000,
    late_reduction_growth: 0..=1_000,
    late_reduction_pv: 0..=1_000,
    late_reduction_cut: 0..=1_000,
    late_reduction_history: 0..=16_384,
    improving: 0..=1_000,
    reverse_futility: 0..=255,
    reverse_futility_margin: 0..=1_000,
    null_move: 1..=255 => NEVER,
    late_pruning: 0..=255,
    futility: 0..=255,
    futility_margin: 0..=1_000,
    exchange_pruning: 0..=255,
    exchange_margin: 0..=1_000,
    check_extension: 0..=1,
    singular_extension: 2..=255 => NEVER,
    singular_margin: 0..=1_000,
    single_extension: 0..=1,
}

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
    format!("NAME=VALUE by commas; the names are {}", rows.join(", "))
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
