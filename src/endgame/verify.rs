//! Verification of tables: random positions against the best of their successors.

use super::material::{Class, Material};
use super::table::Value;
use super::tables::Tables;
use crate::core::position::legal_moves;
use crate::core::random::Random;
use crate::core::{Outcome, StopFlag};

/// A position with a wrong value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong<P> {
    /// The position.
    pub pos: P,
    /// The value in the table.
    pub stored: Value,
    /// The value by its successors.
    pub found: Value,
}

/// Checks random positions of a class against their successors. Returns their number, which is lower if the flag was
/// raised.
///
/// # Errors
/// The first wrong position.
pub fn verify<P: Material>(
    tables: &Tables,
    class: Class,
    samples: u64,
    seed: u64,
    stop: &StopFlag,
) -> Result<u64, Wrong<P>> {
    let mut random = Random(seed ^ u64::from(class.0) << 32);
    let mut checked = 0;
    while checked < samples && !stop.is_raised() {
        let Some(pos) = P::at(class, random.below(P::indices(class))) else { continue };
        checked += 1;
        let (stored, found) = (tables.value(&pos).unwrap_or(Value::Draw), best(tables, &pos));
        if stored != found {
            return Err(Wrong { pos, stored, found });
        }
    }
    Ok(checked)
}

/// Returns the value of a position by those of its successors: with a distance if theirs are known, and if the side to
/// move does not draw.
pub fn best<P: Material>(tables: &Tables, pos: &P) -> Value {
    let has_distance = |value| matches!(value, Value::Distance(_));
    let known = tables.value(pos).is_some_and(has_distance);
    let (mut wins, mut losses, mut has_draw) = (Vec::new(), Vec::new(), false);
    let moves = legal_moves(pos);
    if moves.is_empty() {
        return match pos.outcome() {
            Outcome::Loss if known => Value::Distance(0),
            Outcome::Loss => Value::Loss,
            _ => Value::Draw,
        };
    }
    for mv in moves {
        let after = pos.after(mv);
        let value = match tables.value(&after) {
            _ if after.is_over() => Value::Distance(0),
            Some(value) => value,
            None => Value::Draw,
        };
        let plies = if let Value::Distance(plies) = value { plies } else { 0 };
        match value.outcome() {
            Value::Loss => wins.push(plies),
            Value::Win => losses.push(plies),
            _ => has_draw = true,
        }
    }
    let distance = |plies: u8, outcome| if known { Value::Distance(plies + 1) } else { outcome };
    match (wins.into_iter().min(), losses.into_iter().max()) {
        (Some(plies), _) => distance(plies, Value::Win),
        (None, Some(plies)) if !has_draw => distance(plies, Value::Loss),
        _ => Value::Draw,
    }
}
