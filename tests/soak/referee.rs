//! Checks the output of a dialogue against its input, line by line.

use super::script::{Script, Step};
use super::search::{Info, Search};
use super::session::{Go, MARK, Reply, Session};
use super::solved::Solved;
use secateurs::core::solution::Valued;
use std::collections::VecDeque;

/// The longest line of a reply, in bytes: the moves of sixteen full heaps of Nim take 28 KiB.
const LONGEST_LINE: usize = 32 << 10;

/// The longest line of an iteration, in bytes: one with 255 moves takes 2 KiB.
const LONGEST_INFO: usize = 4 << 10;

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

/// The end of a remark about what `quit` does not save.
const QUIT_ENDS: &str = "quit ends all work";

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
    /// The number of `savehash`, and of remarks that `quit` ends one.
    saves: [usize; 2],
    readies: [usize; 2],
    /// The number of `isready` after the last line of output.
    unready: usize,
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
        // What `quit` does not save is named at once: before the answers of the work that it stops.
        let is_unsaved = |said: &Said| said.line.starts_with("info string savehash ") && said.line.ends_with(QUIT_ENDS);
        let steps = |wanted: &str| typed.iter().filter(|(_, line)| word(line) == wanted).map(|&(at, _)| at).collect();
        Self {
            said: said.iter().filter(|said| !is_ready(said) && !is_unsaved(said)).collect(),
            stops: steps("stop"),
            hits: steps("ponderhit"),
            saves: [count("savehash"), said.iter().filter(|said| is_unsaved(said)).count()],
            readies: [count("isready"), said.iter().filter(|said| is_ready(said)).count()],
            unready: 0,
            quits: quit.is_some(),
            end: script.steps.len(),
            working: false,
            left: false,
            tally: Tally { lines: said.len(), ..Tally::default() },
            typed,
        }
    }

    /// Checks that there is no output without a request and that every `isready` was answered. The last answers may be
    /// missing where `quit` came while they waited.
    fn close(self) -> Result<Tally, String> {
        let ([saves, unsaved], [expected, said]) = (self.saves, self.readies);
        let cut_off = if self.quits { self.unready } else { 0 };
        match self.said.front() {
            Some(said) => Err(format!("an unexpected line: {}", said.line)),
            None if unsaved > saves || unsaved > 0 && !self.quits => {
                Err(format!("{saves} savehash, {unsaved} not executed"))
            }
            None if said > expected || said + cut_off < expected => Err(format!("{expected} isready, {said} readyok")),
            None => Ok(self.tally),
        }
    }

    /// Returns the next line, or `None` if the dialogue was quit before it.
    fn next(&mut self) -> Result<Option<&'a Said>, String> {
        let next = self.said.pop_front();
        if next.is_some() {
            self.unready = 0;
        }
        self.left |= next.is_none() && self.quits && self.working;
        if next.is_none() && !self.left { Err("no answer".into()) } else { Ok(next) }
    }

    fn expect(&mut self, step: usize, reply: &Reply, session: &Session) -> Result<(), String> {
        match reply {
            Reply::Nothing | Reply::Stop | Reply::PonderHit | Reply::Quit => {}
            // The answer may wait for the memory of the table.
            Reply::Ready => (self.working, self.unready) = (true, self.unready + 1),
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
            Reply::RefusedSearch(start) => {
                self.line(|said| said.starts_with(start)).map_err(|why| format!("{why}, not {start:?}"))?;
                self.line(|said| said == "bestmove (none)")?;
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
            if said.line.starts_with("info string perft was stopped") {
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
            if session.row.is_cyclic && said.line.starts_with("info string solve: ") {
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
                    return Err(wrong("before its request".into()));
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
