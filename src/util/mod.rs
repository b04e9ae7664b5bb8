//! Utilities that know no game and no search.

pub mod build;
pub mod counted;
pub mod damage;
pub mod difference;
pub mod forks;
pub mod number;
pub mod parallel;
pub mod random;
pub mod suggestion;
