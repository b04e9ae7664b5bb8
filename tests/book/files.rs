//! Files of books: reproducible, and refused with the reason.

use super::{open, start};
use crate::common::newer;
use secateurs::book::build::BookPlan;
use secateurs::book::{Book, BookSubject, Builder, Contents, Entries};
use secateurs::core::{Error, Options, StopFlag};
use secateurs::engine::Board;
use secateurs::registry;
use secateurs::search::Table;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

pub fn plan(entries: usize) -> BookPlan {
    BookPlan { plies: 6, entries, threads: 1, complete: false }
}

pub fn build(path: &Path, board: &dyn Board, plan: BookPlan, stop: &StopFlag) -> Result<bool, Error> {
    let table = Arc::new(Table::new(16).unwrap());
    Builder::new(path, BookSubject::new(board), plan, Duration::from_secs(60))?.build(board, &table, stop, &mut |_| {})
}

#[test]
fn a_book_does_not_depend_on_threads_and_interruptions() {
    let folder = tempfile::tempdir().unwrap();
    for board in [
        start(&[("Houses", "4"), ("Seeds", "3")]),
        registry::find("connect4").unwrap().parse(&small_grid(), "startpos").unwrap(),
    ] {
        let [one, two, three] = ["one", "two", "three"].map(|name| folder.path().join(name));
        for path in [&one, &two, &three] {
            let _ = fs::remove_file(path);
        }
        let go = StopFlag::new();
        assert_eq!(build(&one, &*board, plan(100), &go), Ok(true));
        assert_eq!(build(&two, &*board, plan(7), &go), Ok(true));
        let stopped = StopFlag::new();
        stopped.raise();
        assert_eq!(build(&two, &*board, plan(100), &stopped), Ok(false));
        assert_eq!(build(&two, &*board, plan(100), &go), Ok(true));
        assert_eq!(build(&three, &*board, BookPlan { threads: 2, ..plan(100) }, &go), Ok(true));
        let bytes = [&one, &two, &three].map(|path| fs::read(path).unwrap());
        assert!(bytes[0] == bytes[1] && bytes[0] == bytes[2], "{}", board.game());
        let contents = Contents::read(&one, &bytes[0]).unwrap();
        assert!(contents.entries.count() > 20);
        open(&contents);
        // A book of another start is refused.
        let other = build(&one, &*start(&[("Houses", "3")]), plan(1), &go).unwrap_err();
        let differs = match board.game() {
            "kalah" => "a book of kalah Houses=4 Seeds=3, not a book of kalah Houses=3",
            _ => "a book of connect4 ",
        };
        let other = other.to_string();
        assert!(other.contains(differs), "{other}");
        assert_eq!(fs::read(&one).unwrap(), bytes[0]);
    }
}

pub fn small_grid() -> Options {
    let mut options = registry::find("connect4").unwrap().defaults();
    options.set("Columns", "4").unwrap();
    options.set("Rows", "4").unwrap();
    options
}

#[test]
fn files_that_are_no_book_are_refused_with_the_reason() {
    let whole = registry::find("kalah").unwrap().books[0];
    let read = |bytes: &[u8]| Contents::read("book".as_ref(), bytes);
    let refused = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
    assert_eq!(refused(b""), "\"book\" is not an opening book");
    assert_eq!(refused(b"BM and so on, a picture"), "\"book\" is not an opening book");
    let damaged = "\"book\" is damaged: its checksum is wrong";
    assert_eq!(refused(&whole[..whole.len() - 1]), damaged);
    for at in [16, 20, 60, whole.len() - 1] {
        let mut bytes = whole.to_vec();
        bytes[at] ^= 4;
        assert_eq!(refused(&bytes), damaged, "{at}");
    }
    assert!(refused(&newer(whole)).contains("a newer version of the format"));
    // A file with a valid checksum may still contain impossible moves.
    let mut contents = read(whole).unwrap();
    let Entries::Walk(words) = &mut contents.entries else { panic!("a complete book") };
    words[3].best = 1 << 14;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book");
    contents.write(&path).unwrap();
    let contents = read(&fs::read(&path).unwrap()).unwrap();
    let error = Book::default().add(&contents, &*contents.start().unwrap()).unwrap_err().to_string();
    assert!(error.contains("has an entry that does not fit <6,"), "{error}");
    contents.subject.options.keys().for_each(|name| assert!(["Seeds", "Capture"].contains(&name.as_str())));
    fs::write(&path, "nothing of ours").unwrap();
    let error = build(&path, &*start(&[]), plan(1), &StopFlag::new()).unwrap_err().to_string();
    assert!(error.ends_with("book\" is not an opening book"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), b"nothing of ours");
}
