//! The rules of Nim, and its notation: `3,4,5 1` is the heaps and the player to move, `2-3` takes three objects
//! from the second heap.

use super::{MAX_HEAPS, MAX_OBJECTS, Nim};
use crate::core::error::Quoted;
use crate::core::{Error, Notation, Outcome, Position, Side};
use crate::util::number;
use crate::util::random::folded;

impl Notation for Nim {
    fn start(&self) -> Result<String, Error> {
        Ok(write(&self.heaps, Side::First))
    }

    fn parse(&self, text: &str) -> Result<Heaps, Error> {
        let bad = |reason: String| Error::bad_position(text, reason);
        let (heaps, player) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), "1"));
        let turn = match player.trim() {
            "1" => Side::First,
            "2" => Side::Second,
            other => return Err(bad(format!("the player to move is 1 or 2, not {}", Quoted::part(other.trim())))),
        };
        Ok(Heaps::new(&parse_heaps(heaps).map_err(bad)?, turn, self.misere, self.max_take))
    }

    fn write(&self, pos: &Heaps) -> String {
        write(pos.heaps(), pos.turn())
    }

    fn write_move(&self, _pos: &Heaps, mv: Take) -> String {
        let mut text = String::with_capacity(8);
        number::push(&mut text, u16::from(mv.heap) + 1);
        text.push('-');
        number::push(&mut text, mv.count.into());
        text
    }

    fn read_move(&self, pos: &Heaps, text: &str) -> Option<Take> {
        let (heap, count) = text.split_once('-')?;
        let heap = u8::try_from(number::read(heap)?.checked_sub(1)?).ok()?;
        let take = Take { heap, count: u8::try_from(number::read(count)?).ok()? };
        pos.allows(take).then_some(take)
    }
}

/// A position: the heaps and the player to move, with the rules about moves and the winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heaps {
    heaps: [u8; MAX_HEAPS],
    count: u8,
    turn: Side,
    misere: bool,
    max_take: u8,
}

/// A move: a number of objects from a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Take {
    /// The heap, counted from 0.
    pub heap: u8,
    /// The number of objects, at least 1.
    pub count: u8,
}

impl Heaps {
    /// Creates a position; heaps beyond the sixteenth are ignored.
    #[must_use]
    pub fn new(heaps: &[u8], turn: Side, misere: bool, max_take: u8) -> Self {
        let mut all = [0; MAX_HEAPS];
        let mut count = 0;
        for (slot, &heap) in all.iter_mut().zip(heaps) {
            *slot = heap;
            count += 1;
        }
        Self { heaps: all, count, turn, misere, max_take: max_take.max(1) }
    }

    /// Returns the heaps, including empty ones.
    #[inline]
    pub(crate) fn heaps(&self) -> &[u8] {
        &self.heaps[..usize::from(self.count)]
    }

    /// Returns whether the player who takes the last object loses.
    pub(crate) fn is_misere(&self) -> bool {
        self.misere
    }

    /// Returns the maximum number of objects per move.
    pub(crate) fn max_take(&self) -> u8 {
        self.max_take
    }

    /// Returns whether a move is legal.
    pub(crate) fn allows(&self, Take { heap, count }: Take) -> bool {
        let objects = self.heaps().get(usize::from(heap)).copied().unwrap_or(0);
        (1..=objects.min(self.max_take)).contains(&count)
    }

    /// Returns the number of objects in all heaps.
    #[must_use]
    pub fn objects(&self) -> i32 {
        self.heaps().iter().map(|&heap| i32::from(heap)).sum()
    }
}

impl Position for Heaps {
    type Move = Take;
    const CODES: usize = MAX_HEAPS << 8;

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.heaps().iter().all(|&heap| heap == 0)
    }

    fn moves(&self, out: &mut Vec<Take>) {
        for (heap, &objects) in (0..).zip(self.heaps()) {
            for count in (1..=objects.min(self.max_take)).rev() {
                out.push(Take { heap, count });
            }
        }
    }

    fn outcome(&self) -> Outcome {
        if self.misere { Outcome::Win } else { Outcome::Loss }
    }

    #[inline]
    fn after(&self, mv: Take) -> Self {
        let mut next = *self;
        next.heaps[usize::from(mv.heap)] -= mv.count;
        next.turn = self.turn.other();
        next
    }

    fn key(&self) -> u64 {
        let rules = [self.count, self.turn as u8, u8::from(self.misere), self.max_take];
        let mixed = self
            .heaps()
            .iter()
            .chain(&rules)
            .fold(0x243f_6a88_85a3_08d3_u64, |hash, &byte| folded(hash ^ u64::from(byte), 0x9fb2_1c65_1e98_df25));
        mixed ^ mixed >> 29
    }

    #[inline]
    fn code(&self, mv: Take) -> u16 {
        u16::from(mv.heap) << 8 | u16::from(mv.count)
    }
}

/// Parses heaps; an error describes the mistake.
pub(super) fn parse_heaps(text: &str) -> Result<Vec<u8>, String> {
    let heaps: Result<Vec<u8>, _> = text.split(',').take(MAX_HEAPS + 1).map(|heap| heap.trim().parse()).collect();
    match heaps {
        Ok(heaps) if heaps.len() > MAX_HEAPS => Err(format!("more than {MAX_HEAPS} heaps")),
        Ok(heaps) => {
            let objects: u32 = heaps.iter().map(|&heap| u32::from(heap)).sum();
            let fits = objects <= MAX_OBJECTS;
            fits.then_some(heaps).ok_or_else(|| format!("at most {MAX_OBJECTS} objects in all heaps, not {objects}"))
        }
        Err(_) => {
            let wrong = text.split(',').find(|heap| heap.trim().parse::<u8>().is_err()).unwrap_or(text);
            Err(format!("a heap is a number from 0 to 255, not {}", Quoted::part(wrong.trim())))
        }
    }
}

/// Writes a position.
pub(super) fn write(heaps: &[u8], turn: Side) -> String {
    let heaps: Vec<_> = heaps.iter().map(u8::to_string).collect();
    format!("{} {}", heaps.join(","), turn.index() + 1)
}
