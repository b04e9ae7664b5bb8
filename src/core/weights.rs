//! Weights of an evaluation as text: `seed=14,mobility=6`.

use super::error::{Error, Quoted};
use super::score::Score;
use std::fmt::Write;

/// A weight: its name, and the value of one unit of its feature, centi-units.
pub type Weight = (&'static str, Score);

/// The largest absolute value of a weight, centi-units.
pub const MAX_WEIGHT: Score = 200;

/// A position as a sum of weighted counts. Each count has a parameter for each stage of the game: those of count `i`
/// begin at `i` times the number of stages. The value is the constant and, for each count and stage, the product of the
/// count, the parameter and the share of the stage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Linear {
    /// The counts that are not 0, with the index of each.
    pub counts: Vec<(u32, i16)>,
    /// The shares of the stages (middlegame, endgame) in the value; one share of 1 in games without stages.
    pub stages: Vec<f32>,
    /// The constant, centi-units.
    pub constant: f32,
}

impl Linear {
    /// Returns the sum of features without stages and a constant, centi-units.
    pub(crate) fn of_features(features: &[i32], constant: Score) -> Self {
        let counts = features.iter().zip(0..).filter(|(count, _)| **count != 0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "small numbers")]
        let (counts, constant) = (counts.map(|(&count, index)| (index, count as i16)).collect(), constant as f32);
        Self { counts, stages: vec![1.0], constant }
    }
}

/// Rounds a fitted weight to the valid range, centi-units.
#[must_use]
pub fn rounded(weight: f64) -> Score {
    let most = f64::from(MAX_WEIGHT);
    #[expect(clippy::cast_possible_truncation, reason = "within the range")]
    let rounded = weight.round().clamp(-most, most) as Score;
    rounded
}

/// Writes weights in the notation of [`read`].
#[must_use]
pub fn write(weights: &[Weight]) -> String {
    let mut text = String::new();
    for (name, value) in weights {
        let comma = if text.is_empty() { "" } else { "," };
        let _ = write!(text, "{comma}{name}={value}");
    }
    text
}

/// Overwrites the weights that the text names; the others stay.
///
/// # Errors
/// A description of valid weights, for an unknown name or a value that is not a number within ±[`MAX_WEIGHT`].
pub fn read(text: &str, weights: &mut [Weight]) -> Result<(), String> {
    let names: Vec<_> = weights.iter().map(|(name, _)| *name).collect();
    let expected = || {
        format!(
            "each NAME=VALUE once, by commas, from -{MAX_WEIGHT} to {MAX_WEIGHT}; the names are {}",
            names.join(", ")
        )
    };
    for found in assignments(text) {
        let (name, value) = found.filter(|(_, value)| value.abs() <= MAX_WEIGHT).ok_or_else(expected)?;
        weights.iter_mut().find(|(known, _)| *known == name).ok_or_else(expected)?.1 = value;
    }
    Ok(())
}

/// Returns which of a game's weights have one of these names.
///
/// # Errors
/// [`Error::BadOptions`] for a name that none of them has.
pub fn are_named(weights: &[Weight], names: &[String], game: &str) -> Result<Vec<bool>, Error> {
    let known: Vec<_> = weights.iter().map(|(name, _)| *name).collect();
    if let Some(unknown) = names.iter().find(|name| !known.contains(&name.as_str())) {
        let reason = format!("{} is no weight of {game}: they are {}", Quoted::new(unknown), known.join(", "));
        return Err(Error::BadOptions(reason));
    }
    Ok(known.iter().map(|known| names.iter().any(|name| name == known)).collect())
}

/// Iterates over the pairs in `NAME=VALUE,...`; `None` for one that is malformed or has the name of another.
pub(crate) fn assignments(text: &str) -> impl Iterator<Item = Option<(&str, Score)>> {
    let mut names = Vec::new();
    text.split(',').map(str::trim).filter(|word| !word.is_empty()).map(move |word| {
        let (name, value) = word.split_once('=')?;
        let name = name.trim();
        names.push(name);
        let is_first = !names[..names.len() - 1].contains(&name);
        Some((name, value.trim().parse().ok().filter(|_| is_first)?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back_and_what_is_not_named_stays() {
        let mut weights = [("seed", 14), ("mobility", -6)];
        assert_eq!(write(&weights), "seed=14,mobility=-6");
        read(" mobility = 7 ,", &mut weights).unwrap();
        assert_eq!(weights, [("seed", 14), ("mobility", 7)]);
        let text = write(&weights);
        let mut again = [("seed", 0), ("mobility", 0)];
        read(&text, &mut again).unwrap();
        assert_eq!(again, weights);
    }

    #[test]
    fn errors_name_what_is_wrong() {
        for text in ["seed", "seed=x", "house=3", "seed=201", "seed=-201", "seed=99999999999", "seed=1,seed=1"] {
            let error = read(text, &mut [("seed", 1)]).unwrap_err();
            assert!(error.contains("the names are seed"), "{text}: {error}");
        }
    }
}
