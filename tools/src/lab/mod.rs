//! The laboratory: learning from games, and comparison of the procedures of the literature.
//!
//! - [`samples`]: positions of recorded matches with their features and targets;
//! - [`fit`]: weights fitted to samples; [`matrix`]: its linear algebra;
//! - [`mod@tune`]: both together, for any game that exposes its weights;
//! - [`temporal`]: temporal-difference learning, and the games for it;
//! - [`games`]: games in this process; [`positions`]: their positions by the million, and parameters fitted to them;
//! - [`mod@network`]: networks trained on them;
//! - [`spsa`]: search parameters tuned by games;
//! - [`plausibility`]: how often moves of each category are played, for Floyd's search;
//! - [`mod@compare`]: comparison of procedures on a position or on [`synthetic`] trees, by results and costs.

pub mod compare;
pub mod fit;
pub mod games;
pub mod matrix;
pub mod network;
pub mod plausibility;
pub mod positions;
pub mod samples;
pub mod spsa;
pub mod synthetic;
pub mod temporal;
pub mod tune;

pub use samples::Target;
pub use tune::{FitPlan, FittedWeights, tune};
