//! Portable Game Notation (S. J. Edwards 1994), for every game of the registry.
//!
//! The tag `Variant` names the game: as the registry does, but for chess the words of other programs, `Standard` and
//! `Chess960`. The tag `Options` has the other options that are not at their defaults. Chess has moves in standard
//! algebraic notation. In other games turns need not alternate, so every single move has its own number. Draughts have the
//! tag `GameType` of Portable Draughts Notation.
//!
//! p1 is White, except in games whose first player has the black men, such as checkers: there p1 is Black, and `0-1` is
//! p1's win.
//!
//! - [`game`]: a game as it is written, with comments, glyphs and variations;
//! - [`read`](mod@read): games from text, whoever has written it;
//! - [`write`](mod@write): a game as text.

pub mod game;
pub mod read;
pub mod write;

pub use game::{PgnGame, PgnMove};
pub use read::games;
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

/// The tag of the rules of draughts.
const GAME_TYPE: &str = "GameType";

/// Returns the tags of the players p1 and p2: their colours.
#[must_use]
pub fn colours(setup: &Setup) -> [&'static str; 2] {
    if is_black_first(setup) { ["Black", "White"] } else { ["White", "Black"] }
}

/// Returns the result for White and Black, given the one for p1 and p2, or the other way round.
#[must_use]
pub fn result<'a>(setup: &Setup, result: &'a str) -> &'a str {
    match RESULTS.iter().position(|known| *known == result) {
        Some(index @ ..2) if is_black_first(setup) => RESULTS[1 - index],
        _ => result,
    }
}

/// Returns whether the first player has the black men.
fn is_black_first(setup: &Setup) -> bool {
    setup.board(registry::STARTPOS).is_ok_and(|board| board.sides()[0] == "Black")
}

/// Returns the game of a tag `GameType`, such as `21,B,8,0,N1,0`; `None` for one that the registry has not.
fn game_of_type(tag: &str) -> Option<Setup> {
    let number = tag.split(',').next()?.trim().parse().ok()?;
    registry::GAMES.iter().find(|row| row.game_type == Some(number)).map(Setup::new)
}

/// Returns the tag `Variant` of a game.
#[must_use]
pub fn variant(setup: &Setup) -> &'static str {
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
