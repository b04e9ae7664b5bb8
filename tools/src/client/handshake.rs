//! The handshake: the name of the engine and its options.

use super::fault::{Fault, Lost};
use super::hub;
use super::option::Declared;
use super::process::{Process, within};
use super::spec::{Spec, Surroundings};
use super::words;
use secateurs::core::error::Quoted;
use secateurs::protocol::command::Dialect;
use std::io::ErrorKind;
use std::time::Duration;

/// The maximum length of a handshake in bytes.
const LONGEST: usize = 4 << 20;

/// The time to wait for a reply to one opening word before the other one is sent too.
const PROBE: Duration = Duration::from_millis(300);

/// The engine's description of itself.
#[derive(Debug, Default)]
pub(super) struct Identity {
    /// Empty if not given.
    pub name: String,
    /// Empty if not given.
    pub author: String,
    /// The declared options, in the engine's order.
    pub options: Vec<Declared>,
}

/// Starts an engine and performs the handshake. With [`Spec::probe`] it also determines the dialect.
pub(super) fn connect(spec: &mut Spec, surroundings: &Surroundings) -> Result<(Process, Identity), Fault> {
    let mut process = spawn(spec, surroundings)?;
    let first = match shake_hands(&mut process, spec) {
        // Some engines exit at an unknown command.
        Err(fault) if spec.probe && matches!(fault.lost(), Some(Lost::Closed { .. } | Lost::Deaf { .. })) => fault,
        found => return found.map(|identity| (process, identity)),
    };
    process.kill();
    let mut second = Spec { dialect: other(spec.dialect), probe: false, ..spec.clone() };
    let mut process = spawn(&second, surroundings)?;
    let identity = shake_hands(&mut process, &mut second).map_err(|_| first)?;
    *spec = second;
    Ok((process, identity))
}

fn spawn(spec: &Spec, Surroundings { watchdog, transcript, abort }: &Surroundings) -> Result<Process, Fault> {
    let voice = transcript.as_ref().map(|transcript| transcript.voice(&spec.title()));
    let started = spec.command().and_then(|mut command| Process::spawn(&mut command, watchdog.clone(), voice));
    let started = started.map(|process| process.under(abort.clone()));
    started.map_err(|error| Fault::Start {
        program: Quoted::new(&spec.program.to_string_lossy()),
        // The system does not distinguish a missing folder from a missing program.
        reason: match &spec.folder {
            Some(folder) if !folder.is_dir() => format!("{} is not a folder", Quoted::new(&folder.to_string_lossy())),
            _ if spec.program.is_dir() => "it is a folder".into(),
            _ if error.kind() == ErrorKind::NotFound && spec.program.is_file() => {
                "what it needs to run is missing: the interpreter of a script, or the loader of a program".into()
            }
            _ => error.to_string(),
        },
    })
}

/// Returns the dialect to try after this one.
const fn other(dialect: Dialect) -> Dialect {
    match dialect {
        Dialect::Uci => Dialect::Ugi,
        Dialect::Ugi | Dialect::Hub => Dialect::Uci,
    }
}

/// Sends the opening word and reads the reply to its end, within [`Spec::startup`]. Other lines are ignored; options
/// that cannot be parsed are ignored with a warning.
///
/// With [`Spec::probe`], the opening word of the other dialect is sent too if there is no reply within [`PROBE`];
/// [`Spec::dialect`] becomes the first dialect whose handshake is completed.
fn shake_hands(process: &mut Process, spec: &mut Spec) -> Result<Identity, Fault> {
    let (opening, awaited) = words::of_dialect(spec.dialect).handshake;
    let (second, awaited_too) = words::of_dialect(other(spec.dialect)).handshake;
    let deadline = within(spec.startup);
    process.send(opening, deadline).map_err(|lost| process.not_sent(opening, lost))?;
    let (mut identity, mut bytes) = (Identity::default(), 0);
    // The time of the other opening word.
    let mut due = spec.probe.then(|| within(PROBE.min(spec.startup / 2)));
    loop {
        let line = match process.receive(Some(due.unwrap_or(deadline))) {
            Ok(line) => line,
            Err(Lost::TimedOut { .. }) if due.take().is_some() => {
                process.send(second, deadline).map_err(|lost| process.not_sent(second, lost))?;
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
        if spec.dialect == Dialect::Hub {
            if let Some([name, author]) = hub::identity(text) {
                (identity.name, identity.author) = (name, author);
            }
            identity.options.extend(hub::parameter(text));
        } else if let Some(name) = text.strip_prefix("id name ") {
            name.trim().clone_into(&mut identity.name);
        } else if let Some(author) = text.strip_prefix("id author ") {
            author.trim().clone_into(&mut identity.author);
        } else if text.starts_with("option ") {
            match Declared::parse(text) {
                Some(option) => identity.options.push(option),
                None => log::warn!("{}: ignores {}", spec.title(), Quoted::new(text)),
            }
        }
    }
}
