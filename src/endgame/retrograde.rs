//! [`Retrograde`]: the database of a game that names its [material](Material).

use super::database::{Database, TableFile};
use super::levels;
use super::material::{Class, Material};
use super::table::{ClassTable, Counts, TableKind, Value};
use super::tables::{Opened, Tables};
use crate::core::databases::{Build, BuildPlan, TableDetail};
use crate::core::position::legal_moves;
use crate::core::{Error, Options, Outcome};
use std::marker::PhantomData;
use std::ops::RangeInclusive;
use std::path::Path;

static OPENED: Opened<ClassTable> = Opened::new();

/// The bytes in memory of each index of the class and of its reverse while they are built: level, moves and exits.
const IN_MEMORY: u64 = 3;

/// The database of a game: a table is a [class](Class), its size the number of pieces.
#[derive(Debug)]
pub struct Retrograde<P>(PhantomData<fn() -> P>);

impl<P> Default for Retrograde<P> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

const fn class(number: usize) -> Class {
    Class(number as u16)
}

impl<P: Material> Database for Retrograde<P> {
    const GAME: &'static str = P::GAME;
    const OPTION: &'static str = P::OPTION;
    const UNIT: &'static str = "pieces";

    type Table = ClassTable;
    type Position = P;

    fn all() -> Vec<Self> {
        vec![Self::default()]
    }

    fn new(_options: &Options) -> Result<Self, Error> {
        Ok(Self::default())
    }

    fn sizes(&self) -> RangeInclusive<usize> {
        2..=P::MOST_PIECES
    }

    fn numbers(&self, size: usize) -> Vec<usize> {
        P::classes(size).into_iter().map(|class| class.0.into()).collect()
    }

    fn file(&self, number: usize) -> TableFile {
        TableKind::Outcomes.file::<P>(class(number))
    }

    fn distances(&self, number: usize) -> Option<TableFile> {
        Some(TableKind::Distances.file::<P>(class(number)))
    }

    fn positions(&self, number: usize) -> u64 {
        P::positions(class(number))
    }

    fn memory(&self, number: usize) -> u64 {
        let class = class(number);
        let halves = if P::reversed(class) == class { 1 } else { 2 };
        halves * IN_MEMORY * P::indices(class) as u64
    }

    fn builder(&self, plan: BuildPlan) -> impl Fn(&Tables<ClassTable>, usize, &Build) -> Result<bool, Error> {
        move |tables, number, &Build { folder, threads, stop, progress }| {
            let value = |pos: &P| tables.value(pos).ok_or_else(|| tables.missing(P::name(pos.class())));
            let Some(solved) = levels::solve(class(number), threads, stop, &value, progress)? else { return Ok(false) };
            for (class, levels) in solved {
                let counts = Counts::from_levels(levels.iter().copied(), plan.distances);
                for kind in TableKind::ALL.into_iter().filter(|&kind| kind == TableKind::Outcomes || plan.distances) {
                    kind.save::<P>(folder, class, counts, &levels)?;
                }
            }
            Ok(true)
        }
    }

    fn open(&self, folder: &Path, number: usize) -> Result<ClassTable, Error> {
        ClassTable::open::<P>(folder, class(number))
    }

    fn opened() -> &'static Opened<ClassTable> {
        &OPENED
    }

    fn details(&self, number: usize, table: &ClassTable) -> Vec<(&'static str, TableDetail)> {
        let Counts { outcomes: [wins, draws, losses], longest } = table.counts();
        vec![
            ("material", TableDetail::Text(P::name(class(number)))),
            ("wins", TableDetail::Count(wins)),
            ("draws", TableDetail::Count(draws)),
            ("losses", TableDetail::Count(losses)),
            ("longest", TableDetail::Longest(table.has_distances().then_some(longest))),
        ]
    }

    fn decides_wins(table: &ClassTable) -> bool {
        table.has_distances()
    }

    fn indices(&self, number: usize) -> usize {
        P::indices(class(number))
    }

    fn at(&self, number: usize, index: usize) -> Option<P> {
        P::at(class(number), index)
    }

    fn checker(&self) -> impl FnMut(&Tables<ClassTable>, usize, &P) -> Result<(), Error> {
        |tables, number, pos| {
            let has_distances = tables.get(number).is_some_and(ClassTable::has_distances);
            for kind in [TableKind::Distances, TableKind::Outcomes].into_iter().skip(usize::from(!has_distances)) {
                let stored = tables.stored(kind, pos)?;
                let found = best(tables, kind, pos, stored)?;
                if stored != found {
                    let file = kind.file::<P>(class(number));
                    return Err(file.wrong(tables.folder(), &pos.text(), &text(found), &text(stored)));
                }
            }
            Ok(())
        }
    }
}

fn text(value: Value) -> String {
    let outcome = match value.outcome() {
        Value::Win => "won",
        Value::Draw => "drawn",
        _ => "lost",
    };
    match value {
        Value::Distance(plies) => format!("{outcome} in {plies} plies"),
        _ => outcome.into(),
    }
}

/// Computes the value of a position from those of its successors in the files of one kind, with a distance if the
/// `stored` value has one.
fn best<P: Material>(tables: &Tables<ClassTable>, kind: TableKind, pos: &P, stored: Value) -> Result<Value, Error> {
    let known = matches!(stored, Value::Distance(_));
    let (mut wins, mut losses, mut has_draw) = (Vec::new(), Vec::new(), false);
    let moves = legal_moves(pos);
    if moves.is_empty() {
        return Ok(match pos.outcome() {
            Outcome::Loss if known => Value::Distance(0),
            Outcome::Loss => Value::Loss,
            _ => Value::Draw,
        });
    }
    for mv in moves {
        let after = pos.after(mv);
        let value = if after.is_over() { Value::Distance(0) } else { tables.stored(kind, &after)? };
        let plies = if let Value::Distance(plies) = value { plies } else { 0 };
        match value.outcome() {
            Value::Loss => wins.push(plies),
            Value::Win => losses.push(plies),
            _ => has_draw = true,
        }
    }
    let distance = |plies: u8, outcome| if known { Value::Distance(plies + 1) } else { outcome };
    Ok(match (wins.into_iter().min(), losses.into_iter().max()) {
        (Some(plies), _) => distance(plies, Value::Win),
        (None, Some(plies)) if !has_draw => distance(plies, Value::Loss),
        _ => Value::Draw,
    })
}

impl Tables<ClassTable> {
    /// Returns the table of a position and its index there.
    #[inline]
    fn place<P: Material>(&self, pos: &P) -> Option<(&ClassTable, usize)> {
        if pos.piece_count() > self.size() {
            return None;
        }
        let class = pos.class();
        self.get(class.0.into()).map(|table| (table, pos.index(class)))
    }

    /// Returns the value of a position for the side to move, without regard to repetitions and clocks.
    #[inline]
    pub fn value<P: Material>(&self, pos: &P) -> Option<Value> {
        self.place(pos).map(|(table, index)| table.value(index))
    }

    /// Returns the value of a position in the file of a kind, as [`ClassTable::stored`] does.
    fn stored<P: Material>(&self, kind: TableKind, pos: &P) -> Result<Value, Error> {
        let (table, index) = self.place(pos).ok_or_else(|| self.missing(P::name(pos.class())))?;
        Ok(table.stored(kind, index))
    }
}
