//! The extension module `secateur._native`.
