//! The loop of a game: whose turn it is, what is said and shown.

use super::command;
use super::game_line::GameLine;
use super::input::{Event, Input, LONGEST};
use super::level::Strength;
use super::record::{self, Recorder};
use super::seats::{Side as Seats, Speaker, sentence};
use super::thinking::Thinker;
use super::words;
use crate::core::score::UNIT;
use crate::core::{Ink, OptionKind, Options, Progress, Report, Side, Style};
use crate::protocol::options::{General, OPTIONS};
use crate::protocol::reply;
use crate::registry::Setup;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A search that has lasted so long tells how far it is.
const PROGRESS_DELAY: Duration = Duration::from_millis(700);

/// A game at a terminal or a pipe.
pub struct Session<'a, W> {
    /// Where all is said.
    pub out: &'a mut W,
    /// What that can show.
    pub style: Style,
    /// Whether somebody is asked for each line.
    pub prompts: bool,
    /// Where lines come from.
    pub input: Input,
    /// The game and its options.
    pub setup: Setup,
    /// The moves.
    pub line: GameLine,
    /// Who plays.
    pub seats: Seats,
    /// How strong the engine plays.
    pub strength: Strength,
    /// The engine.
    pub thinker: Thinker,
    /// Where the game is kept.
    pub recorder: Option<Recorder>,
    /// Whether the books are used.
    pub book: bool,
    /// Whether the search is shown.
    pub debug: bool,
    /// Whether the engine waits for `go` though it is its turn.
    pub paused: bool,
    /// Whether the last that came in was Ctrl-C.
    pub warned: bool,
    /// Files that this session has written or read.
    pub saved: Vec<PathBuf>,
}

/// Whether the game goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// It does.
    Go,
    /// Somebody leaves.
    Leave,
}

impl<W: Write> Session<'_, W> {
    /// Plays until somebody leaves.
    ///
    /// # Errors
    /// The output fails.
    pub fn run(mut self) -> io::Result<()> {
        self.greet()?;
        loop {
            if !self.paused && !self.line.is_over() && !self.seats.has(self.turn()) {
                self.engine_moves()?;
                continue;
            }
            self.prompt()?;
            let next = match self.input.next() {
                Event::Line(line) => {
                    self.warned = false;
                    self.read_line(&line.bytes, line.whole)?
                }
                Event::Interrupt => self.interrupted()?,
                Event::End => {
                    self.end_line()?;
                    Next::Leave
                }
                Event::Failed(error) => {
                    self.wrong(&format!("nothing more can be read: {error}"))?;
                    Next::Leave
                }
            };
            if next == Next::Leave {
                return self.farewell();
            }
        }
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Side {
        self.line.board().turn()
    }

    /// How the player of a side is spoken of.
    pub fn speaker(&self, side: Side) -> Speaker {
        Speaker::of(self.seats, side, self.line.board().sides())
    }

    /// A line that came in.
    fn read_line(&mut self, bytes: &[u8], whole: bool) -> io::Result<Next> {
        let text = match std::str::from_utf8(bytes) {
            _ if !whole => Err(format!("a line of more than {LONGEST} bytes")),
            Ok(text) => Ok(text),
            Err(_) => Err("a line that is not UTF-8".into()),
        };
        match text.and_then(command::parse) {
            Ok(None) => Ok(Next::Go),
            Ok(Some(command)) => self.execute(command),
            Err(reason) => self.wrong(&reason).map(|()| Next::Go),
        }
    }

    /// What game it is, who plays, the board.
    pub fn greet(&mut self) -> io::Result<()> {
        let row = self.setup.row();
        let changed = self.setup.options().changed().map(|(row, value)| format!("{}={value}", row.name));
        let changed: Vec<_> = changed.collect();
        let options = if changed.is_empty() { String::new() } else { format!(", {}", changed.join(", ")) };
        let name = self.style.paint(Ink::Strong, row.name);
        writeln!(self.out, "{name}: {}{options}", row.about)?;
        self.show_seats()?;
        writeln!(self.out, "Type a move, or help.")?;
        self.show()
    }

    /// Who plays which side, and how strong the engine is.
    pub fn show_seats(&mut self) -> io::Result<()> {
        let [first, second] = self.line.board().sides();
        let strength = self.strength.words();
        match self.seats {
            Seats::First => writeln!(self.out, "You are {first}, I am {second}, playing {strength}."),
            Seats::Second => writeln!(self.out, "You are {second}, I am {first}, playing {strength}."),
            Seats::Both => writeln!(self.out, "Two people play, {first} and {second}."),
            Seats::None => writeln!(self.out, "The engine plays both sides {strength}."),
        }
    }

    /// The board, and whose turn it is or who has won.
    pub fn show(&mut self) -> io::Result<()> {
        let board = self.line.board();
        writeln!(self.out, "\n{}", board.show(self.style))?;
        match words::result(board, self.seats, self.line.resigned()) {
            Some(result) => {
                let result = self.style.paint(Ink::Strong, &result);
                writeln!(self.out, "The game is over. {result}")
            }
            None => {
                let side = board.sides()[board.turn().index()];
                let text = match self.speaker(board.turn()) {
                    Speaker::You => format!("Your move, {side}."),
                    Speaker::I => format!("My move, {side}."),
                    Speaker::Named(_) => sentence(&format!("{side} to move.")),
                };
                writeln!(self.out, "{text}")
            }
        }
    }

    /// Asks for a line, where somebody is there to be asked.
    fn prompt(&mut self) -> io::Result<()> {
        if self.prompts {
            let board = self.line.board();
            let turn = board.turn();
            let text = if self.line.is_over() { String::new() } else { board.sides()[turn.index()].to_owned() };
            let ink = if turn == Side::First { Ink::First } else { Ink::Second };
            write!(self.out, "{}> ", self.style.paint(ink, &text))?;
        }
        self.out.flush()
    }

    /// What went wrong with a line.
    pub fn wrong(&mut self, reason: &str) -> io::Result<()> {
        let text = self.style.paint(Ink::Wrong, &sentence(reason));
        writeln!(self.out, "{text}")
    }

    /// Ctrl-C at the prompt: once it is explained, twice it leaves.
    fn interrupted(&mut self) -> io::Result<Next> {
        self.end_line()?;
        if self.warned || !self.prompts {
            return Ok(Next::Leave);
        }
        self.warned = true;
        writeln!(self.out, "Ctrl-C once more leaves the game; save FILE keeps it.")?;
        Ok(Next::Go)
    }

    /// The terminal has no end of the line behind ^C and ^D.
    fn end_line(&mut self) -> io::Result<()> {
        if self.prompts { writeln!(self.out) } else { Ok(()) }
    }

    /// The engine moves for the side whose turn it is, and says what it thinks.
    pub fn engine_moves(&mut self) -> io::Result<()> {
        self.out.flush()?;
        let board = self.line.board().boxed();
        let (report, stopped) =
            self.think(|thinker, strength, stop, progress| thinker.think(&*board, strength, stop, progress))?;
        let Some(mv) = report.best().cloned() else { return Ok(()) };
        let value = words::value(&*board, self.seats, report.score, report.proof);
        if let Err(error) = self.line.play(&mv, comment(&report)) {
            // A search plays legal moves.
            return self.wrong(&error.to_string());
        }
        self.paused = stopped && self.seats == Seats::None;
        self.announce(board.turn(), &mv, &format!(" {value}."))?;
        self.show()?;
        self.keep()
    }

    /// Searches, with a line of progress where that lasts; tells whether Ctrl-C has ended it.
    pub fn think(
        &mut self,
        work: impl FnOnce(&Thinker, Strength, &crate::core::StopFlag, &mut dyn FnMut(Progress<'_>)) -> Report,
    ) -> io::Result<(Report, bool)> {
        let Self { out, input, thinker, strength, debug, .. } = self;
        let (start, mut bar, mut written) = (Instant::now(), None, Ok(()));
        let general = General::new(&Options::new(OPTIONS), 0);
        let found = input.interruptible(|stop| {
            work(thinker, *strength, stop, &mut |event| {
                if let (Progress::Line(report), true, Ok(())) = (&event, *debug, &written) {
                    written = writeln!(out, "{}", reply::info(report, &general)).and_then(|()| out.flush());
                }
                if !*debug && start.elapsed() >= PROGRESS_DELAY {
                    let bar = bar.get_or_insert_with(spinner);
                    bar.set_message(match event {
                        Progress::Line(report) => {
                            format!("{} plies, {}", report.depth, report.pv.first().map_or("", |mv| mv))
                        }
                        Progress::Move { depth, mv, .. } => format!("{depth} plies, {mv}"),
                    });
                }
            })
        });
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        written.map(|()| found)
    }

    /// Says that a side has played the last move, what came of it, and what else is to be said.
    pub fn announce(&mut self, side: Side, mv: &str, more: &str) -> io::Result<()> {
        let board = self.line.board();
        let speaker = self.speaker(side);
        let again = board.turn() == side && !self.line.is_over();
        let mut came = match (board.remark(), again) {
            (Some(remark), true) => format!(", {remark} and has another turn"),
            (Some(remark), false) => format!(" and {remark}"),
            (None, true) => " and has another turn".into(),
            (None, false) => String::new(),
        };
        if !matches!(speaker, Speaker::Named(_)) {
            came = first_person(&came);
        }
        let who = sentence(&speaker.does("play"));
        let mv = self.style.paint(Ink::Marked, mv);
        writeln!(self.out, "\n{who} {mv}{came}.{more}")
    }

    /// Keeps the game as it is now in the file of the record.
    pub fn keep(&mut self) -> io::Result<()> {
        let Some(recorder) = &mut self.recorder else { return Ok(()) };
        let game = record::write(&self.line, &self.setup, self.seats, self.strength);
        match recorder.keep(&game, self.line.played().len()) {
            Ok(()) => Ok(()),
            Err(error) => self.wrong(&format!("the game is not kept: {error}")),
        }
    }

    /// Where the game was left.
    fn farewell(&mut self) -> io::Result<()> {
        let board = self.line.board();
        match words::result(board, self.seats, self.line.resigned()) {
            Some(result) => writeln!(self.out, "{result}")?,
            None => writeln!(
                self.out,
                "The game is not over: {}, after {}.",
                board.text(),
                plies(self.line.played().len())
            )?,
        }
        if let Some(recorder) = self.recorder.as_ref().filter(|_| !self.line.played().is_empty()) {
            writeln!(self.out, "It is kept in {}.", recorder.path().display())?;
        }
        self.out.flush()
    }

    /// The options of the game, for `help options`.
    pub fn options(&self) -> String {
        let row = |(row, value): (&crate::core::OptionRow, &crate::core::OptionValue)| {
            let value = if row.kind == OptionKind::Folder { String::new() } else { format!("={value}") };
            format!("  {}{value}  {} ({})\n", row.name, row.help, row.kind)
        };
        let rows: String = self.setup.options().iter().map(row).collect();
        if rows.is_empty() { format!("{} has no options.\n", self.setup.row().name) } else { rows }
    }
}

/// So many moves, in words.
#[must_use]
pub fn plies(count: usize) -> String {
    format!("{count} move{}", if count == 1 { "" } else { "s" })
}

/// What is said of somebody, said of you or me: `captures 2 seeds and has` becomes `capture 2 seeds and have`.
fn first_person(said: &str) -> String {
    let verb = |word| match word {
        "has" => "have",
        "captures" => "capture",
        _ => word,
    };
    said.split(' ').map(verb).collect::<Vec<_>>().join(" ")
}

/// What records say of a move: the score and the depth as in matches.
fn comment(report: &Report) -> String {
    let score = match crate::core::score::mate(report.score) {
        Some(moves) => format!("#{moves}"),
        None => format!("{:+.2}", f64::from(report.score) / f64::from(UNIT)),
    };
    let proof = report.proof.name().map(|name| format!(" {name}")).unwrap_or_default();
    format!("{score}{proof}/{} {:.3}s", report.depth, report.time.as_secs_f64())
}

/// A line on stderr, if that is a terminal.
fn spinner() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}  (Ctrl-C: move now)") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
