//! The rules for ending games early, by the scores that the players report.

use super::record::{Ending, Winner};
use crate::client::info::{Info, Score};
use secateurs::core::report::Bound;
use secateurs::core::{Error, Side};
use secateurs::registry::Setup;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The rules for ending games early.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// Ends the game as won once the engines agree.
    pub resign: Option<Agreement>,
    /// Whether the agreement of the losing engine suffices for `resign`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub one_sided: bool,
    /// Ends the game as drawn once both engines agree.
    pub draw: Option<Agreement>,
    /// Ends the game once both engines claim the same proven result.
    pub proven: bool,
    /// Ends the game as drawn after this number of plies beyond the opening.
    pub length: Option<usize>,
    /// Ends the game where the endgame databases in this folder show its result with best play; see
    /// [`Play::database_outcome`](secateurs::engine::Play::database_outcome).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub databases: Option<String>,
}

impl Adjudication {
    /// Checks that the rules do not end every game at once, and opens the databases.
    ///
    /// # Errors
    /// [`Error::BadOptions`] with the invalid rule, and for databases in a game that has none; [`Error::File`] and
    /// [`Error::BadFile`] for a folder that cannot be used, or has no database for the rules of the setup.
    pub fn check(&self, setup: &Setup) -> Result<(), Error> {
        let wrong = |rule: &str, reason| Err(Error::BadOptions(format!("{rule}: {reason}")));
        for (name, rule) in [("resign", self.resign), ("draw", self.draw)] {
            match rule {
                Some(Agreement { moves: 0, .. }) => return wrong(name, "0 moves would end every game at once"),
                Some(Agreement { score, .. }) if score < 0 => return wrong(name, "the score is at least 0"),
                Some(Agreement { score: 0, .. }) if name == "resign" => return wrong(name, "a score of 0 is no win"),
                _ => {}
            }
        }
        if self.length == Some(0) {
            return wrong("length", "a game has at least 1 ply, not 0");
        }
        if let Some(folder) = &self.databases
            && !setup.databases()?.decides_wins(setup.options(), Path::new(folder))?
        {
            log::warn!("{folder}: its databases have no distances: they end drawn games, and won ones are played on");
        }
        self.probe_setup(setup).map(drop)
    }

    /// Returns the setup of the board that knows the databases; `None` without any. The players never see it.
    pub(crate) fn probe_setup(&self, setup: &Setup) -> Result<Option<Setup>, Error> {
        let Some(folder) = &self.databases else { return Ok(None) };
        let mut probed = setup.clone();
        probed.set(setup.databases()?.option(), folder)?;
        Ok(Some(probed))
    }
}

/// The scores on which the engines have to agree, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agreement {
    /// The number of consecutive moves of each engine.
    pub moves: usize,
    /// The limit in centi-units: the minimum for a win, the maximum for a draw.
    pub score: i32,
    /// The number of plies beyond the opening before which the rule does not apply.
    pub after: usize,
}

/// The last `info` of each player before each of its moves.
#[derive(Clone, Debug, Default)]
pub(super) struct Scores([Vec<Option<Info>>; 2]);

impl Scores {
    /// Adds that of a move.
    pub(super) fn push(&mut self, side: Side, info: Option<Info>) {
        self.0[side.index()].push(info);
    }

    pub(super) fn of(&self, side: Side) -> &[Option<Info>] {
        &self.0[side.index()]
    }

    /// Returns the number of plies beyond the opening.
    fn plies(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// Returns the winner and the reason if a game ends here by these rules, databases apart.
    pub(super) fn verdict(&self, rules: &Adjudication) -> Option<(Winner, Ending)> {
        let Adjudication { resign, one_sided, draw, proven, length, databases: _ } = rules;
        if *proven && let Some(winner) = self.proven() {
            return Some((winner, Ending::Proven));
        }
        if let Some(rule) = resign {
            for (side, sign) in [(Side::First, 1), (Side::Second, -1)] {
                let needed = if *one_sided { &[side.other()][..] } else { &[Side::First, Side::Second] };
                // A win of p1 needs a minimum score, a win of p2 a maximum.
                if self.agreed(rule, needed, |[least, most]| sign * if sign > 0 { least } else { most } >= rule.score) {
                    return Some((Winner::side(side), Ending::Resignation));
                }
            }
        }
        let both = [Side::First, Side::Second];
        let is_even =
            |rule: &Agreement| self.agreed(rule, &both, |[least, most]| -rule.score <= least && most <= rule.score);
        if draw.as_ref().is_some_and(is_even) {
            return Some((Winner::Nobody, Ending::Draw));
        }
        if length.is_some_and(|most| self.plies() >= most) {
            return Some((Winner::Nobody, Ending::Length));
        }
        None
    }

    /// Returns whether the scores of these sides satisfied the condition for as long as the rule requires. `so`
    /// receives the minimum and the maximum of the score for p1, in centi-units; if the score is a bound, the other end
    /// is unlimited.
    fn agreed(&self, rule: &Agreement, sides: &[Side], so: impl Fn([i32; 2]) -> bool) -> bool {
        let score = |info: &Option<Info>, side| {
            let info = info.as_ref()?;
            let score = match info.score? {
                Score::Cp(score) => score,
                Score::Mate(moves) if moves > 0 => i32::MAX,
                Score::Mate(_) => -i32::MAX,
            };
            let [least, most] = match info.bound {
                Bound::Exact => [score, score],
                Bound::Lower => [score, i32::MAX],
                Bound::Upper => [-i32::MAX, score],
            };
            Some(if side == Side::First { [least, most] } else { [-most, -least] })
        };
        self.plies() >= rule.after
            && sides.iter().all(|&side| {
                let infos = self.of(side);
                infos.len() >= rule.moves.max(1)
                    && infos[infos.len() - rule.moves.max(1)..].iter().all(|info| score(info, side).is_some_and(&so))
            })
    }

    /// Returns the winner on which both engines' proven claims agree.
    fn proven(&self) -> Option<Winner> {
        let claim = |side: Side| self.of(side).last()?.as_ref().and_then(|info| claim(info, side));
        let first = claim(Side::First)?;
        (claim(Side::Second)? == first).then_some(first)
    }
}

/// Returns the winner that an engine of this side claims as proven.
pub(super) fn claim(info: &Info, side: Side) -> Option<Winner> {
    let sign = match info.score? {
        Score::Cp(score) => score.signum(),
        Score::Mate(moves) => {
            if moves > 0 {
                1
            } else {
                -1
            }
        }
    };
    match (sign, info.proof.lower(), info.proof.upper()) {
        (1, true, _) => Some(Winner::side(side)),
        (-1, _, true) => Some(Winner::side(side.other())),
        (0, true, true) => Some(Winner::Nobody),
        _ => None,
    }
}
