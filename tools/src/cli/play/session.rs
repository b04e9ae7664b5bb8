//! The game loop and its output.

use super::command::{self, Command};
use super::game_line::GameLine;
use super::input::{Event, Input, LONGEST};
use super::record::{self, Recorder};
use super::seats::{Side as Seats, Speaker, sentence};
use secateurs::opponent::Opponent;
use secateurs::opponent::Strength;

use super::words;
use crate::arena::record::score_text;
use crate::cli::output::{safe, shown};
use crate::cli::{Failure, Status, progress};
use crate::client::info::Info;
use indicatif::{ProgressBar, ProgressStyle};
use secateurs::core::{Ink, OptionKind, Options, Progress, Report, Side, Style};
use secateurs::pgn::comment;
use secateurs::protocol::options::{General, OPTIONS};
use secateurs::protocol::reply;
use secateurs::registry::Setup;
use secateurs::util::counted::counted;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The time after which a search shows its progress.
const PROGRESS_DELAY: Duration = Duration::from_millis(700);

/// A game at a terminal or a pipe.
pub struct Session<'a, W> {
    /// The output.
    pub out: &'a mut W,
    /// The capabilities of the output.
    pub style: Style,
    /// Whether to prompt for each line.
    pub prompts: bool,
    /// The input.
    pub input: Input,
    /// The game and its options.
    pub setup: Setup,
    /// The moves.
    pub line: GameLine,
    /// The sides that people play.
    pub seats: Seats,
    /// The strength of the engine.
    pub strength: Strength,
    /// The engine.
    pub thinker: Opponent,
    /// The record of the game, if requested.
    pub recorder: Option<Recorder>,
    /// Whether the books are used.
    pub book: bool,
    /// Whether to show the lines of the search.
    pub debug: bool,
    /// Whether the engine waits for `go` on its turn.
    pub paused: bool,
    /// Whether the last event was Ctrl-C.
    pub warned: bool,
    /// The files that hold the current game and no other, with their contents: it was saved to them, or loaded from
    /// one.
    pub saved: Vec<(PathBuf, Vec<u8>)>,
}

/// Whether the game continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Continue.
    Go,
    /// Quit.
    Leave,
    /// Quit by Ctrl-C.
    Interrupted,
}

impl<W: Write> Session<'_, W> {
    /// Runs the game until it is quit.
    ///
    /// # Errors
    /// The output fails, or the record of the game is incomplete.
    pub(crate) fn run(mut self) -> Result<Status, Failure> {
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
                    self.show_mistake(&format!("cannot read the input: {error}"))?;
                    Next::Leave
                }
            };
            let status = match next {
                Next::Go => continue,
                Next::Leave => Status::Done,
                Next::Interrupted => Status::Interrupted,
            };
            return self.finish(status);
        }
    }

    /// Returns the side to move.
    pub(crate) fn turn(&self) -> Side {
        self.line.board().turn()
    }

    /// Returns the player of a side, for sentences.
    pub(crate) fn speaker(&self, side: Side) -> Speaker {
        Speaker::new(self.seats, side, self.line.board().sides())
    }

    /// Handles a line of input.
    fn read_line(&mut self, bytes: &[u8], whole: bool) -> io::Result<Next> {
        match std::str::from_utf8(bytes) {
            _ if !whole => self.answer(Err(format!("the line has more than {LONGEST} bytes"))),
            Err(_) => self.answer(Err("the line is not UTF-8".into())),
            Ok(text) if text.trim().is_empty() => Ok(Next::Go),
            Ok(text) => match command::parse(text) {
                // `Q x d5` begins like `q`, an alias of `quit`.
                Some(Err(mistake)) if !self.is_move(text) => self.answer(Err(mistake)),
                Some(Ok(command)) => self.answer(Ok(command)),
                _ => self.person_moves(text.trim()),
            },
        }
    }

    /// Executes a command, or reports the mistake in it.
    pub(crate) fn answer(&mut self, command: Result<Command, String>) -> io::Result<Next> {
        match command.map_err(Failure::Usage).and_then(|command| self.execute(command)) {
            Ok(next) => Ok(next),
            Err(Failure::Output(error)) => Err(error),
            Err(mistake) => self.show_mistake(&mistake.to_string()).map(|()| Next::Go),
        }
    }

    /// Shows the game, the players and the board.
    pub(crate) fn greet(&mut self) -> io::Result<()> {
        let row = self.setup.row();
        let changed = self.setup.options().changed().map(|(row, value)| format!("{}={value}", row.name));
        let changed: Vec<_> = changed.collect();
        let options = if changed.is_empty() { String::new() } else { format!(", {}", changed.join(", ")) };
        let name = self.style.paint(Ink::Strong, row.name);
        writeln!(self.out, "{name}: {}{options}", row.about)?;
        self.show_seats()?;
        writeln!(self.out, "Type a move, or `help`.")?;
        self.show()
    }

    /// Shows the players and the strength of the engine.
    pub(crate) fn show_seats(&mut self) -> io::Result<()> {
        let [first, second] = self.line.board().sides();
        let strength = self.strength;
        match self.seats {
            Seats::First => writeln!(self.out, "You are {first}, I am {second}, playing at {strength}."),
            Seats::Second => writeln!(self.out, "You are {second}, I am {first}, playing at {strength}."),
            Seats::Both => writeln!(self.out, "Two people play, {first} and {second}."),
            Seats::None => writeln!(self.out, "The engine plays both sides at {strength}."),
        }
    }

    /// Shows the board, and the side to move or the result.
    pub(crate) fn show(&mut self) -> io::Result<()> {
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

    /// Shows the prompt if there is one, and flushes the output.
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

    /// Reports a mistake.
    pub(crate) fn show_mistake(&mut self, reason: &str) -> io::Result<()> {
        let text = self.style.paint(Ink::Wrong, &sentence(&safe(reason)));
        writeln!(self.out, "{text}")
    }

    /// Handles Ctrl-C at the prompt: the first shows a hint, the second quits.
    fn interrupted(&mut self) -> io::Result<Next> {
        self.end_line()?;
        if self.warned || !self.prompts {
            return Ok(Next::Interrupted);
        }
        self.warned = true;
        writeln!(self.out, "Ctrl-C again quits. `save FILE` saves the game.")?;
        Ok(Next::Go)
    }

    /// Ends the line after ^C or ^D at a terminal.
    fn end_line(&mut self) -> io::Result<()> {
        if self.prompts { writeln!(self.out) } else { Ok(()) }
    }

    /// Lets the engine move for the side to move, and shows its evaluation.
    pub(crate) fn engine_moves(&mut self) -> io::Result<()> {
        self.out.flush()?;
        let board = self.line.board().boxed();
        let (report, stopped) =
            self.think(|thinker, strength, stop, progress| thinker.think(&*board, strength, stop, progress))?;
        let Some(mv) = report.best().cloned() else { return Ok(()) };
        let value = words::value(&*board, self.seats, report.score, report.proof);
        if let Err(error) = self
            .line
            .play(&mv, comment(&score_text(&Info::from(&report)), report.depth.into(), report.time.as_secs_f64()))
        {
            // Searches return legal moves.
            return self.show_mistake(&error.to_string());
        }
        self.paused = stopped && self.seats == Seats::None;
        self.announce(board.turn(), &board.readable(&mv), &format!(" {value}."))?;
        self.show()?;
        self.update_record()
    }

    /// Searches, with a progress line if that takes long; returns whether Ctrl-C stopped it.
    pub(crate) fn think(
        &mut self,
        work: impl FnOnce(&Opponent, Strength, &secateurs::core::StopFlag, &mut dyn FnMut(Progress<'_>)) -> Report,
    ) -> io::Result<(Report, bool)> {
        let board = self.line.board().boxed();
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
                    match event {
                        Progress::Line(report) => {
                            let best = report.best().map_or_else(String::new, |mv| board.readable(mv));
                            bar.set_message(format!("depth {}, {best}", report.depth));
                        }
                        Progress::Move { depth, mv, .. } => {
                            bar.set_message(format!("depth {depth}, {}", board.readable(mv)))
                        }
                        Progress::Result(_) => {}
                    }
                }
            })
        });
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        written.map(|()| found)
    }

    /// Announces a side's move with its consequences and a remark.
    pub(crate) fn announce(&mut self, side: Side, mv: &str, more: &str) -> io::Result<()> {
        let board = self.line.board();
        let speaker = self.speaker(side);
        let again = board.turn() == side && !self.line.is_over();
        let mut outcome = match (board.remark(), again) {
            (Some(remark), true) => format!(", {remark} and has another turn"),
            (Some(remark), false) => format!(" and {remark}"),
            (None, true) => " and has another turn".into(),
            (None, false) => String::new(),
        };
        if !matches!(speaker, Speaker::Named(_)) {
            outcome = first_person(&outcome);
        }
        let player = sentence(&speaker.does("play"));
        let mv = self.style.paint(Ink::Marked, mv);
        writeln!(self.out, "\n{player} {mv}{outcome}.{more}")
    }

    /// Writes the current game to its record.
    pub(crate) fn update_record(&mut self) -> io::Result<()> {
        let Some(recorder) = &mut self.recorder else { return Ok(()) };
        let game = record::write(&self.line, &self.setup, self.seats, self.strength);
        match recorder.update(&game, self.line.is_begun()) {
            Ok(()) => Ok(()),
            Err(error) => self.show_mistake(&format!("the game is not recorded: {error}")),
        }
    }

    /// Shows the result or the final position.
    ///
    /// # Errors
    /// The output fails, or the record of the game is incomplete.
    fn finish(&mut self, status: Status) -> Result<Status, Failure> {
        let board = self.line.board();
        match words::result(board, self.seats, self.line.resigned()) {
            Some(result) => writeln!(self.out, "{result}")?,
            None => writeln!(
                self.out,
                "The game is not over: {}, after {}.",
                board.text(),
                counted(self.line.played().len(), "move")
            )?,
        }
        if let Some(recorder) = self.recorder.as_ref().filter(|recorder| recorder.has_game()) {
            writeln!(self.out, "It is recorded in {}.", shown(recorder.path()))?;
        }
        self.out.flush()?;
        match self.recorder.as_ref().filter(|recorder| recorder.is_incomplete()) {
            Some(recorder) => Err(Failure::Stopped(format!("the record in {} is incomplete", shown(recorder.path())))),
            None => Ok(status),
        }
    }

    /// Returns the options of the game, for `help options`.
    pub(crate) fn options(&self) -> String {
        let row = |(row, value): (&secateurs::core::OptionRow, &secateurs::core::OptionValue)| {
            let value = if matches!(row.kind, OptionKind::File | OptionKind::Folder) {
                String::new()
            } else {
                format!("={value}")
            };
            format!("  {}{value}  {} ({})\n", row.name, row.help, row.kind)
        };
        let rows: String = self.setup.options().iter().map(row).collect();
        if rows.is_empty() { format!("{} has no options.\n", self.setup.row().name) } else { rows }
    }
}

/// Converts the third person to the first or second: `captures 2 seeds and has` becomes `capture 2 seeds and have`.
fn first_person(text: &str) -> String {
    let verb = |word| match word {
        "has" => "have",
        "captures" => "capture",
        _ => word,
    };
    text.split(' ').map(verb).collect::<Vec<_>>().join(" ")
}

/// Returns a progress line on stderr, shown only at a terminal.
fn spinner() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}  (Ctrl-C: move now)") {
        bar.set_style(style);
    }
    progress::tick(&bar);
    bar
}
