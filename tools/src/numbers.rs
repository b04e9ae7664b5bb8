//! Parsers of arguments: numbers within bounds, and several numbers with commas between them.

use crate::arena::adjudication::Agreement;

/// Returns a parser of the numbers that satisfy a condition; `expected` describes them.
pub(crate) fn real(
    expected: &'static str,
    condition: fn(f64) -> bool,
) -> impl Fn(&str) -> Result<f64, String> + Clone + Send + Sync + 'static {
    move |text| text.parse().ok().filter(|&number| condition(number)).ok_or_else(|| format!("not {expected}"))
}

/// Parses a number from 0 to 1.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    real("a number from 0 to 1", |number| (0.0..=1.0).contains(&number))(text)
}

/// Parses a number from 0 to less than 1.
pub(crate) fn part(text: &str) -> Result<f64, String> {
    real("a number from 0 to less than 1", |number| (0.0..1.0).contains(&number))(text)
}

/// Parses two numbers.
pub(crate) fn two(text: &str) -> Result<(f64, f64), String> {
    match numbers(text)?[..] {
        [first, second] => Ok((first, second)),
        _ => Err("not two numbers with a comma between".into()),
    }
}

/// Parses the terms on which games are adjudicated: moves, score, and optionally plies.
pub(crate) fn agreement(text: &str) -> Result<Agreement, String> {
    let is_small = |number: &u32| *number <= 1_000_000;
    let number = |word: &str| word.trim().parse().ok().filter(is_small);
    let found: Option<Vec<u32>> = text.split(',').map(number).collect();
    let found =
        found.ok_or("not whole numbers from 0 with commas between; the score is in centi-units: 500 is 5.00")?;
    let [moves, score, after] = match found[..] {
        [moves, score] => [moves, score, 0],
        [moves, score, after] => [moves, score, after],
        _ => return Err("not two or three numbers with commas between".into()),
    };
    Ok(Agreement { moves: moves as usize, score: score.cast_signed(), after: after as usize })
}

fn numbers(text: &str) -> Result<Vec<f64>, String> {
    let number = |word: &str| word.trim().parse().ok().filter(|number: &f64| number.is_finite());
    let numbers: Option<Vec<_>> = text.split(',').map(number).collect();
    numbers.ok_or_else(|| "not numbers with commas between".into())
}
