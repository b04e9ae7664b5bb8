//! `secateurs bench`: the deterministic node count.

use super::output::Output;
use super::{Failure, Status};
use secateurs::bench;
use secateurs::core::StopFlag;
use std::io::Write;

/// Prints each row when it is done, and `N nodes M nps` at the end.
pub(super) fn run(out: &mut Output<'_>) -> Result<Status, Failure> {
    let stop = StopFlag::new();
    let mut written = Ok(());
    let total = bench::run(&stop, &mut |line| {
        written = writeln!(out, "{line}");
        if written.is_err() {
            stop.raise();
        }
    })?;
    written?;
    if let Some(total) = total {
        writeln!(out, "{total}")?;
    }
    Ok(Status::Done)
}
