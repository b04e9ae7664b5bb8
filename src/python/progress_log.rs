//! What a search reports, collected.

use crate::core::{Bound, Progress, Report};
use std::sync::Arc;

/// The reports of a search so far.
pub struct ProgressLog {
    /// The best line of every window, failed ones too, in the order of the search.
    pub reports: Vec<Arc<Report>>,
    /// Every finished iteration.
    pub depths: Vec<Depth>,
    /// The lines of the iteration under way.
    group: Vec<Report>,
    /// So many lines make an iteration.
    lines: usize,
}

/// A finished iteration.
#[derive(Clone)]
pub struct Depth {
    /// Its lines, the best first.
    pub lines: Vec<Report>,
    /// The number of windows reported by then.
    pub reports: usize,
}

impl ProgressLog {
    /// Of a search of a position with so many moves, for so many lines of each iteration.
    pub fn new(moves: usize, lines: usize) -> Self {
        Self { reports: Vec::new(), depths: Vec::new(), group: Vec::new(), lines: lines.clamp(1, moves.max(1)) }
    }

    /// Takes what is said; whether that finishes an iteration.
    pub fn add(&mut self, progress: Progress<'_>) -> bool {
        let Progress::Line(report) = progress else { return false };
        let exact = report.bound == Bound::Exact;
        if report.line == 1 {
            // The last word of a search repeats the last iteration, with a longer line.
            self.reports.pop_if(|last| exact && last.bound == Bound::Exact && last.depth == report.depth);
            self.reports.push(Arc::new(report.clone()));
            self.group.clear();
        }
        if report.line != self.group.len() + 1 || !exact {
            return false;
        }
        self.group.push(report.clone());
        let whole = self.group.len() == self.lines;
        if whole {
            let lines = std::mem::take(&mut self.group);
            match self.depths.last_mut() {
                Some(last) if last.lines[0].depth == lines[0].depth => last.lines = lines,
                _ => self.depths.push(Depth { lines, reports: self.reports.len() }),
            }
        }
        whole
    }
}
