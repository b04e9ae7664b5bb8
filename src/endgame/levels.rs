//! Retrograde analysis of a class together with its reverse (Bellman 1965; Thompson 1986): level by level, from the
//! decided positions back to the positions from which a move leads to them.
//!
//! The level of a position is one more than its distance to the end of the game, in plies. Level 0 is undecided, and in
//! the end a draw. A move that keeps the material leads to the reverse of the class, to a position with a level of its
//! own. Any other move is an exit, to a position of known value. A side wins one level after the first lost position
//! that it can move to, and loses one level after the last of its moves, if all of them lead to positions won by the
//! other side; an exit to a draw saves it.

use super::material::{Class, Material};
use super::table::{DRAWN, HOLE, MOST_PLIES, Value};
use crate::core::{Error, Outcome, StopFlag};
use crate::util::parallel::for_each;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};

/// The number of indices that a thread takes at once.
const CHUNK: usize = 1 << 13;

/// The number of open moves of a position that has an exit to a draw.
const SAFE: u8 = 255;

/// The levels of a class, by index: a draw, a hole, or one more than the distance in plies.
pub type Levels = Vec<u8>;

/// Returns the levels of a class and of its reverse, which may be the same; `None` if the flag was raised. `value`
/// returns the values of positions of earlier classes. `progress` receives the number of positions examined since its
/// last call.
///
/// # Errors
/// [`Error::BadOptions`] if a game of the class takes more than [`MOST_PLIES`]; errors of `value`.
pub(crate) fn solve<P: Material>(
    class: Class,
    threads: usize,
    stop: &StopFlag,
    value: &(dyn Fn(&P) -> Result<Value, Error> + Sync),
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Option<Vec<(Class, Levels)>>, Error> {
    let mut classes = vec![class, P::reversed(class)];
    classes.dedup();
    let halves: Vec<_> = classes.into_iter().map(|class| Half::new(class, P::indices(class))).collect();
    for half in &halves {
        let begun = for_each(threads, half.chunks(), stop, |chunk| {
            progress(half.begin(chunk, value)?);
            Ok(())
        });
        if !begun? {
            return Ok(None);
        }
    }
    for level in 1..HOLE {
        for (number, half) in halves.iter().enumerate() {
            let reverse = &halves[halves.len() - 1 - number];
            let settled = for_each(threads, half.chunks(), stop, |chunk| {
                if half.due[chunk].has(level) {
                    half.settle::<P>(chunk, level, reverse);
                }
                Ok(())
            });
            if !settled? {
                return Ok(None);
            }
        }
    }
    if halves.iter().any(|half| half.is_too_long.load(Relaxed)) {
        let name = P::name(class);
        return Err(Error::BadOptions(format!("{name}: a game takes more than {MOST_PLIES} plies")));
    }
    Ok(Some(halves.into_iter().map(|half| (half.class, half.levels())).collect()))
}

/// The levels at which a chunk has positions to settle: a bit each.
#[derive(Default)]
struct Due([AtomicU64; 4]);

impl Due {
    fn set(&self, level: u8) {
        self.0[usize::from(level / 64)].fetch_or(1 << (level % 64), Relaxed);
    }

    fn has(&self, level: u8) -> bool {
        self.0[usize::from(level / 64)].load(Relaxed) & 1 << (level % 64) != 0
    }
}

/// A class that is being solved.
struct Half {
    class: Class,
    /// By index.
    level: Vec<AtomicU8>,
    /// The moves within the material that are not known to lose.
    open: Vec<AtomicU8>,
    /// The level by the exits alone: the first at which one wins, or the last at which one loses.
    exit: Vec<AtomicU8>,
    /// By chunk.
    due: Vec<Due>,
    is_too_long: AtomicBool,
}

/// Whether a position of this level is won by the side to move.
const fn is_won(level: u8) -> bool {
    level != DRAWN && level.is_multiple_of(2)
}

impl Half {
    fn new(class: Class, indices: usize) -> Self {
        let zeros = || (0..indices).map(|_| AtomicU8::new(0)).collect();
        let due = (0..indices.div_ceil(CHUNK)).map(|_| Due::default()).collect();
        Self { class, level: zeros(), open: zeros(), exit: zeros(), due, is_too_long: AtomicBool::new(false) }
    }

    fn chunks(&self) -> usize {
        self.due.len()
    }

    fn indices(&self, chunk: usize) -> std::ops::Range<usize> {
        CHUNK * chunk..(CHUNK * (chunk + 1)).min(self.level.len())
    }

    /// Counts the open moves of the positions of a chunk and examines their exits. Returns the number of positions.
    fn begin<P: Material>(
        &self,
        chunk: usize,
        value: &(dyn Fn(&P) -> Result<Value, Error> + Sync),
    ) -> Result<u64, Error> {
        let reverse = P::reversed(self.class);
        let (mut positions, mut moves) = (0, Vec::new());
        for index in self.indices(chunk) {
            let Some(pos) = P::at(self.class, index) else {
                self.level[index].store(HOLE, Relaxed);
                continue;
            };
            positions += 1;
            let (mut open, mut exits) = (0, Exits::default());
            moves.clear();
            pos.moves(&mut moves);
            if moves.is_empty() || pos.is_drawn() {
                let lost = !pos.is_drawn() && pos.outcome() == Outcome::Loss;
                if lost { self.decide(index, 1) } else { exits.is_safe = true }
            }
            for &mv in &moves {
                let after = pos.after(mv);
                if after.class() == reverse {
                    open += 1;
                } else if after.is_over() {
                    exits.add(if after.outcome() == Outcome::Loss { Value::Distance(0) } else { Value::Draw });
                } else {
                    exits.add(value(&after)?);
                }
            }
            self.is_too_long.fetch_or(exits.is_too_long, Relaxed);
            self.open[index].store(if exits.is_safe { SAFE } else { open }, Relaxed);
            let level = exits.level();
            if level != DRAWN {
                self.exit[index].store(level, Relaxed);
                self.due[chunk].set(level);
            }
        }
        Ok(positions)
    }

    /// Decides the positions of a chunk whose exits make this their level, and passes all those of the level on to the
    /// positions before them.
    fn settle<P: Material>(&self, chunk: usize, level: u8, reverse: &Self) {
        let mut before = Vec::new();
        for index in self.indices(chunk) {
            let found = self.level[index].load(Relaxed);
            if found == DRAWN && self.exit[index].load(Relaxed) == level {
                if !is_won(level) && self.open[index].load(Relaxed) != 0 {
                    continue;
                }
                self.level[index].store(level, Relaxed);
            } else if found != level {
                continue;
            }
            let Some(pos) = P::at(self.class, index) else { continue };
            pos.predecessors(&mut before);
            for pos in before.drain(..) {
                reverse.pass(pos.index(reverse.class), level);
            }
        }
    }

    /// Accounts for a move of a position that leads to a position of this level.
    fn pass(&self, index: usize, level: u8) {
        if self.level[index].load(Relaxed) != DRAWN {
            return;
        }
        if is_won(level) {
            // All positions that are passed on at a time have the same level, so no other thread decides this one.
            if self.open[index].load(Relaxed) == SAFE || self.open[index].fetch_sub(1, Relaxed) != 1 {
                return;
            }
            let exit = self.exit[index].load(Relaxed);
            if is_won(exit) || exit > level + 1 {
                // The exits decide the position, at their level.
                return;
            }
        }
        self.decide(index, level + 1);
    }

    fn decide(&self, index: usize, level: u8) {
        if level == HOLE {
            self.is_too_long.store(true, Relaxed);
            return;
        }
        self.level[index].store(level, Relaxed);
        self.due[index / CHUNK].set(level);
    }

    fn levels(self) -> Levels {
        self.level.into_iter().map(AtomicU8::into_inner).collect()
    }
}

#[derive(Default)]
struct Exits {
    /// The level of the first win; 0 for none.
    won: u8,
    /// The level of the last loss; 0 for none.
    lost: u8,
    is_safe: bool,
    is_too_long: bool,
}

impl Exits {
    /// Adds an exit to a position with this value for the other side.
    fn add(&mut self, value: Value) {
        let plies = match value {
            Value::Draw => {
                self.is_safe = true;
                return;
            }
            // Without distances, every exit counts as the end of the game.
            Value::Loss => 0,
            Value::Win => 1,
            Value::Distance(plies) => plies,
        };
        if plies >= MOST_PLIES {
            self.is_too_long = true;
            return;
        }
        let level = plies + 2;
        if is_won(level) {
            self.won = if self.won == 0 { level } else { self.won.min(level) };
        } else {
            self.lost = self.lost.max(level);
        }
    }

    const fn level(&self) -> u8 {
        if self.won > 0 {
            self.won
        } else if self.is_safe {
            DRAWN
        } else {
            self.lost
        }
    }
}
