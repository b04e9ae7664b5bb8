//! Parsers of arguments: numbers within bounds, and several numbers with commas between them.

use crate::arena::adjudication::Agreement;

/// Returns a parser of the numbers that satisfy a condition; `expected` describes them.
pub(super) fn real(
    expected: &'static str,
    condition: fn(f64) -> bool,
) -> impl Fn(&str) -> Result<f64, String> + Clone + Send + Sync + 'static {
    move |text| text.parse().ok().filter(|&number| condition(number)).ok_or_else(|| format!("not {expected}"))
}

/// Parses a number from 0 to 1.
pub(super) fn share(text: &str) -> Result<f64, String> {
    real("a number from 0 to 1", |number| (0.0..=1.0).contains(&number))(text)
}

/// Parses two numbers.
pub(super) fn two(text: &str) -> Result<(f64, f64), String> {
    match numbers(text)?[..] {
        [first, second] => Ok((first, second)),
        _ => Err("not two numbers with a comma between".into()),
    }
}

/// Parses the terms on which games are adjudicated: moves, score, and optionally plies.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float casts saturate, and are checked")]
pub(super) fn agreement(text: &str) -> Result<Agreement, String> {
    let found = numbers(text)?;
    if found.iter().any(|&number| number < 0.0 || number.fract() != 0.0 || number > 1e6) {
        return Err("not whole numbers from 0".into());
    }
    match found[..] {
        [moves, score] => Ok(Agreement { moves: moves as usize, score: score as i32, after: 0 }),
        [moves, score, after] => Ok(Agreement { moves: moves as usize, score: score as i32, after: after as usize }),
        _ => Err("not two or three numbers with commas between".into()),
    }
}

fn numbers(text: &str) -> Result<Vec<f64>, String> {
    let number = |word: &str| word.trim().parse().ok().filter(|number: &f64| number.is_finite());
    let numbers: Option<Vec<_>> = text.split(',').map(number).collect();
    numbers.ok_or_else(|| "not numbers with commas between".into())
}
