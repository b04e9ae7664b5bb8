//! The columns of a batch in Arrow's memory format, which other libraries read in place.
//!
//! Offsets have 64 bits, so that they cannot overflow.

use arrow_array::builder::{Int16Builder, Int32Builder, Int64Builder, LargeListBuilder, LargeStringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int16Type, Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use secateurs::batch::{Analysed, BatchRow};
use secateurs::core::{Bound, Proof, StopFlag, score};
use std::sync::Arc;

/// The indices of the columns that every batch has.
const INPUT: usize = 0;
const POSITION: usize = 1;
const BEST: usize = 2;
const SCORE: usize = 3;
// Column 4 is the distance, which follows from the score.
const BOUND: usize = 5;
const PROVEN: usize = 6;
const DEPTH: usize = 7;
const NODES: usize = 8;
const TIME: usize = 9;
const HISTORY: usize = 10;
const ERROR: usize = 11;

/// The optional columns, which come last: the variations and the numbers of the lines.
const PV: &str = "pv";
const MULTIPV: &str = "multipv";

/// Which optional columns there are.
#[derive(Clone, Copy)]
pub struct Shape {
    pub pv: bool,
    pub multipv: bool,
}

impl Shape {
    /// Returns the shape of these columns.
    pub fn of(columns: &RecordBatch) -> Self {
        let has = |name| columns.column_by_name(name).is_some();
        Self { pv: has(PV), multipv: has(MULTIPV) }
    }
}

/// Returns the columns, with a row for each line of these rows. `None` if the flag is raised meanwhile.
///
/// # Errors
/// None but those of Arrow itself.
pub fn columns(rows: &[BatchRow], shape: Shape, stop: &StopFlag) -> Result<Option<RecordBatch>, ArrowError> {
    let texts = || LargeStringBuilder::with_capacity(rows.len(), 4 * rows.len());
    let (mut input, mut position, mut best) = (texts(), texts(), texts());
    let (mut bound, mut proven, mut error) = (texts(), texts(), texts());
    let mut value = Int32Builder::with_capacity(rows.len());
    let (mut distance, mut depth) = (Int16Builder::with_capacity(rows.len()), Int16Builder::with_capacity(rows.len()));
    let mut number = Int16Builder::with_capacity(rows.len());
    let (mut nodes, mut time) = (Int64Builder::with_capacity(rows.len()), Int64Builder::with_capacity(rows.len()));
    let mut history = LargeListBuilder::new(LargeStringBuilder::new()).with_field(item());
    let mut line = LargeListBuilder::new(LargeStringBuilder::new()).with_field(item());
    let lines = rows.iter().flat_map(|row| {
        let found = std::iter::once(row.found.as_ref().ok()).chain(row.others.iter().map(Some));
        found.map(move |found| (row, found))
    });
    for (index, (row, found)) in lines.enumerate() {
        if index.is_multiple_of(4096) && stop.is_raised() {
            return Ok(None);
        }
        input.append_value(&row.input);
        position.append_value(&row.position);
        best.append_option(found.map(|found| &found.best));
        value.append_option(found.map(|found| found.score));
        let plies = found.and_then(|found| score::distance(found.score));
        distance.append_option(plies.and_then(|plies| i16::try_from(plies).ok()));
        bound.append_option(found.map(|found| found.bound.name()));
        proven.append_option(found.and_then(|found| found.proof.name()));
        depth.append_option(found.map(|found| i16::from(found.depth)));
        nodes.append_option(found.map(|found| whole(found.nodes)));
        time.append_option(found.map(|found| whole(found.micros)));
        row.history.iter().for_each(|mv| history.values().append_value(mv));
        history.append(true);
        error.append_option(row.found.as_ref().err());
        number.append_option(found.and_then(|found| i16::try_from(found.line).ok()));
        if shape.pv {
            found.iter().flat_map(|found| &found.pv).for_each(|mv| line.values().append_value(mv));
            line.append(found.is_some());
        }
    }
    let mut arrays: Vec<ArrayRef> = vec![
        Arc::new(input.finish()),
        Arc::new(position.finish()),
        Arc::new(best.finish()),
        Arc::new(value.finish()),
        Arc::new(distance.finish()),
        Arc::new(bound.finish()),
        Arc::new(proven.finish()),
        Arc::new(depth.finish()),
        Arc::new(nodes.finish()),
        Arc::new(time.finish()),
        Arc::new(history.finish()),
        Arc::new(error.finish()),
    ];
    if shape.pv {
        arrays.push(Arc::new(line.finish()));
    }
    if shape.multipv {
        arrays.push(Arc::new(number.finish()));
    }
    RecordBatch::try_new(Arc::new(schema(shape)), arrays).map(Some)
}

/// Returns the names and types. Only the input, the position and the history are never null.
fn schema(shape: Shape) -> Schema {
    let (text, list) = (DataType::LargeUtf8, DataType::LargeList(item()));
    let fields = [
        ("input", text.clone()),
        ("position", text.clone()),
        ("best_move", text.clone()),
        ("score", DataType::Int32),
        ("distance", DataType::Int16),
        ("bound", text.clone()),
        ("proven", text.clone()),
        ("depth", DataType::Int16),
        ("nodes", DataType::Int64),
        ("time_us", DataType::Int64),
        ("history", list.clone()),
        ("error", text),
        (PV, list),
        (MULTIPV, DataType::Int16),
    ];
    let is_there = |name| (shape.pv || name != PV) && (shape.multipv || name != MULTIPV);
    let fields = fields.into_iter().enumerate().filter(|&(_, (name, _))| is_there(name));
    let field = |(number, (name, kind))| Field::new(name, kind, ![INPUT, POSITION, HISTORY].contains(&number));
    Schema::new(fields.map(field).collect::<Vec<_>>())
}

fn item() -> Arc<Field> {
    Arc::new(Field::new("item", DataType::LargeUtf8, false))
}

/// Returns the row of an index; `None` if it is out of range.
pub fn row(columns: &RecordBatch, index: usize) -> Option<BatchRow> {
    let text = |number| text(columns.columns().get(number)?, index);
    let number = |column| number(columns.columns().get(column)?, index);
    let (input, position) = (text(INPUT)?.to_owned(), text(POSITION)?.to_owned());
    let history = list(columns.columns().get(HISTORY)?, index)?;
    let Some(best) = text(BEST) else {
        return Some(BatchRow { input, position, history, found: Err(text(ERROR)?.to_owned()), others: Vec::new() });
    };
    let proofs = [Proof::LOWER, Proof::UPPER, Proof::EXACT];
    let proof = proofs.into_iter().find(|proof| proof.name() == text(PROVEN)).unwrap_or(Proof::NONE);
    let bounds = [Bound::Upper, Bound::Lower, Bound::Exact];
    let line = columns.column_by_name(MULTIPV).and_then(|column| self::number(column, index)).unwrap_or(1);
    let found = Analysed {
        line: usize::try_from(line).ok()?,
        best: best.to_owned(),
        score: i32::try_from(number(SCORE)?).ok()?,
        bound: bounds.into_iter().find(|bound| Some(bound.name()) == text(BOUND))?,
        proof,
        depth: u8::try_from(number(DEPTH)?).ok()?,
        nodes: u64::try_from(number(NODES)?).ok()?,
        micros: u64::try_from(number(TIME)?).ok()?,
        pv: columns.column_by_name(PV).and_then(|column| list(column, index)).unwrap_or_default(),
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
