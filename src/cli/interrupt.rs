//! Ctrl-C: the first asks to come to an end, the second ends the process.

use crate::core::StopFlag;

/// A flag that the first Ctrl-C raises. Where no handler can be set, Ctrl-C ends the process at once.
#[must_use]
pub fn flag() -> StopFlag {
    let stop = StopFlag::new();
    let raised = stop.clone();
    let handled = ctrlc::set_handler(move || {
        if raised.is_raised() {
            std::process::exit(130);
        }
        raised.raise();
    });
    if let Err(error) = handled {
        log::debug!("Ctrl-C is not handled: {error}");
    }
    stop
}
