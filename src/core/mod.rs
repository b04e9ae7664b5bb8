//! The vocabulary: positions, scores, limits, reports, options, errors.
//!
//! This layer imports no other layer; every other layer may import it.

pub mod bounds;
pub mod chances;
pub mod databases;
pub mod error;
pub mod features;
pub mod game;
pub mod heuristics;
pub mod limits;
pub mod node_counts;
pub mod notation;
pub mod options;
pub mod parameters;
pub mod picture;
pub mod position;
pub mod proof;
pub mod records;
pub mod report;
pub mod request;
pub mod score;
pub mod solution;
pub mod style;
pub mod tree;
pub mod tuning;
pub mod weights;

pub use bounds::Bounds;
pub use databases::Databases;
pub use error::Error;
pub use features::{Features, Inputs, NetworkShape};
pub use game::{BenchRow, Game, LoadNetwork, MoveOf};
pub use heuristics::{Evaluation, Heuristics, MoveOrdering, Pruning, SmallTable, Solver};
pub use limits::{ClockLimits, Limits, StopFlag};
pub use node_counts::{NodeCounts, NodeKinds};
pub use notation::Notation;
pub use options::{OptionKind, OptionRow, OptionValue, Options};
pub use parameters::Parameters;
pub use picture::{Picture, Pictures};
pub use position::{Clock, Outcome, Position, Side};
pub use proof::Proof;
pub use records::{MissingOption, Records};
pub use report::{Bound, Progress, Report, micros, nps};
pub use request::{Request, Ties};
pub use score::Score;
pub use solution::{Claim, Solution, Uncertified};
pub use style::{Ink, Style};
pub use tree::SearchTree;
pub use tuning::Tuning;
pub use weights::{Linear, Weight};
