//! Parses typed moves.

use secateurs::core::Side;
use secateurs::core::error::Quoted;
use secateurs::core::notation::listed_moves;
use secateurs::engine::Board;
use secateurs::pgn::numbered;

/// The number of legal moves listed in an error.
const LISTED: usize = 40;

/// Parses a text as one move, or as several that are legal in sequence, as long as a side that may `choose` is to move.
/// Case, spaces and words such as `house` around a move are ignored, and a part of a move suffices if it is unique
/// among the legal moves. So is the number of a move, `1.`, in a list of moves. Any other word is a mistake: `knight
/// f3` must not play the pawn move `f3`. Moves may be in quotation marks if the first one is.
///
/// # Errors
/// A description of the mistake, with legal moves.
pub(crate) fn read(board: &dyn Board, text: &str, choose: impl Fn(Side) -> bool) -> Result<Vec<String>, String> {
    let words: Vec<_> = text.split_whitespace().map(|word| without_number(board, word)).collect();
    if let MoveMatch::One(mv) = find(board, &words.join(" ")) {
        return Ok(vec![mv]);
    }
    let (mut here, mut moves) = (board.boxed(), Vec::new());
    let words = match text.trim_start().starts_with('"') {
        true => listed_moves(text),
        false => text.split([' ', '\t', ',', ';']).filter(|word| !word.is_empty()).map(str::to_owned).collect(),
    };
    for word in &words {
        let word = without_number(&*here, word);
        if word.is_empty() || is_filler(word) && !matches!(find(&*here, word), MoveMatch::One(_)) {
            continue;
        }
        if !moves.is_empty() && !choose(here.turn()) {
            let turn = here.sides()[here.turn().index()];
            let played = moves.join(" ");
            return Err(format!(
                "{turn} is to move after {played}: unexpected {}, no move is played",
                Quoted::new(word)
            ));
        }
        match find(&*here, word) {
            MoveMatch::One(mv) => {
                here.play(&mv).map_err(|error| error.to_string())?;
                moves.push(mv);
            }
            MoveMatch::Several(candidates) => {
                return Err(format!("{} is ambiguous: {}", Quoted::new(word), list(&*here, &candidates)));
            }
            MoveMatch::None => {
                let played = board.readable_line(&moves).join(" ");
                let place = if moves.is_empty() { String::new() } else { format!(" after {played}") };
                let legal = legal(&*here);
                return Err(format!("{} is not a legal move{place}; the legal moves: {legal}", Quoted::new(word)));
            }
        }
    }
    if moves.is_empty() {
        return Err(format!("there is no move in {}; the legal moves: {}", Quoted::new(text), legal(board)));
    }
    Ok(moves)
}

/// Returns a word without the number of a move at its start, unless the word is a move: those of games in Python may be
/// any text.
fn without_number<'a>(board: &dyn Board, word: &'a str) -> &'a str {
    if board.moves().iter().any(|mv| mv == word) { word } else { numbered(word).1 }
}

/// Returns the legal moves as people read them, separated by spaces, truncated if there are many.
pub(crate) fn legal(board: &dyn Board) -> String {
    list(board, &board.moves())
}

/// Returns moves of a board as people read them, separated by spaces, truncated if there are many.
fn list(board: &dyn Board, moves: &[String]) -> String {
    let shown = moves.iter().take(LISTED).map(|mv| board.readable(mv)).collect::<Vec<_>>().join(" ");
    let more = if moves.len() > LISTED { format!(" ... ({} in all)", moves.len()) } else { String::new() };
    if moves.is_empty() { "none, the game is over".into() } else { shown + &more }
}

/// The legal moves that a text matches.
enum MoveMatch {
    None,
    One(String),
    Several(Vec<String>),
}

fn find(board: &dyn Board, text: &str) -> MoveMatch {
    let (moves, codes) = (board.moves(), board.codes());
    let text = text.trim();
    // Rejects keys that a terminal sends as escape sequences.
    if text.chars().any(|c| c.is_control() && !c.is_whitespace()) {
        return MoveMatch::None;
    }
    // First, the game's own parser.
    for text in spellings(text) {
        let named = board.codes_of(&[text]).ok().and_then(|named| named.first().copied());
        if let Some((mv, _)) = named.and_then(|code| moves.iter().zip(&codes).find(|(_, other)| **other == code)) {
            return MoveMatch::One(mv.clone());
        }
    }
    let words: Vec<&str> = text.split_whitespace().filter(|word| !is_filler(word)).collect();
    let wanted = tokens(&words.join(" "));
    if wanted.is_empty() {
        return MoveMatch::None;
    }
    let of = |fits: &dyn Fn(&[String]) -> bool| -> Vec<String> {
        moves.iter().filter(|mv| fits(&tokens(mv))).cloned().collect()
    };
    let whole = of(&|tokens| tokens == wanted);
    // A partial match is a prefix, or a run that starts with letters: a number never matches inside another move.
    let lettered = wanted[0].starts_with(char::is_alphabetic);
    let part = || {
        of(&|tokens| tokens.starts_with(&wanted) || lettered && tokens.windows(wanted.len()).any(|run| run == wanted))
    };
    let mut found = if whole.is_empty() { part() } else { whole };
    match found.len() {
        0 => MoveMatch::None,
        1 => found.pop().map_or(MoveMatch::None, MoveMatch::One),
        _ => MoveMatch::Several(found),
    }
}

/// Returns the spellings in which the game's own parser is tried: as typed, without blanks, in lower and upper case,
/// and with a capital first.
fn spellings(text: &str) -> impl Iterator<Item = String> {
    let joined: String = text.split_whitespace().collect();
    let (first, rest) = joined.split_at(joined.chars().next().map_or(0, char::len_utf8));
    let capital = first.to_uppercase() + &rest.to_lowercase();
    [text.to_owned(), joined.to_lowercase(), joined.to_uppercase(), capital, joined].into_iter()
}

/// The words that may surround a move: `house 3`, `take 2 from heap 1`.
const FILLERS: [&str; 16] = [
    "and", "column", "drop", "from", "heap", "house", "in", "into", "move", "of", "pit", "play", "sow", "take", "then",
    "to",
];

fn is_filler(word: &str) -> bool {
    FILLERS.contains(&word.to_lowercase().as_str())
}

/// Splits a text into runs of letters and runs of digits, in lower case.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut last = None;
    for c in text.chars() {
        let kind = (c.is_alphanumeric()).then(|| c.is_numeric());
        match tokens.last_mut() {
            Some(token) if kind.is_some() && kind == last => token.extend(c.to_lowercase()),
            _ if kind.is_some() => tokens.push(c.to_lowercase().collect()),
            _ => {}
        }
        last = kind;
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateurs::registry::Setup;

    fn board(game: &str, position: &str) -> Box<dyn Board> {
        Setup::named(game).unwrap().board(position).unwrap()
    }

    fn read_at(game: &str, position: &str, text: &str) -> Result<String, String> {
        read(&*board(game, position), text, |side| side == Side::First).map(|moves| moves.join(" "))
    }

    #[test]
    fn input_is_forgiven() {
        for (game, position, text, moves) in [
            ("kalah", "startpos", "3", "3"),
            ("kalah", "startpos", " house 3 ", "3"),
            ("kalah", "startpos", "3 1", "3 1"),
            ("kalah", "startpos", "3, then 1", "3 1"),
            ("kalah", "startpos", "1. 3", "3"),
            ("kalah", "startpos", "1.3 2. 1", "3 1"),
            ("nim", "startpos", "1. 2-3", "2-3"),
            ("chess", "startpos", "1.e4", "e2e4"),
            ("kalah", "<12,0,0,1,1,1,1,1,1,1,1,1,1,1,1,0,0,0,0,0,0,0,0,0,0,0,1> s", "12 1", "12 1"),
            ("nim", "startpos", "2-3", "2-3"),
            ("nim", "startpos", "2 - 3", "2-3"),
            ("nim", "startpos", "2 3", "2-3"),
            ("nim", "startpos", "heap 2 take 3", "2-3"),
            ("nim", "0,1,3 1", "2", "2-1"),
            ("connect4", "startpos", "column 4", "4"),
            ("connect4", "startpos", "P@D1", "4"),
            ("cfour", "startpos", "p@d1", "P@d1"),
            ("cfour", "startpos", "D1", "P@d1"),
            ("cfour", "startpos", "d", "P@d1"),
            ("cfour", "startpos", "4", "P@d1"),
            ("chess", "startpos", "nf3", "g1f3"),
            ("chess", "startpos", "N f3", "g1f3"),
            ("chess", "startpos", "NF3", "g1f3"),
            ("chess", "startpos", "move E2-E4", "e2e4"),
            ("chess", "4k3/8/8/3n4/8/8/8/3QK3 w - - 0 1", "Q x d5", "d1d5"),
            ("chess", "4k3/8/2p5/8/8/1P3B2/8/4K3 w - - 0 1", "bxc6", "f3c6"),
        ] {
            assert_eq!(read_at(game, position, text).as_deref(), Ok(moves), "{game} {text}");
        }
    }

    #[test]
    fn every_column_of_a_wide_board_is_read() {
        let mut setup = Setup::named("connect4").unwrap();
        setup.set("Rows", "5").unwrap();
        setup.set("Columns", "9").unwrap();
        let wide = setup.board("startpos").unwrap();
        for text in ["P@i1", "p@I1", "column 9", "9"] {
            assert_eq!(read(&*wide, text, |_| true), Ok(vec!["9".to_owned()]), "{text}");
        }
    }

    #[test]
    fn an_unknown_move_names_the_legal_ones() {
        for (game, position, text, expected) in [
            ("kalah", "startpos", "\x1b[3~", "\"\\u{1b}[3~\" is not a legal move"),
            ("kalah", "startpos", "7", "\"7\" is not a legal move; the legal moves: 1 2 3 4 5 6"),
            ("kalah", "startpos", "3 3", "\"3\" is not a legal move after 3; the legal moves: 1 2 4 5 6"),
            ("kalah", "startpos", "1 1", "North is to move after 1: unexpected \"1\", no move is played"),
            ("kalah", "<12,0,0,0,1,1,1,1,1,1,1,1,1,1,1,0,0,0,0,0,0,0,0,0,0,0,1> s", "1", "\"1\" is not"),
            ("nim", "startpos", "2", "\"2\" is ambiguous: 2-4 2-3 2-2 2-1"),
            ("nim", "0,1 1", "1", "\"1\" is not a legal move; the legal moves: 2-1"),
            ("nim", "startpos", "take", "there is no move in \"take\""),
            ("kalah", "startpos", "1.", "there is no move in \"1.\"; the legal moves: 1 2 3 4 5 6"),
            ("nim", "startpos", "please", "\"please\" is not a legal move"),
            ("chess", "startpos", "Knight f3", "\"Knight\" is not a legal move"),
            ("chess", "4k3/8/8/8/8/8/7P/R3K2R w KQ - 0 1", "rook h3", "\"rook\" is not a legal move"),
            ("cfour", "startpos", "p", "is ambiguous: "),
            ("kalah", "<1,1,1,0,0> s", "1", "the legal moves: none, the game is over"),
        ] {
            let error = read_at(game, position, text).unwrap_err();
            assert!(error.contains(expected), "{game} {text}: {error}");
        }
        let long = read_at("nim", "255,255 1", &"9".repeat(1000)).unwrap_err();
        assert!(long.len() < 700 && long.contains("(510 in all)"), "{long}");
    }
}
