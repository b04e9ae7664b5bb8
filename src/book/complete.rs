//! Complete books: all positions of the first plies.
//!
//! A file stores only the values of the last ply, in the order of the [tree](Tree). Those before it, and their best
//! moves, follow by minimax.

use super::BookEntry;
use crate::core::score::Score;
use crate::core::{Bounds, Error};
use crate::engine::Board;
use std::collections::HashMap;

/// The positions of the first plies, ply by ply. In each ply a position is there once, where it is first reached by the
/// moves in the game's order; in the last ply, which has only values, so is the first of
/// [symmetric](crate::core::Game::symmetric_key) positions. Finished positions are left out.
pub struct Tree {
    plies: Vec<Vec<Node>>,
}

struct Node {
    board: Box<dyn Board>,
    /// What each legal move leads to, in the game's order; empty in the last ply.
    moves: Vec<After>,
}

/// What a move leads to.
enum After {
    /// The end of the game, with this value for the side that moves.
    End(Score),
    /// A position of the next ply, with the settled score after this move: positions that are the same to a book may
    /// differ in it.
    Position { index: usize, same: bool, settled: Score },
}

impl Tree {
    /// Returns the positions after at most `plies` moves; `None` if these are more than `most`.
    ///
    /// # Errors
    /// An error of the game if it rejects its own moves.
    pub fn new(start: &dyn Board, plies: u8, most: usize) -> Result<Option<Self>, Error> {
        let is_over = start.outcome().is_some();
        let first = (!is_over).then(|| Node { board: start.boxed(), moves: Vec::new() });
        let mut tree = Self { plies: vec![first.into_iter().collect()] };
        let mut left = most;
        for ply in 1..=plies {
            let key = |board: &dyn Board| if ply == plies { board.symmetric_key() } else { board.book_key() };
            let Some(next) = next(&mut tree.plies[usize::from(ply) - 1], left, key)? else { return Ok(None) };
            left -= next.len();
            tree.plies.push(next);
        }
        Ok(Some(tree))
    }

    /// Returns the positions of the last ply.
    pub fn last(&self) -> impl ExactSizeIterator<Item = &dyn Board> {
        self.plies.last().map_or(&[][..], Vec::as_slice).iter().map(|node| &*node.board)
    }

    /// Returns all positions with their entries, from the first ply to the last; `values` are those of the last ply, in
    /// its order. Entries of the last ply have no moves.
    pub fn entries(&self, values: &[i16]) -> impl Iterator<Item = (&dyn Board, BookEntry)> {
        let leaves = values.iter().map(|&value| BookEntry { value: value.into(), best: Vec::new() });
        let mut entries = vec![leaves.collect::<Vec<_>>()];
        for nodes in self.plies.iter().rev().skip(1) {
            let below = &entries[entries.len() - 1];
            entries.push(nodes.iter().map(|node| node.entry(below)).collect());
        }
        let nodes = self.plies.iter().flatten().map(|node| &*node.board);
        nodes.zip(entries.into_iter().rev().flatten())
    }
}

impl Node {
    /// Returns the entry that follows from those of the next ply.
    fn entry(&self, below: &[BookEntry]) -> BookEntry {
        let value = |after: &After| match *after {
            After::End(value) => value,
            After::Position { index, same, settled } => seen_before(settled + below[index].value, same),
        };
        let values: Vec<_> = self.moves.iter().map(value).collect();
        let most = values.iter().copied().max().unwrap_or_default();
        let codes = self.board.codes().into_iter().zip(values);
        BookEntry {
            value: most - settled(&*self.board),
            best: codes.filter(|&(_, value)| value == most).map(|(code, _)| code).collect(),
        }
    }
}

fn settled(board: &dyn Board) -> Score {
    board.static_evaluation().settled
}

/// Returns a value after a move for the side that made it; `same` if it moves again.
fn seen_before(value: Score, same: bool) -> Score {
    Bounds::exactly(value).from_node(1).seen(same).lower
}

/// Makes all moves of a ply, and returns the positions of the next one, one for each key; `None` if these are more than
/// `most`.
fn next(nodes: &mut [Node], most: usize, key: impl Fn(&dyn Board) -> String) -> Result<Option<Vec<Node>>, Error> {
    let (mut found, mut indices) = (Vec::new(), HashMap::new());
    for node in nodes {
        for mv in node.board.moves() {
            let mut board = node.board.boxed();
            board.play(&mv)?;
            let same = board.turn() == node.board.turn();
            node.moves.push(match board.outcome() {
                Some(outcome) => After::End(seen_before(outcome.score(), same)),
                None => {
                    let (index, settled) = (*indices.entry(key(&*board)).or_insert(found.len()), settled(&*board));
                    if index == most {
                        return Ok(None);
                    }
                    if index == found.len() {
                        found.push(Node { board, moves: Vec::new() });
                    }
                    After::Position { index, same, settled }
                }
            });
        }
    }
    Ok(Some(found))
}
