//! `secateur analyse --pgn`: annotates the games of a file.

use super::analyse::{self, Args};
use super::progress;
use super::setup::GameArgs;
use super::{Failure, Status, interrupt};
use crate::annotate::{self, AnnotatedMove};
use crate::core::{Error, Request};
use crate::pgn::{self, PgnGame};
use crate::registry::{self, Setup};
use crate::store::{bounded, regular};
use serde::Serialize;
use std::io::Write;
use std::path::Path;

/// The size limit of a file in bytes.
const LARGEST: u64 = 256 << 20;

/// A line of the output in JSON.
#[derive(Serialize)]
struct Row<'a> {
    /// The number of the game in the file, from 1.
    game: usize,
    #[serde(flatten)]
    annotated: &'a AnnotatedMove,
}

/// A game that could not be annotated.
#[derive(Serialize)]
struct BadGame {
    game: usize,
    line: usize,
    error: String,
}

/// Annotates the games in turn, and writes each when it is complete. Without a tag `Variant` a game is chess, unless
/// another game is chosen.
pub(super) fn run(
    args: &Args,
    path: &Path,
    game: &GameArgs,
    out: &mut impl Write,
    err: &mut impl Write,
) -> Result<Status, Failure> {
    let setup = if game.is_empty() { Setup::new(registry::find("chess")?) } else { game.setup()? };
    regular::check(path)?;
    let bytes = bounded::read(path, LARGEST).map_err(|error| Error::file("read", path, &error))?;
    let text = String::from_utf8(bytes).map_err(|_| Error::bad_file(path, "is not UTF-8 text"))?;
    let games = pgn::games(&text).collect::<Result<Vec<_>, _>>().map_err(|reason| Error::bad_file(path, reason))?;
    if games.is_empty() {
        return Err(Error::bad_file(path, "has no game").into());
    }
    let positions = games.iter().map(|game| game.moves.len() as u64 + 1).sum();
    let bar = progress::bar(Some(positions), "positions");
    let (table, stop) = (analyse::table(args.hash)?, interrupt::flag());
    let request = Request { threads: args.threads.into(), ..Request::new(analyse::limits(args)) };
    let mut status = Status::Done;
    for (number, game) in (1..).zip(&games) {
        let done = game.setup(&setup).and_then(|setup| {
            let found = annotate::annotate(game, &setup, &table, &request, &stop, &mut || bar.inc(1))?;
            Ok(found.map(|moves| (setup, moves)))
        });
        match done {
            Ok(None) => return Ok(Status::Interrupted),
            Ok(Some((setup, moves))) => bar.suspend(|| write(args.json, number, game, &setup, &moves, out))?,
            Err(error) => {
                status = Status::SomeBad;
                let bad = BadGame { game: number, line: game.line, error: error.to_string() };
                bar.suspend(|| match serde_json::to_string(&bad) {
                    Ok(bad) if args.json => writeln!(out, "{bad}"),
                    _ => writeln!(err, "error: game {number} in line {}: {error}", game.line),
                })?;
            }
        }
    }
    bar.finish_and_clear();
    Ok(status)
}

fn write(
    json: bool,
    number: usize,
    game: &PgnGame,
    setup: &Setup,
    moves: &[AnnotatedMove],
    out: &mut impl Write,
) -> std::io::Result<()> {
    if !json {
        return annotate::write(out, game, setup, moves);
    }
    moves.iter().try_for_each(|annotated| {
        let row = serde_json::to_string(&Row { game: number, annotated })?;
        writeln!(out, "{row}")
    })
}
