//! Positions of self-play by the million.
//!
//! - [`play`]: the games; [`mod@file`]: games in a file;
//! - [`replay`]: the positions of such files;
//! - [`parts`]: those that are held out; [`targets`]: what is expected of each; [`fit`]: parameters fitted to them.

pub mod file;
pub mod fit;
pub mod parts;
pub mod play;
pub mod replay;
pub mod targets;

pub use fit::{FittedParameters, PositionsPlan, fit_positions};
