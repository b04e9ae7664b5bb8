//! Games in a file, in Portable Game Notation. This client is always South, the first player of Kalah in these files.

use super::games::{Ending, Game, Games, Played};
use super::notice::Notice;
use secateurs::core::{Error, Outcome, Side};
use secateurs::games::kalah::{BoardContents, Capture, text};
use secateurs::pgn::{self, Pgn, PgnMove, comment};
use secateurs::registry::{STARTPOS, Setup};
use secateurs::store::append::AppendFile;
use secateurs_tools::arena::date;
use secateurs_tools::arena::record::{Winner, score_text};
use secateurs_tools::cli::output::{BEGINNING, FileKind};
use secateurs_tools::client::Info;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The file of a client's games. At any time it contains every game up to its last answer: games that may continue are
/// at the end, and each answer rewrites them.
pub struct Record {
    path: PathBuf,
    file: AppendFile,
    /// The length of the file in bytes without the games that may continue.
    closed: u64,
    games: Games,
    /// Games to be written for the last time.
    closing: Vec<Game>,
    setup: Setup,
    site: String,
    name: String,
    /// The number of games, including those that may continue.
    count: usize,
}

impl Record {
    /// Opens or creates a file; games are appended. `site` is the server's address, `name` this client's name.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::BadFile`] if it contains anything other than games in PGN.
    pub(crate) fn open(path: &Path, setup: Setup, site: &str, name: &str) -> Result<Self, Error> {
        let failed = |error: std::io::Error| Error::file("read", path, &error);
        let mut file = AppendFile::open(path)?;
        let mut start = Vec::new();
        file.as_file().take(BEGINNING).read_to_end(&mut start).map_err(failed)?;
        if !start.trim_ascii().is_empty() && !FileKind::Pgn.begins(&String::from_utf8_lossy(&start)) {
            return Err(Error::bad_file(path, "does not start with a game in PGN and is left unchanged"));
        }
        let mut last = Vec::new();
        if file.bytes() > 0 {
            let mut tail = file.as_file();
            tail.seek(SeekFrom::Start(file.bytes().saturating_sub(TAIL_BYTES))).map_err(failed)?;
            tail.read_to_end(&mut last).map_err(failed)?;
        }
        // Two games are separated, even if the last one was cut off.
        file.append(pgn::gap(&String::from_utf8_lossy(&last)).as_bytes())
            .map_err(|error| Error::file("write", path, &error))?;
        let (closed, path) = (file.bytes(), path.to_owned());
        let (games, closing) = (Games::default(), Vec::new());
        Ok(Self { path, file, closed, games, closing, setup, site: site.into(), name: name.into(), count: 0 })
    }

    /// Returns the number of games so far.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Records a notice.
    ///
    /// # Errors
    /// [`Error::File`]; the next call writes what this one could not.
    pub(crate) fn note(&mut self, notice: &Notice) -> Result<(), Error> {
        match notice {
            Notice::State { number, board, game } => {
                let before = self.games.open().len();
                let left = self.games.state(*number, board, game, date::now());
                self.count += (self.games.open().len() + left.len()).saturating_sub(before);
                self.closing.extend(left);
                if self.closing.is_empty() { Ok(()) } else { self.write() }
            }
            Notice::Moved { number, report, time } => {
                self.games.moved(*number, report, *time);
                Ok(())
            }
            Notice::Answered { number, report, time, .. } => {
                report.iter().for_each(|report| self.games.answered(*number, report, *time));
                self.write()
            }
            Notice::Ended => {
                self.closing.extend(self.games.end());
                self.write()
            }
            _ => Ok(()),
        }
    }

    /// Writes the finished games for the last time, and then those that may continue.
    fn write(&mut self) -> Result<(), Error> {
        let mut text = self.text(&self.closing);
        let closing = text.len() as u64;
        text.extend(self.text(self.games.open()));
        self.file.replace(self.closed, &text).map_err(|error| Error::file("write", &self.path, &error))?;
        self.closed += closing;
        self.closing.clear();
        Ok(())
    }

    fn text(&self, games: &[Game]) -> Vec<u8> {
        games.iter().flat_map(|game| pgn(game, &self.setup, &self.site, &self.name)).collect()
    }
}

/// The number of bytes at the end of the file that are looked at, more than the last game has.
const TAIL_BYTES: u64 = 1 << 16;

/// Returns a game in PGN; empty if it has no moves.
fn pgn(game: &Game, setup: &Setup, site: &str, name: &str) -> Vec<u8> {
    let (moves, ending) = game.complete();
    if moves.is_empty() {
        return Vec::new();
    }
    let (result, termination) = match ending {
        Ending::Rules(margin) => (Winner::from_outcome(Outcome::Margin(margin)).text(), "normal"),
        Ending::Majority(side) => (Winner::side(side).text(), "adjudication"),
        Ending::Unknown => ("*", "unterminated"),
    };
    let details = match ending {
        Ending::Majority(Side::First) => Some("South has more than half of the seeds"),
        Ending::Majority(Side::Second) => Some("North has more than half of the seeds"),
        _ => None,
    };
    let tags =
        [("GameId", game.tag.id.as_deref()), ("GameURI", game.tag.uri.as_deref()), ("TerminationDetails", details)];
    let (setup, position) = start(&game.start, setup);
    Pgn {
        event: "secateurs-kgp",
        site,
        date: Some(date::day(game.started)),
        round: "-".into(),
        players: [name, game.tag.opponent.as_deref().unwrap_or("?")],
        result,
        setup: &setup,
        position: &position,
        margin: if let Ending::Rules(margin) = ending { Some(margin) } else { None },
        termination: termination.into(),
        tags: tags.into_iter().filter_map(|(name, value)| Some((name, value?.to_owned()))).collect(),
        moves: moves.iter().map(written).collect(),
    }
    .to_bytes()
}

fn written(played: &Played) -> PgnMove {
    let text = played.report.as_ref().map(|(report, time)| {
        let info = Info::from(report);
        comment(&score_text(&info), report.depth.into(), time.as_secs_f64())
    });
    PgnMove::new(&(played.house.0 + 1).to_string(), text.unwrap_or_default())
}

/// Returns the options and the position of a first board: `startpos` if it is one.
fn start(board: &str, setup: &Setup) -> (Setup, String) {
    let as_startpos = || {
        let mut setup = setup.clone();
        // The capture rule is not part of the text.
        let BoardContents { turn, houses: [south, _], .. } = text::parse(board, Capture::Standard).ok()?;
        setup.set("Houses", &south.len().to_string()).ok()?;
        setup.set("Seeds", &south.first()?.to_string()).ok()?;
        setup.set("First", if turn == Side::First { "south" } else { "north" }).ok()?;
        (setup.board(STARTPOS).ok()?.text() == board).then_some(setup)
    };
    as_startpos().map_or_else(|| (setup.clone(), board.into()), |setup| (setup, STARTPOS.into()))
}
