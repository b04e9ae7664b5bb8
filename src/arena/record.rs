//! What remains of a game, as a line of JSON.

use super::openings::Opening;
use super::statistics::GameResult;
use crate::client::info::{Info, Score};
use crate::core::score::UNIT;
use crate::core::{Outcome, Side};
use serde::{Deserialize, Serialize};

/// A game that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number in the schedule, from 0.
    pub number: usize,
    /// The round, from 0.
    pub round: usize,
    /// The names of p1 and p2.
    pub players: [String; 2],
    /// Where it began.
    pub opening: Opening,
    /// The winner.
    pub result: Winner,
    /// Why it ended.
    pub ending: Ending,
    /// More about that, for people: what an engine did wrong.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// In a game of margins that was played to its end: units by which p1 is ahead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<i16>,
    /// How often p1 and p2 said that they had a proven win, and did not get it.
    #[serde(default, skip_serializing_if = "none_wrong")]
    pub wrong_claims: [u32; 2],
    /// When it began: seconds since the beginning of 1970, UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<u64>,
    /// The moves after the opening.
    pub moves: Vec<MoveRecord>,
}

impl GameRecord {
    /// The player who lost by a [fault](Ending::is_fault), 0 for p1; `None` in a sound game.
    #[must_use]
    pub fn at_fault(&self) -> Option<usize> {
        self.ending.is_fault().then_some(usize::from(self.result == Winner::First))
    }
}

fn none_wrong(claims: &[u32; 2]) -> bool {
    *claims == [0, 0]
}

/// Who has won, as PGN writes it for White and Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Winner {
    /// p1.
    #[serde(rename = "1-0")]
    First,
    /// p2.
    #[serde(rename = "0-1")]
    Second,
    /// Nobody.
    #[serde(rename = "1/2-1/2")]
    Nobody,
}

impl Winner {
    /// The player of this side.
    #[must_use]
    pub const fn side(side: Side) -> Self {
        match side {
            Side::First => Self::First,
            Side::Second => Self::Second,
        }
    }

    /// Who has won by an outcome for p1.
    #[must_use]
    pub const fn of(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win | Outcome::Margin(1..) => Self::First,
            Outcome::Loss | Outcome::Margin(..=-1) => Self::Second,
            Outcome::Draw | Outcome::Margin(0) => Self::Nobody,
        }
    }

    /// The result for a side.
    #[must_use]
    pub const fn result(self, side: Side) -> GameResult {
        match (self, side) {
            (Self::Nobody, _) => GameResult::Draw,
            (Self::First, Side::First) | (Self::Second, Side::Second) => GameResult::Win,
            _ => GameResult::Loss,
        }
    }

    /// `1-0`, `0-1` or `1/2-1/2`.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::First => "1-0",
            Self::Second => "0-1",
            Self::Nobody => "1/2-1/2",
        }
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// By the rules of the game.
    Rules,
    /// Both engines thought for long that one of them had won.
    Resignation,
    /// Both engines thought for long that nobody would win.
    Draw,
    /// Both engines said that it was proven, and agreed.
    Proven,
    /// It was as long as a game may be.
    Length,
    /// The loser made a move that the rules do not allow,
    IllegalMove,
    /// said that there was no move where there was one,
    WrongClaim,
    /// used up its time,
    Time,
    /// did not answer at all,
    Hang,
    /// ended or crashed,
    Crash,
    /// or broke the connection, or said what cannot be understood.
    Disconnection,
}

impl Ending {
    /// All of them, those of sound games first.
    pub const ALL: [Self; 11] = [
        Self::Rules,
        Self::Resignation,
        Self::Draw,
        Self::Proven,
        Self::Length,
        Self::IllegalMove,
        Self::WrongClaim,
        Self::Time,
        Self::Hang,
        Self::Crash,
        Self::Disconnection,
    ];

    /// Whether the loser did something wrong.
    #[must_use]
    pub const fn is_fault(self) -> bool {
        !matches!(self, Self::Rules | Self::Resignation | Self::Draw | Self::Proven | Self::Length)
    }

    /// In words.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Rules => "by the rules",
            Self::Resignation => "adjudicated as won",
            Self::Draw => "adjudicated as drawn",
            Self::Proven => "adjudicated as proven",
            Self::Length => "too long",
            Self::IllegalMove => "illegal move",
            Self::WrongClaim => "wrong claim",
            Self::Time => "time",
            Self::Hang => "hang",
            Self::Crash => "crash",
            Self::Disconnection => "disconnection",
        }
    }
}

/// A move, what it took and what the engine thought of it: `[move, microseconds, score, depth, nodes]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveRecord(
    /// The move.
    pub String,
    /// Time from `go` to `bestmove`, microseconds.
    pub u64,
    /// The score for the mover as [`score_text`] writes it; empty if none was said.
    pub String,
    /// The depth, plies; 0 if none was said.
    pub u32,
    /// The nodes; 0 if none were said.
    pub u64,
);

/// A score in words: `+1.50` units, `#3` a win in three moves, `#-2` a loss in two; with `exact`, `lower` or `upper`
/// behind it if the engine said that it was proven.
#[must_use]
pub fn score_text(info: &Info) -> String {
    let mut text = match info.score {
        Some(Score::Cp(score)) => format!("{:+.2}", f64::from(score) / f64::from(UNIT)),
        Some(Score::Mate(moves)) => format!("#{moves}"),
        None => return String::new(),
    };
    if let Some(proof) = info.proof.name() {
        text += &format!(" {proof}");
    }
    text
}
