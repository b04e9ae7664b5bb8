//! A game in Portable Game Notation before any rules are applied.

use super::{
    FEN, GAME_TYPE, IS_CHESS960, OPTIONS, PgnError, UNFINISHED, VARIANT, game_of_type, known_result, names_no_game,
    setup_of,
};
use crate::core::Error;
use crate::core::error::Quoted;
use crate::engine::Board;
use crate::registry::{GAMES, STARTPOS, Setup, hint};

/// The number of first moves by which a game without tags is recognised.
const FIRST_MOVES: usize = 4;

/// A move with what annotators add to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnMove {
    /// The move as written, without a suffix such as `!`.
    pub mv: String,
    /// The number of its line, from 1; 0 for a move that was not read.
    pub line: usize,
    /// Its numeric annotation glyphs (NAG); the standard has 0 to 255.
    pub nags: Vec<u16>,
    /// The comment after it, or an empty text.
    pub comment: String,
    /// The variations in its place, each in one line without its parentheses.
    pub variations: Vec<String>,
}

impl PgnMove {
    /// Returns a move with a comment, which may be empty.
    #[must_use]
    pub fn new(mv: &str, comment: String) -> Self {
        Self { mv: mv.into(), comment, ..Self::default() }
    }
}

/// A game as it is written: no rules are applied yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnGame {
    /// The number of its first line, from 1.
    pub line: usize,
    /// The tags as name and value, in their order.
    pub tags: Vec<(String, String)>,
    /// The number of the line of each tag, from 1.
    pub tag_lines: Vec<usize>,
    /// The lines that should be tags and cannot be read. The moves do not depend on them.
    pub bad_tags: Vec<PgnError>,
    /// The comment before the first move or the tags, or an empty text.
    pub comment: String,
    /// The moves of the main line.
    pub moves: Vec<PgnMove>,
    /// The result behind the moves, or else that of the tag, as one of the [`RESULTS`](super::RESULTS); `*` for any
    /// other text.
    pub result: &'static str,
    /// Whether the result stands behind the moves.
    pub is_ended: bool,
    /// What is doubtful about the end of the moves, as ends of sentences that begin with the game.
    pub(super) doubtful_end: Vec<String>,
    /// The first line of the text behind the result that is no game, and is left out.
    pub text_behind: Option<String>,
}

impl Default for PgnGame {
    fn default() -> Self {
        Self {
            line: 0,
            tags: Vec::new(),
            tag_lines: Vec::new(),
            bad_tags: Vec::new(),
            comment: String::new(),
            moves: Vec::new(),
            result: UNFINISHED,
            is_ended: false,
            doubtful_end: Vec::new(),
            text_behind: None,
        }
    }
}

impl PgnGame {
    /// Returns the value of a tag; capital and small letters are the same.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().rfind(|(tag, _)| tag.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Returns the game and its options, by the tag `Variant` or else `GameType`; without both, those of `here`. For
    /// the same game, the options of `here` that change no rules hold, such as networks.
    ///
    /// # Errors
    /// [`Error::UnknownGame`], an option that the game does not have, or a bad value of one.
    pub fn setup(&self, here: &Setup) -> Result<Setup, Error> {
        // Records of xiangqi have the tag `Game`, which may be any text in others.
        let xiangqi = || self.tag("Game").filter(|game| game.eq_ignore_ascii_case("Chinese Chess")).map(setup_of);
        let mut setup = match (self.tag(VARIANT), self.tag(GAME_TYPE).and_then(game_of_type).or_else(xiangqi)) {
            (Some(variant), _) if here.own_start().is_some() && variant == here.row().name => here.clone(),
            // Programs of draughts write `Standard` and `English` too.
            (Some(variant), Some(Ok(typed))) if names_no_game(variant) || setup_of(variant).is_err() => typed,
            (Some(variant), Some(typed)) if names_no_game(variant) => typed?,
            (Some(variant), _) => with_settings_of(setup_of(variant)?, here)?,
            // `GameType` says no more than the game: for the same game, the options of `here` hold.
            (None, Some(typed)) => {
                let typed = typed?;
                if typed.row().name == here.row().name { here.clone() } else { typed }
            }
            (None, None) => here.clone(),
        };
        for (name, value) in options(self.tag(OPTIONS).unwrap_or_default(), &setup) {
            setup.set(&name, &value)?;
        }
        Ok(setup)
    }

    /// Whether the game has moves of such characters alone, like the numbers of Kalah: one of the first moves has.
    pub(super) fn has_moves(&self, here: &Setup, is_part: impl Fn(char) -> bool) -> bool {
        self.start(here).is_ok_and(|board| board.moves().iter().any(|mv| mv.chars().all(&is_part)))
    }

    /// Whether numbers are moves of the game: it writes some so, or accepts them, as Oware does.
    pub(super) fn has_numbers(&self, here: &Setup) -> bool {
        self.has_moves(here, |c| c.is_ascii_digit()) || self.start(here).is_ok_and(|mut board| board.play("1").is_ok())
    }

    /// Returns the starting position of the game, whatever the tag `FEN` says.
    fn start(&self, here: &Setup) -> Result<Box<dyn Board>, Error> {
        self.setup(here)?.board(STARTPOS)
    }

    /// Whether a word is a legal move after the moves; without tags that name the game, in the game `here`.
    pub(super) fn has_next(&self, word: &str, here: &Setup) -> bool {
        let board = self.setup(here).and_then(|setup| self.board(&setup, self.moves.len()));
        board.is_ok_and(|mut board| board.play(word).is_ok())
    }

    /// Whether there is nothing but a result.
    pub(super) fn is_result_alone(&self) -> bool {
        let Self { tags, bad_tags, moves, comment, doubtful_end, .. } = self;
        let has_more = !comment.is_empty() || !doubtful_end.is_empty() || !bad_tags.is_empty();
        self.is_ended && tags.is_empty() && moves.is_empty() && !has_more
    }

    /// Returns how the end of the moves contradicts the tags, as the end of a sentence that begins with the game: the
    /// text was cut off. `None` if the result stands behind the moves, or nothing tells that there were more.
    #[must_use]
    pub fn cut(&self) -> Option<String> {
        if self.is_ended {
            return None;
        }
        let plies = self.tag("PlyCount").and_then(|count| count.trim().parse::<usize>().ok());
        match (self.moves.len(), plies, self.tag("Result")) {
            (found, Some(plies), _) if found < plies => Some(format!("ends after {found} of {plies} plies")),
            (_, _, Some(result)) if known_result(result) != UNFINISHED => {
                Some(format!("ends without its result, {result}"))
            }
            _ => None,
        }
    }

    /// Returns what is doubtful about the game although it can be read, as ends of sentences that begin with it: it was
    /// [cut off](Self::cut), its results or games differ, PGN has no such result, text follows it, or a tag cannot be
    /// read.
    pub fn doubts(&self) -> Vec<String> {
        let tag = self.tag("Result").map(str::trim).filter(|tag| !["*", "?", ""].contains(tag));
        let of_tag = tag.and_then(|tag| {
            let tag_shown = Quoted::new(tag);
            match known_result(tag) {
                known if known == UNFINISHED => {
                    Some(format!("has the result {tag_shown}, which PGN does not have: it becomes {}", self.result))
                }
                known if self.is_ended && known != self.result => {
                    Some(format!("ends with {}, and its tag has the result {tag_shown}", self.result))
                }
                _ => None,
            }
        });
        let of_type = self.tag(VARIANT).and_then(|variant| {
            let tag = self.tag(GAME_TYPE)?;
            let [named, typed] = [setup_of(variant).ok()?, game_of_type(tag)?.ok()?];
            let differ = !names_no_game(variant) && named.row().name != typed.row().name;
            differ.then(|| {
                format!("is one of {}, and its tag has the {GAME_TYPE} {}", named.row().name, Quoted::new(tag))
            })
        });
        let bad_tags = self.bad_tags.iter().map(|bad| format!("is read without a tag: {bad}"));
        let behind = self.text_behind.as_ref().map(|text| {
            let text = Quoted::part(text);
            format!("has text behind its result, {text}: it is left out")
        });
        let of_end = self.cut().into_iter().chain(self.doubtful_end.clone()).chain(behind);
        of_end.chain(of_tag).chain(of_type).chain(bad_tags).collect()
    }

    /// Returns the number of the line that keeps the moves from being played: that of the tag without which there is no
    /// position, or of the first illegal move; or else the first one of the game.
    #[must_use]
    pub fn line_at_fault(&self, here: &Setup) -> usize {
        let setup = match self.setup(here) {
            Ok(setup) => setup,
            Err(Error::UnknownGame(..)) => {
                return self.line_of(VARIANT).or_else(|| self.line_of(GAME_TYPE)).unwrap_or(self.line);
            }
            Err(_) => return self.line_of(OPTIONS).unwrap_or(self.line),
        };
        let Ok(mut board) = self.board(&setup, 0) else {
            return self.line_of(FEN).or_else(|| self.line_of(OPTIONS)).unwrap_or(self.line);
        };
        let illegal = self.moves.iter().find(|played| board.play(&played.mv).is_err());
        illegal.map_or(self.line, |illegal| illegal.line)
    }

    /// Returns the number of the line of a tag.
    fn line_of(&self, name: &str) -> Option<usize> {
        let at = self.tags.iter().rposition(|(tag, _)| tag.eq_ignore_ascii_case(name))?;
        self.tag_lines.get(at).copied()
    }

    /// Returns the position before the first move.
    #[must_use]
    pub fn position(&self) -> &str {
        self.tag(FEN).unwrap_or(STARTPOS)
    }

    /// Returns the board after the first `plies` moves, which remembers them.
    ///
    /// # Errors
    /// [`Error::BadPosition`], or [`Error::IllegalMove`].
    pub fn board(&self, setup: &Setup, plies: usize) -> Result<Box<dyn Board>, Error> {
        let mut board = setup.board(self.position())?;
        for (ply, played) in self.moves.iter().take(plies).enumerate() {
            let is_first = ply == 0;
            board.play(&played.mv).map_err(|error| if is_first { self.with_hint(error, setup) } else { error })?;
        }
        Ok(board)
    }

    /// Adds a hint to the error of the first move where no tag names the game: the first other one with the first moves.
    pub(crate) fn with_hint(&self, error: Error, setup: &Setup) -> Error {
        let is_named = [VARIANT, GAME_TYPE, FEN].iter().any(|name| self.tag(name).is_some());
        let is_number = self.moves[0].mv.bytes().all(|byte| byte.is_ascii_digit());
        match error {
            Error::IllegalMove(mv, position, legal) if !is_named && !is_number => {
                let is_game = |name: &&str| {
                    let board = Setup::named(name).and_then(|setup| setup.board(STARTPOS));
                    board.is_ok_and(|mut board| {
                        self.moves.iter().take(FIRST_MOVES).all(|first| board.play(&first.mv).is_ok())
                    })
                };
                let mut others = GAMES.iter().map(|row| row.name).filter(|name| *name != setup.row().name);
                let hint = others.find(is_game).map(|name| hint("game", name));
                Error::IllegalMove(mv, position, legal + &hint.unwrap_or_default())
            }
            other => other,
        }
    }

    /// Adds a comment to the last move or, before the first, to the game. Several comments become one.
    pub(super) fn add_comment(&mut self, text: &str) {
        let comment = self.moves.last_mut().map_or(&mut self.comment, |last| &mut last.comment);
        if !comment.is_empty() && !text.is_empty() {
            comment.push(' ');
        }
        comment.push_str(text);
    }
}

/// Returns a setup with the options of `here` that change no rules of the same game, such as networks.
fn with_settings_of(named: Setup, here: &Setup) -> Result<Setup, Error> {
    if named.row().name != here.row().name {
        return Ok(named);
    }
    // What is loaded from files is shared.
    let mut setup = here.clone();
    for (row, value) in named.options().iter() {
        let value = value.to_string();
        if row.name == IS_CHESS960 || setup.other_game(row.name, &value).is_some() {
            setup.set(row.name, &value)?;
        }
    }
    Ok(setup)
}

/// Returns how the options that are set in `wanted` contradict those with which the same game was played, as the end of
/// a sentence that begins with the game.
pub(crate) fn contradiction(played: &Setup, wanted: &Setup) -> Option<String> {
    let is_set = |name: &str| wanted.options().changed().any(|(row, _)| row.name == name && name != IS_CHESS960);
    let mut both = played.options().iter().zip(wanted.options().iter());
    let is_same_game = played.row().name == wanted.row().name;
    both.find(|((row, here), (_, value))| is_same_game && here != value && is_set(row.name))
        .map(|((row, here), (_, value))| format!("is played with {}={here}, not {value}", row.name))
}

/// Parses `Name=value Name=value`: a word that does not start with the name of an option belongs to the previous value.
fn options(text: &str, setup: &Setup) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        match (word.split_once('='), found.last_mut()) {
            (Some((name, value)), last) if last.is_none() || setup.options().has(name) => {
                found.push((name.into(), value.into()));
            }
            (None, None) => found.push((word.into(), String::new())),
            (_, Some((_, value))) => value.extend([" ", word]),
            (Some((name, value)), None) => found.push((name.into(), value.into())),
        }
    }
    found
}
