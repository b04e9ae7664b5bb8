//! Complete books: every position of the first plies, from the values of the last.

use super::files::{build, plan, small_grid};
use super::start;
use secateurs::book::build::{BookPlan, entry_of};
use secateurs::book::{Book, Contents, Entries, Openings};
use secateurs::core::solution::{SolveRequest, Valued};
use secateurs::core::{Limits, Solution, StopFlag};
use secateurs::engine::Board;
use secateurs::registry;
use secateurs::search::Table;
use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Returns boards of games with margins and extra turns, with distances and mirror images, and with an early end.
fn starts() -> Vec<Box<dyn Board>> {
    let [connect4, nim] = ["connect4", "nim"].map(|name| registry::find(name).unwrap());
    let mut heaps = nim.defaults();
    nim.set(&mut heaps, "Heaps", "1,2,1").unwrap();
    vec![start(&[("Houses", "3"), ("Seeds", "2")]), connect4.start(&small_grid()).unwrap(), nim.start(&heaps).unwrap()]
}

fn complete(plies: u8) -> BookPlan {
    BookPlan { plies, complete: true, ..plan(1_000) }
}

fn built(path: &Path, board: &dyn Board, plies: u8) -> Contents {
    assert_eq!(build(path, board, complete(plies), &StopFlag::new()), Ok(true));
    Contents::read(path, &fs::read(path).unwrap()).unwrap()
}

fn solved(board: &dyn Board, table: &Arc<Table>, moves: Valued) -> Solution {
    let request = SolveRequest { moves, ..SolveRequest::default() };
    board.engine(Arc::clone(table)).solve(&request, &StopFlag::new(), &mut |_| {})
}

#[test]
fn a_complete_book_has_all_positions_of_its_plies() {
    let folder = tempfile::tempdir().unwrap();
    for (number, start) in starts().iter().enumerate() {
        // In Kalah the same houses come with other stores, after other numbers of moves.
        let plies = if start.game() == "kalah" { 8 } else { 4 };
        let contents = built(&folder.path().join(number.to_string()), &**start, plies);
        let (mut book, mut visited) = (Book::default(), HashSet::new());
        book.add(&contents, &**start).unwrap();
        contents.visit(&**start, &mut |board, _| _ = visited.insert(board.symmetric_key())).unwrap();
        let (mut all, mut ply) = (HashSet::new(), vec![start.boxed()]);
        for depth in 0..=plies {
            ply.retain(|board| board.outcome().is_none());
            for board in &ply {
                // Some positions of the last ply have only moves that end the game.
                let (entry, table) = (book.probe(&**board), Arc::new(Table::new(1).unwrap()));
                if entry.is_some() || depth < plies {
                    assert_eq!(entry, entry_of(&**board, &solved(&**board, &table, Valued::Best)), "{}", board.text());
                }
                all.insert(board.symmetric_key());
            }
            if depth < plies {
                ply = ply.iter().flat_map(|board| board.children()).collect();
            }
        }
        assert!(all == visited, "{}: {} positions, not {}", start.game(), visited.len(), all.len());
        let last: HashSet<_> = ply.iter().map(|board| board.symmetric_key()).collect();
        assert_eq!(contents.entries.count(), last.len(), "{}", start.game());
    }
}

#[test]
fn a_complete_book_does_not_depend_on_threads_and_interruptions() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two, three] = ["one", "two", "three"].map(|name| folder.path().join(name));
    let board = registry::find("connect4").unwrap().start(&small_grid()).unwrap();
    let (go, stopped) = (StopFlag::new(), StopFlag::new());
    stopped.raise();
    assert_eq!(build(&one, &*board, complete(4), &go), Ok(true));
    assert_eq!(build(&two, &*board, BookPlan { threads: 3, ..complete(4) }, &go), Ok(true));
    assert_eq!(build(&three, &*board, complete(4), &stopped), Ok(false));
    let mut contents = Contents::read(&one, &fs::read(&one).unwrap()).unwrap();
    let Entries::Values(values) = &mut contents.entries else { panic!("no values") };
    let all = values.len();
    values.truncate(5);
    contents.write(&three).unwrap();
    let error = Book::default().add(&contents, &*contents.start().unwrap()).unwrap_err();
    assert!(
        error.to_string().ends_with(&format!("is unfinished: 5 of {all} values; its build continues it")),
        "{error}"
    );
    assert_eq!(build(&three, &*board, complete(4), &go), Ok(true));
    let bytes = [&one, &two, &three].map(|path| fs::read(path).unwrap());
    assert!(bytes[0] == bytes[1] && bytes[0] == bytes[2]);
    // Other plies, and the other kind of book, are other files.
    for (other, named) in [(complete(3), "a complete book of "), (plan(9), "a book of ")] {
        let error = build(&one, &*board, other, &go).unwrap_err().to_string();
        assert!(error.contains(" to 4 plies, not ") && error.contains(&format!("not {named}")), "{error}");
    }
    let few = BookPlan { entries: 20, ..complete(4) };
    let error = build(&folder.path().join("few"), &*board, few, &go).unwrap_err().to_string();
    assert!(error.contains("4 plies have more than 20 positions: allow more entries, or fewer plies"), "{error}");
    values_of_too_many_positions_are_refused(contents);
}

fn values_of_too_many_positions_are_refused(mut contents: Contents) {
    contents.entries = Entries::Values(vec![0; 9_999]);
    let error = Book::default().add(&contents, &*contents.start().unwrap()).unwrap_err().to_string();
    assert!(error.contains("has 9999 values of "), "{error}");
    contents.subject.complete = Some(200);
    assert!(Book::default().add(&contents, &*contents.start().unwrap()).is_err());
}

#[test]
fn impossible_values_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for board in starts() {
        let mut contents = built(&folder.path().join(board.game()), &*board, 2);
        let Entries::Values(values) = &mut contents.entries else { panic!("no values") };
        values[1] = 31_999;
        let error = Book::default().add(&contents, &*contents.start().unwrap()).unwrap_err().to_string();
        assert!(error.contains("has an entry that does not fit "), "{error}");
    }
}

/// With the book in the table, a position before its end needs no search for the values of its moves.
#[test]
fn openings_answer_for_all_moves() {
    let row = registry::find("connect4").unwrap();
    let board = row.start(&row.defaults()).unwrap();
    let (openings, table) = (Openings::for_board(&*board).unwrap(), Arc::new(Table::new(32).unwrap()));
    openings.store(&table);
    let limits = Limits { nodes: Some(200), ..Limits::default() };
    let request = SolveRequest { limits, moves: Valued::All, ..SolveRequest::default() };
    let found = board.engine(table).solve(&request, &StopFlag::new(), &mut |_| {});
    let mut counts: Vec<_> = found.moves.iter().map(|(mv, bounds)| (&mv[..], board.count(bounds.lower))).collect();
    counts.sort_unstable();
    // The published values of the first moves (Allen 1988, Tromp 1995).
    assert_eq!(
        counts,
        ["1", "2", "3", "4", "5", "6", "7"].into_iter().zip([-2, -1, 0, 1, 0, -1, -2]).collect::<Vec<_>>()
    );
    // No book begins on another board.
    assert!(Openings::for_board(&*row.start(&small_grid()).unwrap()).unwrap().is_empty());
}
