//! The searches of an engine that are under way, to be stopped from wherever.

use crate::core::StopFlag;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The searches under way; clones share them.
#[derive(Clone, Default)]
pub struct Running(Arc<Mutex<BTreeMap<u64, StopFlag>>>);

/// A search under way, until it is dropped.
pub struct Run {
    running: Running,
    number: u64,
    stop: StopFlag,
}

impl Running {
    /// A search begins.
    pub fn enter(&self) -> Run {
        let stop = StopFlag::new();
        let mut flags = self.flags();
        let number = flags.last_key_value().map_or(0, |(last, _)| last + 1);
        flags.insert(number, stop.clone());
        Run { running: self.clone(), number, stop }
    }

    /// Stops all that are under way; those that begin later are not.
    pub fn stop(&self) {
        self.flags().values().for_each(StopFlag::raise);
    }

    fn flags(&self) -> MutexGuard<'_, BTreeMap<u64, StopFlag>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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
        self.running.flags().remove(&self.number);
    }
}
