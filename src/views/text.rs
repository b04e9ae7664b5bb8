//! A human-readable table, indented by ply.

use super::fit::{column_width, fitting};
use super::row::{NodeRow, extent, rows, side};
use crate::core::SearchTree;
use crate::engine::Board;
use std::io::{self, Write};

/// The columns after the move, each with whether it is right-aligned.
const COLUMNS: [(&str, bool); 9] = [
    ("takes", false),
    ("depth", true),
    ("how", false),
    ("window", true),
    ("provisional", true),
    ("value", true),
    ("proven", false),
    ("end", false),
    ("below", true),
];

/// The columns to omit for lack of space, in this order; column 0 of the table is the move.
const SPARE: [usize; 8] = [5, 9, 4, 3, 1, 7, 2, 8];

/// Returns the move of a row, and its cells in the columns.
fn cells(row: NodeRow) -> (String, [String; 9]) {
    let [mv, takes, depth, how, low, high, provisional, value, proven, end, below] = row.texts();
    (mv, [takes, depth, how, format!("{low} .. {high}"), provisional, value, proven, end, below])
}

/// Writes the tree: a header, then one line per node; `*` marks the principal variation. Columns that do not fit `room`
/// are omitted and named at the end.
pub(super) fn write(tree: &SearchTree, board: &dyn Board, room: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
    let text = board.text().lines().collect::<Vec<_>>().join(" / ");
    writeln!(out, "{} {text}, {} to move: values are for it", board.title(), side(tree.turn))?;
    writeln!(out, "iteration {}, {}", tree.depth, extent(tree))?;
    let mut widths = COLUMNS.map(|(name, _)| name.len());
    let mut first = "move".len();
    for (node, row) in rows(tree) {
        let (mv, cells) = cells(row);
        first = first.max(2 * usize::from(node.ply) + 2 + column_width([&mv]));
        for (width, cell) in widths.iter_mut().zip(cells) {
            *width = (*width).max(column_width([cell]));
        }
    }
    let mut all = [first; 10];
    all[1..].copy_from_slice(&widths);
    let shown = fitting(all, 2, &SPARE, room);
    let mut line = |head: String, cells: [String; 9]| {
        let mut text = format!("{head:first$}");
        for (((cell, width), (_, right)), _) in
            cells.into_iter().zip(widths).zip(COLUMNS).zip(&shown[1..]).filter(|(_, shown)| **shown)
        {
            text += &if right { format!("  {cell:>width$}") } else { format!("  {cell:width$}") };
        }
        writeln!(out, "{}", text.trim_end())
    };
    line("  move".into(), COLUMNS.map(|(name, _)| name.into()))?;
    for (node, row) in rows(tree) {
        let (mark, indent) = (if node.pv { "*" } else { " " }, 2 * usize::from(node.ply));
        let (mv, cells) = cells(row);
        line(format!("{mark} {:indent$}{mv}", ""), cells)?;
    }
    let left_out: Vec<_> =
        COLUMNS.iter().zip(&shown[1..]).filter(|(_, shown)| !**shown).map(|((name, _), _)| *name).collect();
    if left_out.is_empty() { Ok(()) } else { writeln!(out, "left out for lack of room: {}", left_out.join(", ")) }
}
