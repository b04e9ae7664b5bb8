//! One game between two players: the referee checks every move, runs the clocks, and attributes every failure to a
//! player.

use super::clock::{Clock, Control, go};
use super::date;
use super::openings::Opening;
use super::player::{Forfeit, Player, Question};
use super::record::{Ending, GameRecord, MoveRecord, Winner, score_text};
use super::stall::{self, StallWatch};
use crate::client::Answer;
use crate::client::info::{Info, Score};
use secateurs::core::error::Quoted;
use secateurs::core::report::Bound;
use secateurs::core::{Error, Outcome, Side, micros};
use secateurs::engine::Board;
use secateurs::registry::Setup;
use secateurs::util::counted::counted;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::{Duration, Instant};

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
            return wrong("length", "a game has at least 1 ply");
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

/// The time-outs of the referee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// The time by which a limit may be exceeded, unless the [`Control`] specifies its own.
    pub margin: Duration,
    /// The time-out for any reply of an engine that has lost on time or has no clock.
    pub hang: Duration,
}

/// The settings of a game.
#[derive(Clone, Copy)]
pub struct GameSettings<'a> {
    /// The game.
    pub setup: &'a Setup,
    /// The rules for ending it early.
    pub adjudication: &'a Adjudication,
    /// The same game with the databases that end it early.
    pub probe_setup: Option<&'a Setup>,
    /// The time-outs.
    pub timeouts: Timeouts,
    /// The stall detector, to explain losses on time.
    pub stalls: Option<&'a StallWatch>,
}

struct Verdict {
    winner: Winner,
    ending: Ending,
    detail: String,
    /// The margin for p1, in units, in a game of margins that is over.
    margin: Option<i16>,
}

impl Verdict {
    /// Returns the verdict of an outcome for p1.
    fn from_outcome(outcome: Outcome, ending: Ending, detail: String) -> Self {
        let margin = if let Outcome::Margin(units) = outcome { Some(units) } else { None };
        Self { winner: Winner::from_outcome(outcome), ending, detail, margin }
    }
}

/// Plays a game. `players`, `names` and `controls` are those of p1 and p2. After a fault the loser
/// may be unusable.
///
/// # Errors
/// The opening is invalid in this game.
pub fn play<'a>(
    rules: GameSettings<'a>,
    players: [&'a mut dyn Player; 2],
    names: [String; 2],
    controls: [&Control; 2],
    opening: &'a Opening,
) -> Result<GameRecord, Error> {
    let board = opening.board(rules.setup)?;
    let probed = rules.probe_setup.map(|setup| opening.board(setup)).transpose()?;
    let clocks = controls.map(Clock::new);
    let mut game =
        Game { rules, board, probed, players, clocks, opening, moves: Vec::new(), infos: [Vec::new(), Vec::new()] };
    let started = Some(date::now());
    let verdict = game.play()?;
    Ok(GameRecord {
        number: 0,
        round: 0,
        players: names,
        opening: opening.clone(),
        result: verdict.winner,
        wrong_claims: game.wrong_claims(&verdict),
        ending: verdict.ending,
        detail: verdict.detail,
        margin: verdict.margin,
        started,
        moves: game.moves,
    })
}

struct Game<'a> {
    rules: GameSettings<'a>,
    board: Box<dyn Board>,
    /// The same position with the databases that end the game early.
    probed: Option<Box<dyn Board>>,
    players: [&'a mut dyn Player; 2],
    clocks: [Clock; 2],
    opening: &'a Opening,
    moves: Vec<MoveRecord>,
    /// The last `info` of each engine before each of its moves.
    infos: [Vec<Option<Info>>; 2],
}

impl Game<'_> {
    fn play(&mut self) -> Result<Verdict, Error> {
        for side in [Side::First, Side::Second] {
            if let Err(error) = self.players[side.index()].new_game() {
                return Ok(forfeit(side, error));
            }
        }
        loop {
            if let Some(verdict) = self.over() {
                return Ok(verdict);
            }
            let (side, start) = (self.board.turn(), Instant::now());
            let answer = match self.request_move(side) {
                Ok(answer) => answer,
                Err(mut error) => {
                    if error.ending == Ending::Hang {
                        error.detail += &self.circumstances(side, start);
                    }
                    return Ok(forfeit(side, error));
                }
            };
            let at_fault = |ending, detail| Ok(forfeit(side, Forfeit { ending, detail }));
            let info = answer.info();
            let Some(mv) = &answer.best else {
                return at_fault(
                    Ending::WrongClaim,
                    format!("it reported no legal move, but {} is legal", self.board.moves()[0]),
                );
            };
            self.moves.push(MoveRecord(
                mv.clone(),
                micros(answer.time),
                info.map(score_text).unwrap_or_default(),
                info.and_then(|info| info.depth).unwrap_or(0),
                info.and_then(|info| info.nodes).unwrap_or(0),
            ));
            self.infos[side.index()].push(info.cloned());
            let allowed = self.clocks[side.index()].allowed();
            let clock = &mut self.clocks[side.index()];
            let margin = clock.margin(self.rules.timeouts.margin);
            if !clock.spend(answer.time, margin) {
                let (time, left) = (rounded(answer.time), allowed.unwrap_or_default());
                let circumstances = self.circumstances(side, start);
                return at_fault(
                    Ending::Time,
                    format!("{time:?} for a move, {left:?} left and {margin:?} of margin{circumstances}"),
                );
            }
            if self.board.play(mv).is_err() {
                let position = Quoted::new(&self.board.text());
                return at_fault(Ending::IllegalMove, format!("{} in {position}", Quoted::new(mv)));
            }
            // The opponent and the record get the game's own notation, whichever the engine uses.
            if let (Some(last), Some(mv)) = (self.moves.last_mut(), self.board.history().pop()) {
                if let Some(probed) = &mut self.probed {
                    probed.play(&mv)?;
                }
                last.0 = mv;
            }
        }
    }

    /// Describes what may explain a late reply: the engine's last output, and the load of the machine.
    fn circumstances(&self, side: Side, start: Instant) -> String {
        let mut text = match self.players[side.index()].last_output() {
            Some((line, after)) => format!("; its last output after {:?}: {}", rounded(after), Quoted::new(line)),
            None => String::new(),
        };
        text += &format!("; {}", stall::load());
        if let Some(stalls) = self.rules.stalls {
            text += &format!("; the longest stall of the referee itself: {:?}", rounded(stalls.longest_since(start)));
        }
        text
    }

    fn request_move(&mut self, side: Side) -> Result<Answer, Forfeit> {
        let (go, clock) = (go(&self.clocks, side), &self.clocks[side.index()]);
        let moves = self.opening.moves.iter().chain(self.moves.iter().map(|mv| &mv.0));
        let moves = moves.map(String::as_str).collect::<Vec<_>>().join(" ");
        let GameSettings { timeouts: Timeouts { margin, hang }, .. } = self.rules;
        self.players[side.index()].answer(&Question {
            opening: self.opening,
            moves: &moves,
            board: &*self.board,
            go: &go,
            deadline: Instant::now() + clock.allowed().map_or(hang, |allowed| allowed + clock.margin(margin)),
            hang,
        })
    }

    /// Returns the outcome for p1 once the game is over by the rules.
    fn outcome(&self) -> Option<Outcome> {
        Some(self.board.outcome()?.of_first(self.board.turn()))
    }

    /// Returns the verdict once the game is over by the rules or by adjudication.
    fn over(&self) -> Option<Verdict> {
        let end = |winner, ending| Some(Verdict { winner, ending, detail: String::new(), margin: None });
        if let Some(outcome) = self.outcome() {
            return Some(Verdict::from_outcome(outcome, Ending::Rules, String::new()));
        }
        if let Some(probed) = &self.probed
            && let Some((outcome, plies)) = probed.database_outcome()
        {
            let outcome = outcome.of_first(probed.turn());
            let detail = plies.map(|plies| format!("a win in {}", counted(plies, "ply"))).unwrap_or_default();
            return Some(Verdict::from_outcome(outcome, Ending::Databases, detail));
        }
        let Adjudication { resign, one_sided, draw, proven, length, databases: _ } = self.rules.adjudication;
        if *proven && let Some(winner) = self.proven() {
            return end(winner, Ending::Proven);
        }
        if let Some(rule) = resign {
            for (side, sign) in [(Side::First, 1), (Side::Second, -1)] {
                let needed = if *one_sided { &[side.other()][..] } else { &[Side::First, Side::Second] };
                // A win of p1 needs a minimum score, a win of p2 a maximum.
                if self.agreed(rule, needed, |[least, most]| sign * if sign > 0 { least } else { most } >= rule.score) {
                    return end(Winner::side(side), Ending::Resignation);
                }
            }
        }
        let both = [Side::First, Side::Second];
        let is_even =
            |rule: &Agreement| self.agreed(rule, &both, |[least, most]| -rule.score <= least && most <= rule.score);
        if draw.as_ref().is_some_and(is_even) {
            return end(Winner::Nobody, Ending::Draw);
        }
        if length.is_some_and(|most| self.moves.len() >= most) {
            return end(Winner::Nobody, Ending::Length);
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
        self.moves.len() >= rule.after
            && sides.iter().all(|&side| {
                let infos = &self.infos[side.index()];
                infos.len() >= rule.moves.max(1)
                    && infos[infos.len() - rule.moves.max(1)..].iter().all(|info| score(info, side).is_some_and(&so))
            })
    }

    /// Returns the winner on which both engines' proven claims agree.
    fn proven(&self) -> Option<Winner> {
        let claim = |side: Side| self.infos[side.index()].last()?.as_ref().and_then(|info| claim(info, side));
        let first = claim(Side::First)?;
        (claim(Side::Second)? == first).then_some(first)
    }

    /// Counts the proven wins that each engine claimed and did not achieve, although the game was played to its end.
    /// Claims of a loss do not count: an opponent that does not see the win may spoil it.
    fn wrong_claims(&self, verdict: &Verdict) -> [u32; 2] {
        [Side::First, Side::Second].map(|side| {
            let won = Winner::side(side);
            let wrong = |info: &&Option<Info>| info.as_ref().is_some_and(|info| claim(info, side) == Some(won));
            let missed = verdict.ending == Ending::Rules && verdict.winner != won;
            if missed { self.infos[side.index()].iter().filter(wrong).count() as u32 } else { 0 }
        })
    }
}

fn rounded(time: Duration) -> Duration {
    Duration::from_micros(u64::try_from(time.as_nanos() / 100_000).unwrap_or(u64::MAX / 100).saturating_mul(100))
}

/// Returns the winner that an engine of this side claims as proven.
fn claim(info: &Info, side: Side) -> Option<Winner> {
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

fn forfeit(side: Side, Forfeit { ending, detail }: Forfeit) -> Verdict {
    Verdict { winner: Winner::side(side.other()), ending, detail, margin: None }
}
