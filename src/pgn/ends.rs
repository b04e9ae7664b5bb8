//! Where games end in a text to which others are added.

use super::read::{PgnError, UNCLOSED, games};
use super::words::result;
use crate::registry::Setup;

/// Whether lines of a text, to which more may follow, have a whole game: up to its result, to a blank line after its moves, or
/// to the first tag of the next game. Only the last line is looked at until it may be such an end.
#[must_use]
pub fn is_whole(text: &str, here: &Setup) -> bool {
    let last = text.lines().next_back().unwrap_or_default();
    let is_blank = last.trim().is_empty();
    if !is_blank && !last.starts_with('[') && last.split_whitespace().all(|word| result(word).is_none()) {
        return false;
    }
    let mut games = games(text, here);
    match games.next() {
        Some(Ok(game)) if game.is_ended || is_blank && !game.moves.is_empty() => true,
        first => first.is_some() && games.next().is_some(),
    }
}

/// Returns what stands between a text, or the end of one, and a game that is added: a blank line, unless the text ends with
/// one or is empty, and before it the end of a comment that was cut off.
#[must_use]
pub fn gap(text: &str) -> &'static str {
    if ends_in_comment(text) {
        "}\n\n"
    } else if text.is_empty() || text.ends_with("\n\n") {
        ""
    } else {
        "\n\n"
    }
}

/// Whether a text ends within a comment: other readers would take a game behind it for a part of that.
fn ends_in_comment(text: &str) -> bool {
    let is_unclosed = |game: Result<_, PgnError>| game.is_err_and(|error| error.reason == UNCLOSED);
    text.rfind('{') > text.rfind('}') && Setup::named("chess").is_ok_and(|here| games(text, &here).any(is_unclosed))
}
