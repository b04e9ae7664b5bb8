//! Networks trained on games of self-play.
//!
//! - [`data`]: the positions, as a network sees them;
//! - [`model`]: the output of a network, its loss and its gradient;
//! - [`train`]: the passes over the positions;
//! - [`checkpoint`]: the state between two passes, in a file.

pub mod checkpoint;
pub mod data;
pub mod model;
pub mod train;

pub use train::{Epoch, TrainPlan, Trainer};
