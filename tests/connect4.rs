//! Connect Four: the rules against plain ones, published counts and values, bounds against brute force.

use crate::common::Random;
use secateur::core::score::{self, Score};
use secateur::core::solution::SolveRequest;
use secateur::core::{Bounds, Claim, Evaluation, Outcome, Position, Proof, Request, Side, Solver, StopFlag};
use secateur::games::connect4::{Column, Connect4Heuristics, Free, Grid, Size, Standard, text};
use secateur::registry;
use secateur::search::{Searcher, Table, perft};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

const SETS: &str = include_str!("data/Test_L3_R1");

fn standard() -> Grid<Standard> {
    Grid::empty(Standard::new(7, 6).unwrap())
}

fn free(columns: u32, rows: u32) -> Grid<Free> {
    Grid::empty(Free::new(columns, rows).unwrap())
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
                .filter(|square| pos.occupied() & square != 0)
                .map(|square| usize::from(first & square == 0))
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
        wanted.fold(0, |set, (column, row)| set | size.lowest(column) << row)
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
    for size in (1..=16).flat_map(|columns| (1..=15).filter_map(move |rows| Free::new(columns, rows))) {
        walks(Grid::empty(size), &mut random, 10);
    }
}

/// A win ends a line.
#[test]
fn perft_counts_are_as_published() {
    let counts = [1, 7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234];
    for (depth, &count) in (0..).zip(&counts) {
        assert_eq!(perft::perft(&standard(), depth, &StopFlag::new()), Some(count), "depth {depth}");
        assert_eq!(perft::perft(&free(7, 6), depth, &StopFlag::new()), Some(count), "depth {depth}");
    }
}

#[test]
#[ignore = "takes seconds"]
fn deep_perft_counts_are_as_published() {
    for (depth, count) in [(9, 39_394_572), (10, 268_031_646)] {
        assert_eq!(perft::perft(&standard(), depth, &StopFlag::new()), Some(count), "depth {depth}");
    }
}

/// The keys of all positions near the end of random games are distinct, on boards of every size: also where the number of
/// a position takes all 64 bits.
#[test]
fn keys_of_neighbours_in_the_tree_differ() {
    let sizes = (1..=16).flat_map(|columns| (1..=15).map(move |rows| (columns, rows)));
    for size in sizes.filter_map(|(columns, rows)| Free::new(columns, rows)) {
        for seed in 0..3 {
            let mut random = Random(seed);
            let mut pos = Grid::empty(size);
            while pos.left() > 14 && !pos.is_over() {
                pos = pos.after(*random.pick(&moves(&pos)));
            }
            let (mut numbers, mut keys, mut open) = (HashSet::new(), HashSet::new(), vec![pos]);
            while let Some(pos) = open.pop()
                && numbers.len() < 20_000
            {
                if numbers.insert(pos.number()) {
                    assert!(keys.insert(pos.key()), "{size:?}: {}", text::write(&pos));
                    open.extend(moves(&pos).into_iter().map(|mv| pos.after(mv)));
                }
            }
        }
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

/// Returns the value by the rules alone, and stores that of every position below; a win counts its plies.
fn values(pos: &Grid<Free>, known: &mut HashMap<u64, Score>) -> Score {
    if let Some(&value) = known.get(&pos.number()) {
        return value;
    }
    let worth = |mv| score::from_node(-values(&pos.after(mv), known), 1);
    let value = moves(pos).into_iter().map(worth).max().unwrap_or_else(|| pos.outcome().score());
    known.insert(pos.number(), value);
    value
}

/// On small boards the bounds contain the value of every position, and a search from the start finds its value.
#[test]
fn small_boards_have_their_brute_force_values() {
    for (columns, rows, expected) in [(4, 4, 0), (5, 4, 0), (4, 5, 0), (7, 2, 0), (3, 6, 0), (1, 7, 0), (9, 1, 0)] {
        let (start, mut known) = (free(columns, rows), HashMap::new());
        assert_eq!(values(&start, &mut known), expected, "{columns} x {rows}");
        let mut queue = vec![start];
        let mut seen = HashSet::new();
        while let Some(pos) = queue.pop() {
            if seen.insert(pos.number()) {
                let Bounds { lower, upper } = Connect4Heuristics.bounds(&pos);
                let value = known[&pos.number()];
                assert!((lower..=upper).contains(&value), "{}: {lower} {value} {upper}", text::write(&pos));
                closer_bounds_hold(&pos, value);
                queue.extend(moves(&pos).into_iter().map(|mv| pos.after(mv)));
            }
        }
        assert_eq!(seen.len(), known.len());
        let mut random = Random(u64::from(columns * rows));
        let table = Arc::new(Table::new(4).unwrap());
        for _ in 0..20 {
            let mut pos = start;
            while !pos.is_over() {
                assert_eq!(solve(pos, &table), known[&pos.number()], "{}", text::write(&pos));
                pos = pos.after(*random.pick(&moves(&pos)));
            }
        }
    }
}

/// Returns the value in stones by the plain rules alone: the number that the winner has left, the winning one included;
/// negative for a loss.
fn stones_left(plain: &Plain, known: &mut HashMap<Vec<Vec<usize>>, i64>) -> i64 {
    if let Some(&value) = known.get(&plain.columns) {
        return value;
    }
    let squares = plain.columns.len() * plain.rows;
    let last = 1 - plain.played % 2;
    let value = if plain.has_four(last) {
        // The first player has one stone more than the second if the number of squares is odd.
        let all = [squares.div_ceil(2), squares / 2][last];
        let placed = [plain.played.div_ceil(2), plain.played / 2][last];
        -((all - placed + 1) as i64)
    } else {
        let legal = (0..plain.columns.len()).filter(|&column| plain.columns[column].len() < plain.rows);
        let worth = legal.map(|column| {
            let mut next = plain.clone();
            next.play(column as u8);
            -stones_left(&next, known)
        });
        worth.max().unwrap_or(0)
    };
    known.insert(plain.columns.clone(), value);
    value
}

/// On every board with an odd number of squares: the stones reported by `solve` and by a certificate.
#[test]
fn odd_boards_have_their_brute_force_values() {
    let row = registry::find("connect4").unwrap();
    let (table, mut random, mut lost) = (Arc::new(Table::new(4).unwrap()), Random(15), 0);
    let odd = (1..=15).step_by(2).flat_map(|columns| (1..=15).step_by(2).map(move |rows| (columns, rows)));
    let sizes: Vec<_> = odd.filter_map(|(columns, rows)| Free::new(columns, rows)).collect();
    assert_eq!(sizes.len(), 35);
    for size in sizes {
        let mut options = row.defaults();
        options.set("Columns", &size.columns().to_string()).unwrap();
        options.set("Rows", &size.rows().to_string()).unwrap();
        // Small boards from the start, the others near the end.
        let (mut known, near) = (HashMap::new(), if size.squares() <= 15 { 11 } else { 8 });
        for _ in 0..10 {
            let mut pos = Grid::empty(size);
            while !pos.is_over() {
                let all = moves(&pos);
                let quiet: Vec<_> = all.iter().copied().filter(|&mv| !pos.after(mv).is_won()).collect();
                if pos.left() <= near {
                    let expected = stones_left(&Plain::of(&pos), &mut known);
                    let board = row.parse(&options, &text::write(&pos)).unwrap();
                    let mut engine = board.engine(Arc::clone(&table));
                    let found = engine.solve(&SolveRequest::default(), &StopFlag::new(), &mut |_| {});
                    assert_eq!(found.value().map(|score| board.count(score)), Some(expected), "{}", board.text());
                    let mut claimed = None;
                    let on_claim = &mut |claim: &Claim| claimed = claimed.or(Some(claim.bounds));
                    engine.certify(&SolveRequest::default(), &StopFlag::new(), on_claim).unwrap();
                    assert_eq!(claimed.map(|bounds| board.count(bounds.lower)), Some(expected), "{}", board.text());
                    lost += usize::from((expected < 0) == (pos.turn() == Side::First) && expected != 0);
                }
                pos = pos.after(*random.pick(if quiet.is_empty() { &all } else { &quiet }));
            }
        }
    }
    // The second player's wins, once counted with one stone too many.
    assert!(lost > 100, "{lost}");
    for (columns, rows, text, value) in [("5", "3", "xx1x1/oo1o1/oxoxx o", 2), ("5", "5", "1212324", 9)] {
        let mut options = row.defaults();
        options.set("Columns", columns).unwrap();
        options.set("Rows", rows).unwrap();
        let board = row.parse(&options, text).unwrap();
        let found = board.engine(Arc::clone(&table)).solve(&SolveRequest::default(), &StopFlag::new(), &mut |_| {});
        assert_eq!(found.value().map(|score| board.count(score)), Some(value), "{text}");
    }
}

/// Checks the follow-up bounds for every alpha of a search; returns whether one excludes a win or a loss.
fn closer_bounds_hold<S: Size>(pos: &Grid<S>, value: Score) -> bool {
    let alphas = (0..=pos.left().cast_signed()).flat_map(|plies| [score::win_in(plies), -score::win_in(plies)]);
    let mut decided = false;
    for alpha in alphas.chain([0, -1]) {
        let Bounds { lower, upper } = Connect4Heuristics.expensive_bounds(pos, alpha);
        assert!((lower..=upper).contains(&value), "{}: {lower} {value} {upper}, asked {alpha}", text::write(pos));
        decided |= upper < score::WIN || lower > -score::WIN;
    }
    decided
}

/// On wide boards the single squares could be distributed in 10^13 ways, so the bounds must not try them all.
#[test]
fn follow_up_bounds_are_fast_on_wide_boards() {
    let (mut random, began) = (Random(7), Instant::now());
    for pos in [free(16, 1), free(15, 1), free(16, 2), free(16, 3)].into_iter().cycle().take(100) {
        let mut pos = pos;
        while !pos.is_over() {
            Connect4Heuristics.expensive_bounds(&pos, -1);
            pos = pos.after(*random.pick(&moves(&pos)));
        }
    }
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}

/// On larger boards, late positions of random games against a search without these bounds.
#[test]
fn follow_up_bounds_hold() {
    let (mut decided, table, mut random) = ([0; 3], Arc::new(Table::new(4).unwrap()), Random(7));
    let sizes = [(7, 6), (6, 5), (5, 5), (5, 7), (8, 5), (7, 7), (6, 6), (12, 1)];
    for (columns, rows) in sizes.into_iter().cycle().take(sizes.len() * 100) {
        let mut pos = free(columns, rows);
        while pos.left() > 14 && !pos.is_over() {
            let all = moves(&pos);
            let quiet: Vec<_> = all.iter().copied().filter(|&mv| !pos.after(mv).is_won()).collect();
            pos = pos.after(*random.pick(if quiet.is_empty() { &all } else { &quiet }));
        }
        while !pos.is_over() {
            let value = solve(pos, &table);
            if closer_bounds_hold(&pos, value) {
                decided[(value.signum() + 1) as usize] += 1;
            }
            pos = pos.after(*random.pick(&moves(&pos)));
        }
    }
    assert!(decided[0] > 100 && decided[1] > 100 && decided[2] == 0, "{decided:?}");
}

/// Returns the value of a position, searched to its end.
fn solve<S: Size>(pos: Grid<S>, table: &Arc<Table>) -> Score {
    let mut searcher = Searcher::new(Connect4Heuristics, Arc::clone(table));
    let last = &searcher.search(&pos, &Request::depth(64), &StopFlag::new(), &mut |_| {})[0];
    assert_eq!(last.proof, Proof::EXACT, "{}", text::write(&pos));
    last.score
}

/// Returns the distance of a win for a score of the public sets: 1 wins with the side's last stone, 2 with the one
/// before.
fn distance(stones: i32, value: i32) -> Score {
    let (own, opposing) = (stones / 2, (stones + 1) / 2);
    match value {
        0 => 0,
        1.. => score::win_in(2 * (22 - value - own) - 1),
        _ => -score::win_in(2 * (22 + value - opposing)),
    }
}

fn solves(lines: impl Iterator<Item = &'static str>) {
    let table = Arc::new(Table::new(16).unwrap());
    for line in lines {
        let (played, value) = line.trim().split_once(' ').unwrap();
        let pos = text::parse(played, standard().size()).unwrap();
        assert_eq!(solve(pos, &table), distance(played.len() as i32, value.parse().unwrap()), "{line}");
    }
}

#[test]
fn the_search_finds_the_values_of_the_public_set() {
    assert_eq!(SETS.lines().count(), 1_000);
    solves(SETS.lines().take(100));
}

#[test]
#[ignore = "takes a while without optimisation"]
fn the_search_finds_all_values_of_the_public_set() {
    solves(SETS.lines());
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
    options.set("Columns", "9").unwrap();
    options.set("Rows", "7").unwrap();
    let error = row.start(&options).err().unwrap().to_string();
    assert!(error.starts_with("Columns 9 and Rows 7 do not go together"), "{error}");
    options.set("Columns", "8").unwrap();
    assert_eq!(row.start(&options).unwrap().text(), "8/8/8/8/8/8/8 x");
    assert!(row.parse(&options, "7/7/7/7/7/7 x").is_err());
}
