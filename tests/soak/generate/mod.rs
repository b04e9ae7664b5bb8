//! Random dialogues, with valid and invalid input.

mod work;

use super::common::Random;
use super::script::{Script, Step};
use super::session::{MARK, NOWHERE, Reply, Session};
use secateurs::core::OptionKind;
use secateurs::registry::{GAMES, NAMES};
use std::path::Path;
use std::time::Duration;

/// Generates the dialogue of a seed, which saves tables in the folder `files`.
pub fn script(seed: u64, files: &Path) -> Script {
    let mut random = Random(seed);
    let game = *random.pick(&NAMES);
    let piped = random.chance(40);
    let mut writer = Writer {
        session: Session::new(game),
        steps: Vec::new(),
        marks: 0,
        idle: true,
        blocked: false,
        files: files.display().to_string(),
        random,
    };
    // Clearing a table of the default size in every dialogue takes too long.
    writer.say("setoption name Hash value 1");
    for _ in 0..1 + writer.random.below(20) {
        writer.any();
        if writer.blocked && writer.random.chance(50) {
            break;
        }
    }
    writer.end();
    Script { game, steps: writer.steps, piped }
}

struct Writer {
    random: Random,
    session: Session,
    steps: Vec<Step>,
    marks: usize,
    /// No work is running.
    idle: bool,
    /// A search without an end may be running or queued, and the next `stop` may not reach it.
    blocked: bool,
    files: String,
}

impl Writer {
    fn any(&mut self) {
        match self.random.below(100) {
            0..25 => self.position(),
            25..40 => self.set_option(),
            40..65 => self.go(),
            65..71 => self.solve(),
            71..80 => self.query(),
            80..85 => self.is_ready(),
            85..90 => self.pause(3_000),
            90..93 => self.garbage(),
            93..95 => self.file(),
            _ => {
                let lines = ["ucinewgame", "uginewgame", "stop", "ponderhit", "debug on", "debug off", "debug", ""];
                let line = *self.random.pick(&lines);
                self.say(line);
            }
        }
    }

    fn say(&mut self, line: &str) -> Reply {
        let mut text = line.to_owned();
        if self.random.chance(5) {
            text = format!(" \t{}  ", text.replace(' ', "  "));
        }
        text.push_str(if self.random.chance(5) { "\r\n" } else { "\n" });
        self.steps.push(Step::Say(text.into_bytes()));
        self.session.execute(line.as_bytes())
    }

    fn say_one_of(&mut self, lines: &[String]) -> Reply {
        let line = self.random.pick(lines).clone();
        self.say(&line)
    }

    fn pause(&mut self, most: usize) {
        let micros = self.random.below(most) as u64;
        self.steps.push(Step::Pause(Duration::from_micros(micros)));
    }

    fn mark(&mut self) -> String {
        self.marks += 1;
        let mark = format!("{MARK} {}", self.marks);
        self.steps.push(Step::Say(format!("{mark}\n").into_bytes()));
        mark
    }

    /// Waits until everything has been answered, unless a search without an end may block that.
    fn settle(&mut self) {
        if !self.blocked {
            let mark = self.mark();
            self.steps.push(Step::AwaitMark(mark));
            self.idle = true;
        }
    }

    fn is_ready(&mut self) {
        self.say("isready");
        if self.random.chance(50) {
            self.steps.push(Step::AwaitReady);
        } else {
            self.idle = false;
        }
    }

    /// Adds a query, or a command for human readers.
    fn query(&mut self) {
        let mv = self.some_move();
        let mut lines: Vec<String> =
            ["d", "moves", "eval", "uci", "ugi", "help", "query p1turn", "query gameover", "query result", "query"]
                .map(str::to_owned)
                .into();
        lines.push(format!("query islegal {mv}"));
        self.say_one_of(&lines);
    }

    /// Returns a move, legal most of the time.
    fn some_move(&mut self) -> String {
        let legal = self.session.board.moves();
        if legal.is_empty() || self.random.chance(20) {
            return (*self.random.pick(&["0", "13", "1-0", "1-256", "17-1", "3", "e2e4", "-1", "(none)"])).to_owned();
        }
        self.random.pick(&legal).clone()
    }

    fn position(&mut self) {
        let Some(start) = self.session.start() else {
            self.say("position startpos");
            return self.set_option();
        };
        // The start, early in the game, anywhere, or the end of the game.
        let most = *self.random.pick(&[0, 8, 60, 400]);
        let plies = if most < 400 { self.random.below(most + 1) } else { most };
        let mut board = start;
        for _ in 0..plies {
            let legal = board.moves();
            if legal.is_empty() {
                break;
            }
            board.play(self.random.pick::<String>(&legal)).unwrap();
        }
        let mut text = match self.random.below(3) {
            0 => format!("position fen {}", board.text()),
            1 => format!("position {}", board.text()),
            _ if board.history().is_empty() => "position startpos".to_owned(),
            _ => format!("position startpos moves {}", board.history().join(" ")),
        };
        match self.random.below(20) {
            0 => text = format!("{text} moves 99"),
            1 => text.truncate(9 + self.random.below(text.len() - 9)),
            2 => text = text.replace(',', ",,"),
            _ => {}
        }
        // The truncated text may be another position, or none; the session finds out.
        self.say(&text);
        if self.random.chance(15) {
            self.say("d");
        }
    }

    fn set_option(&mut self) {
        let general = [
            "Hash",
            "Move Overhead",
            "UCI_Variant",
            "Clear Hash",
            "Hush",
            "Threads",
            "MultiPV",
            "Ponder",
            "UCI_ShowWDL",
            "EqualMoves",
            "RandomTies",
            "RandomSeed",
        ];
        if self.random.chance(60) {
            let name = *self.random.pick(&general);
            let values: &[&str] = match name {
                "Hash" => &["1", "2", "3", "8", "0", "-1", "1048576", "1048577", "x", "", "99999999999999999999"],
                "Move Overhead" => &["0", "1", "10", "10000", "10001", "-1", "ten"],
                "UCI_Variant" => &[
                    "kalah", "nim", "connect4", "cfour", "KALAH", "Nim", "chess", "checkers", "draughts", "xiangqi", "",
                ],
                "Clear Hash" => &["", "", "1"],
                "Threads" => &["1", "2", "3", "4", "0", "257", "two"],
                "MultiPV" => &["1", "2", "3", "256", "0", "257", "-1", "all"],
                "RandomSeed" => &["0", "1", "7", "2147483647", "2147483648", "-1", "x"],
                "Hush" => &["1", "true"],
                _ => &["true", "true", "TRUE", "false", "1", ""],
            };
            let value = *self.random.pick(values);
            self.option(name, value);
        } else {
            let games: Vec<_> = GAMES.iter().filter(|row| !row.options.is_empty()).collect();
            let row = *self.random.pick(&games);
            let option = self.random.pick(row.options);
            let value = match option.kind {
                _ if self.random.chance(8) => (*self.random.pick(&["", "x", "-1", "99999", "1e3"])).to_owned(),
                OptionKind::Check { .. } => self.random.chance(50).to_string(),
                OptionKind::Combo { choices, .. } => (*self.random.pick(choices)).to_owned(),
                OptionKind::Spin { min, max, .. } => {
                    let most = *self.random.pick(&[max, max.min(min + 6)]);
                    (min + self.random.below((most - min + 1) as usize) as i64).to_string()
                }
                OptionKind::Text { .. } | OptionKind::File | OptionKind::Folder => self.heaps(),
            };
            self.option(option.name, &value);
        }
    }

    fn option(&mut self, name: &str, value: &str) {
        let value = if value.is_empty() && self.random.chance(50) { String::new() } else { format!(" value {value}") };
        self.say(&format!("setoption name {name}{value}"));
    }

    /// Numbers separated by commas, as Nim's start option takes them.
    fn heaps(&mut self) -> String {
        let most_heaps = *self.random.pick(&[3, 3, 5, 18]);
        let count = 1 + self.random.below(most_heaps);
        let most = *self.random.pick(&[2, 8, 8, 20, 257]);
        (0..count).map(|_| self.random.below(most).to_string()).collect::<Vec<_>>().join(",")
    }

    fn file(&mut self) {
        let files = self.files.clone();
        let number = self.random.below(3);
        // A table of another game is not replaced.
        let (game, other) = (self.session.row.name, *self.random.pick(&NAMES));
        self.say_one_of(&[
            format!("savehash {files}/{game}-{number}"),
            format!("loadhash {files}/{game}-{number}"),
            format!("loadhash {files}/{other}-{number}"),
            format!("savehash {files}{NOWHERE}{number}"),
            format!("loadhash {files}{NOWHERE}{number}"),
            format!("loadhash {files}"),
            "savehash".to_owned(),
        ]);
        self.mark();
        self.idle = false;
    }

    fn garbage(&mut self) {
        let mut line: Vec<u8> = match self.random.below(4) {
            0 => (0..self.random.below(60)).map(|_| self.random.next() as u8).collect(),
            1 => b"x".repeat(1 << self.random.below(14)),
            2 => b"go fast".to_vec(),
            _ => b"setoption Hash 3".to_vec(),
        };
        line.retain(|byte| *byte != b'\n');
        // With this prefix the line is no command.
        if self.random.chance(50) {
            line.splice(0..0, *b"?");
        }
        if std::str::from_utf8(&line).is_ok_and(|text| text.trim().is_empty()) {
            line = b"?".to_vec();
        }
        self.session.execute(&line);
        line.push(b'\n');
        self.steps.push(Step::Say(line));
    }

    /// Ends the input, at once or after some work, with or without `quit`.
    fn end(&mut self) {
        let ending = self.random.below(10);
        match ending {
            0..3 => self.settle(),
            3 => drop(self.say("stop")),
            // A complete benchmark takes too long: `quit` cuts it off.
            4 => drop(self.say("bench")),
            5 => self.pause(3_000),
            6 => {
                self.say("go infinite");
                self.mark();
            }
            _ => {}
        }
        if ending == 4 || self.random.chance(35) {
            self.say("quit");
            if self.random.chance(30) {
                self.query();
            }
        }
        // The last line may lack its line end.
        if let Some(Step::Say(line)) = self.steps.last_mut()
            && self.random.chance(20)
        {
            while matches!(line.last(), Some(b'\n' | b'\r')) {
                line.pop();
            }
        }
    }
}
