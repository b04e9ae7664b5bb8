//! Opening books: their values are exact, they answer for their own positions alone, and they are reproducible.

mod complete;
mod files;
mod play;

use secateurs::book::build::entry_of;
use secateurs::book::{Book, BookEntry, Contents, moves_of};
use secateurs::core::databases::{Build, BuildPlan};
use secateurs::core::solution::SolveRequest;
use secateurs::core::{OptionKind, Options, StopFlag, Ties, score};
use secateurs::engine::Board;
use secateurs::registry::{self, GAMES, GameRow, Setup};
use secateurs::search::Table;
use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

/// The number of entries of a large board that are searched again.
const SAMPLE: usize = 8;

/// The most seeds in play in a position that a test can search again.
const MOST: usize = 44;

/// Returns every book of every game.
fn books() -> Vec<(&'static GameRow, Contents)> {
    let of = |row: &'static GameRow| {
        row.books.iter().map(move |bytes| (row, Contents::read("book".as_ref(), bytes).unwrap()))
    };
    GAMES.iter().flat_map(of).collect()
}

fn kalah(set: &[(&str, &str)]) -> Options {
    let mut options = registry::find("kalah").unwrap().defaults();
    for (name, value) in set {
        options.set(name, value).unwrap();
    }
    options
}

fn start(set: &[(&str, &str)]) -> Box<dyn Board> {
    registry::find("kalah").unwrap().start(&kalah(set)).unwrap()
}

/// A book of a game, open, with the positions that it has an entry for, in its order.
struct Opened {
    row: &'static GameRow,
    contents: Contents,
    book: Book,
    boards: Vec<Box<dyn Board>>,
}

/// Every book of every game. To open them all takes long, and several tests look at them.
static OPENED: LazyLock<Vec<Opened>> = LazyLock::new(|| {
    let opened = |(row, contents)| {
        let (book, boards) = open(&contents);
        Opened { row, contents, book, boards }
    };
    books().into_iter().map(opened).collect()
});

/// Returns a book and the positions that it has an entry for, in its order.
fn open(contents: &Contents) -> (Book, Vec<Box<dyn Board>>) {
    let (mut book, mut boards) = (Book::default(), Vec::new());
    book.add(contents, &*contents.start().unwrap()).unwrap();
    let start = contents.start().unwrap();
    contents.visit(&*start, &mut |board, _| boards.push(board.boxed())).unwrap();
    // The positions of the last ply of a complete book have no moves there.
    boards.retain(|board| book.probe(&**board).is_some());
    (book, boards)
}

fn seeds_in_play(board: &dyn Board) -> usize {
    let text = board.text();
    let houses = text.split(['<', ',', '>']).skip(4).map_while(|number| number.parse::<usize>().ok());
    houses.sum()
}

/// Returns a number as the pages write it: 4,902.
fn grouped(number: usize) -> String {
    if number < 1000 { number.to_string() } else { format!("{},{:03}", grouped(number / 1000), number % 1000) }
}

/// The table in protocol.md equals the registry's, and so do the figures in docs/books.md.
#[test]
fn the_documentation_lists_all_books() {
    let (protocol, page) = (include_str!("../../protocol.md"), include_str!("../../docs/books.md"));
    let mut table = "| game | options not at their defaults | positions |\n|---|---|---|\n".to_owned();
    let files = GAMES.iter().flat_map(|row| row.books);
    for (Opened { row, contents, boards, .. }, bytes) in OPENED.iter().zip(files) {
        let options: Vec<_> =
            contents.subject.options.iter().map(|(name, value)| format!("`{name}={value}`")).collect();
        let options = if options.is_empty() { "none".into() } else { options.join(" ") };
        // In Kalah a position may come after different numbers of moves.
        let positions = boards.iter().map(|board| board.symmetric_key()).collect::<HashSet<_>>().len();
        let positions = grouped(positions);
        table += &format!("| {} | {options} | {positions} |\n", row.name);
        let figures = format!(" | {positions} | {} | ", grouped(bytes.len()));
        assert!(page.contains(&figures), "docs/books.md lacks a book of {} with{figures}", row.name);
    }
    assert!(protocol.contains(&format!("\n{table}\n")), "protocol.md lacks this table of the books:\n{table}");
}

/// A third of the entries of Kalah's small boards. Of the others, those with the fewest seeds in play, where a test can
/// search them. Of Connect Four, some of those with the most stones.
#[test]
fn entries_equal_exact_search() {
    // Books of one game share its databases.
    let folder = tempfile::tempdir().unwrap();
    for Opened { row, contents, book, boards } in &*OPENED {
        let mut options = contents.start().unwrap().options().clone();
        if let Some(databases) = row.databases {
            let path = folder.path();
            assert_eq!(
                databases.build(
                    &options,
                    BuildPlan { size: 18, distances: false },
                    &Build { folder: path, threads: 1, stop: &StopFlag::new(), progress: &|_| {} }
                ),
                Ok(true)
            );
            options.set(databases.option(), &path.to_string_lossy()).unwrap();
        }
        let mut boards: Vec<&dyn Board> = boards.iter().map(|board| &**board).collect();
        if row.name != "kalah" {
            boards = boards.into_iter().rev().step_by(15_000).take(SAMPLE / 2).collect();
        } else if options.spin("Seeds") > 3 {
            boards.retain(|&board| seeds_in_play(board) <= MOST);
            boards.sort_by_key(|&board| seeds_in_play(board));
            boards.truncate(SAMPLE);
        } else {
            boards = boards.into_iter().step_by(3).collect();
        }
        let table = Arc::new(Table::new(64).unwrap());
        for board in boards {
            let searched = row.parse(&options, &board.text()).unwrap();
            let request = SolveRequest { pv: false, ..SolveRequest::default() };
            let found = searched.engine(table.clone()).solve(&request, &StopFlag::new(), &mut |_| {});
            assert_eq!(entry_of(&*searched, &found), book.probe(board), "{}", board.text());
        }
    }
}

/// The published values of the starting positions and their moves; see the file for the sources.
#[test]
fn books_have_the_published_values() {
    let book = Book::built_in(registry::find("kalah").unwrap()).unwrap();
    let value = |board: &dyn Board| {
        let score = book.report(board, Ties::First)?.score;
        Some(if board.turn().index() == 0 { score } else { -score } / 100)
    };
    let mut held = 0;
    for line in include_str!("../data/kalah_values.tsv").lines().filter(|line| !line.starts_with('#')).skip(1) {
        let [rule, houses, seeds, expected, moves] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let board = start(&[("Capture", rule), ("Houses", houses), ("Seeds", seeds)]);
        let Some(found) = value(&*board) else { continue };
        assert_eq!(found, expected.parse::<i32>().unwrap(), "{line}");
        for (mv, expected) in board.moves().iter().zip(moves.split_whitespace()) {
            let mut after = board.boxed();
            after.play(mv).unwrap();
            if let Some(found) = value(&*after) {
                assert_eq!(found, expected.parse::<i32>().unwrap(), "{line}: {mv}");
                held += 1;
            }
        }
    }
    assert!(held >= 6, "{held}");
}

/// A position whose moves are all in the book has the value of the best of them. No move in the book exceeds it. Of a
/// complete book, where that is so by construction, some positions.
#[test]
fn entries_agree_with_their_successors() {
    let mut whole = 0;
    for Opened { contents, book, boards, .. } in &*OPENED {
        let value = |board: &dyn Board, entry: &BookEntry| board.settled() + entry.value;
        let step = if contents.subject.complete.is_some() { 50 } else { 1 };
        for board in boards.iter().step_by(step) {
            let entry = book.probe(&**board).unwrap();
            let best = moves_of(&**board, &entry);
            assert!(!best.is_empty() && best.len() == entry.best.len());
            let mut known = Vec::new();
            for mv in board.moves() {
                let mut after = board.boxed();
                after.play(&mv).unwrap();
                let sign = if after.turn() == board.turn() { 1 } else { -1 };
                let worth = match after.outcome() {
                    Some(outcome) => Some(outcome.score()),
                    None => book.probe(&*after).map(|entry| value(&*after, &entry)),
                };
                if let Some(worth) = worth {
                    let worth = score::from_node(sign * worth, 1);
                    known.push(mv.clone());
                    assert_eq!(worth == value(&**board, &entry), best.contains(&mv), "{} {mv}", board.text());
                    assert!(worth <= value(&**board, &entry), "{} {mv}", board.text());
                }
            }
            whole += usize::from(known.len() == board.moves().len());
        }
    }
    assert!(whole > 1_000, "{whole}");
}

#[test]
fn positions_are_found_by_their_houses_and_rules() {
    let row = registry::find("kalah").unwrap();
    let book = Book::built_in(row).unwrap();
    let score = |board: &dyn Board| book.report(board, Ties::First).map(|report| report.score);
    for capture in ["empty", "standard"] {
        let rule = ("Capture", capture);
        assert_eq!(score(&*start(&[("Seeds", "3"), rule])), Some(200));
        assert_eq!(score(&*start(&[("Seeds", "3"), ("First", "north"), rule])), Some(200));
        for other in
            [[("Houses", "5"), ("Seeds", "3")], [("Houses", "6"), ("Seeds", "2")], [("Houses", "6"), ("Seeds", "9")]]
        {
            assert_eq!(score(&*start(&[other[0], other[1], rule])), None, "{other:?}");
        }
        // Positions set from text, whatever the options say of the start. The lead in the stores counts.
        let options = kalah(&[("Houses", "8"), rule]);
        for (text, expected) in [
            ("<6,0,0,3,3,3,3,3,3,3,3,3,3,3,3> s", Some(200)),
            ("<6,9,2,3,3,3,3,3,3,3,3,3,3,3,3> s", Some(900)),
            ("<6,9,2,3,3,3,3,3,3,3,3,3,3,3,3> n", Some(-500)),
            ("<6,0,0,3,3,3,3,3,3,3,3,3,3,3,4> s", None),
        ] {
            assert_eq!(score(&*row.parse(&options, text).unwrap()), expected, "{text}");
        }
    }
    // Each rule has values of its own: they differ after the first move.
    let after = |capture| {
        let mut board = start(&[("Seeds", "3"), ("Capture", capture)]);
        board.play("1").unwrap();
        score(&*board)
    };
    assert_eq!((after("empty"), after("standard")), (Some(1_200), Some(1_400)));
    let mut one = Book::default();
    let (_, contents) = books().into_iter().find(|(_, book)| book.subject.options.contains_key("Capture")).unwrap();
    one.add(&contents, &*contents.start().unwrap()).unwrap();
    assert!(one.probe(&*start(&[("Seeds", "3"), ("Capture", "empty")])).is_some());
    assert!(one.probe(&*start(&[("Seeds", "3"), ("Capture", "standard")])).is_none());
}

/// Other rules have other values. Games whose positions repeat have no books.
#[test]
fn keys_have_the_rules_that_positions_do_not_determine() {
    for row in GAMES.iter().filter(|row| !row.is_cyclic) {
        let usual = row.start(&row.defaults()).unwrap();
        for option in row.options {
            let values = match option.kind {
                OptionKind::Check { default } => vec![(!default).to_string()],
                OptionKind::Spin { min, max, .. } => vec![min.to_string(), max.to_string()],
                OptionKind::Combo { choices, .. } => choices.iter().map(|&choice| choice.to_owned()).collect(),
                _ => Vec::new(),
            };
            for value in values {
                let mut setup = Setup::new(row);
                setup.set(option.name, &value).unwrap();
                let is_rule = setup.rules().next().is_some();
                let start = row.start(setup.options()).ok().filter(|start| start.text() == usual.text());
                if let (true, Some(start)) = (is_rule, start) {
                    assert_ne!(start.book_key(), usual.book_key(), "{} {}={value}", row.name, option.name);
                }
            }
        }
    }
}

#[test]
fn books_are_small_and_of_distinct_subjects() {
    for row in GAMES {
        let book = Book::built_in(row).unwrap();
        assert_eq!(book.is_empty(), row.books.is_empty(), "{}", row.name);
    }
    let files: HashSet<_> = GAMES.iter().flat_map(|row| row.books).collect();
    let total: usize = files.iter().map(|bytes| bytes.len()).sum();
    assert!(total <= 640 << 10, "{total} bytes");
    let mut subjects = HashSet::new();
    for (row, book) in books() {
        assert!(subjects.insert((row.name, format!("{:?}", book.subject))));
        // Two names of one game share a book.
        assert!(book.subject.game == row.name || (row.name, &*book.subject.game) == ("cfour", "connect4"));
    }
}
