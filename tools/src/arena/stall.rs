//! Stalls of the machine, by which an engine may lose on time without its own fault.

use secateurs::util::counted::counted;
use secateurs::util::forks::tracked;
use secateurs::util::lock::lock;
use secateurs::util::parallel;
use std::collections::VecDeque;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// The interval at which the detector thread wakes up.
const NAP: Duration = Duration::from_millis(10);

/// The longest delay of a wake-up that is not a stall.
const USUAL: Duration = Duration::from_millis(1);

const MOST_STALLS: usize = 256;

/// Measures how late the system wakes a sleeping thread.
pub struct StallWatch {
    state: Arc<Mutex<State>>,
    /// Dropping it ends the thread.
    _end: Sender<()>,
}

struct State {
    due: Instant,
    /// The stalls: end and duration of each.
    stalls: VecDeque<(Instant, Duration)>,
}

impl State {
    /// Notes how late the thread woke up, and when it is to wake up next.
    fn woke(&mut self) {
        let now = Instant::now();
        let late = now.saturating_duration_since(self.due);
        if late > USUAL {
            self.stalls.push_back((now, late));
            if self.stalls.len() > MOST_STALLS {
                self.stalls.pop_front();
            }
        }
        self.due = Instant::now() + NAP;
    }
}

impl StallWatch {
    /// Starts the detector, on the core of this thread if it is pinned. `None` if no thread can be started.
    pub(crate) fn start() -> Option<Self> {
        let state = Arc::new(Mutex::new(State { due: Instant::now() + NAP, stalls: VecDeque::new() }));
        let (watched, (end, ended)) = (Arc::clone(&state), channel());
        let watch = tracked(move || {
            while ended.recv_timeout(NAP) == Err(RecvTimeoutError::Timeout) {
                lock(&watched).woke();
            }
        });
        let thread = thread::Builder::new().name("stalls".into()).spawn(watch);
        thread.inspect_err(|error| log::debug!("stalls are not watched: {error}")).ok()?;
        Some(Self { state, _end: end })
    }

    /// Returns the longest stall since `start`, including one that has not ended yet; of an earlier one only the part
    /// since then.
    pub(crate) fn longest_since(&self, start: Instant) -> Duration {
        let state = lock(&self.state);
        let now = Instant::now();
        let present = (now, now.saturating_duration_since(state.due));
        let stalls = state.stalls.iter().copied().chain([present]);
        stalls.map(|(end, late)| late.min(end.saturating_duration_since(start))).max().unwrap_or_default()
    }
}

/// Describes the load of the machine: the load average of the last minute and the number of cores.
pub(crate) fn load() -> String {
    format!("load {:.2} on {}", sysinfo::System::load_average().one, counted(parallel::cores(), "core"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stall_is_seen_while_it_lasts_and_afterwards() {
        let (watch, start) = (StallWatch::start().unwrap(), Instant::now());
        let stall = Duration::from_millis(200);
        let state = lock(&watch.state);
        // Simulates a stall: the detector cannot continue while the test holds its lock.
        thread::sleep(stall);
        drop(state);
        let seen = watch.longest_since(start);
        assert!(seen >= stall - 2 * NAP, "{seen:?}");
        thread::sleep(5 * NAP);
        assert!(watch.longest_since(start) >= stall - 2 * NAP);
        let later = Instant::now();
        assert!(watch.longest_since(later) <= later.elapsed(), "what was before does not count");
    }

    #[test]
    fn the_load_names_the_cores() {
        let text = load();
        assert!(text.starts_with("load ") && text.contains(" core"), "{text}");
    }
}
