//! Scoped threads: those of std, and in WebAssembly with shared memory, where std starts none, those that the host
//! lends (`util::lent`).

#[cfg(all(target_family = "wasm", target_feature = "atomics"))]
pub(crate) use super::lent::{Scope, scope, spawn};
#[cfg(not(all(target_family = "wasm", target_feature = "atomics")))]
pub(crate) use std::thread::{Scope, scope};

#[cfg(not(all(target_family = "wasm", target_feature = "atomics")))]
use std::{io, thread::Builder};

/// Starts a thread of a scope, which waits for its end.
#[cfg(not(all(target_family = "wasm", target_feature = "atomics")))]
pub(crate) fn spawn<'scope>(
    builder: Builder,
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() + Send + 'scope,
) -> io::Result<()> {
    builder.spawn_scoped(scope, work).map(drop)
}
