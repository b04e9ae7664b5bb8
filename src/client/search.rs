//! A search under way, as it is heard through the pipe.

use super::fault::Fault;
use super::info::Info;
use super::output_lines::OutputLine;
use crate::core::error::Quoted;
use std::time::{Duration, Instant};

/// So many lines of a search are kept; those with higher numbers are passed over.
const MOST_LINES: u32 = 512;

/// An engine's answer to `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move, as it was told; `None` for `bestmove (none)`.
    pub best: Option<String>,
    /// The reply that it expects.
    pub ponder: Option<String>,
    /// From just before `go` (or `ponderhit`) was written to the arrival of `bestmove`.
    pub time: Duration,
    /// What it said last of each line of its search, the best first; only lines with a score.
    pub lines: Vec<Info>,
}

impl Answer {
    /// What it said last of the best line.
    #[must_use]
    pub fn info(&self) -> Option<&Info> {
        self.lines.first().filter(|info| info.multipv == 1)
    }
}

/// A search under way.
#[derive(Debug)]
pub(super) struct Search {
    /// When `go` was said: what came before belongs to something else.
    since: Instant,
    /// When the clock began to run.
    clock: Instant,
    lines: Vec<Info>,
    /// The answer, or what is wrong with it, if it was heard while something else was awaited.
    answer: Option<Result<Answer, Fault>>,
}

impl Search {
    /// A search that begins.
    pub fn new(since: Instant) -> Self {
        Self { since, clock: since, lines: Vec::new(), answer: None }
    }

    /// The clock runs from now on only.
    pub fn restart_clock(&mut self, at: Instant) {
        self.clock = at;
    }

    /// The answer, if it was heard.
    pub fn take(&mut self) -> Option<Result<Answer, Fault>> {
        self.answer.take()
    }

    /// How long it had lasted by then; `None` once it is answered, and before it began.
    pub fn unanswered(&self, at: Instant) -> Option<Duration> {
        if self.answer.is_some() { None } else { at.checked_duration_since(self.clock) }
    }

    /// Hears a line, and tells what it says about the search.
    pub fn receive(&mut self, line: &OutputLine, progress: &mut dyn FnMut(&Info)) {
        if line.at < self.since || self.answer.is_some() {
            return;
        }
        if let Some(info) = Info::parse(&line.text) {
            self.note(&info);
            progress(&info);
            return;
        }
        let mut words = line.text.split_whitespace();
        if words.next() != Some("bestmove") {
            return;
        }
        let Some(best) = words.next() else {
            let line = Quoted::new(&line.text);
            self.answer = Some(Err(Fault::BadAnswer { line, reason: "bestmove names no move" }));
            return;
        };
        self.answer = Some(Ok(Answer {
            best: (!["(none)", "NULL"].contains(&best)).then(|| best.to_owned()),
            ponder: words.next().filter(|&word| word == "ponder").and_then(|_| words.next()).map(str::to_owned),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::info::Score;

    fn answer_to(texts: &[&str]) -> Result<Answer, Fault> {
        let start = Instant::now();
        let mut search = Search::new(start);
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
