//! The first words: who the engine is, and which options it has.

use super::fault::Fault;
use super::option::Declared;
use super::process::{Process, within};
use super::spec::Spec;
use super::words;
use crate::core::error::Quoted;

/// A handshake has at most so many bytes.
const LONGEST: usize = 4 << 20;

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

/// Says the opening word and hears the answer to its end, all within [`Spec::startup`]. Banners and options that
/// cannot be read are passed over, the latter with a warning.
pub(super) fn shake_hands(process: &mut Process, spec: &Spec) -> Result<Identity, Fault> {
    let (opening, awaited) = words::handshake(spec.dialect);
    let deadline = within(spec.startup);
    process.send(opening, deadline).map_err(|lost| Fault::unsaid(opening, lost))?;
    let (mut identity, mut bytes) = (Identity::default(), 0);
    loop {
        let line = process.receive(Some(deadline)).map_err(|lost| Fault::Lost { awaited, lost })?;
        let text = line.text.trim();
        if text == awaited {
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
