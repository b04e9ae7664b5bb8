//! The subject of a checkpoint.

use super::Job;
use super::row::Given;
use crate::core::error::Quoted;
use crate::core::{Error, Limits, Options, StopFlag};
use crate::engine::Board;
use crate::tables;
use crate::util::counted::counted;
use crc32fast::Hasher;
use serde::{Deserialize, Serialize};

/// Everything that the rows of a batch depend on. Rows are valid only for an equal subject.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Subject {
    limits: String,
    hash: usize,
    pv: bool,
    lines: usize,
    count: usize,
    /// A checksum of the positions, with the moves that led to them and the options of their games.
    positions: u32,
    version: String,
    /// A checksum of the evaluations and the tables of their games.
    evaluation: u32,
}

impl Subject {
    /// Creates the subject of these positions and this job; `None` if the flag is raised meanwhile.
    ///
    /// # Errors
    /// Options that the game rejects.
    pub(crate) fn new(positions: &[Given], job: &Job, stop: &StopFlag) -> Result<Option<Self>, Error> {
        let (mut all, mut evaluation, mut games) = (Hasher::new(), Hasher::new(), Games::default());
        for given in positions {
            if stop.is_raised() {
                return Ok(None);
            }
            let mut given = given;
            if let Given::Among(position, moves) = given {
                all.update(format!("among {}\n", moves.join(" ")).as_bytes());
                given = position;
            }
            if let Given::Board(board) = given {
                let game = games.number(&**board, &mut evaluation)?;
                all.update(format!("{game}\n{}\n{}\n", board.start(), board.history().join(" ")).as_bytes());
            } else if let Some(text) = given.text() {
                all.update(format!("text {}\n{text}\n", text.len()).as_bytes());
            }
        }
        if positions.iter().any(|given| given.text().is_some()) {
            let Job { setup, .. } = job;
            // Positions may be valid even if the options allow no start; the options alone then represent the game.
            match setup.row().start(setup.options()) {
                Ok(board) => drop(games.number(&*board, &mut evaluation)?),
                Err(_) => evaluation.update(shaping(setup.row().name, setup.options()).as_bytes()),
            }
        }
        Ok(Some(Self {
            limits: limits(&job.limits),
            hash: job.hash,
            pv: job.pv,
            lines: job.lines,
            count: positions.len(),
            positions: all.finalize(),
            version: env!("CARGO_PKG_VERSION").into(),
            evaluation: evaluation.finalize(),
        }))
    }

    /// Returns why rows made for `self` cannot be used for `here`, as a predicate after the file's name; `None` if they
    /// can.
    pub(crate) fn difference(&self, here: &Self) -> Option<String> {
        let (version, limits) = (Quoted::new(&self.version), Quoted::new(&self.limits));
        let is = "is the checkpoint of another batch:";
        if self.version != here.version {
            Some(format!("is the checkpoint of version {version} of Secateurs; this is {}", Quoted::new(&here.version)))
        } else if self.count != here.count {
            Some(format!("{is} it has {} positions, not {}", self.count, here.count))
        } else if self.positions != here.positions {
            Some(format!("{is} its positions or its root moves are others"))
        } else if self.limits != here.limits {
            Some(format!("{is} its limit is {limits}, not {}", Quoted::new(&here.limits)))
        } else if self.hash != here.hash {
            Some(format!("{is} its hash is {} MiB, not {}", self.hash, here.hash))
        } else if self.pv != here.pv {
            Some(format!("{is} it {} variations", if self.pv { "has" } else { "has no" }))
        } else if self.lines != here.lines {
            Some(format!("{is} it has {} a position, not {}", counted(self.lines, "line"), here.lines))
        } else {
            (self.evaluation != here.evaluation).then(|| format!("{is} its options or its evaluation are others"))
        }
    }
}

/// Games with their options, in the order in which they occur.
#[derive(Default)]
struct Games(Vec<(&'static str, Options)>);

impl Games {
    /// Returns the number of a board's game; the evaluation of a new one is added to the checksum.
    fn number(&mut self, board: &dyn Board, evaluation: &mut Hasher) -> Result<usize, Error> {
        let known = |(game, options): &(&str, Options)| *game == board.game() && options == board.options();
        if let Some(number) = self.0.iter().position(known) {
            return Ok(number);
        }
        evaluation.update(&tables::identity(board)?.encode());
        self.0.push((board.game(), board.options().clone()));
        Ok(self.0.len() - 1)
    }
}

fn shaping(game: &str, options: &Options) -> String {
    let named = options.shaping().map(|(row, value)| format!(" {}={value}", row.name));
    std::iter::once(game.to_owned()).chain(named).collect()
}

/// Formats limits as in Python.
fn limits(limits: &Limits) -> String {
    let time = limits.movetime.map(|time| format!("time={}", time.as_secs_f64()));
    let parts = [
        limits.depth.map(|depth| format!("depth={depth}")),
        limits.nodes.map(|nodes| format!("nodes={nodes}")),
        time,
        limits.mate.map(|mate| format!("mate={mate}")),
        limits.clock.map(|clock| {
            let (remaining, increment) = (clock.remaining.as_secs_f64(), clock.increment.as_secs_f64());
            format!("remaining={remaining} increment={increment} moves_to_go={}", clock.moves_to_go.unwrap_or(0))
        }),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}
