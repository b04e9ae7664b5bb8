//! The threads on which searches run.

#[cfg(not(target_family = "wasm"))]
use memmap2::MmapOptions;
use std::io;
use std::thread::Builder;

/// The stack size of a search thread, in bytes: enough for 255 plies in a build without optimisation.
pub const STACK: usize = 16 << 20;

/// The address space, in bytes, that is left when a thread starts: a process that runs out of memory a moment later
/// aborts.
#[cfg(not(target_family = "wasm"))]
const SPARE: usize = 8 << 20;

/// Returns a builder of a thread with a [stack](STACK) for a search.
///
/// # Errors
/// The system lacks the memory for the stack and for what the thread allocates first.
pub fn builder(name: &str) -> io::Result<Builder> {
    #[cfg(not(target_family = "wasm"))]
    // Nothing is written, so this takes no memory.
    MmapOptions::new().len(STACK + SPARE).no_reserve_swap().map_anon()?;
    Ok(Builder::new().name(name.into()).stack_size(STACK))
}
