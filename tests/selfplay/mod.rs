//! The engine against itself, with every move checked by an independent implementation of the rules.
//!
//! ```sh
//! SELFPLAY_GAMES=10000 SELFPLAY_SEED=0 cargo test --release --test suite selfplay:: -- --ignored --nocapture
//! ```

mod rules;

use crate::common::Random;
use rules::{Heaps, Referee, Ring};
use secateurs::core::{ClockLimits, Limits, Outcome, Position, Progress, Report, Request, Side, StopFlag};
use secateurs::engine::Board;
use secateurs::games::kalah::{BoardContents, Capture, House, Layout, Wide, text};
use secateurs::registry;
use secateurs::search::Table;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

/// How much longer than its limit a move may take, even on a busy machine.
const MARGIN: Duration = Duration::from_secs(2);

#[test]
fn games_are_played_by_the_rules() {
    play_games(0, 40);
}

#[test]
#[ignore = "long: the count is that of SELFPLAY_GAMES"]
fn many_games_are_played_by_the_rules() {
    let number = |name, default| std::env::var(name).map_or(default, |text| text.parse().unwrap());
    play_games(number("SELFPLAY_SEED", 1_000_000), number("SELFPLAY_GAMES", 10_000) as usize);
}

/// A game on the engine's board and the referee's.
struct Match {
    name: String,
    board: Box<dyn Board>,
    referee: Box<dyn Referee>,
    /// Kalah in the wide layout, in addition to the one that the engine chose.
    wide: Option<Wide>,
}

impl Match {
    fn new(game: &str, options: &[(&str, String)], referee: Box<dyn Referee>, wide: Option<Wide>) -> Self {
        let row = registry::find(game).unwrap();
        let mut set = row.defaults();
        for (name, value) in options {
            row.set(&mut set, name, value).unwrap();
        }
        Self { name: format!("{game} {options:?}"), board: row.start(&set).unwrap(), referee, wide }
    }

    fn kalah(random: &mut Random) -> Self {
        let houses = 1 + random.below(12);
        let most = *random.pick(&[6, 12, 144]);
        let seeds = 1 + random.below(most.min(144 / houses));
        let (empty_captures, north) = (random.chance(50), random.chance(50));
        let mut cells = vec![seeds as u32; 2 * houses + 2];
        (cells[houses], cells[2 * houses + 1]) = (0, 0);
        let side = vec![seeds as u16; houses];
        let contents = BoardContents {
            capture: if empty_captures { Capture::Empty } else { Capture::Standard },
            turn: if north { Side::Second } else { Side::First },
            stores: [0, 0],
            houses: [side.clone(), side],
        };
        let options = [
            ("Houses", houses.to_string()),
            ("Seeds", seeds.to_string()),
            ("Capture", if empty_captures { "empty" } else { "standard" }.to_owned()),
            ("First", if north { "north" } else { "south" }.to_owned()),
        ];
        let ring = Ring { cells, turn: north.into(), empty_captures };
        Self::new("kalah", &options, Box::new(ring), Wide::lay(&contents))
    }

    fn nim(random: &mut Random) -> Self {
        let (count, most) = *random.pick(&[(3, 6), (4, 9), (5, 15), (16, 4), (2, 256), (16, 40)]);
        let heaps: Vec<_> = (0..1 + random.below(count)).map(|_| random.below(most) as u32).collect();
        let most = *random.pick(&[255, 255, 1, 2, 3, 5]);
        let misere = random.chance(50);
        let texts: Vec<_> = heaps.iter().map(u32::to_string).collect();
        let options = [
            ("Heaps", texts.join(",")),
            ("Misere", misere.to_string()),
            ("MaxTake", most.to_string()),
            ("Theory", random.chance(50).to_string()),
        ];
        Self::new("nim", &options, Box::new(Heaps { heaps, player: 1, misere, most }), None)
    }

    /// Plays a move of the referee on all boards, and compares them.
    fn play(&mut self, mv: &str) -> Result<(), String> {
        self.board.play(mv).map_err(|error| error.to_string())?;
        self.referee.play(mv);
        if let Some(wide) = &mut self.wide {
            *wide = wide.after(House(mv.parse::<u8>().unwrap() - 1));
        }
        self.compare()
    }

    fn compare(&self) -> Result<(), String> {
        let (moves, here) = (self.referee.moves(), self.referee.text());
        let mut outcomes = vec![self.board.outcome()];
        let mut seen = vec![(self.board.text(), self.board.moves())];
        if let Some(wide) = &self.wide {
            let mut legal = Vec::new();
            wide.moves(&mut legal);
            outcomes.push(legal.is_empty().then(|| wide.outcome()));
            seen.push((text::write(&wide.contents()), legal.iter().map(|mv| (mv.0 + 1).to_string()).collect()));
        }
        let margin = moves.is_empty().then(|| self.referee.margin());
        let claimed = outcomes.into_iter().map(|outcome| {
            outcome.map(|outcome| match outcome {
                Outcome::Margin(margin) => margin.into(),
                Outcome::Win => 1,
                Outcome::Loss => -1,
                Outcome::Draw => 0,
            })
        });
        for (seen, claimed) in seen.into_iter().zip(claimed) {
            if (&seen.0, &seen.1, claimed) != (&here, &moves, margin) {
                return Err(format!("{seen:?} {claimed:?}, the referee says {here} {moves:?} {margin:?}"));
            }
        }
        Ok(())
    }

    /// Returns whether a line can be played from here.
    fn is_legal(&self, line: &[String]) -> bool {
        let mut referee = self.referee.boxed();
        line.iter().all(|mv| {
            let legal = referee.moves().contains(mv);
            if legal {
                referee.play(mv);
            }
            legal
        })
    }
}

/// Searches; returns every report, with the result at the end.
fn think(board: &dyn Board, table: &Arc<Table>, limits: &Limits) -> Vec<Report> {
    let mut reports = Vec::new();
    let request = Request::new(limits.clone());
    let lines = board.engine(Arc::clone(table)).search(&request, &StopFlag::new(), &mut |claimed| {
        if let Progress::Line(report) = claimed {
            reports.push(report.clone());
        }
    });
    reports.extend(lines);
    reports
}

/// The totals of the games, and the time of each move beyond its limit.
#[derive(Default)]
struct Sum {
    games: usize,
    overruns: Vec<Duration>,
    /// Games with a loss on time, which are played on.
    flags: usize,
    violations: Vec<String>,
}

/// A clock for each side, or the same time for every move.
enum Time {
    Move(Duration),
    Clocks { left: [Duration; 2], increment: Duration },
}

impl Time {
    fn random(random: &mut Random) -> Self {
        let millis = |random: &mut Random, most| Duration::from_millis(random.below(most) as u64);
        if random.chance(70) {
            return Self::Move(millis(random, 5));
        }
        let time = Duration::from_millis(50) + millis(random, 400);
        Self::Clocks { left: [time, time], increment: millis(random, 3) }
    }

    fn limits(&self, side: Side) -> Limits {
        match *self {
            Self::Move(time) => Limits { movetime: Some(time), ..Limits::default() },
            Self::Clocks { left, increment } => {
                let remaining = left[side.index()];
                let overhead = Duration::from_millis(2);
                let clock = ClockLimits { remaining, increment, moves_to_go: None, overhead };
                Limits { clock: Some(clock), ..Limits::default() }
            }
        }
    }

    /// Subtracts the time of a move; returns the time beyond the limit.
    fn take(&mut self, side: Side, spent: Duration) -> Duration {
        match self {
            Self::Move(time) => spent.saturating_sub(*time),
            Self::Clocks { left, increment } => {
                let left = &mut left[side.index()];
                let over = spent.saturating_sub(*left);
                *left = left.saturating_sub(spent) + *increment;
                over
            }
        }
    }
}

/// Plays the game of a seed, up to its first error.
fn play_game(seed: u64, sum: &mut Sum) -> Result<(), String> {
    let mut random = Random(seed);
    let mut game = if random.chance(70) { Match::kalah(&mut random) } else { Match::nim(&mut random) };
    let table = Arc::new(Table::new(1 + random.below(4)).unwrap());
    let mut time = Time::random(&mut random);
    let clocked = matches!(time, Time::Clocks { .. });
    let fail = |game: &Match, why: String| format!("seed {seed}, {}, {}: {why}", game.name, game.referee.text());
    game.compare().map_err(|why| fail(&game, why))?;
    for _ in 0..random.below(12) {
        let moves = game.referee.moves();
        if !moves.is_empty() {
            game.play(random.pick::<String>(&moves)).map_err(|why| fail(&game, why))?;
        }
    }
    loop {
        let side = game.board.turn();
        let began = Instant::now();
        let limits = time.limits(side);
        let reports = think(&*game.board, &table, &limits);
        let spent = began.elapsed();
        let over = time.take(side, spent);
        if let Some(clock) = limits.clock.filter(|_| !over.is_zero()) {
            sum.flags |= 1;
            eprintln!("{}", fail(&game, format!("{spent:?} spent of {:?}", clock.remaining)));
        }
        sum.overruns.extend((!clocked).then_some(over));
        if over > MARGIN {
            return Err(fail(&game, format!("{over:?} too late")));
        }
        if let Some(report) = reports.iter().find(|report| !game.is_legal(&report.pv)) {
            return Err(fail(&game, format!("an illegal line in {report:?}")));
        }
        let last = &reports[reports.len() - 1];
        match last.best() {
            Some(mv) => game.play(mv).map_err(|why| fail(&game, why))?,
            None if !game.referee.moves().is_empty() => return Err(fail(&game, "no move".into())),
            None => {
                // The score of a finished game is its result.
                let claimed = if last.score.abs() > 28_800 { last.score.signum() } else { last.score / 100 };
                let margin = game.referee.margin();
                return if claimed == margin {
                    Ok(())
                } else {
                    Err(fail(&game, format!("{margin} is reported as {last:?}")))
                };
            }
        }
    }
}

/// Plays the games of `count` seeds on all cores.
fn play_games(seed: u64, count: usize) {
    let (next, sum, began) = (AtomicUsize::new(0), Mutex::new(Sum::default()), Instant::now());
    std::thread::scope(|scope| {
        for _ in 0..available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        break;
                    }
                    let mut one = Sum { games: 1, ..Sum::default() };
                    if let Err(why) = play_game(seed + index as u64, &mut one) {
                        eprintln!("{why}");
                        one.violations.push(why);
                    }
                    let mut sum = sum.lock().unwrap();
                    sum.add(one);
                    if count > 1_000 && sum.games % (count / 100) == 0 {
                        eprintln!("{:>6.0} s, {sum}", began.elapsed().as_secs_f64());
                    }
                }
            });
        }
    });
    let sum = sum.into_inner().unwrap();
    eprintln!("{:>6.1} s, {sum}", began.elapsed().as_secs_f64());
    assert!(sum.violations.is_empty(), "{} violations; the first:\n{}", sum.violations.len(), sum.violations[0]);
}

impl Sum {
    fn add(&mut self, other: Self) {
        self.games += other.games;
        self.flags += other.flags;
        self.overruns.extend(other.overruns);
        self.violations.extend(other.violations);
    }
}

impl std::fmt::Display for Sum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut overruns: Vec<_> = self.overruns.iter().map(|over| over.as_secs_f64() * 1000.0).collect();
        overruns.sort_by(f64::total_cmp);
        let at = |percent: usize| overruns.get(overruns.len().saturating_sub(1) * percent / 100).unwrap_or(&0.0);
        let Self { games, flags, violations, .. } = self;
        write!(f, "{games} games, {} violations, {flags} with a fallen clock; ", violations.len())?;
        write!(f, "{} moves on movetime, ms over: median {:.3}, 99 % {:.3}, ", overruns.len(), at(50), at(99))?;
        write!(f, "most {:.3}", at(100))
    }
}
