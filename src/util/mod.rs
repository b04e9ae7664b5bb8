//! Utilities that know no game and no search.

pub mod build;
pub mod counted;
pub mod damage;
pub mod difference;
pub mod forks;
#[cfg(any(test, all(target_family = "wasm", target_feature = "atomics")))]
pub mod lent;
pub mod lock;
pub mod number;
pub mod parallel;
pub mod random;
pub mod ranks;
pub mod suggestion;
pub(crate) mod threads;
