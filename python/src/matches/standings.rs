//! Statistics of the records of a match, for `secateurs._matches`.

use super::{TestPlan, test, text as json};
use crate::arguments::{Argument, Items, Value};
use crate::error::OrRaise;
use crate::position::{Position, drawing};
use crate::threads::work::interruptible;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use secateurs::core::{Error, StopFlag};
use secateurs::store::{Replacement, regular};
use secateurs_tools::arena::journal::{self, Journal};
use secateurs_tools::arena::record::{Ending, GameRecord};
use secateurs_tools::arena::{Decision, Estimate, Standings, export as formats};
use secateurs_tools::cli::output::FileKind;
use secateurs_tools::report::{self, Report, text};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

/// Parses records, up to the first after which the flag is raised.
fn read<'a>(records: &'a [String], stop: &'a StopFlag) -> impl Iterator<Item = PyResult<GameRecord>> + use<'a> {
    let bad = |_| PyValueError::new_err("no record of a game, or one of another version");
    records.iter().take_while(|_| !stop.is_raised()).map(move |record| serde_json::from_str(record).map_err(bad))
}

/// Returns the standings of these players, up to the first record after which Ctrl-C came.
fn counted(py: Python<'_>, names: &[String], records: Items<String>) -> PyResult<Standings> {
    let (stop, mut standings) = (StopFlag::new(), Standings::new(names.to_vec()));
    interruptible(py, &stop.clone(), move || {
        read(&records, &stop).try_for_each(|record| record.map(|record| standings.add(&record))).map(|()| standings)
    })?
}

/// Returns the statistics of a match between these players.
#[pyfunction]
#[pyo3(name = "_standings")]
pub fn standings<'py>(
    py: Python<'py>,
    names: Items<String>,
    records: Items<String>,
    sprt: Option<TestPlan>,
) -> PyResult<Bound<'py, PyDict>> {
    let standings = counted(py, &names, records)?;
    let interval = |estimate: Option<Estimate>| estimate.map(|Estimate { value, low, high }| (value, low, high));
    let (rows, ratings) = (PyList::empty(py), standings.ratings());
    for (player, name) in names.iter().enumerate() {
        let (row, tally) = (PyDict::new(py), standings.total(player));
        let [losses, draws, wins] = tally.games.0;
        row.set_item("name", name)?;
        row.set_item("games", tally.games.total())?;
        row.set_item("wins", wins)?;
        row.set_item("draws", draws)?;
        row.set_item("losses", losses)?;
        row.set_item("elo", interval(tally.pair_sample().elo().or_else(|| tally.game_sample().elo())))?;
        row.set_item("rating", (ratings[player].elo, ratings[player].margin()))?;
        let faults = PyDict::new(py);
        for ending in Ending::ALL {
            if standings.faults(player, ending) > 0 {
                faults.set_item(ending.text(), standings.faults(player, ending))?;
            }
        }
        row.set_item("faults", faults)?;
        row.set_item("wrong_claims", standings.wrong_claims(player))?;
        rows.append(row)?;
    }
    let against = |player: usize| -> Vec<_> { (0..names.len()).map(|other| standings.tally(player, other)).collect() };
    let cells: Vec<Vec<_>> = (0..names.len())
        .map(|player| {
            against(player).iter().map(|tally| (tally.games.0, interval(tally.pair_sample().elo()))).collect()
        })
        .collect();
    let found = PyDict::new(py);
    found.set_item("rows", rows)?;
    found.set_item("cells", cells)?;
    let endings = PyDict::new(py);
    for ending in Ending::ALL {
        if standings.ended(ending) > 0 {
            endings.set_item(ending.text(), standings.ended(ending))?;
        }
    }
    found.set_item("endings", endings)?;
    let tally = (names.len() == 2).then(|| standings.tally(0, 1));
    let sample = tally.map(|tally| tally.pair_sample());
    found.set_item("pairs", tally.map(|tally| tally.pairs.0))?;
    found.set_item("normalized_elo", interval(sample.and_then(|sample| sample.normalized_elo())))?;
    found.set_item("superiority", sample.and_then(|sample| sample.superiority()))?;
    found.set_item("draw_ratio", tally.and_then(|tally| tally.games.draw_ratio()))?;
    found.set_item("pairs_ratio", tally.and_then(|tally| tally.pairs.win_ratio()))?;
    found.set_item("distinct_games", standings.distinct_games())?;
    let test = sprt.map(test).transpose()?;
    found.set_item("text", text::table(&standings, test.as_ref()))?;
    found.set_item("results", text::results(&standings, test.as_ref()))?;
    found.set_item("remarks", text::remarks(&standings, test.as_ref()))?;
    if let Some(test) = test {
        let status = test.status(&standings);
        let decision = match status.decision {
            Decision::Continue => None,
            Decision::AcceptH0 => Some("H0"),
            Decision::AcceptH1 => Some("H1"),
        };
        found.set_item("sprt", (status.llr, test.sprt.bounds(), test.sprt.differences(), decision))?;
    }
    Ok(found)
}

/// Loads the record of a match: its header, which names the players, and its games, each as JSON.
#[pyfunction]
#[pyo3(name = "_load_match", signature = (path, position = None))]
pub fn load(
    py: Python<'_>,
    path: &Value<'_>,
    position: Option<&Bound<'_, Position>>,
) -> PyResult<(String, Vec<String>)> {
    let (path, stop) = (PathBuf::read("path", path)?, StopFlag::new());
    regular::check(&path).or_raise()?;
    let known = position.map(|position| position.get().setup()).transpose()?.map(|(setup, _)| setup);
    let loaded = interruptible(py, &stop.clone(), move || {
        let (header, records) = Journal::load_until(&path, known.as_ref(), &stop)?;
        report::names(&header, &path)?;
        Ok::<_, Error>((header.to_string(), records.iter().map(json).collect()))
    });
    loaded?.or_raise()
}

/// A match: its header as JSON, the planned games, and its test.
type Described = (String, usize, Option<TestPlan>);

/// Exports the games of a match as `kind`: "pgn", "csv" or "html". The file is replaced as a whole.
#[pyfunction]
#[pyo3(name = "_export", signature = (described, records, kind, path, position = None))]
pub fn export(
    py: Python<'_>,
    described: Described,
    records: Items<String>,
    kind: String,
    path: &Value<'_>,
    position: Option<&Bound<'_, Position>>,
) -> PyResult<()> {
    let (path, stop) = (PathBuf::read("path", path)?, StopFlag::new());
    let (header, planned, sprt) = described;
    let header = serde_json::from_str(&header).map_err(|_| PyValueError::new_err("no header of a match"))?;
    let known = position.map(|position| position.get().setup()).transpose()?.map(|(setup, _)| setup);
    let (setup, test) = (journal::setup_as(&header, known.as_ref()).or_raise()?, sprt.map(test).transpose()?);
    let form = match &*kind {
        "pgn" => FileKind::Pgn,
        "csv" => FileKind::Csv,
        _ => FileKind::Html,
    };
    form.check("path", Some(&path)).or_raise()?;
    interruptible(py, &stop.clone(), move || {
        let records = read(&records, &stop).collect::<PyResult<Vec<_>>>()?;
        let written = Replacement::new(&path).and_then(|file| {
            let mut out = BufWriter::new(Stoppable { out: file, stop: &stop });
            match form {
                FileKind::Pgn => {
                    let occasion = formats::Occasion { header: Some(&header), ..formats::Occasion::default() };
                    records.iter().try_for_each(|record| formats::pgn(occasion, record, &setup, &mut out))?;
                }
                FileKind::Csv => formats::csv(&records, &mut out)?,
                _ => {
                    let (setup, records, test) = (&setup, &records[..], test.as_ref());
                    report::write(&Report { header: &header, setup, records, planned: Some(planned), test }, &mut out)?;
                }
            }
            out.into_inner().map_err(io::IntoInnerError::into_error)?.out.commit()
        });
        match written {
            // An interrupted export leaves the old file.
            Err(_) if stop.is_raised() => Ok(()),
            written => written.map_err(|error| Error::file("write", &path, &error)).or_raise(),
        }
    })?
}

/// Draws the crosstable of a match between these players as SVG; `planned`: the number of games of one that goes on.
#[pyfunction]
#[pyo3(name = "_crosstable", signature = (names, records, planned, theme))]
pub fn crosstable(
    py: Python<'_>,
    names: Items<String>,
    records: Items<String>,
    planned: Option<usize>,
    theme: Value<'_>,
) -> PyResult<String> {
    let (theme, standings) = (drawing::theme(Some(theme))?, counted(py, &names, records)?);
    Ok(report::crosstable(&standings, planned, theme))
}

/// A writer that fails once a flag is raised.
struct Stoppable<'a, W> {
    out: W,
    stop: &'a StopFlag,
}

impl<W: Write> Write for Stoppable<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.stop.is_raised() { Err(io::Error::other("stopped")) } else { self.out.write(bytes) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
