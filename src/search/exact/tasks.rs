//! The tasks of the threads of one exact search.
//!
//! A thread opens every question that it searches, and a thread without a task of its own helps with the question that
//! has the fewest threads: they share the table, and avoid each other's positions. The first answer ends the question,
//! whichever thread finds it. Moves to be valued are separate tasks, since threads on different moves seldom disturb
//! each other.

use super::question::Question;
use crate::core::score::Score;
use crate::core::solution::Valued;
use crate::core::{Bounds, Position};
use crate::util::lock::{lock, wait};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock};

/// What a thread does next.
pub(super) enum Task<'a, P: Position> {
    /// Help to answer a question.
    Help(Arc<OpenQuestion<P>>),
    /// Value a move.
    Value(Taken<'a, P>),
}

/// A move that a thread has taken. When it is dropped, its bounds are added to those of the other moves.
pub(super) struct Taken<'a, P: Position> {
    tasks: &'a Tasks<P>,
    index: usize,
    pub(super) mv: P::Move,
    /// The value of the position in which it is made.
    pub(super) value: Score,
    /// Which moves are valued exactly.
    pub(super) which: Valued,
    /// The bounds found; `None` if a limit was reached first.
    pub(super) found: Option<Bounds>,
}

impl<P: Position> Drop for Taken<'_, P> {
    fn drop(&mut self) {
        self.tasks.add(self.index, self.found);
    }
}

/// A question that may be searched by several threads.
pub(super) struct OpenQuestion<P> {
    pub(super) question: Question<P>,
    /// A bound of the value that answers the question.
    answer: OnceLock<Score>,
    /// Whether no thread needs to search any longer. The threads check it at every node.
    pub(super) is_over: Arc<AtomicBool>,
}

impl<P> OpenQuestion<P> {
    /// Answers the question. The first answer stays.
    pub(super) fn end(&self, answer: Option<Score>) {
        if let Some(bound) = answer {
            let _ = self.answer.set(bound);
        }
        // A thread that sees the flag also sees the answer.
        self.is_over.swap(true, Ordering::AcqRel);
    }
}

pub(super) struct Tasks<P: Position> {
    state: Mutex<State<P>>,
    changed: Condvar,
}

struct State<P: Position> {
    /// The open questions, and the number of threads that search each.
    open: Vec<(Arc<OpenQuestion<P>>, usize)>,
    /// The moves to be valued, and the value of the position in which they are made.
    moves: Vec<P::Move>,
    value: Score,
    which: Valued,
    /// The number of moves that threads have taken.
    taken: usize,
    /// The number of moves that are being valued.
    running: usize,
    /// The bounds found, by move; `None` where a limit was reached first.
    found: Vec<Option<Bounds>>,
    is_over: bool,
}

impl<P: Position> Tasks<P> {
    pub(super) fn new() -> Self {
        let (open, moves, found) = Default::default();
        let state = State { open, moves, value: 0, which: Valued::None, taken: 0, running: 0, found, is_over: false };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Opens a question for the calling thread and those without a task.
    pub(super) fn open(&self, question: Question<P>) -> Arc<OpenQuestion<P>> {
        let open = Arc::new(OpenQuestion { question, answer: OnceLock::new(), is_over: Arc::default() });
        lock(&self.state).open.push((Arc::clone(&open), 1));
        self.changed.notify_all();
        open
    }

    /// Ends a question, and returns its answer.
    pub(super) fn close(&self, open: &Arc<OpenQuestion<P>>) -> Option<Score> {
        open.end(None);
        lock(&self.state).open.retain(|(other, _)| !Arc::ptr_eq(other, open));
        open.answer.get().copied()
    }

    /// Sets the moves to be valued in a position of this value, once the previous ones have been valued.
    pub(super) fn set_moves(&self, moves: Vec<P::Move>, value: Score, which: Valued) {
        let mut state = lock(&self.state);
        (state.value, state.which, state.taken) = (value, which, 0);
        state.found = vec![None; moves.len()];
        state.moves = moves;
        self.changed.notify_all();
    }

    /// Returns the moves with the bounds found.
    pub(super) fn valued(&self) -> Vec<(P::Move, Option<Bounds>)> {
        let state = lock(&self.state);
        state.moves.iter().copied().zip(state.found.iter().copied()).collect()
    }

    /// Waits for a task: a move to be valued, or else an open question. `None` if there will be no more: for the leader
    /// as soon as all moves have been valued, for other threads at the end of the search.
    pub(super) fn next(&self, is_leader: bool) -> Option<Task<'_, P>> {
        let mut state = lock(&self.state);
        loop {
            if state.is_over {
                return None;
            }
            if let Some(&mv) = state.moves.get(state.taken) {
                let index = state.taken;
                state.taken += 1;
                state.running += 1;
                return Some(Task::Value(Taken {
                    tasks: self,
                    index,
                    mv,
                    value: state.value,
                    which: state.which,
                    found: None,
                }));
            }
            if is_leader && state.running == 0 {
                return None;
            }
            let open = state.open.iter_mut().filter(|(open, _)| !open.is_over.load(Ordering::Relaxed));
            if let Some((open, threads)) = open.min_by_key(|(_, threads)| *threads) {
                *threads += 1;
                return Some(Task::Help(Arc::clone(open)));
            }
            state = wait(&self.changed, state);
        }
    }

    fn add(&self, index: usize, found: Option<Bounds>) {
        let mut state = lock(&self.state);
        state.found[index] = found;
        state.running -= 1;
        self.changed.notify_all();
    }

    /// Ends the search: no thread gets another task.
    pub(super) fn end(&self) {
        let mut state = lock(&self.state);
        state.is_over = true;
        state.open.iter().for_each(|(open, _)| open.end(None));
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::endless::Endless;
    use crate::search::thread::builder;
    use std::sync::mpsc::channel;
    use std::thread;

    fn question(alpha: Score) -> Question<Endless> {
        Question { pos: Endless, key: 0, facts: Bounds::NONE, same: true, alpha, ply: 0 }
    }

    /// Returns the `alpha` of the question that a thread helps with; `None` for any other task.
    fn helped(task: Option<Task<'_, Endless>>) -> Option<Score> {
        if let Some(Task::Help(open)) = task { Some(open.question.alpha) } else { None }
    }

    #[test]
    fn a_thread_helps_with_the_question_of_the_fewest_threads() {
        let tasks = Tasks::new();
        let open = [1, 2].map(|alpha| tasks.open(question(alpha)));
        let alphas: Vec<_> = (0..4).map(|_| helped(tasks.next(false)).unwrap()).collect();
        assert_eq!(alphas, [1, 2, 1, 2]);
        // The first answer counts; an answered question gets no more threads.
        open[0].end(Some(5));
        open[0].end(Some(4));
        assert_eq!(helped(tasks.next(false)), Some(2));
        assert_eq!(open.map(|open| tasks.close(&open)), [Some(5), None]);
    }

    #[test]
    fn moves_come_before_questions_and_the_leader_waits_for_all_of_them() {
        let tasks = Tasks::new();
        assert!(tasks.next(true).is_none());
        tasks.open(question(1));
        tasks.set_moves(vec![7, 8], 3, Valued::All);
        let take = || if let Some(Task::Value(taken)) = tasks.next(false) { taken } else { panic!("no move") };
        let (first, mut second) = (take(), take());
        assert_eq!((first.mv, second.mv, second.value), (7, 8, 3));
        // A move that is given up has no bounds.
        drop(first);
        assert_eq!(helped(tasks.next(true)), Some(1));
        second.found = Some(Bounds::exactly(2));
        drop(second);
        assert!(tasks.next(true).is_none());
        assert_eq!(tasks.valued(), [(7, None), (8, Some(Bounds::exactly(2)))]);
    }

    #[test]
    fn waiting_threads_get_a_new_question_and_the_end() {
        let tasks = Tasks::new();
        let (sender, found) = channel();
        thread::scope(|scope| {
            let tasks = &tasks;
            let helper = move || {
                while let Some(task) = tasks.next(false) {
                    let Task::Help(open) = task else { panic!("no question") };
                    open.end(Some(0));
                    sender.send(open.question.alpha).unwrap();
                }
            };
            builder("helper").and_then(|thread| thread.spawn_scoped(scope, helper)).unwrap();
            for alpha in [1, 2] {
                let open = tasks.open(question(alpha));
                assert_eq!(found.recv().unwrap(), alpha);
                assert_eq!(tasks.close(&open), Some(0));
            }
            tasks.end();
        });
    }
}
