//! A searched tree, made visible: every form says the same.
//!
//! - `row`: what is said of a node, in words; `fit`: tables that fit a width;
//! - `text`: a table, indented; `json`: an object a line; `dot`: for Graphviz; `html`: a page that folds and unfolds.
//!
//! All values are for the side to move at the root, in units of the game.

mod dot;
mod fit;
mod html;
mod json;
mod row;
mod text;

pub use fit::fitting;

use crate::core::SearchTree;
use crate::core::error::{Error, Quoted};
use crate::engine::Board;
use std::io::{self, Write};
use std::path::Path;

/// How a tree is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A table for people, indented by ply.
    Text,
    /// A JSON object a line: the first about the tree, the others about its nodes.
    Json,
    /// A graph in the language of Graphviz.
    Dot,
    /// A page that folds and unfolds and needs nothing beside itself.
    Html,
}

impl Form {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Text, Self::Json, Self::Dot, Self::Html];

    /// `text`, `json`, `dot` or `html`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Dot => "dot",
            Self::Html => "html",
        }
    }

    /// How the names of files end that are written so.
    #[must_use]
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Text => "txt",
            Self::Json => "jsonl",
            Self::Dot => "dot",
            Self::Html => "html",
        }
    }

    /// The form that the end of a file's name asks for.
    ///
    /// # Errors
    /// [`Error::BadFile`], which names the ends there are.
    pub fn of(path: &Path) -> Result<Self, Error> {
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
/// Those of `out`.
pub fn write(form: Form, tree: &SearchTree, board: &dyn Board, out: &mut dyn Write) -> io::Result<()> {
    match form {
        Form::Text => text::write(tree, board, None, out),
        Form::Json => json::write(tree, board, out),
        Form::Dot => dot::write(tree, board, out),
        Form::Html => html::write(tree, board, out),
    }
}

/// Writes the table for people without the columns that do not fit such a width, characters; `None`: with all of them.
///
/// # Errors
/// Those of `out`.
pub fn write_table(tree: &SearchTree, board: &dyn Board, width: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
    text::write(tree, board, width, out)
}

/// What [`write`](fn@write) writes, as a string.
#[must_use]
pub fn written(form: Form, tree: &SearchTree, board: &dyn Board) -> String {
    let mut bytes = Vec::new();
    // Memory does not fail, and all that is written is UTF-8.
    let _ = write(form, tree, board, &mut bytes);
    String::from_utf8(bytes).unwrap_or_default()
}
