//! Progress bars: on stderr, and only where that is a terminal.

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::time::Duration;

/// A bar over `total` things called `unit`, or a spinner where nobody knows how many there are.
/// It is hidden unless stderr is a terminal. Write to stdout within [`ProgressBar::suspend`].
#[must_use]
pub fn bar(total: Option<u64>, unit: &str) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => (ProgressBar::new(total), "{bar:30} {pos}/{len} UNIT, {elapsed} gone, {eta} to go  {wide_msg}"),
        None => (ProgressBar::new_spinner(), "{spinner} {pos} UNIT, {elapsed} gone  {wide_msg}"),
    };
    if !bar.is_hidden() {
        if let Ok(style) = ProgressStyle::with_template(&template.replace("UNIT", unit)) {
            bar.set_style(style.with_key("eta", eta));
        }
        bar.enable_steady_tick(Duration::from_millis(200));
    }
    bar
}

/// The time to go; before the first thing is done nobody knows.
fn eta(state: &ProgressState, out: &mut dyn Write) {
    // Writing into the bar's own line does not fail.
    let _ = if state.pos() == 0 { write!(out, "?") } else { write!(out, "{:#}", HumanDuration(state.eta())) };
}
