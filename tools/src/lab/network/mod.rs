//! Networks trained on games of self-play.
//!
//! - [`data`]: the positions, as a network sees them;
//! - [`train`]: the passes over the positions;
//! - [`checkpoint`]: the state between two passes, in a file.

pub mod checkpoint;
pub mod data;
pub mod train;

pub use data::TrainingSet;
pub use train::{Epoch, TrainPlan, Trainer};
