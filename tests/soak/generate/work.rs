//! Searches of all kinds, with commands while they run.

use super::Writer;
use crate::session::{Go, Reply};

impl Writer {
    pub(super) fn go(&mut self) {
        if self.random.chance(60) {
            self.settle();
        }
        let line = format!("go {}", self.limits());
        let reply = self.say(line.trim_end());
        self.mark();
        let go = match reply {
            Reply::Search(go) => go,
            Reply::Perft(_) => Go { finite: true, ..Go::default() },
            _ => return,
        };
        let was_idle = std::mem::replace(&mut self.idle, false);
        if go.finite {
            self.follow(8);
            return;
        }
        // A stop is sure to reach only a search that runs at once, not one queued behind another.
        self.blocked |= !was_idle;
        let most = *self.random.pick(&[1, 300, 3_000, 15_000]);
        self.pause(most);
        while self.random.chance(40) {
            match self.random.below(5) {
                0 => self.is_ready(),
                1 => drop(self.say("ponderhit")),
                2 => self.query(),
                3 => self.position(),
                _ => self.pause(2_000),
            }
        }
        if self.random.chance(10) {
            self.blocked = true;
            return;
        }
        self.say("stop");
        if self.random.chance(30) {
            self.settle();
        }
    }

    /// With a chance of 4 in `of`, adds a step while a search runs that ends by itself.
    fn follow(&mut self, of: usize) {
        match self.random.below(of) {
            0 => drop(self.say("stop")),
            1 => {
                self.pause(2_000);
                self.say("stop");
            }
            2 => self.is_ready(),
            3 => self.settle(),
            _ => {}
        }
    }

    /// Adds an exact search, with a limit, as most positions are too hard.
    pub(super) fn solve(&mut self) {
        let moves = *self.random.pick(&["", " moves none", " moves best", " moves all", " moves all nopv"]);
        let limit = match self.random.below(3) {
            0 => format!(" movetime {}", 1 + self.random.below(8)),
            _ if self.session.board.moves().len() > 100 => format!(" nodes {}", 1 + self.random.below(50)),
            _ => format!(" nodes {}", 1 + self.random.below(2_000)),
        };
        let line = match self.random.below(12) {
            0 => format!("solve{limit}{moves} depth 3"),
            1 => format!("solve nodes{moves}"),
            2 => "solve movetime 0".to_owned(),
            3 => format!("solve{limit} moves some"),
            4..8 => format!("solve{moves}{limit}"),
            _ => format!("solve{limit}{moves}"),
        };
        self.say(&line);
        self.mark();
        self.idle = false;
        self.follow(6);
    }

    fn limits(&mut self) -> String {
        let moves = self.session.board.moves().len();
        let most = if moves > 100 { 100 } else { 3_000 };
        let nodes = self.random.below(most);
        let depth = *self.random.pick(&[0, 1, 2, 3, 4, 5, 255, 256, usize::MAX]);
        let time = *self.random.pick(&[-5, 0, 1, 2, 5, 8]);
        let clock = *self.random.pick(&[-20, 0, 1, 10, 20, 60]);
        let other = *self.random.pick(&[-20, 0, 30]);
        let limited = match self.random.below(4) {
            0 if moves <= 16 && depth <= 4 => format!("depth {depth}"),
            1 => format!("depth {depth} nodes {nodes}"),
            2 => format!("movetime {time}"),
            _ => format!("nodes {nodes}"),
        };
        let only: Vec<_> = (0..1 + self.random.below(3)).map(|_| self.some_move()).collect();
        let only = only.join(" ");
        let mate = self.random.below(5);
        match self.random.below(24) {
            0..8 => limited,
            8 => format!("wtime {clock} btime {clock}"),
            9 => format!("p1time {clock} p2time {clock} p1inc 1 p2inc 2 movestogo {}", mate * mate),
            10 => format!("wtime {clock} btime {other} winc 1 movestogo 1"),
            11 => format!("btime {clock}"),
            12 => String::new(),
            13 => "infinite".to_owned(),
            14 => format!("infinite {limited}"),
            15 => "winc 5 movestogo 3".to_owned(),
            16 => format!("ponder {limited}"),
            17 => (*self.random.pick(&["ponder", "ponder wtime 50 btime 50", "infinite ponder"])).to_owned(),
            18 => format!("mate {mate} {limited}"),
            19 if moves <= 16 => format!("mate {}", mate.min(2)),
            20 => format!("searchmoves {only} {limited}"),
            21 => format!("{limited} searchmoves {only}"),
            22 if moves <= 40 => format!("perft {}", self.random.below(4)),
            _ => format!("tempo 3 {limited} depth nodes x"),
        }
    }
}
