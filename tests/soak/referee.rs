//! Checks the output of a dialogue against its input, line by line.

use super::script::{Script, Step};
use super::session::{Expected, Go, MARK, Reply, Session};
use secateur::core::solution::Valued;
use std::collections::VecDeque;

/// The longest line of a reply, in bytes: the moves of sixteen full heaps of Nim take 28 KiB.
const LONGEST_LINE: usize = 32 << 10;

/// The longest line of an iteration, in bytes: one with 255 moves takes 2 KiB.
const LONGEST_INFO: usize = 4 << 10;

/// The score of an immediate win.
const FAR: i64 = 1_000_000;

/// A line of output, with the number of steps begun when it was read.
pub struct Said {
    pub line: String,
    pub steps: usize,
}

/// The totals of one or more dialogues.
#[derive(Default)]
pub struct Tally {
    pub lines: usize,
    pub searches: usize,
    pub infos: usize,
    /// Searches that were refused or cut off by `quit`.
    pub unanswered: usize,
}

/// Checks the output of a dialogue against its script.
///
/// # Errors
/// The first fault found.
pub fn check(script: &Script, said: &[Said]) -> Result<Tally, String> {
    for Said { line, .. } in said {
        if line.len() > LONGEST_LINE || line.starts_with("info depth ") && line.len() > LONGEST_INFO {
            return Err(format!("a line of {} bytes: {line:.200}", line.len()));
        }
        if line.contains(char::is_control) {
            return Err(format!("control characters in {line:?}"));
        }
    }
    let mut referee = Referee::new(script, said);
    let mut session = Session::new(script.game);
    for (step, line) in referee.typed.clone() {
        match session.execute(line) {
            Reply::Quit => break,
            reply => referee.expect(step, &reply, &session).map_err(|why| {
                format!("{why}\nin answer to {:?} on {:.200}", String::from_utf8_lossy(line), session.board.text())
            })?,
        }
    }
    referee.close()
}

struct Referee<'a> {
    /// The lines of input, each with its step, up to `quit`.
    typed: Vec<(usize, &'a [u8])>,
    /// The output that keeps the order of the commands: all but `readyok`.
    said: VecDeque<&'a Said>,
    /// The steps that stop the running search.
    stops: Vec<usize>,
    /// The steps that end its pondering.
    hits: Vec<usize>,
    quits: bool,
    /// The number of steps.
    end: usize,
    /// Work may have been running when the dialogue was quit: missing output is that of the work.
    working: bool,
    left: bool,
    tally: Tally,
    readies: [usize; 2],
    /// Nothing has been answered since the last `isready`.
    unready: bool,
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
        let steps = |wanted: &str| typed.iter().filter(|(_, line)| word(line) == wanted).map(|&(at, _)| at).collect();
        Self {
            said: said.iter().filter(|said| !is_ready(said)).collect(),
            stops: steps("stop"),
            hits: steps("ponderhit"),
            readies: [count("isready"), said.iter().filter(|said| is_ready(said)).count()],
            unready: false,
            quits: quit.is_some(),
            end: script.steps.len(),
            working: false,
            left: false,
            tally: Tally { lines: said.len(), ..Tally::default() },
            typed,
        }
    }

    /// Checks that there is no output without a request and that every `isready` was answered. The last answer may be
    /// missing where `quit` came while it waited for the memory of the table.
    fn close(self) -> Result<Tally, String> {
        let [expected, said] = self.readies;
        let cut_off = usize::from(self.quits && self.unready);
        match self.said.front() {
            Some(said) => Err(format!("said without being asked: {}", said.line)),
            None if said > expected || said + cut_off < expected => Err(format!("{expected} isready, {said} readyok")),
            None => Ok(self.tally),
        }
    }

    /// Returns the next line, or `None` if the dialogue was quit before it.
    fn next(&mut self) -> Result<Option<&'a Said>, String> {
        let next = self.said.pop_front();
        self.unready &= next.is_none();
        self.left |= next.is_none() && self.quits && self.working;
        if next.is_none() && !self.left { Err("no answer".into()) } else { Ok(next) }
    }

    fn expect(&mut self, step: usize, reply: &Reply, session: &Session) -> Result<(), String> {
        match reply {
            Reply::Nothing | Reply::Stop | Reply::PonderHit | Reply::Quit => {}
            // The answer may wait for the memory of the table.
            Reply::Ready => (self.working, self.unready) = (true, true),
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
            Reply::Work(start) => {
                self.working = true;
                let fits = |said: &str| is_remark(said) && (said.starts_with(start) || said.ends_with("was stopped"));
                self.line(|said| fits(said) && !is_mark(said)).map_err(|why| format!("{why}, not {start:?}"))?;
            }
            Reply::Search(go) => self.search(step, go, session)?,
            Reply::Solve(valued) => self.solve(*valued, session)?,
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
        let mut reported = Vec::new();
        while let Some(said) = self.next()? {
            if said.line == "info string perft was stopped" {
                break;
            }
            reported.push(said.line.clone());
            if said.line.starts_with("perft ") {
                if lines.is_some_and(|lines| lines != reported) {
                    return Err(format!("perft said {reported:?}"));
                }
                break;
            }
        }
        Ok(())
    }

    /// Checks that nodes and time never decrease and that the closing line is consistent, with a legal principal
    /// variation.
    fn solve(&mut self, valued: Valued, session: &Session) -> Result<(), String> {
        self.working = true;
        let mut reported: Option<Solved> = None;
        while let Some(said) = self.next()? {
            let wrong = |why: &str| format!("{why}: {}", said.line);
            // With `debug on` the output begins with the parsed command.
            if reported.is_none() && said.line.starts_with("info string SolveRequest ") {
                continue;
            }
            // The closing line of a game that repeats follows its refusal.
            if session.row.name == "chess" && said.line.starts_with("info string solve: a position repeats ") {
                continue;
            }
            let closing = said.line.strip_prefix("solved ");
            let words = closing.or_else(|| said.line.strip_prefix("info string solve "));
            let solved = Solved::read(words.ok_or_else(|| wrong("not of an exact search"))?);
            let solved = solved.ok_or_else(|| wrong("cannot be read"))?;
            if reported.as_ref().is_some_and(|reported| reported.nodes > solved.nodes || reported.time > solved.time) {
                return Err(wrong("goes back"));
            }
            if closing.is_some() {
                return solved.check(valued, session).map_err(wrong);
            }
            reported = Some(solved);
        }
        Ok(())
    }

    fn search(&mut self, step: usize, go: &Go, session: &Session) -> Result<(), String> {
        self.working = true;
        self.tally.searches += 1;
        let mut search = Search::new(go, session);
        loop {
            let Some(said) = self.next()? else {
                self.tally.unanswered += 1;
                return Ok(());
            };
            let wrong = |why: String| format!("{why}: {}", said.line);
            if is_mark(&said.line) {
                return Err("no bestmove".into());
            } else if let Some(equal) = said.line.strip_prefix("info string equal ") {
                search.equal(equal).map_err(wrong)?;
            } else if is_remark(&said.line) {
                if search.scored() {
                    return Err(wrong("a remark in the midst of a search".into()));
                }
            } else if said.line.starts_with("info ") {
                let info = Info::read(&said.line).ok_or_else(|| wrong("cannot be read".into()))?;
                self.tally.infos += 1;
                search.info(info).map_err(wrong)?;
            } else {
                search.best(&said.line).map_err(wrong)?;
                let within = |steps: &[usize]| steps.iter().any(|step_of| (step + 1..said.steps).contains(step_of));
                let released = within(&self.stops) || (!go.endless && within(&self.hits));
                if (go.endless || go.ponder) && !released && said.steps <= self.end {
                    return Err(wrong("before it was asked for".into()));
                }
                return Ok(());
            }
        }
    }
}

/// The output of a search so far.
struct Search<'a> {
    go: &'a Go,
    session: &'a Session,
    expected: Expected,
    /// The moves that the search may play.
    moves: Vec<String>,
    nodes: u64,
    time: u64,
    /// The latest report of each principal-variation line.
    lines: Vec<Info>,
    /// The proven bounds of the root's value.
    proven: (i64, i64),
    equal: Option<Vec<String>>,
}

impl<'a> Search<'a> {
    fn new(go: &'a Go, session: &'a Session) -> Self {
        let mut moves = session.board.moves();
        if !go.only.is_empty() {
            moves.retain(|mv| go.only.contains(mv));
        }
        let (expected, lines, proven) = (session.expected(), Vec::new(), (i64::MIN, i64::MAX));
        Self { go, session, expected, moves, nodes: 0, time: 0, lines, proven, equal: None }
    }

    fn scored(&self) -> bool {
        !self.lines.is_empty()
    }

    fn info(&mut self, info: Info) -> Result<(), String> {
        if info.nodes.unwrap_or(self.nodes) < self.nodes || info.time.unwrap_or(self.time) < self.time {
            return Err("goes back".into());
        }
        (self.nodes, self.time) = (info.nodes.unwrap_or(self.nodes), info.time.unwrap_or(self.time));
        let mut board = self.session.board.boxed();
        if let Some(mv) = info.pv.iter().find(|mv| board.play(mv).is_err()) {
            return Err(format!("{mv} is illegal"));
        }
        if info.current.iter().chain(info.pv.first()).any(|mv| !self.moves.contains(mv)) {
            return Err(format!("not among {:?}", self.moves));
        }
        let Some(score) = info.score else { return Ok(()) };
        if info.wdl && !self.expected.wdl {
            return Err("wdl without being asked for".into());
        }
        if info.multipv.is_some() != (self.expected.lines > 1) {
            return Err(format!("of {} lines", self.expected.lines));
        }
        let (number, count) = (info.multipv.unwrap_or(1), self.expected.lines.clamp(1, self.moves.len().max(1)));
        if !(1..=count.min(self.lines.len() + 1)).contains(&number) {
            return Err(format!("line {number} after {}", self.lines.len()));
        }
        if number == 1 && self.go.only.is_empty() {
            let (lower, upper) = &mut self.proven;
            *lower = if info.proven.0 { score.max(*lower) } else { *lower };
            *upper = if info.proven.1 { score.min(*upper) } else { *upper };
            if lower > upper {
                return Err(format!("proven at least {lower} and at most {upper}"));
            }
        }
        if number <= self.lines.len() {
            self.lines[number - 1] = info
        } else {
            self.lines.push(info)
        }
        if number == count && !self.expected.random { self.distinct() } else { Ok(()) }
    }

    /// Checks that no two lines begin with the same move and that the lines are sorted by score.
    fn distinct(&self) -> Result<(), String> {
        let first: Vec<_> = self.lines.iter().map(|line| line.pv.first()).collect();
        if (1..first.len()).any(|at| first[..at].contains(&first[at])) {
            return Err(format!("lines that begin with {first:?}"));
        }
        if self.lines.windows(2).any(|pair| pair[0].score < pair[1].score) {
            return Err("a line better than the one before".into());
        }
        Ok(())
    }

    /// Checks the list of best moves: in the order of the game's move list, and only on request.
    fn equal(&mut self, said: &str) -> Result<(), String> {
        let equal: Vec<_> = said.split(' ').map(str::to_owned).collect();
        let mut moves = self.moves.iter();
        if !self.expected.equal || self.equal.is_some() {
            return Err("without being asked for".into());
        }
        if !equal.iter().all(|mv| moves.any(|legal| legal == mv)) {
            return Err(format!("not among {:?}, in order", self.moves));
        }
        self.equal = Some(equal);
        Ok(())
    }

    fn best(&self, said: &str) -> Result<(), String> {
        let line = self.lines.first().ok_or("no info with a score")?;
        let words: Vec<_> = said.split(' ').collect();
        match *words.as_slice() {
            ["bestmove", "(none)"] if self.moves.is_empty() && line.pv.is_empty() => Ok(()),
            ["bestmove", "(none)"] => Err("the game is not over".into()),
            ["bestmove", mv, ref rest @ ..] => {
                if line.pv.first().is_none_or(|first| first != mv) {
                    return Err(format!("not the first of {:?}", line.pv));
                }
                if self.equal.as_ref().is_some_and(|equal| !equal.iter().any(|equal| equal == mv)) {
                    return Err(format!("not among {:?}", self.equal));
                }
                // A move picked at random may head a line of another number too.
                if !self.expected.random {
                    self.distinct()?;
                }
                let mut board = self.session.board.boxed();
                let turn = board.turn();
                board.play(mv).map_err(|_| "illegal")?;
                let reply = line.pv.get(1).filter(|_| self.expected.reply && board.turn() != turn);
                match (rest, reply) {
                    ([], None) => Ok(()),
                    (["ponder", said], Some(reply)) if said == reply => Ok(()),
                    _ => Err(format!("the reply is {reply:?}")),
                }
            }
            _ => Err("neither info nor bestmove".into()),
        }
    }
}

fn is_remark(line: &str) -> bool {
    line.starts_with("info string ")
}

fn is_mark(line: &str) -> bool {
    line.starts_with(&format!("info string bad command \"{MARK} "))
}

/// A parsed line of an exact search.
#[derive(Default)]
struct Solved {
    /// The words of `value`, `proven`, `lower` and `upper`.
    words: [String; 4],
    nodes: u64,
    time: u64,
    moves: Vec<String>,
    /// Each move with its bounds.
    values: Vec<[String; 3]>,
    pv: Vec<String>,
}

impl Solved {
    /// Returns `None` for a line with unknown words or with values out of range.
    fn read(line: &str) -> Option<Self> {
        let mut solved = Self::default();
        let mut words = line.split(' ').peekable();
        while let Some(word) = words.next() {
            let mut list = |ends: &[&str]| {
                let mut list = Vec::new();
                while let Some(word) = words.next_if(|word| !ends.contains(word)) {
                    list.push(word.to_owned());
                }
                list
            };
            match word {
                "moves" => solved.moves = list(&["values", "pv"]),
                "values" => {
                    let list = list(&["pv"]);
                    let values = list.chunks(3).map(|triple| triple.to_vec().try_into().ok());
                    solved.values = values.collect::<Option<_>>()?;
                }
                "pv" => solved.pv = list(&[]),
                "nodes" => solved.nodes = words.next()?.parse().ok()?,
                "time" => solved.time = words.next()?.parse().ok()?,
                "hashfull" => drop(words.next()?.parse::<u64>().ok().filter(|&full| full <= 1000)?),
                word => {
                    let at = ["value", "proven", "lower", "upper"].iter().position(|&known| known == word)?;
                    solved.words[at] = words.next()?.to_owned();
                }
            }
        }
        let numbers = [&solved.words[0], &solved.words[2], &solved.words[3]]
            .into_iter()
            .chain(solved.values.iter().flat_map(|[_, bounds @ ..]| bounds));
        let all = numbers.filter(|word| !["", "none"].contains(&word.as_str())).all(|word| word.parse::<i64>().is_ok());
        all.then_some(solved)
    }

    /// Checks that the closing line is consistent.
    fn check(&self, valued: Valued, session: &Session) -> Result<(), &'static str> {
        let [value, proven, lower, upper] = self.words.each_ref().map(String::as_str);
        let known = match proven {
            "exact" => value == lower && value == upper && value != "none",
            "lower" => value == lower && value != "none",
            "upper" => value == upper && value != "none",
            "none" => value == "none",
            _ => false,
        };
        let legal = session.board.moves();
        let in_order = |moves: &[&String]| {
            let mut legal = legal.iter();
            moves.iter().all(|&mv| legal.any(|legal| legal == mv))
        };
        let (best, of_values): (Vec<_>, Vec<_>) =
            (self.moves.iter().collect(), self.values.iter().map(|[mv, ..]| mv).collect());
        if !known {
            Err("what is proven is not what is said")
        } else if !in_order(&best) || !in_order(&of_values) {
            Err("not the game's moves in order")
        } else if proven != "exact" && !(self.moves.is_empty() && self.values.is_empty() && self.pv.is_empty()) {
            Err("moves without a value")
        } else if valued == Valued::None && !(self.moves.is_empty() && self.pv.is_empty())
            || valued != Valued::All && !self.values.is_empty()
        {
            Err("moves without being asked for")
        } else if valued == Valued::All && !self.pv.is_empty() && self.values.len() != legal.len() {
            Err("not all moves")
        } else {
            let mut board = session.board.boxed();
            let fits = self.pv.first().is_none_or(|first| self.moves.contains(first));
            let legal = self.pv.iter().all(|mv| board.play(mv).is_ok());
            if fits && legal { Ok(()) } else { Err("a line that is not legal, or not the best") }
        }
    }
}

/// A parsed `info` line.
#[derive(Default)]
struct Info {
    /// The score on one scale, on which a win exceeds any margin.
    score: Option<i64>,
    /// Whether the score is a proven lower bound, and a proven upper bound.
    proven: (bool, bool),
    wdl: bool,
    nodes: Option<u64>,
    time: Option<u64>,
    multipv: Option<usize>,
    current: Option<String>,
    pv: Vec<String>,
}

impl Info {
    /// Returns `None` for a line with unknown words or with values out of range.
    fn read(line: &str) -> Option<Self> {
        fn up_to<'a>(words: &mut impl Iterator<Item = &'a str>, most: u64) -> Option<u64> {
            words.next()?.parse().ok().filter(|&number| number <= most)
        }
        let mut info = Self::default();
        let mut words = line.strip_prefix("info ")?.split(' ').peekable();
        while let Some(word) = words.next() {
            match word {
                "depth" | "seldepth" => drop(up_to(&mut words, 255)?),
                "multipv" => info.multipv = Some(up_to(&mut words, 256)? as usize),
                "nodes" => info.nodes = Some(up_to(&mut words, u64::MAX)?),
                "time" => info.time = Some(up_to(&mut words, u64::MAX)?),
                "nps" | "tbhits" | "currmovenumber" => drop(up_to(&mut words, u64::MAX)?),
                "hashfull" => drop(up_to(&mut words, 1000)?),
                "score" => {
                    let (kind, number) = (words.next()?, words.next()?.parse::<i64>().ok()?);
                    info.score = Some(match kind {
                        "cp" if number.abs() <= 28_800 => number,
                        "mate" if (1..=1_600).contains(&number) => FAR - number,
                        "mate" if (-1_600..=0).contains(&number) => -FAR - number,
                        _ => return None,
                    });
                    words.next_if(|word| ["lowerbound", "upperbound"].contains(word));
                }
                "wdl" => {
                    let parts = [up_to(&mut words, 1000)?, up_to(&mut words, 1000)?, up_to(&mut words, 1000)?];
                    info.wdl = Some(true).filter(|_| parts.iter().sum::<u64>() == 1000)?;
                }
                "proven" => {
                    info.proven = match words.next()? {
                        "exact" => (true, true),
                        "lower" => (true, false),
                        "upper" => (false, true),
                        _ => return None,
                    }
                }
                "currmove" => info.current = Some(words.next()?.to_owned()),
                "pv" => info.pv = words.by_ref().map(str::to_owned).collect(),
                _ => return None,
            }
        }
        Some(info)
    }
}
