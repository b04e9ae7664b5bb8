//! Progress on stderr, only at a terminal.

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use secateurs::core::StopFlag;
use secateurs::search::Table;
use secateurs::util::counted::counted;
use secateurs::util::lock::lock;
use std::fmt::Write;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// The interval between two updates.
const TICK: Duration = Duration::from_millis(250);

/// The interval between two redraws.
const REDRAW: Duration = Duration::from_millis(200);

/// The width in columns below which the bar itself is omitted, to leave space for the message.
const WIDE: u16 = 110;

/// Returns a bar over `total` things called `unit`, or a spinner if their number is unknown. It is hidden unless stderr
/// is a terminal. Write to stdout within [`ProgressBar::suspend`].
pub(crate) fn bar(total: Option<u64>, unit: &str) -> ProgressBar {
    let columns = terminal_size::terminal_size_of(std::io::stderr()).map_or(80, |(columns, _)| columns.0);
    let (bar, template) = match total {
        Some(total @ 2..) if columns >= WIDE => {
            (ProgressBar::new(total), "{bar:30} {pos}/{len} UNIT, {elapsed} elapsed, {eta} to go  {wide_msg}")
        }
        Some(total @ 2..) => (ProgressBar::new(total), "{pos}/{len} UNIT, {elapsed}, {eta} to go  {wide_msg}"),
        Some(_) => (ProgressBar::new_spinner(), "{spinner} {elapsed} elapsed  {wide_msg}"),
        None => (ProgressBar::new_spinner(), "{spinner} {pos} UNIT, {elapsed} elapsed  {wide_msg}"),
    };
    if !bar.is_hidden() {
        if let Ok(style) = ProgressStyle::with_template(&template.replace("UNIT", unit)) {
            bar.set_style(style.with_key("eta", eta));
        }
        tick(&bar);
    }
    bar
}

/// Redraws a bar at intervals until it is finished; where the system refuses the thread, only when it changes.
pub(crate) fn tick(bar: &ProgressBar) {
    let weak = bar.downgrade();
    let _ = thread::Builder::new().spawn(move || {
        while let Some(bar) = weak.upgrade().filter(|bar| !bar.is_finished()) {
            bar.tick();
            drop(bar);
            thread::sleep(REDRAW);
        }
    });
}

/// Writes the remaining time, which is unknown before the first thing is done.
fn eta(state: &ProgressState, out: &mut dyn Write) {
    // Writing into the bar's own line does not fail.
    let _ = if state.pos() == 0 { write!(out, "?") } else { write!(out, "{:#}", HumanDuration(state.eta())) };
}

/// Updates the message of a bar during a search: the last message, the nodes so far, and the fill of the table.
/// Dropping it ends the updates.
pub struct Live {
    text: Arc<Mutex<String>>,
    /// Dropping it ends the thread.
    _end: Option<Sender<()>>,
}

impl Live {
    /// Watches the searches that use this stop flag and this table.
    pub(crate) fn new(bar: &ProgressBar, stop: &StopFlag, table: &Arc<Table>) -> Self {
        let text = Arc::new(Mutex::new(String::new()));
        if bar.is_hidden() {
            return Self { text, _end: None };
        }
        let (end, ended) = channel();
        let (bar, stop, table, shared) = (bar.clone(), stop.clone(), Arc::clone(table), Arc::clone(&text));
        // Without its thread the line stays as it is.
        let _ = thread::Builder::new().spawn(move || {
            while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                let text = lock(&shared).clone();
                bar.set_message(message(text, stop.nodes(), table.hashfull()));
            }
        });
        Self { text, _end: Some(end) }
    }

    /// Sets the message on the running search.
    pub(crate) fn set(&self, text: String) {
        *lock(&self.text) = text;
    }
}

fn message(text: String, nodes: u64, hashfull: u16) -> String {
    if nodes == 0 {
        return text;
    }
    let comma = if text.is_empty() { "" } else { ", " };
    format!("{text}{comma}{}, table {:.1} % full", counted(HumanCount(nodes), "node"), f64::from(hashfull) / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_what_is_known() {
        assert_eq!(message("depth 3".into(), 0, 0), "depth 3");
        assert_eq!(message(String::new(), 1_234_567, 15), "1,234,567 nodes, table 1.5 % full");
        assert_eq!(message("at least 2".into(), 5, 1000), "at least 2, 5 nodes, table 100.0 % full");
    }
}
