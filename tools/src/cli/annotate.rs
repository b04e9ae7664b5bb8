//! `secateurs analyse --pgn`: annotates the games of a file.

use super::analyse::{self, Args};
use super::progress;
use super::setup::GameArgs;
use super::{Failure, Status, input_lines, interrupt, report};
use secateurs::annotate::{self, Annotated, AnnotatedMove};
use secateurs::core::error::Quoted;
use secateurs::core::{Error, Request};
use secateurs::pgn::{self, PgnGame};
use secateurs::registry;
use secateurs::store::bounded;
use serde::Serialize;
use std::io::{self, Write};
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

/// A game that could not be read or annotated.
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
    let setup = game.or(registry::find("chess")?).setup()?;
    let text = if input_lines::is_stdin(path) {
        input_lines::say_if_typed(path, "games", err);
        bounded::rest(io::stdin(), LARGEST).map(pgn::decode).map_err(|error| Error::file("read", path, &error))?
    } else {
        pgn::load(path, LARGEST)?
    };
    let games: Vec<_> = pgn::games(&text, &setup).collect();
    if games.is_empty() {
        return Err(Error::bad_file(path, "has no game").into());
    }
    let positions = games.iter().flatten().map(|game| game.moves.len() as u64 + 1).sum();
    let bar = progress::bar(Some(positions), "positions");
    let (table, stop) = (analyse::table(args.hash)?, interrupt::flag());
    let request = Request { threads: args.threads.into(), ..Request::new(analyse::limits(args)) };
    let file = Quoted::new(&path.to_string_lossy());
    let mut status = Status::Done;
    for (number, game) in (1..).zip(&games) {
        let (line, message, error) = match game {
            Ok(game) => {
                for doubt in game.doubts() {
                    log::warn!("{file}: game {number} in line {} {doubt}", game.line);
                }
                match annotate::annotate(game, &setup, &table, &request, &stop, &mut || bar.inc(1)) {
                    Ok(None) => return Ok(Status::Interrupted),
                    Ok(Some(found)) => {
                        bar.suspend(|| write(args.json, number, game, &found, out))?;
                        continue;
                    }
                    Err(error) => {
                        let line = game.line_at_fault(&setup);
                        (line, format!("game {number}, line {line}: {error}"), error.to_string())
                    }
                }
            }
            Err(error) => (error.line, format!("game {number}: {error}"), error.to_string()),
        };
        status = Status::SomeBad;
        if args.json {
            let bad = serde_json::to_string(&BadGame { game: number, line, error }).map_err(std::io::Error::from)?;
            bar.suspend(|| writeln!(out, "{bad}"))?;
        } else {
            bar.suspend(|| report(err, format_args!("{file}: {message}")));
        }
    }
    bar.finish_and_clear();
    Ok(status)
}

fn write(json: bool, number: usize, game: &PgnGame, found: &Annotated, out: &mut impl Write) -> std::io::Result<()> {
    if !json {
        return found.write(out, game);
    }
    found.moves.iter().try_for_each(|annotated| {
        let row = serde_json::to_string(&Row { game: number, annotated })?;
        writeln!(out, "{row}")
    })
}
