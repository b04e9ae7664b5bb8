//! Verification of tables: random positions against the best of their successors.

use super::material::{Class, Material};
use super::table::{Kind, Value};
use super::tables::Tables;
use crate::core::position::legal_moves;
use crate::core::random::Random;
use crate::core::{Outcome, StopFlag};

/// Why a table is not right, or cannot be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw<P> {
    /// A position has a wrong value.
    Wrong {
        /// The file of its class that has the value.
        kind: Kind,
        /// The position.
        pos: P,
        /// The value in the file.
        stored: Value,
        /// The value by its successors.
        found: Value,
    },
    /// The table of a class is missing, to which positions lead.
    Missing(Class),
}

/// Checks random positions of a class against their successors, in each file of the class. Returns their number, which
/// is lower if the flag was raised.
///
/// # Errors
/// The first flaw.
pub fn verify<P: Material>(
    tables: &Tables,
    class: Class,
    samples: u64,
    seed: u64,
    stop: &StopFlag,
) -> Result<u64, Flaw<P>> {
    let mut random = Random(seed ^ u64::from(class.0) << 32);
    let table = tables.of(class).ok_or(Flaw::Missing(class))?;
    let mut checked = 0;
    while checked < samples && !stop.is_raised() {
        let index = random.below(P::indices(class));
        let Some(pos) = P::at(class, index) else { continue };
        checked += 1;
        let kinds = [Kind::Distances, Kind::Outcomes].into_iter().skip(usize::from(!table.has_distances()));
        for kind in kinds {
            let stored = table.stored(kind, index);
            let found = best(tables, kind, &pos, stored).map_err(Flaw::Missing)?;
            if stored != found {
                return Err(Flaw::Wrong { kind, pos, stored, found });
            }
        }
    }
    Ok(checked)
}

/// Returns the value of a position by those of its successors in files of a kind, with a distance if the `stored` value
/// has one.
///
/// # Errors
/// The class of a successor whose table is missing.
fn best<P: Material>(tables: &Tables, kind: Kind, pos: &P, stored: Value) -> Result<Value, Class> {
    let known = matches!(stored, Value::Distance(_));
    let (mut wins, mut losses, mut has_draw) = (Vec::new(), Vec::new(), false);
    let moves = legal_moves(pos);
    if moves.is_empty() {
        return Ok(match pos.outcome() {
            Outcome::Loss if known => Value::Distance(0),
            Outcome::Loss => Value::Loss,
            _ => Value::Draw,
        });
    }
    for mv in moves {
        let after = pos.after(mv);
        let value = if after.is_over() {
            Value::Distance(0)
        } else {
            tables.stored(kind, &after).ok_or_else(|| after.class())?
        };
        let plies = if let Value::Distance(plies) = value { plies } else { 0 };
        match value.outcome() {
            Value::Loss => wins.push(plies),
            Value::Win => losses.push(plies),
            _ => has_draw = true,
        }
    }
    let distance = |plies: u8, outcome| if known { Value::Distance(plies + 1) } else { outcome };
    Ok(match (wins.into_iter().min(), losses.into_iter().max()) {
        (Some(plies), _) => distance(plies, Value::Win),
        (None, Some(plies)) if !has_draw => distance(plies, Value::Loss),
        _ => Value::Draw,
    })
}
