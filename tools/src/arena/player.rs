//! The players: an engine behind a pipe, an internal search, or any other source of moves.

use super::openings::Opening;
use super::record::Ending;
use crate::client::fault::endless;
use crate::client::{Answer, Client, Fault, Lost, Spec, Surroundings};
use secateurs::core::StopFlag;
use secateurs::engine::Board;
use secateurs::protocol::go::Go;
use serde_json::{Map, Value, json};
use std::time::{Duration, Instant};

/// The key of a player's files in a header, a list of [`Fingerprint`](crate::client::Fingerprint)s. When a match is
/// resumed, a difference causes only a warning.
pub(crate) const FILES: &str = "files";

/// The description of a player, from which one player is created for each concurrent game.
pub trait PlayerSpec: Send + Sync {
    /// Returns the default name.
    fn title(&self) -> String;

    /// Returns the header of the player in the journal: everything that its play depends on, and its `FILES`.
    fn header(&self) -> Map<String, Value>;

    /// Creates a player for the games of one thread, under a name.
    ///
    /// # Errors
    /// A description of the failure.
    fn seat(&self, name: &str, surroundings: &Surroundings) -> Result<Box<dyn Player>, String>;
}

/// One player of a game. Dropping it ends it and everything that belongs to it.
pub trait Player: Send {
    /// Prepares for a new game.
    ///
    /// # Errors
    /// The game is forfeited.
    fn new_game(&mut self) -> Result<(), Forfeit>;

    /// Returns the player's move. The referee checks whether it is legal and in time.
    ///
    /// # Errors
    /// There is no move, and the game is forfeited.
    fn answer(&mut self, question: &Question<'_>) -> Result<Answer, Forfeit>;

    /// Returns the last line before the move in its last search, and its time since `go`; `None` if there was none.
    fn last_output(&self) -> Option<(&str, Duration)> {
        None
    }

    /// Ends the player in an orderly way.
    fn quit(self: Box<Self>);
}

/// The request for a move: the position with its history, the limits, and the time-outs.
pub struct Question<'a> {
    /// The opening of the game.
    pub opening: &'a Opening,
    /// All moves from the opening's position, separated by spaces.
    pub moves: &'a str,
    /// The position.
    pub board: &'a dyn Board,
    /// The clocks and limits.
    pub go: &'a Go,
    /// The time until which the move is in time.
    pub deadline: Instant,
    /// The time-out for any reply after the deadline, or without a clock.
    pub hang: Duration,
}

/// A forfeit: the player loses the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forfeit {
    /// The kind of the forfeit.
    pub ending: Ending,
    /// A description for the user.
    pub detail: String,
}

impl From<Fault> for Forfeit {
    fn from(fault: Fault) -> Self {
        let ending = match fault.lost() {
            Some(Lost::TimedOut { .. } | Lost::Stuck) => Ending::Hang,
            Some(Lost::Closed { exit: Some(_), .. } | Lost::Deaf { exit: Some(_) }) => Ending::Crash,
            _ => Ending::Disconnection,
        };
        Self { ending, detail: fault.to_string() }
    }
}

/// An engine in its own process.
impl PlayerSpec for Spec {
    fn title(&self) -> String {
        Self::title(self)
    }

    fn header(&self) -> Map<String, Value> {
        let (command, arguments) = (json!(self.recorded_program().to_string_lossy()), json!(self.arguments));
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
        // The move is already late, but the record distinguishes a late reply from a missing one.
        self.stop()?;
        let late = Self::answer(self, Some(Instant::now() + *hang), &mut |_| {})?;
        let (awaited, rest) = (self.awaited(), endless(&self.unfinished()));
        late.ok_or_else(|| Forfeit { ending: Ending::Hang, detail: format!("no {awaited} {hang:?} after stop{rest}") })
    }

    fn last_output(&self) -> Option<(&str, Duration)> {
        Self::last_output(self)
    }

    fn quit(self: Box<Self>) {
        Self::quit(*self);
    }
}

/// Returns the forfeit of a player in an aborted match; it is not recorded.
pub fn check_abort(abort: &StopFlag) -> Result<(), Forfeit> {
    let forfeit = || Forfeit { ending: Ending::Disconnection, detail: Lost::Aborted.to_string() };
    if abort.is_raised() { Err(forfeit()) } else { Ok(()) }
}
