//! The oracle: textbook procedures, slow and plainly right. The fast search must agree with them.

pub mod minimax;

pub use minimax::minimax;
