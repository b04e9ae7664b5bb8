//! The file of learned positions: [records](crate::store::records) of one position each. The last record of a position
//! counts.
//!
//! ```text
//! 8  the key, as in the table
//! 8  the data word, as in the table
//! ```

use crate::core::Error;
use crate::search::entry::Word;
use crate::store::Identity;
use crate::store::container::Format;
use crate::store::records::{Records, frame};
use std::path::Path;

const FORMAT: Format = Format { letters: b"SCL", version: 1, foreign: "is not a learning file" };

/// The bytes of a position in the file.
pub(crate) const RECORD: u64 = 28;

/// The bytes in a mebibyte.
pub const MIB: u64 = 1 << 20;

/// Returns the positions learned for this identity, in their order, and the file, unless another process has it open.
#[expect(clippy::type_complexity, reason = "a file and what it holds")]
pub(crate) fn open(path: &Path, identity: &Identity) -> Result<(Option<Records>, Vec<(u64, Word)>), Error> {
    let difference = |there: &[u8]| match Identity::decode(there) {
        Some(there) => there.difference(identity),
        None => Some("is of another version of Secateurs".into()),
    };
    let (file, records) = Records::open_or_read(path, &FORMAT, &identity.encode(), difference)?;
    let read = |record: &Vec<u8>| -> Option<(u64, Word)> {
        let (key, word) = record.split_first_chunk()?;
        Some((u64::from_le_bytes(*key), Word(u64::from_le_bytes(word.try_into().ok()?))))
    };
    let found: Option<Vec<_>> = records.iter().map(read).collect();
    let found = found.filter(|found| found.iter().all(|(_, word)| !word.is_exact()));
    Ok((file, found.ok_or_else(|| Error::bad_file(path, "has a record that is not a position"))?))
}

/// Adds positions: all or, after an error, none.
pub(crate) fn add(file: &mut Records, positions: impl Iterator<Item = (u64, Word)>) -> Result<(), Error> {
    file.add(&framed(positions))
}

/// Replaces all positions.
pub(crate) fn replace(file: &mut Records, positions: impl Iterator<Item = (u64, Word)>) -> Result<(), Error> {
    file.replace(&framed(positions))
}

fn framed(positions: impl Iterator<Item = (u64, Word)>) -> Vec<u8> {
    let mut framed = Vec::new();
    positions.for_each(|(key, word)| frame([key, word.0].map(u64::to_le_bytes).as_flattened(), &mut framed));
    framed
}
