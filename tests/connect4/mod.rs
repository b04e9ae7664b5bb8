//! Connect Four: the rules against plain ones, published counts and values, bounds against brute force.

mod values;

use crate::common::Random;
use secateurs::core::{Evaluation, Outcome, Position, Side, Solver, StopFlag};
use secateurs::games::connect4::{Column, Connect4Heuristics, Free, Grid, Large, Size, Squares, Standard, text};
use secateurs::registry;
use secateurs::search::perft;
use std::collections::{HashMap, HashSet};

fn standard() -> Grid<Standard> {
    Grid::empty(Standard::new(7, 6).unwrap())
}

fn free(columns: u32, rows: u32) -> Grid<Free> {
    Grid::empty(Free::new(columns, rows).unwrap())
}

fn large(columns: u32, rows: u32) -> Grid<Large> {
    Grid::empty(Large::new(columns, rows).unwrap())
}

/// Returns the empty boards of every size of a type.
fn boards<S: Size>() -> impl Iterator<Item = Grid<S>> {
    let sizes = (1..=16).flat_map(|columns| (1..=15).map(move |rows| (columns, rows)));
    sizes.filter_map(|(columns, rows)| S::new(columns, rows)).map(Grid::empty)
}

/// Returns the empty boards that do not fit 64 bits.
fn large_boards() -> impl Iterator<Item = Grid<Large>> {
    boards::<Large>().filter(|board| Free::new(board.size().columns(), board.size().rows()).is_none())
}

fn moves<S: Size>(pos: &Grid<S>) -> Vec<Column> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    moves
}

/// The plain rules: columns of stones, and a look for lines from every square.
#[derive(Clone)]
struct Plain {
    columns: Vec<Vec<usize>>,
    rows: usize,
    played: usize,
}

impl Plain {
    fn of<S: Size>(pos: &Grid<S>) -> Self {
        let (size, first) = (pos.size(), pos.stones_of(Side::First));
        let stones = |column| {
            let squares = (0..size.rows()).map(move |row| size.lowest(column) << row);
            squares
                .filter(|&square| pos.occupied().meets(square))
                .map(|square| usize::from(!first.meets(square)))
                .collect()
        };
        Self {
            columns: (0..size.columns()).map(stones).collect(),
            rows: size.rows() as usize,
            played: pos.stones() as usize,
        }
    }

    fn at(&self, column: isize, row: isize) -> Option<usize> {
        let column = self.columns.get(usize::try_from(column).ok()?)?;
        column.get(usize::try_from(row).ok()?).copied()
    }

    fn has_four(&self, player: usize) -> bool {
        let all = (0..self.columns.len() as isize).flat_map(|x| (0..self.rows as isize).map(move |y| (x, y)));
        let lines = all.flat_map(|at| [(0, 1), (1, -1), (1, 0), (1, 1)].map(|step| (at, step)));
        lines.into_iter().any(|((x, y), (dx, dy))| (0..4).all(|n| self.at(x + n * dx, y + n * dy) == Some(player)))
    }

    /// Returns whether a stone on a vacant square, even above empty ones, would make a four.
    fn completes(&self, player: usize, column: usize, row: usize) -> bool {
        let at = |x: isize, y: isize| {
            if (x, y) == (column as isize, row as isize) { Some(player) } else { self.at(x, y) }
        };
        [(0, 1), (1, -1), (1, 0), (1, 1)].iter().any(|(dx, dy)| {
            let first = (-3..=0).map(|from| (column as isize + from * dx, row as isize + from * dy));
            first.into_iter().any(|(x, y)| (0..4).all(|n| at(x + n * dx, y + n * dy) == Some(player)))
        })
    }

    fn legal(&self) -> HashSet<u8> {
        let over = self.has_four(1 - self.played % 2);
        let vacant = self.columns.iter().zip(0..).filter(|(column, _)| column.len() < self.rows);
        vacant.map(|(_, column)| column).filter(|_| !over).collect()
    }

    fn play(&mut self, column: u8) {
        self.columns[usize::from(column)].push(self.played % 2);
        self.played += 1;
    }
}

/// Checks everything that a position reports against the plain rules.
fn agrees<S: Size>(pos: &Grid<S>, plain: &Plain) {
    let (size, name) = (pos.size(), text::write(pos));
    let set = |wanted: &dyn Fn(usize, usize) -> bool| {
        let all = (0..size.columns()).flat_map(|column| (0..size.rows()).map(move |row| (column, row)));
        let wanted = all.filter(|&(column, row)| wanted(column as usize, row as usize));
        wanted.fold(S::Set::NONE, |set, (column, row)| set | size.lowest(column) << row)
    };
    let turn = plain.played % 2;
    let completes =
        |player: usize| set(&|column, row| row >= plain.columns[column].len() && plain.completes(player, column, row));
    assert_eq!(pos.turn().index(), turn, "{name}");
    assert_eq!(moves(pos).iter().map(|mv| mv.0).collect::<HashSet<_>>(), plain.legal(), "{name}");
    assert_eq!(pos.is_over(), plain.legal().is_empty(), "{name}");
    assert_eq!(pos.is_won(), plain.has_four(1 - turn), "{name}");
    assert_eq!(pos.winning(Side::First), completes(0), "{name}");
    assert_eq!(pos.winning(Side::Second), completes(1), "{name}");
    let playable = set(&|column, row| row == plain.columns[column].len());
    assert_eq!((pos.playable(), pos.vacant() | pos.occupied()), (playable, size.board()), "{name}");
    assert_eq!(pos.winning_now(), playable & completes(turn), "{name}");
    let safe = set(&|column, row| {
        let mut next = plain.clone();
        row == plain.columns[column].len() && {
            next.play(column as u8);
            let wins = |&reply: &u8| next.completes(1 - turn, reply.into(), next.columns[usize::from(reply)].len());
            !(0..size.columns() as u8)
                .filter(|&reply| next.columns[usize::from(reply)].len() < next.rows)
                .any(|r| wins(&r))
        }
    });
    assert_eq!(pos.safe(), safe, "{name}");
    for mv in moves(pos) {
        let square = pos.landing(mv);
        assert_eq!((pos.column_of(square), pos.placed(square)), (mv, pos.after(mv)), "{name}");
        assert_eq!(pos.placed(square), pos.after(mv), "{name}");
    }
    let mirrored = pos.mirrored();
    assert_eq!(mirrored.mirrored(), *pos, "{name}");
    assert_eq!(mirrored.winning(Side::First), size.mirrored(pos.winning(Side::First)), "{name}");
    let oracle = Connect4Heuristics;
    assert_eq!(
        (oracle.evaluate(&mirrored), oracle.bounds(&mirrored), mirrored.is_over()),
        (oracle.evaluate(pos), oracle.bounds(pos), pos.is_over()),
        "{name}"
    );
    // Early in the game a position and its mirror image share a table entry and its move.
    let one = oracle.table_key(&mirrored) == oracle.table_key(pos);
    assert!(one || pos.stones() >= 14, "{name}");
    for mv in moves(pos) {
        let stored = oracle.table_code(pos, Some(pos.code(mv)));
        assert_eq!(oracle.table_code(pos, stored), Some(pos.code(mv)), "{name}");
        let image = Column((size.columns() - 1) as u8 - mv.0);
        assert!(
            !one || mirrored == *pos || oracle.table_code(&mirrored, Some(mirrored.code(image))) == stored,
            "{name}"
        );
    }
    let stones = [pos.stones_of(Side::First), pos.stones_of(Side::Second)];
    assert_eq!(Grid::with(size, stones), Some(*pos), "{name}");
}

/// Random games on every board size, and on the one that is fixed at compile time.
#[test]
fn bitboards_agree_with_the_plain_rules() {
    fn walks<S: Size>(start: Grid<S>, random: &mut Random, games: usize) {
        for _ in 0..games {
            let (mut pos, mut plain) = (start, Plain::of(&start));
            agrees(&pos, &plain);
            while !pos.is_over() {
                let mv = *random.pick(&moves(&pos));
                pos = pos.after(mv);
                plain.play(mv.0);
                agrees(&pos, &plain);
            }
            assert_eq!(pos.outcome(), if pos.is_won() { Outcome::Loss } else { Outcome::Draw });
        }
    }
    let mut random = Random(4);
    walks(standard(), &mut random, 200);
    for board in boards::<Free>() {
        walks(board, &mut random, 10);
    }
    for board in large_boards().chain([large(7, 6), large(4, 4)]) {
        walks(board, &mut random, 2);
    }
}

/// A win ends a line.
#[test]
fn perft_counts_are_as_published() {
    let counts = [1, 7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234];
    for (depth, &count) in (0..).zip(&counts) {
        assert_eq!(perft::perft(&standard(), depth, &StopFlag::new()), Some(count), "depth {depth}");
        assert_eq!(perft::perft(&free(7, 6), depth, &StopFlag::new()), Some(count), "depth {depth}");
        assert_eq!(perft::perft(&large(7, 6), depth, &StopFlag::new()), Some(count), "depth {depth}");
    }
}

#[test]
#[ignore = "takes seconds"]
fn deep_perft_counts_are_as_published() {
    for (depth, count) in [(9, 39_394_572), (10, 268_031_646)] {
        assert_eq!(perft::perft(&standard(), depth, &StopFlag::new()), Some(count), "depth {depth}");
    }
}

/// The keys of all positions near the end of random games are distinct, on boards of every size: also where the number
/// of a position takes all 64 or all 128 bits.
#[test]
fn keys_of_neighbours_in_the_tree_differ() {
    fn differ<S: Size>(mut pos: Grid<S>, random: &mut Random) {
        while pos.left() > 14 && !pos.is_over() {
            pos = pos.after(*random.pick(&moves(&pos)));
        }
        let (mut numbers, mut keys, mut open) = (HashSet::new(), HashSet::new(), vec![pos]);
        while let Some(pos) = open.pop()
            && numbers.len() < 20_000
        {
            if numbers.insert(pos.number()) {
                assert!(keys.insert(pos.key()), "{:?}: {}", pos.size(), text::write(&pos));
                open.extend(moves(&pos).into_iter().map(|mv| pos.after(mv)));
            }
        }
    }
    for seed in 0..3 {
        boards::<Free>().for_each(|board| differ(board, &mut Random(seed)));
        large_boards().for_each(|board| differ(board, &mut Random(seed)));
    }
}

/// Distinct positions by ply: OEIS A212693. Their keys and numbers are distinct as well.
#[test]
fn position_counts_are_as_published() {
    let mut level = HashMap::from([(standard().number(), standard())]);
    for count in [1, 7, 49, 238, 1_120, 4_263, 16_422, 54_859] {
        assert_eq!(level.len(), count);
        assert_eq!(level.values().map(Position::key).collect::<HashSet<_>>().len(), count);
        assert!(level.keys().all(|&number| number < 1 << 49));
        let next = level.values().flat_map(|pos| moves(pos).into_iter().map(|mv| pos.after(mv)));
        level = next.map(|pos| (pos.number(), pos)).collect();
    }
}

/// Moves and positions are read in both notations under either name of the game.
#[test]
fn both_notations_are_read_and_one_is_written() {
    for (name, written) in [("connect4", ["4", "4", "5"]), ("cfour", ["P@d1", "P@d2", "P@e1"])] {
        let row = registry::find(name).unwrap();
        for played in [["4", "4", "5"], ["P@d1", "P@d2", "P@e1"], ["p@d1", "P@D2", "5"]] {
            let mut board = row.start(&row.defaults()).unwrap();
            for mv in played {
                board.play(mv).unwrap();
            }
            assert_eq!(board.history(), written, "{name}");
            for text in
                ["445", "7/7/7/7/3o3/3xx2 o", "7/7/7/7/3p3/3PP2[PPPPPPPPPPPPPPPPPPPpppppppppppppppppppp] b - - 0 2"]
            {
                assert_eq!(row.parse(&row.defaults(), text).unwrap().text(), board.text(), "{name}");
            }
            for mv in ["P@d1", "P@d4", "P@h1", "@d3", "Q@d3", "d3", "P@d03", "04", "8"] {
                assert!(board.play(mv).is_err(), "{name}: {mv}");
            }
            assert_eq!(board.codes_of(&["p@d3".into(), "4".into()]), Ok(vec![23]), "{name}");
        }
    }
}

#[test]
fn bad_sizes_are_reported() {
    let row = registry::find("connect4").unwrap();
    let mut options = row.defaults();
    options.set("Columns", "16").unwrap();
    options.set("Rows", "8").unwrap();
    let error = row.start(&options).err().unwrap().to_string();
    assert!(error.starts_with("Columns 16 and Rows 8 do not go together"), "{error}");
    assert!(error.ends_with("is 144, at most 128 are possible"), "{error}");
    for (columns, rows, start) in [("8", "7", "8/8/8/8/8/8/8 x"), ("16", "7", "16/16/16/16/16/16/16 x")] {
        options.set("Columns", columns).unwrap();
        options.set("Rows", rows).unwrap();
        assert_eq!(row.start(&options).unwrap().text(), start);
    }
    assert!(row.parse(&options, "7/7/7/7/7/7 x").is_err());
}
