//! The databases of a folder, opened once and shared.

use super::index::MOST_HOUSES;
use super::{Endgame, Rules, layer};
use crate::core::Error;
use crate::endgame::folder::Opened;
use crate::games::kalah::Capture;
use std::path::Path;
use std::sync::Arc;

/// The databases of a folder for one capture rule, by the number of houses per side.
#[derive(Debug)]
pub struct Endgames([Option<Endgame>; MOST_HOUSES]);

/// The databases that this process has open.
static OPEN: Opened<Capture, Endgames> = Opened::new();

impl Endgames {
    /// Returns the databases of a folder, shared by all users in this process. They are verified on the first request
    /// and after a change.
    ///
    /// # Errors
    /// [`Error::File`], or [`Error::BadFile`] for an invalid file and for a folder without any database. A folder with
    /// databases of other rules only is no error, since options are set one by one; its databases are not used.
    pub fn open(folder: &Path, capture: Capture) -> Result<Arc<Self>, Error> {
        OPEN.get(folder, capture, || {
            let found = rules(folder);
            if found.is_empty() {
                return Err(Error::bad_file(folder, "holds no endgame database of kalah"));
            }
            let mut endgames = [const { None }; MOST_HOUSES];
            for rules in found.iter().filter(|rules| rules.capture == capture) {
                endgames[rules.houses - 1] = Some(Endgame::open(folder, *rules)?);
            }
            if endgames.iter().all(Option::is_none) {
                log::info!("{}: its endgame databases are of the other capture rule: not used", folder.display());
            }
            Ok(Self(endgames))
        })
    }

    /// Returns the database of boards with this number of houses per side.
    #[inline]
    #[must_use]
    pub fn of(&self, houses: usize) -> Option<&Endgame> {
        self.0.get(houses.wrapping_sub(1))?.as_ref()
    }
}

/// Returns the sets of rules for which a folder has layers.
#[must_use]
pub fn rules(folder: &Path) -> Vec<Rules> {
    let all = [Capture::Standard, Capture::Empty].into_iter();
    let all = all.flat_map(|capture| (1..=MOST_HOUSES).map(move |houses| Rules { houses, capture }));
    all.filter(|rules| folder.join(layer::name(*rules, 0)).exists()).collect()
}
