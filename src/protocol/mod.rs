//! The line protocol: text in, text out, any game. `protocol.md` is its specification.

pub mod serve;

pub use serve::{Settings, serve};
