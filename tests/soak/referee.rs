//! Judges what was said against what was asked, line by line.

use super::script::{Script, Step};
use super::session::{Go, MARK, Reply, Session};
use std::collections::VecDeque;

/// No reply has a longer line: the moves of sixteen full heaps of Nim take 28 KiB,
const LONGEST_LINE: usize = 32 << 10;

/// an iteration with 255 moves 2.
const LONGEST_INFO: usize = 4 << 10;

/// A line that was said, and how many steps had begun when it was read.
pub struct Said {
    pub line: String,
    pub steps: usize,
}

/// What dialogues consisted of.
#[derive(Default)]
pub struct Tally {
    pub lines: usize,
    pub searches: usize,
    pub infos: usize,
    /// Searches refused, or cut off by `quit`.
    pub unanswered: usize,
}

/// Compares a dialogue with what it should have been.
///
/// # Errors
/// What was wrong first.
pub fn judge(script: &Script, said: &[Said]) -> Result<Tally, String> {
    for Said { line, .. } in said {
        if line.len() > LONGEST_LINE || line.starts_with("info ") && line.len() > LONGEST_INFO {
            return Err(format!("a line of {} bytes: {line:.200}", line.len()));
        }
        if line.contains(char::is_control) {
            return Err(format!("control characters in {line:?}"));
        }
    }
    let mut referee = Referee::new(script, said);
    let mut session = Session::new(script.game);
    for (step, line) in referee.typed.clone() {
        match session.obey(line) {
            Reply::Quit => break,
            reply => referee.expect(step, &reply, &session).map_err(|why| {
                format!("{why}\nin answer to {:?} on {:.200}", String::from_utf8_lossy(line), session.board.text())
            })?,
        }
    }
    referee.close()
}

struct Referee<'a> {
    /// What was typed, by step, up to `quit`.
    typed: Vec<(usize, &'a [u8])>,
    /// What was said in turn: all but `readyok` and remarks on `ponderhit`.
    said: VecDeque<&'a Said>,
    /// Steps that stop what runs.
    stops: Vec<usize>,
    quits: bool,
    /// All steps.
    end: usize,
    /// Work may have been running when the dialogue was left: what is missing would have come after it.
    working: bool,
    left: bool,
    tally: Tally,
    readies: [usize; 2],
    hits: [usize; 2],
}

impl<'a> Referee<'a> {
    fn new(script: &'a Script, said: &'a [Said]) -> Self {
        let word = |line: &[u8]| {
            String::from_utf8_lossy(line).split_whitespace().next().map(str::to_owned).unwrap_or_default()
        };
        let says = script.steps.iter().enumerate().filter_map(|(at, step)| match step {
            Step::Say(line) => Some((at, line.strip_suffix(b"\n").unwrap_or(line))),
            _ => None,
        });
        let mut typed: Vec<_> = says.collect();
        let quit = typed.iter().position(|(_, line)| word(line) == "quit");
        typed.truncate(quit.map_or(typed.len(), |at| at + 1));
        let count = |wanted: &str| typed.iter().filter(|(_, line)| word(line) == wanted).count();
        let is_ready = |said: &Said| said.line == "readyok";
        let is_hit = |said: &Said| said.line.starts_with("info string ") && said.line.contains("ponderhit");
        Self {
            said: said.iter().filter(|said| !is_ready(said) && !is_hit(said)).collect(),
            stops: typed.iter().filter(|(_, line)| word(line) == "stop").map(|&(at, _)| at).collect(),
            readies: [count("isready"), said.iter().filter(|said| is_ready(said)).count()],
            hits: [count("ponderhit"), said.iter().filter(|said| is_hit(said)).count()],
            quits: quit.is_some(),
            end: script.steps.len(),
            working: false,
            left: false,
            tally: Tally { lines: said.len(), ..Tally::default() },
            typed,
        }
    }

    /// Nothing more is said than was asked, and `isready` is always answered.
    fn close(self) -> Result<Tally, String> {
        match (self.readies, self.hits, self.said.front()) {
            (_, _, Some(said)) => Err(format!("said without being asked: {}", said.line)),
            ([asked, said], ..) if asked != said => Err(format!("{asked} isready, {said} readyok")),
            (_, [asked, said], _) if said > asked => Err(format!("{asked} ponderhit, {said} remarks")),
            _ => Ok(self.tally),
        }
    }

    /// The next line; `None` if the dialogue was left before.
    fn next(&mut self) -> Result<Option<&'a Said>, String> {
        let next = self.said.pop_front();
        self.left |= next.is_none() && self.quits && self.working;
        if next.is_none() && !self.left { Err("no answer".into()) } else { Ok(next) }
    }

    fn expect(&mut self, step: usize, reply: &Reply, session: &Session) -> Result<(), String> {
        match reply {
            Reply::Nothing | Reply::Ready | Reply::Stop | Reply::PonderHit | Reply::Quit => {}
            Reply::Lines(lines) => {
                for line in lines {
                    self.line(|said| said == line).map_err(|why| format!("{why}, not {line:?}"))?;
                }
            }
            Reply::Through(last) => while self.next()?.is_some_and(|said| !said.line.starts_with(last)) {},
            Reply::Refusal(start) => {
                self.line(|said| said.starts_with(start)).map_err(|why| format!("{why}, not {start:?}"))?;
                self.working &= !start.contains(MARK);
            }
            Reply::Remarks => {
                self.working = true;
                while self.said.front().is_some_and(|said| is_remark(&said.line) && !is_mark(&said.line)) {
                    self.said.pop_front();
                }
            }
            Reply::Search(go) => self.search(step, go, session)?,
            Reply::Perft(lines) => self.perft(lines.as_deref())?,
            Reply::Bench => {
                self.working = true;
                while self.next()?.is_some_and(|said| !said.line.ends_with(" nps") || said.line.contains(':')) {}
            }
        }
        Ok(())
    }

    fn line(&mut self, fits: impl Fn(&str) -> bool) -> Result<(), String> {
        match self.next()? {
            Some(said) if !fits(&said.line) => Err(format!("{:?} was said", said.line)),
            _ => Ok(()),
        }
    }

    fn perft(&mut self, lines: Option<&[String]>) -> Result<(), String> {
        self.working = true;
        let mut told = Vec::new();
        while let Some(said) = self.next()? {
            if said.line == "info string perft was stopped" {
                break;
            }
            told.push(said.line.clone());
            if said.line.starts_with("perft ") {
                if lines.is_some_and(|lines| lines != told) {
                    return Err(format!("perft said {told:?}"));
                }
                break;
            }
        }
        Ok(())
    }

    fn search(&mut self, step: usize, go: &Go, session: &Session) -> Result<(), String> {
        self.working = true;
        self.tally.searches += 1;
        let mut only = go.only.as_slice();
        let (mut nodes, mut time, mut scored) = (0, 0, false);
        let mut line = Vec::new();
        loop {
            if !scored && self.said.front().is_some_and(|said| is_mark(&said.line)) {
                self.tally.unanswered += 1;
                return if go.must { Err("no bestmove".into()) } else { Ok(()) };
            }
            let Some(said) = self.next()? else {
                self.tally.unanswered += 1;
                return Ok(());
            };
            if is_remark(&said.line) && !is_mark(&said.line) {
                // An engine that does not know the word says so.
                if said.line.contains("passes over") && said.line.contains("searchmoves") {
                    only = &[];
                }
            } else if said.line.starts_with("info ") {
                let info = Info::read(&said.line).ok_or_else(|| format!("{:?} cannot be read", said.line))?;
                self.tally.infos += 1;
                if info.nodes.unwrap_or(nodes) < nodes || info.time.unwrap_or(time) < time {
                    return Err(format!("{:?} goes back", said.line));
                }
                (nodes, time) = (info.nodes.unwrap_or(nodes), info.time.unwrap_or(time));
                scored |= info.scored;
                let mut board = session.board.boxed();
                if let Some(mv) = info.pv.iter().find(|mv| board.play(mv).is_err()) {
                    return Err(format!("{mv} is illegal in {:?}", said.line));
                }
                if info.current.is_some_and(|mv| !session.board.moves().contains(&mv)) {
                    return Err(format!("an illegal move in {:?}", said.line));
                }
                if info.scored && info.multipv.is_none_or(|number| number == 1) {
                    line = info.pv;
                }
            } else {
                let first_line = scored.then_some(line.as_slice());
                let over =
                    best(&said.line, first_line, only, session).map_err(|why| format!("{why}: {}", said.line))?;
                let released = self.stops.iter().any(|stop| (step + 1..said.steps).contains(stop));
                if go.endless && !released && said.steps <= self.end {
                    return Err(format!(
                        "{:?} before it was asked for{}",
                        said.line,
                        if over { ", of no move" } else { "" }
                    ));
                }
                return Ok(());
            }
        }
    }
}

fn is_remark(line: &str) -> bool {
    line.starts_with("info string ")
}

fn is_mark(line: &str) -> bool {
    line.starts_with(&format!("info string bad command \"{MARK} "))
}

/// Judges a `bestmove` after the last line with a score; whether the game was over.
fn best(said: &str, line: Option<&[String]>, only: &[String], session: &Session) -> Result<bool, String> {
    let line = line.ok_or("no info with a score")?;
    let words: Vec<_> = said.split(' ').collect();
    let mut board = session.board.boxed();
    match words.as_slice() {
        ["bestmove", "(none)"] if board.moves().is_empty() && line.is_empty() => Ok(true),
        ["bestmove", "(none)"] => Err("the game is not over".into()),
        ["bestmove", mv, rest @ ..] => {
            board.play(mv).map_err(|_| "illegal")?;
            if line.first().is_none_or(|first| first != mv) {
                return Err(format!("not the first of {line:?}"));
            }
            if !only.is_empty() && !only.iter().any(|only| only == mv) {
                return Err(format!("not among {only:?}"));
            }
            match rest {
                [] => Ok(false),
                ["ponder", answer] => board.play(answer).map(|()| false).map_err(|_| "an illegal ponder move".into()),
                _ => Err("more words than two".into()),
            }
        }
        _ => Err("neither info nor bestmove".into()),
    }
}

/// What an `info` line says.
#[derive(Default)]
struct Info {
    scored: bool,
    nodes: Option<u64>,
    time: Option<u64>,
    multipv: Option<u64>,
    current: Option<String>,
    pv: Vec<String>,
}

impl Info {
    /// `None` for a line with unknown words, or with values out of range.
    fn read(line: &str) -> Option<Self> {
        fn up_to<'a>(words: &mut impl Iterator<Item = &'a str>, most: u64) -> Option<u64> {
            words.next()?.parse().ok().filter(|&number| number <= most)
        }
        let mut info = Self::default();
        let mut words = line.strip_prefix("info ")?.split(' ').peekable();
        while let Some(word) = words.next() {
            match word {
                "depth" | "seldepth" => drop(up_to(&mut words, 255)?),
                "multipv" => info.multipv = Some(up_to(&mut words, 1 << 16)?),
                "nodes" => info.nodes = Some(up_to(&mut words, u64::MAX)?),
                "time" => info.time = Some(up_to(&mut words, u64::MAX)?),
                "nps" | "tbhits" | "currmovenumber" => drop(up_to(&mut words, u64::MAX)?),
                "hashfull" => drop(up_to(&mut words, 1000)?),
                "score" => {
                    let most = match words.next()? {
                        "cp" => 28_800,
                        "mate" => 1_600,
                        _ => return None,
                    };
                    words.next()?.parse().ok().filter(|score: &i64| score.abs() <= most)?;
                    words.next_if(|word| ["lowerbound", "upperbound"].contains(word));
                    info.scored = true;
                }
                "wdl" => {
                    let parts = [up_to(&mut words, 1000)?, up_to(&mut words, 1000)?, up_to(&mut words, 1000)?];
                    Some(()).filter(|()| parts.iter().sum::<u64>() == 1000)?;
                }
                "proven" => drop(words.next()?),
                "currmove" => info.current = Some(words.next()?.to_owned()),
                "pv" => info.pv = words.by_ref().map(str::to_owned).collect(),
                _ => return None,
            }
        }
        Some(info)
    }
}
