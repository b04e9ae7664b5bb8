//! The positions to learn from, and those that are held out with their whole games.

use secateurs::core::Error;
use secateurs::util::random::{GOLDEN, mixed, unit};

/// Whether the games of an opening are held out with this seed.
pub(crate) fn is_held_out(opening: u64, share: f64, seed: u64) -> bool {
    let drawn = mixed(seed.wrapping_add(opening.wrapping_add(1).wrapping_mul(GOLDEN)));
    unit(drawn) <= share && share > 0.0
}

/// Checks the numbers of positions to learn from and of those held out.
///
/// # Errors
/// [`Error::BadOptions`] without the former.
pub(crate) fn check_parts(parts: [usize; 2]) -> Result<(), Error> {
    match parts {
        [0, 0] => Err(Error::BadOptions("there is no position to learn from".into())),
        [0, _] => Err(Error::BadOptions("all games are held out: give a smaller --held-out, or more games".into())),
        _ => Ok(()),
    }
}
