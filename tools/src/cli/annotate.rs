//! `secateurs analyse --pgn`: annotates the games of a file.

use super::analyse::AnalyseArgs;
use super::output::Output;
use super::positions::Batch;
use super::setup::GameArgs;
use super::{Failure, Status, input_lines};
use secateurs::annotate::{self, Annotated, AnnotatedMove};
use secateurs::core::error::Quoted;
use secateurs::core::{Error, Request};
use secateurs::pgn::{self, PgnGame};
use secateurs::registry;
use secateurs::store::bounded;
use serde::Serialize;
use std::io;
use std::path::Path;

/// The size limit of a file in bytes.
const LARGEST: u64 = 256 << 20;

/// A line of the output in JSON.
#[derive(Serialize)]
struct MoveRow<'a> {
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
pub(super) fn run(args: &AnalyseArgs, path: &Path, game: &GameArgs, out: &mut Output<'_>) -> Result<Status, Failure> {
    let setup = game.or(registry::find("chess")?).setup()?;
    let text = if input_lines::is_stdin(path) {
        input_lines::say_if_typed(path, "games", out.err());
        bounded::rest(io::stdin(), LARGEST).map(pgn::decode).map_err(|error| Error::file("read", path, &error))?
    } else {
        pgn::load(path, LARGEST)?
    };
    let games: Vec<_> = pgn::games(&text, &setup).collect();
    if games.is_empty() {
        return Err(Error::bad_file(path, "has no game").into());
    }
    let positions = games.iter().flatten().map(|game| game.moves.len() as u64 + 1).sum();
    let mut batch = Batch::new(out, args.json, Some(positions), "positions");
    let table = args.engine.hash.table()?;
    let request = Request { threads: args.engine.threads(), ..Request::new(args.limits()) };
    let file = Quoted::new(&path.to_string_lossy());
    for (number, game) in (1..).zip(&games) {
        let (line, message, error) = match game {
            Ok(game) => {
                for doubt in game.doubts() {
                    log::warn!("{file}: game {number} in line {} {doubt}", game.line);
                }
                let (stop, bar) = (&batch.stop, &batch.bar);
                match annotate::annotate(game, &setup, &table, &request, stop, &mut || bar.inc(1)) {
                    Ok(None) => return Ok(Status::Interrupted),
                    Ok(Some(found)) => {
                        batch.write(|out| write(args.json, number, game, &found, out))?;
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
        batch.bad(&BadGame { game: number, line, error }, format_args!("{file}: {message}"))?;
    }
    batch.bar.finish_and_clear();
    Ok(batch.status)
}

fn write(json: bool, game: usize, played: &PgnGame, found: &Annotated, out: &mut Output<'_>) -> io::Result<()> {
    if !json {
        return found.write(out, played);
    }
    found.moves.iter().try_for_each(|annotated| out.json(&MoveRow { game, annotated }))
}
