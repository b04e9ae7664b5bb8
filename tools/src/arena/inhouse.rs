//! Secateurs as a player in this process, without a pipe. It uses the session of the line protocol, so that it plays
//! exactly as it does through a pipe.

use super::player::{FILES, Forfeit, Player, PlayerSpec, Question, check_abort};
use super::record::Ending;
use crate::client::fingerprint::{Fingerprint, fingerprint_in};
use crate::client::{Answer, GameSpec, Info, Surroundings};
use secateurs::core::{Error, StopFlag};
use secateurs::protocol::session::Session;
use secateurs::registry::Setup;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::time::Instant;

/// A player that runs in this process.
#[derive(Clone, Debug)]
pub struct InHouse {
    /// The game.
    pub setup: Setup,
    /// The options of the engine, by their protocol names.
    pub options: Vec<(String, String)>,
    /// The file from which this library was loaded; `None`: it is part of the program.
    pub library: Option<PathBuf>,
}

impl InHouse {
    /// Returns the fingerprints of the program or library, and of the files that options name.
    fn fingerprints(&self) -> Vec<Fingerprint> {
        let place = self.library.clone().or_else(|| std::env::current_exe().ok());
        // A constant path: the location of the program does not affect its play.
        let ours = place.and_then(|place| Fingerprint::read("secateurs", &place));
        ours.into_iter().chain(self.options.iter().filter_map(|(_, value)| fingerprint_in(None, value))).collect()
    }

    fn session(&self) -> Result<Session, Error> {
        if self.setup.own_start().is_some() {
            return Session::outside(&self.setup, &self.options);
        }
        let GameSpec { variant, mut options } = GameSpec::new(&self.setup);
        options.extend(self.options.iter().cloned());
        Session::new(Some(&variant), &options)
    }
}

impl PlayerSpec for InHouse {
    fn title(&self) -> String {
        "secateurs".into()
    }

    fn header(&self) -> Map<String, Value> {
        [("inhouse", json!(true)), ("options", json!(self.options)), (FILES, json!(self.fingerprints()))]
            .map(|(key, value)| (key.into(), value))
            .into_iter()
            .collect()
    }

    fn seat(&self, _: &str, surroundings: &Surroundings) -> Result<Box<dyn Player>, String> {
        let session = self.session().map_err(|error| error.to_string())?;
        let is_outside = self.setup.own_start().is_some();
        Ok(Box::new(Seated { session, is_outside, abort: surroundings.abort.clone() }))
    }
}

struct Seated {
    session: Session,
    /// Whether the game is outside the registry.
    is_outside: bool,
    abort: StopFlag,
}

impl Player for Seated {
    fn new_game(&mut self) -> Result<(), Forfeit> {
        self.session.new_game();
        // Not in `seat`: a player that is only started to check it needs no memory.
        self.session.ready(&self.abort);
        Ok(())
    }

    fn answer(&mut self, question: &Question<'_>) -> Result<Answer, Forfeit> {
        let at_fault = |error: Error| Forfeit { ending: Ending::Disconnection, detail: error.to_string() };
        let start = Instant::now();
        if self.is_outside {
            // Its moves may have blanks in them.
            self.session.set_board(question.board.boxed());
        } else {
            self.session.set_position(&question.opening.position, question.moves).map_err(at_fault)?;
        }
        let board = self.session.board().map_err(at_fault)?;
        let (request, _) = question.go.request(board, self.session.general()).map_err(at_fault)?;
        let reports = match self.session.by_the_book(&request) {
            Some(report) => vec![report],
            None => {
                let mut engine = board.engine(self.session.table());
                let (learned, remark) = self.session.learned();
                remark.inspect(|remark| log::info!("{remark}"));
                let (reports, saved) = match learned {
                    Some(learned) => learned.search(&mut *engine, &request, &self.abort, &mut |_| {}),
                    None => (engine.search(&request, &self.abort, &mut |_| {}), Ok(())),
                };
                let _ = saved.inspect_err(|error| log::warn!("{error}"));
                reports
            }
        };
        check_abort(&self.abort)?;
        let best = reports.first().and_then(|report| report.best().cloned());
        let time = start.elapsed();
        Ok(Answer { best, ponder: None, time, lines: reports.iter().map(Info::from).collect() })
    }

    fn quit(self: Box<Self>) {}
}
