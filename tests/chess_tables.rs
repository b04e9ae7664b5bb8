//! The proofs of the search in chess endings, against retrograde analysis (Ströhlein 1970; Thompson 1986) with all
//! positions of three or four men.

use crate::common::Random;
use crate::common::claims::{Case, Totals, check, legal};
use cozy_chess::{Board, BoardBuilder, Color, Piece, Square};
use secateurs::core::score::{self, Score};
use secateurs::core::{Limits, Parameters, Position, Request, Ties};
use secateurs::games::chess::{ChessHeuristics, Chessboard, fen};
use secateurs::search::Table;
use std::collections::HashMap;
use std::sync::Arc;

/// The value of a draw; any other value is the number of plies to mate and one more. The side to move wins if that
/// number of plies is odd, and loses if it is even.
const DRAW: u8 = 0;

/// No legal position.
const ILLEGAL: u8 = u8::MAX;

/// The men of an ending: the kings, then the others in the order of the letters of [`men`].
type Men = Vec<(Color, Piece)>;

/// The values of all positions of an ending, by [`index`].
struct Ending {
    men: Men,
    values: Vec<u8>,
}

/// Tables by the letters of their men, White's as capitals.
#[derive(Default)]
struct Tables(HashMap<String, Ending>);

/// Returns the letters of the men of a board, the stronger side as White's: the kings, then White's and Black's men.
fn letters(board: &Board) -> (String, bool) {
    let of = |color: Color| {
        let pieces = Piece::ALL.into_iter().rev().filter(|&piece| piece != Piece::King);
        let men = pieces.flat_map(|piece| vec![piece; board.colored_pieces(color, piece).len() as usize]);
        men.map(char::from).collect::<String>()
    };
    let (white, black) = (of(Color::White), of(Color::Black));
    let rank = |men: &str| (men.len(), men.chars().map(|man| "pnbrq".find(man)).max());
    let mirrored = rank(&black) > rank(&white);
    let (strong, weak) = if mirrored { (black, white) } else { (white, black) };
    (strong.to_uppercase() + &weak, mirrored)
}

/// Returns the men of an ending.
fn men(letters: &str) -> Men {
    let kings = [(Color::White, Piece::King), (Color::Black, Piece::King)];
    let man = |letter: char| {
        let color = if letter.is_uppercase() { Color::White } else { Color::Black };
        (color, letter.to_ascii_lowercase().try_into().unwrap())
    };
    kings.into_iter().chain(letters.chars().map(man)).collect()
}

/// Returns the index of a position in the table of its ending. The white king is on the files a to d, by reflection,
/// which changes no value.
fn index(turn: Color, squares: &[Square]) -> usize {
    let reflects = squares[0] as usize % 8 >= 4;
    let of = |square: Square| square as usize ^ if reflects { 7 } else { 0 };
    let king = of(squares[0]);
    let king = king / 8 * 4 + king % 8;
    squares[1..].iter().fold(turn as usize * 32 + king, |index, &square| index * 64 + of(square))
}

/// Returns the squares of a board's men in the order of an ending.
fn squares(board: &Board, men: &Men, mirrored: bool) -> Vec<Square> {
    let mut found: Vec<Square> = Vec::new();
    for &(color, piece) in men {
        let color = if mirrored { !color } else { color };
        let mut on = board.colored_pieces(color, piece).into_iter();
        let square = on.find(|square| !found.contains(&if mirrored { square.flip_rank() } else { *square })).unwrap();
        found.push(if mirrored { square.flip_rank() } else { square });
    }
    found
}

impl Ending {
    /// Returns the board with an index.
    fn board(&self, index: usize) -> Option<Board> {
        let mut builder = BoardBuilder::empty();
        let mut rest = index;
        for place in (0..self.men.len()).rev() {
            let square = match place {
                0 => Square::index(rest % 32 / 4 * 8 + rest % 4),
                _ => Square::index(rest % 64),
            };
            rest /= if place == 0 { 32 } else { 64 };
            let (color, piece) = self.men[place];
            if builder.board[square as usize].replace((piece, color)).is_some() {
                return None;
            }
        }
        builder.side_to_move = if rest == 0 { Color::White } else { Color::Black };
        // The reader of FEN also refuses a side to move that can capture the king.
        fen::parse(&builder.build().ok()?.to_string()).ok().map(|pos| pos.board().clone())
    }
}

impl Tables {
    /// Returns the value of a position: of an ending that is in no table, a draw.
    fn value(&self, board: &Board) -> u8 {
        let (letters, mirrored) = letters(board);
        let Some(ending) = self.0.get(&letters) else {
            assert!(["", "B", "N"].contains(&letters.as_str()), "no table of {letters}");
            return DRAW;
        };
        let turn = if mirrored { !board.side_to_move() } else { board.side_to_move() };
        ending.values[index(turn, &squares(board, &ending.men, mirrored))]
    }

    /// Returns the score of a position for its side to move, without a clock.
    fn score(&self, board: &Board) -> Score {
        match self.value(board) {
            DRAW => 0,
            value if value % 2 == 0 => score::win_in(Score::from(value) - 1),
            value => -score::win_in(Score::from(value) - 1),
        }
    }

    /// Adds the table of an ending: mates first, then, ply by ply, positions with a move to a loss and positions with
    /// moves to wins alone.
    fn add(&mut self, letters: &str) {
        let men = men(letters);
        let size = (2 * 32) << (6 * (men.len() - 1));
        let mut ending = Ending { men, values: vec![ILLEGAL; size] };
        // The moves that stay in the ending, as indices, and the values of those that leave it.
        let (mut inside, mut outside) = (Vec::new(), Vec::new());
        let mut open = Vec::new();
        for at in 0..size {
            let Some(board) = ending.board(at) else { continue };
            ending.values[at] = DRAW;
            let moves = legal(&Chessboard::new(board.clone()));
            if moves.is_empty() {
                ending.values[at] = if board.checkers().is_empty() { DRAW } else { 1 };
                continue;
            }
            let first = [inside.len(), outside.len()];
            for mv in moves {
                let mut after = board.clone();
                after.play(mv);
                let leaves = after.occupied().len() < board.occupied().len() || mv.promotion.is_some();
                if leaves {
                    outside.push(self.value(&after));
                } else {
                    inside.push(index(after.side_to_move(), &squares(&after, &ending.men, false)) as u32);
                }
            }
            open.push((at as u32, first, [inside.len(), outside.len()]));
        }
        let longest = outside.iter().copied().max().unwrap_or(0);
        let (mut idle, mut next) = (0, 2);
        while idle < 2 || next <= longest + 1 {
            let (values, mut found) = (&ending.values, Vec::new());
            open.retain(|&(at, first, last)| {
                let inside = inside[first[0]..last[0]].iter().map(|&child| values[child as usize]);
                let mut children = inside.chain(outside[first[1]..last[1]].iter().copied());
                let is_known = |value: u8| value != DRAW && value < next;
                let reached = if next % 2 == 0 {
                    children.any(|value| value % 2 == 1 && is_known(value))
                } else {
                    children.all(|value| value % 2 == 0 && is_known(value))
                };
                if reached {
                    found.push(at);
                }
                !reached
            });
            idle = if found.is_empty() { idle + 1 } else { 0 };
            for at in found {
                ending.values[at as usize] = next;
            }
            next += 1;
        }
        self.0.insert(letters.to_owned(), ending);
    }

    /// Returns a random legal position of an ending.
    fn position(&self, letters: &str, random: &mut Random) -> Board {
        let ending = &self.0[letters];
        loop {
            if let Some(board) = ending.board(random.below(ending.values.len())) {
                return board;
            }
        }
    }

    /// Returns the longest win of an ending, plies.
    fn longest(&self, letters: &str) -> u8 {
        let values = self.0[letters].values.iter().filter(|&&value| value != ILLEGAL);
        values.max().unwrap() - 1
    }

    /// Searches random positions of an ending and checks every proof.
    fn prove(&self, letters: &str, positions: usize, totals: &mut Totals) {
        let mut random = Random(18);
        // What two threads leave in a table differs from run to run, and with it the length of later lines.
        let tables = [4, 4].map(|size| Arc::new(Table::new(size).unwrap()));
        for _ in 0..positions {
            let root = Chessboard::new(self.position(letters, &mut random));
            if root.is_over() {
                continue;
            }
            let limits = match random.below(2) {
                0 => Limits::depth(1 + random.below(9) as u8),
                _ => Limits { nodes: Some(random.below(4_000) as u64), ..Limits::default() },
            };
            let lines = if random.chance(70) { 1 } else { 2 };
            let threads = if random.chance(80) { 1 } else { 2 };
            let ties = *random.pick(&[Ties::First, Ties::First, Ties::All]);
            let request = Request {
                limits,
                moves: Vec::new(),
                lines,
                threads,
                ties,
                aspiration: None,
                parameters: Parameters::default(),
            };
            let case = Case { name: root.board().to_string(), root: &root, truth: &|pos| self.score(pos.board()) };
            check(&case, &ChessHeuristics::new("").unwrap(), &tables[threads - 1], &request, totals);
        }
    }
}

/// The tables of three men.
fn three_men() -> Tables {
    let mut tables = Tables::default();
    for letters in ["Q", "R", "P"] {
        tables.add(letters);
    }
    tables
}

#[test]
fn proofs_with_three_men_are_true() {
    let tables = three_men();
    // The longest wins are of 10, 16 and 28 moves.
    assert_eq!(["Q", "R", "P"].map(|letters| tables.longest(letters)), [20, 32, 56]);
    let mut totals = Totals::default();
    for letters in ["Q", "R", "P"] {
        tables.prove(letters, 150, &mut totals);
    }
    assert!(totals.lower > 300 && totals.upper > 20, "{totals:?}");
}

#[test]
#[ignore = "takes a minute and some GiB: cargo test --release --test suite chess_tables:: -- --ignored"]
fn proofs_with_four_men_are_true() {
    let mut tables = three_men();
    let mut totals = Totals::default();
    for letters in ["BN", "Qr"] {
        tables.add(letters);
        tables.prove(letters, 3_000, &mut totals);
    }
    println!("{totals:?}");
    // The longest wins are of 33 and 35 moves.
    assert_eq!(["BN", "Qr"].map(|letters| tables.longest(letters)), [66, 70]);
}
