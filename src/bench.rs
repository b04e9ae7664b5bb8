//! The benchmark: one deterministic node count over all games.
//!
//! Each row is searched to a fixed depth from a cleared table, so the total identifies the search: a change that must
//! not affect the search must not change the total.

use crate::core::{BenchRow, Error, Report, Request, StopFlag, nps};
use crate::registry::{self, GameRow};
use crate::search::Table;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// The size of the table, MiB. The total depends on it.
const TABLE_MIB: usize = 16;

/// The result of one row.
#[derive(Clone, Debug)]
pub struct BenchLine {
    /// The game's name.
    pub game: &'static str,
    /// The row.
    pub row: &'static BenchRow,
    /// The search report.
    pub report: Report,
}

/// The result of the benchmark. It is displayed as `N nodes M nps`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BenchTotal {
    /// The nodes of all rows; the same in every run.
    pub nodes: u64,
    /// The time of all searches.
    pub time: Duration,
}

/// Searches every row of every game and reports each when it is done; `None` if the flag was raised.
///
/// # Errors
/// [`Error::TableTooLarge`] if 16 MiB are not available; any error of a row that its own game cannot read.
pub fn run(stop: &StopFlag, progress: &mut dyn FnMut(&BenchLine)) -> Result<Option<BenchTotal>, Error> {
    over(rows(), stop, progress)
}

/// Iterates over the rows that [`run`] searches, in order.
pub fn rows() -> impl Iterator<Item = (&'static GameRow, &'static BenchRow)> {
    registry::GAMES.iter().flat_map(|game| game.bench.iter().map(move |row| (game, row)))
}

/// Searches these rows, as [`run`] does with all.
///
/// # Errors
/// As [`run`].
pub fn over(
    rows: impl Iterator<Item = (&'static GameRow, &'static BenchRow)>,
    stop: &StopFlag,
    progress: &mut dyn FnMut(&BenchLine),
) -> Result<Option<BenchTotal>, Error> {
    let table = Arc::new(Table::new(TABLE_MIB)?);
    let mut total = BenchTotal::default();
    for (game, row) in rows {
        table.clear();
        let line = search(game, row, &table, stop)?;
        if stop.is_raised() {
            return Ok(None);
        }
        total.nodes += line.report.nodes;
        total.time += line.report.time;
        progress(&line);
    }
    Ok(Some(total))
}

fn search(game: &GameRow, row: &'static BenchRow, table: &Arc<Table>, stop: &StopFlag) -> Result<BenchLine, Error> {
    let mut options = game.defaults();
    for (name, value) in row.options {
        options.set(name, value)?;
    }
    let board = game.parse(&options, row.position)?;
    let report = board.engine(table.clone()).search(&Request::depth(row.depth), stop, &mut |_| {}).swap_remove(0);
    Ok(BenchLine { game: game.name, row, report })
}

impl fmt::Display for BenchLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, row, report } = self;
        write!(f, "{game} depth {:>2} nodes {:>9} {}", row.depth, report.nodes, row.position)?;
        row.options.iter().try_for_each(|(name, value)| write!(f, " {name}={value}"))
    }
}

impl fmt::Display for BenchTotal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes {} nps", self.nodes, nps(self.nodes, self.time))
    }
}
