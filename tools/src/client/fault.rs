//! The failures of an engine.

use super::group::Exit;
use super::output_lines::LONGEST_LINE;
use secateurs::core::error::Quoted;

/// The reason why a line without a move is no answer.
pub(super) const NO_MOVE: &str = "it names no move";

/// A failure of an engine, or of this program in dealing with it. The message is complete except for the name of the
/// engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The engine cannot be started.
    #[error("cannot start {program}: {reason}")]
    Start {
        /// The program.
        program: Quoted,
        /// The reason.
        reason: String,
    },
    /// A reply did not arrive.
    #[error("no {awaited}: {lost}{}{}", quoted(stderr.as_ref()), advice(awaited, lost))]
    Lost {
        /// The expected word.
        awaited: &'static str,
        /// The cause.
        lost: Lost,
        /// The last line of its stderr, if that is read.
        stderr: Option<Quoted>,
    },
    /// A command could not be sent.
    #[error("cannot send {command}: {lost}{}", quoted(stderr.as_ref()))]
    NotSent {
        /// The command.
        command: Quoted,
        /// The cause.
        lost: Lost,
        /// The last line of its stderr, if that is read.
        stderr: Option<Quoted>,
    },
    /// A reply that cannot be parsed.
    #[error("bad answer {line}: {reason}")]
    BadAnswer {
        /// The line.
        line: Quoted,
        /// The mistake.
        reason: &'static str,
    },
    /// A game or a position that the Hub protocol does not have.
    #[error("the Hub protocol, of draughts, does not have {0}")]
    NotHub(Quoted),
    /// A game that the engine has no option to select, and that is not the default of its dialect.
    #[error(
        "no option {option} to select {game}; if it plays another game, name that: --game, in Python by the position"
    )]
    OtherGame {
        /// The name of the option.
        option: &'static str,
        /// The game.
        game: Quoted,
    },
    /// An option that the engine does not declare.
    #[error("unknown option {name}; {}", declared.as_ref().map_or("it declares no options".into(), |all| format!("it declares {all}")))]
    UnknownOption {
        /// The given name.
        name: Quoted,
        /// The declared names; `None` if there are none.
        declared: Option<Quoted>,
    },
    /// A value that the option does not accept.
    #[error("bad value {value} for option {name}: {expected}")]
    BadValue {
        /// The option.
        name: Quoted,
        /// The given value.
        value: Quoted,
        /// The valid values.
        expected: String,
    },
    /// A command that is invalid during a search.
    #[error("no {0} during a search")]
    Searching(&'static str),
    /// A command that is invalid without a search.
    #[error("no {0} without a search")]
    Idle(&'static str),
}

impl Fault {
    /// Returns the cause if a line could not be sent or received.
    pub fn lost(&self) -> Option<&Lost> {
        match self {
            Self::Lost { lost, .. } | Self::NotSent { lost, .. } => Some(lost),
            _ => None,
        }
    }
}

/// The reason why a line could not be sent or received.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Lost {
    /// No line arrived by the deadline.
    #[error("it did not answer in time{}", endless(rest))]
    TimedOut {
        /// The unfinished last line of its output; empty if there is none.
        rest: String,
    },
    /// The output has ended, perhaps in the middle of a line, or the process has.
    #[error("it closed its output{}{}", ended(*exit), unfinished(rest))]
    Closed {
        /// How the process ended; `None` if it lives.
        exit: Option<Exit>,
        /// The unfinished last line; empty if there is none.
        rest: String,
    },
    /// The process has closed its input.
    #[error("it closed its input{}", ended(*exit))]
    Deaf {
        /// How the process ended; `None` if it lives.
        exit: Option<Exit>,
    },
    /// The process did not read its input by the deadline. If a line was sent in part, nothing more can be sent.
    #[error("it does not read its input")]
    Stuck,
    /// A line of more than `LONGEST_LINE` bytes, with its beginning. Nothing more is read from the process.
    #[error("it sent a line of more than {LONGEST_LINE} bytes: {0}")]
    TooLong(Quoted),
    /// The text to send is not one line.
    #[error("{0} is not a single line")]
    NotOneLine(Quoted),
    /// A pipe failed, in the words of the system.
    #[error("{0}")]
    Failed(String),
    /// The wait was aborted.
    #[error("it is not waited for any more")]
    Aborted,
}

fn quoted(stderr: Option<&Quoted>) -> String {
    stderr.map_or_else(String::new, |line| format!("; the last line of its stderr: {line}"))
}

/// Returns what to try if the engine may speak another dialect: not if it has crashed.
fn advice(awaited: &str, lost: &Lost) -> &'static str {
    match awaited {
        _ if matches!(lost, Lost::Closed { exit: Some(exit), .. } | Lost::Deaf { exit: Some(exit) } if *exit != Exit::Code(0)) => {
            ""
        }
        "ugiok" => "; if it speaks UCI, say so: proto=uci, in Python protocol=\"uci\"",
        "uciok" => "; if it speaks UGI, say so: proto=ugi, in Python protocol=\"ugi\"",
        _ => "",
    }
}

fn ended(exit: Option<Exit>) -> String {
    exit.map_or_else(String::new, |exit| format!(" ({exit})"))
}

/// Returns what an engine has sent without the end of the line, as the end of a message.
pub(crate) fn endless(rest: &str) -> String {
    if rest.is_empty() {
        String::new()
    } else {
        format!("; the last line of its output has no end: {}", Quoted::new(rest))
    }
}

fn unfinished(rest: &str) -> String {
    if rest.is_empty() { String::new() } else { format!(" in the middle of {}", Quoted::new(rest)) }
}
