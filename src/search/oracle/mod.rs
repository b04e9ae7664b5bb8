//! Minimax and alpha-beta over a game and its evaluation, slow and plainly right: what the search must agree with.
//! The other procedures of the literature are in the laboratory, above the registry.

mod alpha_beta;
mod minimax;

pub use alpha_beta::alpha_beta;
pub use minimax::minimax;
