//! What a command writes: its output, which may be closed, and its errors.

use secateurs::core::Error;
use secateurs::core::error::harmless;
use secateurs::pgn::RESULTS;
use secateurs::store::paths::{self, Named};
use secateurs::store::{FileLock, Replacement};
use secateurs::views::Form;
use serde::Serialize;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::path::Path;

/// The output of a command and its error stream. If the reader of the output closes it, a command that
/// [outlives](Self::outlive) it continues, to complete its files and exit code; any other command ends with an error.
pub struct Output<'a> {
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
    is_outlived: bool,
    is_closed: bool,
}

impl<'a> Output<'a> {
    /// Creates an output from the two streams.
    pub(crate) fn new(out: &'a mut dyn Write, err: &'a mut dyn Write) -> Self {
        Self { out, err, is_outlived: false, is_closed: false }
    }

    /// Lets the command continue after its output is closed.
    pub fn outlive(&mut self) {
        self.is_outlived = true;
    }

    /// Returns whether the command continues after its output is closed.
    pub(crate) fn is_outlived(&self) -> bool {
        self.is_outlived
    }

    /// Refuses one file for two purposes. A command with a file to write outlives its output.
    ///
    /// # Errors
    /// Those of [`paths::check`].
    pub fn check_paths(&mut self, inputs: &[Named<'_>], outputs: &[Named<'_>]) -> Result<(), Error> {
        self.is_outlived |= outputs.iter().any(|(_, path)| path.is_some());
        check_named(outputs)?;
        paths::check(inputs, outputs)
    }

    /// Writes a record as a line of JSON.
    ///
    /// # Errors
    /// The output fails.
    pub(crate) fn json(&mut self, record: &impl Serialize) -> io::Result<()> {
        let line = serde_json::to_string(record)?;
        writeln!(self, "{line}")
    }

    /// Returns the error stream.
    pub fn err(&mut self) -> &mut dyn Write {
        self.err
    }

    /// Writes an error to the error stream, without control characters of foreign text. If that is closed, the exit
    /// code still reports the error.
    pub(crate) fn report(&mut self, error: impl Display) {
        let _ = writeln!(self.err, "error: {}", safe(error));
    }

    fn unless_closed<T>(&mut self, nothing: T, write: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> io::Result<T> {
        if self.is_closed {
            return Ok(nothing);
        }
        match write(self.out) {
            Err(error) if self.is_outlived && error.kind() == ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(nothing)
            }
            other => other,
        }
    }
}

impl Write for Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_closed(bytes.len(), |out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_closed((), |out| out.flush())
    }
}

/// A kind of file that a command writes as a whole, or from its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Games in Portable Game Notation.
    Pgn,
    /// The games of a match as comma-separated values.
    Csv,
    /// A page.
    Html,
    /// The tree of a search as text.
    Tree,
    /// The same as JSON lines.
    JsonTree,
    /// The same in the language of Graphviz.
    Dot,
    /// Plausibilities in JSON.
    Plausibilities,
    /// A dialogue, each line with its time.
    Dialogue,
}

/// The number of bytes at the beginning of a file that show its kind.
pub const BEGINNING: u64 = 1 << 12;

impl FileKind {
    /// Returns the kind of a tree in this form.
    #[must_use]
    pub const fn of_tree(form: Form) -> Self {
        match form {
            Form::Text => Self::Tree,
            Form::Json => Self::JsonTree,
            Form::Dot => Self::Dot,
            Form::Html => Self::Html,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Pgn => "games in PGN",
            Self::Csv => "the games of a match in CSV",
            Self::Html => "an HTML page",
            Self::Tree => "the tree of a search",
            Self::JsonTree => "the tree of a search in JSON",
            Self::Dot => "a graph of Graphviz",
            Self::Plausibilities => "plausibilities in JSON",
            Self::Dialogue => "the record of a dialogue",
        }
    }

    /// Returns whether a file of this kind may begin so.
    #[must_use]
    pub fn begins(self, text: &str) -> bool {
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let line = text.lines().next().unwrap_or_default();
        let begins = |word: &str| text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        match self {
            Self::Pgn => begins_games(text),
            Self::Csv => begins("game,"),
            Self::Html => ["<!doctype html", "<html", "<!--"].into_iter().any(begins),
            Self::Tree => line.ends_with(" to move: values are for it"),
            Self::JsonTree => begins("{\"game\":") && line.contains("\"recorded\":"),
            Self::Dot => begins("digraph") || begins("graph") || begins("strict"),
            Self::Plausibilities => {
                begins("{") && ["\"game\":", "\"categories\":"].iter().all(|key| text.contains(key))
            }
            Self::Dialogue => {
                let seconds = line.split(' ').next().and_then(|word| word.split_once('.'));
                seconds.is_some_and(|(_, decimals)| decimals.len() == 6 && decimals.parse::<u32>().is_ok())
            }
        }
    }

    /// Refuses to replace a file of another kind, which the argument of this name would do by mistake. A file that is
    /// empty or not regular may be written to.
    ///
    /// # Errors
    /// [`Error::BadFile`].
    pub fn check(self, argument: &str, path: Option<&Path>) -> Result<(), Error> {
        let begins = |beginning: &[u8]| self.begins(&String::from_utf8_lossy(beginning));
        check_kind(self.name(), begins, &format!("{argument} would replace it"), path)
    }
}

/// Refuses `-` as the name of an output, which means standard output in other programs.
///
/// # Errors
/// [`Error::BadOptions`].
pub(super) fn check_named(outputs: &[Named<'_>]) -> Result<(), Error> {
    match outputs.iter().find(|(_, path)| *path == Some(Path::new("-"))) {
        Some((argument, _)) => {
            Err(Error::BadOptions(format!("{argument} is a file, not standard output: one with the name - is ./-")))
        }
        None => Ok(()),
    }
}

/// Refuses to append the words of another program to a file that is no text, or that begins with what is no log: games,
/// a table, a page or a tree.
///
/// # Errors
/// [`Error::BadFile`].
pub fn check_log(argument: &str, path: Option<&Path>) -> Result<(), Error> {
    let is_log = |beginning: &[u8]| {
        let text = String::from_utf8_lossy(beginning);
        let others = [FileKind::Csv, FileKind::Html, FileKind::Tree, FileKind::JsonTree];
        let has_games = text.lines().any(|line| line.starts_with("[Event \""));
        !beginning.contains(&0) && !has_games && !others.iter().any(|kind| kind.begins(&text))
    };
    check_kind("a log", is_log, &format!("{argument} would be appended to it"), path)
}

/// Refuses to write to a file that does not begin as one of this kind, and names the harm; see [`FileKind::check`].
///
/// # Errors
/// [`Error::BadFile`].
pub(super) fn check_kind(
    kind: &str,
    begins: impl Fn(&[u8]) -> bool,
    harm: &str,
    path: Option<&Path>,
) -> Result<(), Error> {
    let Some(path) = path.filter(|path| path.is_file()) else { return Ok(()) };
    let mut bytes = Vec::new();
    // Writing says what is wrong with a file that cannot be read.
    let is_read = File::open(path).and_then(|file| file.take(BEGINNING).read_to_end(&mut bytes)).is_ok();
    if !is_read || bytes.trim_ascii().is_empty() || begins(&bytes) {
        return Ok(());
    }
    Err(Error::bad_file(path, format!("is not {kind}, and {harm}")))
}

/// Returns a message without the control characters of foreign text, which are escaped, but for the ends of lines.
#[must_use]
pub fn safe(message: impl Display) -> String {
    message.to_string().lines().map(harmless).collect::<Vec<_>>().join("\n")
}

/// Returns a path as the output of a command shows it, without control characters.
pub(super) fn shown(path: &Path) -> String {
    harmless(&path.to_string_lossy())
}

/// Whether a text begins with games, behind comments and escaped lines: with a tag, or with the number of a move and
/// somewhere a result.
fn begins_games(mut text: &str) -> bool {
    loop {
        text = text.trim_start();
        let behind = text.get(1..).unwrap_or_default().trim_start();
        let end = match text.chars().next() {
            Some('[') => {
                let tag = behind.split_once(char::is_whitespace);
                let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                return tag.is_some_and(|(name, value)| is_name(name) && value.trim_start().starts_with('"'));
            }
            // JSON begins with a text.
            Some('{') if behind.starts_with(['"', '}']) => return false,
            Some('{') => '}',
            Some('%' | ';') => '\n',
            _ => {
                let number = text.split('.').next().unwrap_or_default();
                let is_number = number.len() < text.len() && number.bytes().all(|byte| byte.is_ascii_digit());
                return is_number && text.split_whitespace().any(|word| RESULTS.contains(&word));
            }
        };
        let Some((_, rest)) = text.split_once(end) else { return false };
        text = rest;
    }
}

/// A file that a command writes as a whole at its end: what it replaces stays until then.
pub struct OutputFile<'a> {
    path: &'a Path,
    _lock: FileLock,
}

impl<'a> OutputFile<'a> {
    /// Locks the file. An unfinished one beside it would outlast a kill: it is created at the end.
    ///
    /// # Errors
    /// Those of [`FileLock::new`].
    pub(crate) fn new(path: &'a Path) -> Result<Self, Error> {
        Ok(Self { path, _lock: FileLock::new(path)? })
    }

    /// Writes the contents to a new file, and moves it into place.
    ///
    /// # Errors
    /// [`Error::File`]; an older file is then as before.
    pub(crate) fn write(
        &self,
        contents: impl FnOnce(&mut BufWriter<Replacement>) -> io::Result<()>,
    ) -> Result<(), Error> {
        let written = Replacement::new(self.path).and_then(|file| {
            let mut file = BufWriter::new(file);
            contents(&mut file)?;
            file.into_inner().map_err(io::IntoInnerError::into_error)?.commit()
        });
        written.map_err(|error| Error::file("write", self.path, &error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_of_another_kind_is_not_replaced() {
        const SCRIPT: &str = "import os\nprint(1)\n";
        const RECORD: &str = "{\"secateurs\":1,\"game\":\"kalah\"}\n";
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for (kind, own) in [
            (
                FileKind::Pgn,
                &["[Event \"x\"]\n", "\u{feff}\n% x\n[A \"\"]", "; x\n1. e4 *", "{ A comment } 1. e4 1-0", "1.e4 e5 *"]
                    [..],
            ),
            (FileKind::Csv, &["game,round,p1\n1,1,a\n"]),
            (FileKind::Html, &["<!DOCTYPE html>\n<html>", "<html lang=en>"]),
            (FileKind::Tree, &["kalah <4> n, first to move: values are for it\niteration 3"]),
            (FileKind::JsonTree, &["{\"game\":\"kalah\",\"recorded\":1}\n"]),
            (FileKind::Dot, &["digraph tree {\n"]),
            (FileKind::Plausibilities, &["{\n  \"game\": \"kalah\",\n  \"categories\": []\n}\n"]),
            (FileKind::Dialogue, &["    0.000213 > uci\n", "    0.000213 south > uci\n"]),
        ] {
            let all = own.iter().map(|text| (*text, true)).chain([("", true), (" \n", true), (SCRIPT, false)]);
            let config =
                ["[build-system]\nrequires = []\n", "; init\n(setq x 1)\n", "% thesis\n", "1. buy milk\n2. eat\n"];
            let all = all.chain(config.map(|text| (text, false)));
            let others = [("<svg>", false), ("1,2,3\n", false), ("#!/bin/sh\n", false), (RECORD, false)];
            for (text, is_own) in all.chain(others) {
                fs::write(&path, text).unwrap();
                let checked = kind.check("--output", Some(&path)).map_err(|error| error.to_string());
                assert_eq!(checked.is_ok(), is_own, "{kind:?}: {text:?}");
                assert!(checked.is_ok() || checked.unwrap_err().contains(kind.name()), "{kind:?}");
            }
        }
        for path in [folder.path().to_owned(), folder.path().join("none"), "/dev/null".into()] {
            assert_eq!(FileKind::Pgn.check("--pgn", Some(&path)), Ok(()));
        }
        assert_eq!(FileKind::Pgn.check("--pgn", None), Ok(()));
    }
}
