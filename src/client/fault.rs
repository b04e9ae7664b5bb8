//! What can go wrong with an engine.

use super::process::Lost;
use crate::core::error::Quoted;

/// An engine's fault, or ours with it. The text shown is ready for a person who knows which engine it is about.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It cannot be started.
    #[error("cannot start {program}: {reason}")]
    Start {
        /// The program.
        program: Quoted,
        /// Why not.
        reason: String,
    },
    /// An answer did not come.
    #[error("no {awaited}: {lost}{}{}", quoted(stderr.as_ref()), advice(awaited))]
    Lost {
        /// The word that was awaited.
        awaited: &'static str,
        /// What came in between.
        lost: Lost,
        /// The last line of its stderr, where that is read.
        stderr: Option<Quoted>,
    },
    /// A command did not go.
    #[error("{command} cannot be said: {lost}{}", quoted(stderr.as_ref()))]
    Unsaid {
        /// The command.
        command: Quoted,
        /// What came in between.
        lost: Lost,
        /// The last line of its stderr, where that is read.
        stderr: Option<Quoted>,
    },
    /// An answer that cannot be understood.
    #[error("bad answer {line}: {reason}")]
    BadAnswer {
        /// The line.
        line: Quoted,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// An option that it does not declare.
    #[error("unknown option {name}; it declares {declared}")]
    UnknownOption {
        /// The name that was given.
        name: Quoted,
        /// The names that there are.
        declared: Quoted,
    },
    /// A value that an option does not take.
    #[error("bad value {value} for option {name}: {expected}")]
    BadValue {
        /// The option.
        name: Quoted,
        /// The value that was given.
        value: Quoted,
        /// What would have fitted.
        expected: String,
    },
    /// Something that cannot be asked of it while it searches.
    #[error("no {0} during a search")]
    Searching(&'static str),
    /// Something that makes sense only while it searches.
    #[error("no {0} without a search")]
    Idle(&'static str),
}

impl Fault {
    /// Why a line did not go or come, if that is the fault.
    #[must_use]
    pub fn lost(&self) -> Option<&Lost> {
        match self {
            Self::Lost { lost, .. } | Self::Unsaid { lost, .. } => Some(lost),
            _ => None,
        }
    }
}

fn quoted(stderr: Option<&Quoted>) -> String {
    stderr.map_or_else(String::new, |line| format!("; the last line of its stderr: {line}"))
}

/// What to try where a handshake is not answered.
fn advice(awaited: &str) -> &'static str {
    match awaited {
        "ugiok" => "; if it speaks UCI, say so: proto=uci, in Python protocol=\"uci\"",
        "uciok" => "; if it speaks UGI, say so: proto=ugi, in Python protocol=\"ugi\"",
        _ => "",
    }
}
