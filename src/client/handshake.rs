//! The first words: who the engine is, and which options it has.

use super::fault::Fault;
use super::option::Declared;
use super::process::{Lost, Process, within};
use super::spec::Spec;
use super::words;
use crate::core::error::Quoted;
use crate::protocol::command::Dialect;
use std::time::Duration;

/// A handshake has at most so many bytes.
const LONGEST: usize = 4 << 20;

/// How long the answer to one opening word is waited for before the other one is said too.
const PROBE: Duration = Duration::from_millis(300);

/// What an engine says of itself.
#[derive(Debug, Default)]
pub(super) struct Identity {
    /// Empty if it does not say.
    pub name: String,
    /// Empty if it does not say.
    pub author: String,
    /// In its order.
    pub options: Vec<Declared>,
}

/// The other dialect.
pub(super) const fn other(dialect: Dialect) -> Dialect {
    match dialect {
        Dialect::Uci => Dialect::Ugi,
        Dialect::Ugi => Dialect::Uci,
    }
}

/// Says the opening word and hears the answer to its end, all within [`Spec::startup`]. Banners and options that
/// cannot be read are passed over, the latter with a warning.
///
/// With [`Spec::probe`] the opening word of the other dialect follows after [`PROBE`] without an answer: the first dialect
/// whose handshake ends is [`Spec::dialect`] from now on.
pub(super) fn shake_hands(process: &mut Process, spec: &mut Spec) -> Result<Identity, Fault> {
    let (opening, awaited) = words::handshake(spec.dialect);
    let (second, awaited_too) = words::handshake(other(spec.dialect));
    let deadline = within(spec.startup);
    process.send(opening, deadline).map_err(|lost| process.unsaid(opening, lost))?;
    let (mut identity, mut bytes) = (Identity::default(), 0);
    // When the other opening word is due.
    let mut due = spec.probe.then(|| within(PROBE.min(spec.startup / 2)));
    loop {
        let line = match process.receive(Some(due.unwrap_or(deadline))) {
            Ok(line) => line,
            Err(Lost::TimedOut) if due.take().is_some() => {
                process.send(second, deadline).map_err(|lost| process.unsaid(second, lost))?;
                continue;
            }
            Err(lost) => return Err(process.lost(if spec.probe { "ugiok or uciok" } else { awaited }, lost)),
        };
        let text = line.text.trim();
        if text == awaited {
            return Ok(identity);
        }
        if spec.probe && text == awaited_too {
            spec.dialect = other(spec.dialect);
            return Ok(identity);
        }
        bytes += text.len();
        if bytes > LONGEST {
            return Err(Fault::BadAnswer { line: Quoted::new(text), reason: "the handshake has no end" });
        }
        if let Some(name) = text.strip_prefix("id name ") {
            name.trim().clone_into(&mut identity.name);
        } else if let Some(author) = text.strip_prefix("id author ") {
            author.trim().clone_into(&mut identity.author);
        } else if text.starts_with("option ") {
            match Declared::parse(text) {
                Some(option) => identity.options.push(option),
                None => log::warn!("{}: passes over {}", spec.title(), Quoted::new(text)),
            }
        }
    }
}
