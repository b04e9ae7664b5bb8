//! The record of a game, stored as a line of JSON.

use super::openings::Opening;
use super::statistics::GameResult;
use crate::client::info::{Info, Score};
use secateurs::core::report::Bound;
use secateurs::core::score::UNIT;
use secateurs::core::{Outcome, Proof, Side};
use serde::{Deserialize, Serialize};

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The number in the schedule, from 0.
    pub number: usize,
    /// The round, from 0.
    pub round: usize,
    /// The names of p1 and p2.
    pub players: [String; 2],
    /// The opening.
    pub opening: Opening,
    /// The winner.
    pub result: Winner,
    /// The reason for the end.
    pub ending: Ending,
    /// A description for the user, such as an engine's forfeit.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// The final margin for p1, in units, if the game has margins and was played to its end; in a game that
    /// [databases](Ending::Databases) ended, the margin with best play of both sides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<i16>,
    /// The number of proven wins that p1 and p2 claimed and did not achieve.
    #[serde(default, skip_serializing_if = "none_wrong")]
    pub wrong_claims: [u32; 2],
    /// The start of the game in Unix seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<u64>,
    /// The moves after the opening.
    pub moves: Vec<MoveRecord>,
}

impl GameRecord {
    /// Returns the player that lost by a [fault](Ending::is_fault), 0 for p1; `None` if there was no fault.
    pub(crate) fn at_fault(&self) -> Option<usize> {
        self.ending.is_fault().then_some(usize::from(self.result == Winner::First))
    }

    /// Returns the moves that were played: without an illegal or late last one, which lost the game.
    pub(crate) fn played(&self) -> &[MoveRecord] {
        match &self.moves[..] {
            [played @ .., _] if self.ending.rejects_move() => played,
            all => all,
        }
    }
}

fn none_wrong(claims: &[u32; 2]) -> bool {
    *claims == [0, 0]
}

/// The winner, serialized as in PGN for White and Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Winner {
    /// p1.
    #[serde(rename = "1-0")]
    First,
    /// p2.
    #[serde(rename = "0-1")]
    Second,
    /// A draw.
    #[serde(rename = "1/2-1/2")]
    Nobody,
}

impl Winner {
    /// Returns the player of this side.
    pub const fn side(side: Side) -> Self {
        match side {
            Side::First => Self::First,
            Side::Second => Self::Second,
        }
    }

    /// Returns the winner by an outcome for p1.
    pub const fn from_outcome(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win | Outcome::Margin(1..) => Self::First,
            Outcome::Loss | Outcome::Margin(..=-1) => Self::Second,
            Outcome::Draw | Outcome::Margin(0) => Self::Nobody,
        }
    }

    pub(crate) const fn result(self, side: Side) -> GameResult {
        match (self, side) {
            (Self::Nobody, _) => GameResult::Draw,
            (Self::First, Side::First) | (Self::Second, Side::Second) => GameResult::Win,
            _ => GameResult::Loss,
        }
    }

    /// Returns `1-0`, `0-1` or `1/2-1/2`.
    pub const fn text(self) -> &'static str {
        match self {
            Self::First => "1-0",
            Self::Second => "0-1",
            Self::Nobody => "1/2-1/2",
        }
    }
}

/// The reason for the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// The rules of the game.
    Rules,
    /// Adjudicated as won by the engines' scores.
    Resignation,
    /// Adjudicated as drawn by the engines' scores.
    Draw,
    /// Adjudicated because both engines claimed the same proven result.
    Proven,
    /// The maximum length.
    Length,
    /// Adjudicated by endgame databases.
    Databases,
    /// The loser played an illegal move.
    IllegalMove,
    /// The loser claimed that it had no legal move.
    WrongClaim,
    /// The loser exceeded its time.
    Time,
    /// The loser did not reply.
    Hang,
    /// The loser's process ended or crashed.
    Crash,
    /// The loser closed the connection or sent an invalid reply.
    Disconnection,
}

impl Ending {
    /// All reasons, those without a fault first.
    pub const ALL: [Self; 12] = [
        Self::Rules,
        Self::Resignation,
        Self::Draw,
        Self::Proven,
        Self::Length,
        Self::Databases,
        Self::IllegalMove,
        Self::WrongClaim,
        Self::Time,
        Self::Hang,
        Self::Crash,
        Self::Disconnection,
    ];

    pub(crate) const fn is_fault(self) -> bool {
        !matches!(self, Self::Rules | Self::Resignation | Self::Draw | Self::Proven | Self::Length | Self::Databases)
    }

    /// Returns whether the last move of the record was not played: it was illegal or late.
    pub(crate) const fn rejects_move(self) -> bool {
        matches!(self, Self::IllegalMove | Self::Time)
    }

    /// Returns a description.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Rules => "by the rules",
            Self::Resignation => "adjudicated as won",
            Self::Draw => "adjudicated as drawn",
            Self::Proven => "adjudicated as proven",
            Self::Length => "too long",
            Self::Databases => "adjudicated by databases",
            Self::IllegalMove => "illegal move",
            Self::WrongClaim => "wrong claim",
            Self::Time => "time",
            Self::Hang => "hang",
            Self::Crash => "crash",
            Self::Disconnection => "disconnection",
        }
    }
}

/// A move with its cost and evaluation: `[move, microseconds, score, depth, nodes]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "MoveFields", into = "MoveFields")]
pub struct MoveRecord {
    /// The move.
    pub mv: String,
    /// The time from `go` to `bestmove`, in microseconds.
    pub micros: u64,
    /// The score for the mover in the format of [`score_text`]; empty if none was reported.
    pub score: String,
    /// The depth in plies; 0 if none was reported.
    pub depth: u32,
    /// The nodes; 0 if none were reported.
    pub nodes: u64,
}

/// A move as it is written.
type MoveFields = (String, u64, String, u32, u64);

impl From<MoveFields> for MoveRecord {
    fn from((mv, micros, score, depth, nodes): MoveFields) -> Self {
        Self { mv, micros, score, depth, nodes }
    }
}

impl From<MoveRecord> for MoveFields {
    fn from(MoveRecord { mv, micros, score, depth, nodes }: MoveRecord) -> Self {
        (mv, micros, score, depth, nodes)
    }
}

/// The words for a score that is only a bound, as engines report it.
const BOUNDS: [(Bound, &str); 2] = [(Bound::Lower, "lowerbound"), (Bound::Upper, "upperbound")];

/// Returns a score as text: `+1.50` units, `#3` a win in three moves, `#-2` a loss in two; followed by `exact`, `lower`
/// or `upper` if the engine reported it as proven, and by `lowerbound` or `upperbound` if it is a bound.
pub fn score_text(info: &Info) -> String {
    let mut text = match info.score {
        Some(Score::Cp(score)) => format!("{:+.2}", f64::from(score) / f64::from(UNIT)),
        Some(Score::Mate(moves)) => format!("#{moves}"),
        None => return String::new(),
    };
    if let Some(proof) = info.proof.name() {
        text += &format!(" {proof}");
    }
    if let Some((_, bound)) = BOUNDS.iter().find(|(bound, _)| *bound == info.bound) {
        text += &format!(" {bound}");
    }
    text
}

/// Reads a score as [`score_text`] writes it, and whether it is a bound; `None` for any other text.
pub fn read_score(text: &str) -> Option<(Score, Bound)> {
    let info = read_info(text)?;
    Some((info.score?, info.bound))
}

/// Reads the score, the proof and the bound that [`score_text`] writes; `None` for any other text.
pub(super) fn read_info(text: &str) -> Option<Info> {
    let mut words = text.split(' ').peekable();
    let score = Some(read_number(words.next()?)?);
    let proofs = [Proof::EXACT, Proof::LOWER, Proof::UPPER];
    let proof = proofs.into_iter().find(|proof| words.next_if(|word| proof.name() == Some(*word)).is_some());
    let bound = BOUNDS.iter().find_map(|(bound, name)| words.next_if_eq(name).map(|_| *bound));
    let (proof, bound) = (proof.unwrap_or(Proof::NONE), bound.unwrap_or(Bound::Exact));
    words.next().is_none().then(|| Info { score, proof, bound, ..Info::default() })
}

/// Reads `+1.50` or `#-2`.
fn read_number(number: &str) -> Option<Score> {
    if let Some(moves) = number.strip_prefix('#') {
        return moves.parse().ok().map(Score::Mate);
    }
    let (units, hundredths) = number.split_once('.')?;
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let digits = units.strip_prefix(['+', '-']).filter(|digits| is_digits(digits))?;
    let size: i64 =
        (is_digits(hundredths) && hundredths.len() == 2).then(|| format!("{digits}{hundredths}"))?.parse().ok()?;
    i32::try_from(if units.starts_with('-') { -size } else { size }).ok().map(Score::Cp)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_written_as_lists() {
        let mv = MoveRecord { mv: "e2e4".into(), micros: 1_500, score: "+0.30".into(), depth: 7, nodes: 100 };
        let text = r#"["e2e4",1500,"+0.30",7,100]"#;
        assert_eq!(serde_json::to_string(&mv).unwrap(), text);
        assert_eq!(serde_json::from_str::<MoveRecord>(text).unwrap(), mv);
        for wrong in [r#"["e2e4",1500,"+0.30",7]"#, r#"["e2e4",1500,"+0.30",7,100,1]"#, r#"{"mv":"e2e4"}"#] {
            assert!(serde_json::from_str::<MoveRecord>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn scores_are_read_as_they_are_written() {
        for score in
            [0, 41, -163, 28_800, i32::MAX, i32::MIN].map(Score::Cp).into_iter().chain([3, -2].map(Score::Mate))
        {
            for proof in [Proof::NONE, Proof::EXACT, Proof::LOWER, Proof::UPPER] {
                for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
                    let text = score_text(&Info { score: Some(score), proof, bound, ..Info::default() });
                    assert_eq!(read_score(&text), Some((score, bound)), "{text}");
                    assert_eq!(read_info(&text).unwrap().proof, proof, "{text}");
                }
            }
        }
        for text in [
            "",
            "+junk",
            "+0.c1",
            "+1 .63",
            "-0.4c",
            "1.50",
            "+1.5",
            "+1e308",
            "+nan",
            "+1.50 sure",
            "+1.50 exact x",
            "#",
            "#x",
        ] {
            assert_eq!(read_score(text), None, "{text}");
        }
        assert_eq!(read_score("+99999999999.00"), None);
    }
}
