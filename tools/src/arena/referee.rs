//! One game between two players: the referee checks every move, runs the clocks, and attributes every failure to a
//! player.

use super::adjudication::{Adjudication, Scores, claim};
use super::clock::{Clock, Control, go};
use super::date;
use super::openings::Opening;
use super::player::{Forfeit, Player, Question};
use super::record::{Ending, GameRecord, MoveRecord, Winner, score_text};
use super::stall::{self, StallWatch};
use crate::client::Answer;
use crate::client::info::Info;
use secateurs::core::error::Quoted;
use secateurs::core::{Error, Outcome, Side, micros};
use secateurs::engine::Board;
use secateurs::registry::Setup;
use secateurs::util::counted::counted;
use std::time::{Duration, Instant};

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
        Game { rules, board, probed, players, clocks, opening, moves: Vec::new(), scores: Scores::default() };
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
    scores: Scores,
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
            self.moves.push(MoveRecord {
                mv: mv.clone(),
                micros: micros(answer.time),
                score: info.map(score_text).unwrap_or_default(),
                depth: info.and_then(|info| info.depth).unwrap_or(0),
                nodes: info.and_then(|info| info.nodes).unwrap_or(0),
            });
            self.scores.push(side, info.cloned());
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
                last.mv = mv;
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
        let moves = self.opening.moves.iter().chain(self.moves.iter().map(|mv| &mv.mv));
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
        let (winner, ending) = self.scores.verdict(self.rules.adjudication)?;
        Some(Verdict { winner, ending, detail: String::new(), margin: None })
    }

    /// Counts the proven wins that each engine claimed and did not achieve, although the game was played to its end.
    /// Claims of a loss do not count: an opponent that does not see the win may spoil it.
    fn wrong_claims(&self, verdict: &Verdict) -> [u32; 2] {
        [Side::First, Side::Second].map(|side| {
            let won = Winner::side(side);
            let wrong = |info: &&Option<Info>| info.as_ref().is_some_and(|info| claim(info, side) == Some(won));
            let missed = verdict.ending == Ending::Rules && verdict.winner != won;
            if missed { self.scores.of(side).iter().filter(wrong).count() as u32 } else { 0 }
        })
    }
}

fn rounded(time: Duration) -> Duration {
    Duration::from_micros(u64::try_from(time.as_nanos() / 100_000).unwrap_or(u64::MAX / 100).saturating_mul(100))
}

fn forfeit(side: Side, Forfeit { ending, detail }: Forfeit) -> Verdict {
    Verdict { winner: Winner::side(side.other()), ending, detail, margin: None }
}
