//! A search with several threads does not wait for the others with its result.

use secateurs::core::score::Score;
use secateurs::core::{Evaluation, Limits, MoveOrdering, Progress, Pruning, Request, Side, Solver, StopFlag};
use secateurs::games::nim::Heaps;
use secateurs::search::{Searcher, Table};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, OnceLock};
use std::thread::{self, ThreadId};
use std::time::Duration;

/// An evaluation that ends the search from its second thread, and holds that thread up until the result is there.
#[derive(Clone)]
struct Stalling {
    leader: ThreadId,
    stop: StopFlag,
    result: Arc<Mutex<Receiver<()>>>,
    /// Whether the result came while the thread was held up.
    in_time: Arc<OnceLock<bool>>,
}

impl Evaluation<Heaps> for Stalling {
    type State = ();

    fn evaluate(&self, _pos: &Heaps) -> Score {
        if thread::current().id() != self.leader {
            self.stop.raise();
            self.in_time.get_or_init(|| self.result.lock().unwrap().recv_timeout(Duration::from_secs(20)).is_ok());
        }
        0
    }
}

impl MoveOrdering<Heaps> for Stalling {}
impl Pruning<Heaps> for Stalling {}
impl Solver<Heaps> for Stalling {}

#[test]
fn the_result_is_reported_before_the_other_threads_have_ended() {
    let (stop, in_time) = (StopFlag::new(), Arc::new(OnceLock::new()));
    let (sender, result): (Sender<()>, _) = channel();
    let stalling = Stalling {
        leader: thread::current().id(),
        stop: stop.clone(),
        result: Arc::new(Mutex::new(result)),
        in_time: in_time.clone(),
    };
    let root = Heaps::new(&[50; 8], Side::First, false, 50);
    let mut searcher = Searcher::new(stalling, Arc::new(Table::new(1).unwrap()));
    let request = Request { threads: 2, ..Request::new(Limits::default()) };
    let mut reported = Vec::new();
    let lines = searcher.search(&root, &request, &stop, &mut |event| {
        if let Progress::Result(lines) = event {
            reported.push(lines.to_vec());
            sender.send(()).unwrap();
        }
    });
    assert_eq!(in_time.get(), Some(&true));
    assert_eq!(reported.len(), 1);
    assert_eq!((reported[0].len(), &reported[0][0].pv), (1, &lines[0].pv));
}
