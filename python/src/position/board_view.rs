//! The board of a position as numbers in the shape of the game.

use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use secateurs::engine::Board;

/// The games with views of their board, and the names of the views.
const VIEWS: [(&str, &[&str]); 5] = [
    ("kalah", &["houses", "stores"]),
    ("oware", &["houses", "stores"]),
    ("nim", &["heaps"]),
    ("connect4", &["board"]),
    ("cfour", &["board"]),
];

/// Refuses a view that the game does not have.
///
/// # Errors
/// `AttributeError`, which names the game and its views.
pub fn check(board: &dyn Board, view: &str) -> PyResult<()> {
    let game = board.game();
    let views = VIEWS.iter().find(|(name, _)| *name == game).map_or(&[][..], |&(_, views)| views);
    if views.contains(&view) {
        return Ok(());
    }
    let known = match (game, views) {
        ("chess", []) => "fen() and, for python-chess, secateurs.chess.board_of(position)".to_owned(),
        (_, []) => "text and, if it is a game in Python, state".to_owned(),
        _ => views.join(" and "),
    };
    Err(PyAttributeError::new_err(format!("a position of {game} has no {view}: it has {known}")))
}

/// Returns whether some game has a view.
pub fn is_known(view: &str) -> bool {
    VIEWS.iter().any(|(_, views)| views.contains(&view))
}

/// Returns the numbers in a text.
fn numbers(text: &str) -> impl Iterator<Item = usize> {
    text.split(|letter: char| !letter.is_ascii_digit()).filter_map(|word| word.parse().ok())
}

/// Returns the seeds in the stores and in the houses of both players of Kalah or Oware.
fn seeds(board: &dyn Board) -> ([usize; 2], [Vec<usize>; 2]) {
    // `<houses,store,store,seeds...> s`
    let all: Vec<_> = numbers(&board.text()).collect();
    let (stores, seeds) = all.get(1..).and_then(|all| all.split_at_checked(2)).unwrap_or_default();
    let (first, second) = seeds.split_at(seeds.len() / 2);
    ([stores.first().copied().unwrap_or(0), stores.get(1).copied().unwrap_or(0)], [first.to_vec(), second.to_vec()])
}

/// Returns the seeds in the houses of both players of Kalah or Oware, in the order of the moves.
///
/// # Errors
/// `AttributeError` in other games.
pub fn houses(board: &dyn Board) -> PyResult<[Vec<usize>; 2]> {
    check(board, "houses").map(|()| seeds(board).1)
}

/// Returns the seeds in the stores of Kalah, or those captured in Oware.
///
/// # Errors
/// `AttributeError` in other games.
pub fn stores(board: &dyn Board) -> PyResult<[usize; 2]> {
    check(board, "stores").map(|()| seeds(board).0)
}

/// Returns the heaps of Nim.
///
/// # Errors
/// `AttributeError` in other games.
pub fn heaps(board: &dyn Board) -> PyResult<Vec<usize>> {
    check(board, "heaps")?;
    // `3,4,5 1`
    Ok(board.text().split(' ').next().map(|heaps| numbers(heaps).collect()).unwrap_or_default())
}

/// Returns the rows of Connect Four from the top: 0 for a vacant square, otherwise the player who owns the stone.
///
/// # Errors
/// `AttributeError` in other games.
pub fn rows(board: &dyn Board) -> PyResult<Vec<Vec<u8>>> {
    check(board, "board")?;
    // `7/7/7/3x3/3o3/2xxo2 o`, or with stones in hand after the last row.
    let text = board.text();
    let rows = text.split([' ', '[']).next().unwrap_or_default().split('/');
    Ok(rows.map(squares).collect())
}

fn squares(row: &str) -> Vec<u8> {
    let (mut squares, mut vacant) = (Vec::new(), 0);
    for letter in row.chars() {
        if let Some(digit) = letter.to_digit(10) {
            vacant = 10 * vacant + digit as usize;
        } else {
            squares.extend(std::iter::repeat_n(0, std::mem::take(&mut vacant)));
            squares.push(if matches!(letter, 'x' | 'P') { 1 } else { 2 });
        }
    }
    squares.extend(std::iter::repeat_n(0, vacant));
    squares
}
