//! The frame of a program: it parses its command line, works on a thread of its own, and turns the result into an exit
//! code.

use super::output::Output;
use super::{interrupt, read};
use clap::Parser;
use secateurs::search::thread::builder;
use std::ffi::OsString;
use std::io::{self, Write};

/// The reason why a subcommand ended early.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The request is invalid: exit code 2.
    #[error("{0}")]
    Usage(String),
    /// The work could not be completed: exit code 1.
    #[error("{0}")]
    Stopped(String),
    /// Ctrl-C has stopped the work: exit code 130.
    #[error("{0}")]
    Interrupted(String),
    /// The result could not be saved: exit code 1.
    #[error("{0}")]
    Unsaved(secateurs::core::Error),
    /// The output failed: exit code 1; or 0, without a message, if it was closed and nothing else was promised.
    #[error("cannot write: {0}")]
    Output(#[from] io::Error),
}

impl Failure {
    /// Returns the failure to start a thread.
    pub(super) fn no_thread(error: io::Error) -> Self {
        Self::Stopped(format!("cannot start a thread: {error}"))
    }

    /// Returns the failure of work that has begun. A file that cannot be written then is not a mistake in the command.
    pub(super) fn of_work(error: secateurs::core::Error) -> Self {
        match error {
            secateurs::core::Error::File { .. } => Self::Unsaved(error),
            _ => error.into(),
        }
    }
}

impl From<secateurs::core::Error> for Failure {
    fn from(error: secateurs::core::Error) -> Self {
        Self::Usage(error.to_string())
    }
}

/// The result of a subcommand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Everything was done: exit code 0.
    Done,
    /// Some input was invalid and was reported; the rest was done: exit code 1.
    SomeBad,
    /// A sequential test has accepted H0: exit code 3.
    Rejected,
    /// A sequential test is undecided: exit code 4.
    Undecided,
    /// Ctrl-C has stopped the work early; the results so far are written: exit code 130.
    Interrupted,
}

/// The work of a program, from its parsed command line.
type Work<C> = fn(C, &mut Output<'_>) -> Result<Status, Failure>;

/// Executes a command line of a program on a thread with the [stack](secateurs::search::STACK) that exact search needs.
/// Results go to standard output, errors to standard error. Returns the exit code.
pub fn run<C: Parser + Send + 'static>(
    words: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    work: Work<C>,
) -> u8 {
    let arguments = match read::read::<C>(words) {
        Ok(arguments) => arguments,
        Err(error) => return explain(&error),
    };
    let on_thread = move || code(arguments, work, &mut io::stdout().lock(), &mut io::stderr());
    match builder("main").and_then(|thread| thread.spawn(on_thread)) {
        Ok(thread) => thread.join().unwrap_or_else(|payload| std::panic::resume_unwind(payload)),
        Err(error) => fail(Failure::no_thread(error)),
    }
}

/// Reports a failure outside of a command, and returns the exit code.
fn fail(failure: Failure) -> u8 {
    Output::new(&mut io::sink(), &mut io::stderr()).report(failure);
    1
}

/// Prints a usage error, the help or the version, and returns the exit code.
fn explain(error: &clap::Error) -> u8 {
    match error.print().and_then(|()| io::stdout().flush()) {
        Err(failure) if failure.kind() != io::ErrorKind::BrokenPipe => fail(Failure::Output(failure)),
        _ => u8::try_from(error.exit_code()).unwrap_or(2),
    }
}

/// Executes parsed arguments on this thread, with these streams, and returns the exit code.
pub(crate) fn code<C>(arguments: C, work: Work<C>, out: &mut dyn Write, err: &mut dyn Write) -> u8 {
    let mut output = Output::new(out, err);
    match work(arguments, &mut output) {
        Ok(Status::Done) => 0,
        Ok(Status::SomeBad) => 1,
        Ok(Status::Rejected) => 3,
        Ok(Status::Undecided) => 4,
        Ok(Status::Interrupted) => interrupt::CODE,
        // `secateurs ... | head -1`: a closed pipe means that the reader has seen enough.
        Err(Failure::Output(error)) if !output.is_outlived() && error.kind() == io::ErrorKind::BrokenPipe => 0,
        Err(failure) => {
            output.report(&failure);
            match failure {
                Failure::Usage(_) => 2,
                Failure::Interrupted(_) => interrupt::CODE,
                Failure::Stopped(_) | Failure::Unsaved(_) | Failure::Output(_) => 1,
            }
        }
    }
}
