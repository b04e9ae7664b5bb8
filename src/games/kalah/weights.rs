//! [`Weights`]: an evaluation as a sum of weighted counts.

use crate::core::{Error, Options, Score, Weight, weights};

/// The weights of an evaluation in centi-units.
#[derive(Clone, Debug)]
pub struct Weights<const TERMS: usize> {
    /// The name of each weight, and the name of its term for users.
    names: &'static [[&'static str; 2]; TERMS],
    values: [Score; TERMS],
}

impl<const TERMS: usize> Weights<TERMS> {
    /// Returns the weights that a text names, `seed=14,mobility=6`; the others are 0. All are 0 if the text is invalid.
    pub(crate) fn new(names: &'static [[&'static str; 2]; TERMS], text: &str) -> Self {
        let mut named = names.map(|[name, _]| (name, 0));
        let read = weights::read(text, &mut named);
        Self { names, values: if read.is_ok() { named.map(|(_, value)| value) } else { [0; TERMS] } }
    }

    /// Replaces the weights that an option of the game names; the others stay.
    ///
    /// # Errors
    /// [`Error::BadValue`].
    pub(crate) fn set(&mut self, options: &Options, option: &str) -> Result<(), Error> {
        let (text, mut named) = (options.text(option), self.named());
        weights::read(text, &mut named).map_err(|expected| Error::bad_value(option, text, expected))?;
        self.values = named.map(|(_, value)| value);
        Ok(())
    }

    /// Returns the name and the value of each weight.
    pub(crate) fn named(&self) -> [Weight; TERMS] {
        std::array::from_fn(|term| (self.names[term][0], self.values[term]))
    }

    #[inline]
    pub(crate) fn sum(&self, counts: &[i32; TERMS]) -> Score {
        let mut sum = 0;
        for term in 0..TERMS {
            sum += self.values[term] * counts[term];
        }
        sum
    }

    /// Returns the settled score with its name, then the name and the value of each term.
    pub(crate) fn explain(&self, settled: (&'static str, Score), counts: &[i32; TERMS]) -> Vec<(&'static str, Score)> {
        let terms = self.names.iter().zip(self.values).zip(counts);
        std::iter::once(settled).chain(terms.map(|(([_, name], weight), count)| (*name, weight * count))).collect()
    }
}
