//! A self-contained page with a tree that folds and unfolds: the template, and the rows of the tree as data.

use super::row::{extent, rows, side};
use crate::core::SearchTree;
use crate::core::tree::{End, Node};
use crate::engine::Board;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The page. Its script creates the rows below a node when the node is first unfolded, and fits windows of 1,200
/// pixels.
const PAGE: &str = include_str!("page.html");

/// The part of a page's script that draws boards: `drawn(game, notation, text)` returns an element.
pub const BOARDS_SCRIPT: &str = include_str!("boards.js");

/// The style of these boards, for a page that sets the colours `--ink`, `--soft` and `--raised`.
pub const BOARDS_STYLE: &str = include_str!("boards.css");

/// The places of the style, the data and the script of boards in the page, in this order.
const PLACES: [&str; 3] = ["{{STYLE}}", "{{DATA}}", "{{BOARDS}}"];

/// The most bytes for the boards of a page: first those of the principal variation, then those nearest to the root.
const BOARDS: usize = 1_000_000;

#[derive(Serialize)]
struct Data<'a> {
    game: &'a str,
    position: String,
    turn: &'static str,
    depth: u8,
    extent: String,
    /// The text and the drawing of boards, by node number.
    boards: BTreeMap<usize, (String, String)>,
    /// Ply, move, takes, depth, how, low, high, provisional, value, proven, class of the end, end, below, whether on
    /// the principal variation, recorded nodes below.
    rows: Vec<Cells>,
}

type Cells = (
    u8,
    String,
    &'static str,
    String,
    String,
    String,
    String,
    String,
    String,
    &'static str,
    &'static str,
    String,
    String,
    u8,
    u32,
);

pub(super) fn write(tree: &SearchTree, board: &dyn Board, out: &mut dyn Write) -> io::Result<()> {
    let cells = rows(tree).map(|(node, row)| {
        let class = match node.end {
            End::Cutoff(_) => "cut",
            End::Table | End::Enhanced(_) => "table",
            End::Rules | End::Database | End::Over => "known",
            End::Horizon | End::Pruned => "horizon",
            End::Moves => "all",
            End::Stopped => "stopped",
        };
        let pv = u8::from(node.pv);
        (
            node.ply,
            row.mv,
            row.takes,
            row.depth,
            row.how,
            row.low,
            row.high,
            row.provisional,
            row.value,
            row.proven,
            class,
            row.end,
            row.below,
            pv,
            node.recorded,
        )
    });
    let data = Data {
        game: board.game(),
        position: board.text(),
        turn: side(tree.turn),
        depth: tree.depth,
        extent: extent(tree),
        boards: boards(tree, board),
        rows: cells.collect(),
    };
    // The data must not contain the end tag of its element.
    let data = serde_json::to_string(&data)?.replace('<', "\\u003c");
    let mut rest = PAGE;
    for (place, contents) in PLACES.into_iter().zip([BOARDS_STYLE, &data, BOARDS_SCRIPT]) {
        let (before, behind) = rest.split_once(place).unwrap_or((rest, ""));
        write!(out, "{before}{contents}")?;
        rest = behind;
    }
    writeln!(out, "{rest}")
}

/// Returns the boards of the principal variation, then those of all nodes, ply by ply, within the size limit.
fn boards(tree: &SearchTree, board: &dyn Board) -> BTreeMap<usize, (String, String)> {
    let mut boards = BTreeMap::new();
    let mut room = draw(tree, board, &mut boards, BOARDS, tree.plies, |node| node.pv);
    for ply in 0..=tree.plies {
        room = room.and_then(|room| draw(tree, board, &mut boards, room, ply, |node| node.ply == ply));
    }
    boards
}

/// Adds the boards of the wanted nodes down to a ply. Returns the bytes left; `None` once a board does not fit.
fn draw(
    tree: &SearchTree,
    board: &dyn Board,
    boards: &mut BTreeMap<usize, (String, String)>,
    mut room: usize,
    plies: u8,
    wanted: impl Fn(&Node) -> bool,
) -> Option<usize> {
    let mut path = vec![board.boxed()];
    for (at, node) in tree.nodes.iter().enumerate().filter(|(_, node)| node.ply <= plies) {
        let parents = usize::from(node.ply).max(1);
        path.truncate(parents);
        // No board plays a null move: the nodes from it on have none.
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
            let board = &path[path.len() - 1];
            let (text, drawn) = (board.text(), board.draw());
            room = room.checked_sub(text.len() + drawn.len())?;
            boards.insert(at, (text, drawn));
        }
    }
    Some(room)
}
