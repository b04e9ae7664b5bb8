//! Executes the commands.

use super::command::{self, COMMANDS, Command, rescue, usage};
use super::game_line::GameLine;
use super::level::{self, Strength};
use super::record;
use super::seats::{Side as Seats, sentence};
use super::session::{Next, Session, plies};
use super::{moves, words};
use crate::cli::terminal;
use crate::core::error::Quoted;
use crate::core::score::MAX_PLY;
use crate::core::tree::Room;
use crate::core::{Error, Ink, Side};
use crate::protocol::reply;
use crate::registry::{self, STARTPOS, Setup};
use crate::views::{self, Form};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The largest depth of a search without a noticeable delay, in plies.
const SOON: u8 = 8;

/// The number of nodes of a tree shown at a terminal: as many whole plies as contain at most that many.
const SHOWN: usize = 60;

/// The first part of `help moves`.
const MOVES: &str = "\
A move is typed in the notation of the game, as `moves` lists it. Case, blanks and words such as house or column do not \
matter, and the beginning of a move is enough where only one move begins so. Several moves are typed one behind the other \
as long as it is your turn.";

/// The maximum width of prose, on wider terminals and in pipes as well.
const PROSE: usize = 100;

impl<W: Write> Session<'_, W> {
    /// Executes a command.
    ///
    /// # Errors
    /// The output fails.
    pub fn execute(&mut self, command: Command) -> io::Result<Next> {
        match command {
            Command::Quit => return Ok(Next::Leave),
            Command::Moves(text) => return self.person_moves(&text),
            Command::Hint => self.hint()?,
            Command::Undo(count) => self.undo(count)?,
            Command::Redo(count) => self.redo(count)?,
            Command::Eval => self.eval()?,
            Command::Tree(depth, file) => self.tree(depth, file.as_deref())?,
            Command::Save(path, over) => self.save(&path, over)?,
            Command::Load(path) => self.load(&path)?,
            Command::Resign => self.resign()?,
            Command::Swap => self.swap()?,
            Command::Side(side) => self.side(side)?,
            Command::Go => self.go()?,
            Command::Strength(strength) => self.set_strength(strength)?,
            Command::List => writeln!(self.out, "{}", moves::list(&self.line.board().moves()))?,
            Command::Board => self.show()?,
            Command::History => self.history()?,
            Command::New(words) => self.new_game(&words)?,
            Command::Help(topic) => self.help(topic.as_deref())?,
        }
        Ok(Next::Go)
    }

    /// Handles a line without a command: moves, an abbreviated command, or a mistake.
    fn person_moves(&mut self, text: &str) -> io::Result<Next> {
        let board = self.line.board().boxed();
        let found = if self.line.is_over() {
            Err("the game is over: new begins another one, undo takes moves back".into())
        } else {
            // A person may step in where the engine plays both sides or waits.
            let turn = board.turn();
            moves::read(&*board, text, |side| side == turn || self.seats.has(side))
        };
        let found = match found {
            Ok(found) => found,
            Err(mistake) => {
                return match rescue(text, mistake) {
                    // An abbreviated command, already parsed, and not a move.
                    Ok(command) => self.execute(command),
                    Err(reason) => self.wrong(&reason).map(|()| Next::Go),
                };
            }
        };
        for mv in found {
            let side = self.turn();
            if let Err(error) = self.line.play(&mv, String::new()) {
                self.wrong(&error.to_string())?;
                break;
            }
            self.announce(side, &mv, "")?;
        }
        self.show()?;
        self.keep()?;
        Ok(Next::Go)
    }

    fn hint(&mut self) -> io::Result<()> {
        if self.line.is_over() {
            return self.wrong("the game is over: there is nothing to play");
        }
        let board = self.line.board().boxed();
        let (report, _) = self.think(|thinker, _, stop, progress| thinker.advise(&*board, stop, progress))?;
        let value = words::value(&*board, self.seats, report.score, report.proof);
        let best = self.style.paint(Ink::Marked, report.best().map_or("", |mv| mv));
        let after = report.pv.get(1..).unwrap_or_default();
        let then =
            if after.is_empty() { String::new() } else { format!(", then {}", after[..after.len().min(8)].join(" ")) };
        writeln!(self.out, "Play {best}{then}. {value}.")
    }

    fn eval(&mut self) -> io::Result<()> {
        let board = self.line.board().boxed();
        let side = board.sides()[board.turn().index()];
        if !self.line.is_over() {
            let units = board.units().map_or("units", |[_, several]| several);
            writeln!(self.out, "At a glance, for {side}, in {units}:\n{}", reply::evaluation(&*board))?;
            let (report, _) = self.think(|thinker, _, stop, progress| thinker.advise(&*board, stop, progress))?;
            let value = words::value(&*board, self.seats, report.score, report.proof);
            let how = if report.nodes == 0 {
                "By the book".to_owned()
            } else {
                format!("After a search of {}", level::deep(report.depth))
            };
            return writeln!(self.out, "{how}: {value}.");
        }
        let result = words::result(&*board, self.seats, self.line.resigned()).unwrap_or_default();
        writeln!(self.out, "The game is over. {result}")
    }

    fn tree(&mut self, depth: u8, file: Option<&Path>) -> io::Result<()> {
        let form = match file.map_or(Ok(Form::Text), Form::of) {
            Ok(form) => form,
            Err(error) => return self.wrong(&error.to_string()),
        };
        if let Some(path) = file.filter(|path| path.exists()) {
            return self.wrong(&format!("there is a file {} already: a tree does not write over it", path.display()));
        }
        let limit = if file.is_some() { Room::NODES } else { SHOWN };
        let room = match Room::new(limit, MAX_PLY) {
            Ok(room) => room,
            Err(error) => return self.wrong(&error.to_string()),
        };
        let board = self.line.board();
        if depth > SOON {
            writeln!(self.out, "Searching {} deep; Ctrl-C shows what is known by then.", plies(depth.into()))?;
            self.out.flush()?;
        }
        let tree = match self.input.interruptible(|stop| self.thinker.tree(board, depth, room, stop)).0 {
            Ok(tree) => tree,
            Err(error) => return self.wrong(&error.to_string()),
        };
        match file {
            None => views::write_table(&tree, board, self.style.columns, &mut *self.out),
            Some(path) => match record::put(path, views::written(form, &tree, board).as_bytes()) {
                Ok(()) => writeln!(self.out, "The tree is in {}.", path.display()),
                Err(error) => self.wrong(&error.to_string()),
            },
        }
    }

    fn undo(&mut self, count: usize) -> io::Result<()> {
        let (seats, both) = (self.seats, self.seats == Seats::None);
        match self.line.undo(count, |side| both || seats.has(side)) {
            0 => return self.wrong("there is no move of yours to take back"),
            all if all == count => {}
            fewer => writeln!(self.out, "No more than {} of yours could be taken back.", plies(fewer))?,
        }
        self.paused = both;
        self.show()?;
        self.keep()
    }

    fn redo(&mut self, count: usize) -> io::Result<()> {
        let (seats, both) = (self.seats, self.seats == Seats::None);
        match self.line.redo(count, |side| both || seats.has(side)) {
            0 => return self.wrong("nothing was taken back that could be played again"),
            all if all == count => {}
            fewer => writeln!(self.out, "No more than {} could be played again.", plies(fewer))?,
        }
        self.paused = both;
        self.show()?;
        self.keep()
    }

    fn resign(&mut self) -> io::Result<()> {
        if self.line.is_over() {
            return self.wrong("the game is over already");
        }
        let side = match self.seats {
            Seats::First => Side::First,
            Seats::Second => Side::Second,
            Seats::Both | Seats::None => self.turn(),
        };
        self.line.resign(side);
        self.show()?;
        self.keep()
    }

    fn swap(&mut self) -> io::Result<()> {
        match self.seats.swapped() {
            Some(seats) => self.side(Some(seats)),
            None => {
                self.wrong("both sides are played alike: there is nothing to change; side first|second sits you down")
            }
        }
    }

    fn side(&mut self, side: Option<Seats>) -> io::Result<()> {
        if let Some(side) = side {
            self.seats = side;
            self.paused = false;
        }
        self.show_seats()?;
        if side.is_some() { self.keep() } else { Ok(()) }
    }

    fn go(&mut self) -> io::Result<()> {
        if self.line.is_over() {
            return self.wrong("the game is over: there is nothing to play");
        }
        if self.paused {
            self.paused = false;
            return Ok(());
        }
        self.engine_moves()
    }

    fn set_strength(&mut self, strength: Option<Strength>) -> io::Result<()> {
        self.strength = strength.unwrap_or(self.strength);
        let words = self.strength.words();
        writeln!(self.out, "The engine plays {words}.")
    }

    fn history(&mut self) -> io::Result<()> {
        let board = self.line.board();
        if self.line.played().is_empty() {
            return writeln!(self.out, "No move was played yet.");
        }
        let sides = board.sides();
        let width = sides[0].len().max(sides[1].len());
        // All consecutive moves of one side form one numbered line.
        let mut last = None;
        let mut number = 0;
        let mut text = String::new();
        for (side, played) in self.line.moves() {
            if last != Some(side) {
                number += 1;
                text +=
                    &format!("{}{number:>3}. {:<width$} ", if last.is_some() { "\n" } else { "" }, sides[side.index()]);
            }
            text += &format!(" {}", played.mv);
            last = Some(side);
        }
        writeln!(self.out, "{text}")
    }

    fn new_game(&mut self, words: &[String]) -> io::Result<()> {
        let (setup, line) = match self.new_setup(words) {
            Ok(new) => new,
            Err(error) => return self.wrong(&error),
        };
        self.begin(setup, line)?;
        self.greet()
    }

    /// Returns another game by the arguments of `new`.
    fn new_setup(&self, words: &[String]) -> Result<(Setup, GameLine), String> {
        let mut setup = self.setup.clone();
        let mut words = words.iter().peekable();
        if let Some(name) = words.next_if(|word| !word.contains('=')) {
            let row = registry::find(name).map_err(|error| error.to_string())?;
            if row.name != setup.row().name {
                setup = Setup::new(row);
            }
        }
        for word in words {
            let (name, value) = word.split_once('=').ok_or_else(|| {
                format!("{} is not NAME=VALUE: new takes a game, then options such as houses=4", Quoted::part(word))
            })?;
            setup.set(name, value).map_err(|error| match error {
                Error::UnknownOption(_) => {
                    format!("{} has no option {}; help options lists them", setup.row().name, Quoted::part(name))
                }
                error => error.to_string(),
            })?;
        }
        let board = setup.board(STARTPOS).map_err(|error| error.to_string())?;
        Ok((setup, GameLine::new(board)))
    }

    /// Starts another game; the record of the last one stays in its file.
    fn begin(&mut self, setup: Setup, line: GameLine) -> io::Result<()> {
        if let Some(recorder) = &mut self.recorder {
            recorder.next(&record::write(&self.line, &self.setup, self.seats, self.strength));
        }
        (self.setup, self.line, self.paused) = (setup, line, false);
        match self.thinker.begin(self.setup.row(), self.book) {
            Ok(()) => Ok(()),
            Err(error) => self.wrong(&error.to_string()),
        }
    }

    fn save(&mut self, path: &Path, over: bool) -> io::Result<()> {
        let same = |recorder: &record::Recorder| fs::canonicalize(recorder.path()).ok() == fs::canonicalize(path).ok();
        if path.exists() && self.recorder.as_ref().is_some_and(same) {
            return writeln!(self.out, "{} keeps the game already.", path.display());
        }
        if path.exists() && !over && !self.is_known(path) {
            let name = path.display();
            return self.wrong(&format!("there is a file {name} already: save {name} replace writes over it"));
        }
        match record::put(path, &record::write(&self.line, &self.setup, self.seats, self.strength)) {
            Ok(()) => {
                self.saved.extend(fs::canonicalize(path));
                writeln!(self.out, "Saved in {}.", path.display())
            }
            Err(error) => self.wrong(&error.to_string()),
        }
    }

    /// Returns whether this session has saved a game to this file.
    fn is_known(&self, path: &Path) -> bool {
        fs::canonicalize(path).is_ok_and(|path: PathBuf| self.saved.contains(&path))
    }

    fn load(&mut self, path: &Path) -> io::Result<()> {
        let (loaded, before) = match record::load(path, &self.setup) {
            Ok(loaded) => loaded,
            Err(error) => return self.wrong(&error.to_string()),
        };
        self.begin(loaded.setup, loaded.line)?;
        if let Some(recorder) = &mut self.recorder {
            recorder.take_up(path, before);
        }
        self.seats = loaded.seats.unwrap_or(self.seats);
        self.strength = loaded.strength.unwrap_or(self.strength);
        writeln!(self.out, "Loaded from {}, {} played.", path.display(), plies(self.line.played().len()))?;
        self.greet()
    }

    fn help(&mut self, topic: Option<&str>) -> io::Result<()> {
        let strong = |text: &str| self.style.paint(Ink::Strong, text);
        let columns = self.style.columns;
        let moves = terminal::wrap(MOVES, Some(columns.map_or(PROSE, |columns| columns.min(PROSE))), 0);
        let text = match topic {
            None => format!(
                "{}\n{moves}\n\n{}\n{}\nCtrl-C lets the engine move at once. `help COMMAND` says more.\n",
                strong("Moves"),
                strong("Commands"),
                command::help(columns)
            ),
            Some("move" | "notation") => format!("{moves}\n\n{}\n", moves::list(&self.line.board().moves())),
            Some("option" | "options") => self.options(),
            Some(topic) => match command::row(topic) {
                Some(row) => {
                    let also =
                        if row.also.is_empty() { String::new() } else { format!("\nAlso: {}", row.also.join(", ")) };
                    let more = match row.name {
                        "level" => format!("\n{}", level::table(columns).trim_end()),
                        "moves" => format!("\n{moves}"),
                        _ if row.more.is_empty() => String::new(),
                        _ => format!("\n{}", row.more),
                    };
                    format!("{}: {}{also}{more}\n", strong(&usage(row)), row.help)
                }
                None => {
                    let names: Vec<_> = COMMANDS.iter().map(|row| row.name).collect();
                    return self.wrong(&format!(
                        "no help about {}; there is some about {}",
                        Quoted::part(topic),
                        names.join(", ")
                    ));
                }
            },
        };
        write!(self.out, "{}", sentence(&text))
    }
}
