//! The laboratory: what is learnt from games that were played, and the procedures of the literature side by side.
//!
//! - [`samples`]: positions of recorded matches, each with its features and with what became of it;
//! - [`fit`]: the weights that tell best what became of them; [`matrix`]: the algebra of that;
//! - [`mod@tune`]: both together, for any game that shows its weights;
//! - [`temporal`]: weights moved by what later positions say of earlier ones; [`selfplay`]: the games that they learn from;
//! - [`plausibility`]: how often moves of each category are played, for Floyd's search;
//! - [`literature`]: the procedures of the literature, each by its name;
//! - [`mod@compare`]: procedures on a position, or on [`synthetic`] trees, each with what it found and what it took.

pub mod compare;
pub mod fit;
pub mod literature;
pub mod matrix;
pub mod plausibility;
pub mod samples;
pub mod selfplay;
pub mod synthetic;
pub mod temporal;
pub mod tune;

pub use samples::Target;
pub use tune::{FitPlan, Tuned, tune};
