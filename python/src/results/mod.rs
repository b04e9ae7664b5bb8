//! The results of searches as immutable Python values.

mod progress_log;
mod recorded;
mod result;
mod solution;
pub mod tree;

pub use progress_log::ProgressLog;
pub use recorded::RecordedTree;
pub use result::{RootMoves, SearchResult, UNKNOWN, lines};
pub use solution::solution;
