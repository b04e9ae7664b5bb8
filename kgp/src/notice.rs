//! [`Notice`]: what a client reports to its user and its record.

use secateurs::core::Report;
use secateurs::core::error::Quoted;
use std::time::Duration;

/// An event of a client.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// The server has greeted this client.
    Connected {
        /// The version of the protocol: major, minor, patch.
        version: [i64; 3],
    },
    /// The name of the server.
    Server(Quoted),
    /// There is no connection, or it is lost; the next attempt follows after a wait.
    Waits {
        /// What happened.
        reason: String,
        /// The time until the next attempt.
        wait: Duration,
    },
    /// The server asks for a move.
    State {
        /// The number of the search.
        number: u64,
        /// The board, with South to move.
        board: String,
        /// The game, if the server names it.
        game: GameTag,
    },
    /// A move was sent.
    Moved {
        /// The number of the search.
        number: u64,
        /// The report of the search; its first move was sent.
        report: Box<Report>,
        /// The time since the state arrived.
        time: Duration,
    },
    /// The answer to a state is complete.
    Answered {
        /// The number of the search.
        number: u64,
        /// The number of the server's message, if it had one.
        id: Option<u64>,
        /// What ended it.
        end: AnswerEnd,
        /// The final report of the last move sent, if any.
        report: Option<Box<Report>>,
        /// The time since the state arrived.
        time: Duration,
    },
    /// The server sent a state that cannot be played.
    Refused {
        /// What is wrong with it.
        reason: String,
    },
    /// The server reports an error.
    Fault(Quoted),
    /// The connection has ended, and with it all its games.
    Ended,
}

/// How the answer to a state ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerEnd {
    /// The server sent `stop`.
    Stopped,
    /// The search was complete or reached its limit: `yield` was sent.
    Yielded,
}

/// The game of a state, as the server names it by the options `game:` of `set`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameTag {
    /// `game:id`.
    pub id: Option<String>,
    /// `game:uri`.
    pub uri: Option<String>,
    /// `game:opponent`.
    pub opponent: Option<String>,
}
