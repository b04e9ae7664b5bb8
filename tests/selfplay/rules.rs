//! The rules of Kalah and Nim, implemented a second time.

/// An independent implementation of the rules.
pub(super) trait Referee {
    /// Returns the legal moves, in the engine's notation.
    fn moves(&self) -> Vec<String>;
    /// Plays a legal move.
    fn play(&mut self, mv: &str);
    /// Returns the position in the engine's notation.
    fn text(&self) -> String;
    /// Returns the result of a finished game for the side to move: seeds, or 1 for a win.
    fn margin(&self) -> i32;
    fn boxed(&self) -> Box<dyn Referee>;
}

/// Kalah on one ring: South's houses and store, then North's.
#[derive(Clone)]
pub(super) struct Ring {
    pub(super) cells: Vec<u32>,
    /// 0 for South.
    pub(super) turn: usize,
    pub(super) empty_captures: bool,
}

impl Ring {
    /// Returns the indices of a side's houses.
    fn houses(&self, side: usize) -> std::ops::Range<usize> {
        let half = self.cells.len() / 2;
        side * half..side * half + half - 1
    }

    fn seeds(&self, side: usize) -> u32 {
        self.cells[self.houses(side)].iter().sum()
    }
}

impl Referee for Ring {
    fn moves(&self) -> Vec<String> {
        let own = &self.cells[self.houses(self.turn)];
        let over = self.seeds(0) * self.seeds(1) == 0;
        (0..own.len()).filter(|&house| !over && own[house] > 0).map(|house| (house + 1).to_string()).collect()
    }

    fn play(&mut self, mv: &str) {
        let (own, ring) = (self.houses(self.turn), self.cells.len());
        let store = own.end;
        let mut at = own.start + mv.parse::<usize>().unwrap() - 1;
        for _ in 0..std::mem::take(&mut self.cells[at]) {
            at = (at + 1) % ring;
            if at == self.houses(1 - self.turn).end {
                at = (at + 1) % ring;
            }
            self.cells[at] += 1;
        }
        // The indices of opposite houses sum to that of the last cell but one.
        if own.contains(&at) && self.cells[at] == 1 && (self.empty_captures || self.cells[ring - 2 - at] > 0) {
            self.cells[store] += 1 + std::mem::take(&mut self.cells[ring - 2 - at]);
            self.cells[at] = 0;
        }
        self.turn ^= usize::from(at != store);
    }

    fn text(&self) -> String {
        let sides = [self.houses(0), self.houses(1)];
        let stores = sides.each_ref().map(|houses| self.cells[houses.end]);
        let cells: Vec<_> = stores.iter().chain(sides.iter().flat_map(|houses| &self.cells[houses.clone()])).collect();
        let cells: String = cells.iter().map(|cell| format!(",{cell}")).collect();
        format!("<{}{cells}> {}", sides[0].len(), ["s", "n"][self.turn])
    }

    fn margin(&self) -> i32 {
        let total = |side| (self.cells[self.houses(side).end] + self.seeds(side)).cast_signed();
        total(self.turn) - total(1 - self.turn)
    }

    fn boxed(&self) -> Box<dyn Referee> {
        Box::new(self.clone())
    }
}

#[derive(Clone)]
pub(super) struct Heaps {
    pub(super) heaps: Vec<u32>,
    pub(super) player: u32,
    pub(super) misere: bool,
    pub(super) most: u32,
}

impl Referee for Heaps {
    fn moves(&self) -> Vec<String> {
        let heaps = (1..).zip(&self.heaps);
        heaps.flat_map(|(n, &heap)| (1..=heap.min(self.most)).rev().map(move |count| format!("{n}-{count}"))).collect()
    }

    fn play(&mut self, mv: &str) {
        let (heap, count) = mv.split_once('-').unwrap();
        self.heaps[heap.parse::<usize>().unwrap() - 1] -= count.parse::<u32>().unwrap();
        self.player = 3 - self.player;
    }

    fn text(&self) -> String {
        let heaps: Vec<_> = self.heaps.iter().map(u32::to_string).collect();
        format!("{} {}", heaps.join(","), self.player)
    }

    fn margin(&self) -> i32 {
        if self.misere { 1 } else { -1 }
    }

    fn boxed(&self) -> Box<dyn Referee> {
        Box::new(self.clone())
    }
}
