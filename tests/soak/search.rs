//! Checks the output of a search: its iterations, its list of equal moves, its move.

use super::session::{Expected, Go, Session};

/// The score of an immediate win.
const FAR: i64 = 1_000_000;

/// The output of a search so far.
pub struct Search<'a> {
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
    pub fn new(go: &'a Go, session: &'a Session) -> Self {
        let mut moves = session.board.moves();
        if !go.only.is_empty() {
            moves.retain(|mv| go.only.contains(mv));
        }
        let (expected, lines, proven) = (session.expected(), Vec::new(), (i64::MIN, i64::MAX));
        Self { go, session, expected, moves, nodes: 0, time: 0, lines, proven, equal: None }
    }

    pub fn scored(&self) -> bool {
        !self.lines.is_empty()
    }

    pub fn info(&mut self, info: Info) -> Result<(), String> {
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
            return Err("wdl without a request".into());
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
    pub fn equal(&mut self, said: &str) -> Result<(), String> {
        let equal: Vec<_> = said.split(' ').map(str::to_owned).collect();
        let mut moves = self.moves.iter();
        if !self.expected.equal || self.equal.is_some() {
            return Err("without a request".into());
        }
        if !equal.iter().all(|mv| moves.any(|legal| legal == mv)) {
            return Err(format!("not among {:?}, in order", self.moves));
        }
        self.equal = Some(equal);
        Ok(())
    }

    pub fn best(&self, said: &str) -> Result<(), String> {
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

/// A parsed `info` line.
#[derive(Default)]
pub struct Info {
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
    pub fn read(line: &str) -> Option<Self> {
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
