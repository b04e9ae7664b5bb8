//! Reads games in Portable Game Notation.

use super::RESULTS;
use super::game::{PgnGame, PgnMove, SUFFIXES};
use crate::core::error::Quoted;

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
                Some(b'[') => {
                    // A comment behind the game before.
                    game.comment.clear();
                    game.tags.push(self.tag()?);
                }
                Some(b'{') => game.add_comment(&self.comment()?),
                Some(b';') => game.add_comment(&self.line_comment()),
                // An escaped line.
                Some(b'%') if self.at == 0 || self.text[..self.at].ends_with('\n') => self.skip_line(),
                Some(b'(') => {
                    let variation = self.variation()?;
                    if let Some(last) = game.moves.last_mut() {
                        last.variations.push(variation);
                    }
                }
                Some(b')') => return Err(self.wrong("a parenthesis that no other opens")),
                Some(_) => {
                    let word = self.word();
                    if RESULTS.contains(&word) {
                        (game.result, game.is_ended) = (word.into(), true);
                        return Ok(());
                    }
                    let (mv, nag) = without_suffix(without_number(word));
                    if !mv.is_empty() {
                        game.moves.push(PgnMove { mv: mv.into(), ..PgnMove::default() });
                    }
                    if let Some(last) = game.moves.last_mut() {
                        last.nags.extend(nag);
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

    /// Reads `[Name "value"]`. More tags or moves may follow on its line.
    fn tag(&mut self) -> Result<(String, String), String> {
        let line = self.rest().lines().next().unwrap_or_default();
        let (name, value, length) =
            parse_tag(line).ok_or_else(|| self.wrong(&format!("a bad tag, {}", Quoted::part(line.trim_end()))))?;
        self.at += length;
        Ok((name, value))
    }

    /// Reads a comment; line ends and repeated blanks become single blanks.
    fn comment(&mut self) -> Result<String, String> {
        let length = self.rest().find('}').ok_or_else(|| self.wrong("a comment without an end"))?;
        let comment = folded(&self.rest()[1..length]);
        self.at += length + 1;
        Ok(comment)
    }

    /// Reads a comment up to the end of its line.
    fn line_comment(&mut self) -> String {
        let comment = folded(self.rest()[1..].lines().next().unwrap_or_default());
        self.skip_line();
        comment
    }

    /// Reads a variation with those in it, without its parentheses. Comments to the end of a line become comments in
    /// braces: the text has one line.
    fn variation(&mut self) -> Result<String, String> {
        let (start, mut open, mut text) = (self.at, 0_usize, String::new());
        loop {
            let Some(length) = self.rest().find(['(', ')', '{', ';']) else {
                self.at = start;
                return Err(self.wrong("a variation without an end"));
            };
            text += &self.rest()[..length];
            self.at += length;
            match self.rest().as_bytes()[0] {
                b'{' => text.extend(["{", &self.comment()?, "}"]),
                b';' => text.extend(["{", &self.line_comment().replace('}', ")"), "} "]),
                parenthesis => {
                    self.at += 1;
                    open = if parenthesis == b'(' { open + 1 } else { open - 1 };
                    if open == 0 {
                        return Ok(folded(&text[1..]));
                    }
                    text.push(char::from(parenthesis));
                }
            }
        }
    }

    fn word(&mut self) -> &str {
        let start = self.at;
        let ends = |c: char| c.is_whitespace() || matches!(c, '{' | '(' | ')' | ';' | '[' | '$');
        let mut after_first = self.rest().char_indices().skip(1);
        self.at += after_first.find(|&(_, c)| ends(c)).map_or(self.rest().len(), |(end, _)| end);
        &self.text[start..self.at]
    }
}

/// Returns a word without the number of a move: `12.`, `12...`, or `12.e4` as some programs write it.
fn without_number(word: &str) -> &str {
    let bare = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if bare.starts_with('.') { bare.trim_start_matches('.') } else { word }
}

/// Splits a word into the move and its annotation, of which either may be missing: `e4!`, `$14`, `!?`. An annotation that
/// the standard does not have is left out.
fn without_suffix(word: &str) -> (&str, Option<u16>) {
    if let Some(nag) = word.strip_prefix('$') {
        return ("", nag.parse().ok());
    }
    let mv = word.trim_end_matches(['!', '?']);
    let suffix = &word[mv.len()..];
    let found = SUFFIXES.into_iter().zip(1..).find(|&(known, _)| known == suffix);
    (mv, found.map(|(_, nag)| nag))
}

/// Returns a text in one line, with single blanks.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Parses `[Name "value"]`, with `\"` and `\\` in the value, at the start of a line. Returns the name, the value and the
/// length of the tag in bytes. A quotation mark ends the value only before the bracket.
fn parse_tag(line: &str) -> Option<(String, String, usize)> {
    let (name, value) = line.strip_prefix('[')?.trim_start().split_once(char::is_whitespace)?;
    let value = value.trim_start().strip_prefix('"')?;
    let (mut plain, mut escaped) = (String::new(), false);
    for (at, c) in value.char_indices() {
        if c == '"'
            && !escaped
            && let Some(rest) = value[at + 1..].trim_start().strip_prefix(']')
        {
            return Some((name.into(), plain, line.len() - rest.len()));
        }
        if c != '\\' || escaped {
            plain.push(c);
        }
        escaped = c == '\\' && !escaped;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{self, Setup};

    fn read(text: &str) -> Vec<PgnGame> {
        games(text).map(Result::unwrap).collect()
    }

    fn moves(game: &PgnGame) -> Vec<&str> {
        game.moves.iter().map(|played| played.mv.as_str()).collect()
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
        assert_eq!(found[1].moves[0].comment, "ok so");
        assert_eq!((moves(&found[2]), found[2].tags.len()), (vec!["e4", "e5"], 0));
        assert_eq!((found[3].tag("Event"), found[3].moves.len()), (Some("y"), 0));
        assert!(read("").is_empty() && read(" \n; nothing\n{ here }\n").is_empty());
    }

    #[test]
    fn annotators_add_variations_and_glyphs() {
        let text = "1. e4 $1 (1. d4 d5 {a ) b} (1... Nf6 ; (\n2. c4) 2. c4) 1... e5!? {[%clk 0:01]} (1... c5)\n\
                    % escaped e4\n2. Nf3?! Nc6 1/2-1/2";
        assert_eq!(moves(&read(text)[0]), ["e4", "e5", "Nf3", "Nc6"]);
        let chess = Setup::new(registry::find("chess").unwrap());
        let board = read(text)[0].board(&chess, 99).unwrap();
        assert_eq!(board.history(), ["e2e4", "e7e5", "g1f3", "b8c6"]);
        assert_eq!(read(text)[0].board(&chess, 1).unwrap().history(), ["e2e4"]);
    }

    #[test]
    fn what_annotators_add_is_kept() {
        let text = "[Event \"x\"]\n\n{In\n tro} ; too\n1. e4! $14$6 {a} (1. d4 $14\n {v  v} (1. c4) ; {x} (\n d5) {b}\n(1. f4)\n\
                    1... e5 ?? 2. Nf3?! $x Nc6!!! *\n{after}\n[Event \"y\"]\n\n1. d4 *";
        let found = read(text);
        assert_eq!((found[0].comment.as_str(), found[1].comment.as_str()), ("In tro too", ""));
        assert_eq!(moves(&found[0]), ["e4", "e5", "Nf3", "Nc6"]);
        let [e4, e5, nf3, nc6] = &found[0].moves[..] else { panic!("four moves") };
        assert_eq!((&e4.nags[..], e4.comment.as_str()), (&[1, 14, 6][..], "a b"));
        assert_eq!(e4.variations, ["1. d4 $14 {v v} (1. c4) {{x) (} d5", "1. f4"]);
        assert_eq!((&e5.nags[..], &nf3.nags[..], &nc6.nags[..]), (&[4][..], &[6][..], &[][..]));
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
    fn what_was_cut_off_contradicts_its_tags() {
        let cut = |tags: &str, end: &str| read(&format!("{tags}\n\n1. e4 e5 2. Nf3{end}"))[0].cut();
        let (won, count) = ("[Result \"1-0\"]\n", "[PlyCount \"41\"]\n");
        assert_eq!(cut(&[won, count].concat(), "").as_deref(), Some("ends after 3 of 41 plies"));
        assert_eq!(cut(count, "\n\n[Event \"next\"]\n\n*").as_deref(), Some("ends after 3 of 41 plies"));
        assert_eq!(cut(won, "").as_deref(), Some("ends without its result, 1-0"));
        for (tags, end) in [(&*[won, count].concat(), " 1-0"), (won, " *"), ("[Result \"*\"]", ""), ("", "")] {
            assert_eq!(cut(tags, end), None, "{tags}{end}");
        }
        assert_eq!(cut("[PlyCount \"3\"]\n[Result \"*\"]", ""), None);
    }

    #[test]
    fn a_tag_need_not_end_its_line() {
        let found = read("[FEN \"B:W32:B1\"] *\n[FEN \"W:W31:B2\"][Event \"a \"b\" \\\\\" ] 1. 31-27 *\n");
        assert_eq!([found[0].tag("fen"), found[1].tag("fen")], [Some("B:W32:B1"), Some("W:W31:B2")]);
        assert_eq!((found[1].tag("event"), moves(&found[1])), (Some("a \"b\" \\"), vec!["31-27"]));
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
