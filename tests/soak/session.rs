//! A model of the engine's session (game, options, board), derived from the input lines alone, and the reply that
//! protocol.md prescribes for each line.

use secateurs::core::solution::Valued;
use secateurs::core::{Options, Side, StopFlag};
use secateurs::engine::Board;
use secateurs::registry::{self, GAMES, GameRow};

/// The keywords of `go`; the moves of `searchmoves` end before the next one.
const WORDS: [&str; 17] = [
    "searchmoves",
    "ponder",
    "infinite",
    "perft",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "movestogo",
    "wtime",
    "btime",
    "winc",
    "binc",
    "p1time",
    "p2time",
    "p1inc",
    "p2inc",
];

/// An unknown command, whose refusal marks a point in the output.
pub const MARK: &str = "mark";

/// A folder that does not exist.
pub const NOWHERE: &str = "/nowhere/";

/// The reply to a line.
pub enum Reply {
    /// No output.
    Nothing,
    /// `readyok`, at once.
    Ready,
    /// The running search is stopped; no output of its own.
    Stop,
    /// The end of the dialogue.
    Quit,
    /// Pondering becomes an ordinary search; no output of its own.
    PonderHit,
    /// These lines.
    Lines(Vec<String>),
    /// Lines up to the first one with this prefix.
    Through(&'static str),
    /// One remark with this prefix.
    Refusal(String),
    /// One remark with this prefix, and `bestmove (none)`.
    RefusedSearch(&'static str),
    /// One remark, with this prefix or reporting that the work was stopped.
    Work(&'static str),
    /// A search.
    Search(Go),
    /// An exact search, with the values of these moves.
    Solve(Valued),
    /// The lines of `go perft`; `None` if counting takes too long.
    Perft(Option<Vec<String>>),
    /// The benchmark.
    Bench,
}

/// The request of a `go`.
#[derive(Clone, Debug, Default)]
pub struct Go {
    /// The search ends by itself.
    pub finite: bool,
    /// The search does not end before `stop`.
    pub endless: bool,
    /// The search does not end before `ponderhit` or `stop`.
    pub ponder: bool,
    /// The moves of `searchmoves`.
    pub only: Vec<String>,
}

/// The options that change a search's output.
#[derive(Clone, Debug)]
pub struct Expected {
    /// `MultiPV`.
    pub lines: usize,
    /// `Ponder`, except after `ugi`.
    pub reply: bool,
    /// `UCI_ShowWDL`.
    pub wdl: bool,
    /// `EqualMoves`.
    pub equal: bool,
    /// `RandomTies`.
    pub random: bool,
}

pub struct Session {
    pub row: &'static GameRow,
    /// The options by game, in the order of the registry.
    options: Vec<Options>,
    pub board: Box<dyn Board>,
    /// Whether the last position was refused: there is none then.
    is_refused: bool,
    lines: usize,
    ponder: bool,
    ugi: bool,
    wdl: bool,
    equal: bool,
    random: bool,
}

impl Session {
    pub fn new(game: &str) -> Self {
        let row = registry::find(game).unwrap();
        let board = row.start(&row.defaults()).unwrap();
        let options = GAMES.iter().map(GameRow::defaults).collect();
        let [ponder, ugi, wdl, equal, random] = [false; 5];
        Self { row, options, board, is_refused: false, lines: 1, ponder, ugi, wdl, equal, random }
    }

    /// Returns the options that apply to a search that begins now.
    pub fn expected(&self) -> Expected {
        let Self { lines, wdl, equal, random, .. } = *self;
        Expected { lines, reply: self.ponder && !self.ugi, wdl, equal, random }
    }

    /// Returns the board at the start of the game, if the options allow one.
    pub fn start(&self) -> Option<Box<dyn Board>> {
        self.row.start(self.options_of(self.row)).ok()
    }

    fn options_of(&self, row: &GameRow) -> &Options {
        &self.options[GAMES.iter().position(|game| game.name == row.name).unwrap()]
    }

    /// Executes a line in its turn and returns the expected reply.
    pub fn execute(&mut self, line: &[u8]) -> Reply {
        let Ok(line) = std::str::from_utf8(line) else {
            self.is_refused |= line.trim_ascii().starts_with(b"pos");
            let reason = "info string bad command";
            let searches = line.trim_ascii().starts_with(b"go ");
            return if searches { Reply::RefusedSearch(reason) } else { Reply::Refusal(reason.into()) };
        };
        let words: Vec<_> = line.split_whitespace().collect();
        let Some((&command, rest)) = words.split_first() else { return Reply::Nothing };
        let reply = self.reply(line, command, rest);
        let is_of_position = match command {
            "position" | "setoption" | "bench" | MARK => false,
            "eval" | "moves" | "d" => true,
            _ if matches!(&reply, Reply::RefusedSearch(text) if text.contains("illegal move")) => true,
            _ => {
                matches!(reply, Reply::Search(_) | Reply::Solve(_) | Reply::Perft(_) | Reply::Lines(_) | Reply::Work(_))
            }
        };
        if !self.is_refused || !is_of_position {
            return reply;
        }
        let none = "info string there is no position: the last one was refused".to_owned();
        match reply {
            Reply::Search(_) | Reply::RefusedSearch(_) | Reply::Perft(_) => {
                Reply::Lines(vec![none, "bestmove (none)".into()])
            }
            _ => Reply::Lines(vec![none]),
        }
    }

    /// Returns the reply to a command if there is a position.
    fn reply(&mut self, line: &str, command: &str, rest: &[&str]) -> Reply {
        match (command, rest) {
            ("isready", _) => Reply::Ready,
            ("stop", _) => Reply::Stop,
            ("quit", _) => Reply::Quit,
            ("ponderhit", _) => Reply::PonderHit,
            ("debug", ["on" | "off"]) | ("ucinewgame" | "uginewgame", _) => Reply::Nothing,
            ("uci" | "ugi", _) => {
                self.ugi = command == "ugi";
                Reply::Through(if self.ugi { "ugiok" } else { "uciok" })
            }
            ("help", _) => Reply::Through("quit"),
            ("eval", _) => Reply::Through("total "),
            ("bench", _) => Reply::Bench,
            ("moves", _) => Reply::Lines(vec![self.board.moves().join(" ")]),
            ("d", _) => Reply::Lines(self.drawn()),
            ("query", words) => self.query(words).map_or_else(
                || Reply::Refusal("info string bad command".into()),
                |answer| Reply::Lines(vec![format!("response {answer}")]),
            ),
            ("setoption", words) => self.set_option(words),
            ("position", words) => self.set_position(words),
            ("go", words) => self.go(words),
            ("solve", words) => Self::solve(words),
            ("savehash" | "loadhash", []) => Reply::Refusal("info string bad command".into()),
            // These paths cannot be read or written.
            ("savehash", [file, ..]) if file.contains(NOWHERE) => Reply::Work("info string cannot write "),
            ("loadhash", [file, ..]) if file.contains(NOWHERE) => Reply::Work("info string cannot read "),
            ("savehash", _) => Reply::Work("info string saved "),
            // The file may not exist yet, or belong to other rules.
            ("loadhash", _) => Reply::Work("info string "),
            (MARK, _) => Reply::Refusal(format!("info string bad command \"{}\"", line.trim())),
            _ => Reply::Refusal("info string bad command".into()),
        }
    }

    fn drawn(&self) -> Vec<String> {
        let board = &self.board;
        let mut lines: Vec<_> = board.draw().lines().map(str::to_owned).collect();
        lines.extend([format!("position {}", board.text()), format!("key {:016x}", board.key())]);
        if let Some(outcome) = board.outcome() {
            let margin = match outcome {
                secateurs::core::Outcome::Margin(units) => format!(", the side to move {units:+}"),
                _ => String::new(),
            };
            lines.push(format!("result {}{margin}", self.result()));
        }
        lines
    }

    fn result(&self) -> &'static str {
        let Some(outcome) = self.board.outcome() else { return "none" };
        let score = outcome.score() * if self.board.turn() == Side::First { 1 } else { -1 };
        ["p2win", "draw", "p1win"][(score.signum() + 1) as usize]
    }

    /// Returns the name of the legal move that a text denotes, as the game writes it.
    fn named(&self, text: &str) -> Option<String> {
        let mut board = self.board.boxed();
        board.play(text).ok()?;
        board.history().pop()
    }

    fn query(&self, words: &[&str]) -> Option<String> {
        Some(match *words {
            ["p1turn"] => (self.board.turn() == Side::First).to_string(),
            ["gameover"] => self.board.outcome().is_some().to_string(),
            ["result"] => self.result().to_owned(),
            ["islegal", mv] => self.named(mv).is_some().to_string(),
            _ => return None,
        })
    }

    fn set_option(&mut self, words: &[&str]) -> Reply {
        let refusal = || Reply::Refusal("info string ".into());
        let ["name", words @ ..] = words else { return refusal() };
        let at = words.iter().position(|&word| word == "value").unwrap_or(words.len());
        let (name, value) = (words[..at].join(" "), words.get(at + 1..).unwrap_or_default().join(" "));
        let number = |least: i64, most: i64| value.parse().ok().filter(|value| (least..=most).contains(value));
        let within = |least, most| number(least, most).map_or_else(refusal, |_| Reply::Nothing);
        let mut check = |flag: fn(&mut Self) -> &mut bool| match value.to_lowercase().parse() {
            Ok(value) => {
                *flag(self) = value;
                Reply::Nothing
            }
            Err(_) => refusal(),
        };
        match name.to_lowercase().as_str() {
            "clear hash" => Reply::Nothing,
            // Requests are for a few MiB, or for far too many.
            "hash" => within(1, 1 << 12),
            "move overhead" => within(0, 10_000),
            "threads" => number(1, 256).map_or_else(refusal, |threads| {
                let cores = std::thread::available_parallelism().map_or(1, usize::from);
                if threads as usize > cores {
                    Reply::Refusal(format!("info string {threads} threads on {cores} core"))
                } else {
                    Reply::Nothing
                }
            }),
            "randomseed" => within(0, i64::from(i32::MAX)),
            "ponder" => check(|session| &mut session.ponder),
            "uci_showwdl" => check(|session| &mut session.wdl),
            "equalmoves" => check(|session| &mut session.equal),
            "randomties" => check(|session| &mut session.random),
            "multipv" => number(1, 256).map_or_else(refusal, |lines| {
                self.lines = lines as usize;
                Reply::Nothing
            }),
            "uci_variant" => {
                let Ok(row) = registry::find(&value) else { return refusal() };
                self.board = row.start(self.options_of(row)).or_else(|_| row.start(&row.defaults())).unwrap();
                self.row = row;
                self.is_refused = false;
                Reply::Nothing
            }
            name => match GAMES.iter().zip(&mut self.options).find(|(_, options)| options.has(name)) {
                Some((row, options)) => row.set(options, name, &value).map_or_else(|_| refusal(), |()| Reply::Nothing),
                None => refusal(),
            },
        }
    }

    fn set_position(&mut self, words: &[&str]) -> Reply {
        let refusal = || Reply::Refusal("info string ".into());
        self.is_refused = true;
        let at = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let text = words[..at].strip_prefix(&["fen"]).unwrap_or(&words[..at]);
        if text.is_empty() {
            return refusal();
        }
        let Ok(mut board) = self.row.parse(self.options_of(self.row), &text.join(" ")) else { return refusal() };
        if words.iter().skip(at + 1).any(|mv| board.play(mv).is_err()) {
            return refusal();
        }
        self.board = board;
        self.is_refused = false;
        Reply::Nothing
    }

    fn go(&self, words: &[&str]) -> Reply {
        let is_number = |word: &&str| {
            let digits = word.trim_start_matches(['-', '+']);
            !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
        };
        let clocks = [["wtime", "p1time"], ["btime", "p2time"]];
        let refusal = || Reply::RefusedSearch("info string bad command");
        let mut go = Go::default();
        let (mut understood, mut infinite, mut is_unread) = (words.is_empty(), false, false);
        let mut rest = words.iter().copied().peekable();
        while let Some(word) = rest.next() {
            let number = if word == "searchmoves" { None } else { rest.peek().copied().filter(is_number) };
            match (word, number) {
                ("infinite", _) => (understood, infinite) = (true, true),
                ("ponder", _) => (understood, go.ponder) = (true, true),
                ("searchmoves", _) => {
                    let before = go.only.len();
                    while let Some(mv) = rest.next_if(|word| !WORDS.contains(word)) {
                        go.only.push(mv.to_owned());
                    }
                    if go.only.len() == before {
                        return refusal();
                    }
                    understood = true;
                }
                ("perft", Some(depth)) => return Reply::Perft(self.perft(depth)),
                ("depth" | "nodes" | "mate", Some(number)) if !number.starts_with('-') => {
                    (understood, go.finite) = (true, true);
                }
                ("movetime", Some(_)) => (understood, go.finite) = (true, true),
                ("winc" | "binc" | "p1inc" | "p2inc" | "movestogo", Some(_)) => understood = true,
                (word, Some(_)) if clocks.iter().flatten().any(|&clock| clock == word) => {
                    understood = true;
                    go.finite |= clocks[self.board.turn().index()].contains(&word);
                }
                (word, _) => is_unread |= WORDS.contains(&word),
            }
        }
        if !understood {
            return refusal();
        }
        match go.only.iter().map(|mv| self.named(mv)).collect() {
            Some(only) => go.only = only,
            None => return Reply::RefusedSearch("info string illegal move"),
        }
        if is_unread && !infinite && !go.finite {
            return refusal();
        }
        go.endless = infinite || !go.finite;
        go.finite &= !infinite && !go.ponder;
        Reply::Search(go)
    }

    fn solve(words: &[&str]) -> Reply {
        let is_positive = |number: &str| {
            number.bytes().all(|digit| digit.is_ascii_digit()) && number.bytes().any(|digit| digit != b'0')
        };
        let (mut valued, mut left) = (Some(Valued::Best), words);
        while let (Some(_), [_, ..]) = (valued, left) {
            (valued, left) = match left {
                ["nopv", left @ ..] => (valued, left),
                ["nodes" | "movetime", number, left @ ..] if is_positive(number) => (valued, left),
                ["moves", name, left @ ..] => (Valued::named(name), left),
                _ => (None, left),
            };
        }
        valued.map_or_else(|| Reply::Refusal("info string bad command".into()), Reply::Solve)
    }

    /// Returns the whole answer to `go perft`.
    fn perft(&self, depth: &str) -> Option<Vec<String>> {
        let depth = depth.parse::<i64>().ok()?.max(0);
        if (self.board.moves().len() as f64).powi(depth as i32) > 1e5 {
            return None;
        }
        let (stop, mut rows) = (StopFlag::new(), Vec::new());
        let total = self.board.divide(depth as u8, &stop, &mut |mv, count| rows.push(format!("{mv}: {count}")))?;
        rows.extend([String::new(), format!("perft {depth}: {total}")]);
        Some(rows)
    }
}
