//! `secateurs analyse --pgn`: annotates the games of a file.

use super::analyse::AnalyseArgs;
use super::output::{FileKind, Output, OutputFile};
use super::positions::Batch;
use super::setup::GameArgs;
use super::{Failure, Status, input_lines};
use secateurs::annotate::page::PageGame;
use secateurs::annotate::{self, Annotated, Plan};
use secateurs::core::Request;
use secateurs::pgn::{self, PgnGame};
use secateurs::registry;
use secateurs::store::{bounded, paths};
use secateurs::util::counted::counted;
use serde_json::json;
use std::fs::File;
use std::io;
use std::path::Path;

/// The size limit of a file in bytes.
const LARGEST: u64 = 256 << 20;

/// Annotates the games in turn, and writes each when it is complete. Without a tag `Variant` a game is chess, unless
/// another game is chosen.
pub(super) fn run(
    args: &AnalyseArgs,
    path: &Path,
    game_args: &GameArgs,
    out: &mut Output<'_>,
) -> Result<Status, Failure> {
    out.check_paths(&[paths::input("--pgn", Some(path))], &[("--html", args.html.as_deref())])?;
    FileKind::Html.check("--html", args.html.as_deref())?;
    let page = args.html.as_deref().map(OutputFile::new).transpose()?;
    let setup = game_args.or(registry::find("chess")?).setup()?;
    input_lines::say_if_typed(path, "games", out.err());
    // A pipe may have a name too.
    let read = match input_lines::is_stdin(path) {
        true => bounded::rest(io::stdin(), LARGEST),
        false => File::open(path).and_then(|file| bounded::rest(file, LARGEST)),
    };
    let file = input_lines::name(path);
    let text = read.map(pgn::decode).map_err(|error| input_lines::unreadable(&file, &error))?;
    let games: Vec<_> = pgn::games(&text, &setup).collect();
    if games.is_empty() {
        return Err(Failure::Usage(format!("{file} has no game")));
    }
    let positions = games.iter().flatten().map(|game| (game.moves.len() + 1).saturating_sub(args.skip) as u64).sum();
    let mut batch = Batch::new(out, args.json, Some(positions), "positions");
    let table = args.engine.hash.table()?;
    let request = Request { threads: args.engine.threads(), ..Request::new(args.limits()) };
    let plan = Plan { here: &setup, table: &table, request: &request, skip: args.skip };
    let mut annotated = Vec::new();
    for (number, game) in (1..).zip(&games) {
        let (line, message, error) = match game {
            Ok(game) => {
                for doubt in game.doubts() {
                    log::warn!("{file}: game {number} in line {} {doubt}", game.line);
                }
                let (stop, bar) = (&batch.stop, &batch.bar);
                match annotate::annotate(game, &plan, stop, &mut || bar.inc(1)) {
                    Ok(found) => {
                        let name = found.setup().row().name;
                        if !game_args.options().is_empty() && name != setup.row().name {
                            log::warn!("{file}: game {number} is {name}: --option is for {}", setup.row().name);
                        }
                        let is_stopped = stop.is_raised();
                        if is_stopped {
                            batch.status = Status::Interrupted;
                            let (done, all) = (found.moves.len(), game.moves.len());
                            let part = match done {
                                0 => String::new(),
                                _ => format!("; only its last {done} of {all} moves are annotated"),
                            };
                            let left = match games.len() - number + usize::from(done == 0) {
                                0 => String::new(),
                                left => format!("; left out: {}", counted(left, "game")),
                            };
                            log::warn!("{file}: interrupted in game {number}{part}{left}");
                        }
                        if !is_stopped || !found.moves.is_empty() {
                            batch.write(|out| write(args.json, number, game, &found, out))?;
                            if page.is_some() {
                                annotated.push((game, found));
                            }
                        }
                        if is_stopped {
                            break;
                        }
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
        batch.bad(&json!({"game": number, "line": line, "error": error}), format_args!("{file}: {message}"))?;
    }
    batch.bar.finish_and_clear();
    let status = batch.status;
    // What was interrupted before its first game replaces no page.
    if let Some(page) = page.filter(|_| status != Status::Interrupted || !annotated.is_empty()) {
        let games: Vec<_> = annotated
            .iter()
            .map(|(game, found)| PageGame { game, setup: found.setup(), moves: &found.moves })
            .collect();
        page.write(|out| annotate::page::write(&games, out)).map_err(Failure::Unsaved)?;
    }
    Ok(status)
}

fn write(json: bool, game: usize, played: &PgnGame, found: &Annotated, out: &mut Output<'_>) -> io::Result<()> {
    if !json {
        return found.write(out, played);
    }
    for annotated in &found.moves {
        let mut row = json!(annotated);
        row["game"] = game.into();
        out.json(&row)?;
    }
    out.json(&json!({"game": game, "players": found.summaries()}))
}
