//! A self-contained page with a tree that folds and unfolds: the template, and the rows of the tree as data.

use super::Frames;
use super::parts::filled;
use super::row::{extent, rows, side};
use crate::core::SearchTree;
use crate::core::picture::Perspective;
use crate::core::tree::{End, Node};
use crate::engine::Board;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The page. Its script creates the rows below a node when it is first unfolded, and fits windows of 1,200 pixels.
const PAGE: &str = include_str!("page.html");

/// The maximum size in bytes of a page's boards: the principal variation's first, then those nearest to the root.
const BOARDS: usize = 1_000_000;

#[derive(Serialize)]
struct Data<F> {
    game: String,
    position: String,
    turn: &'static str,
    depth: u8,
    extent: String,
    /// The boards as numbers of shapes, by node number.
    boards: BTreeMap<usize, Vec<usize>>,
    frames: F,
    /// Ply, texts of the row, class of the end, whether on the principal variation, number of recorded nodes below.
    rows: Vec<(u8, [String; 11], &'static str, bool, u32)>,
}

pub(super) fn write(tree: &SearchTree, board: &dyn Board, out: &mut dyn Write) -> io::Result<()> {
    let rows = rows(tree).map(|(node, row)| {
        let class = match node.end {
            End::Cutoff(_) => "cut",
            End::Table | End::Enhanced(_) => "table",
            End::Rules | End::Database | End::Over => "known",
            End::Horizon | End::Pruned => "horizon",
            End::Moves => "all",
            End::Stopped => "stopped",
        };
        (node.ply, row.texts(), class, node.pv, node.recorded)
    });
    let mut frames = Frames::default();
    let boards = boards(tree, board, &mut frames);
    let data = Data {
        game: board.title(),
        position: board.text(),
        turn: side(tree.turn),
        depth: tree.depth,
        extent: extent(tree),
        boards,
        frames: frames.data(),
        rows: rows.collect(),
    };
    filled(PAGE, &data, out)
}

/// Returns the boards of the principal variation, then those of all nodes, ply by ply, within the size limit.
fn boards(tree: &SearchTree, board: &dyn Board, frames: &mut Frames) -> BTreeMap<usize, Vec<usize>> {
    let mut boards = BTreeMap::new();
    let mut room = draw(tree, board, (frames, &mut boards), BOARDS, tree.plies, |node| node.pv);
    for ply in 0..=tree.plies {
        room = room.and_then(|room| draw(tree, board, (frames, &mut boards), room, ply, |node| node.ply == ply));
    }
    boards
}

/// Adds the boards of the wanted nodes down to a ply. Returns the bytes left; `None` once a board does not fit.
fn draw(
    tree: &SearchTree,
    board: &dyn Board,
    (frames, boards): (&mut Frames, &mut BTreeMap<usize, Vec<usize>>),
    mut room: usize,
    plies: u8,
    wanted: impl Fn(&Node) -> bool,
) -> Option<usize> {
    let mut path = vec![board.boxed()];
    for (at, node) in tree.nodes.iter().enumerate().filter(|(_, node)| node.ply <= plies) {
        let parents = usize::from(node.ply).max(1);
        path.truncate(parents);
        // A null move has no board: from it on, the nodes have none.
        if path.len() < parents {
            continue;
        }
        if let Some(mv) = &node.mv {
            let mut next = path[path.len() - 1].boxed();
            if next.play(mv).is_err() {
                continue;
            }
            path.push(next);
        }
        if wanted(node) && !boards.contains_key(&at) {
            let before = frames.bytes();
            let numbers = frames.add(&path[path.len() - 1].picture(Perspective::default()));
            room = room.checked_sub(frames.bytes() - before + 4 * numbers.len())?;
            boards.insert(at, numbers);
        }
    }
    Some(room)
}
