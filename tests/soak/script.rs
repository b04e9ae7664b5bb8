//! The input of a dialogue with its timing, printed as a shell command that types it.

use std::fmt;
use std::time::Duration;

/// One side of a dialogue, up to the end of its input.
pub struct Script {
    pub game: &'static str,
    pub steps: Vec<Step>,
    /// Consecutive lines without a wait between them are sent at once.
    pub piped: bool,
}

pub enum Step {
    /// A line with its line end; the last line may lack it.
    Say(Vec<u8>),
    /// Silence for this time.
    Pause(Duration),
    /// Wait until every `isready` has been answered.
    AwaitReady,
    /// Wait until this mark has been answered.
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
        write!(f, ") | secateurs --game {}", self.game)
    }
}
