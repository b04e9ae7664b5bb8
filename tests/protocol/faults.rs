//! A fault in an engine: the dialogue goes on, and a search still has an answer.

use secateurs::core::solution::{self, Claim, Solution, Uncertified};
use secateurs::core::tree::Room;
use secateurs::core::{Limits, NodeCounts, Options, Progress, Report, Request, StopFlag, tree};
use secateurs::engine::{Board, Engine};
use secateurs::protocol::format::Format;
use secateurs::protocol::options::{General, OPTIONS};
use secateurs::protocol::task::{Output, Search, Task};
use secateurs::registry::GAMES;
use secateurs::search::Table;
use secateurs::search::entry::Entry;
use std::cell::RefCell;
use std::sync::Arc;

/// An engine that panics, before its result or after it.
struct Faulty {
    result: Option<Report>,
}

impl Engine for Faulty {
    fn search(&mut self, _: &Request, _: &StopFlag, progress: &mut dyn FnMut(Progress<'_>)) -> Vec<Report> {
        self.result.iter().for_each(|report| progress(Progress::Result(std::slice::from_ref(report))));
        panic!("a fault")
    }

    fn root_entry(&self, _: &Report) -> (u64, Entry) {
        panic!("a fault")
    }

    fn record(
        &mut self,
        _: &Request,
        _: Room,
        _: &StopFlag,
        _: &mut dyn FnMut(Progress<'_>),
    ) -> (Vec<Report>, tree::SearchTree<u16>) {
        panic!("a fault")
    }

    fn count(&mut self, _: &Request, _: &StopFlag) -> (Vec<Report>, NodeCounts) {
        panic!("a fault")
    }

    fn solve(&mut self, _: &solution::SolveRequest, _: &StopFlag, _: &mut dyn FnMut(&Solution)) -> Solution {
        panic!("a fault")
    }

    fn certify(
        &mut self,
        _: &solution::SolveRequest,
        _: &StopFlag,
        _: &mut dyn FnMut(&Claim),
    ) -> Result<(), Uncertified> {
        panic!("a fault")
    }
}

#[test]
fn a_search_that_fails_still_plays_a_legal_move() {
    let board = GAMES[0].start(&GAMES[0].defaults()).unwrap();
    let last = board.codes().pop().unwrap();
    for (codes, best) in [(vec![], board.moves()[0].clone()), (vec![last], board.moves().pop().unwrap())] {
        let closing = Output::Closing(format!("bestmove {best}"));
        assert_eq!(written(&*board, codes, None), [Output::Line(FAULT.into()), closing]);
    }
}

#[test]
fn a_search_that_fails_after_its_result_has_one_answer() {
    let board = GAMES[0].start(&GAMES[0].defaults()).unwrap();
    let report = board.engine(Arc::new(Table::new(1).unwrap())).search(
        &Request::new(Limits::depth(1)),
        &StopFlag::new(),
        &mut |_| {},
    );
    let closing = Output::Closing(format!("bestmove {}", report[0].pv[0]));
    assert_eq!(written(&*board, vec![], report.into_iter().next()), [closing, Output::Line(FAULT.into())]);
}

const FAULT: &str = "info string a fault of Secateurs ended this; please report it";

/// Returns what a search of these moves by a [`Faulty`] engine writes.
fn written(board: &dyn Board, moves: Vec<u16>, result: Option<Report>) -> Vec<Output> {
    let request = Request { moves, ..Request::new(Limits::depth(3)) };
    let (options, board) = (General::new(&Options::new(OPTIONS), 1), board.boxed());
    let format = Format { options, names_reply: false, is_hub: false };
    let search = Search { engine: Box::new(Faulty { result }), request, format, board, pupil: None };
    let written = RefCell::new(Vec::new());
    let task = Task::Search(Box::new(search));
    task.complete(&StopFlag::new(), &|output| written.borrow_mut().push(output));
    written.into_inner()
}
