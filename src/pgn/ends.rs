//! The end of a text to which games are added.

use super::cursor::UNCLOSED;
use super::read::{PgnError, games};
use crate::registry::Setup;

/// Returns what stands between a text, or the end of one, and a game that is added: a blank line, unless the text ends
/// with one or is empty, and before it the end of a comment that was cut off.
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
