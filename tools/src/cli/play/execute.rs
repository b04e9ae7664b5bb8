//! Executes the commands.

use super::command::{self, Command, rescue};
use super::game_line::GameLine;
use super::record;
use super::seats::Side as Seats;
use super::session::{Next, Session};
use super::{moves, words};
use crate::cli::Failure;
use crate::cli::output::shown;
use crate::cli::setup::given_twice;
use secateurs::core::error::Quoted;
use secateurs::core::score::MAX_PLY;
use secateurs::core::tree::Room;
use secateurs::core::{Error, Ink, Side};
use secateurs::protocol::reply;
use secateurs::registry::{self, STARTPOS, Setup};
use secateurs::store::{Replacement, bounded};
use secateurs::util::counted::counted;
use secateurs::views::{self, Form};
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// The largest depth of a search without a noticeable delay, in plies.
const SOON: u8 = 8;

/// The number of nodes of a tree shown at a terminal: as many whole plies as contain at most that many.
const SHOWN: usize = 60;

impl<W: Write> Session<'_, W> {
    /// Executes a command.
    ///
    /// # Errors
    /// [`Failure::Output`] if the output fails; any other failure is a mistake of the user.
    pub(crate) fn execute(&mut self, command: Command) -> Result<Next, Failure> {
        match command {
            Command::Quit => return Ok(Next::Leave),
            Command::Hint => self.hint()?,
            Command::Undo { count } => self.step(count.into(), true)?,
            Command::Redo { count } => self.step(count.into(), false)?,
            Command::Eval => self.eval()?,
            Command::Tree { tree: (depth, file) } => self.tree(depth, file.as_deref())?,
            Command::Save { to: (path, replace) } => self.save(&path, replace)?,
            Command::Load { file } => self.load(&file)?,
            Command::Resign => self.resign()?,
            Command::Swap => self.swap()?,
            Command::Side { side } => self.side(side)?,
            Command::Go => self.go()?,
            Command::Level { .. } | Command::Depth { .. } | Command::Time { .. } | Command::Nodes { .. } => {
                self.strength = command.strength().unwrap_or(self.strength);
                writeln!(self.out, "The engine plays at {}.", self.strength)?;
            }
            Command::Moves => writeln!(self.out, "{}", moves::legal(self.line.board()))?,
            Command::Board => self.show()?,
            Command::History => self.history()?,
            Command::New { words } => self.new_game(&words)?,
            Command::Help { topic } => self.help(topic.as_deref())?,
        }
        Ok(Next::Go)
    }

    /// Returns whether a line is a move, or several.
    pub(crate) fn is_move(&self, text: &str) -> bool {
        self.typed(text).is_ok()
    }

    /// Parses typed moves.
    fn typed(&self, text: &str) -> Result<Vec<String>, String> {
        if self.line.is_over() {
            return Err("the game is over; `new` starts another, `undo` takes moves back".into());
        }
        // A person may step in where the engine plays both sides or waits.
        let board = self.line.board();
        moves::read(board, text, |side| side == board.turn() || self.seats.has(side))
    }

    /// Plays typed moves. A line that is not a move may be an abbreviated command, or a mistake.
    ///
    /// # Errors
    /// The output fails.
    pub(crate) fn person_moves(&mut self, text: &str) -> io::Result<Next> {
        let found = match self.typed(text) {
            Ok(found) => found,
            Err(mistake) => return self.answer(rescue(text, mistake)),
        };
        for mv in found {
            let (side, shown) = (self.turn(), self.line.board().readable(&mv));
            if let Err(error) = self.line.play(&mv, String::new()) {
                self.show_mistake(&error.to_string())?;
                break;
            }
            self.announce(side, &shown, "")?;
        }
        self.show()?;
        self.update_record()?;
        Ok(Next::Go)
    }

    fn hint(&mut self) -> Result<(), Failure> {
        if self.line.is_over() {
            return Err(Failure::Usage("the game is over".into()));
        }
        let board = self.line.board().boxed();
        let (report, _) = self.think(|thinker, _, stop, progress| thinker.advise(&*board, stop, progress))?;
        let value = words::value(&*board, self.seats, report.score, report.proof);
        let pv = board.readable_line(&report.pv);
        let best = self.style.paint(Ink::Marked, pv.first().map_or("", |mv| mv));
        let after = pv.get(1..).unwrap_or_default();
        let then =
            if after.is_empty() { String::new() } else { format!(", then {}", after[..after.len().min(8)].join(" ")) };
        Ok(writeln!(self.out, "Play {best}{then}. {value}.")?)
    }

    fn eval(&mut self) -> Result<(), Failure> {
        let board = self.line.board().boxed();
        let side = board.sides()[board.turn().index()];
        if !self.line.is_over() {
            let units = board.units().map_or("units", |[_, several]| several);
            writeln!(self.out, "Static evaluation for {side}, in {units}:\n{}", reply::evaluation(&*board))?;
            let (report, _) = self.think(|thinker, _, stop, progress| thinker.advise(&*board, stop, progress))?;
            let value = words::value(&*board, self.seats, report.score, report.proof);
            let how = if report.nodes == 0 { "Book".to_owned() } else { format!("Search to depth {}", report.depth) };
            return Ok(writeln!(self.out, "{how}: {value}.")?);
        }
        let result = words::result(&*board, self.seats, self.line.resigned()).unwrap_or_default();
        Ok(writeln!(self.out, "The game is over. {result}")?)
    }

    fn tree(&mut self, depth: u8, file: Option<&Path>) -> Result<(), Failure> {
        let form = file.map_or(Ok(Form::Text), Form::from_path)?;
        if let Some(path) = file.filter(|path| path.exists()) {
            return Err(Failure::Usage(format!("file {} exists; tree does not overwrite it", path.display())));
        }
        let room = Room::new(if file.is_some() { Room::NODES } else { SHOWN }, MAX_PLY)?;
        let board = self.line.board();
        if depth > SOON {
            writeln!(self.out, "Searching to depth {depth}; Ctrl-C stops the search and shows the tree so far.")?;
            self.out.flush()?;
        }
        let tree = self.input.interruptible(|stop| self.thinker.tree(board, depth, room, stop)).0?;
        let Some(path) = file else {
            return Ok(views::write_table(&tree, board, self.style.columns, &mut *self.out)?);
        };
        Replacement::write_whole(path, views::written(form, &tree, board).as_bytes())?;
        Ok(writeln!(self.out, "Wrote the tree to {}.", shown(path))?)
    }

    /// Undoes or redoes a number of decisions.
    fn step(&mut self, count: usize, back: bool) -> Result<(), Failure> {
        let (seats, both) = (self.seats, self.seats == Seats::None);
        let decides = |side| both || seats.has(side);
        let (done, verb) = match back {
            true => (self.line.undo(count, decides), "undo"),
            false => (self.line.redo(count, decides), "redo"),
        };
        if done == 0 {
            return Err(Failure::Usage(format!("there is no move to {verb}")));
        }
        if done < count {
            writeln!(
                self.out,
                "There {} only {} to {verb}.",
                if done == 1 { "was" } else { "were" },
                counted(done, "move")
            )?;
        }
        self.paused = both;
        self.show()?;
        Ok(self.update_record()?)
    }

    fn resign(&mut self) -> Result<(), Failure> {
        if self.line.is_over() {
            return Err(Failure::Usage("the game is over".into()));
        }
        let side = match self.seats {
            Seats::First => Side::First,
            Seats::Second => Side::Second,
            Seats::Both | Seats::None => self.turn(),
        };
        self.line.resign(side);
        self.show()?;
        Ok(self.update_record()?)
    }

    fn swap(&mut self) -> Result<(), Failure> {
        let nothing = "nothing to swap; `side first` or `side second` chooses your side against the engine";
        self.side(Some(self.seats.swapped().ok_or_else(|| Failure::Usage(nothing.into()))?))
    }

    fn side(&mut self, side: Option<Seats>) -> Result<(), Failure> {
        let Some(side) = side else { return Ok(self.show_seats()?) };
        (self.seats, self.paused) = (side, false);
        self.show_seats()?;
        Ok(self.update_record()?)
    }

    fn go(&mut self) -> Result<(), Failure> {
        if self.line.is_over() {
            return Err(Failure::Usage("the game is over".into()));
        }
        if !std::mem::take(&mut self.paused) {
            self.engine_moves()?;
        }
        Ok(())
    }

    fn history(&mut self) -> Result<(), Failure> {
        let board = self.line.board();
        if self.line.played().is_empty() {
            return Ok(writeln!(self.out, "No move has been played.")?);
        }
        let sides = board.sides();
        let width = sides[0].len().max(sides[1].len());
        // All consecutive moves of one side form one numbered line.
        let mut last = None;
        let mut number = 0;
        let mut text = String::new();
        let played: Vec<_> = self.line.played().iter().map(|played| played.mv.clone()).collect();
        let readable = self.line.start().readable_line(&played);
        for ((side, _), mv) in self.line.moves().zip(&readable) {
            if last != Some(side) {
                number += 1;
                text +=
                    &format!("{}{number:>3}. {:<width$} ", if last.is_some() { "\n" } else { "" }, sides[side.index()]);
            }
            text += &format!(" {mv}");
            last = Some(side);
        }
        Ok(writeln!(self.out, "{text}")?)
    }

    fn new_game(&mut self, words: &str) -> Result<(), Failure> {
        let (setup, line) = self.new_setup(words)?;
        self.begin(setup, line)?;
        Ok(self.greet()?)
    }

    /// Returns another game by the arguments of `new`.
    fn new_setup(&self, words: &str) -> Result<(Setup, GameLine), Failure> {
        let mut setup = self.setup.clone();
        let mut words = words.split_whitespace().peekable();
        if let Some(name) = words.next_if(|word| !word.contains('=')) {
            let row = registry::find(name)?;
            if row.name != setup.row().name {
                setup = Setup::new(row);
            }
        }
        let options = words.map(|word| {
            word.split_once('=').ok_or_else(|| {
                let word = Quoted::part(word);
                Failure::Usage(format!("{word} is not NAME=VALUE; new takes a game, then options such as houses=4"))
            })
        });
        let options = options.collect::<Result<Vec<_>, _>>()?;
        if let Some(name) = given_twice(options.iter().map(|(name, _)| *name)) {
            return Err(Failure::Usage(format!("the option {} is given twice", Quoted::part(name))));
        }
        for (name, value) in options {
            setup.set(name, value).map_err(|error| match error {
                Error::UnknownOption(_) => {
                    let (game, name) = (setup.row().name, Quoted::part(name));
                    Failure::Usage(format!("{game} has no option {name}; `help options` lists them"))
                }
                error => error.into(),
            })?;
        }
        let board = setup.board(STARTPOS)?;
        Ok((setup, GameLine::new(board)))
    }

    /// Starts another game; the record of the last one stays in its file.
    fn begin(&mut self, setup: Setup, line: GameLine) -> io::Result<()> {
        if let Some(recorder) = &mut self.recorder {
            recorder.next(&record::write(&self.line, &self.setup, self.seats, self.strength));
        }
        (self.setup, self.line, self.paused) = (setup, line, false);
        self.saved.clear();
        self.thinker.begin(self.setup.row(), self.book).or_else(|error| self.show_mistake(&error.to_string()))
    }

    fn save(&mut self, path: &Path, replace: bool) -> Result<(), Failure> {
        let same = |recorder: &record::Recorder| fs::canonicalize(recorder.path()).ok() == fs::canonicalize(path).ok();
        if path.exists() && self.recorder.as_ref().is_some_and(same) {
            return Ok(writeln!(self.out, "The game is already recorded in {}.", shown(path))?);
        }
        Replacement::check(path)?;
        if path.exists() && !replace && !self.is_known(path) {
            let name = path.display();
            return Err(Failure::Usage(format!("file {name} exists; `save {name} replace` overwrites it")));
        }
        let text = record::write(&self.line, &self.setup, self.seats, self.strength);
        Replacement::write_whole(path, &text)?;
        self.know(path, text);
        Ok(writeln!(self.out, "Saved to {}.", shown(path))?)
    }

    /// Notes that the file holds the current game, and no other.
    fn know(&mut self, path: &Path, text: Vec<u8>) {
        if let Ok(path) = fs::canonicalize(path) {
            self.saved.retain(|(known, _)| *known != path);
            self.saved.push((path, text));
        }
    }

    /// Returns whether the file holds the current game, and no other: nothing was added to it by other programs.
    fn is_known(&self, path: &Path) -> bool {
        let is = |known: &Path, text: &[u8]| {
            fs::canonicalize(path).is_ok_and(|path| path == known)
                && bounded::read(path, text.len() as u64).is_ok_and(|found| found == text)
        };
        self.saved.iter().any(|(known, text)| is(known, text))
    }

    fn load(&mut self, path: &Path) -> Result<(), Failure> {
        let load = |here: &Setup| record::load(path, here, &[]);
        let chess = |error| Setup::named("chess").and_then(|chess| load(&chess)).map_err(|_| error);
        let (loaded, texts) = load(&self.setup).or_else(chess)?;
        self.begin(loaded.setup, loaded.line)?;
        let [before, game] = &texts;
        if before.is_empty() {
            self.know(path, game.clone().into_bytes());
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.resume(path, texts);
        }
        self.seats = loaded.seats.unwrap_or(self.seats);
        self.strength = loaded.strength.unwrap_or(self.strength);
        writeln!(self.out, "Loaded from {}, {} played.", shown(path), counted(self.line.played().len(), "move"))?;
        Ok(self.greet()?)
    }

    fn help(&mut self, topic: Option<&str>) -> Result<(), Failure> {
        if topic.is_some_and(|topic| ["option", "options"].contains(&topic.to_lowercase().as_str())) {
            return Ok(write!(self.out, "{}", self.options())?);
        }
        let text = command::help(topic, self.style.columns, self.style.colour).map_err(Failure::Usage)?;
        Ok(write!(self.out, "{text}")?)
    }
}
