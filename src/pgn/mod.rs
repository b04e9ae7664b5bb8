//! Portable Game Notation (S. J. Edwards 1994), for every game of the registry.
//!
//! The tag `Variant` names the game: as the registry does, but for chess the words of other programs, `Standard` and
//! `Chess960`. The tag `Options` has the other options that are not at their defaults. Chess has moves in standard
//! algebraic notation. A number stands before each pair of moves; in Kalah, whose turns need not alternate, before each
//! move. Draughts have the tag `GameType` of Portable Draughts Notation (PDN).
//!
//! p1 is White, except in games whose first player has the black men, such as checkers: there p1 is Black, and `0-1` is
//! p1's win.
//!
//! - [`game`]: a game as it is written, with comments, glyphs and variations;
//! - [`decode()`]: text from the bytes of a file; [`read`](mod@read): games from text, whoever has written it; `words`:
//!   the words of their movetext; `cursor`: its place; `ahead`: what comes next; `lines`: a game from lines as they come;
//!   `ends`: the end of a text to which others are added;
//! - [`write`](mod@write): a game as text.

mod ahead;
mod cursor;
mod decode;
mod ends;
pub mod game;
mod lines;
pub mod read;
mod words;
pub mod write;

pub(crate) use cursor::folded;
pub use decode::decode;
pub use ends::gap;
pub use game::{PgnGame, PgnMove};
pub use lines::LineReader;
pub use read::{PgnError, games};
pub use words::numbered;
pub(crate) use words::{known_result, nag};
pub(crate) use write::{MoveNumbers, variation};
pub use write::{Pgn, comment, move_numbers, write_moves, write_tag};

use crate::core::Error;
use crate::core::error::Quoted;
use crate::registry::{self, Setup};
use crate::store::bounded;
use std::path::Path;

/// The results.
pub const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", UNFINISHED];

/// The result of an unfinished game.
pub(crate) const UNFINISHED: &str = "*";

/// The tag of the game.
pub(crate) const VARIANT: &str = "Variant";

/// The tag of the game's options.
pub(crate) const OPTIONS: &str = "Options";

/// The tag of the position before the first move.
const FEN: &str = "FEN";

/// The option of chess that [`CHESS960`] sets.
const IS_CHESS960: &str = "UCI_Chess960";

/// Chess in the tag `Variant`, as lichess.org writes it.
pub(crate) const STANDARD: &str = "Standard";

/// Chess960 in the tag `Variant`.
const CHESS960: &str = "Chess960";

/// Chess in the tag `Variant` of other programs, without capitals and blanks.
const CHESS_NAMES: [&str; 9] =
    ["", "illegal", "chess", "standard", "standardchess", "normal", "classical", "regular", "fromposition"];

/// Chess960 in the tag `Variant` of other programs, without capitals and blanks.
const CHESS960_NAMES: [&str; 7] =
    ["chess960", "960", "fischerandom", "fischerrandom", "fischerandomchess", "fischerrandomchess", "freestylechess"];

/// The tag of the rules of draughts.
pub(crate) const GAME_TYPE: &str = "GameType";

/// The tags `GameType` of the draughts games, for moves in numbers: those of Brazilian draughts are letters otherwise.
const GAME_TYPES: [(&str, &str); 3] = [("21", "checkers"), ("20", "draughts"), ("26,W,8,8,N2,0", "brazilian")];

/// Returns the tag `GameType` of a draughts game; `None` for other games, which are not written in PDN.
pub(crate) fn game_type(game: &str) -> Option<&'static str> {
    GAME_TYPES.into_iter().find(|(_, known)| *known == game).map(|(tag, _)| tag)
}

/// Returns the text of a file of games of at most `most` bytes, [decoded](decode).
///
/// # Errors
/// [`Error::File`]; [`Error::BadFile`] for what is not a regular file.
pub fn load(path: &Path, most: u64) -> Result<String, Error> {
    bounded::bytes(path, most).map(decode)
}

/// Returns the tags of the players p1 and p2: their colours.
#[must_use]
pub fn colours(setup: &Setup) -> [&'static str; 2] {
    if is_black_first(setup) { ["Black", "White"] } else { ["White", "Black"] }
}

/// Returns the result for White and Black, given the one for p1 and p2, or the other way round; `*` for a result that
/// PGN does not have.
#[must_use]
pub fn result(setup: &Setup, result: &str) -> &'static str {
    let known = known_result(result);
    match RESULTS.iter().position(|other| *other == known) {
        Some(index @ ..2) if is_black_first(setup) => RESULTS[1 - index],
        _ => known,
    }
}

/// Returns whether the first player has the black men.
fn is_black_first(setup: &Setup) -> bool {
    setup.board(registry::STARTPOS).is_ok_and(|board| board.sides()[0] == "Black")
}

/// Returns the game of a tag `GameType`, such as `21,B,8,0,N1,0`, or its name; `None` for other text.
///
/// # Errors
/// [`Error::UnknownGame`] for a game that the registry does not have.
fn game_of_type(tag: &str) -> Option<Result<Setup, Error>> {
    let number = |tag: &str| tag.split(',').next()?.trim().parse::<u8>().ok();
    let Some(number_here) = number(tag) else { return Setup::named(&bare(tag)).ok().map(Ok) };
    // The numbers of PDN begin with those of other games.
    let mut types = [("0", "chess"), ("1", "xiangqi")].into_iter().chain(GAME_TYPES);
    Some(match types.find(|(known, _)| number(known) == Some(number_here)) {
        Some((_, game)) => Setup::named(game),
        None => {
            let known = GAME_TYPES.map(|(tag, game)| format!("{} is {game}", &tag[..2])).join(", ");
            Err(Error::UnknownGame(Quoted::new(&format!("GameType {number_here}")), format!("; {known}")))
        }
    })
}

/// Whether a tag `GameType`, such as `26,W,8,8,A0,0`, says that squares are letters.
pub(crate) fn has_letters(tag: &str) -> bool {
    tag.split(',').nth(4).is_some_and(|notation| notation.trim_start().starts_with('A'))
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

/// Returns whether a tag `Variant` says only that the rules are the usual ones, those of chess unless a tag says
/// otherwise.
fn names_no_game(variant: &str) -> bool {
    let bare = bare(variant);
    is_chess(&bare) && !bare.contains("chess")
}

/// Whether a bare name is one of chess, of which the wild games 0 to 8 of FICS only start elsewhere.
fn is_chess(bare: &str) -> bool {
    let is_wild = |number: &str| matches!(number.as_bytes(), [b'0'..=b'8'] | b"8a");
    CHESS_NAMES.contains(&bare) || bare.strip_prefix("wild").is_some_and(is_wild)
}

/// Returns a name without what programs write in different ways, capitals, blanks and hyphens: `Fischer Random`,
/// `chess-960`.
fn bare(variant: &str) -> String {
    variant.replace(|c: char| !c.is_alphanumeric(), "").to_lowercase()
}

/// Returns the game that a tag `Variant` names, with its default options.
///
/// # Errors
/// [`Error::UnknownGame`].
fn setup_of(variant: &str) -> Result<Setup, Error> {
    let bare = bare(variant);
    let is_chess960 = CHESS960_NAMES.contains(&&*bare);
    let name = match &*bare {
        _ if is_chess960 => "chess",
        "chinesechess" => "xiangqi",
        bare if is_chess(bare) => "chess",
        _ => variant,
    };
    let mut setup = Setup::named(name)?;
    if is_chess960 {
        setup.set(IS_CHESS960, "true")?;
    }
    Ok(setup)
}
