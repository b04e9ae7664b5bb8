//! A whole match: games on several threads, each with its own engines, until the schedule is completed or a test ends.

use super::adjudication::Adjudication;
use super::contestant::Contestant;
use super::cores;
use super::journal::{Journal, VERSION};
use super::openings::{self, Openings, Source};
use super::record::GameRecord;
use super::referee::{self, GameSettings, Timeouts};
use super::schedule::{Pairing, Schedule};
use super::seats::{Seats, start_all};
use super::sprt::{Decision, Sprt, Status};
use super::stall::StallWatch;
use super::standings::Standings;
use super::stopped::{Stopped, Unfinished};
use crate::client::Surroundings;
use secateurs::core::{Error, StopFlag};
use secateurs::registry::Setup;
use secateurs::search::thread::builder;
use secateurs::util::counted::counted;
use secateurs::util::forks::tracked;
use secateurs::util::lock::lock;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet};
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::Duration;

/// The interval at which a running match checks whether it has to end.
const LOOK: Duration = Duration::from_millis(50);

/// The settings of a match.
pub struct Tournament {
    /// The game.
    pub setup: Setup,
    /// The players, at least two.
    pub contestants: Vec<Contestant>,
    /// The pairings.
    pub schedule: Schedule,
    /// The source of openings.
    pub openings: Source,
    /// The seed of everything random.
    pub seed: u64,
    /// The rules for ending games early.
    pub adjudication: Adjudication,
    /// The time-outs.
    pub timeouts: Timeouts,
    /// The number of concurrent games, at least 1.
    pub concurrency: usize,
    /// Whether each game's engines are pinned to their own core.
    pub pinned: bool,
    /// A test that ends a match of two engines as soon as it is decided.
    pub test: Option<Test>,
    /// The services for engines. Their abort flag ends the match at once: running games are neither completed nor
    /// recorded.
    pub surroundings: Surroundings,
    /// Called at the start of each thread that plays games.
    pub start_handler: Option<Box<dyn Fn() + Send + Sync>>,
}

/// A sequential test of the first engine against the second.
#[derive(Clone, Copy, Debug)]
pub struct Test {
    /// The test.
    pub sprt: Sprt,
    /// Whether the observations are single games (the trinomial), not pairs with colours exchanged (the pentanomial).
    pub trinomial: bool,
}

impl Test {
    /// Returns the status of the test in a running match.
    pub fn status(&self, standings: &Standings) -> Status {
        let tally = standings.tally(0, 1);
        if self.trinomial { self.sprt.status(tally.game_sample()) } else { self.sprt.status(tally.pair_sample()) }
    }
}

impl Tournament {
    /// Returns the header of the journal: everything that the records depend on.
    pub fn header(&self) -> Value {
        let contestant = |Contestant { name, spec, control, .. }: &Contestant| {
            let mut header = spec.header();
            header.insert("name".into(), json!(name));
            header.insert("control".into(), json!(control.to_string()));
            header
        };
        let options: BTreeMap<_, _> =
            self.setup.options().iter().map(|(row, value)| (row.name, value.to_string())).collect();
        let mut header = json!({
            "secateurs": VERSION,
            "game": self.setup.row().name,
            "options": options,
            "engines": self.contestants.iter().map(contestant).collect::<Vec<_>>(),
            "format": self.schedule.format,
            "openings": self.openings,
            "seed": self.seed,
            "adjudication": self.adjudication,
        });
        // No option tells where the games of a game outside the registry begin.
        if let Some(start) = self.setup.own_start() {
            header["start"] = start.text().into();
        }
        header
    }

    /// Plays the games without records. Every game is in the journal before `on_game` is called. When raised, `stop`
    /// ends the match after the running games.
    ///
    /// # Errors
    /// [`Unfinished`], after the running games.
    pub fn play(
        &self,
        journal: Option<&mut Journal>,
        records: &[GameRecord],
        stop: &StopFlag,
        on_game: &mut dyn FnMut(&GameRecord, &Standings),
    ) -> Result<Standings, Box<Unfinished>> {
        let names = self.contestants.iter().map(|contestant| contestant.name.clone()).collect();
        let mut standings = Standings::new(names);
        records.iter().for_each(|record| standings.add(record));
        match self.play_on(&mut standings, journal, records, stop, on_game) {
            Ok(()) => Ok(standings),
            Err(why) => Err(Box::new(Unfinished { why, standings })),
        }
    }

    /// Plays the games that are not among the records.
    fn play_on(
        &self,
        standings: &mut Standings,
        mut journal: Option<&mut Journal>,
        records: &[GameRecord],
        stop: &StopFlag,
        on_game: &mut dyn FnMut(&GameRecord, &Standings),
    ) -> Result<(), Stopped> {
        let done: HashSet<_> = records.iter().map(|record| record.number).collect();
        let left = (0..self.schedule.games()).filter(|number| !done.contains(number)).count();
        let queue = Queue {
            openings: Mutex::new(Openings::new(&self.setup, self.openings.clone(), self.seed)?),
            numbers: Mutex::new(Box::new((0..self.schedule.games()).filter(|number| !done.contains(number)))),
            probe_setup: self.adjudication.probe_setup(&self.setup)?,
        };
        let (sender, games) = mpsc::channel();
        let (halt, panicked) = (StopFlag::new(), Mutex::new(None));
        let (mut failure, mut decided) = (None, self.is_decided(standings));
        if left == 0 || decided {
            return Ok(());
        }
        cores::warn(self.concurrency.min(left), self.threads());
        start_all(&self.contestants, &self.surroundings, stop)?;
        thread::scope(|scope| {
            for worker in 0..self.concurrency.max(1).min(left) {
                let (results, queue, halt, panicked) = (sender.clone(), &queue, &halt, &panicked);
                // The internal engine may search on this thread.
                let work = move || {
                    if let Some(start_handler) = &self.start_handler {
                        start_handler();
                    }
                    let work = || self.work(worker, queue, [stop, halt], &results);
                    // The rules of a game outside the registry may fail: the match then ends with what they raised.
                    if let Err(payload) = panic::catch_unwind(AssertUnwindSafe(work)) {
                        halt.raise();
                        lock(panicked).get_or_insert(payload);
                    }
                };
                if let Err(error) = builder("games").and_then(|thread| thread.spawn_scoped(scope, tracked(work))) {
                    let _ = sender.send(Err(Error::BadOptions(format!("no thread for games: {error}")).into()));
                }
            }
            drop(sender);
            loop {
                if stop.is_raised() || self.is_aborted() {
                    halt.raise();
                }
                let game = match games.recv_timeout(LOOK) {
                    Ok(game) => game,
                    Err(RecvTimeoutError::Timeout) => continue,
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                // The games in progress when the test is decided do not count: they might undo the decision.
                if decided {
                    continue;
                }
                let written = game.and_then(|record: GameRecord| {
                    if let Some(journal) = &mut journal {
                        journal.add(&record)?;
                    }
                    standings.add(&record);
                    on_game(&record, standings);
                    Ok(())
                });
                if let Err(error) = written {
                    failure.get_or_insert(error);
                    halt.raise();
                }
                decided = self.is_decided(standings);
                if decided {
                    halt.raise();
                }
            }
        });
        if let Some(payload) = lock(&panicked).take() {
            panic::resume_unwind(payload);
        }
        failure.map_or(Ok(()), Err)
    }

    /// Warns of repeated openings, with which deterministic engines repeat their games.
    ///
    /// # Errors
    /// An opening that is invalid in this game.
    pub fn warn_of_few_openings(&self) -> Result<(), Error> {
        if let Source::Lines { openings, .. } = &self.openings {
            let distinct = openings::distinct(&self.setup, openings)?;
            if distinct < self.schedule.rounds {
                log::warn!(
                    "{} for {}: they are repeated, and a game that repeats an earlier one is no further evidence",
                    counted(distinct, "opening"),
                    counted(self.schedule.rounds, "round")
                );
            }
        }
        Ok(())
    }

    /// Returns the largest number of threads of any player, as its options show.
    fn threads(&self) -> usize {
        let of = |contestant: &Contestant| {
            let header = contestant.spec.header();
            let options = header.get("options")?.as_array()?.clone();
            let threads =
                options.iter().find(|row| row[0].as_str().is_some_and(|name| name.eq_ignore_ascii_case("threads")));
            threads?[1].as_str()?.parse().ok()
        };
        self.contestants.iter().filter_map(of).max().unwrap_or(1).max(1)
    }

    /// Returns whether any player has a clock or a time for each move.
    fn is_timed(&self) -> bool {
        self.contestants.iter().any(|Contestant { control, .. }| control.clock.is_some() || control.movetime.is_some())
    }

    fn is_aborted(&self) -> bool {
        self.surroundings.abort.is_raised()
    }

    /// Returns whether the test, if there is one, has accepted a hypothesis.
    pub fn is_decided(&self, standings: &Standings) -> bool {
        self.test.as_ref().is_some_and(|test| test.status(standings).decision != Decision::Continue)
    }

    /// Plays games until none are left or a flag is raised.
    fn work(
        &self,
        worker: usize,
        queue: &Queue<'_>,
        [stop, halt]: [&StopFlag; 2],
        sender: &mpsc::Sender<Result<GameRecord, Stopped>>,
    ) {
        let mut seats = Seats::new(&self.contestants, &self.surroundings);
        if self.pinned {
            cores::pin(worker);
        }
        let stalls = if self.is_timed() { StallWatch::start() } else { None };
        while !stop.is_raised() && !halt.is_raised() && !self.is_aborted() {
            let Some(number) = lock(&queue.numbers).next() else { break };
            let game = self.game(number, queue, &mut seats, halt, stalls.as_ref());
            let Some(game) = game.transpose() else { break };
            let failed = game.is_err();
            if self.is_aborted() {
                break;
            }
            if sender.send(game).is_err() || failed {
                break;
            }
        }
    }

    /// Plays a game of the schedule; `None` if the flag was raised before it began.
    fn game(
        &self,
        number: usize,
        queue: &Queue<'_>,
        seats: &mut Seats<'_>,
        halt: &StopFlag,
        stalls: Option<&StallWatch>,
    ) -> Result<Option<GameRecord>, Stopped> {
        let Pairing { engines, round } = self.schedule.pairing(number);
        let Some(opening) = lock(&queue.openings).opening(round, halt)? else { return Ok(None) };
        let Self { setup, adjudication, timeouts, .. } = self;
        let rules =
            GameSettings { setup, adjudication, probe_setup: queue.probe_setup.as_ref(), timeouts: *timeouts, stalls };
        let controls = engines.map(|engine| &self.contestants[engine].control);
        let names = engines.map(|engine| self.contestants[engine].name.clone());
        let record = referee::play(rules, seats.players(engines)?, names, controls, &opening)?;
        seats.after(record.ending.is_fault(), record.at_fault().map(|player| engines[player]));
        Ok(Some(GameRecord { number, round, ..record }))
    }
}

/// The games and openings still to be played.
struct Queue<'a> {
    openings: Mutex<Openings>,
    numbers: Mutex<Box<dyn Iterator<Item = usize> + Send + 'a>>,
    /// The game with the databases that end it early.
    probe_setup: Option<Setup>,
}
