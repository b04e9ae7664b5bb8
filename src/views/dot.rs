//! A Graphviz graph.

use super::row::{extent, rows, side};
use crate::core::SearchTree;
use crate::core::tree::{End, SearchKind};
use crate::engine::Board;
use std::io::{self, Write};

/// Writes a graph: boxes maximise, ellipses minimise; the principal variation is bold, null windows are dashed, and
/// table hits are grey.
pub(super) fn write(tree: &SearchTree, board: &dyn Board, out: &mut dyn Write) -> io::Result<()> {
    let head = format!("{} {}, {} to move; iteration {}", board.title(), board.text(), side(tree.turn), tree.depth);
    writeln!(out, "digraph tree {{")?;
    writeln!(
        out,
        "  label={}; labelloc=t; fontname=\"sans-serif\"; ordering=out;",
        quoted(&format!("{head}, {}", extent(tree)))
    )?;
    writeln!(
        out,
        "  node [fontname=\"sans-serif\", fontsize=10]; edge [fontname=\"sans-serif\", fontsize=10, arrowhead=none];"
    )?;
    let mut path: Vec<usize> = Vec::new();
    for (id, (node, row)) in rows(tree).enumerate() {
        path.truncate(node.ply.into());
        let mut label = format!("{}\n{} .. {}\n{}", row.value, row.low, row.high, row.end);
        if node.below > 0 && node.recorded == 0 {
            label += &format!("\n{} below", row.below);
        }
        let shape = if row.takes == "max" { "box" } else { "ellipse" };
        let fill = match node.end {
            End::Table | End::Enhanced(_) => ", style=filled, fillcolor=\"#e4e4e4\"",
            End::Cutoff(_) => ", style=filled, fillcolor=\"#fbe3d6\"",
            End::Rules | End::Database | End::Over => ", style=filled, fillcolor=\"#dcebdd\"",
            _ => "",
        };
        let pen = if node.pv { ", penwidth=2.5" } else { "" };
        writeln!(out, "  n{id} [label={}, shape={shape}{fill}{pen}];", quoted(&label))?;
        if let (Some(parent), Some(mv)) = (path.last(), &node.mv) {
            let mut look = if node.pv { ", penwidth=2.5".to_owned() } else { String::new() };
            if matches!(node.kind, SearchKind::Null | SearchKind::Reduced | SearchKind::Singular) {
                look += ", style=dashed";
            }
            let how = if row.how.is_empty() { String::new() } else { format!("\n{}", row.how) };
            writeln!(out, "  n{parent} -> n{id} [label={}{look}];", quoted(&format!("{mv}{how}")))?;
        }
        path.push(id);
    }
    writeln!(out, "}}")
}

/// Quotes a string for Graphviz; its lines are centred.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
