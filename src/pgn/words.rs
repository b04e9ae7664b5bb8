//! The words of a movetext.
//!
//! Beside those of the standard the reader takes what people and other programs write. All of it is here, but for the
//! notation of moves, which belongs to the games (chess: `games::chess::notation`):
//!
//! - numbers without a period or with an ellipsis, apart or not: `12`, `12...`, `12…e5`, `...e5`;
//! - annotations behind a move or apart, several together: `Nf3!?=`, `Bb5 +-`, `□`, `N` for a novelty, `D` for a
//!   diagram, and the strength of a move in parentheses (PDN): `11-15(!)`;
//! - moves in quotation marks: those of games in Python may be any text;
//! - results in points, with other signs, or short: `2-0`, `1:0`, `0–1`, `½-½`, `1/2`, `1 - 0`; with a full stop,
//!   `1-0.`; or directly behind a check: `Qxf7#1-0`.

use super::{RESULTS, UNFINISHED};
use crate::core::notation::string;
use std::borrow::Cow;

/// The suffixes of moves and the numeric annotation glyphs (NAG) that mean the same (8.2.3.8).
const SUFFIXES: [(&str, u16); 6] = [("!", 1), ("?", 2), ("!!", 3), ("??", 4), ("!?", 5), ("?!", 6)];

/// The glyph of a forced move.
pub(super) const FORCED: u16 = 7;

/// The symbols that annotators write behind a move, and their glyphs: a forced move, compensation for material, values of
/// the position (from equal to won). Those that end with others come first.
const SYMBOLS: [(&str, u16); 22] = [
    ("□", FORCED),
    ("=/∞", 44),
    ("+=", 14),
    ("+/=", 14),
    ("⩲", 14),
    ("=+", 15),
    ("=/+", 15),
    ("⩱", 15),
    ("=", 10),
    ("∞", 13),
    ("+/-", 16),
    ("±", 16),
    ("-/+", 17),
    ("∓", 17),
    ("+--", 20),
    ("+-", 18),
    ("+−", 18),
    ("+–", 18),
    ("--+", 21),
    ("-+", 19),
    ("−+", 19),
    ("–+", 19),
];

/// The letters that do the same for a novelty and a diagram. They are moves in some games.
pub(super) const LETTERS: [(&str, u16); 2] = [("N", 146), ("D", 201)];

/// What stands apart from its move without another meaning: en passant, check and mate.
pub(super) const MARKS: [&str; 13] =
    ["e.p.", "ep", "ep.", "+", "++", "#", "ch", "ch.", "mate", "dis.ch", "dis.ch.", "dbl.ch", "dbl.ch."];

/// Results in other notation, and what they are in PGN: the points of international draughts (PDN 3.0), where both may
/// lose, forfeits, and forms of a draw.
const OTHER_RESULTS: [(&str, &str); 12] = [
    ("2-0", "1-0"),
    ("0-2", "0-1"),
    ("1-1", "1/2-1/2"),
    ("0-0", "*"),
    ("1/2", "1/2-1/2"),
    ("½-½", "1/2-1/2"),
    ("0.5-0.5", "1/2-1/2"),
    ("0,5-0,5", "1/2-1/2"),
    ("=-=", "1/2-1/2"),
    ("1-0F", "1-0"),
    ("0-1F", "0-1"),
    ("½", "1/2-1/2"),
];

/// The signs between the two parts of a result.
pub(super) const DASHES: [char; 5] = ['-', ':', '–', '—', '−'];

/// Returns one of the [`RESULTS`] for a result as PGN or others write it; `None` for what is none.
pub(super) fn result(text: &str) -> Option<&'static str> {
    let text = text.replace(char::is_whitespace, "").replace(DASHES, "-");
    let text = text.strip_suffix('.').unwrap_or(&text);
    let other = OTHER_RESULTS.into_iter().find(|(other, _)| *other == text).map(|(_, known)| known);
    RESULTS.into_iter().find(|known| *known == text).or(other)
}

/// Returns one of the [`RESULTS`] for a result as PGN or others write it; `*` for what is none.
pub(crate) fn known_result(text: &str) -> &'static str {
    result(text).unwrap_or(UNFINISHED)
}

/// Returns the numeric annotation glyph of a suffix or symbol; `None` for other text.
pub(crate) fn nag(text: &str) -> Option<u16> {
    SUFFIXES.into_iter().chain(SYMBOLS).find(|(known, _)| *known == text).map(|(_, nag)| nag)
}

/// Splits a word into the number of a move with its periods, if it begins with that, and the rest: `12.`, `12...`,
/// `12.e4`.
#[must_use]
pub fn numbered(word: &str) -> (Option<u32>, &str) {
    let bare = word.trim_start_matches(|c: char| c.is_ascii_digit());
    match bare.trim_start_matches(['.', '…']) {
        rest if rest.len() < bare.len() => (word[..word.len() - bare.len()].parse().ok(), rest),
        _ => (None, word),
    }
}

/// Whether a character is white space, or an invisible one of text that is copied from a page. A byte order mark stands
/// before the first game of some files; CP/M and old disks end them with Ctrl-Z and NULs.
pub(super) fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{feff}' | '\u{1a}' | '\0' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2060}')
}

/// Returns the part of a word before a result that directly follows a sign behind a move: `Qxf7#` of `Qxf7#1-0`.
pub(super) fn before_result(word: &str) -> &str {
    let end = word.rfind(['+', '#', '!', '?']).map_or(word.len(), |sign| sign + 1);
    if RESULTS.contains(&&word[end..]) { &word[..end] } else { word }
}

/// Returns a move as it is written: one that would be read as something else, such as `(0, 2)`, is a [string].
pub(super) fn token(mv: &str) -> Cow<'_, str> {
    let is_special = |c: char| is_space(c) || "{}()[];$*\"".contains(c);
    let is_plain = !mv.is_empty()
        && !mv.contains(is_special)
        && !mv.starts_with('%')
        && annotated(mv) == (mv, Vec::new())
        && before_result(mv) == mv
        && numbered(mv) == (None, mv)
        // Results in points are moves where they are legal: the reader looks.
        && !RESULTS.contains(&mv.strip_suffix('.').unwrap_or(mv))
        && !MARKS.contains(&mv);
    if is_plain { Cow::Borrowed(mv) } else { string(mv).into() }
}

/// Reads what annotators write behind a move in parentheses: its strength, `(!)`, as PDN has it, a star for the only
/// one, or a mark. Returns the glyph, if there is one, and the length, bytes; `None` for a variation.
pub(super) fn bracketed(text: &str) -> Option<(Option<u16>, usize)> {
    let (inner, _) = text.strip_prefix('(')?.split_once(')')?;
    let nag = SUFFIXES.into_iter().chain([("*", FORCED)]).find(|(known, _)| *known == inner).map(|(_, nag)| nag);
    (nag.is_some() || MARKS.contains(&inner)).then_some((nag, inner.len() + 2))
}

/// Splits a word into the move and the glyphs of its annotations, of which either may be missing: `e4!`, `$14`,
/// `Nf3!?=`. A suffix of more signs than the standard has counts as its first two: `!!!` is `!!`.
pub(super) fn annotated(word: &str) -> (&str, Vec<u16>) {
    if let Some(nag) = word.strip_prefix('$') {
        return ("", nag.parse().into_iter().collect());
    }
    let (mut mv, mut nags) = (word, Vec::new());
    loop {
        let bare = mv.trim_end_matches(['!', '?']);
        // The suffixes of two signs are the last ones.
        let suffix = SUFFIXES.into_iter().rev().find(|(suffix, _)| mv[bare.len()..].starts_with(suffix));
        nags.extend(suffix.map(|(_, nag)| nag));
        let Some((symbol, nag)) = SYMBOLS.into_iter().find(|(symbol, _)| bare.ends_with(symbol)) else {
            nags.reverse();
            return (bare, nags);
        };
        mv = &bare[..bare.len() - symbol.len()];
        nags.push(nag);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::notation::quoted;
    use crate::pgn::games;
    use crate::registry::Setup;

    /// Moves of games in Python may be any text.
    #[test]
    fn written_moves_are_read() {
        let odd = [
            "(0, 2)", "a b", "a!", "e=", "x*", "1-0", "*", "{a}", "$3", "[x]", "1.5", "2...", "%", "\"", "a\\\"b",
            "x(0,2)", "e.p.", ";", "x#1-0", "x!1-0", "+", "#",
        ];
        let plain = ["e4", "O-O", "exd8=Q+", "Nf3#", "32-28", "26x17", "3", "d6", "a1b2c3", "pass", "h2e2", "1-1"];
        for mv in odd.into_iter().chain(["\u{feff}", "\u{feff}y"]).chain(plain) {
            let written = token(mv);
            assert_eq!(written == mv, plain.contains(&mv), "{written}");
            let text = format!("1. {written} {written} {{a comment}} {written} *");
            let read = games(&text, &Setup::named("nim").unwrap()).next().unwrap().unwrap();
            let moves: Vec<_> = read.moves.iter().map(|read| &*read.mv).collect();
            assert_eq!((moves, read.is_ended), (vec![mv; 3], true), "{text}");
        }
        assert_eq!(quoted("\"no end\n\""), None);
    }
}
