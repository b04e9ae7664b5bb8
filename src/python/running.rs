//! The searches of an engine that are under way, to be stopped from wherever.

use super::lock::lock;
use crate::core::StopFlag;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// The searches under way; clones share them.
#[derive(Clone, Default)]
pub struct Running(Arc<Mutex<Searches>>);

#[derive(Default)]
struct Searches {
    flags: BTreeMap<u64, StopFlag>,
    /// Whether a stop also holds for the searches that begin later.
    lasting: bool,
    stopped: bool,
}

/// A search under way, until it is dropped.
pub struct Run {
    running: Running,
    number: u64,
    stop: StopFlag,
}

impl Running {
    /// Searches that begin at some time, perhaps after the stop that is meant for them: then they end at once.
    pub fn awaited() -> Self {
        Self(Arc::new(Mutex::new(Searches { lasting: true, ..Searches::default() })))
    }

    /// A search begins.
    pub fn enter(&self) -> Run {
        let stop = StopFlag::new();
        let mut searches = lock(&self.0);
        if searches.stopped {
            stop.raise();
        }
        let number = searches.flags.last_key_value().map_or(0, |(last, _)| last + 1);
        searches.flags.insert(number, stop.clone());
        Run { running: self.clone(), number, stop }
    }

    /// Stops all that are under way; those that begin later are not, but for [`Self::awaited`].
    pub fn stop(&self) {
        let mut searches = lock(&self.0);
        searches.stopped = searches.lasting;
        searches.flags.values().for_each(StopFlag::raise);
    }
}

impl Run {
    /// What ends it.
    pub fn stop(&self) -> &StopFlag {
        &self.stop
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        lock(&self.running.0).flags.remove(&self.number);
    }
}
