//! The laboratory: learning from games, and comparison of the procedures of the literature.
//!
//! - [`temporal`]: temporal-difference learning, and the games for it;
//! - [`games`]: games in this process; [`positions`]: their positions by the million, and parameters fitted to them;
//!   [`curve`]: what their scores tell of results;
//! - [`mod@network`]: networks trained on them;
//! - [`spsa`]: search parameters tuned by games;
//! - [`plausibility`]: how often moves of each category are played, for Floyd's search;
//! - [`mod@compare`]: comparison of procedures on a position or on [`synthetic`] trees, by results and costs.

pub mod compare;
pub mod curve;
pub mod games;
pub mod network;
pub mod plausibility;
pub mod positions;
pub mod spsa;
pub mod synthetic;
pub mod temporal;
