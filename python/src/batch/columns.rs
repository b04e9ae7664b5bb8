//! The columns of a batch in Arrow's memory format, which other libraries read in place.
//!
//! Offsets have 64 bits, so that they cannot overflow.

use arrow_array::builder::{LargeListBuilder, LargeStringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int16Type, Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, Int16Array, Int32Array, Int64Array, LargeStringArray, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use secateurs::batch::{Analysed, BatchRow};
use secateurs::core::{Bound, Proof, StopFlag, score};
use std::sync::Arc;

/// A line of a row; `None` for a row with an error.
type Line<'a> = (&'a BatchRow, Option<&'a Analysed>);

/// The values of a column; `None`: null.
enum Values {
    Text(for<'a> fn(Line<'a>) -> Option<&'a str>),
    List(for<'a> fn(Line<'a>) -> Option<&'a [String]>),
    Int16(fn(Line<'_>) -> Option<i16>),
    Int32(fn(Line<'_>) -> Option<i32>),
    Int64(fn(Line<'_>) -> Option<i64>),
}

/// The optional columns, which come last: the variations, the numbers of the lines, the moves and variations in SAN.
const PV: &str = "pv";
const MULTIPV: &str = "multipv";
const SAN: &str = "best_san";
const PV_SAN: &str = "pv_san";

/// The columns: their names, whether they have nulls, and their values.
const COLUMNS: [(&str, bool, Values); 16] = [
    ("input", false, Values::Text(|(row, _)| Some(&row.input))),
    ("position", false, Values::Text(|(row, _)| Some(&row.position))),
    ("best_move", true, Values::Text(|(_, found)| found.map(|found| &*found.best))),
    ("score", true, Values::Int32(|(_, found)| found.map(|found| found.score))),
    ("distance", true, Values::Int16(|(_, found)| score::distance(found?.score)?.try_into().ok())),
    ("bound", true, Values::Text(|(_, found)| found.map(|found| found.bound.name()))),
    ("proven", true, Values::Text(|(_, found)| found?.proof.name())),
    ("depth", true, Values::Int16(|(_, found)| found.map(|found| found.depth.into()))),
    ("nodes", true, Values::Int64(|(_, found)| found.map(|found| whole(found.nodes)))),
    ("time_us", true, Values::Int64(|(_, found)| found.map(|found| whole(found.micros)))),
    ("history", false, Values::List(|(row, _)| Some(&row.history))),
    ("error", true, Values::Text(|(row, _)| row.found.as_ref().err().map(String::as_str))),
    (PV, true, Values::List(|(_, found)| found.map(|found| &*found.pv))),
    (MULTIPV, true, Values::Int16(|(_, found)| found?.line.try_into().ok())),
    (SAN, true, Values::Text(|(_, found)| found?.san.first().map(String::as_str))),
    (PV_SAN, true, Values::List(|(_, found)| found.map(|found| &*found.san))),
];

/// Which optional columns there are.
#[derive(Clone, Copy)]
pub struct Shape {
    pub pv: bool,
    pub multipv: bool,
    pub san: bool,
}

impl Shape {
    /// Returns the shape of a batch.
    pub fn new(batch: &RecordBatch) -> Self {
        let has = |name| batch.column_by_name(name).is_some();
        Self { pv: has(PV), multipv: has(MULTIPV), san: has(SAN) }
    }
}

/// Returns the columns, with a row for each line of these rows. `None` if the flag is raised meanwhile.
///
/// # Errors
/// None but those of Arrow itself.
pub fn columns(rows: &[BatchRow], shape: Shape, stop: &StopFlag) -> Result<Option<RecordBatch>, ArrowError> {
    let lines = rows.iter().flat_map(|row| {
        let found = std::iter::once(row.found.as_ref().ok()).chain(row.others.iter().map(Some));
        found.map(move |found| (row, found))
    });
    let lines: Vec<Line<'_>> = lines.collect();
    let (mut fields, mut arrays) = (Vec::new(), Vec::new());
    for (name, has_nulls, values) in COLUMNS {
        let is_wanted = match name {
            PV => shape.pv,
            MULTIPV => shape.multipv,
            SAN => shape.san,
            PV_SAN => shape.san && shape.pv,
            _ => true,
        };
        if !is_wanted {
            continue;
        }
        if stop.is_raised() {
            return Ok(None);
        }
        let array = values.array(&lines);
        fields.push(Field::new(name, array.data_type().clone(), has_nulls));
        arrays.push(array);
    }
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).map(Some)
}

impl Values {
    fn array(&self, lines: &[Line<'_>]) -> ArrayRef {
        let lines = lines.iter().copied();
        match self {
            Self::Text(value) => Arc::new(lines.map(value).collect::<LargeStringArray>()),
            Self::Int16(value) => Arc::new(lines.map(value).collect::<Int16Array>()),
            Self::Int32(value) => Arc::new(lines.map(value).collect::<Int32Array>()),
            Self::Int64(value) => Arc::new(lines.map(value).collect::<Int64Array>()),
            Self::List(value) => {
                let item = Field::new("item", DataType::LargeUtf8, false);
                let mut lists = LargeListBuilder::new(LargeStringBuilder::new()).with_field(item);
                for list in lines.map(value) {
                    list.into_iter().flatten().for_each(|text| lists.values().append_value(text));
                    lists.append(list.is_some());
                }
                Arc::new(lists.finish())
            }
        }
    }
}

/// Returns the row of an index; `None` if it is out of range.
pub fn row(batch: &RecordBatch, index: usize) -> Option<BatchRow> {
    let text = |name| text(batch.column_by_name(name)?, index);
    let number = |name| number(batch.column_by_name(name)?, index);
    let list = |name| list(batch.column_by_name(name)?, index);
    let (input, position, history) = (text("input")?.to_owned(), text("position")?.to_owned(), list("history")?);
    let Some(best) = text("best_move") else {
        return Some(BatchRow { input, position, history, found: Err(text("error")?.to_owned()), others: Vec::new() });
    };
    let proofs = [Proof::LOWER, Proof::UPPER, Proof::EXACT];
    let proof = proofs.into_iter().find(|proof| proof.name() == text("proven")).unwrap_or(Proof::NONE);
    let bounds = [Bound::Upper, Bound::Lower, Bound::Exact];
    let found = Analysed {
        line: usize::try_from(number(MULTIPV).unwrap_or(1)).ok()?,
        best: best.to_owned(),
        score: i32::try_from(number("score")?).ok()?,
        bound: bounds.into_iter().find(|bound| Some(bound.name()) == text("bound"))?,
        proof,
        depth: u8::try_from(number("depth")?).ok()?,
        nodes: u64::try_from(number("nodes")?).ok()?,
        micros: u64::try_from(number("time_us")?).ok()?,
        pv: list(PV).unwrap_or_default(),
        san: list(PV_SAN).unwrap_or_else(|| text(SAN).map(str::to_owned).into_iter().collect()),
    };
    Some(BatchRow { input, position, history, found: Ok(found), others: Vec::new() })
}

/// Returns a text of a column; `None` if it is null.
pub fn text(column: &ArrayRef, index: usize) -> Option<&str> {
    let texts = column.as_string_opt::<i64>()?;
    (index < texts.len() && texts.is_valid(index)).then(|| texts.value(index))
}

/// Returns a number of a column; `None` if it is null.
pub fn number(column: &ArrayRef, index: usize) -> Option<i64> {
    if index >= column.len() || column.is_null(index) {
        return None;
    }
    let medium = || column.as_primitive_opt::<Int32Type>().map(|numbers| numbers.value(index).into());
    let small = || column.as_primitive_opt::<Int16Type>().map(|numbers| numbers.value(index).into());
    column.as_primitive_opt::<Int64Type>().map(|numbers| numbers.value(index)).or_else(medium).or_else(small)
}

/// Returns a list of a column; `None` if it is null.
pub fn list(column: &ArrayRef, index: usize) -> Option<Vec<String>> {
    let lists = column.as_list_opt::<i64>()?;
    let list = (index < lists.len() && lists.is_valid(index)).then(|| lists.value(index))?;
    Some((0..list.len()).filter_map(|index| text(&list, index).map(str::to_owned)).collect())
}

/// Converts a number to a signed one, which all readers of Arrow support.
fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
