//! The output of a comparison: tables, JSON or CSV.

use crate::cli::{terminal, text};
use crate::lab::compare::{ComparisonRow, SECATEURS};
use secateurs::core::Bound;
use secateurs::engine::Board;
use secateurs::literature::procedure::PROCEDURES;
use secateurs::views::values;
use secateurs::views::{column_width, fitting};
use std::io::{self, Write};
use std::time::Duration;

/// The form of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Tables.
    Table,
    /// An object per row.
    Json,
    /// A line per row, after a header line.
    Csv,
}

impl Form {
    /// Returns tables, or CSV.
    pub(crate) const fn table_or_csv(csv: bool) -> Self {
        if csv { Self::Csv } else { Self::Table }
    }
}

/// The state of the output.
pub struct Shown {
    form: Form,
    /// The sums over all positions, by depth.
    sums: Vec<(u8, Vec<ComparisonRow>)>,
    /// Whether a procedure differed from the others.
    pub differ: bool,
    begun: bool,
}

impl Shown {
    /// Creates an empty output.
    pub(crate) fn new(form: Form, depths: &[u8]) -> Self {
        Self { form, sums: depths.iter().map(|&depth| (depth, Vec::new())).collect(), differ: false, begun: false }
    }

    /// Writes the rows of a position at a depth, or of trees. Tables have moves as people read them on the board.
    pub(crate) fn rows(
        &mut self,
        rows: &[ComparisonRow],
        board: Option<&dyn Board>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        self.differ |= rows.iter().any(|row| row.agrees == Some(false));
        match self.form {
            Form::Json => {
                for row in rows {
                    writeln!(out, "{}", serde_json::to_string(row)?)?;
                }
            }
            Form::Csv => {
                let mut writer = csv::WriterBuilder::new().has_headers(!self.begun).from_writer(&mut *out);
                rows.iter().try_for_each(|row| writer.serialize(row)).map_err(io::Error::other)?;
                writer.flush()?;
            }
            Form::Table => {
                table(rows, board, terminal::columns(), out)?;
                self.add(rows);
            }
        }
        self.begun |= !rows.is_empty();
        Ok(())
    }

    /// Writes the sums over several positions.
    pub(crate) fn end(&mut self, out: &mut impl Write) -> io::Result<()> {
        for (_, sums) in &mut self.sums {
            if let [first, ..] = &sums[..]
                && self.form == Form::Table
                && first.runs > 1
                && first.subject.is_empty()
            {
                let subject = format!("{} positions together", first.runs);
                sums.iter_mut().for_each(|row| row.subject.clone_from(&subject));
                crate::lab::compare::shares(sums);
                table(sums, None, terminal::columns(), out)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, rows: &[ComparisonRow]) {
        let Some(depth) = rows.first().map(|row| row.depth) else { return };
        let Some((_, sums)) = self.sums.iter_mut().find(|(other, _)| *other == depth) else { return };
        if sums.is_empty() {
            *sums = rows.to_vec();
        } else if sums.len() == rows.len() {
            for (sum, row) in sums.iter_mut().zip(rows) {
                sum.add(row);
                sum.subject.clear();
            }
        }
    }
}

/// The headings of the columns.
const HEADS: [&str; 12] =
    ["procedure", "value", "move", "nodes", "terminal", "cut-offs", "hits", "PV", "cut", "all", "time", "share"];

/// The columns that are dropped, in this order, if the table is too wide.
const SPARE: [usize; 10] = [9, 8, 7, 4, 6, 5, 11, 2, 10, 3];

/// Writes a table: the subject, then a row per contender. Columns that do not fit the terminal are dropped, and named
/// below.
fn table(
    rows: &[ComparisonRow],
    board: Option<&dyn Board>,
    columns: Option<usize>,
    out: &mut impl Write,
) -> io::Result<()> {
    let Some(first) = rows.first() else { return Ok(()) };
    writeln!(out, "{}", terminal::wrap(&format!("{}, depth {}", first.subject, first.depth), columns, 4))?;
    let lines: Vec<[String; 12]> =
        std::iter::once(HEADS.map(String::from)).chain(rows.iter().map(|row| cells(row, board))).collect();
    let width = |column: usize| column_width(lines.iter().map(|line| &line[column]));
    let widths: [usize; 12] = std::array::from_fn(width);
    let shown = fitting(widths, 2, &SPARE, columns.map(|columns| columns.saturating_sub(2)));
    for (line, row) in lines.iter().zip(std::iter::once(None).chain(rows.iter().map(Some))) {
        let mut text = format!("  {:<1$}", line[0], widths[0]);
        for column in (1..line.len()).filter(|&column| shown[column]) {
            text += &format!("  {:>1$}", line[column], widths[column]);
        }
        if let Some(given_up) = row.and_then(|row| row.given_up.as_deref()) {
            text += &format!("  {given_up}");
        }
        writeln!(out, "{}", terminal::wrap(text.trim_end(), columns, 6))?;
    }
    let left_out: Vec<_> = HEADS.iter().zip(shown).filter(|(_, shown)| !shown).map(|(head, _)| *head).collect();
    if !left_out.is_empty() {
        let note = format!("  left out for lack of room: {}", left_out.join(", "));
        writeln!(out, "{}", terminal::wrap(&note, columns, 6))?;
    }
    writeln!(out)
}

fn cells(row: &ComparisonRow, board: Option<&dyn Board>) -> [String; 12] {
    let bound =
        [Bound::Lower, Bound::Upper].into_iter().find(|bound| Some(bound.name()) == row.bound).unwrap_or(Bound::Exact);
    let differs = if row.agrees == Some(false) { " !" } else { "" };
    let value = row.value.map_or_else(|| "-".into(), |value| values::score(value, bound));
    [
        row.procedure.into(),
        value + differs,
        row.best.as_ref().map_or_else(|| "-".into(), |mv| board.map_or_else(|| mv.clone(), |board| board.readable(mv))),
        row.nodes.to_string(),
        row.terminal.to_string(),
        count(row.cutoffs),
        count(row.hits),
        count(row.pv),
        count(row.cut),
        count(row.all),
        text::time(Duration::from_micros(row.time_us)),
        row.share.map_or_else(|| "-".into(), percent),
    ]
}

/// Formats a count; a dash if it does not apply.
fn count(count: Option<u64>) -> String {
    count.map_or_else(|| "-".into(), |count| count.to_string())
}

/// Formats a share with the necessary decimals.
fn percent(share: f64) -> String {
    let percent = share * 100.0;
    match percent {
        10.0.. => format!("{percent:.0} %"),
        1.0.. => format!("{percent:.1} %"),
        _ => format!("{percent:.3} %"),
    }
}

/// Lists the procedures with their sources.
pub(crate) fn list(out: &mut impl Write) -> io::Result<()> {
    let ours = (SECATEURS, "the search that plays: iterative deepening, all of it", "docs/search.md");
    let rows = || PROCEDURES.iter().map(|row| (row.name, row.about, row.source)).chain([ours]);
    let about = rows().map(|(_, about, _)| about.len()).max().unwrap_or(0);
    let columns = terminal::columns();
    let table = |(name, what, source): (&str, &str, &str)| (name.to_owned(), format!("{what:about$}  {source}"));
    let prose = |(name, what, source): (&str, &str, &str)| (name.to_owned(), format!("{what} ({source})"));
    let wide = terminal::definitions(&rows().map(table).collect::<Vec<_>>(), None);
    let fits = columns.is_none_or(|columns| wide.lines().all(|line| line.chars().count() <= columns));
    // Names start at the beginning of lines, where programs expect them.
    let wide: String = wide.lines().map(|line| format!("{}\n", line.trim_start())).collect();
    let text = if fits { wide } else { terminal::definitions(&rows().map(prose).collect::<Vec<_>>(), columns) };
    write!(out, "{text}")
}
