//! The file of a batch's finished rows.

use super::row::BatchRow;
use super::subject::Subject;
use crate::core::{Error, StopFlag};
use crate::store::container::Format;
use crate::store::records::{Records, frame};
use crate::util::lock::lock;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;
use web_time::Instant;

const FORMAT: Format = Format { letters: b"SCR", version: 4, foreign: "is not a checkpoint of a batch" };

/// Rows finished within this time of each other are written together; a kill can lose no more than these.
const TOGETHER: Duration = Duration::from_millis(1);

/// The checkpoint of a batch. Several threads may add to it.
pub struct Checkpoint(Mutex<CheckpointState>);

struct CheckpointState {
    records: Records,
    /// Rows that are not in the file yet.
    waiting: Vec<u8>,
    written: Instant,
}

impl Checkpoint {
    /// Opens or creates the checkpoint of a batch, and puts its rows in their places; not all of them if the flag is
    /// raised meanwhile.
    ///
    /// # Errors
    /// [`Error::File`]; [`Error::BadFile`] for a file that is not a checkpoint, is damaged, or belongs to another
    /// batch; the error describes the difference.
    pub(crate) fn open(
        path: &Path,
        subject: &Subject,
        rows: &mut [Option<BatchRow>],
        stop: &StopFlag,
    ) -> Result<Self, Error> {
        let here = serde_json::to_vec(subject).map_err(|error| Error::file("open", path, &error.into()))?;
        let (records, found) =
            Records::open(path, &FORMAT, &here, |there| match serde_json::from_slice::<Subject>(there) {
                Ok(there) => there.difference(subject),
                Err(_) => Some("is the checkpoint of another version of Secateurs".into()),
            })?;
        for record in found.iter().take_while(|_| !stop.is_raised()) {
            let read = serde_json::from_slice::<(usize, BatchRow)>(record).ok();
            let place = read.and_then(|(index, row)| rows.get_mut(index).map(|place| (place, row)));
            let (place, row) =
                place.ok_or_else(|| Error::bad_file(path, "has a record that is no row of this batch"))?;
            *place = Some(row);
        }
        let state = CheckpointState { records, waiting: Vec::new(), written: Instant::now() };
        Ok(Self(Mutex::new(state)))
    }

    /// Adds a finished row. If the write fails, the row waits for the next one.
    pub(crate) fn add(&self, index: usize, row: &BatchRow) -> Result<(), Error> {
        let record = serde_json::to_vec(&(index, row)).unwrap_or_default();
        let mut state = lock(&self.0);
        frame(&record, &mut state.waiting);
        if state.written.elapsed() < TOGETHER { Ok(()) } else { state.write() }
    }

    /// Writes the remaining rows.
    pub(crate) fn end(self) -> Result<(), Error> {
        lock(&self.0).write()
    }
}

impl CheckpointState {
    fn write(&mut self) -> Result<(), Error> {
        self.written = Instant::now();
        self.records.add(&self.waiting)?;
        self.waiting.clear();
        Ok(())
    }
}
