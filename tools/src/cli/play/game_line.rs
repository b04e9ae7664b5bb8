//! The game so far, and the moves taken back.

use crate::arena::date;
use secateurs::core::{Error, Side};
use secateurs::engine::Board;

/// A move of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The move.
    pub mv: String,
    /// The engine's evaluation in the format of records; empty for a person.
    pub comment: String,
}

/// A line of positions with a current index: earlier moves can be undone, later ones redone.
pub struct GameLine {
    /// The positions; one more than the moves, so never empty.
    boards: Vec<Box<dyn Board>>,
    played: Vec<Played>,
    at: usize,
    resigned: Option<Side>,
    date: String,
}

impl GameLine {
    /// Creates a line that starts at this position, today.
    pub(crate) fn new(board: Box<dyn Board>) -> Self {
        let date = date::day(date::now());
        Self { boards: vec![board], played: Vec::new(), at: 0, resigned: None, date }
    }

    /// Returns the current position.
    pub(crate) fn board(&self) -> &dyn Board {
        &*self.boards[self.at]
    }

    /// Returns the initial position.
    pub(crate) fn start(&self) -> &dyn Board {
        &*self.boards[0]
    }

    /// Returns the moves so far.
    pub(crate) fn played(&self) -> &[Played] {
        &self.played[..self.at]
    }

    /// Returns the moves so far, each with the side that played it.
    pub(crate) fn moves(&self) -> impl Iterator<Item = (Side, &Played)> {
        self.boards.iter().map(|board| board.turn()).zip(self.played())
    }

    /// Returns the date of the game as PGN writes it, `2026.11.22`.
    pub(crate) fn date(&self) -> &str {
        &self.date
    }

    /// Sets the date of the game.
    pub(crate) fn set_date(&mut self, date: &str) {
        self.date = date.into();
    }

    /// Returns the side that resigned.
    pub(crate) fn resigned(&self) -> Option<Side> {
        self.resigned
    }

    /// Returns whether a side has moved or resigned.
    pub(crate) fn is_begun(&self) -> bool {
        self.at > 0 || self.resigned.is_some()
    }

    /// Returns whether the game is over.
    pub(crate) fn is_over(&self) -> bool {
        self.resigned.is_some() || self.board().outcome().is_some()
    }

    /// Plays a move and discards the moves taken back.
    ///
    /// # Errors
    /// [`Error::IllegalMove`]; nothing changes then.
    pub(crate) fn play(&mut self, mv: &str, comment: String) -> Result<(), Error> {
        let mut next = self.board().boxed();
        next.play(mv)?;
        self.boards.truncate(self.at + 1);
        self.played.truncate(self.at);
        // The game may read a move in several notations.
        let mv = next.history().pop().unwrap_or_else(|| mv.into());
        self.boards.push(next);
        self.played.push(Played { mv, comment });
        self.at += 1;
        Ok(())
    }

    /// Resigns for a side.
    pub(crate) fn resign(&mut self, side: Side) {
        self.resigned = Some(side);
    }

    /// Takes moves back to the `count`-th last turn of a side for which `decides` holds; a resignation counts as a
    /// turn. Returns the number of turns taken back, at most `count`.
    pub(crate) fn undo(&mut self, count: usize, decides: impl Fn(Side) -> bool) -> usize {
        let resigned = usize::from(count > 0 && self.resigned.take().is_some());
        let turns = (0..self.at).rev().filter(|&at| decides(self.boards[at].turn()));
        let turns: Vec<usize> = turns.take(count - resigned).collect();
        self.at = turns.last().copied().unwrap_or(self.at);
        resigned + turns.len()
    }

    /// Redoes moves taken back, up to the `count`-th next turn of a side for which `decides` holds. Returns the number
    /// of turns redone, at most `count`.
    pub(crate) fn redo(&mut self, count: usize, decides: impl Fn(Side) -> bool) -> usize {
        let end = self.boards.len() - 1;
        if self.resigned.is_some() || self.at == end {
            return 0;
        }
        let turns = (self.at + 1..=end).filter(|&at| at == end || decides(self.boards[at].turn()));
        let turns: Vec<usize> = turns.take(count).collect();
        self.at = turns.last().copied().unwrap_or(self.at);
        turns.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateurs::registry::Setup;

    fn line(moves: &str) -> GameLine {
        let setup = Setup::named("kalah").unwrap();
        let mut line = GameLine::new(setup.board("startpos").unwrap());
        moves.split_whitespace().for_each(|mv| line.play(mv, String::new()).unwrap());
        line
    }

    fn moves(line: &GameLine) -> String {
        line.played().iter().map(|played| played.mv.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn decisions_are_taken_back_and_played_again() {
        // South 3 and 1, North 5, South 2.
        let mut line = line("3 1 5 2");
        let south = |side| side == Side::First;
        for (count, left) in [(1, "3 1 5"), (1, "3"), (1, "")] {
            assert_eq!(line.undo(count, south), count);
            assert_eq!(moves(&line), left);
        }
        assert_eq!(line.undo(1, south), 0);
        assert_eq!(line.redo(1, south), 1);
        assert_eq!(moves(&line), "3");
        assert_eq!(line.redo(9, south), 2);
        assert_eq!(moves(&line), "3 1 5 2");
        assert_eq!(line.redo(1, south), 0);
        assert!(line.undo(usize::MAX, south) == 3 && moves(&line).is_empty());
        line.play("1", String::new()).unwrap();
        assert!(line.redo(1, south) == 0 && line.play("7", String::new()).is_err());
        assert_eq!(moves(&line), "1");
        // North has not moved yet.
        assert_eq!(line.undo(1, |side| side == Side::Second), 0);
    }

    #[test]
    fn a_resignation_is_taken_back_first() {
        let mut line = line("3 1");
        line.resign(Side::Second);
        assert!(line.is_over() && line.redo(1, |_| true) == 0);
        assert!(line.undo(1, |_| true) == 1 && !line.is_over());
        assert_eq!(moves(&line), "3 1");
        line.resign(Side::Second);
        assert_eq!(line.undo(2, |_| true), 2);
        assert_eq!(moves(&line), "3");
    }
}
