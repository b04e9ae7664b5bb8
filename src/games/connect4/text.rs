//! Connect Four's notations: boards, the FEN of cutechess, games as columns.
//!
//! - `7/7/7/3o3/3x3/2oxx2 o`: the rows from the top, numbers for vacant squares, `x` for the first player's stones and
//!   `o` for the second's; then the side to move, which may be omitted;
//! - `7/7/7/3p3/3P3/2pPP2[PP..pp] b - - 0 3`: the same with `P` and `p`, the stones in hand, `w` or `b`, and the
//!   remaining fields of chess. The stones in hand and everything after the side to move may be omitted;
//! - `44453`: the columns of a game from the empty board, a digit each.

use super::rules::{Column, Grid};
use super::size::Size;
use super::squares::Squares;
use crate::core::error::Quoted;
use crate::core::{Error, Position, Side};
use crate::games::fen;
use crate::util::number;

/// Parses a position in any of the notations.
///
/// # Errors
/// [`Error::BadPosition`] with the reason.
pub fn parse<S: Size>(text: &str, size: S) -> Result<Grid<S>, Error> {
    let text = text.trim();
    // The public test sets append the score to the columns of a game.
    let game =
        text.split_once(' ').filter(|(_, score)| score.trim().parse::<i32>().is_ok()).map_or(text, |(game, _)| game);
    let is_game = !game.is_empty() && game.bytes().all(|byte| byte.is_ascii_digit());
    let read = if is_game { replay(game, size) } else { parse_board(text, size) };
    read.map_err(|reason| Error::bad_position(text, reason))
}

/// Replays a game from the empty board.
fn replay<S: Size>(text: &str, size: S) -> Result<Grid<S>, String> {
    let mut grid = Grid::empty(size);
    for (number, digit) in (1..).zip(text.bytes()) {
        let column = Column(digit.wrapping_sub(b'1'));
        let reason = if u32::from(column.0) >= size.columns() {
            format!("the columns are 1 to {}", size.columns())
        } else if grid.is_won() {
            "the game is over".into()
        } else if grid.landing(column).is_empty() {
            "the column is full".into()
        } else {
            grid = grid.after(column);
            continue;
        };
        return Err(format!("move {number}, \"{}\": {reason}", char::from(digit)));
    }
    Ok(grid)
}

fn parse_board<S: Size>(text: &str, size: S) -> Result<Grid<S>, String> {
    let mut words = text.split_whitespace();
    let board = words.next().ok_or("a position is a board, rows from the top, or the columns of a game")?;
    let (rows, pocket) = match board.split_once('[') {
        Some((rows, pocket)) => (rows, Some(pocket.strip_suffix(']').ok_or("the stones in [ ] have no end")?)),
        None => (board, None),
    };
    let stones = parse_rows(rows, size)?;
    let [first, second] = stones.map(Squares::count_ones);
    let turn = match words.next() {
        None => None,
        Some("x" | "w") => Some(Side::First),
        Some("o" | "b") => Some(Side::Second),
        Some(other) => return Err(format!("the side to move is x or o, w or b, not {}", Quoted::part(other))),
    };
    let left = size.squares().saturating_sub(first + second);
    if let Some(pocket) = pocket {
        let count = |stone| pocket.matches(stone).count() as u32;
        let expected = [size.squares().div_ceil(2).saturating_sub(first), (size.squares() / 2).saturating_sub(second)];
        if [count('P'), count('p')] != expected || pocket.len() as u32 != left {
            return Err(format!("{} and {} stones are left, not {}", expected[0], expected[1], Quoted::part(pocket)));
        }
    }
    // The fields of chess after the side to move: castling rights, a square, two numbers.
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let fits = |(place, word): &(usize, &str)| if *place < 2 { *word == "-" } else { *place < 4 && is_number(word) };
    if let Some((_, odd)) = words.enumerate().find(|field| !fits(field)) {
        return Err(format!("{} does not belong there: only - - 0 1 may follow the side to move", Quoted::part(odd)));
    }
    let grid = Grid::with(size, stones).ok_or_else(|| wrong(size, stones))?;
    if turn.is_some_and(|turn| turn != grid.turn()) {
        return Err(format!("with {first} and {second} stones it is the turn of {}", letter(grid.turn())));
    }
    Ok(grid)
}

/// Parses the stones of both players.
fn parse_rows<S: Size>(text: &str, size: S) -> Result<[S::Set; 2], String> {
    let (columns, rows) = (size.columns(), size.rows());
    let shape = || format!("the board has {rows} rows of {columns}");
    match text.split('/').count() {
        count if count == rows as usize => {}
        1 => return Err(format!("it is neither a game, a digit for each column played, nor {rows} rows of {columns}")),
        _ => return Err(shape()),
    }
    let mut stones = [S::Set::NONE; 2];
    for (number, line) in text.split('/').enumerate() {
        let (row, mut column, mut gap) = (rows - 1 - number as u32, 0, 0);
        for cell in line.chars() {
            if let Some(digit) = cell.to_digit(10) {
                if gap > 0 && columns < 10 {
                    return Err(format!("row {} has two numbers in a row, {}", number + 1, Quoted::part(line)));
                }
                gap = 10 * gap + digit;
                if gap > columns {
                    return Err(shape());
                }
                continue;
            }
            let player = match cell {
                'x' | 'X' | 'P' => 0,
                'o' | 'O' | 'p' => 1,
                other => return Err(format!("{} is not a stone", Quoted::part(other.encode_utf8(&mut [0; 4])))),
            };
            column += gap;
            gap = 0;
            if column >= columns {
                return Err(shape());
            }
            stones[player] = stones[player] | size.lowest(column) << row;
            column += 1;
        }
        if column + gap != columns {
            return Err(shape());
        }
    }
    Ok(stones)
}

/// Returns the reason why stones do not form a position.
fn wrong<S: Size>(size: S, [first, second]: [S::Set; 2]) -> String {
    let occupied = first | second;
    let (x, o) = (first.count_ones(), second.count_ones());
    if ((occupied & !size.bottom()) >> 1).meets(!occupied) {
        "a stone has a vacant square below it".into()
    } else if x != o && x != o + 1 {
        format!("{x} and {o} stones: the players take turns, the first one begins")
    } else {
        format!("{} is to move and has four already", letter(if x == o { Side::First } else { Side::Second }))
    }
}

pub(super) fn letter(side: Side) -> char {
    ['x', 'o'][side.index()]
}

/// Writes the board and the side to move.
pub fn write<S: Size>(grid: &Grid<S>) -> String {
    format!("{} {}", rows(grid, ['x', 'o']), letter(grid.turn()))
}

pub(crate) fn write_fen<S: Size>(grid: &Grid<S>) -> String {
    let (left, full_moves) = (grid.left() as usize, grid.stones() / 2 + 1);
    let (turn, first) = match grid.turn() {
        Side::First => ('w', left.div_ceil(2)),
        Side::Second => ('b', left / 2),
    };
    format!("{}[{}{}] {turn} - - 0 {full_moves}", rows(grid, ['P', 'p']), "P".repeat(first), "p".repeat(left - first))
}

/// Writes the rows with a letter for each player's stones.
fn rows<S: Size>(grid: &Grid<S>, letters: [char; 2]) -> String {
    let size = [grid.size().columns(), grid.size().rows()].map(|count| count as u8);
    fen::write_rows(size, |column, row| at(grid, column.into(), row.into()).map(|side| letters[side.index()]))
}

/// Returns the owner of the stone on a square.
pub(super) fn at<S: Size>(grid: &Grid<S>, column: u32, row: u32) -> Option<Side> {
    let square = grid.size().lowest(column) << row;
    let owner = if grid.own().meets(square) { grid.turn() } else { grid.turn().other() };
    grid.occupied().meets(square).then_some(owner)
}

/// Writes a move as the number of its column, from 1.
pub(crate) fn write_column(mv: Column) -> String {
    (mv.0 + 1).to_string()
}

/// Writes a move as a drop in cutechess's notation: `P@d1`, file and rank, for either player.
pub(crate) fn write_drop<S: Size>(grid: &Grid<S>, mv: Column) -> String {
    let mut text = String::with_capacity(8);
    text.push_str("P@");
    text.push(char::from(b'a' + mv.0));
    number::push(&mut text, rank(grid, mv));
    text
}

/// Returns whether a text names a column.
pub(crate) fn is_column(mv: Column, text: &str) -> bool {
    number::read(text) == Some(u16::from(mv.0) + 1)
}

/// Returns whether a text names a drop, in lower or upper case.
pub(crate) fn is_drop<S: Size>(grid: &Grid<S>, mv: Column, text: &str) -> bool {
    let [stone, at, file, digits @ ..] = text.as_bytes() else { return false };
    let place = [stone, at, file].map(u8::to_ascii_lowercase) == [b'p', b'@', b'a' + mv.0];
    place && std::str::from_utf8(digits).is_ok_and(|digits| number::read(digits) == Some(rank(grid, mv)))
}

/// Returns the rank that a stone reaches, from 1.
fn rank<S: Size>(grid: &Grid<S>, mv: Column) -> u16 {
    (grid.occupied() & grid.size().column(mv.0.into())).count_ones() as u16 + 1
}

#[cfg(test)]
mod tests {
    use super::super::size::{Free, Standard};
    use super::*;

    fn standard(text: &str) -> Result<Grid<Standard>, Error> {
        parse(text, Standard::new(7, 6).unwrap())
    }

    #[test]
    fn every_notation_says_the_same() {
        let grid = standard("44453").unwrap();
        let (board, fen) =
            ("7/7/7/3x3/3o3/2xxo2 o", "7/7/7/3P3/3p3/2PPp2[PPPPPPPPPPPPPPPPPPppppppppppppppppppp] b - - 0 3");
        assert_eq!((write(&grid).as_str(), write_fen(&grid).as_str()), (board, fen));
        for text in [board, fen, "7/7/7/3X3/3O3/2XXO2", " 7/7/7/3P3/3p3/2PPp2  b  - - ", "07/7/7/3x3/3o3/2xxo02 b"] {
            assert_eq!(standard(text).unwrap(), grid, "{text}");
        }
        let start = standard("7/7/7/7/7/7[PPPPPPPPPPPPPPPPPPPPPppppppppppppppppppppp] w - - 0 1").unwrap();
        assert_eq!(start, Grid::empty(start.size()));
        let wide = parse("16/16/10x2ox1 o", Free::new(16, 3).unwrap()).unwrap();
        assert_eq!(write(&wide), "16/16/10x2ox1 o");
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, reason) in [
            ("", "a position is a board"),
            ("4444444", "move 7, \"4\": the column is full"),
            ("48", "move 2, \"8\": the columns are 1 to 7"),
            ("40", "move 2, \"0\": the columns are 1 to 7"),
            ("12121213", "move 8, \"3\": the game is over"),
            ("4,4", "it is neither a game, a digit for each column played, nor 6 rows of 7"),
            ("7/7/7/7/7", "the board has 6 rows of 7"),
            ("7/7/7/7/7/7/7 x", "the board has 6 rows of 7"),
            ("7/7/7/7/7/6 x", "the board has 6 rows of 7"),
            ("7/7/7/7/7/7x x", "the board has 6 rows of 7"),
            ("7/7/7/7/1111111/7 x", "row 5 has two numbers in a row, \"1111111\""),
            ("7/7/7/7/7/99999999999999999999 x", "the board has 6 rows of 7"),
            ("7/7/7/7/7/3y3 x", "\"y\" is not a stone"),
            ("7/7/7/7/7/7 z", "the side to move is x or o, w or b, not \"z\""),
            ("7/7/7/7/7/7 o", "with 0 and 0 stones it is the turn of x"),
            ("7/7/7/7/3x3/7 o", "a stone has a vacant square below it"),
            ("7/7/7/7/7/3o3 x", "0 and 1 stones: the players take turns"),
            ("7/7/7/7/ooo4/xxxxo2 x", "x is to move and has four already"),
            ("7/7/7/7/7/7[Pp] w", "21 and 21 stones are left, not \"Pp\""),
            ("7/7/7/7/7/7[Pp w", "the stones in [ ] have no end"),
            ("7/7/7/7/7/7 x KQkq", "\"KQkq\" does not belong there"),
            ("7/7/7/7/7/7 x - - 0 1 2", "\"2\" does not belong there"),
            ("7/7/7/7/7/7 x 5", "\"5\" does not belong there: only - - 0 1"),
            ("7/7/7/7/7/7 x - 5", "\"5\" does not belong there"),
        ] {
            let error = standard(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
        for long in
            ["1".repeat(1_000_000), "x".repeat(1_000_000), "7/".repeat(1_000_000), format!("7[{}", "P".repeat(99))]
        {
            assert!(standard(&long).unwrap_err().to_string().len() <= 320);
        }
    }
}
