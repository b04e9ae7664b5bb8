//! The laboratory: what is learnt from games that were played.
//!
//! - [`samples`]: positions of recorded matches, each with its features and with what became of it;
//! - [`fit`]: the weights that tell best what became of them; [`matrix`]: the algebra of that;
//! - [`mod@tune`]: both together, for any game that shows its weights.

pub mod fit;
pub mod matrix;
pub mod samples;
pub mod tune;

pub use samples::Target;
pub use tune::{Plan, Tuned, tune};
