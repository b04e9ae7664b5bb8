//! The reports of a search.

use secateurs::core::{Bound, Progress, Report};
use std::sync::Arc;

/// The reports of a search so far.
pub struct ProgressLog {
    /// The best line of every window, including failed ones, in the order of the search.
    pub reports: Vec<Arc<Report>>,
    /// The finished iterations.
    pub depths: Vec<Depth>,
    /// The lines of the current iteration.
    group: Vec<Report>,
    /// The number of lines of an iteration.
    lines: usize,
}

/// A finished iteration.
#[derive(Clone)]
pub struct Depth {
    /// The lines, the best first.
    pub lines: Vec<Report>,
    /// The number of windows reported by the end of the iteration.
    pub reports: usize,
}

impl ProgressLog {
    /// Creates the log of a search of `moves` root moves with `lines` principal variations per iteration.
    pub fn new(moves: usize, lines: usize) -> Self {
        Self { reports: Vec::new(), depths: Vec::new(), group: Vec::new(), lines: lines.clamp(1, moves.max(1)) }
    }

    /// Adds a report. Returns whether it finishes an iteration.
    pub fn add(&mut self, progress: Progress<'_>) -> bool {
        let Progress::Line(report) = progress else { return false };
        let exact = report.bound == Bound::Exact;
        if report.line == 1 {
            // The final report of a search repeats the last iteration, with a longer line.
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
