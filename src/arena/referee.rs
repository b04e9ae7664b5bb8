//! One game between two players: our rules judge every move, our clocks run, and whatever goes wrong is somebody's fault.

use super::clock::{Clock, Control, go};
use super::date;
use super::openings::Opening;
use super::player::{Forfeit, Player, Question};
use super::record::{Ending, GameRecord, MoveRecord, Winner, score_text};
use super::stall::{self, StallWatch};
use crate::client::Answer;
use crate::client::info::{Info, Score};
use crate::core::error::Quoted;
use crate::core::{Error, Outcome, Side};
use crate::engine::Board;
use crate::registry::Setup;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// When a game is over before its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// Won, once both engines agree for long.
    pub resign: Option<Agreement>,
    /// For that the word of the engine that has lost is enough.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub one_sided: bool,
    /// Drawn, once both think so for long.
    pub draw: Option<Agreement>,
    /// Over, once both say that the result is proven, and agree.
    pub proven: bool,
    /// Drawn after so many moves beyond the opening, plies.
    pub length: Option<usize>,
}

impl Adjudication {
    /// Whether some game can be played under it.
    ///
    /// # Errors
    /// [`Error::BadOptions`], which names the rule that would end every game at once.
    pub fn check(&self) -> Result<(), Error> {
        let wrong = |rule: &str, reason| Err(Error::BadOptions(format!("{rule}: {reason}")));
        for (name, rule) in [("resign", self.resign), ("draw", self.draw)] {
            match rule {
                Some(Agreement { moves: 0, .. }) => return wrong(name, "0 moves would end every game at once"),
                Some(Agreement { score, .. }) if score < 0 => return wrong(name, "the score is at least 0"),
                Some(Agreement { score: 0, .. }) if name == "resign" => return wrong(name, "a score of 0 is no win"),
                _ => {}
            }
        }
        if self.length == Some(0) { wrong("length", "a game has at least 1 ply") } else { Ok(()) }
    }
}

/// What both engines have to think, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agreement {
    /// Moves of each engine in a row.
    pub moves: usize,
    /// Centi-units: a win from here on, a draw up to here.
    pub score: i32,
    /// Not before so many moves beyond the opening, plies.
    pub after: usize,
}

/// How patient the referee is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// A clock may be overdrawn by so much, where its [`Control`] does not say otherwise.
    pub margin: Duration,
    /// An engine that has lost on time, or has no clock, hangs if it does not answer for so long.
    pub hang: Duration,
}

/// What a game is played by.
#[derive(Clone, Copy)]
pub struct GameSettings<'a> {
    /// The game.
    pub setup: &'a Setup,
    /// When it is over early.
    pub adjudication: &'a Adjudication,
    /// How long engines are waited for.
    pub timeouts: Timeouts,
    /// What watches the machine, so that a loss on time can be explained.
    pub stalls: Option<&'a StallWatch>,
}

/// How a game ended.
struct Verdict {
    winner: Winner,
    ending: Ending,
    detail: String,
}

/// Plays a game. `players`, `names` and `controls` are p1's and p2's; after a [fault](Ending::is_fault) the loser may be of
/// no more use.
///
/// # Errors
/// The opening is none of this game.
pub fn play<'a>(
    rules: GameSettings<'a>,
    players: [&'a mut dyn Player; 2],
    names: [String; 2],
    controls: [&Control; 2],
    opening: &'a Opening,
) -> Result<GameRecord, Error> {
    let board = opening.board(rules.setup)?;
    let clocks = controls.map(Clock::new);
    let mut game = Game { rules, board, players, clocks, opening, moves: Vec::new(), said: [Vec::new(), Vec::new()] };
    let started = Some(date::now());
    let verdict = game.play()?;
    let margin = match game.outcome() {
        Some(Outcome::Margin(units)) => Some(units),
        _ => None,
    };
    Ok(GameRecord {
        number: 0,
        round: 0,
        players: names,
        opening: opening.clone(),
        result: verdict.winner,
        wrong_claims: game.wrong_claims(&verdict),
        ending: verdict.ending,
        detail: verdict.detail,
        margin,
        started,
        moves: game.moves,
    })
}

/// A game under way.
struct Game<'a> {
    rules: GameSettings<'a>,
    board: Box<dyn Board>,
    players: [&'a mut dyn Player; 2],
    clocks: [Clock; 2],
    opening: &'a Opening,
    moves: Vec<MoveRecord>,
    /// What each engine said last before each of its moves.
    said: [Vec<Option<Info>>; 2],
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
            let at_fault = |ending, detail| Ok(Verdict { winner: Winner::side(side.other()), ending, detail });
            let info = answer.info();
            let Some(mv) = &answer.best else {
                return at_fault(Ending::WrongClaim, format!("no move, where {} is one", self.board.moves()[0]));
            };
            self.moves.push(MoveRecord(
                mv.clone(),
                u64::try_from(answer.time.as_micros()).unwrap_or(u64::MAX),
                info.map(score_text).unwrap_or_default(),
                info.and_then(|info| info.depth).unwrap_or(0),
                info.and_then(|info| info.nodes).unwrap_or(0),
            ));
            self.said[side.index()].push(info.cloned());
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
        }
    }

    /// What may explain that a player was late since then: what it said last, and how busy the machine was.
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

    /// Asks a player for its move.
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

    /// The outcome for p1, once the rules have ended the game.
    fn outcome(&self) -> Option<Outcome> {
        Some(self.board.outcome()?.of_first(self.board.turn()))
    }

    /// Whether the game is over, by its rules or by adjudication.
    fn over(&self) -> Option<Verdict> {
        let end = |winner, ending| Some(Verdict { winner, ending, detail: String::new() });
        if let Some(outcome) = self.outcome() {
            return end(Winner::of(outcome), Ending::Rules);
        }
        let Adjudication { resign, one_sided, draw, proven, length } = self.rules.adjudication;
        if *proven && let Some(winner) = self.proven() {
            return end(winner, Ending::Proven);
        }
        if let Some(rule) = resign {
            for (side, sign) in [(Side::First, 1), (Side::Second, -1)] {
                let needed = if *one_sided { &[side.other()][..] } else { &[Side::First, Side::Second] };
                if self.agreed(rule, needed, |score| sign * score >= rule.score) {
                    return end(Winner::side(side), Ending::Resignation);
                }
            }
        }
        let both = [Side::First, Side::Second];
        if draw.as_ref().is_some_and(|rule| self.agreed(rule, &both, |score| score.abs() <= rule.score)) {
            return end(Winner::Nobody, Ending::Draw);
        }
        if length.is_some_and(|most| self.moves.len() >= most) {
            return end(Winner::Nobody, Ending::Length);
        }
        None
    }

    /// Whether the engines of these sides thought so, p1's score in centi-units, for as long as the rule wants it.
    fn agreed(&self, rule: &Agreement, sides: &[Side], so: impl Fn(i32) -> bool) -> bool {
        let score = |info: &Option<Info>, side| match info.as_ref()?.score? {
            Score::Cp(score) => Some(if side == Side::First { score } else { -score }),
            Score::Mate(moves) => Some(if (moves > 0) == (side == Side::First) { i32::MAX } else { -i32::MAX }),
        };
        self.moves.len() >= rule.after
            && sides.iter().all(|&side| {
                let said = &self.said[side.index()];
                said.len() >= rule.moves.max(1)
                    && said[said.len() - rule.moves.max(1)..].iter().all(|info| score(info, side).is_some_and(&so))
            })
    }

    /// The winner that both engines say is proven.
    fn proven(&self) -> Option<Winner> {
        let claim = |side: Side| self.said[side.index()].last()?.as_ref().and_then(|info| claim(info, side));
        let first = claim(Side::First)?;
        (claim(Side::Second)? == first).then_some(first)
    }

    /// How often each engine said that it had a proven win, which it then did not get although the game was played to its
    /// end. Who says that it has lost may be given the game by an opponent who does not know.
    fn wrong_claims(&self, verdict: &Verdict) -> [u32; 2] {
        [Side::First, Side::Second].map(|side| {
            let won = Winner::side(side);
            let wrong = |info: &&Option<Info>| info.as_ref().is_some_and(|info| claim(info, side) == Some(won));
            let missed = verdict.ending == Ending::Rules && verdict.winner != won;
            if missed { self.said[side.index()].iter().filter(wrong).count() as u32 } else { 0 }
        })
    }
}

/// A time for people.
fn rounded(time: Duration) -> Duration {
    Duration::from_micros(u64::try_from(time.as_nanos() / 100_000).unwrap_or(u64::MAX / 100).saturating_mul(100))
}

/// The winner that an engine of this side says is proven.
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

/// A game lost by what a player did.
fn forfeit(side: Side, Forfeit { ending, detail }: Forfeit) -> Verdict {
    Verdict { winner: Winner::side(side.other()), ending, detail }
}
