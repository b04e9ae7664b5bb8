//! Endgame databases of draughts: classes by men and kings, and the index of a position in its class.
//!
//! The index counts the side to move as the first player: its men, the other side's men, then the kings of either side
//! on the squares that are left. Men of both sides may stand on most squares, so about a tenth of the indices have two
//! men on a square and denote no position.

use super::geometry::{Direction, Geometry, bits};
use super::rules::Draughtsboard;
use super::text;
use super::variant::{RuleSettings, Variant};
use crate::core::{Position, Side};
use crate::endgame::combinations::{among, binomial, rank, unrank, without};
use crate::endgame::{Class, Material};

/// The base of class numbers, which have a digit for each side and kind: its maximum number of pieces, plus one.
const DIGIT: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pieces {
    /// The men of the side to move and of the other side.
    men: [u32; 2],
    /// Their kings.
    kings: [u32; 2],
}

impl Pieces {
    const fn class(self) -> Class {
        let Self { men, kings } = self;
        let (own, other) = (men[0] as usize + DIGIT * kings[0] as usize, men[1] as usize + DIGIT * kings[1] as usize);
        Class((own + DIGIT * DIGIT * other) as u16)
    }

    fn from_class(class: Class) -> Self {
        let digit = |place: u32| class.0 as u32 / (DIGIT as u32).pow(place) % DIGIT as u32;
        Self { men: [digit(0), digit(2)], kings: [digit(1), digit(3)] }
    }
}

/// Conversions between the squares of a board and numbers without the gaps between the rows' bits.
struct Squares<V>(V);

impl<V: Variant> Squares<V> {
    const COUNT: u32 = Geometry::<V>::SQUARES;

    const TWO_ROWS: u64 = (1 << (2 * V::WIDTH)) - 1;

    /// The number of squares on which a man may stand.
    const FOR_MEN: u32 = Self::COUNT - V::WIDTH;

    /// Returns a set of bits as a set of squares.
    #[inline]
    fn squares(set: u64) -> u64 {
        let pairs = (0..V::WIDTH).map(|pair| set >> pair & Self::TWO_ROWS << (2 * V::WIDTH * pair));
        pairs.fold(0, |all, pair| all | pair)
    }

    /// Returns a set of squares as a set of bits.
    #[inline]
    fn bits(squares: u64) -> u64 {
        let pairs = (0..V::WIDTH).map(|pair| (squares & Self::TWO_ROWS << (2 * V::WIDTH * pair)) << pair);
        pairs.fold(0, |all, pair| all | pair)
    }
}

/// Returns the number of ways to place kings on the squares that the men leave.
fn kings<V: Variant>(Pieces { men, kings }: Pieces) -> [u64; 2] {
    let left = Squares::<V>::COUNT - men[0] - men[1];
    [binomial(left, kings[0]), binomial(left - kings[0], kings[1])]
}

impl<V: Variant> Material for Draughtsboard<V> {
    const GAME: &'static str = V::NAME;

    const OPTION: &'static str = V::ENDGAMES;

    const MOST_PIECES: usize = DIGIT - 1;

    fn text(&self) -> String {
        text::write(self)
    }

    #[inline]
    fn piece_count(&self) -> usize {
        (Geometry::<V>::ALL & !self.vacant()).count_ones() as usize
    }

    #[inline]
    fn class(&self) -> Class {
        let sides = [self.turn(), self.turn().other()];
        let men = sides.map(|side| self.men(side).count_ones());
        Pieces { men, kings: sides.map(|side| self.kings(side).count_ones()) }.class()
    }

    /// Fewer men first: a man that is crowned leads to a class with one man less.
    fn classes(pieces: usize) -> Vec<Class> {
        let pieces = pieces as u32;
        let mut found = Vec::new();
        for own in 1..pieces {
            let other = pieces - own;
            found.extend(
                (0..=own)
                    .flat_map(|men| (0..=other).map(move |others| [men, others]))
                    .map(|men| Pieces { men, kings: [own - men[0], other - men[1]] }),
            );
        }
        found.sort_by_key(|pieces| pieces.men[0] + pieces.men[1]);
        found.into_iter().map(Pieces::class).collect()
    }

    fn reversed(class: Class) -> Class {
        let Pieces { men, kings } = Pieces::from_class(class);
        Pieces { men: [men[1], men[0]], kings: [kings[1], kings[0]] }.class()
    }

    fn name(class: Class) -> String {
        let Pieces { men, kings } = Pieces::from_class(class);
        let side = |side: usize| {
            let count = |count: u32, letter: &str| if count == 0 { String::new() } else { format!("{count}{letter}") };
            count(men[side], "m") + &count(kings[side], "k")
        };
        format!("{}-{}", side(0), side(1))
    }

    fn positions(class: Class) -> u64 {
        let pieces @ Pieces { men: [own, other], .. } = Pieces::from_class(class);
        let (row, all) = (V::WIDTH, Squares::<V>::FOR_MEN);
        // By the number of own men in the home row, where the other side has no men.
        let men: u64 = (0..=own.min(row))
            .filter(|home| own - home <= all - row)
            .map(|home| binomial(row, home) * binomial(all - row, own - home) * binomial(all - (own - home), other))
            .sum();
        let [own, other] = kings::<V>(pieces);
        men * own * other
    }

    fn indices(class: Class) -> usize {
        let pieces @ Pieces { men: [own, other], .. } = Pieces::from_class(class);
        let all = Squares::<V>::FOR_MEN;
        let men = binomial(all, own) * binomial(all, other);
        (men * kings::<V>(pieces).iter().product::<u64>()) as usize
    }

    #[inline]
    fn index(&self, class: Class) -> usize {
        let own = self.turn();
        let seen = |set: u64| Squares::<V>::squares(if own == Side::First { set } else { Geometry::<V>::turned(set) });
        let [own_men, other_men] = [own, own.other()].map(|side| seen(self.men(side)));
        let [own_kings, other_kings] = [own, own.other()].map(|side| seen(self.kings(side)));
        let pieces = Pieces::from_class(class);
        let [ways, other_ways] = kings::<V>(pieces);
        let men = own_men | other_men;
        let mut index = rank(own_men) * binomial(Squares::<V>::FOR_MEN, pieces.men[1]) + rank(other_men >> V::WIDTH);
        index = index * ways + rank(without(own_kings, men));
        index = index * other_ways + rank(without(other_kings, men | own_kings));
        index as usize
    }

    fn at(class: Class, index: usize) -> Option<Self> {
        let pieces = Pieces::from_class(class);
        let [own_ways, other_ways] = kings::<V>(pieces);
        let men_ways = binomial(Squares::<V>::FOR_MEN, pieces.men[1]);
        let (index, others) = (index as u64 / other_ways, index as u64 % other_ways);
        let (index, own) = (index / own_ways, index % own_ways);
        let own_men = unrank(index / men_ways, pieces.men[0]);
        let other_men = unrank(index % men_ways, pieces.men[1]) << V::WIDTH;
        if own_men & other_men != 0 {
            return None;
        }
        let men = own_men | other_men;
        let own_kings = among(unrank(own, pieces.kings[0]), men);
        let other_kings = among(unrank(others, pieces.kings[1]), men | own_kings);
        let [first, second, kings] =
            [own_men | own_kings, other_men | other_kings, own_kings | other_kings].map(Squares::<V>::bits);
        // No clock runs.
        let settings = RuleSettings { limit: u16::MAX, joined: true };
        Some(Self::new([first, second], kings, Side::First, settings, 0))
    }

    fn predecessors(&self, out: &mut Vec<Self>) {
        let (mover, vacant) = (self.turn().other(), self.vacant());
        let mut add = |from: u8, to: u64| {
            let before = self.moved_back(mover, from, to);
            // Captures are compulsory.
            if !before.must_capture() {
                out.push(before);
            }
        };
        for direction in Draughtsboard::<V>::ahead(mover).map(Direction::opposite) {
            let men = Geometry::<V>::step(vacant, direction.opposite()) & self.men(mover);
            bits(men).for_each(|from| add(from, Geometry::<V>::step(1 << from, direction)));
        }
        for from in bits(self.kings(mover)) {
            for direction in Direction::ALL {
                let mut to = Geometry::<V>::step(1 << from, direction) & vacant;
                while to != 0 {
                    add(from, to);
                    to = if V::FLYING { Geometry::<V>::step(to, direction) & vacant } else { 0 };
                }
            }
        }
    }
}
