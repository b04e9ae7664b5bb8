//! Who plays: an engine behind a pipe, our own search without one, anybody else who answers with moves.

use super::openings::Opening;
use super::record::Ending;
use crate::client::{Answer, Client, Fault, Lost, Spec, Surroundings};
use crate::core::StopFlag;
use crate::engine::Board;
use crate::protocol::go::Go;
use serde_json::{Map, Value, json};
use std::time::{Duration, Instant};

/// What a header has of the files that a player is made of, a list of [`Fingerprint`](crate::client::Fingerprint)s: where a
/// match is resumed they may differ, with a warning.
pub const FILES: &str = "files";

/// Somebody who can be seated at a board, as often as there are games at a time.
pub trait PlayerSpec: Send + Sync {
    /// What it is called where nobody has given it another name.
    fn title(&self) -> String;

    /// What the journal says of it: everything that its play depends on, and its [`FILES`].
    fn header(&self) -> Map<String, Value>;

    /// A player of its own for the games of one thread, under a name.
    ///
    /// # Errors
    /// Why there is none, in words.
    fn seat(&self, name: &str, surroundings: &Surroundings) -> Result<Box<dyn Player>, String>;
}

/// One player of a game. Dropped, it is gone, and all that belongs to it.
pub trait Player: Send {
    /// A new game begins.
    ///
    /// # Errors
    /// It is lost at once.
    fn new_game(&mut self) -> Result<(), Forfeit>;

    /// The player's move. Whether it is legal and in time is for the referee to judge.
    ///
    /// # Errors
    /// There is no move, and the game is lost.
    fn answer(&mut self, question: &Question<'_>) -> Result<Answer, Forfeit>;

    /// What it said last in its last search before the move, and how long after `go`; `None` if it said nothing.
    fn last_output(&self) -> Option<(&str, Duration)> {
        None
    }

    /// Leaves without haste.
    fn quit(self: Box<Self>);
}

/// What a player is asked: the position by the way to it, what may be spent, and how long it is waited for.
pub struct Question<'a> {
    /// Where the game began.
    pub opening: &'a Opening,
    /// All moves from the opening's position, separated by blanks.
    pub moves: &'a str,
    /// The position.
    pub board: &'a dyn Board,
    /// Clocks and limits.
    pub go: &'a Go,
    /// Until then the move is in time.
    pub deadline: Instant,
    /// So long after it, or where there is no clock, a player that does not answer hangs.
    pub hang: Duration,
}

/// What a player did wrong: it loses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forfeit {
    /// Why the game ends.
    pub ending: Ending,
    /// More about that, for people.
    pub detail: String,
}

impl From<Fault> for Forfeit {
    fn from(fault: Fault) -> Self {
        let ending = match fault.lost() {
            Some(Lost::TimedOut | Lost::Stuck) => Ending::Hang,
            Some(Lost::Closed { exit: Some(_), .. } | Lost::Deaf { exit: Some(_) }) => Ending::Crash,
            _ => Ending::Disconnection,
        };
        Self { ending, detail: fault.to_string() }
    }
}

/// An engine as a process of its own.
impl PlayerSpec for Spec {
    fn title(&self) -> String {
        Self::title(self)
    }

    fn header(&self) -> Map<String, Value> {
        let (command, arguments) = (json!(self.program.to_string_lossy()), json!(self.arguments));
        let (options, files) = (json!(self.options), json!(self.fingerprints()));
        let rows = [("command", command), ("arguments", arguments), ("options", options), (FILES, files)];
        rows.map(|(key, value)| (key.to_owned(), value)).into_iter().collect()
    }

    fn seat(&self, name: &str, surroundings: &Surroundings) -> Result<Box<dyn Player>, String> {
        let spec = Self { name: name.to_owned(), ..self.clone() };
        let client = Client::start(spec, surroundings.clone()).map_err(|fault| fault.to_string())?;
        Ok(Box::new(client))
    }
}

impl Player for Client {
    fn new_game(&mut self) -> Result<(), Forfeit> {
        Ok(Self::new_game(self)?)
    }

    fn answer(&mut self, question: &Question<'_>) -> Result<Answer, Forfeit> {
        let Question { opening, moves, go, deadline, hang, .. } = question;
        self.position(&opening.position, moves)?;
        self.go(go)?;
        if let Some(answer) = Self::answer(self, Some(*deadline), &mut |_| {})? {
            return Ok(answer);
        }
        // Too late already; whether it answers at all makes a difference to the one who reads the record.
        self.stop()?;
        let late = Self::answer(self, Some(Instant::now() + *hang), &mut |_| {})?;
        late.ok_or_else(|| Forfeit { ending: Ending::Hang, detail: format!("no bestmove {hang:?} after stop") })
    }

    fn last_output(&self) -> Option<(&str, Duration)> {
        Self::last_output(self)
    }

    fn quit(self: Box<Self>) {
        Self::quit(*self);
    }
}

/// What a player says whose match is broken off: nobody records it.
pub fn broken_off(abort: &StopFlag) -> Result<(), Forfeit> {
    let forfeit = || Forfeit { ending: Ending::Disconnection, detail: Lost::Aborted.to_string() };
    if abort.is_raised() { Err(forfeit()) } else { Ok(()) }
}
