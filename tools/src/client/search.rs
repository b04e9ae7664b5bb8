//! A running search, as received through the pipe.

use super::fault::{Fault, NO_MOVE};
use super::hub;
use super::info::Info;
use super::output_lines::OutputLine;
use secateurs::core::error::Quoted;
use secateurs::protocol::command::Dialect;
use std::time::{Duration, Instant};

/// The maximum number of stored lines; higher `multipv` numbers are ignored.
const MOST_LINES: u32 = 512;

/// The result of a `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move, as reported; `None` for `bestmove (none)`.
    pub best: Option<String>,
    /// The expected reply.
    pub ponder: Option<String>,
    /// The time from just before `go` (or `ponderhit`) was written to the arrival of `bestmove`.
    pub time: Duration,
    /// The last `info` with a score of each line, the best line first.
    pub lines: Vec<Info>,
}

impl Answer {
    /// Returns the last `info` of the best line.
    pub fn info(&self) -> Option<&Info> {
        self.lines.first().filter(|info| info.multipv == 1)
    }
}

#[derive(Debug)]
pub(super) struct Search {
    dialect: Dialect,
    /// The time of `go`; earlier lines do not belong to the search.
    since: Instant,
    /// The start of the clock.
    clock: Instant,
    lines: Vec<Info>,
    /// The answer or its fault, if received while another reply was awaited.
    answer: Option<Result<Answer, Fault>>,
}

impl Search {
    pub(crate) fn new(dialect: Dialect, since: Instant) -> Self {
        Self { dialect, since, clock: since, lines: Vec::new(), answer: None }
    }

    pub(crate) fn restart_clock(&mut self, at: Instant) {
        self.clock = at;
    }

    pub(crate) fn take(&mut self) -> Option<Result<Answer, Fault>> {
        self.answer.take()
    }

    /// Returns the duration of the search at this time; `None` once answered, and before its start.
    pub(crate) fn unanswered(&self, at: Instant) -> Option<Duration> {
        if self.answer.is_some() { None } else { at.checked_duration_since(self.clock) }
    }

    /// Processes a line and passes every `info` to `progress`.
    pub(crate) fn receive(&mut self, line: &OutputLine, progress: &mut dyn FnMut(&Info)) {
        if line.at < self.since || self.answer.is_some() {
            return;
        }
        let text = line.text.trim();
        let (info, best) = match self.dialect {
            Dialect::Uci | Dialect::Ugi => (Info::parse(text), best_move(text)),
            Dialect::Hub => (hub::info(text), hub::done(text)),
        };
        if let Some(info) = info {
            self.note(&info);
            progress(&info);
        }
        let [best, ponder] = match best {
            None => return,
            Some(Err(reason)) => {
                self.answer = Some(Err(Fault::BadAnswer { line: Quoted::new(text), reason }));
                return;
            }
            Some(Ok(moves)) => moves,
        };
        self.answer = Some(Ok(Answer {
            best: best.filter(|best| !["(none)", "NULL"].contains(&best.as_str())),
            ponder,
            time: line.at.saturating_duration_since(self.clock),
            lines: std::mem::take(&mut self.lines),
        }));
    }

    fn note(&mut self, info: &Info) {
        if info.score.is_none() {
            if let Some(best) = self.lines.first_mut() {
                best.update(info);
            }
        } else if info.multipv <= MOST_LINES {
            match self.lines.binary_search_by_key(&info.multipv, |line| line.multipv) {
                Ok(at) => self.lines[at] = info.clone(),
                Err(at) => self.lines.insert(at, info.clone()),
            }
        }
    }
}

/// Reads `bestmove M ponder R`: the move and the expected reply, if there is one; `None` for any other line. The error
/// describes the mistake.
fn best_move(line: &str) -> Option<Result<[Option<String>; 2], &'static str>> {
    let mut words = line.split_whitespace();
    words.next().filter(|&word| word == "bestmove")?;
    let Some(best) = words.next() else { return Some(Err(NO_MOVE)) };
    let ponder = words.next().filter(|&word| word == "ponder").and_then(|_| words.next());
    Some(Ok([Some(best.to_owned()), ponder.map(str::to_owned)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::info::Score;

    fn answer_to(texts: &[&str]) -> Result<Answer, Fault> {
        let start = Instant::now();
        let mut search = Search::new(Dialect::Uci, start);
        search.receive(&OutputLine { text: "bestmove stale".into(), at: start - Duration::from_secs(1) }, &mut |_| {});
        for text in texts {
            assert!(search.answer.is_none());
            search.receive(&OutputLine { text: (*text).into(), at: start + Duration::from_secs(2) }, &mut |_| {});
        }
        search.take().unwrap()
    }

    #[test]
    fn the_last_info_of_every_line_remains() {
        let answer = answer_to(&[
            "info multipv 2 score cp 1 pv b",
            "info depth 1 score cp 2 nodes 3 pv a",
            "info depth 2 multipv 1 score cp 4 nodes 5 pv a",
            "info depth 3 currmove c nodes 9",
            "info string score cp 8",
            "noise",
            "bestmove a ponder b and more",
        ]);
        let answer = answer.unwrap();
        assert_eq!((answer.best.as_deref(), answer.ponder.as_deref()), (Some("a"), Some("b")));
        assert_eq!((answer.time, answer.lines.len()), (Duration::from_secs(2), 2));
        let best = answer.info().unwrap();
        assert_eq!((best.depth, best.score, best.nodes), (Some(2), Some(Score::Cp(4)), Some(9)));
    }

    #[test]
    fn an_answer_without_a_move_differs_from_none() {
        assert_eq!(answer_to(&["bestmove (none)"]).unwrap().best, None);
        assert_eq!(answer_to(&["bestmove a ponder"]).unwrap().ponder, None);
        assert!(matches!(answer_to(&["bestmove"]), Err(Fault::BadAnswer { .. })));
    }
}
