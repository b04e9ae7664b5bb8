//! The codes of the moves of a game in Python, by their texts.

use crate::threads::lock::lock;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::sync::Mutex;

/// The number of codes.
pub const CODES: usize = 1 << 15;

/// The codes of moves by text. A move has the same code in all states, so that what a search learns of it in one state
/// orders the moves of others. The first [`CODES`] texts of a game get a code for themselves. Later ones share the
/// codes: they are different in each state, and the same whenever that state is queried.
#[derive(Default)]
pub struct MoveCodes(Mutex<HashMap<String, u16>>);

/// Why the moves of a state have no codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveCodeError {
    /// The move at this place has the text of one before.
    Repeated(usize),
    /// There are more than [`CODES`] moves.
    TooMany,
}

impl MoveCodes {
    /// Returns the codes of the moves of a state, in their order.
    ///
    /// # Errors
    /// [`MoveCodeError`].
    pub fn assign(&self, texts: &[String]) -> Result<Vec<u16>, MoveCodeError> {
        if texts.len() > CODES {
            return Err(MoveCodeError::TooMany);
        }
        let mut known = lock(&self.0);
        let (mut codes, mut taken, mut later) = (vec![0; texts.len()], HashSet::new(), Vec::new());
        for (place, text) in texts.iter().enumerate() {
            let next = known.len();
            codes[place] = match known.get(text) {
                Some(&code) => code,
                None if next < CODES => *known.entry(text.clone()).or_insert(next as u16),
                None => {
                    later.push(place);
                    continue;
                }
            };
            if !taken.insert(codes[place]) {
                return Err(MoveCodeError::Repeated(place));
            }
        }
        drop(known);
        // The order of the texts, not that of the moves, decides where two texts have the same hash.
        later.sort_unstable_by_key(|&place| (&texts[place], place));
        if let Some(pair) = later.windows(2).find(|pair| texts[pair[0]] == texts[pair[1]]) {
            return Err(MoveCodeError::Repeated(pair[1]));
        }
        for place in later {
            let hash = BuildHasherDefault::<DefaultHasher>::new().hash_one(&texts[place]);
            let mut code = (hash % CODES as u64) as u16;
            while !taken.insert(code) {
                code = (code + 1) % CODES as u16;
            }
            codes[place] = code;
        }
        Ok(codes)
    }

    /// Returns the text with a code of its own; empty if there is none.
    pub fn text(&self, code: u16) -> String {
        lock(&self.0).iter().find(|&(_, &known)| known == code).map(|(text, _)| text.clone()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(range: std::ops::Range<usize>) -> Vec<String> {
        range.map(|number| number.to_string()).collect()
    }

    #[test]
    fn codes_are_different_in_each_state_however_many_texts_there_are() {
        let codes = MoveCodes::default();
        let all = texts(0..CODES);
        assert!(codes.assign(&all).unwrap().into_iter().eq(0..CODES as u16));
        assert_eq!(codes.assign(&texts(0..CODES + 1)), Err(MoveCodeError::TooMany));
        let later = texts(CODES - 3..2 * CODES - 3);
        let found = codes.assign(&later).unwrap();
        let mut sorted = found.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..CODES as u16));
        let backward: Vec<_> = later.into_iter().rev().collect();
        assert!(codes.assign(&backward).unwrap().into_iter().rev().eq(found));
    }

    #[test]
    fn a_text_may_not_repeat() {
        let codes = MoveCodes::default();
        assert_eq!(codes.assign(&["a", "b", "a"].map(str::to_owned)), Err(MoveCodeError::Repeated(2)));
        assert_eq!(codes.text(1), "b");
        codes.assign(&texts(0..CODES - 2)).unwrap();
        assert_eq!(codes.assign(&["x", "y", "x"].map(str::to_owned)), Err(MoveCodeError::Repeated(2)));
    }
}
