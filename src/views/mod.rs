//! Drawings of boards, and views of a search tree. All forms of a tree have the same content.
//!
//! - `readable`: moves in algebraic notation; `row`: the description of a node; `fit`: the choice of columns;
//! - `text`: an indented table; `json`: JSON Lines; `dot`: Graphviz; `html`: a page that folds and unfolds.
//!
//! Drawings of boards, for these pages, notebooks and the report of a match:
//!
//! - [`svg`](fn@svg): a board with its marks; `colour`: CSS colours; [`document`]: pictures as SVG; [`theme`]: their
//!   colours;
//! - [`Frames`]: the positions of a page; [`parts`]: the scripts and styles of these pages.
//!
//! - [`state`]: a position for a page that plays; [`report`]: searches and exact values for the same.
//!
//! [`values`]: values in words.
//!
//! All values of trees are for the side to move at the root, in units of the game.

mod colour;
pub mod document;
mod dot;
mod drawing;
mod fit;
mod frames;
mod html;
mod json;
pub mod parts;
mod readable;
pub mod report;
mod row;
pub mod state;
mod text;
pub mod theme;
pub mod values;

pub use drawing::{Drawing, LastMove, caption, players, svg};
pub use fit::{column_width, fitting};
pub use frames::Frames;
pub use readable::readable;

use crate::core::SearchTree;
use crate::core::error::{Error, Quoted};
use crate::engine::Board;
use std::io::{self, Write};
use std::path::Path;

/// The format of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A human-readable table, indented by ply.
    Text,
    /// JSON Lines: the first object describes the tree, the others its nodes.
    Json,
    /// A Graphviz graph.
    Dot,
    /// A self-contained page that folds and unfolds.
    Html,
}

impl Form {
    /// All forms.
    pub const ALL: [Self; 4] = [Self::Text, Self::Json, Self::Dot, Self::Html];

    /// Returns the file name extension of the form.
    pub(crate) const fn suffix(self) -> &'static str {
        match self {
            Self::Text => "txt",
            Self::Json => "jsonl",
            Self::Dot => "dot",
            Self::Html => "html",
        }
    }

    /// Returns the form for a path's extension.
    ///
    /// # Errors
    /// [`Error::BadFile`] for any other extension.
    pub fn from_path(path: &Path) -> Result<Self, Error> {
        let suffix = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let found = Self::ALL.into_iter().find(|form| form.suffix() == suffix);
        found.ok_or_else(|| {
            let name = Quoted::new(&path.to_string_lossy());
            Error::BadFile(name, "does not end in .txt, .jsonl, .dot or .html".into())
        })
    }
}

/// Writes the tree of a search of this board.
///
/// # Errors
/// I/O errors of `out`.
pub fn write(form: Form, tree: &SearchTree, board: &dyn Board, out: &mut dyn Write) -> io::Result<()> {
    match form {
        Form::Text => write_table(tree, board, None, out),
        Form::Json => json::write(tree, board, out),
        Form::Dot => dot::write(&readable::readable(tree, board), board, out),
        Form::Html => html::write(&readable::readable(tree, board), board, out),
    }
}

/// Writes the table without the columns that do not fit `width` characters; `None`: with all columns.
///
/// # Errors
/// I/O errors of `out`.
pub fn write_table(tree: &SearchTree, board: &dyn Board, width: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
    text::write(&readable::readable(tree, board), board, width, out)
}

/// Returns the output of [`write`](fn@write) as a string.
pub fn written(form: Form, tree: &SearchTree, board: &dyn Board) -> String {
    let mut bytes = Vec::new();
    // Writing to memory does not fail, and the output is UTF-8.
    let _ = write(form, tree, board, &mut bytes);
    String::from_utf8(bytes).unwrap_or_default()
}
