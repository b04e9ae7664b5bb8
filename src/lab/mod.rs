//! The laboratory: what is learnt from games.
//!
//! - [`samples`]: positions of recorded matches, each with its features and with what became of it;
//! - [`fit`]: the weights that tell best what became of them; [`matrix`]: the algebra of that;
//! - [`mod@tune`]: both together, for any game that shows its weights;
//! - [`temporal`]: weights moved by what later positions say of earlier ones; [`selfplay`]: the games that they learn from.

pub mod fit;
pub mod matrix;
pub mod samples;
pub mod selfplay;
pub mod temporal;
pub mod tune;

pub use samples::Target;
pub use tune::{Plan, Tuned, tune};
