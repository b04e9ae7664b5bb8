//! Checks that a record is a possible game: its moves are legal, its result follows from them, and it fits the
//! schedule.

use super::adjudication::{Adjudication, Scores};
use super::record::{Ending, GameRecord, MoveRecord, Winner, read_info, read_score};
use super::schedule::{Format, Pairing, Schedule};
use secateurs::core::error::Quoted;
use secateurs::core::score::UNIT;
use secateurs::core::{Bounds, Outcome, Score, Side};
use secateurs::registry::Setup;
use serde::Deserialize;
use serde_json::Value;

/// The largest number of games or rounds of a match.
const MOST: usize = u32::MAX as usize;

/// The pairings of a match, from the first line of its journal.
pub struct Fixtures {
    schedule: Schedule,
    names: Vec<String>,
    /// The rules for ending games early; `None` in a record of a version before 0.3, whose referee took bounds for
    /// scores.
    adjudication: Option<Adjudication>,
}

impl Fixtures {
    /// Reads the pairings of a header, for any number of rounds; `None` if it names no engines, as in the games of one
    /// engine against itself.
    pub(crate) fn from_header(header: &Value) -> Option<Self> {
        let name = |engine: &Value| engine.get("name").and_then(Value::as_str).map(str::to_owned);
        let names: Vec<_> = header.get("engines")?.as_array()?.iter().map(name).collect::<Option<_>>()?;
        let format = Format::deserialize(header.get("format")?).ok()?;
        let schedule = Schedule { format, engines: names.len(), rounds: MOST };
        let is_current = header.get("secateurs").is_some();
        let rules = header.get("adjudication").filter(|_| is_current);
        let adjudication = rules.and_then(|rules| Adjudication::deserialize(rules).ok());
        (names.len() > 1).then_some(Self { schedule, names, adjudication })
    }

    /// Checks that a record has the round and the players that the schedule gives its number, and that its game ended
    /// early where the rules of the match end it; the error describes the difference.
    pub(crate) fn check(&self, record: &GameRecord, setup: &Setup) -> Result<(), String> {
        self.adjudication.iter().try_for_each(|rules| record.check_adjudication(setup, rules))?;
        let Pairing { engines, round } = self.schedule.pairing(record.number);
        if record.round != round {
            let is = "in the schedule of the match";
            return Err(format!("it belongs to round {} {is}, not to round {}", round + 1, record.round + 1));
        }
        let players = engines.map(|engine| &self.names[engine]);
        if record.players.each_ref() != players {
            let [first, second] = players.map(|name| Quoted::part(name));
            let [other, another] = record.players.each_ref().map(|name| Quoted::part(name));
            let is = "in the schedule of the match";
            return Err(format!("its players are {first} and {second} {is}, not {other} and {another}"));
        }
        Ok(())
    }
}

impl GameRecord {
    /// Checks that the scores up to the last move end the game as recorded: a move may be missing.
    fn check_adjudication(&self, setup: &Setup, rules: &Adjudication) -> Result<(), String> {
        if !matches!(self.ending, Ending::Resignation | Ending::Draw | Ending::Proven | Ending::Length) {
            return Ok(());
        }
        let mut board = self.opening.board(setup).map_err(|error| format!("its opening: {error}"))?;
        let mut scores = Scores::default();
        for (mv, number) in self.moves.iter().zip(1..) {
            scores.push(board.turn(), read_info(&mv.score));
            board.play(&mv.mv).map_err(|error| format!("move {number}: {error}"))?;
        }
        let is_so = scores.verdict(rules) == Some((self.result, self.ending));
        is_so.then_some(()).ok_or_else(|| {
            let (count, text) = (self.moves.len(), self.ending.text());
            format!("its {count} moves and their scores do not end it {}, and it ended: {text}", self.result.text())
        })
    }

    /// Checks the record by the rules of its game.
    ///
    /// # Errors
    /// A description of the mistake.
    pub fn check(&self, setup: &Setup) -> Result<(), String> {
        let Self { number, round, ending, result, wrong_claims, .. } = self;
        if *number > MOST || round > number {
            return Err(format!("number {number} in round {round} is not a game of a match"));
        }
        let mut board = self.opening.board(setup).map_err(|error| format!("its opening: {error}"))?;
        if self.moves.is_empty() && ending.rejects_move() {
            return Err(format!("there is no move, and it ended: {}", ending.text()));
        }
        for (mv, number) in self.played().iter().zip(1..) {
            board.play(&mv.mv).map_err(|error| format!("move {number}: {error}"))?;
        }
        let has_score = |mv: &MoveRecord| mv.score.is_empty() || read_score(&mv.score).is_some();
        if let Some(index) = self.moves.iter().position(|mv| !has_score(mv)) {
            return Err(format!("move {}: {} is not a score", index + 1, Quoted::part(&self.moves[index].score)));
        }
        let is_legal = |mv: &String| board.codes_of(std::slice::from_ref(mv)).is_ok();
        let last = self.moves.last().map(|mv| &mv.mv);
        if let Some(legal) = last.filter(|mv| *ending == Ending::IllegalMove && is_legal(mv)) {
            return Err(format!("{} is legal, and it ended: {}", Quoted::part(legal), ending.text()));
        }
        if wrong_claims.iter().any(|&claims| claims as usize > self.moves.len()) {
            return Err(format!("{wrong_claims:?} wrong claims in {} moves", self.moves.len()));
        }
        let outcome = board.outcome().map(|outcome| outcome.of_first(board.turn()));
        let by_rules = outcome.map(Winner::from_outcome);
        if by_rules.is_some() != (*ending == Ending::Rules) {
            let is = if by_rules.is_some() { "the game is over" } else { "the game continues" };
            return Err(format!("{is} after its last move, and it ended: {}", ending.text()));
        }
        let winner = match ending {
            Ending::Rules => by_rules,
            Ending::Draw | Ending::Length => Some(Winner::Nobody),
            Ending::Databases if setup.row().databases.is_none() => {
                return Err(format!("{} has no endgame databases, and it ended: {}", setup.row().name, ending.text()));
            }
            Ending::Databases => self.margin.map(|margin| Winner::from_outcome(Outcome::Margin(margin))),
            Ending::Resignation | Ending::Proven => None,
            // Either player may fail before the first move.
            _ if self.moves.is_empty() => None,
            _ => Some(Winner::side(board.turn().other())),
        };
        if let Some(winner) = winner.filter(|winner| winner != result) {
            return Err(format!("its moves and its end make it {}, not {}", winner.text(), result.text()));
        }
        if *result == Winner::Nobody && (ending.is_fault() || *ending == Ending::Resignation) {
            return Err(format!("nobody has won, and it ended: {}", ending.text()));
        }
        match (self.margin, outcome) {
            (Some(claimed), Some(Outcome::Margin(margin))) if claimed == margin => Ok(()),
            (Some(claimed), Some(Outcome::Margin(margin))) => Err(format!("its margin is {margin}, not {claimed}")),
            (Some(claimed), None) if *ending == Ending::Databases && board.units().is_some() => {
                let Bounds { lower, upper } = board.static_evaluation().bounds.seen(board.turn() == Side::First);
                let margin = Score::from(claimed) * UNIT;
                let possible = (lower..=upper).contains(&margin);
                possible.then_some(()).ok_or_else(|| format!("a margin of {claimed} is out of reach"))
            }
            (Some(claimed), _) => Err(format!("a margin of {claimed}, and the game has not ended with one")),
            (None, _) => Ok(()),
        }
    }
}
