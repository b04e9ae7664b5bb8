//! The benchmark: one deterministic node total over all games.
