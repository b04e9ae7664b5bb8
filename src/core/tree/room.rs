//! The limits of a recorded tree.

use super::Node;
use crate::core::error::Error;
use crate::core::score::MAX_PLY;

/// The limits of a recorded tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    nodes: usize,
    plies: u8,
}

impl Room {
    /// The default number of nodes.
    pub const NODES: usize = 10_000;

    /// The maximum memory of a tree, bytes.
    pub const MEMORY: usize = 1 << 30;

    /// The maximum memory of a node, bytes: its record with two short moves, and twice what the search stores for it.
    pub const BYTES: usize = size_of::<Node>() + 2 * 32 + 2 * size_of::<Node<u64>>();

    /// Limits a tree to `nodes` nodes, without the windows at the root, and to `plies` plies from the root. A tree with
    /// more nodes loses its farthest ply, then the next: the recorded plies are complete.
    ///
    /// # Errors
    /// [`Error::TreeTooLarge`] if the nodes may take more than [`MEMORY`](Self::MEMORY).
    pub fn new(nodes: usize, plies: u8) -> Result<Self, Error> {
        let most = Self::MEMORY / Self::BYTES;
        if nodes > most {
            let mib = |nodes: usize| (nodes as u128 * Self::BYTES as u128).div_ceil(1 << 20);
            return Err(Error::TreeTooLarge {
                requested: nodes,
                needed: mib(nodes),
                most,
                allowed: Self::MEMORY >> 20,
            });
        }
        Ok(Self { nodes, plies })
    }

    pub(crate) const fn nodes(self) -> usize {
        self.nodes
    }

    pub(crate) const fn plies(self) -> u8 {
        self.plies
    }
}

impl Default for Room {
    fn default() -> Self {
        Self { nodes: Self::NODES, plies: MAX_PLY }
    }
}
