//! What a dialogue is about, kept in step with the engine's from the lines alone: the game, its options, the board;
//! and the reply that each line asks for, by the words of protocol.md.

use secateur::core::{Options, Side, StopFlag};
use secateur::engine::Board;
use secateur::registry::{self, GAMES, Row};

/// Words of `go` that an engine need not know yet.
const OPTIONAL_WORDS: [&str; 3] = ["searchmoves", "mate", "ponder"];

/// Options and commands that an engine need not know yet.
pub const OPTIONAL_SETTINGS: [&str; 6] = ["Threads", "MultiPV", "Ponder", "UCI_ShowWDL", "RandomTies", "Seed"];
const OPTIONAL_COMMANDS: [&str; 2] = ["savehash", "loadhash"];

/// A line that nothing but its own refusal answers.
pub const MARK: &str = "mark";

/// What a line asks for.
pub enum Reply {
    /// No word.
    Nothing,
    /// `readyok`, at once.
    Ready,
    /// Whatever runs is stopped; no word of its own.
    Stop,
    /// The end.
    Quit,
    /// A search that pondered goes on as any other; at most a remark.
    PonderHit,
    /// These lines.
    Lines(Vec<String>),
    /// Lines up to the first that begins so.
    Through(&'static str),
    /// One remark, which begins so.
    Refusal(String),
    /// Remarks, or none.
    Remarks,
    /// A search.
    Search(Go),
    /// `perft` to this depth; `None` if it cannot be told without counting too long.
    Perft(Option<Vec<String>>),
    /// The benchmark.
    Bench,
}

/// What a `go` asks for.
#[derive(Clone, Debug, Default)]
pub struct Go {
    /// It cannot be refused: every word of it has always been known, or may be passed over.
    pub must: bool,
    /// It ends by itself, whichever words are known.
    pub finite: bool,
    /// It does not end by itself, whichever words are known.
    pub endless: bool,
    /// The legal ones of its `searchmoves`.
    pub only: Vec<String>,
}

pub struct Session {
    row: &'static Row,
    /// By game, in the order of the registry.
    options: Vec<Options>,
    pub board: Box<dyn Board>,
}

impl Session {
    pub fn new(game: &str) -> Self {
        let row = registry::find(game).unwrap();
        let board = row.start(&row.defaults()).unwrap();
        Self { row, options: GAMES.iter().map(Row::defaults).collect(), board }
    }

    /// The board at the start of the game, if its options make one.
    pub fn start(&self) -> Option<Box<dyn Board>> {
        self.row.start(self.options_of(self.row)).ok()
    }

    fn options_of(&self, row: &Row) -> &Options {
        &self.options[GAMES.iter().position(|game| game.name == row.name).unwrap()]
    }

    /// Obeys a line in its turn.
    pub fn obey(&mut self, line: &[u8]) -> Reply {
        let Ok(line) = std::str::from_utf8(line) else { return Reply::Refusal("info string bad command".into()) };
        let words: Vec<_> = line.split_whitespace().collect();
        let Some((&command, rest)) = words.split_first() else { return Reply::Nothing };
        match (command, rest) {
            ("isready", _) => Reply::Ready,
            ("stop", _) => Reply::Stop,
            ("quit", _) => Reply::Quit,
            ("ponderhit", _) => Reply::PonderHit,
            ("debug", ["on" | "off"]) | ("ucinewgame" | "uginewgame", _) => Reply::Nothing,
            ("uci", _) => Reply::Through("uciok"),
            ("ugi", _) => Reply::Through("ugiok"),
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
            (command, _) if OPTIONAL_COMMANDS.contains(&command) => Reply::Remarks,
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
                secateur::core::Outcome::Margin(units) => format!(", the side to move {units:+}"),
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

    fn query(&self, words: &[&str]) -> Option<String> {
        Some(match *words {
            ["p1turn"] => (self.board.turn() == Side::First).to_string(),
            ["gameover"] => self.board.moves().is_empty().to_string(),
            ["result"] => self.result().to_owned(),
            ["islegal", mv] => self.board.moves().iter().any(|legal| legal == mv).to_string(),
            _ => return None,
        })
    }

    fn set_option(&mut self, words: &[&str]) -> Reply {
        let refusal = || Reply::Refusal("info string ".into());
        let ["name", words @ ..] = words else { return refusal() };
        let at = words.iter().position(|&word| word == "value").unwrap_or(words.len());
        let (name, value) = (words[..at].join(" "), words.get(at + 1..).unwrap_or_default().join(" "));
        let within = |least: i64, most: i64| {
            if value.parse().is_ok_and(|value| (least..=most).contains(&value)) { Reply::Nothing } else { refusal() }
        };
        match name.to_lowercase().as_str() {
            "clear hash" => Reply::Nothing,
            // More than a few MiB are never asked for, unless far too many.
            "hash" => within(1, 1 << 12),
            "move overhead" => within(0, 10_000),
            "uci_variant" => {
                let Ok(row) = registry::find(&value) else { return refusal() };
                self.board = row.start(self.options_of(row)).or_else(|_| row.start(&row.defaults())).unwrap();
                self.row = row;
                Reply::Nothing
            }
            name if OPTIONAL_SETTINGS.iter().any(|option| option.eq_ignore_ascii_case(name)) => Reply::Remarks,
            name => match GAMES.iter().zip(&mut self.options).find(|(_, options)| options.has(name)) {
                Some((row, options)) => row.set(options, name, &value).map_or_else(|_| refusal(), |()| Reply::Nothing),
                None => refusal(),
            },
        }
    }

    fn set_position(&mut self, words: &[&str]) -> Reply {
        let refusal = || Reply::Refusal("info string ".into());
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
        Reply::Nothing
    }

    fn go(&self, words: &[&str]) -> Reply {
        let is_number = |word: &&str| {
            let digits = word.trim_start_matches(['-', '+']);
            !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
        };
        let legal = self.board.moves();
        let clocks = [["wtime", "p1time"], ["btime", "p2time"]];
        let mut go = Go::default();
        let (mut understood, mut infinite) = (words.is_empty(), false);
        let mut rest = words.iter().copied().peekable();
        while let Some(word) = rest.next() {
            let number = rest.peek().copied().filter(is_number);
            match (word, number) {
                ("perft", Some(depth)) => return Reply::Perft(self.perft(depth)),
                ("infinite", _) => (understood, infinite) = (true, true),
                ("searchmoves", _) => {
                    while let Some(mv) = rest.next_if(|word| !word.starts_with(|c: char| c.is_alphabetic())) {
                        go.only.extend(legal.contains(&mv.to_owned()).then(|| mv.to_owned()));
                    }
                }
                ("depth" | "nodes", Some(number)) if !number.starts_with('-') => {
                    (understood, go.finite) = (true, true);
                }
                ("movetime", Some(_)) => (understood, go.finite) = (true, true),
                ("winc" | "binc" | "p1inc" | "p2inc" | "movestogo", Some(_)) => understood = true,
                (word, Some(_)) if clocks.iter().flatten().any(|&clock| clock == word) => {
                    understood = true;
                    go.finite |= clocks[self.board.turn().index()].contains(&word);
                }
                _ => {}
            }
        }
        let optional = words.iter().any(|word| OPTIONAL_WORDS.contains(word));
        if !understood && !optional {
            return Reply::Refusal("info string bad command".into());
        }
        go.must = !optional;
        go.endless = !optional && (infinite || !go.finite);
        go.finite &= !infinite && !words.contains(&"ponder");
        Reply::Search(go)
    }

    /// The whole answer to `go perft`.
    fn perft(&self, depth: &str) -> Option<Vec<String>> {
        let depth = depth.parse::<i64>().ok()?.max(0);
        if (self.board.moves().len() as f64).powi(depth as i32) > 1e5 {
            return None;
        }
        let divided = self.board.divide(depth as u8, &StopFlag::new())?;
        let total = self.board.perft(depth as u8, &StopFlag::new())?;
        let rows = divided.into_iter().map(|(mv, count)| format!("{mv}: {count}"));
        Some(rows.chain([String::new(), format!("perft {depth}: {total}")]).collect())
    }
}
