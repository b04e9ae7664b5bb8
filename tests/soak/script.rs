//! What is typed, when; shown as a command that types it.

use std::fmt;
use std::time::Duration;

/// A dialogue, as one side holds it. It ends with its input.
pub struct Script {
    pub game: &'static str,
    pub steps: Vec<Step>,
    /// Lines between which nothing is waited for come in one piece.
    pub piped: bool,
}

pub enum Step {
    /// A line with its end, or the last one without.
    Say(Vec<u8>),
    /// Nothing for a while.
    Pause(Duration),
    /// Until every `isready` has been answered.
    AwaitReady,
    /// Until this mark has been answered.
    AwaitMark(String),
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(")?;
        for step in &self.steps {
            match step {
                Step::Say(line) => {
                    let escaped = |byte: &u8| match byte {
                        b'%' => "%%".to_owned(),
                        b'\n' => "\\n".to_owned(),
                        b' '..=b'~' if !b"\\'".contains(byte) => char::from(*byte).to_string(),
                        byte => format!("\\{byte:03o}"),
                    };
                    writeln!(f, " printf '{}'", line.iter().map(escaped).collect::<String>())?;
                }
                Step::Pause(time) => writeln!(f, " sleep {:.4}", time.as_secs_f64())?,
                Step::AwaitReady | Step::AwaitMark(_) => writeln!(f, " sleep 0.1")?,
            }
        }
        write!(f, ") | secateur --game {}", self.game)
    }
}
