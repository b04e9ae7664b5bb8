//! JSON Lines: the first object describes the tree, the others its nodes in the order in which they were entered.

use crate::core::score::INFINITE;
use crate::core::{Score, SearchTree};
use crate::engine::Board;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

#[derive(Serialize)]
struct Head<'a> {
    game: String,
    options: BTreeMap<&'a str, String>,
    position: String,
    /// The side to move: 1 or 2.
    turn: u8,
    depth: u8,
    /// The number of nodes entered, and that of recorded ones; the root's windows do not count.
    nodes: u64,
    recorded: usize,
    plies: u8,
}

#[derive(Serialize)]
struct JsonNode<'a> {
    id: usize,
    parent: Option<usize>,
    ply: u8,
    #[serde(rename = "move")]
    mv: Option<&'a str>,
    turn: u8,
    kind: &'static str,
    again: bool,
    pv: bool,
    depth: i16,
    window: [Option<Score>; 2],
    provisional: Score,
    value: Option<Score>,
    bound: Option<&'static str>,
    proven: Option<&'static str>,
    end: &'static str,
    by: Option<&'a str>,
    below: u64,
}

pub(super) fn write(tree: &SearchTree, board: &dyn Board, out: &mut dyn Write) -> io::Result<()> {
    let head = Head {
        game: board.title(),
        options: board.options().changed().map(|(row, value)| (row.name, value.to_string())).collect(),
        position: board.text(),
        turn: tree.turn.number(),
        depth: tree.depth,
        nodes: tree.entered,
        recorded: tree.nodes.len() - tree.roots().count(),
        plies: tree.plies,
    };
    writeln!(out, "{}", serde_json::to_string(&head)?)?;
    let mut path: Vec<usize> = Vec::new();
    for (id, node) in tree.nodes.iter().enumerate() {
        path.truncate(node.ply.into());
        let line = JsonNode {
            id,
            parent: path.last().copied(),
            ply: node.ply,
            mv: node.mv.as_deref(),
            turn: node.turn.number(),
            kind: node.kind.name(),
            again: node.again,
            pv: node.pv,
            depth: node.depth,
            window: node.window.map(|end| Some(end).filter(|end| end.abs() < INFINITE)),
            provisional: node.provisional,
            value: node.value,
            bound: node.value.map(|_| node.bound().name()),
            proven: node.proof.name(),
            end: node.end.name(),
            by: node.end.by().map(String::as_str),
            below: node.below,
        };
        writeln!(out, "{}", serde_json::to_string(&line)?)?;
        path.push(id);
    }
    Ok(())
}
