//! Batches: rows are equal to single searches for any number of workers.

use secateurs::batch::{Analysed, BatchRow, Given, Job, Run, analyse};
use secateurs::core::{Error, Limits, Request, StopFlag};
use secateurs::registry::{self, Setup};
use secateurs::search::Table;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

fn job(game: &str, limits: Limits) -> Job {
    Job { setup: Setup::named(game).unwrap(), limits, hash: 1, pv: true, lines: 1 }
}

/// Positions of some games: those after the first moves, every fifth later one and the last; alternately a board and
/// text.
fn walks(game: &str) -> Vec<Given> {
    let (mut given, mut played) = (Vec::new(), 0);
    for first in 0..3 {
        let mut board = Setup::named(game).unwrap().board("startpos").unwrap();
        while let Some(mv) = board.moves().into_iter().cycle().nth(first + played % 4) {
            board.play(&mv).unwrap();
            played += 1;
            let ply = board.history().len();
            if ply > 8 && !ply.is_multiple_of(5) && board.outcome().is_none() {
                continue;
            }
            let text = || Given::Text(board.text());
            given.push(if given.len() % 2 == 0 { text() } else { Given::Board(board.boxed()) });
            // Play may go on after a draw.
            if board.outcome().is_some() {
                break;
            }
        }
    }
    given
}

fn timeless(rows: Vec<BatchRow>) -> Vec<BatchRow> {
    let without = |row: BatchRow| BatchRow { found: row.found.map(|found| Analysed { micros: 0, ..found }), ..row };
    rows.into_iter().map(without).collect()
}

fn found(given: &[Given], job: &Job, run: &Run<'_>) -> Vec<BatchRow> {
    timeless(analyse(given, job, run).unwrap().unwrap())
}

#[test]
fn only_chosen_moves_are_searched() {
    let job = job("chess", Limits::depth(3));
    let among = |text: &str, moves: &[&str]| {
        Given::Among(Box::new(Given::Text(text.into())), moves.iter().map(|&mv| mv.into()).collect())
    };
    let given = [among("startpos", &["e4", "Nf3"]), among("startpos", &["Ke2"]), among("no position", &["e4"])];
    let mut rows = found(&given, &job, &Run::default());
    rows.iter_mut().zip(&given).for_each(|(row, given)| row.add_san(given, &job.setup));
    let best = rows[0].found.as_ref().unwrap();
    assert!(["e2e4", "g1f3"].contains(&best.best.as_str()), "{}", best.best);
    assert_eq!(best.san.len(), best.pv.len());
    assert!(["e4", "Nf3"].contains(&best.san[0].as_str()), "{:?}", best.san);
    assert!(rows[1].found.as_ref().unwrap_err().starts_with("illegal move \"Ke2\""));
    assert_eq!((&*rows[1].input, rows[1].position.contains(" w KQkq ")), ("startpos", true));
    assert_eq!((&*rows[2].input, &*rows[2].position), ("no position", "no position"));
}

#[test]
fn every_row_is_that_of_a_fresh_engine_for_any_number_of_workers() {
    for game in registry::GAMES {
        // Deep enough to make the tables grow.
        let given: Vec<_> = walks(game.name).into_iter().step_by(3).collect();
        let job = job(game.name, Limits { nodes: Some(9_000), ..Limits::depth(11) });
        let one = found(&given, &job, &Run { threads: 1, ..Run::default() });
        assert_eq!(one, found(&given, &job, &Run { threads: 3, ..Run::default() }));
        assert!(one.len() > 6, "{}", game.name);
        for (row, given) in one.iter().zip(&given) {
            let board = given.board(&job.setup).unwrap();
            assert_eq!(row.position, board.text());
            let mut engine = board.engine(Arc::new(Table::new(1).unwrap()));
            let alone = &engine.search(&Request::new(job.limits.clone()), &StopFlag::new(), &mut |_| {})[0];
            match &row.found {
                Ok(found) => {
                    assert_eq!((found.nodes, found.score, &found.pv), (alone.nodes, alone.score, &alone.pv));
                    assert_eq!((found.proof, found.bound, found.depth), (alone.proof, alone.bound, alone.depth));
                    assert_eq!(Some(&found.best), alone.best());
                }
                Err(error) => assert_eq!((error.as_str(), board.moves().len()), ("the game is over", 0)),
            }
        }
    }
}

#[test]
fn a_stopped_batch_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("batch");
    let (given, job) = (walks("kalah"), job("kalah", Limits::depth(8)));
    let (stop, done) = (StopFlag::new(), AtomicUsize::new(0));
    let run = Run { threads: 2, checkpoint: Some(&path), stop: Some(&stop), done: Some(&done) };
    let stopped = thread::scope(|scope| {
        let running = scope.spawn(|| analyse(&given, &job, &run));
        while done.load(Ordering::Relaxed) < 5 && !running.is_finished() {
            thread::yield_now();
        }
        stop.raise();
        running.join().unwrap()
    });
    let finished = done.load(Ordering::Relaxed);
    assert!(stopped.unwrap().is_none() && finished >= 5 && finished < given.len(), "{finished}");
    let before = std::fs::read(&path).unwrap();
    let again = Run { threads: 2, checkpoint: Some(&path), ..Run::default() };
    assert_eq!(found(&given, &job, &again), found(&given, &job, &Run::default()));
    let after = std::fs::read(&path).unwrap();
    assert!(after.starts_with(&before) && after.len() > before.len());
    // The checkpoint is complete: no row is searched again, not even for its time.
    assert_eq!(analyse(&given, &job, &again), analyse(&given, &job, &again));
    assert_eq!(std::fs::read(&path).unwrap(), after);
}

#[test]
fn another_batch_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("batch");
    let texts = |texts: &[&str]| texts.iter().map(|&text| Given::Text(text.into())).collect::<Vec<_>>();
    let (given, first) = (texts(&["3,4,5 1", "1,2 1"]), job("nim", Limits::depth(3)));
    let run = Run { checkpoint: Some(&path), ..Run::default() };
    analyse(&given, &first, &run).unwrap();
    let refused = |given: &[Given], job: &Job, words: &str| {
        let error = analyse(given, job, &run).unwrap_err();
        assert!(matches!(error, Error::BadFile(..)) && error.to_string().contains(words), "{error}");
    };
    refused(&texts(&["3,4,5 1"]), &first, "it has 2 positions, not 1");
    refused(&texts(&["3,4,5 1", "1,3 1"]), &first, "its positions or its root moves are others");
    let four = job("nim", Limits { nodes: Some(9), ..Limits::depth(4) });
    refused(&given, &four, r#"its limit is \"depth=3\", not \"depth=4 nodes=9\""#.replace('\\', "").as_str());
    refused(&given, &Job { hash: 2, ..first.clone() }, "its hash is 1 MiB, not 2");
    refused(&given, &Job { pv: false, ..first.clone() }, "it has variations");
    refused(&given, &Job { lines: 2, ..first.clone() }, "it has 1 line a position, not 2");
    let mut misere = first.clone();
    misere.setup.set("Misere", "true").unwrap();
    refused(&given, &misere, "its options or its evaluation are others");
    refused(&given, &job("kalah", Limits::depth(3)), "its options or its evaluation are others");
    assert_eq!(analyse(&given, &first, &run).unwrap().map(|rows| rows.len()), Some(2));
}

#[test]
fn nothing_is_no_work_and_tables_that_do_not_fit_are_refused() {
    let mut job = job("nim", Limits::depth(1));
    assert_eq!(analyse(&[], &job, &Run { threads: 9, ..Run::default() }), Ok(Some(Vec::new())));
    job.hash = 1 << 40;
    assert!(matches!(analyse(&[], &job, &Run::default()), Err(Error::TableTooLarge { .. })));
}
