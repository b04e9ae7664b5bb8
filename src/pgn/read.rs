//! Reads games in Portable Game Notation.

use super::{GAME_TYPE, OPTIONS, RESULTS, VARIANT, game_of_type, setup_of};
use crate::core::Error;
use crate::core::error::Quoted;
use crate::engine::Board;
use crate::registry::{STARTPOS, Setup};

/// A game as it is written: no rules are applied yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnGame {
    /// The number of its first line, from 1.
    pub line: usize,
    /// The tags as name and value, in their order.
    pub tags: Vec<(String, String)>,
    /// The moves of the main line as written, each with the comment after it, which may be empty. Variations are left
    /// out.
    pub moves: Vec<(String, String)>,
    /// The result behind the moves, or else that of the tag; `*` without either.
    pub result: String,
}

impl PgnGame {
    /// Returns the value of a tag; capital and small letters are the same.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Returns the game and its options, by the tag `Variant` or else `GameType`; without both, those of `here`.
    ///
    /// # Errors
    /// [`Error::UnknownGame`], an option that the game has not, or a bad value of one.
    pub fn setup(&self, here: &Setup) -> Result<Setup, Error> {
        let mut setup = match (self.tag(VARIANT), self.tag(GAME_TYPE).and_then(game_of_type)) {
            (Some(variant), _) => setup_of(variant)?,
            // The options given with the same game hold.
            (None, Some(typed)) if typed.row().name != here.row().name => typed,
            (None, _) => here.clone(),
        };
        for (name, value) in options(self.tag(OPTIONS).unwrap_or_default(), &setup) {
            setup.set(&name, &value)?;
        }
        Ok(setup)
    }

    /// Returns the position before the first move.
    #[must_use]
    pub fn position(&self) -> &str {
        self.tag("FEN").unwrap_or(STARTPOS)
    }

    /// Returns the board after the first `plies` moves, which remembers them.
    ///
    /// # Errors
    /// [`Error::BadPosition`], or [`Error::IllegalMove`].
    pub fn board(&self, setup: &Setup, plies: usize) -> Result<Box<dyn Board>, Error> {
        let mut board = setup.board(self.position())?;
        self.moves.iter().take(plies).try_for_each(|(mv, _)| board.play(mv))?;
        Ok(board)
    }
}

/// Iterates over the games of a text. After an error there is no further game.
///
/// # Errors
/// What cannot be read, with its line.
pub fn games(text: &str) -> impl Iterator<Item = Result<PgnGame, String>> {
    let mut reader = Reader { text, at: 0, is_broken: false };
    std::iter::from_fn(move || reader.game())
}

struct Reader<'a> {
    text: &'a str,
    /// The offset of what has not been read.
    at: usize,
    is_broken: bool,
}

impl Reader<'_> {
    /// Returns the next game: up to its result, the first tag of another one, or the end of the text.
    fn game(&mut self) -> Option<Result<PgnGame, String>> {
        self.skip_space();
        if self.is_broken || self.rest().is_empty() {
            return None;
        }
        let mut game = PgnGame { line: self.line(), ..PgnGame::default() };
        let read = self.read(&mut game);
        if game.result.is_empty() {
            game.result = game.tag("Result").unwrap_or(RESULTS[3]).into();
        }
        self.is_broken = read.is_err();
        let is_empty = game.tags.is_empty() && game.moves.is_empty();
        match read {
            // Comments behind the last game.
            Ok(()) if is_empty && self.rest().is_empty() => None,
            read => Some(read.map(|()| game)),
        }
    }

    fn read(&mut self, game: &mut PgnGame) -> Result<(), String> {
        loop {
            self.skip_space();
            let rest = self.rest();
            match rest.as_bytes().first() {
                None => return Ok(()),
                Some(b'[') if !game.moves.is_empty() => return Ok(()),
                Some(b'[') => game.tags.push(self.tag()?),
                Some(b'{') => {
                    let comment = self.comment()?;
                    if let Some((_, last)) = game.moves.last_mut() {
                        *last = comment;
                    }
                }
                Some(b';') => self.skip_line(),
                // An escaped line.
                Some(b'%') if self.at == 0 || self.text[..self.at].ends_with('\n') => self.skip_line(),
                Some(b'(') => self.skip_variation()?,
                Some(b')') => return Err(self.wrong("a parenthesis that no other opens")),
                Some(_) => {
                    let word = self.word();
                    if RESULTS.contains(&word) {
                        game.result = word.into();
                        return Ok(());
                    }
                    let mv = without_number(word);
                    if !mv.is_empty() && !mv.starts_with('$') {
                        game.moves.push((mv.into(), String::new()));
                    }
                }
            }
        }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// Returns the number of the current line, from 1.
    fn line(&self) -> usize {
        self.text[..self.at].matches('\n').count() + 1
    }

    fn wrong(&self, what: &str) -> String {
        format!("line {} has {what}", self.line())
    }

    fn skip_space(&mut self) {
        // A byte order mark stands before the first game of some files.
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').len();
    }

    fn skip_line(&mut self) {
        self.at += self.rest().find('\n').map_or(self.rest().len(), |end| end + 1);
    }

    /// Reads `[Name "value"]`.
    fn tag(&mut self) -> Result<(String, String), String> {
        let line = self.rest().lines().next().unwrap_or_default();
        let tag =
            parse_tag(line).ok_or_else(|| self.wrong(&format!("a bad tag, {}", Quoted::part(line.trim_end()))))?;
        self.skip_line();
        Ok(tag)
    }

    /// Reads a comment; line ends and repeated blanks become single blanks.
    fn comment(&mut self) -> Result<String, String> {
        let length = self.rest().find('}').ok_or_else(|| self.wrong("a comment without an end"))?;
        let comment = &self.rest()[1..length];
        let comment = comment.split_whitespace().collect::<Vec<_>>().join(" ");
        self.at += length + 1;
        Ok(comment)
    }

    /// Skips a variation with those in it.
    fn skip_variation(&mut self) -> Result<(), String> {
        let unclosed = self.wrong("a variation without an end");
        let mut open = 0_usize;
        loop {
            let Some(length) = self.rest().find(['(', ')', '{', ';']) else { return Err(unclosed) };
            self.at += length;
            match self.rest().as_bytes()[0] {
                b'(' => open += 1,
                b')' => open -= 1,
                b'{' => {
                    self.comment()?;
                    continue;
                }
                _ => {
                    self.skip_line();
                    continue;
                }
            }
            self.at += 1;
            if open == 0 {
                return Ok(());
            }
        }
    }

    fn word(&mut self) -> &str {
        let start = self.at;
        let ends = |c: char| c.is_whitespace() || matches!(c, '{' | '(' | ')' | ';' | '[');
        self.at += self.rest().find(ends).unwrap_or(self.rest().len());
        &self.text[start..self.at]
    }
}

/// Returns a word without the number of a move: `12.`, `12...`, or `12.e4` as some programs write it.
fn without_number(word: &str) -> &str {
    let bare = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if bare.starts_with('.') { bare.trim_start_matches('.') } else { word }
}

/// Parses `[Name "value"]`, with `\"` and `\\` in the value.
fn parse_tag(line: &str) -> Option<(String, String)> {
    let (name, value) = line.trim().strip_prefix('[')?.strip_suffix(']')?.trim().split_once(char::is_whitespace)?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    let (mut plain, mut escaped) = (String::new(), false);
    for c in value.chars() {
        if c != '\\' || escaped {
            plain.push(c);
        }
        escaped = c == '\\' && !escaped;
    }
    Some((name.into(), plain))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    fn read(text: &str) -> Vec<PgnGame> {
        games(text).map(Result::unwrap).collect()
    }

    fn moves(game: &PgnGame) -> Vec<&str> {
        game.moves.iter().map(|(mv, _)| mv.as_str()).collect()
    }

    #[test]
    fn games_of_a_file_are_separate() {
        let text = "\u{feff}[Event \"x\"]\n[Variant \"nim\"]\n\n1. 1-1 *\n\n[White \"a \\\"b\\\"\"]\n[Variant \"Kalah\"]\n\n\
                    1.3 {ok\n so} 2...1 ; more\n 3. 5 $1 1-0\n\n1. e4 e5\n[Event \"y\"]\n\n0-1 { the end }\n";
        let found = read(text);
        assert_eq!(found.len(), 4);
        assert_eq!((found[0].line, found[0].tag("variant"), moves(&found[0])), (1, Some("nim"), vec!["1-1"]));
        assert_eq!((found[1].line, found[1].tag("White")), (6, Some("a \"b\"")));
        assert_eq!((moves(&found[1]), found[1].result.as_str()), (vec!["3", "1", "5"], "1-0"));
        assert_eq!(found[2].result, "*");
        assert_eq!(found[1].moves[0].1, "ok so");
        assert_eq!((moves(&found[2]), found[2].tags.len()), (vec!["e4", "e5"], 0));
        assert_eq!((found[3].tag("Event"), found[3].moves.len()), (Some("y"), 0));
        assert!(read("").is_empty() && read(" \n; nothing\n{ here }\n").is_empty());
    }

    #[test]
    fn what_annotators_add_is_left_out() {
        let text = "1. e4 $1 (1. d4 d5 {a ) b} (1... Nf6 ; (\n2. c4) 2. c4) 1... e5!? {[%clk 0:01]} (1... c5)\n\
                    % escaped e4\n2. Nf3?! Nc6 1/2-1/2";
        assert_eq!(moves(&read(text)[0]), ["e4", "e5!?", "Nf3?!", "Nc6"]);
        let chess = Setup::new(registry::find("chess").unwrap());
        let board = read(text)[0].board(&chess, 99).unwrap();
        assert_eq!(board.history(), ["e2e4", "e7e5", "g1f3", "b8c6"]);
        assert_eq!(read(text)[0].board(&chess, 1).unwrap().history(), ["e2e4"]);
    }

    #[test]
    fn the_game_is_that_of_the_tags() {
        let here = Setup::new(registry::find("nim").unwrap());
        let of = |tags: &str| read(&format!("{tags}\n*"))[0].setup(&here);
        for (variant, name, is_chess960) in [
            ("Standard", "chess", false),
            ("chess", "chess", false),
            ("From Position", "chess", false),
            ("Chess960", "chess", true),
            ("fischerandom", "chess", true),
            ("Kalah", "kalah", false),
        ] {
            let setup = of(&format!("[Variant \"{variant}\"]")).unwrap();
            assert_eq!(setup.row().name, name, "{variant}");
            assert!(setup.row().name != "chess" || setup.options().check("UCI_Chess960") == is_chess960, "{variant}");
            assert_eq!(super::super::variant(&of("[Variant \"Chess960\"]").unwrap()), "Chess960");
        }
        assert_eq!(of("[Event \"x\"]").unwrap().row().name, "nim");
        assert!(of("[Variant \"go\"]").unwrap_err().to_string().contains("unknown game \"go\""));
        assert!(of("[Variant \"nim\"]\n[Options \"Go=1\"]").unwrap_err().to_string().contains("unknown option \"Go\""));
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (text, expected) in [
            ("[Event \"x\"\n", "line 1 has a bad tag, \"[Event \\\"x\\\"\""),
            ("[Event x]\n", "a bad tag"),
            ("1. e4\n{ e5", "line 2 has a comment without an end"),
            ("1. e4 (1. d4 (1. c4)\n", "line 1 has a variation without an end"),
            ("1. e4 ) e5", "line 1 has a parenthesis"),
        ] {
            let found: Vec<_> = games(text).collect();
            let error = found.last().unwrap().as_ref().unwrap_err();
            assert!(found.len() == 1 && error.contains(expected), "{text}: {error}");
        }
    }
}
