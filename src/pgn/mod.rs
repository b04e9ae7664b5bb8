//! Portable Game Notation (S. J. Edwards 1994), for every game of the registry.
//!
//! The tag `Variant` names the game: as the registry does, but for chess the words of other programs, `Standard` and
//! `Chess960`. The tag `Options` has the other options that are not at their defaults. Chess has moves in standard
//! algebraic notation. In other games turns need not alternate, so every single move has its own number.
//!
//! - [`read`](mod@read): games from text, whoever has written it;
//! - [`write`](mod@write): a game as text.

pub mod read;
pub mod write;

pub use read::{PgnGame, games};
pub use write::{Pgn, comment, write_moves, write_tag};

use crate::core::Error;
use crate::registry::{self, Setup};

/// The results, the last one for an unfinished game.
pub const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// The tag of the game.
const VARIANT: &str = "Variant";

/// The tag of the game's options.
const OPTIONS: &str = "Options";

/// The option of chess that [`CHESS960`] sets.
const IS_CHESS960: &str = "UCI_Chess960";

/// Chess in the tag `Variant`, as lichess.org writes it.
const STANDARD: &str = "Standard";

/// Chess960 in the tag `Variant`.
const CHESS960: &str = "Chess960";

/// Returns the tag `Variant` of a game.
fn variant(setup: &Setup) -> &'static str {
    match setup.row().name {
        "chess" if setup.options().check(IS_CHESS960) => CHESS960,
        "chess" => STANDARD,
        name => name,
    }
}

/// Returns the game that a tag `Variant` names, with its default options.
///
/// # Errors
/// [`Error::UnknownGame`].
fn setup_of(variant: &str) -> Result<Setup, Error> {
    let is = |names: &[&str]| names.iter().any(|name| variant.eq_ignore_ascii_case(name));
    let is_chess960 = is(&[CHESS960, "fischerandom", "fischerrandom"]);
    let name = if is_chess960 || is(&[STANDARD, "From Position"]) { "chess" } else { variant };
    let mut setup = Setup::new(registry::find(name)?);
    if is_chess960 {
        setup.set(IS_CHESS960, "true")?;
    }
    Ok(setup)
}
