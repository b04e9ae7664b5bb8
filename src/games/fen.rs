//! What the games share of Forsyth-Edwards Notation (FEN): the fields, and the pieces by rows.

use crate::core::error::Quoted;
use std::fmt::Write;

/// Returns the pieces, the side to move and the other fields of a FEN, which may be missing.
///
/// # Errors
/// A description of what is wrong.
pub(crate) fn split<'a>(fields: &[&'a str]) -> Result<(&'a str, &'a str, Vec<&'a str>), String> {
    match fields[..] {
        [pieces, turn, ref rest @ ..] if rest.len() <= 4 => Ok((pieces, turn, rest.to_vec())),
        [_, _, ..] => {
            let surplus = Quoted::part(&fields[6..].join(" "));
            Err(format!("a FEN has 6 fields, not {}: {surplus} comes after them", fields.len()))
        }
        _ => Err("a FEN has at least 2 fields: the pieces and the side to move".into()),
    }
}

/// Parses the number of a field with this name. A number that is too large becomes the largest possible.
///
/// # Errors
/// A description of what is wrong.
pub(crate) fn number(text: &str, name: &str) -> Result<u16, String> {
    match text.parse() {
        Ok(number) => Ok(number),
        Err(_) if !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit()) => Ok(u16::MAX),
        Err(_) => Err(format!("the {name} is a number from 0, not {}", Quoted::part(text))),
    }
}

/// Parses the pieces of a board of at most nine columns, row by row from the top: a letter for each, and the numbers of
/// `squares` between them. Calls `place` with the column, the row counted from 0 at the bottom, and the letter.
///
/// # Errors
/// A description of what is wrong; the errors of `place`.
pub(crate) fn read_rows(
    text: &str,
    [columns, rows]: [u8; 2],
    squares: &str,
    mut place: impl FnMut(u8, u8, char) -> Result<(), String>,
) -> Result<(), String> {
    let lines: Vec<&str> = text.split('/').collect();
    if lines.len() != usize::from(rows) {
        return Err(format!("a board has {rows} ranks, not {}", lines.len()));
    }
    for (row, line) in (0..rows).rev().zip(lines) {
        let (rank, mut column, mut after_number) = (row + 1, 0_usize, false);
        for letter in line.chars() {
            let vacant = letter.to_digit(10).filter(|vacant| (1..=columns.into()).contains(vacant));
            if vacant.is_some() && after_number {
                return Err(format!("rank {rank} has two numbers in a row, {}", Quoted::part(line)));
            }
            after_number = vacant.is_some();
            match vacant {
                Some(vacant) => column += vacant as usize,
                None => {
                    place(u8::try_from(column).unwrap_or(u8::MAX), row, letter)?;
                    column += 1;
                }
            }
        }
        if column != usize::from(columns) {
            return Err(format!("rank {rank} has {column} {squares} instead of {columns}"));
        }
    }
    Ok(())
}

/// Writes the pieces, row by row from the top, given the letter of a column and a row counted from 0 at the bottom.
pub(crate) fn write_rows([columns, rows]: [u8; 2], letter: impl Fn(u8, u8) -> Option<char>) -> String {
    let mut text = String::new();
    for row in (0..rows).rev() {
        let mut vacant = 0;
        for column in 0..=columns {
            let letter = if column < columns { letter(column, row) } else { None };
            if vacant > 0 && (letter.is_some() || column == columns) {
                let _ = write!(text, "{vacant}");
                vacant = 0;
            }
            text.extend(letter);
            vacant += u8::from(letter.is_none());
        }
        if row > 0 {
            text.push('/');
        }
    }
    text
}
