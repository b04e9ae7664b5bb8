//! The frame of a command over positions: its progress, Ctrl-C, its output, and positions that are not valid.

use super::input_lines::{InputLine, Positions};
use super::output::Output;
use super::{Failure, Status, interrupt, progress};
use indicatif::ProgressBar;
use secateurs::core::error::harmless;
use secateurs::core::{Error, StopFlag};
use serde::Serialize;
use serde_json::json;
use std::fmt::Display;
use std::io;

/// A command over positions or games.
pub(super) struct Batch<'a, 'b> {
    out: &'a mut Output<'b>,
    /// Whether the output, bad positions included, is JSON.
    pub json: bool,
    /// The progress.
    pub bar: ProgressBar,
    /// Raised by Ctrl-C.
    pub stop: StopFlag,
    /// The status so far.
    pub status: Status,
}

impl<'a, 'b> Batch<'a, 'b> {
    /// Begins with a number of things called `unit`, if the number is known.
    pub(crate) fn new(out: &'a mut Output<'b>, json: bool, count: Option<u64>, unit: &str) -> Self {
        let (bar, stop) = (progress::bar(count, unit), interrupt::flag());
        Self { out, json, bar, stop, status: Status::Done }
    }

    /// Parses each position and calls `work` with the result, until Ctrl-C. A position that cannot be parsed is
    /// reported.
    ///
    /// # Errors
    /// The positions cannot be read; those of `work`.
    pub(crate) fn each<T>(
        &mut self,
        positions: Positions,
        parse: impl Fn(&InputLine) -> Result<T, Error>,
        mut work: impl FnMut(&mut Self, &str, T) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        positions.each(&self.stop.clone(), |line| match parse(line) {
            // EPD may have any text in its operations.
            Ok(parsed) if self.json => work(self, &line.text, parsed),
            Ok(parsed) => work(self, &harmless(&line.text), parsed),
            Err(error) => {
                let record = json!({"line": line.number, "position": line.text, "error": error.to_string()});
                self.bad(&record, format_args!("{}{error}", line.place()))?;
                self.bar.inc(1);
                Ok(())
            }
        })
    }

    /// Writes to the output without disturbing the progress bar.
    ///
    /// # Errors
    /// The output fails.
    pub(crate) fn write(&mut self, write: impl FnOnce(&mut Output<'b>) -> io::Result<()>) -> io::Result<()> {
        self.bar.suspend(|| write(self.out))
    }

    /// Writes a record as a line of JSON.
    ///
    /// # Errors
    /// The output fails.
    pub(crate) fn json(&mut self, record: &impl Serialize) -> io::Result<()> {
        self.write(|out| out.json(record))
    }

    /// Reports something that cannot be worked on, as a record or as a message.
    ///
    /// # Errors
    /// The output fails.
    pub(crate) fn bad(&mut self, record: &impl Serialize, message: impl Display) -> io::Result<()> {
        self.status = Status::SomeBad;
        if self.json {
            return self.json(record);
        }
        self.bar.suspend(|| self.out.report(message));
        Ok(())
    }

    /// Ends the progress, and returns the status.
    pub(crate) fn finish(&self) -> Status {
        self.bar.finish_and_clear();
        if self.stop.is_raised() { Status::Interrupted } else { self.status }
    }
}
